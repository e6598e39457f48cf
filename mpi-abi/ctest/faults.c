/* Ways to be struck by a signal; the first argument chooses one, for rank 1. */
#include "testing.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static volatile int zero;

__attribute__((noinline)) static void store(int *place) {
    *place = 1; /* line 10 */
}

__attribute__((noinline)) static int divide(int x) {
    return x / zero; /* line 14 */
}

__attribute__((noinline)) static int deep(int x) {
    volatile char frame[10000];
    frame[x % 100] = (char)x;
    return deep(x + 1) + frame[x % 100];
}

__attribute__((noinline)) static int wide(int rank) {
    volatile char frame[3 << 20];
    frame[rank] = 1;
    return frame[rank] + frame[100];
}

int main(int argc, char **argv) {
    int rank;
    char *block = malloc(100);
    MPI_Comm_rank(0, &rank);
    puts("begun");
    printf("unfinished");
    MPI_Barrier(0);
    if (rank != 1)
        return 0;
    switch (argv[argc - 1][0]) {
    case 's':
        store((int *)8);
        break;
    case 'z':
        return divide(rank);
    case 'd':
        return deep(0);
    case 'w':
        return wide(rank);
    case 'f':
        free(block);
        free(argv[argc - 1] + 8);
    }
    return 0;
}
