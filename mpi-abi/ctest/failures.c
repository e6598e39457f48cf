/* Ways to fail; the first argument chooses one, for rank 1. */
#include "testing.h"
#include <assert.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Comm_rank(0, &rank);
    MPI_Barrier(0);
    if (rank != 1)
        return 0;
    switch (argv[argc - 1][0]) {
    case 'a':
        abort();
    case 'r':
        raise(SIGTERM);
        break;
    case 'c':
        assert(rank == 0 && "rank zero");
        break;
    case 'f':
        return fork();
    }
    return 0;
}
