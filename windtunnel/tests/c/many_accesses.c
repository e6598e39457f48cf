/* Computes beside buffers of pending operations, so often that the execution in which this is looked at takes long. */
#include <mpi.h>
#include <stdlib.h>

enum { PLACES = 512, ROUNDS = 400, WORK = 600, DATA = 8 };

int main(int argc, char **argv) {
    int rank, size, done;
    MPI_Request requests[2];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    double *sent = calloc(PLACES, sizeof *sent), *received = calloc(PLACES, sizeof *received);
    for (int round = 0; round < ROUNDS; round++) {
        MPI_Irecv(received, DATA, MPI_DOUBLE, (rank + size - 1) % size, 1, MPI_COMM_WORLD, &requests[0]);
        MPI_Isend(sent, DATA, MPI_DOUBLE, (rank + 1) % size, 1, MPI_COMM_WORLD, &requests[1]);
        MPI_Test(&requests[1], &done, MPI_STATUS_IGNORE);
        for (int step = 0; step < WORK; step++) {
            int place = 2 * DATA + step % (PLACES - 3 * DATA);
            sent[place] = sent[place] / 2 + received[place + 1];
            received[place] += sent[place];
        }
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    }
    free(sent);
    free(received);
    MPI_Finalize();
    return 0;
}
