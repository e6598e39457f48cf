// OpenMP in C++: objects in regions and tasks, exceptions, threads of the language besides regions.
#include "../mpi/check.h"
#include <numeric>
#include <omp.h>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

struct Counted {
    static int alive;
    std::vector<int> values;
    explicit Counted(int value = 0) : values(10, value) { change(1); }
    Counted(const Counted &other) : values(other.values) { change(1); }
    ~Counted() { change(-1); }
    static void change(int by) {
#pragma omp atomic
        alive += by;
    }
};
int Counted::alive = 0;

#pragma omp declare reduction(join : std::string : omp_out += omp_in) initializer(omp_priv = "")

static thread_local int mine = 5;

int main(int argc, char **argv) {
    begin(&argc, &argv);
    if (argc > 1)
        omp_set_num_threads(atoi(argv[1]));
    int threads = omp_get_max_threads();
    {
        Counted object(rank + 1);
        long sum = 0;
#pragma omp parallel firstprivate(object) reduction(+ : sum)
        {
            object.values[0] += omp_get_thread_num();
#pragma omp for
            for (auto value = object.values.begin(); value < object.values.end(); ++value)
                sum += 1;
            sum += object.values[0];
        }
        CHECK(sum == 10 + threads * (rank + 1) + threads * (threads - 1) / 2);
        CHECK(object.values[0] == rank + 1);
        int seen = 0;
#pragma omp parallel
#pragma omp single
        for (int i = 0; i < 20; i++) {
#pragma omp task firstprivate(object) shared(seen)
            {
                object.values[1] = i;
                windtunnel_compute(1e-6);
#pragma omp atomic
                seen += object.values[0];
            }
        }
        CHECK(seen == 20 * (rank + 1));
    }
    CHECK(Counted::alive == 0);
    int caught = 0;
#pragma omp parallel for reduction(+ : caught) schedule(dynamic)
    for (int i = 0; i < 40; i++) {
        try {
            windtunnel_compute(1e-6);
            if (i % 2)
                throw std::runtime_error("odd " + std::to_string(i));
        } catch (const std::runtime_error &error) {
            windtunnel_compute(1e-6);
            caught += error.what() == "odd " + std::to_string(i);
        }
    }
    CHECK(caught == 20);
    std::string all;
#pragma omp parallel reduction(join : all)
    all += static_cast<char>('a' + omp_get_thread_num() % 26);
    CHECK(all.size() == static_cast<size_t>(threads));
#pragma omp parallel
    {
        mine += omp_get_thread_num();
#pragma omp barrier
        CHECK(mine == 5 + omp_get_thread_num());
    }
    // A thread of the language may begin regions, too.
    int inside = 0;
    std::thread other([&] {
        CHECK(omp_get_level() == 0 && omp_get_thread_num() == 0);
#pragma omp parallel num_threads(3) reduction(+ : inside)
        {
            windtunnel_compute(1e-6);
            inside += omp_get_thread_num();
        }
    });
#pragma omp parallel num_threads(2)
    windtunnel_compute(1e-6);
    other.join();
    CHECK(inside == 3);
    MPI_Finalize();
}
