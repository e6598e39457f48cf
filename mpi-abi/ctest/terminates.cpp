// Exceptions that nobody catches: rank 1 has a handler, rank 2 has one that aborts.
#include "testing.h"
#include <cstdlib>
#include <exception>
#include <stdexcept>
#include <vector>

struct Other { virtual ~Other() {} int x = 1; };
struct Own : Other, std::exception {
    const char *what() const noexcept override { return "own words"; }
};

static int fail(char how) {
    if (how == 't')
        throw "plain";
    if (how == 'i')
        throw 17;
    if (how == 'r')
        return std::vector<int>(3).at(5);
    if (how == 'n')
        std::terminate();
    if (how == 'b')
        throw Own();
    return 0;
}

static void leave() { std::exit(7); }

int main(int argc, char **argv) {
    int rank;
    MPI_Comm_rank(nullptr, &rank);
    if (rank == 1)
        std::set_terminate(leave);
    if (rank == 2)
        std::set_terminate(std::abort);
    MPI_Barrier(nullptr);
    if (rank == 0)
        return std::get_terminate() == leave || std::get_terminate() == std::abort;
    return fail(argv[argc - 1][0]);
}
