/* Windows in memory that ranks share: the first argument names what is done with it. */
#include <mpi.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { CELLS = 64 };

static int rank, size;
static MPI_Win window;
static int *mine, *left, *right;

static int *part_of(int other) {
    MPI_Aint bytes;
    int unit, *part;
    MPI_Win_shared_query(window, other, &bytes, &unit, &part);
    return part;
}

static void expect(int condition) {
    if (!condition) MPI_Abort(MPI_COMM_WORLD, 3);
}

static void fill(int value) {
    for (int i = 0; i < CELLS; i++) mine[i] = value + i;
}

static void halo(int fenced) {
    MPI_Win_fence(0, window);
    fill(rank);
    if (fenced) MPI_Win_fence(0, window);
    int sum = left[CELLS - 1] + right[0];
    MPI_Win_fence(0, window);
    mine[0] = sum;
    MPI_Win_fence(MPI_MODE_NOSUCCEED, window);
}

/* A barrier and the synchronisation of memory order as well as a fence does. */
static void barrier(void) {
    MPI_Win_fence(0, window);
    fill(rank);
    MPI_Win_sync(window);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_sync(window);
    expect(left[0] == (rank + size - 1) % size);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, window);
}

/* The ranks wait for each other by words of the memory itself. */
static void flags(void) {
    MPI_Win_lock_all(0, window);
    mine[0] = mine[1] = 0;
    MPI_Win_sync(window);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_sync(window);
    if (rank > 0) {
        while (!atomic_load((_Atomic int *)mine)) MPI_Win_sync(window);
        MPI_Win_sync(window);
        expect(mine[1] == rank);
    }
    if (rank + 1 < size) {
        right[1] = rank + 1;
        MPI_Win_sync(window);
        atomic_store((_Atomic int *)right, 1);
    }
    MPI_Win_unlock_all(window);
}

/* The target loads what another rank puts. */
static void put(int early) {
    int value = rank + 7;
    MPI_Win_fence(0, window);
    MPI_Put(&value, 1, MPI_INT, (rank + 1) % size, 5, 1, MPI_INT, window);
    if (early) expect(mine[5] >= 0);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, window);
    expect(mine[5] == (rank + size - 1) % size + 7);
}

/* Two ranks store to the memory of rank 0. */
static void stores(int apart) {
    int *first = part_of(0);
    MPI_Win_fence(0, window);
    if (rank == 1) first[3] = 1;
    if (apart) MPI_Win_fence(0, window);
    if (rank == 2) first[apart ? 3 : 2] = 2;
    if (rank == 2 && !apart) first[3] = 2;
    MPI_Win_fence(MPI_MODE_NOSUCCEED, window);
}

int main(int argc, char **argv) {
    const char *what = argc > 1 ? argv[1] : "";
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Win_allocate_shared(CELLS * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &mine, &window);
    left = part_of((rank + size - 1) % size);
    right = part_of((rank + 1) % size);
    if (!strcmp(what, "halo")) halo(1);
    else if (!strcmp(what, "halo_without_fence")) halo(0);
    else if (!strcmp(what, "barrier")) barrier();
    else if (!strcmp(what, "flags")) flags();
    else if (!strcmp(what, "put")) put(0);
    else if (!strcmp(what, "put_and_load")) put(1);
    else if (!strcmp(what, "stores_apart")) stores(1);
    else if (!strcmp(what, "stores")) stores(0);
    else expect(0);
    MPI_Win_free(&window);
    MPI_Finalize();
    return 0;
}
