/* The master thread writes a file from an array. Without the barrier another thread changes it meanwhile. */
#include <mpi.h>
#include <string.h>

static double values[64];

int main(int argc, char **argv) {
    int rank, level, waits = argc > 1 && !strcmp(argv[1], "waits");
    MPI_File file;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_File_open(MPI_COMM_WORLD, "values", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
#pragma omp parallel num_threads(3)
    {
#pragma omp master
        MPI_File_write_at_all(file, 512 * rank, values, 64, MPI_DOUBLE, MPI_STATUS_IGNORE); /* line 16 */
        if (waits) {
#pragma omp barrier
        }
#pragma omp for
        for (int i = 0; i < 64; i++) values[i] = i; /* line 21 */
    }
    MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
