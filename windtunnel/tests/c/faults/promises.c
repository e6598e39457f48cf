/* Assertions of synchronisation calls that are true, and some that are not. */
#include "faults.h"

static MPI_Win win;
static int *mine, got[8];
static MPI_Group before, after;

/* Eight numbers for each rank, which fences make accessible. */
static void make(int assertions) {
    MPI_Win_allocate(8 * sizeof(int), sizeof(int), MPI_INFO_NULL, WORLD, &mine, &win);
    MPI_Win_fence(assertions, win);
}

static void done(int assertions) {
    MPI_Win_fence(assertions, win);
    MPI_Win_free(&win);
}

static void put(int at) { MPI_Put(a, 1, MPI_INT, next, at, 1, MPI_INT, win); }
static void get(void) { MPI_Get(got, 8, MPI_INT, next, 0, 8, MPI_INT, win); }

static void fill(int *values) {
    for (int i = 0; i < 8; i++)
        values[i] = rank + i;
}

CASE(stored_and_told, 3, ok) {
    make(MPI_MODE_NOPRECEDE);
    for (int step = 0; step < 3; step++) {
        fill(mine);
        MPI_Win_fence(MPI_MODE_NOPUT, win);
        get();
        MPI_Win_fence(MPI_MODE_NOSTORE, win);
    }
    done(MPI_MODE_NOSTORE | MPI_MODE_NOSUCCEED);
}

CASE(stored_and_denied, 3, epoch-lifecycle) {
    make(MPI_MODE_NOPRECEDE);
    fill(mine);
    MPI_Win_fence(MPI_MODE_NOPUT | MPI_MODE_NOSTORE, win);
    get();
    done(MPI_MODE_NOSUCCEED);
}

CASE(copied_and_denied, 3, epoch-lifecycle) {
    make(0);
    memcpy(mine, a, 8 * sizeof(int));
    MPI_Win_fence(MPI_MODE_NOSTORE, win);
    get();
    done(0);
}

CASE(one_element_stored_and_denied, 2, epoch-lifecycle) {
    make(0);
    if (rank == 1)
        mine[7]++;
    MPI_Win_fence(rank == 1 ? MPI_MODE_NOSTORE : 0, win);
    get();
    done(0);
}

CASE(read_only, 3, ok) {
    make(MPI_MODE_NOSTORE);
    int sum = 0;
    for (int i = 0; i < 8; i++)
        sum += mine[i];
    MPI_Win_fence(MPI_MODE_NOSTORE, win);
    get();
    done(sum == 0 ? MPI_MODE_NOSTORE : 0);
}

CASE(stored_by_others, 3, ok) {
    make(MPI_MODE_NOSTORE);
    put(2);
    MPI_Win_fence(MPI_MODE_NOSTORE, win);
    get();
    done(MPI_MODE_NOSTORE);
}

CASE(received_and_denied, 3, epoch-lifecycle) {
    make(0);
    MPI_Sendrecv(a, 8, MPI_INT, next, 0, mine, 8, MPI_INT, prev, 0, WORLD, MPI_STATUS_IGNORE);
    MPI_Win_fence(MPI_MODE_NOSTORE, win);
    get();
    done(0);
}

CASE(read_by_a_get_and_denied, 3, epoch-lifecycle) {
    make(0);
    MPI_Get(mine, 2, MPI_INT, next, 4, 2, MPI_INT, win);
    done(MPI_MODE_NOSTORE);
}

CASE(stored_elsewhere, 3, ok) {
    make(0);
    fill(got);
    MPI_Win_fence(MPI_MODE_NOSTORE, win);
    put(0);
    done(0);
}

CASE(put_denied, 3, epoch-lifecycle) {
    make(0);
    MPI_Win_fence(MPI_MODE_NOPUT, win);
    put(1);
    done(0);
}

CASE(nothing_put, 3, ok) {
    int none = 0, before = 0;
    make(0);
    MPI_Win_fence(MPI_MODE_NOPUT, win);
    MPI_Put(a, 0, MPI_INT, next, 0, 0, MPI_INT, win);
    MPI_Fetch_and_op(&none, &before, MPI_INT, next, 1, MPI_NO_OP, win);
    done(0);
}

CASE(put_after_the_next_fence, 3, ok) {
    make(MPI_MODE_NOPUT);
    get();
    MPI_Win_fence(0, win);
    put(1);
    done(0);
}

/* Each rank offers its memory to the one before. */
static void offer(int stored, int assertions) {
    MPI_Comm_group(WORLD, &g);
    MPI_Group_incl(g, 1, &prev, &before);
    MPI_Group_incl(g, 1, &next, &after);
    MPI_Win_allocate(8 * sizeof(int), sizeof(int), MPI_INFO_NULL, WORLD, &mine, &win);
    if (stored)
        fill(mine);
    MPI_Win_post(before, assertions, win);
    MPI_Win_start(after, 0, win);
    get();
    MPI_Win_complete(win);
    MPI_Win_wait(win);
    MPI_Win_free(&win);
    MPI_Group_free(&g);
    MPI_Group_free(&before);
    MPI_Group_free(&after);
}

CASE(posted_after_stores, 3, ok) { offer(1, MPI_MODE_NOPUT); }
CASE(posted_without_stores, 3, ok) { offer(0, MPI_MODE_NOPUT | MPI_MODE_NOSTORE); }
CASE(posted_and_denied, 3, epoch-lifecycle) { offer(1, MPI_MODE_NOPUT | MPI_MODE_NOSTORE); }

CASE(locked_since, 3, ok) {
    make(0);
    fill(mine);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, win);
    mine[0]++;
    MPI_Win_unlock(rank, win);
    MPI_Win_fence(MPI_MODE_NOPRECEDE | MPI_MODE_NOSTORE, win);
    get();
    done(0);
}
