// A container goes while a message from it is on its way; the argument is how many numbers it holds.
#include <cstdlib>
#include <mpi.h>
#include <vector>

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int rank, count = std::atoi(argv[1]);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Request request = MPI_REQUEST_NULL;
    if (rank == 0) {
        std::vector<double> data(count, 3.0);
        MPI_Isend(data.data(), count, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD, &request);
    } // here
    std::vector<double> into(count);
    if (rank == 1)
        MPI_Recv(into.data(), count, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Finalize();
}
