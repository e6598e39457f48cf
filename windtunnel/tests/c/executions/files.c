/* Refuses to overwrite its output, by a relative and by an absolute path, and deletes its input. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

int main(int argc, char **argv) {
    int rank;
    char name[64], path[4200], here[4096];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    snprintf(name, sizeof name, "out.%d", rank);
    if (access(name, F_OK) == 0) MPI_Abort(MPI_COMM_WORLD, 5);
    FILE *file = fopen(name, "w");
    if (!file) MPI_Abort(MPI_COMM_WORLD, 6);
    fprintf(file, "rank %d\n", rank);
    fclose(file);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        if (!getcwd(here, sizeof here)) MPI_Abort(MPI_COMM_WORLD, 7);
        snprintf(path, sizeof path, "%s/made", here);
        if (mkdir(path, 0777)) MPI_Abort(MPI_COMM_WORLD, 8);
        if (unlink("input.txt")) MPI_Abort(MPI_COMM_WORLD, 9);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (access("made", F_OK) || access("input.txt", F_OK) == 0) MPI_Abort(MPI_COMM_WORLD, 10);
    MPI_Finalize();
    return 0;
}
