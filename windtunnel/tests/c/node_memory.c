/* Windows in memory that ranks share, without epochs of fences: the first argument names what is done with it. */
#include <mpi.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CELLS = 64, STEPS = 3 };

struct part {
    double cells[CELLS];
    volatile int flag, turn;
    _Atomic int ready, lock, count;
    int word; volatile int answer;
    pthread_mutex_t mutex;
    pthread_barrier_t barrier;
};

static int rank, size, left, right;
static MPI_Win window;
static struct part *parts[64];
#define MINE parts[rank]

static void expect(int condition) {
    if (!condition) MPI_Abort(MPI_COMM_WORLD, 3);
}
static void meet(void) {
    MPI_Win_sync(window);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_sync(window);
}
static void fill(int value) {
    for (int i = 0; i < CELLS; i++) MINE->cells[i] = value + i;
}
static double sum(const struct part *of) {
    double total = 0;
    for (int i = 0; i < CELLS; i++) total += of->cells[i];
    return total;
}

/* Right. */
static void barrier(void) { fill(rank); meet(); expect(sum(parts[left]) == CELLS * left + 2016); meet(); fill(0); }
static void words(void) {
    for (int step = 0; step < STEPS; step++) {
        MINE->word = rank + step;
        meet();
        expect(parts[left]->word == left + step);
        meet();
    }
}
static void plain_barrier(void) { MINE->word = rank; MPI_Barrier(MPI_COMM_WORLD); expect(parts[left]->word == left); MPI_Barrier(MPI_COMM_WORLD); MINE->word = 0; }
static void flag(void) {
    MINE->flag = 0;
    meet();
    if (rank == 0) { fill(7); MPI_Win_sync(window); MINE->flag = 1; MPI_Win_sync(window); }
    else { while (!parts[0]->flag) MPI_Win_sync(window); MPI_Win_sync(window); expect(sum(parts[0]) == CELLS * 7 + 2016); }
}
static void token(void) {
    int nothing = 0;
    if (rank == 0) { fill(7); MPI_Win_sync(window); for (int to = 1; to < size; to++) MPI_Send(&nothing, 1, MPI_INT, to, 0, MPI_COMM_WORLD); }
    else { MPI_Recv(&nothing, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); MPI_Win_sync(window); expect(sum(parts[0]) > 0); }
}
static void yields(void) {
    if (rank == 0) { fill(7); atomic_store(&MINE->ready, 1); }
    else { while (!atomic_load(&parts[0]->ready)) sched_yield(); expect(sum(parts[0]) > 0); }
}
static void sleeps(void) {
    if (rank == 0) { fill(7); MINE->flag = 1; }
    else { while (!parts[0]->flag) usleep(10); expect(sum(parts[0]) > 0); }
    meet();
    if (rank == 0) { MINE->flag = 0; usleep(100); fill(3); MINE->turn = 1; }
    else { while (!parts[0]->turn) usleep(7); expect(sum(parts[0]) > 0); }
}
static void spins(void) {
    if (rank == 0) { fill(7); MINE->flag = 1; while (parts[0]->answer < size - 1); fill(8); }
    else { while (!parts[0]->flag); expect(sum(parts[0]) > 0); __atomic_fetch_add(&parts[0]->answer, 1, __ATOMIC_SEQ_CST); }
}
static void counter(void) {
    for (int step = 0; step < STEPS; step++) atomic_fetch_add(&parts[0]->count, 1);
    meet();
    expect(parts[0]->count == STEPS * size);
}
static void own_barrier(void) {
    for (int step = 1; step <= STEPS; step++) {
        fill(step);
        atomic_fetch_add(&parts[0]->count, 1);
        while (atomic_load(&parts[0]->count) < size * (2 * step - 1)) MPI_Win_sync(window);
        expect(sum(parts[left]) == CELLS * step + 2016);
        atomic_fetch_add(&parts[0]->count, 1);
        while (atomic_load(&parts[0]->count) < size * 2 * step) sched_yield();
    }
}
static void spin_lock(void) {
    for (int step = 0; step < STEPS; step++) {
        while (atomic_exchange(&parts[0]->lock, 1)) sched_yield();
        parts[0]->word++;
        MPI_Win_sync(window);
        parts[0]->cells[step]++;
        atomic_store_explicit(&parts[0]->lock, 0, memory_order_release);
    }
    meet();
    expect(parts[0]->word == STEPS * size);
}
static void mutex(void) {
    if (rank == 0) {
        pthread_mutexattr_t shared;
        pthread_mutexattr_init(&shared);
        pthread_mutexattr_setpshared(&shared, PTHREAD_PROCESS_SHARED);
        pthread_mutex_init(&MINE->mutex, &shared);
    }
    meet();
    for (int step = 0; step < STEPS; step++) {
        pthread_mutex_lock(&parts[0]->mutex);
        int before = parts[0]->word;
        fill(parts[0]->word);
        for (int i = 0; i < CELLS; i++) parts[0]->cells[i] += 1;
        parts[0]->word = before + 1;
        pthread_mutex_unlock(&parts[0]->mutex);
    }
    meet();
    expect(parts[0]->word == STEPS * size);
}
static void exclusive(void) {
    MPI_Win_unlock_all(window);
    for (int step = 0; step < STEPS; step++) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window);
        for (int i = 0; i < CELLS; i++) parts[1]->cells[i] += 1;
        parts[1]->word++;
        MPI_Win_unlock(0, window);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    expect(parts[1]->word == STEPS * size);
    MPI_Win_lock_all(0, window);
}
static void peterson(void) {
    if (rank < 2) for (int step = 0; step < STEPS; step++) {
        MINE->flag = 1;
        parts[0]->turn = 1 - rank;
        MPI_Win_sync(window);
        while (parts[1 - rank]->flag && parts[0]->turn == 1 - rank) MPI_Win_sync(window);
        parts[0]->word++;
        MPI_Win_sync(window);
        for (int i = 0; i < CELLS; i++) parts[0]->cells[i] += 1;
        MINE->flag = 0;
        MPI_Win_sync(window);
    }
    meet();
    expect(parts[0]->word == 2 * STEPS);
}
static void ring_buffer(void) {
    if (rank == 0) for (int i = 0; i < 20; i++) {
        while (parts[1]->flag < i - 3) MPI_Win_sync(window);
        parts[0]->cells[i % 4] = i;
        MPI_Win_sync(window);
        parts[0]->flag = i + 1;
    }
    if (rank == 1) for (int i = 0; i < 20; i++) {
        while (parts[0]->flag <= i) MPI_Win_sync(window);
        expect(parts[0]->cells[i % 4] == i);
        MPI_Win_sync(window);
        parts[1]->flag = i + 1;
    }
}
static void message_loop(void) {
    MPI_Request request;
    int done = 0;
    if (rank == 0) { fill(4); MPI_Ibarrier(MPI_COMM_WORLD, &request); MPI_Wait(&request, MPI_STATUS_IGNORE); }
    else {
        MPI_Ibarrier(MPI_COMM_WORLD, &request);
        while (!done) MPI_Test(&request, &done, MPI_STATUS_IGNORE);
        expect(sum(parts[0]) > 0);
    }
}
static void leader(void) {
    if (rank == 0) for (int i = 0; i < CELLS; i++) MINE->cells[i] = 3;
    MPI_Bcast(parts[0]->cells, rank == 0 ? CELLS : 0, MPI_DOUBLE, 0, MPI_COMM_SELF);
    meet();
    expect(parts[0]->cells[5] == 3);
}
/* Each cell becomes the mean of its neighbours, those of other ranks among them. */
static void step_halo(int apart) {
    for (int step = 0; step < STEPS; step++) {
        double next[CELLS];
        next[0] = (parts[left]->cells[CELLS - 1] + MINE->cells[1]) / 2;
        for (int i = 1; i < CELLS - 1; i++) next[i] = (MINE->cells[i - 1] + MINE->cells[i + 1]) / 2;
        next[CELLS - 1] = (MINE->cells[CELLS - 2] + parts[right]->cells[0]) / 2;
        if (apart) meet();
        memcpy(MINE->cells, next, sizeof next);
        meet();
    }
}
static void halo(void) { fill(rank); meet(); step_halo(1); }
static void flag_after_sleep(void) {
    if (rank == 0) { usleep(1000); MINE->flag = 1; while (MINE->answer < size - 1); }
    else { while (!parts[0]->flag); __atomic_fetch_add(&parts[0]->answer, 1, __ATOMIC_SEQ_CST); }
}
/* Wrong. */
static void halo_not_apart(void) { fill(rank); meet(); step_halo(0); }
static void no_barrier(void) { fill(rank); MPI_Win_sync(window); MPI_Win_sync(window); expect(sum(parts[left]) >= 0); }
static void no_barrier_words(void) { MINE->word = rank; MPI_Win_sync(window); MPI_Win_sync(window); expect(parts[left]->word >= 0); }
static void barrier_too_early(void) { meet(); fill(rank); expect(sum(parts[right]) >= 0); }
static void second_barrier(void) {
    for (int step = 0; step < STEPS; step++) {
        fill(rank + step);
        meet();
        expect(sum(parts[left]) >= 0);
    }
}
static void second_barrier_words(void) {
    for (int step = 0; step < STEPS; step++) {
        MINE->word = rank + step;
        meet();
        expect(parts[left]->word >= left);
    }
}
static void all_store(void) { for (int i = 0; i < CELLS; i++) parts[0]->cells[i] = rank; meet(); }
static void plain_counter(void) { parts[0]->word++; meet(); }
static void flag_first(void) {
    if (rank == 0) { MINE->flag = 1; MPI_Win_sync(window); fill(7); MPI_Win_sync(window); }
    else { while (!parts[0]->flag) MPI_Win_sync(window); MPI_Win_sync(window); expect(sum(parts[0]) >= 0); }
}
static void token_first(void) {
    int nothing = 0;
    if (rank == 0) { for (int to = 1; to < size; to++) MPI_Send(&nothing, 1, MPI_INT, to, 0, MPI_COMM_WORLD); fill(7); }
    else { MPI_Recv(&nothing, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); expect(sum(parts[0]) >= 0); }
}
static void received(void) {
    double data[CELLS] = {0};
    if (rank == 1) MPI_Send(data, CELLS, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);
    if (rank == 0) MPI_Recv(MINE->cells, CELLS, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 2) expect(sum(parts[0]) >= 0);
}
static const struct { const char *name; void (*run)(void); int free_of_epochs; } CASES[] = {
    {"barrier", barrier, 0}, {"barrier_without_epoch", barrier, 1}, {"words", words, 0}, {"plain_barrier", plain_barrier, 1},
    {"flag", flag, 0}, {"token", token, 0}, {"yields", yields, 0}, {"sleeps", sleeps, 0}, {"spins", spins, 0}, {"counter", counter, 0},
    {"own_barrier", own_barrier, 0}, {"spin_lock", spin_lock, 0}, {"mutex", mutex, 0}, {"exclusive", exclusive, 0}, {"peterson", peterson, 0},
    {"ring_buffer", ring_buffer, 0}, {"message_loop", message_loop, 0}, {"leader", leader, 0}, {"halo", halo, 0}, {"flag_after_sleep", flag_after_sleep, 0},
    {"no_barrier", no_barrier, 0}, {"no_barrier_words", no_barrier_words, 0}, {"no_barrier_without_epoch", no_barrier, 1}, {"barrier_too_early", barrier_too_early, 0},
    {"second_barrier", second_barrier, 0}, {"second_barrier_words", second_barrier_words, 0}, {"all_store", all_store, 0}, {"plain_counter", plain_counter, 0}, {"flag_first", flag_first, 0},
    {"token_first", token_first, 0}, {"received", received, 0}, {"halo_not_apart", halo_not_apart, 0},
};

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    left = (rank + size - 1) % size;
    right = (rank + 1) % size;
    MPI_Win_allocate_shared(sizeof(struct part), 1, MPI_INFO_NULL, MPI_COMM_WORLD, &MINE, &window);
    for (int other = 0; other < size; other++) {
        MPI_Aint bytes;
        int unit;
        MPI_Win_shared_query(window, other, &bytes, &unit, &parts[other]);
    }
    int found = 0;
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        if (argc < 2 || strcmp(argv[1], CASES[i].name)) continue;
        found = 1;
        if (!CASES[i].free_of_epochs) MPI_Win_lock_all(0, window);
        MPI_Barrier(MPI_COMM_WORLD);
        CASES[i].run();
        if (!CASES[i].free_of_epochs) MPI_Win_unlock_all(window);
    }
    expect(found);
    MPI_Win_free(&window);
    MPI_Finalize();
    return 0;
}
