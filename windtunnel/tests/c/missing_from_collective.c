/* Rank 5 waits for a message that rank 0 sends after a collective. */
#include <mpi.h>
#include <string.h>

int main(int argc, char **argv)
{
    int rank, one = 1, sum;
    const char *what = argc > 1 ? argv[1] : "barrier";
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 5)
        MPI_Recv(&sum, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (!strcmp(what, "barrier"))
        MPI_Barrier(MPI_COMM_WORLD);
    else if (!strcmp(what, "allreduce"))
        MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        MPI_Send(&one, 1, MPI_INT, 5, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
