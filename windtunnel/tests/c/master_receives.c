/* The master thread receives for all threads of a region. Without the barrier the others read meanwhile. */
#include <mpi.h>
#include <omp.h>
#include <string.h>

static double values[64];

int main(int argc, char **argv) {
    double sum = 0, wanted = 0;
    int rank, level;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int waits = argc > 1 && !strcmp(argv[1], "waits");
    for (int i = 0; i < 64; i++) {
        if (rank == 1) values[i] = i;
        wanted += i;
    }
#pragma omp parallel reduction(+ : sum)
    {
        double own = 1;
#pragma omp master
        {
            if (rank == 0) MPI_Recv(values, 64, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* line 23 */
            if (rank == 1) MPI_Send(values, 64, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);
            MPI_Allreduce(MPI_IN_PLACE, &own, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        }
        if (waits) {
#pragma omp barrier
        }
#pragma omp for
        for (int i = 0; i < 64; i++) sum += values[i]; /* line 31 */
    }
    if (waits && rank < 2 && sum != wanted) MPI_Abort(MPI_COMM_WORLD, 2);
    MPI_Finalize();
    return 0;
}
