/* A program with a profiling library over a profiling library. */
#include "testing.h"
#include <stdio.h>

int high(void);
int low(void);

int main(void) {
    MPI_Barrier(0);
    MPI_Barrier(0);
    MPI_Barrier(0);
    printf("%d %d\n", high(), low());
    return 0;
}
