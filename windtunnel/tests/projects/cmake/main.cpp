#include <iostream>
#include <mpi.h>
#include <stdexcept>
#include <vector>

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    try {
        std::vector<int>().at(3);
    } catch (const std::out_of_range &) {
        std::cout << rank << std::endl;
    }
    MPI_Finalize();
}
