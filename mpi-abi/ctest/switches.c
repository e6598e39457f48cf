/* A measurement: touches 1 KB of globals between calls. */
#include "testing.h"
#include <stdlib.h>

static volatile long values[128];

int main(int argc, char **argv) {
    int rounds = atoi(argv[argc - 1]);
    for (int round = 0; round < rounds; round++) {
        for (int i = 0; i < 128; i += 8)
            values[i]++;
        MPI_Probe_nothing(0);
    }
    return values[0] != rounds;
}
