/* Ranks 0 and 1 exchange messages from any source until rank 2, which waits for one from any source, says so. */
#include <mpi.h>

enum { BALL, GO, STOP, END };

static int rank;

/* Polls until a message of this tag is there, and takes it. */
static void take(int tag) {
    MPI_Status status;
    int there = 0;
    while (!there) MPI_Iprobe(MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &there, &status);
    MPI_Recv(NULL, 0, MPI_INT, status.MPI_SOURCE, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void send(int to, int tag) { MPI_Send(NULL, 0, MPI_INT, to, tag, MPI_COMM_WORLD); }

static void serve(void) {
    int stop = 0;
    while (!stop) {
        send(1, BALL);
        take(BALL);
        MPI_Iprobe(2, STOP, MPI_COMM_WORLD, &stop, MPI_STATUS_IGNORE);
    }
    take(STOP);
    send(1, END);
}

static void play(void) {
    MPI_Status status;
    for (int there = 0;; there = 0) {
        while (!there) MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &there, &status);
        MPI_Recv(NULL, 0, MPI_INT, 0, status.MPI_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (status.MPI_TAG == END) return;
        send(0, BALL);
    }
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) serve();
    if (rank == 1) play();
    if (rank == 2) {
        take(GO);
        send(0, STOP);
    }
    if (rank == 3) send(2, GO);
    MPI_Finalize();
    return 0;
}
