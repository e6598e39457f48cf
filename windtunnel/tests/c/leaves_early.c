/* A nonblocking consensus with MPI_Isend: a rank may leave before its message is there. A server with receives from any source,
 * whose order does not matter, comes later. With the argument `synchronous` it is right. */
#include <mpi.h>
#include <string.h>

int main(int argc, char **argv)
{
    int rank, size, sent = 0, value, got = 0, done = 0, flag;
    int is_right = argc > 1 && !strcmp(argv[1], "synchronous");
    MPI_Request send, barrier = MPI_REQUEST_NULL;
    MPI_Status status;
    MPI_Comm others;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_dup(MPI_COMM_WORLD, &others);
    if (is_right)
        MPI_Issend(&sent, 1, MPI_INT, (rank + 1) % size, 0, MPI_COMM_WORLD, &send);
    else
        MPI_Isend(&sent, 1, MPI_INT, (rank + 1) % size, 0, MPI_COMM_WORLD, &send);
    while (!done) {
        MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &flag, &status);
        if (flag) {
            MPI_Recv(&value, 1, MPI_INT, status.MPI_SOURCE, 0, MPI_COMM_WORLD, &status);
            got++;
        }
        if (barrier != MPI_REQUEST_NULL) {
            MPI_Test(&barrier, &done, MPI_STATUS_IGNORE);
        } else {
            MPI_Test(&send, &flag, MPI_STATUS_IGNORE);
            if (flag) MPI_Ibarrier(MPI_COMM_WORLD, &barrier);
        }
    }
    if (!got) MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
    if (rank == 0)
        for (int k = 1; k < size; k++) MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, others, &status);
    else
        MPI_Send(&sent, 1, MPI_INT, 0, 1, others);
    MPI_Comm_free(&others);
    MPI_Finalize();
    return got != 1;
}
