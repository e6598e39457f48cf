/* One megabyte of globals, all of it written. */
#include "testing.h"

static double values[1 << 17] = {1};

int main(void) {
    int rank;
    MPI_Comm_rank(0, &rank);
    for (int i = 0; i < 1 << 17; i++)
        values[i] += rank;
    MPI_Barrier(0);
    double sum = 0;
    for (int i = 0; i < 1 << 17; i++)
        sum += values[i];
    return sum != 1 + (double)rank * (1 << 17);
}
