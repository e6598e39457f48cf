// C++ threads, and what the library keeps for each thread.
#include "testing.h"
#include <cstdio>
#include <future>
#include <mutex>
#include <thread>

static std::once_flag once;
static int calls = 0;

int main(int argc, char **) {
    int rank;
    MPI_Comm_rank(nullptr, &rank);
    for (int round = 0; round < 3; round++) {
        std::call_once(once, [rank] { calls += rank + 1; });
        MPI_Barrier(nullptr);
    }
    auto later = std::async(std::launch::deferred, [rank] { return 10 * rank; });
    std::printf("%d %d\n", calls, later.get());
    if (argc > 1)
        std::thread([] { std::puts("never"); }).join();
    return 0;
}
