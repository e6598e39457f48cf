/* A message that is longer than its receive buffer. */
#include "check.h"
int main(int argc, char **argv) {
    int data[4] = {0};
    begin(&argc, &argv);
    if (rank == 0)
        MPI_Send(data, 4, MPI_INT, 1, 0, MPI_COMM_WORLD);
    if (rank == 1)
        MPI_Recv(data, 2, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
