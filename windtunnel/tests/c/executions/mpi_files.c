/* Deletes a file that must be there, and writes another one, by functions of MPI. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int rank;
    char line[16];
    MPI_File file;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0 && MPI_File_delete("input.txt", MPI_INFO_NULL)) exit(3);
    snprintf(line, sizeof line, "rank %d\n", rank);
    if (MPI_File_open(MPI_COMM_WORLD, "result", MPI_MODE_CREATE | MPI_MODE_EXCL | MPI_MODE_WRONLY,
                      MPI_INFO_NULL, &file))
        exit(4);
    MPI_File_write_at_all(file, 7 * rank, line, 7, MPI_CHAR, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
