/* The number of processors of rank 0, and an OpenACC loop if it is compiled so. */
#include "../mpi/check.h"
#ifdef _OPENMP
#include <omp.h>
#else
static int omp_get_num_procs(void) { return -1; }
#endif

int main(int argc, char **argv) {
    begin(&argc, &argv);
    int sum = 0;
#pragma acc parallel loop reduction(+ : sum)
    for (int i = 0; i < 10; i++)
        sum += i;
    CHECK(sum == 45);
    if (rank == 0)
        printf("processors %d\n", omp_get_num_procs());
    MPI_Finalize();
    return 0;
}
