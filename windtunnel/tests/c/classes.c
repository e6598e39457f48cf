/* Programs with known numbers of executions that differ in more than the order of independent matches. */
#include <mpi.h>
#include <string.h>

static const int ANY = MPI_ANY_SOURCE;
static int rank, size, x;
static MPI_Status status;

static void out(int to, int tag) { MPI_Send(&x, 1, MPI_INT, to, tag, MPI_COMM_WORLD); }

static int in(int from, int tag) {
    MPI_Recv(&x, 1, MPI_INT, from, tag, MPI_COMM_WORLD, &status);
    return status.MPI_SOURCE;
}

/* Two receivers of n senders each: (n!)^2. */
static void two(void) {
    int i;
    if (rank > 1)
        for (i = 0; i < 2; i++) out(i, 0);
    else
        for (i = 2; i < size; i++) in(ANY, 0);
}

/* What rank 1 sends to rank 0 comes after its own choice: 2 * 2. */
static void late(void) {
    if (rank == 0) {
        in(ANY, 0), in(ANY, 0);
    } else if (rank == 1) {
        in(ANY, 0), out(0, 0), in(ANY, 0);
    } else {
        out(rank == 2 ? 0 : 1, 0);
    }
}

/* Who competes for rank 0 depends on the choice of rank 1: 2 + 2. */
static void hidden(void) {
    if (rank == 0) {
        in(ANY, 0), in(ANY, 0);
    } else if (rank == 1 && in(ANY, 0) == 4) {
        out(0, 0), in(ANY, 0), out(5, 1);
    } else if (rank == 1) {
        in(ANY, 0), out(5, 0);
    } else if (rank < 5) {
        out(rank == 2 ? 0 : 1, 0);
    } else {
        in(1, MPI_ANY_TAG);
        if (status.MPI_TAG == 0) out(0, 0);
    }
}

/* The second message for rank 0 depends on the first: 2 for rank 1 alone. */
static void after(void) {
    if (rank == 0) {
        in(ANY, 0), out(1, 5), in(ANY, 0);
    } else if (rank == 1) {
        in(0, 5), in(ANY, 0), in(ANY, 0), out(0, 0);
    } else {
        out(rank == 2 ? 0 : 1, 0);
    }
}

/* Forks are ranks that grant themselves to whoever asks first. Of the 2^n ways one cannot be. */
static void philosophers(void) {
    int n = size / 2, i, left = rank - n, right = (left + 1) % n;
    for (i = 0; i < 2 && rank < n; i++) {
        int who = in(ANY, 1);
        out(who, 2), in(who, 3);
    }
    if (rank >= n) {
        out(left, 1), in(left, 2);
        out(right, 1), in(right, 2);
        out(left, 3), out(right, 3);
    }
}

/* A ring whose ranks have two receives with named sources: any of them first, 2^n, or both, 1. */
static void ring(int any) {
    int left = (rank + size - 1) % size, right = (rank + 1) % size, from[2], which, i, y = 0;
    MPI_Request requests[4];
    MPI_Irecv(&from[0], 1, MPI_INT, left, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(&from[1], 1, MPI_INT, right, 0, MPI_COMM_WORLD, &requests[1]);
    MPI_Isend(&x, 1, MPI_INT, left, 0, MPI_COMM_WORLD, &requests[2]);
    MPI_Isend(&y, 1, MPI_INT, right, 0, MPI_COMM_WORLD, &requests[3]);
    for (i = 0; any && i < 2; i++) MPI_Waitany(2, requests, &which, MPI_STATUS_IGNORE);
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
}

/* Results from any, then a token goes round: (n-1)!. */
static void token(void) {
    int i;
    if (rank == 0) {
        for (i = 1; i < size; i++) in(ANY, 1);
        out(1, 9), in(size - 1, 9);
    } else {
        out(0, 1), in(rank - 1, 9), out((rank + 1) % size, 9);
    }
}

/* A binary tree in which each rank takes its children as they come: 2 for each inner rank. */
static void reduction(void) {
    int child;
    for (child = 2 * rank + 1; child <= 2 * rank + 2 && child < size; child++) in(ANY, 0);
    if (rank) out((rank - 1) / 2, 0);
}

/* A probe, or polls until there is a message, and then its receive: (n-1)!. */
static void probes(int polls) {
    int i, found = 0;
    if (rank) out(0, 0);
    for (i = 1; i < size && rank == 0; i++) {
        if (polls)
            for (found = 0; !found;) MPI_Iprobe(ANY, 0, MPI_COMM_WORLD, &found, &status);
        else
            MPI_Probe(ANY, 0, MPI_COMM_WORLD, &status);
        in(status.MPI_SOURCE, 0);
    }
}

/* Receives that are posted together: (n-1)!. */
static void posted(void) {
    int into[8], i;
    MPI_Request requests[8];
    if (rank) out(0, 0);
    for (i = 1; i < size && rank == 0; i++)
        MPI_Irecv(&into[i], 1, MPI_INT, ANY, 0, MPI_COMM_WORLD, &requests[i - 1]);
    if (rank == 0) MPI_Waitall(size - 1, requests, MPI_STATUSES_IGNORE);
}

int main(int argc, char **argv) {
    const char *word = argc > 1 ? argv[1] : "";
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (!strcmp(word, "two")) two();
    if (!strcmp(word, "late")) late();
    if (!strcmp(word, "hidden")) hidden();
    if (!strcmp(word, "after")) after();
    if (!strcmp(word, "philosophers")) philosophers();
    if (!strcmp(word, "ring-any")) ring(1);
    if (!strcmp(word, "ring-all")) ring(0);
    if (!strcmp(word, "token")) token();
    if (!strcmp(word, "reduction")) reduction();
    if (!strcmp(word, "probes")) probes(0);
    if (!strcmp(word, "polls")) probes(1);
    if (!strcmp(word, "posted")) posted();
    MPI_Finalize();
    return 0;
}
