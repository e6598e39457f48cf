/* OpenMP used wrongly; the first argument says how. */
#include "../mpi/check.h"
#include <omp.h>

static void barrier_of_one(void) {
#pragma omp parallel num_threads(3)
    if (omp_get_thread_num() == 1) {
#pragma omp barrier
    }
}

static void barrier_of_first(void) {
#pragma omp parallel num_threads(3)
    if (omp_get_thread_num() == 0) {
#pragma omp barrier
    }
}

static void critical_twice(void) {
#pragma omp parallel num_threads(2)
    {
#pragma omp critical(outer)
        {
            windtunnel_compute(1e-6);
#pragma omp critical(inner)
            windtunnel_compute(1e-6);
        }
    }
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 0) {
#pragma omp critical(outer)
        {
            windtunnel_compute(1e-6);
#pragma omp critical(inner)
            rank++;
        }
    } else {
#pragma omp critical(inner)
        {
            windtunnel_compute(1e-6);
#pragma omp critical(outer)
            rank++;
        }
    }
}

static void lock_not_left(void) {
    omp_lock_t lock;
    omp_init_lock(&lock);
#pragma omp parallel num_threads(2)
    omp_set_lock(&lock);
}

static void never_fulfilled(void) {
    omp_event_handle_t event;
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp task detach(event)
        size++;
#pragma omp taskwait
        (void)event;
    }
}

static void mpi_by_another(void) {
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 1)
        MPI_Barrier(MPI_COMM_WORLD);
}

static void message_never_comes(void) {
#pragma omp parallel num_threads(4)
    {
#pragma omp master
        MPI_Recv(&size, 1, MPI_INT, (rank + 1) % 2, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#pragma omp barrier
    }
}

static void after_a_region(void) {
#pragma omp parallel num_threads(4)
    windtunnel_compute(1e-6);
    MPI_Recv(&size, 1, MPI_INT, (rank + 1) % 2, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static int deep(volatile char *above, int left) {
    volatile char frame[1 << 16];
    frame[0] = above[0];
    return left > 0 ? deep(frame, left - 1) + frame[0] : 0;
}

static void no_stack_left(void) {
    volatile char top = 1;
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 1)
        size += deep(&top, 1000000);
}

static void poll_for_ever(void) {
    volatile int flag = 0;
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 1)
        while (!flag) {
#pragma omp taskyield
        }
}

int main(int argc, char **argv) {
    int level = MPI_THREAD_FUNNELED;
    MPI_Init_thread(&argc, &argv, level, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const struct {
        const char *name;
        void (*run)(void);
    } ways[] = {
        {"barrier", barrier_of_one},      {"first", barrier_of_first},
        {"critical", critical_twice},     {"lock", lock_not_left},
        {"event", never_fulfilled},       {"funneled", mpi_by_another},
        {"message", message_never_comes}, {"after", after_a_region},
        {"stack", no_stack_left},         {"poll", poll_for_ever},
    };
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        if (strcmp(argv[1], ways[i].name) == 0)
            ways[i].run();
    if (strcmp(argv[1], "exit") == 0) {
#pragma omp parallel num_threads(3)
        if (omp_get_thread_num() == 2)
            exit(rank == 1 ? 3 : 0);
    }
    MPI_Finalize();
    return 0;
}
