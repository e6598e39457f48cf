// Each rank has a global locale and a function for missing memory of its own, and begins with those of the library.
#include <cstdlib>
#include <iostream>
#include <locale>
#include <mpi.h>
#include <new>
#include <sstream>

struct Comma : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
};

static int rank;

static void no_memory()
{
    std::cout << "rank " << rank << ": no memory" << std::endl;
    std::set_new_handler(nullptr);
}

static std::string text(double number)
{
    std::ostringstream out;
    out << number;
    return out.str();
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (std::get_new_handler() || text(1.5) != "1.5")
        MPI_Abort(MPI_COMM_WORLD, 3);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1) {
        std::locale before = std::locale::global(std::locale(std::locale(), new Comma));
        std::cout << "before: " << before.name() << std::endl;
    } else {
        std::set_new_handler(no_memory);
    }
    if (rank == 2) {
        std::locale::global(std::locale("C.UTF-8"));
        std::cout << "C: " << std::setlocale(LC_ALL, nullptr) << std::endl;
    }
    MPI_Barrier(MPI_COMM_WORLD);
    std::cout << "rank " << rank << ": " << text(2.5) << " " << std::locale().name() << std::endl;
    try {
        volatile std::size_t all = std::size_t(1) << 62;
        static_cast<char *>(::operator new(all))[0] = 1;
    } catch (std::bad_alloc &) {
        std::cout << "rank " << rank << ": caught" << std::endl;
    }
    MPI_Finalize();
}
