/* Parallel regions, worksharing constructs, locks and settings of OpenMP. */
#include "../mpi/check.h"
#include <omp.h>

static int threads, own = -1;
#pragma omp threadprivate(own)

struct point {
    double x, y;
};
#pragma omp declare reduction(plus : struct point : omp_out.x += omp_in.x, omp_out.y += omp_in.y)  \
    initializer(omp_priv = (struct point){0, 0})

struct large {
    char bytes[40];
};

static long sum_to(long n) { return n * (n - 1) / 2; }

static void regions(void) {
    int seen[64] = {0}, count = 0;
#pragma omp parallel reduction(+ : count)
    {
        CHECK(omp_get_num_threads() == threads && omp_in_parallel() == (threads > 1));
        CHECK(omp_get_level() == 1 && omp_get_ancestor_thread_num(0) == 0);
        CHECK(omp_get_ancestor_thread_num(1) == omp_get_thread_num());
        CHECK(omp_get_team_size(1) == threads && omp_get_team_size(2) == -1);
        seen[omp_get_thread_num()]++;
        own = 100 * rank + omp_get_thread_num();
        count++;
    }
    CHECK(count == threads && omp_get_num_threads() == 1 && omp_get_thread_num() == 0);
    for (int i = 0; i < threads; i++)
        CHECK(seen[i] == 1);
#pragma omp parallel
    CHECK(own == 100 * rank + omp_get_thread_num());
    own = 7;
#pragma omp parallel copyin(own)
    CHECK(own == 7);
#pragma omp parallel if (threads > 1000)
    CHECK(omp_get_num_threads() == 1 && omp_get_level() == 1 && omp_get_active_level() == 0);
#pragma omp parallel num_threads(3)
    CHECK(omp_get_num_threads() == 3);
    omp_set_num_threads(2);
    CHECK(omp_get_max_threads() == 2);
#pragma omp parallel
    CHECK(omp_get_num_threads() == 2);
    omp_set_num_threads(threads);
}

static void loops(void) {
    enum { N = 1000 };
    static int hits[N];
    long sum = 0;
    memset(hits, 0, sizeof hits);
#pragma omp parallel reduction(+ : sum)
    {
#pragma omp for
        for (int i = 0; i < N; i++)
            hits[i]++, sum += i;
#pragma omp for schedule(static, 7)
        for (int i = 0; i < N; i++)
            hits[i]++, sum += i;
#pragma omp for schedule(dynamic, 3) nowait
        for (int i = N - 1; i >= 0; i--)
            hits[i]++, sum += i;
#pragma omp for schedule(guided)
        for (unsigned i = 0; i < N; i += 1)
            hits[i]++, sum += i;
#pragma omp for schedule(runtime)
        for (unsigned long i = N; i > 0; i--)
            hits[i - 1]++, sum += i - 1;
#pragma omp for schedule(auto) collapse(2)
        for (int i = 0; i < 10; i++)
            for (int j = 0; j < N / 10; j++)
                hits[i * (N / 10) + j]++, sum += i * (N / 10) + j;
#pragma omp for schedule(monotonic : dynamic)
        for (long i = 0; i < 3 * N; i += 3)
            hits[i / 3]++, sum += i / 3;
#pragma omp for schedule(dynamic)
        for (int i = 5; i < 5; i++)
            sum += 1000000;
    }
    for (int i = 0; i < N; i++)
        CHECK(hits[i] == 7);
    CHECK(sum == 7 * sum_to(N));
    int last = -1;
#pragma omp parallel for lastprivate(last) schedule(guided, 4)
    for (int i = 0; i < N; i += 7)
        last = i;
    CHECK(last == 994);
    int order[N], next = 0;
#pragma omp parallel for ordered schedule(dynamic, 3)
    for (int i = 0; i < N; i++) {
        int twice = 2 * i;
#pragma omp ordered
        order[next++] = twice;
    }
#pragma omp parallel for ordered
    for (int i = 0; i < N; i++) {
#pragma omp ordered
        CHECK(order[i] == 2 * i && next++ == N + i);
    }
    omp_set_schedule(omp_sched_guided, 5);
    omp_sched_t kind;
    int chunk;
    omp_get_schedule(&kind, &chunk);
    CHECK(kind == omp_sched_guided && chunk == 5);
    sum = 0;
#pragma omp parallel for schedule(runtime) reduction(+ : sum)
    for (int i = 0; i < N; i++)
        sum += i;
    CHECK(sum == sum_to(N));
}

static void wavefront(void) {
    enum { N = 12, M = 9 };
    int table[N + 1][M + 1];
    for (int i = 0; i <= N; i++)
        for (int j = 0; j <= M; j++)
            table[i][j] = 1;
#pragma omp parallel for ordered(2) schedule(dynamic)
    for (int i = 1; i <= N; i++)
        for (int j = 1; j <= M; j++) {
#pragma omp ordered depend(sink : i - 1, j) depend(sink : i, j - 1)
            table[i][j] = (table[i - 1][j] + table[i][j - 1]) % 1009;
            if (j % 3 == 0)
                windtunnel_compute(1e-6 * i);
#pragma omp ordered depend(source)
        }
    int check[N + 1][M + 1];
    for (int i = 0; i <= N; i++)
        for (int j = 0; j <= M; j++)
            check[i][j] = i && j ? (check[i - 1][j] + check[i][j - 1]) % 1009 : 1;
    CHECK(memcmp(table, check, sizeof table) == 0);
}

static void constructs(void) {
    int singles = 0, sections[4] = {0}, inside = 0, most = 0;
    struct large all = {{0}};
    struct point total = {0, 0};
#pragma omp parallel reduction(plus : total)
    {
        int mine = -1;
#pragma omp single copyprivate(mine)
        mine = 42 + rank;
        CHECK(mine == 42 + rank);
#pragma omp single nowait
        {
#pragma omp atomic
            singles++;
        }
#pragma omp sections
        {
#pragma omp section
            sections[0]++;
#pragma omp section
            sections[1]++;
#pragma omp section
            sections[2]++;
        }
        CHECK(sections[0] + sections[1] + sections[2] == 3);
#pragma omp master
        sections[3]++;
#pragma omp critical(narrow)
        {
            inside++;
            most = inside > most ? inside : most;
            windtunnel_compute(1e-6);
            inside--;
        }
#pragma omp critical
        all.bytes[omp_get_thread_num() % 40]++;
        total.x += 1;
        total.y += omp_get_thread_num();
#pragma omp barrier
#pragma omp masked filter(threads - 1)
        sections[3]++;
    }
    CHECK(singles == 1 && most == 1 && sections[3] == 2);
    CHECK(total.x == threads && total.y == sum_to(threads));
#pragma omp parallel sections reduction(+ : singles)
    {
#pragma omp section
        singles += 10;
#pragma omp section
        singles += 100;
    }
    CHECK(singles == 111);
    long double product = 1;
#pragma omp parallel
    {
#pragma omp atomic
        product *= 2;
    }
    long double expected = 1;
    for (int i = 0; i < threads; i++)
        expected *= 2;
    CHECK(product == expected);
}

static void locks(void) {
    omp_lock_t lock;
    omp_nest_lock_t nested;
    int count = 0, tries = 0;
    omp_init_lock(&lock);
    omp_init_nest_lock(&nested);
#pragma omp parallel num_threads(4) reduction(+ : tries)
    {
        for (int i = 0; i < 5; i++) {
            omp_set_lock(&lock);
            int before = count;
            windtunnel_compute(1e-6);
            count = before + 1;
            omp_unset_lock(&lock);
        }
        while (!omp_test_lock(&lock))
            tries++;
        windtunnel_compute(1e-6);
        omp_unset_lock(&lock);
        omp_set_nest_lock(&nested);
        CHECK(omp_test_nest_lock(&nested) == 2);
        count++;
        windtunnel_compute(1e-6);
        omp_unset_nest_lock(&nested);
        omp_unset_nest_lock(&nested);
    }
    CHECK(count == 24 && tries > 0);
    omp_destroy_lock(&lock);
    omp_destroy_nest_lock(&nested);
}

static void nesting(void) {
    int total = 0;
    CHECK(omp_get_max_active_levels() == 1);
#pragma omp parallel num_threads(2) reduction(+ : total)
    {
#pragma omp parallel num_threads(3) reduction(+ : total)
        {
            CHECK(omp_get_num_threads() == 1 && omp_get_level() == 2);
            total++;
        }
    }
    CHECK(total == 2);
    omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2) reduction(+ : total)
    {
        int outer = omp_get_thread_num();
#pragma omp parallel num_threads(3) reduction(+ : total)
        {
            CHECK(omp_get_num_threads() == 3 && omp_get_active_level() == 2);
            CHECK(omp_get_ancestor_thread_num(1) == outer && omp_get_team_size(1) == 2);
            total += 10;
#pragma omp barrier
#pragma omp for schedule(dynamic)
            for (int i = 0; i < 9; i++)
                total += 100;
        }
        CHECK(omp_get_thread_num() == outer);
    }
    CHECK(total == 2 + 60 + 1800);
    omp_set_max_active_levels(1);
}

static void times(void) {
    double begun = omp_get_wtime();
    int per[64] = {0};
#pragma omp parallel
    windtunnel_compute(1e-3);
    double passed = omp_get_wtime() - begun;
    CHECK(passed > 0.999e-3 && passed < 1.001e-3);
    /* The time of a critical section is not shared. */
    begun = omp_get_wtime();
#pragma omp parallel
#pragma omp critical
    windtunnel_compute(1e-3);
    passed = omp_get_wtime() - begun;
    CHECK(passed > threads * 0.999e-3 && passed < threads * 1.001e-3);
    /* Chunks are given to the thread that is first in simulated time. */
#pragma omp parallel for schedule(dynamic)
    for (int i = 0; i < 8 * threads; i++) {
        per[omp_get_thread_num()]++;
        windtunnel_compute(1e-6 * (1 + omp_get_thread_num()));
    }
    for (int i = 1; i < threads; i++)
        CHECK(per[i] <= per[i - 1] && per[i] > 0);
    CHECK(omp_get_wtick() > 0 && omp_get_wtick() < 1e-3);
}

static void settings(void) {
    CHECK(omp_get_dynamic() == 0 && omp_get_nested() == 0 && omp_get_cancellation() == 0);
    omp_set_dynamic(1);
    CHECK(omp_get_dynamic() == 1);
    omp_set_dynamic(0);
    CHECK(omp_get_num_procs() >= 1 && omp_get_thread_limit() >= threads);
    CHECK(omp_get_proc_bind() == omp_proc_bind_false && omp_get_num_places() == 0);
    CHECK(omp_get_num_devices() == 0 && omp_is_initial_device() && omp_get_initial_device() == 0);
    CHECK(omp_get_num_teams() == 1 && omp_get_team_num() == 0 && !omp_in_final());
    double *array = omp_alloc(100 * sizeof *array, omp_default_mem_alloc);
    CHECK(array != NULL);
    for (int i = 0; i < 100; i++)
        array[i] = i;
    array = omp_realloc(array, 1000 * sizeof *array, omp_default_mem_alloc, omp_null_allocator);
    CHECK(array[99] == 99);
    omp_free(array, omp_null_allocator);
    char *aligned = omp_aligned_calloc(256, 3, 100, omp_null_allocator);
    CHECK((size_t)aligned % 256 == 0 && aligned[299] == 0);
    omp_free(aligned, omp_default_mem_alloc);
    CHECK(omp_pause_resource_all(omp_pause_soft) == 0);
}

static void devices(void) {
    int value = 3, copy = 4, n = 0;
    double list[5] = {1, 2, 3, 4, 5}, sum = 0;
#pragma omp target map(tofrom : value) firstprivate(copy, list)
    {
        value += copy + (int)list[4];
        copy = list[0] = 100;
        CHECK(omp_is_initial_device());
    }
    CHECK(value == 12 && copy == 4 && list[0] == 1);
#pragma omp target teams distribute parallel for map(tofrom : sum) reduction(+ : sum)
    for (int i = 0; i < 100; i++)
        sum += i;
    CHECK(sum == 4950);
#pragma omp target data map(list)
    {
#pragma omp target update to(list)
#pragma omp target
        list[1] = 7;
    }
    CHECK(list[1] == 7);
#pragma omp teams num_teams(3) reduction(+ : n)
    {
        CHECK(omp_get_num_teams() == 3);
        n += 1 + omp_get_team_num();
    }
    CHECK(n == 6);
    double from[4][5], to[4][5] = {{0}};
    for (int i = 0; i < 20; i++)
        from[i / 5][i % 5] = i;
    size_t volume[] = {2, 3}, offsets[] = {1, 2}, zero[] = {0, 0}, sizes[] = {4, 5};
    CHECK(omp_target_memcpy_rect(to, from, 8, 2, volume, zero, offsets, sizes, sizes, 0, 0) == 0);
    CHECK(to[0][0] == 7 && to[1][2] == 14 && to[1][3] == 0 && to[2][0] == 0);
}

int main(int argc, char **argv) {
    begin(&argc, &argv);
    if (argc > 1)
        omp_set_num_threads(atoi(argv[1]));
    threads = omp_get_max_threads();
    settings();
    regions();
    loops();
    wavefront();
    constructs();
    locks();
    nesting();
    times();
    devices();
    MPI_Finalize();
    return 0;
}
