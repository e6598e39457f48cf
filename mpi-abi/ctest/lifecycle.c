/* Beginning and end: constructors, exit handlers in reverse order, destructors, exit codes. */
#include "testing.h"
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int on_exit(void (*)(int, void *), void *);

static int begun;

__attribute__((constructor)) static void begin(void) { begun++; }
__attribute__((destructor)) static void finish(void) { puts("destructor"); }

static void first(void) { puts("first"); }
static void late(void) { puts("late"); }
static void second(void) {
    puts("second");
    atexit(late);
}
static void third(int code, void *name) { printf("%s %d\n", (char *)name, code); }

static void deep(int depth, int code) {
    char frame[256];
    memset(frame, depth, sizeof frame);
    if (depth == 0)
        exit(code);
    deep(depth - 1, code + frame[0] - depth);
}

int main(int argc, char **argv) {
    int rank;
    MPI_Comm_rank(0, &rank);
    if (begun != 1)
        return 99;
    atexit(first);
    atexit(second);
    on_exit(third, "third");
    MPI_Barrier(0);
    switch (argc > 1 ? argv[1][0] : 'm') {
    case 'd':
        deep(100, rank);
        break;
    case 'q':
        _exit(rank);
    case 'e':
        errx(rank + 2, "given up");
    case 'f':
        fputs("unfinished", stdout);
        fclose(stdout);
        exit(EXIT_FAILURE);
    }
    return rank + 1;
}
