/* Heat in a plate: rows are divided among ranks, which exchange halos, and those of a rank among its
   threads. The result is the same on any number of ranks and threads. Arguments: threads, schedule and
   chunk. */
#include "../mpi/check.h"
#include <math.h>
#include <omp.h>

enum { ROWS = 48, COLUMNS = 32, STEPS = 20 };

static double now[ROWS + 2][COLUMNS], next[ROWS + 2][COLUMNS];

int main(int argc, char **argv) {
    int level;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    CHECK(level >= MPI_THREAD_FUNNELED);
    if (argc > 1)
        omp_set_num_threads(atoi(argv[1]));
    if (argc > 2)
        omp_set_schedule(atoi(argv[2]), argc > 3 ? atoi(argv[3]) : 0);
    int first = ROWS * rank / size, rows = ROWS * (rank + 1) / size - first;
    int up = rank > 0 ? rank - 1 : MPI_PROC_NULL, down = rank + 1 < size ? rank + 1 : MPI_PROC_NULL;
    for (int i = 1; i <= rows; i++)
        for (int j = 0; j < COLUMNS; j++)
            now[i][j] = (first + i) * 7 % 13 + j;
    double change = 0;
#pragma omp parallel
    for (int step = 0; step < STEPS; step++) {
#pragma omp master
        {
            MPI_Request requests[4];
            MPI_Irecv(now[0], COLUMNS, MPI_DOUBLE, up, 1, MPI_COMM_WORLD, &requests[0]);
            MPI_Irecv(now[rows + 1], COLUMNS, MPI_DOUBLE, down, 2, MPI_COMM_WORLD, &requests[1]);
            MPI_Isend(now[1], COLUMNS, MPI_DOUBLE, up, 2, MPI_COMM_WORLD, &requests[2]);
            MPI_Isend(now[rows], COLUMNS, MPI_DOUBLE, down, 1, MPI_COMM_WORLD, &requests[3]);
            MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
            change = 0;
        }
#pragma omp barrier
#pragma omp for reduction(max : change) schedule(runtime)
        for (int i = 1; i <= rows; i++) {
            for (int j = 0; j < COLUMNS; j++) {
                double left = now[i][j ? j - 1 : j], right = now[i][j + 1 < COLUMNS ? j + 1 : j];
                double above = first + i > 1 ? now[i - 1][j] : now[i][j];
                double below = first + i < ROWS ? now[i + 1][j] : now[i][j];
                next[i][j] = now[i][j] + 0.1 * (left + right + above + below - 4 * now[i][j]);
                change = fmax(change, fabs(next[i][j] - now[i][j]));
            }
            windtunnel_compute(1e-6);
        }
#pragma omp for
        for (int i = 1; i <= rows; i++)
            memcpy(now[i], next[i], sizeof now[i]);
    }
    double local = 0, total, largest;
    for (int i = 1; i <= rows; i++)
        for (int j = 0; j < COLUMNS; j++)
            local += floor(now[i][j] * 1024);
    MPI_Reduce(&local, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Reduce(&change, &largest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        CHECK(total == 33848629.0);
        CHECK(fabs(largest - 0.0830345465829776) < 1e-9);
    }
    MPI_Finalize();
    return 0;
}
