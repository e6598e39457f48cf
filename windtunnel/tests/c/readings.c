/* Programs that read clocks often, because they measure or because they wait. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>

enum { ELEMENTS = 20000, SIDE = 25 };
static double field[ELEMENTS];

static double day_time(void) {
    struct timeval now;
    gettimeofday(&now, NULL);
    return now.tv_sec + 1e-6 * now.tv_usec;
}

static double fine_time(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec + 1e-9 * now.tv_nsec;
}

static double whole_seconds(void) { return time(NULL); }
static double processor_time(void) { return clock() / (double)CLOCKS_PER_SEC; }

/* Times each of many small pieces of work. */
static void measures(double (*now)(void)) {
    double gather = 0, compute = 0, scatter = 0, start;
    for (int i = 0; i < ELEMENTS; i++) {
        double local[8];
        start = now();
        for (int k = 0; k < 8; k++)
            local[k] = field[(i + k) % ELEMENTS];
        gather += now() - start;
        start = now();
        for (int k = 0; k < 8; k++)
            local[k] = 0.5 * local[k] + 1;
        compute += now() - start;
        start = now();
        field[i] = local[i % 8];
        scatter += now() - start;
    }
    printf("%g\n", gather + compute + scatter);
}

/* The same where the counter is far from the innermost frame. */
static void measures_deep(double (*now)(void)) {
    double total = 0;
    double table[4000];
    for (int i = 0; i < ELEMENTS; i++) {
        double start = now();
        table[i % 4000] = field[i];
        field[i] = table[(i + 7) % 4000 < i ? (i + 7) % 4000 : i % 4000] + 1;
        total += now() - start;
    }
    printf("%g\n", total);
}

static void waits(double (*now)(void), double length) {
    double start = now();
    while (now() < start + length) {
    }
    double took = now() - start;
    printf("%s\n", took >= length && took < 1.1 * length + 2e-3 ? "there" : "astray");
}

static void counts(double (*now)(void), double length) {
    long count = 0;
    double start = now();
    while (now() < start + length)
        count++;
    double took = now() - start;
    printf("%s\n", count > 0 && took >= length && took < 1.1 * length + 2e-3 ? "there" : "astray");
}

static void multiply(float a[SIDE][SIDE], float x[SIDE], float y[SIDE]) {
    for (int i = 0; i < SIDE; i++)
        for (int j = 0; j < SIDE; j++)
            x[i] = x[i] + a[i][j] * a[j][i] + y[j];
}

/* Computes for a given time, as benchmarks of overlapping do. */
static void overlaps(void) {
    static float a[SIDE][SIDE], x[SIDE], y[SIDE];
    double begun = MPI_Wtime();
    for (int round = 0; round < 500; round++) {
        double elapsed = 0;
        MPI_Request request;
        int value = round;
        MPI_Ibcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD, &request);
        while (elapsed < 5e-5) {
            double start = MPI_Wtime();
            multiply(a, x, y);
            elapsed += MPI_Wtime() - start;
        }
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    double took = MPI_Wtime() - begun;
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        /* Each pass reads twice, and only one of the reads is within the time measured. */
        printf("%s %g\n", took >= 0.025 && took < 0.075 ? "there" : "astray", took);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    const char *name = argv[1];
    if (!strcmp(name, "measures")) {
        measures(day_time);
        measures(fine_time);
        measures(MPI_Wtime);
        measures_deep(day_time);
        measures_deep(MPI_Wtime);
    } else if (!strcmp(name, "waits")) {
        waits(day_time, 2.5);
        waits(fine_time, 1e-3);
        waits(MPI_Wtime, 2.5);
        waits(processor_time, 1.5);
        waits(whole_seconds, 100);
    } else if (!strcmp(name, "counts")) {
        counts(day_time, 2.5);
        counts(MPI_Wtime, 5e-2);
        counts(fine_time, 1);
    } else {
        overlaps();
    }
    MPI_Finalize();
    return 0;
}
