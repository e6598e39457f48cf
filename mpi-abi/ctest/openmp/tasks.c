/* Tasks of OpenMP. */
#include "../mpi/check.h"
#include <omp.h>

static int threads;

static long fibonacci(int n) {
    long one, other;
    if (n < 2)
        return n;
#pragma omp task shared(one)
    one = fibonacci(n - 1);
#pragma omp task shared(other) final(n < 8)
    other = fibonacci(n - 2);
#pragma omp taskwait
    return one + other;
}

static void dependences(void) {
    enum { N = 6, B = 20 };
    int cells[N][B], done = 0, readers = 0, x = 0;
    memset(cells, 0, sizeof cells);
    for (int step = 0; step < B; step++)
        for (int i = 0; i < N; i++) {
#pragma omp task default(shared) firstprivate(i, step) depend(in : cells[i ? i - 1 : 0])           \
    depend(inout : cells[i])
            {
                windtunnel_compute(1e-6 * (1 + (i * step) % 5));
                cells[i][step] = step + (i ? cells[i - 1][step] : 0);
#pragma omp atomic
                done++;
            }
        }
#pragma omp taskwait
    CHECK(done == N * B);
    for (int step = 0; step < B; step++)
        for (int i = 0; i < N; i++)
            CHECK(cells[i][step] == step * (i + 1));
#pragma omp task default(shared) depend(out : x)
    {
        windtunnel_compute(1e-6);
        x = 5;
    }
    for (int i = 0; i < 4; i++) {
#pragma omp task default(shared) depend(in : x)
        {
            CHECK(x == 5);
            windtunnel_compute(1e-6);
            readers++;
        }
    }
#pragma omp task default(shared) depend(inout : x)
    {
        CHECK(readers == 4);
        x = 6;
    }
#pragma omp taskwait depend(in : x)
    CHECK(x == 6);
#pragma omp task default(shared) depend(mutexinoutset : x)
    x *= 2;
#pragma omp task default(shared) depend(mutexinoutset : x)
    x *= 2;
    omp_depend_t object;
#pragma omp depobj(object) depend(inout : x)
#pragma omp task default(shared) depend(depobj : object)
    x += 1;
#pragma omp depobj(object) destroy
#pragma omp task default(shared) if (0) depend(in : x)
    CHECK(x == 25);
#pragma omp taskwait
}

static void groups(void) {
    int sum = 0, deep = 0, product = 1;
#pragma omp taskgroup
    {
        for (int i = 0; i < 10; i++) {
#pragma omp task shared(deep)
            {
#pragma omp task shared(deep)
                {
                    windtunnel_compute(1e-6);
#pragma omp atomic
                    deep++;
                }
            }
        }
    }
    CHECK(deep == 10);
#pragma omp taskgroup task_reduction(+ : sum) task_reduction(* : product)
    {
        for (int i = 0; i < 20; i++) {
#pragma omp task default(shared) in_reduction(+ : sum) in_reduction(* : product) firstprivate(i)
            {
                sum += i;
                product *= i % 2 + 1;
                windtunnel_compute(1e-6);
#pragma omp task default(shared) in_reduction(+ : sum)
                sum += 1;
            }
        }
    }
    CHECK(sum == 190 + 20 && product == 1024);
}

static void loops(void) {
    int hits[500] = {0}, last = 0, tasks = 0;
    long sum = 0;
#pragma omp taskloop default(shared) grainsize(7)
    for (int i = 0; i < 500; i++)
        hits[i]++;
#pragma omp taskloop default(shared) num_tasks(11) collapse(2) nogroup
    for (int i = 0; i < 50; i++)
        for (int j = 0; j < 10; j++)
            hits[10 * i + j]++;
#pragma omp taskwait
#pragma omp taskloop default(shared) lastprivate(last)
    for (unsigned long i = 500; i > 0; i -= 2) {
        hits[i - 1]++;
        last = (int)i;
    }
#pragma omp taskloop reduction(+ : sum) num_tasks(13)
    for (int i = 0; i < 500; i++) {
        sum += i;
        windtunnel_compute(1e-8);
    }
#pragma omp taskloop shared(tasks) grainsize(strict : 100)
    for (int i = 0; i < 450; i++)
        if (i % 100 == 0)
#pragma omp atomic
            tasks++;
    CHECK(sum == 500 * 499 / 2 && last == 2 && tasks == 5);
    for (int i = 0; i < 500; i++)
        CHECK(hits[i] == 2 + i % 2);
}

static int links;

/* Each task creates the next. */
static void chain(int left) {
    links++;
    if (left > 0) {
#pragma omp task firstprivate(left)
        chain(left - 1);
    }
}

static void events(void) {
    omp_event_handle_t event;
    int done = 0, after = 0;
#pragma omp task detach(event) shared(done) depend(out : done)
    done = 1;
#pragma omp task shared(done, after) depend(in : done)
    after = done + 1;
#pragma omp task firstprivate(event)
    {
        windtunnel_compute(1e-6);
        omp_fulfill_event(event);
    }
#pragma omp taskwait
    CHECK(done == 1 && after == 2);
}

static void order(void) {
    int first = -1, at = 0;
    /* A task of a higher priority begins first, where priorities count. */
    if (omp_get_max_task_priority() > 0 && threads == 2) {
#pragma omp taskgroup
        {
            for (int i = 0; i < 5; i++) {
#pragma omp task priority(i) shared(first, at)
                {
#pragma omp atomic
                    at++;
                    if (first < 0 && i > 0)
                        first = i;
                }
            }
        }
        CHECK(at == 5);
    }
    int flag = 0;
#pragma omp task shared(flag)
    flag = 1;
    while (!flag) {
#pragma omp taskyield
    }
}

static void reductions(void) {
    int x = 0, y = 0, z = 0;
#pragma omp parallel reduction(task, + : x)
    {
#pragma omp task default(shared) in_reduction(+ : x)
        x += 3;
#pragma omp for reduction(task, + : y) schedule(dynamic, 3)
        for (int i = 0; i < 100; i++) {
#pragma omp task default(shared) in_reduction(+ : y) firstprivate(i)
            y += i;
        }
#pragma omp sections reduction(task, + : z)
        {
#pragma omp section
#pragma omp task default(shared) in_reduction(+ : z)
            z += 1;
#pragma omp section
            z += 10;
        }
#pragma omp scope reduction(+ : z)
        z += 100;
    }
    CHECK(x == 3 * threads && y == 4950 && z == 11 + 100 * threads);
}

int main(int argc, char **argv) {
    begin(&argc, &argv);
    if (argc > 1)
        omp_set_num_threads(atoi(argv[1]));
    threads = omp_get_max_threads();
    long result = 0;
#pragma omp parallel
#pragma omp single
    {
        result = fibonacci(15);
        dependences();
        groups();
        loops();
        events();
        order();
        chain(20000);
    }
    CHECK(links == 20001);
    CHECK(result == 610);
    /* Tasks without a region are executed at once. */
    CHECK(fibonacci(10) == 55);
    dependences();
    groups();
    loops();
    events();
    chain(20000);
    CHECK(links == 40002);
    reductions();
    double begun = omp_get_wtime();
    int executed[64] = {0};
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 4 * threads; i++) {
#pragma omp task shared(executed)
        {
            executed[omp_get_thread_num()]++;
            windtunnel_compute(1e-3);
        }
    }
    double passed = omp_get_wtime() - begun;
    CHECK(passed > 3.99e-3 && passed < 4.01e-3);
    for (int i = 0; i < threads; i++)
        CHECK(executed[i] == 4);
    MPI_Finalize();
    return 0;
}
