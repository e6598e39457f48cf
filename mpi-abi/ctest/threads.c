/* OpenMP without OMP_NUM_THREADS: one thread per rank. */
#include "testing.h"
#include <omp.h>
#include <stdio.h>

int main(void) {
    int rank, sum = 0, threads = 0;
    MPI_Comm_rank(0, &rank);
#pragma omp parallel reduction(+ : sum)
    {
#pragma omp single
        threads = omp_get_num_threads();
#pragma omp for
        for (int i = 0; i < 10; i++)
            sum += rank;
    }
    MPI_Barrier(0);
    printf("%d %d\n", sum, threads);
    return 0;
}
