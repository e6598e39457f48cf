/* Cancellation, with OMP_CANCELLATION=true. */
#include "../mpi/check.h"
#include <omp.h>

int main(int argc, char **argv) {
    begin(&argc, &argv);
    CHECK(omp_get_cancellation());
    int executed = 0, found = -1, after = 0, tasks = 0, parts = 0;
#pragma omp parallel num_threads(4)
    {
#pragma omp for schedule(dynamic)
        for (int i = 0; i < 1000; i++) {
#pragma omp cancellation point for
            windtunnel_compute(1e-6);
#pragma omp atomic
            executed++;
            if (i == 20) {
                found = i;
#pragma omp cancel for
            }
        }
#pragma omp atomic
        after++;
    }
    CHECK(found == 20 && executed < 40 && after == 4);
#pragma omp parallel num_threads(4)
    {
        if (omp_get_thread_num() == 2) {
            windtunnel_compute(1e-6);
#pragma omp cancel parallel
        }
#pragma omp barrier
        after = 100;
    }
    CHECK(after == 4);
#pragma omp parallel num_threads(4)
#pragma omp single
    {
#pragma omp taskgroup
        {
            for (int i = 0; i < 100; i++) {
#pragma omp task shared(tasks)
                {
#pragma omp cancellation point taskgroup
                    windtunnel_compute(1e-6);
#pragma omp atomic
                    tasks++;
                    if (i == 10) {
#pragma omp cancel taskgroup
                    }
                }
            }
        }
    }
    CHECK(tasks > 10 && tasks < 30);
#pragma omp parallel num_threads(2)
    {
#pragma omp sections
        {
#pragma omp section
            {
                windtunnel_compute(1e-6);
#pragma omp cancel sections
                parts += 100;
            }
#pragma omp section
            {
                windtunnel_compute(2e-6);
                parts++;
            }
#pragma omp section
            parts += 10;
        }
    }
    CHECK(parts == 1);
    MPI_Finalize();
    return 0;
}
