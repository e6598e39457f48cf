/* Buffers of operations whose requests are freed before they are complete. */
#include <mpi.h>
#include <string.h>

static int rank, values[4], taken[4];

/* Frees the request of a send, and learns by an answer that the message has been received. */
static void answered(int early) {
    MPI_Request request;
    int answer = 0;
    if (rank == 0) {
        MPI_Isend(values, 4, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        MPI_Request_free(&request);
        if (early)
            values[2] = 99;
        MPI_Recv(&answer, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        values[3] = answer;
        MPI_Wtime();
        values[0] = 5;
    } else if (rank == 1) {
        MPI_Recv(taken, 4, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&answer, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    }
}

/* Sends from the buffer again at once. */
static void again(void) {
    MPI_Request request;
    if (rank == 0) {
        MPI_Isend(values, 4, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        MPI_Request_free(&request);
        MPI_Recv(values, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (rank == 1) {
        MPI_Send(taken, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
        MPI_Recv(taken, 4, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

/* Frees the request of a receive and reads where the message arrives, at once or when a later one has arrived: no call says
   that this one is complete. */
static void received(int early) {
    MPI_Request request;
    int seen = 0;
    if (rank == 0) {
        MPI_Irecv(taken, 4, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        MPI_Request_free(&request);
        if (early)
            seen = *(volatile int *)&taken[1];
        MPI_Send(values, 1, MPI_INT, 1, 2, MPI_COMM_WORLD);
        MPI_Recv(values, 4, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        values[0] = early ? seen : taken[0];
    } else if (rank == 1) {
        MPI_Recv(taken, 4, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(values, 4, MPI_INT, 0, 0, MPI_COMM_WORLD);
        MPI_Send(values, 4, MPI_INT, 0, 1, MPI_COMM_WORLD);
    }
}

/* Takes a receive back, and frees its request. */
static void withdrawn(void) {
    MPI_Request request;
    MPI_Irecv(taken, 4, MPI_INT, MPI_ANY_SOURCE, 9, MPI_COMM_WORLD, &request);
    MPI_Cancel(&request);
    MPI_Request_free(&request);
    taken[0] = taken[1] + 1;
}

/* Frees the request of a send to the next rank, which may be late, when the message of the last one has come. */
static void passed(void) {
    MPI_Request request;
    int size;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Isend(values, 4, MPI_INT, (rank + 1) % size, 3, MPI_COMM_WORLD, &request);
    MPI_Recv(taken, 4, MPI_INT, (rank + size - 1) % size, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
    values[1] = 3;
    MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (argc < 2) {
        for (int round = 0; round < 3; round++) {
            answered(0);
            withdrawn();
        }
    }
    if (argc > 1 && !strcmp(argv[1], "written"))
        answered(1);
    if (argc > 1 && !strcmp(argv[1], "used"))
        again();
    if (argc > 1 && !strcmp(argv[1], "read"))
        received(1);
    if (argc > 1 && !strcmp(argv[1], "read_late"))
        received(0);
    if (argc > 1 && !strcmp(argv[1], "passed"))
        passed();
    MPI_Finalize();
    return 0;
}
