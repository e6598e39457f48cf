/* Rank 0 counts two messages and receives one: it completes its only request again and again, in the way of the first argument,
   though that is null. Rank 1 waits for it. */
#include <mpi.h>
#include <string.h>

int main(int count, char **words) {
    int rank, data, index, flag, some, left = 2;
    const char *way = count > 1 ? words[1] : "wait";
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Status status;
    MPI_Init(&count, &words);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Irecv(&data, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        while (left > 0) {
            index = MPI_UNDEFINED;
            if (strcmp(way, "wait") == 0) {
                MPI_Wait(&request, &status);
                index = status.MPI_SOURCE == 1 ? 0 : MPI_UNDEFINED;
            }
            if (strcmp(way, "test") == 0) {
                MPI_Test(&request, &flag, &status);
                index = flag && status.MPI_SOURCE == 1 ? 0 : MPI_UNDEFINED;
            }
            if (strcmp(way, "any") == 0) MPI_Waitany(1, &request, &index, &status);
            if (strcmp(way, "some") == 0) MPI_Waitsome(1, &request, &some, &index, &status);
            if (strcmp(way, "testsome") == 0) MPI_Testsome(1, &request, &some, &index, &status);
            left -= index == 0;
        }
        MPI_Send(&data, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else if (rank == 1) {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        MPI_Recv(&data, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &status);
    }
    MPI_Finalize();
    return 0;
}
