/* A manager that gives work to whoever is ready, then a ring with persistent requests and strided data:
 * what the ranks do depends on what they receive. */
#include <mpi.h>
#include <stdio.h>

enum { WORK = 1, RESULT, STOP, RING, TASKS = 40 };

static double data[400];

static void manage(int ranks) {
    int given = 0, out = 0, result;
    MPI_Status status;
    for (int worker = 1; worker < ranks; worker++, given++, out++)
        MPI_Send(data, worker * 10, MPI_DOUBLE, worker, WORK, MPI_COMM_WORLD);
    while (out > 0) {
        MPI_Recv(&result, 1, MPI_INT, MPI_ANY_SOURCE, RESULT, MPI_COMM_WORLD, &status);
        out--;
        if (given < TASKS) {
            MPI_Send(data, 100, MPI_DOUBLE, status.MPI_SOURCE, WORK, MPI_COMM_WORLD);
            given++, out++;
        }
    }
    for (int worker = 1; worker < ranks; worker++)
        MPI_Send(data, 0, MPI_DOUBLE, worker, STOP, MPI_COMM_WORLD);
}

static void work(void) {
    MPI_Status status;
    int count;
    for (;;) {
        MPI_Probe(0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        MPI_Get_count(&status, MPI_DOUBLE, &count);
        MPI_Recv(data, 400, MPI_DOUBLE, 0, status.MPI_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (status.MPI_TAG == STOP)
            return;
        MPI_Send(&count, 1, MPI_INT, 0, RESULT, MPI_COMM_WORLD);
    }
}

int main(int argc, char **argv) {
    int rank, ranks, sum;
    MPI_Datatype column;
    MPI_Comm half;
    MPI_Request ring[2];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Type_vector(10, 1, 20, MPI_DOUBLE, &column);
    MPI_Type_commit(&column);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    if (rank == 0)
        manage(ranks);
    else
        work();
    MPI_Send_init(data, 1, column, (rank + 1) % ranks, RING, MPI_COMM_WORLD, &ring[0]);
    MPI_Recv_init(data + 200, 1, column, (rank + ranks - 1) % ranks, RING, MPI_COMM_WORLD, &ring[1]);
    for (int round = 0; round < 3; round++) {
        MPI_Startall(2, ring);
        MPI_Waitall(2, ring, MPI_STATUSES_IGNORE);
    }
    MPI_Request_free(&ring[0]);
    MPI_Request_free(&ring[1]);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, half);
    printf("%d: %d\n", rank, sum);
    MPI_Comm_free(&half);
    MPI_Type_free(&column);
    MPI_Finalize();
    return 0;
}
