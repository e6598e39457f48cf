// Every rank reads standard input: the first finds what is there, the others nothing.
#include <mpi.h>
#include <iostream>
#include <string>

int main(int argc, char **argv) {
    int rank, number = -1;
    std::string line;
    if (argc > 1)
        std::ios::sync_with_stdio(false);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank > 0)
        std::cin >> number;
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        std::cin >> number;
        std::getline(std::cin, line);
        std::getline(std::cin, line);
    }
    std::cout << number << " " << line << " " << std::cin.eof() << "\n";
    MPI_Finalize();
}
