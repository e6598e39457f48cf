/* Memory of MPI_Alloc_mem that is freed in the wrong way, or too early. The argument says how. */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "";
    int rank, *memory, *others = malloc(sizeof(int));
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Alloc_mem(10 * sizeof(int), MPI_INFO_NULL, &memory);
    memset(memory, 0, 10 * sizeof(int));
    if (!strcmp(how, "free")) {
        free(memory);
    } else if (!strcmp(how, "realloc")) {
        memory = realloc(memory, 20 * sizeof(int));
        free(memory);
    } else if (!strcmp(how, "receive") && rank == 0) {
        MPI_Irecv(memory, 10, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        MPI_Free_mem(memory);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else if (!strcmp(how, "send") && rank == 1) {
        MPI_Isend(memory, 10, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
        MPI_Free_mem(memory);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else {
        if (rank == 0 && (!strcmp(how, "send") || !strcmp(how, "")))
            MPI_Recv(memory, 10, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (rank == 1 && (!strcmp(how, "receive") || !strcmp(how, "")))
            MPI_Send(memory, 10, MPI_INT, 0, 0, MPI_COMM_WORLD);
        MPI_Free_mem(memory);
    }
    free(others);
    MPI_Finalize();
    return 0;
}
