/* All ranks open the same files, and rank 0 writes them before its first communication. */
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv) {
    int rank, log;
    FILE *table;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    table = fopen("table.txt", "w");
    log = open("log.txt", O_CREAT | O_WRONLY | O_TRUNC, 0666);
    if (rank == 0) {
        fprintf(table, "1 2 3\n");
        if (write(log, "begins\n", 7) != 7) MPI_Abort(MPI_COMM_WORLD, 1);
    }
    fclose(table);
    close(log);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
