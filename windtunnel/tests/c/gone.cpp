// A container goes while a message from it is on its way.
#include <mpi.h>
#include <vector>

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Request request = MPI_REQUEST_NULL;
    if (rank == 0) {
        std::vector<double> data(100, 3.0);
        MPI_Isend(data.data(), 100, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD, &request);
    } // here
    std::vector<double> into(100);
    if (rank == 1)
        MPI_Recv(into.data(), 100, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Finalize();
}
