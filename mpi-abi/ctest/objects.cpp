// C++: objects, exceptions and streams of a rank.
#include "testing.h"
#include <cstdio>
#include <iomanip>
#include <iostream>
#include <map>
#include <stdexcept>
#include <string>

struct Noisy {
    std::string name;
    explicit Noisy(const char *given) : name(given) {}
    ~Noisy() { std::printf("~%s\n", name.c_str()); }
};

static Noisy global("global");
static std::map<std::string, int> table = {{"a", 1}, {"b", 2}};
thread_local Noisy own("own");
template <class T> struct Shared { static inline int count = 5; };

static Noisy &local() {
    static Noisy object("local");
    return object;
}

static int fail(int rank) {
    if (rank >= 0)
        throw std::runtime_error("rank " + std::to_string(rank));
    return 0;
}

int main(int argc, char **) {
    int rank;
    MPI_Comm_rank(nullptr, &rank);
    table["a"] += rank;
    Shared<int>::count += rank;
    own.name += std::to_string(rank);
    local().name += std::to_string(rank);
    if (rank % 2 == 0)
        std::cout << std::fixed << std::setprecision(2);
    MPI_Barrier(nullptr);
    try {
        fail(rank);
    } catch (const std::exception &error) {
        MPI_Barrier(nullptr);
        try {
            std::string().at(3);
        } catch (const std::out_of_range &) {
            MPI_Barrier(nullptr);
            std::cout << error.what() << " ";
        }
        try {
            throw;
        } catch (const std::runtime_error &again) {
            std::cout << again.what() << std::endl;
        }
    }
    std::cout << 1.5 << " " << table["a"] << " " << Shared<int>::count << "\n";
    std::cerr << "end" << std::endl;
    if (argc > 1)
        fail(rank);
    return 0;
}
