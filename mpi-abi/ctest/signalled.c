/* Ways to be ended by a signal; the first argument chooses one, for rank 1. */
#define _GNU_SOURCE
#include "testing.h"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void nothing(int signal) { (void)signal; }
static void leave(int signal) { exit(signal); }

int main(int argc, char **argv) {
    int rank, ends[2];
    sigset_t all;
    char *block = malloc(100);
    MPI_Comm_rank(0, &rank);
    MPI_Barrier(0);
    if (rank != 1)
        return 0;
    switch (argv[argc - 1][0]) {
    case 'b':
        sigfillset(&all);
        sigprocmask(SIG_SETMASK, &all, NULL);
        *(volatile int *)8 = 1;
        break;
    case 'a':
        signal(SIGABRT, nothing);
        abort();
    case 'l':
        signal(SIGABRT, leave);
        free(block);
        /* The C library prints "free(): invalid pointer" and aborts. */
        free(argv[argc - 1] + 8);
        break;
    case 'p':
        if (pipe(ends) == 0)
            close(ends[0]);
        return (int)write(ends[1], "x", 1);
    case 's':
        signal(SIGSEGV, nothing);
        *(volatile int *)8 = 1;
        break;
    case 't':
        kill(getpid(), SIGTERM);
        break;
    case 'e':
        signal(SIGTERM, leave);
        kill(0, SIGTERM);
        break;
    case 'k':
        raise(SIGKILL);
    }
    return 0;
}
