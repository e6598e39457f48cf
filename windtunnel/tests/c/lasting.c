/* Two pairs of ranks: ranks 0 and 1 do what the argument says, ranks 2 and 3 exchange messages until both are told to
   stop, the one by rank 0 and the other by rank 1. */
#include <mpi.h>
#include <string.h>

static int rank, other, number;
static MPI_Comm pair;

static void give(int to, int tag) { MPI_Ssend(&number, 1, MPI_INT, to, tag, MPI_COMM_WORLD); }

static void take(int from, int tag) {
    MPI_Recv(&number, 1, MPI_INT, from, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void work(const char *what) {
    if (!strcmp(what, "sends")) {
        MPI_Send(&rank, 1, MPI_INT, other, 1, MPI_COMM_WORLD);
        take(other, 1);
    } else if (!strcmp(what, "receives")) {
        take(other, 1);
        MPI_Send(&rank, 1, MPI_INT, other, 1, MPI_COMM_WORLD);
    } else if (!strcmp(what, "barrier")) {
        if (rank == 0) MPI_Barrier(pair);
        take(other, 1);
    } else if (!strcmp(what, "finished")) {
        if (rank == 1) return;
        take(other, 1);
    } else if (!strcmp(what, "unsure")) {
        /* Any rank might send what rank 0 waits for. */
        if (rank == 0) take(MPI_ANY_SOURCE, 1), take(1, 4);
        if (rank == 1) MPI_Send(&rank, 1, MPI_INT, 0, 4, MPI_COMM_WORLD), MPI_Send(&rank, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    } else if (!strcmp(what, "any")) {
        MPI_Request requests[2];
        int numbers[2], at;
        for (int i = 0; i < 2; i++)
            MPI_Irecv(&numbers[i], 1, MPI_INT, other, 1 + i, MPI_COMM_WORLD, &requests[i]);
        MPI_Waitany(2, requests, &at, MPI_STATUS_IGNORE);
    } else if (!strcmp(what, "waits")) {
        /* Rank 2 sends it in time: nobody waits for ever. */
        if (rank == 0) take(2, 5), give(1, 1);
        if (rank == 1) take(0, 1);
    }
}

/* Returns how often it has played. */
static int play(int least) {
    MPI_Request request;
    int stop, mine = 0, his = 0, rounds = 0;
    MPI_Irecv(&stop, 1, MPI_INT, other, 2, MPI_COMM_WORLD, &request);
    for (; !(mine && his); rounds++) {
        if (!mine) MPI_Test(&request, &mine, MPI_STATUS_IGNORE);
        if (rank == 2 && rounds == least) give(0, 5);
        MPI_Sendrecv(&mine, 1, MPI_INT, 5 - rank, 3, &his, 1, MPI_INT, 5 - rank, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    return rounds;
}

int main(int argc, char **argv) {
    const char *what = argc > 1 ? argv[1] : "sends";
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank / 2, rank, &pair);
    other = rank < 2 ? 1 - rank : rank - 2;
    if (rank < 2) {
        work(what);
        if (strcmp(what, "finished")) MPI_Send(&rank, 1, MPI_INT, rank + 2, 2, MPI_COMM_WORLD);
    } else {
        int least = strcmp(what, "waits") ? -1 : 200000;
        if (play(least) < least) MPI_Abort(MPI_COMM_WORLD, 3);
    }
    MPI_Comm_free(&pair);
    MPI_Finalize();
    return 0;
}
