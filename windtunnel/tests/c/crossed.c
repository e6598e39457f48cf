/* A rank polls for a message that its sender sends only after it has received. */
#include <mpi.h>

int main(int argc, char **argv) {
    int rank, there = 0, word = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm world = MPI_COMM_WORLD;
    MPI_Comm_rank(world, &rank);
    if (rank == 0) {
        while (!there)
            MPI_Iprobe(1, 5, world, &there, MPI_STATUS_IGNORE);
        MPI_Send(&word, 1, MPI_INT, 1, 0, world);
    } else if (rank == 1) {
        MPI_Recv(&word, 1, MPI_INT, 0, 0, world, MPI_STATUS_IGNORE);
        MPI_Send(&word, 1, MPI_INT, 0, 5, world);
    }
    MPI_Barrier(world);
    return MPI_Finalize();
}
