/* Operations that are never completed, whose buffers lie in the frame of main; and one whose buffer is freed. */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
    int rank, own[64] = {0};
    MPI_Request request;
    MPI_File file;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (strcmp(argv[1], "file") == 0) {
        MPI_File_open(MPI_COMM_WORLD, "lost.data", MPI_MODE_CREATE | MPI_MODE_WRONLY,
                      MPI_INFO_NULL, &file);
        MPI_File_iwrite_at(file, rank * sizeof own, own, 64, MPI_INT, &request);
        MPI_File_close(&file);
    } else if (strcmp(argv[1], "free") == 0 && rank == 0) {
        int *heap = calloc(64, sizeof *heap);
        MPI_Isend(heap, 64, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        free(heap);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else if (strcmp(argv[1], "grow") == 0 && rank == 0) {
        int *heap = calloc(200000, sizeof *heap);
        MPI_Isend(heap, 64, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        heap = realloc(heap, 4000000);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        free(heap);
    } else if (rank == 0) {
        MPI_Isend(own, 64, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        if (strcmp(argv[1], "written") == 0) own[0] = 1;
    } else if (rank == 1) {
        MPI_Recv(own, 64, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
