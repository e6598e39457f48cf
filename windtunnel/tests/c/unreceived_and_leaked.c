/* Nobody receives what rank 1 sends, so that rank 0 comes to its end without buffering, too; both forget a datatype. */
#include <mpi.h>

int main(int argc, char **argv) {
    int rank, number = 1;
    MPI_Datatype pair;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    if (rank == 1) MPI_Send(&number, 1, MPI_INT, 0, 5, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
