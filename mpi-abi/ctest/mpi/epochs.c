/* Synchronisation of windows as programs use it: halos by fences and by groups, a counter, a mutex, a
   queue, a table spread over all ranks, a list that grows, work that is stolen. */
#include "check.h"

#define W MPI_COMM_WORLD
enum { CELLS = 6, STEPS = 5 };

static int next, before;

/* A sum over three cells, by message in one array and by window in two that take turns. */
static void halos(int by_groups) {
    long *cells[2], plain[CELLS + 2], left, right;
    MPI_Win wins[2];
    MPI_Group all, sides;
    int ranks[2] = {before, next}, count = before == next ? 1 : 2;
    MPI_Comm_group(W, &all);
    MPI_Group_incl(all, count, ranks, &sides);
    for (int i = 0; i < 2; i++)
        MPI_Win_allocate((CELLS + 2) * sizeof(long), sizeof(long), MPI_INFO_NULL, W, &cells[i], &wins[i]);
    for (int i = 1; i <= CELLS; i++) cells[0][i] = plain[i] = 10 * rank + i;
    if (!by_groups) MPI_Win_fence(MPI_MODE_NOPRECEDE, wins[0]), MPI_Win_fence(MPI_MODE_NOPRECEDE, wins[1]);
    for (int step = 0; step < STEPS; step++) {
        long *now = cells[step % 2], *then = cells[1 - step % 2];
        MPI_Win win = wins[step % 2];
        if (by_groups) MPI_Win_post(sides, 0, win), MPI_Win_start(sides, 0, win);
        MPI_Put(&now[1], 1, MPI_LONG, before, CELLS + 1, 1, MPI_LONG, win);
        MPI_Put(&now[CELLS], 1, MPI_LONG, next, 0, 1, MPI_LONG, win);
        if (by_groups) MPI_Win_complete(win), MPI_Win_wait(win);
        else MPI_Win_fence(0, win);
        MPI_Sendrecv(&plain[1], 1, MPI_LONG, before, 1, &right, 1, MPI_LONG, next, 1, W, MPI_STATUS_IGNORE);
        MPI_Sendrecv(&plain[CELLS], 1, MPI_LONG, next, 2, &left, 1, MPI_LONG, before, 2, W,
                     MPI_STATUS_IGNORE);
        plain[0] = left, plain[CELLS + 1] = right;
        long fresh[CELLS + 2];
        for (int i = 1; i <= CELLS; i++) {
            then[i] = now[i - 1] + now[i] + now[i + 1];
            fresh[i] = plain[i - 1] + plain[i] + plain[i + 1];
            CHECK(then[i] == fresh[i]);
        }
        memcpy(&plain[1], &fresh[1], CELLS * sizeof(long));
    }
    MPI_Group_free(&all), MPI_Group_free(&sides);
    MPI_Win_free(&wins[0]), MPI_Win_free(&wins[1]);
}

/* A test instead of a wait, and epochs with an empty group. */
static void tested(void) {
    int value = -1, flag = 0;
    MPI_Win win;
    MPI_Group all, one;
    MPI_Comm_group(W, &all);
    MPI_Win_create(&value, sizeof value, 1, MPI_INFO_NULL, W, &win);
    if (rank == 0) {
        MPI_Group_excl(all, 1, &rank, &one);
        CHECK(MPI_Win_post(one, MPI_MODE_NOSTORE, win) == MPI_SUCCESS);
        while (!flag) CHECK(MPI_Win_test(win, &flag) == MPI_SUCCESS);
        CHECK(size == 1 || value == 40 + size - 1);
    } else {
        int zero = 0, mine = 40 + rank;
        MPI_Group_incl(all, 1, &zero, &one);
        CHECK(MPI_Win_start(one, 0, win) == MPI_SUCCESS);
        if (rank == size - 1) MPI_Put(&mine, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
        CHECK(MPI_Win_complete(win) == MPI_SUCCESS);
    }
    MPI_Win_start(MPI_GROUP_EMPTY, 0, win), MPI_Win_complete(win);
    MPI_Win_post(MPI_GROUP_EMPTY, 0, win), MPI_Win_wait(win);
    if (one != MPI_GROUP_EMPTY) MPI_Group_free(&one);
    MPI_Group_free(&all);
    MPI_Win_free(&win);
}

/* Numbers are drawn once each, and a sum under an exclusive lock loses nothing. */
static void counter_and_mutex(void) {
    long *place, one = 1, drawn, mine = 0, all, value;
    MPI_Win win;
    MPI_Win_allocate(rank ? 0 : 2 * sizeof(long), sizeof(long), MPI_INFO_NULL, W, &place, &win);
    if (rank == 0) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
        place[0] = place[1] = 0;
        MPI_Win_unlock(0, win);
    }
    MPI_Barrier(W);
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
    for (int i = 0; i < 5; i++) {
        MPI_Fetch_and_op(&one, &drawn, MPI_LONG, 0, 0, MPI_SUM, win);
        MPI_Win_flush(0, win);
        mine += drawn;
    }
    MPI_Win_unlock(0, win);
    MPI_Allreduce(&mine, &all, 1, MPI_LONG, MPI_SUM, W);
    CHECK(all == 5L * size * (5L * size - 1) / 2);
    for (int i = 0; i < 3; i++) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
        MPI_Get(&value, 1, MPI_LONG, 0, 1, 1, MPI_LONG, win);
        MPI_Win_flush(0, win);
        value += rank + 1;
        MPI_Put(&value, 1, MPI_LONG, 0, 1, 1, MPI_LONG, win);
        MPI_Win_unlock(0, win);
    }
    MPI_Barrier(W);
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
    MPI_Get(&value, 1, MPI_LONG, 0, 1, 1, MPI_LONG, win);
    MPI_Win_unlock(0, win);
    CHECK(value == 3L * size * (size + 1) / 2);
    MPI_Win_free(&win);
}

/* A spin lock of compare-and-swap around memory that is read and written. */
static void spin_lock(void) {
    int *place, free_now = 0, taken = 1, found, value;
    MPI_Win win;
    MPI_Win_allocate(rank ? 0 : 2 * sizeof(int), sizeof(int), MPI_INFO_NULL, W, &place, &win);
    MPI_Win_lock_all(0, win);
    if (rank == 0) place[0] = place[1] = 0, MPI_Win_sync(win);
    MPI_Barrier(W);
    for (int i = 0; i < 3; i++) {
        do {
            MPI_Compare_and_swap(&taken, &free_now, &found, MPI_INT, 0, 0, win);
            MPI_Win_flush(0, win);
        } while (found != free_now);
        MPI_Get(&value, 1, MPI_INT, 0, 1, 1, MPI_INT, win);
        MPI_Win_flush(0, win);
        value++;
        MPI_Put(&value, 1, MPI_INT, 0, 1, 1, MPI_INT, win);
        MPI_Win_flush(0, win);
        MPI_Accumulate(&free_now, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_REPLACE, win);
        MPI_Win_flush(0, win);
    }
    MPI_Win_unlock_all(win);
    MPI_Barrier(W);
    CHECK(rank || place[1] == 3 * size);
    MPI_Win_free(&win);
}

/* A table of keys by open addressing, spread over all ranks. */
static void table(void) {
    enum { SLOTS = 16, EACH = 4 };
    long *slots, empty = 0;
    MPI_Win win;
    MPI_Win_allocate(SLOTS * sizeof(long), sizeof(long), MPI_INFO_NULL, W, &slots, &win);
    MPI_Win_lock_all(0, win);
    for (int i = 0; i < SLOTS; i++) slots[i] = 0;
    MPI_Win_sync(win);
    MPI_Barrier(W);
    for (int i = 0; i < EACH; i++) {
        long key = 1 + rank * EACH + i, at = key * 7919 % (SLOTS * size), found = -1;
        for (;; at = (at + 1) % (SLOTS * size)) {
            MPI_Compare_and_swap(&key, &empty, &found, MPI_LONG, at / SLOTS, at % SLOTS, win);
            MPI_Win_flush(at / SLOTS, win);
            if (found == empty) break;
        }
    }
    MPI_Barrier(W);
    long mine = 0, all, total = (long)EACH * size;
    for (int i = 0; i < SLOTS; i++) {
        long key;
        MPI_Fetch_and_op(NULL, &key, MPI_LONG, rank, i, MPI_NO_OP, win);
        MPI_Win_flush(rank, win);
        mine += key;
    }
    MPI_Win_unlock_all(win);
    MPI_Allreduce(&mine, &all, 1, MPI_LONG, MPI_SUM, W);
    CHECK(all == total * (total + 1) / 2);
    MPI_Win_free(&win);
}

/* A list to whose end every rank adds elements, in memory that it attaches meanwhile: the end is found by
   following the elements, and the first one to swap its place in wins. */
static void list(void) {
    enum { EACH = 2 };
    typedef struct {
        long next; /* The number of the next element, 0 at the end. */
        long value;
    } Node;
    Node nodes[EACH + 1];
    MPI_Aint mine, *places = malloc(size * sizeof *places);
    long none = 0, found, sum = 0;
    MPI_Win win;
    MPI_Win_create_dynamic(MPI_INFO_NULL, W, &win);
    memset(nodes, 0, sizeof nodes);
    MPI_Get_address(nodes, &mine);
    MPI_Allgather(&mine, 1, MPI_AINT, places, 1, MPI_AINT, W);
    if (rank == 0) MPI_Win_attach(win, &nodes[0], sizeof *nodes);
    MPI_Win_lock_all(0, win);
    MPI_Barrier(W);
    for (int i = 1; i <= EACH; i++) {
        nodes[i].value = 100 * rank + i;
        MPI_Win_attach(win, &nodes[i], sizeof *nodes);
        MPI_Win_sync(win);
        long element = 1 + rank * EACH + i - 1, at = 0;
        do {
            int owner = at ? (at - 1) / EACH : 0, index = at ? (at - 1) % EACH + 1 : 0;
            MPI_Compare_and_swap(&element, &none, &found, MPI_LONG, owner,
                                 places[owner] + index * sizeof(Node), win);
            MPI_Win_flush(owner, win);
            at = found;
        } while (found != none);
    }
    MPI_Win_unlock_all(win);
    MPI_Barrier(W);
    MPI_Win_lock_all(0, win);
    for (long at = 0, count = 0;; count++) {
        Node node;
        int owner = at ? (at - 1) / EACH : 0, index = at ? (at - 1) % EACH + 1 : 0;
        MPI_Get(&node, 2, MPI_LONG, owner, places[owner] + index * sizeof(Node), 2, MPI_LONG, win);
        MPI_Win_flush(owner, win);
        sum += node.value;
        at = node.next;
        if (!at) {
            CHECK(count == (long)EACH * size);
            break;
        }
    }
    MPI_Win_unlock_all(win);
    CHECK(sum == 100L * EACH * size * (size - 1) / 2 + (long)size * EACH * (EACH + 1) / 2);
    MPI_Barrier(W);
    for (int i = rank ? 1 : 0; i <= EACH; i++) MPI_Win_detach(win, &nodes[i]);
    MPI_Win_free(&win);
    free(places);
}

/* Tasks are taken from the own queue, and from those of others when it is empty. */
static void stealing(void) {
    enum { TASKS = 6 };
    int *taken, one = 1, task, done = 0, all, tasks = rank % 2 ? 0 : TASKS;
    int *each = malloc(size * sizeof *each);
    MPI_Win win;
    MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, W, &taken, &win);
    *taken = 0;
    MPI_Allgather(&tasks, 1, MPI_INT, each, 1, MPI_INT, W);
    MPI_Win_lock_all(0, win);
    for (int k = 0; k < size; k++) {
        int victim = (rank + k) % size;
        for (;;) {
            MPI_Fetch_and_op(&one, &task, MPI_INT, victim, 0, MPI_SUM, win);
            MPI_Win_flush(victim, win);
            if (task >= each[victim]) break;
            done++;
            windtunnel_compute(1e-6 * (1 + task));
        }
    }
    MPI_Win_unlock_all(win);
    MPI_Allreduce(&done, &all, 1, MPI_INT, MPI_SUM, W);
    CHECK(all == TASKS * ((size + 1) / 2));
    MPI_Win_free(&win);
    free(each);
}

int main(int argc, char **argv) {
    begin(&argc, &argv);
    next = (rank + 1) % size, before = (rank + size - 1) % size;
    halos(0);
    halos(1);
    tested();
    counter_and_mutex();
    spin_lock();
    table();
    list();
    stealing();
    MPI_Finalize();
    return 0;
}
