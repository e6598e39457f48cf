/* Rank 1 accesses memory that it may not access, in the way that its argument says. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct cell {
    int count;
    double *values;
};

static int table[100];
const double limits[4] = {1, 2, 3, 4};

static void fill(volatile int *into, int step) {
    for (int i = 0; i < 1000000; i++) into[i * step] = i; /* out of bounds */
}

static int deep(int x) {
    volatile char frame[1000];
    frame[0] = (char)x; /* too deep */
    return x < 0 ? 0 : deep(x + 1) + frame[0];
}

__attribute__((noinline, no_stack_protector)) static void overruns(size_t bytes) {
    char name[8];
    memset(name, 'x', bytes);
    printf("%.1s\n", name);
} /* overwritten */

int main(int argc, char **argv) {
    int rank;
    const char *how = argv[argc - 1];
    struct cell cell = {1, NULL};
    volatile int zero = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1) {
        if (!strcmp(how, "null")) cell.values[3] = 1;
        if (!strcmp(how, "beyond")) fill(table, 1000); /* the call */
        if (!strcmp(how, "literal")) ((char *)"hello")[0] = 'x';
        if (!strcmp(how, "constant")) ((volatile double *)limits)[1] = 5;
        if (!strcmp(how, "deep")) printf("%d\n", deep(1));
        if (!strcmp(how, "abort")) abort(); /* gives up */
        if (!strcmp(how, "call")) ((void (*)(void))cell.values)();
        if (!strcmp(how, "overrun")) overruns(200);
        if (!strcmp(how, "copy")) printf("%d\n", (int)fork()); /* one more */
        if (!strcmp(how, "divide")) printf("%d\n", 5 / zero);
    }
    MPI_Finalize();
    return 0;
}
