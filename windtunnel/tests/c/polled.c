/* Rank 0 polls a flag in its window with the calls that the first argument names, until rank 1 has raised it and put
   what it is for; with a second argument nobody raises it. */
#include <mpi.h>
#include <string.h>
#include <unistd.h>

static MPI_Win window;
static volatile int *memory;
static int turns;

static void flush(void) { MPI_Win_flush(0, window); }
static void flush_all(void) { MPI_Win_flush_all(window); }
static void flush_local(void) { MPI_Win_flush_local(0, window); }
static void flush_each(void) {
    MPI_Win_flush(0, window);
    MPI_Win_flush(1, window);
}
static void sync_and_flush(void) {
    MPI_Win_sync(window);
    MPI_Win_flush(0, window);
}
static void sleep_and_flush(void) {
    MPI_Win_sync(window);
    usleep(10 * ++turns);
    MPI_Win_flush(0, window);
}
static void probe(void) {
    int flag;
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
}
static void lock(void) {
    MPI_Win_unlock_all(window);
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, window);
    MPI_Win_unlock(0, window);
    MPI_Win_lock_all(0, window);
}
static void lock_unchecked(void) {
    MPI_Win_unlock_all(window);
    MPI_Win_lock_all(MPI_MODE_NOCHECK, window);
}
#define CASE(name) { #name, name }
static const struct { const char *name; void (*function)(void); } cases[] = {
    CASE(flush), CASE(flush_all), CASE(flush_local), CASE(flush_each), CASE(sync_and_flush), CASE(sleep_and_flush),
    CASE(probe), CASE(lock), CASE(lock_unchecked),
};

int main(int count, char **words) {
    int rank, one = 1, answer = 42, right = 1;
    MPI_Init(&count, &words);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(2 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, (void *) &memory, &window);
    memory[0] = memory[1] = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(0, window);
    if (rank == 0) {
        for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
            if (strcmp(cases[i].name, words[1]) == 0)
                while (memory[0] == 0) cases[i].function();
        right = memory[1] == answer;
    } else if (count < 3) {
        MPI_Put(&answer, 1, MPI_INT, 0, 1, 1, MPI_INT, window);
        MPI_Win_flush(0, window);
        MPI_Accumulate(&one, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_REPLACE, window);
        MPI_Win_flush(0, window);
    }
    MPI_Win_unlock_all(window);
    MPI_Win_free(&window);
    MPI_Finalize();
    return !right;
}
