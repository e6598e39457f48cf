/* A deadlock of ranks 0 and 1 in the third of five rounds, in a function that is called in each. */
#include <mpi.h>

static void exchange(int peer, int round) {
    int out = round, in = -1;
    if (round == 2)
        MPI_Recv(&in, 1, MPI_INT, peer, round, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int side = 0; side < 2; side++)
        MPI_Sendrecv(&out, 1, MPI_INT, peer, side, &in, 1, MPI_INT, peer, side, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int round = 0; round < 5; round++)
        if (rank < 2) exchange(1 - rank, argc > 1 && round == 2 ? 3 : round);
    MPI_Finalize();
    return 0;
}
