/* Programs with known numbers of match orders. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, size, x;

/* Hands out tasks; `order` is filled with who has done each. */
static int manage(int tasks, int order[]) {
    MPI_Status status;
    int next = 0, done;
    for (; next < size - 1; next++) MPI_Send(&next, 1, MPI_INT, next + 1, 1, MPI_COMM_WORLD);
    for (done = 0; done < tasks; done++) {
        MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, &status);
        order[done] = status.MPI_SOURCE;
        MPI_Send(&next, 1, MPI_INT, status.MPI_SOURCE, next < tasks, MPI_COMM_WORLD);
        next++;
    }
    return done;
}

static void work(void) {
    MPI_Status status;
    for (;;) {
        MPI_Recv(&x, 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        if (status.MPI_TAG == 0) return;
        MPI_Send(&x, 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
    }
}

static void manager(int faulty) {
    int order[8];
    if (rank > 0) {
        work();
        return;
    }
    manage(faulty ? 7 : size == 3 ? 5 : 8, order);
    if (faulty && order[2] == 3 && order[3] == 3 && order[4] == 1) {
        printf("a fault\n");
        fflush(stdout);
        exit(4);
    }
}

static void senders(void) {
    int i;
    for (i = 0; i < 2 * (rank ? 1 : size - 1); i++)
        if (rank) MPI_Send(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        else MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void pairs(void) {
    int i;
    if (rank == 4) {
        for (i = 0; i < 2; i++) MPI_Send(&x, 1, MPI_INT, i, 0, MPI_COMM_WORLD);
    } else if (rank > 1) {
        MPI_Send(&x, 1, MPI_INT, rank - 2, 0, MPI_COMM_WORLD);
    } else {
        for (i = 0; i < 2; i++)
            MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

static void several(int any) {
    MPI_Request requests[8];
    int into[8], i, which;
    if (rank) {
        MPI_Send(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        return;
    }
    for (i = 1; i < size; i++)
        MPI_Irecv(&into[i], 1, MPI_INT, i, 0, MPI_COMM_WORLD, &requests[i - 1]);
    if (!any) MPI_Waitall(size - 1, requests, MPI_STATUSES_IGNORE);
    for (i = 1; any && i < size; i++) MPI_Waitany(size - 1, requests, &which, MPI_STATUS_IGNORE);
}

/* With four ranks: aborts if the first wait for some reports two requests. */
static void some(int rank, int size) {
    MPI_Request requests[8];
    int got[8], which[8], count, left = size - 1;
    if (rank != 0) {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        return;
    }
    for (int i = 1; i < size; i++) MPI_Irecv(&got[i], 1, MPI_INT, i, 0, MPI_COMM_WORLD, &requests[i - 1]);
    while (left > 0) {
        MPI_Waitsome(size - 1, requests, &count, which, MPI_STATUSES_IGNORE);
        if (size == 4 && left == 3 && count == 2) MPI_Abort(MPI_COMM_WORLD, 3);
        left -= count;
    }
}

/* Aborts if the last request is the first that is reported. */
static void last(int some) {
    MPI_Request requests[8];
    int got[8], which[8], count = 1;
    if (rank != 0) {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        return;
    }
    for (int i = 1; i < size; i++) MPI_Irecv(&got[i], 1, MPI_INT, i, 0, MPI_COMM_WORLD, &requests[i - 1]);
    if (some) MPI_Waitsome(size - 1, requests, &count, which, MPI_STATUSES_IGNORE);
    else MPI_Waitany(size - 1, requests, which, MPI_STATUS_IGNORE);
    if (count == 1 && which[0] == size - 2) MPI_Abort(MPI_COMM_WORLD, 3);
    MPI_Waitall(size - 1, requests, MPI_STATUSES_IGNORE);
}

int main(int argc, char **argv) {
    const char *word = argc > 1 ? argv[1] : "";
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (!strcmp(word, "manager")) manager(0);
    if (!strcmp(word, "fault")) manager(1);
    if (!strcmp(word, "senders")) senders();
    if (!strcmp(word, "pairs")) pairs();
    if (!strcmp(word, "any")) several(1);
    if (!strcmp(word, "all")) several(0);
    if (!strcmp(word, "some")) some(rank, size);
    if (!strcmp(word, "last-any")) last(0);
    if (!strcmp(word, "last-some")) last(1);
    MPI_Finalize();
    return 0;
}
