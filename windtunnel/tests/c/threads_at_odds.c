/* Threads of a rank that hinder each other: the argument says how. */
#include <mpi.h>
#include <omp.h>
#include <string.h>

static int one = 1, sum;
static omp_lock_t lock;

/* All threads call a collective operation at the same time, from the same buffers. */
static void together(void)
{
#pragma omp parallel num_threads(3)
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

/* A thread takes a lock again instead of releasing it. */
static void relocks(void)
{
    omp_init_lock(&lock);
#pragma omp parallel num_threads(3)
    {
        omp_set_lock(&lock);
        sum++;
        omp_set_lock(&lock);
    }
}

int main(int argc, char **argv)
{
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (argc > 1 && !strcmp(argv[1], "together")) together();
    if (argc > 1 && !strcmp(argv[1], "relocks")) relocks();
    MPI_Finalize();
    return 0;
}
