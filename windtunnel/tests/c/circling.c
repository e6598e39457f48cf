/* Loops that only end if a message has come from rank 1 first, or never. */
#include <mpi.h>
#include <string.h>

static int rank, size, number;

/* The token goes round for ever: it counts a message that nobody sends. */
static void round_and_round(void) {
    int missing = rank == 0, token = 0;
    for (;;) {
        if (rank > 0)
            MPI_Recv(&token, 1, MPI_INT, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        token = rank > 0 ? token + missing : missing;
        MPI_Send(&token, 1, MPI_INT, (rank + 1) % size, 0, MPI_COMM_WORLD);
        if (rank > 0) continue;
        MPI_Recv(&token, 1, MPI_INT, size - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (token == 0) return;
    }
}

/* Nothing happens in this loop, and no time passes. */
static void nowhere(void) {
    MPI_Status status;
    if (rank > 0) {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        return;
    }
    MPI_Recv(&number, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
    while (status.MPI_SOURCE != 1) {
        MPI_Recv(&number, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Sendrecv(&rank, 1, MPI_INT, 0, 5, &number, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    for (int left = size - 2; left > 0; left--)
        MPI_Recv(&number, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (argc > 1 && !strcmp(argv[1], "nowhere")) nowhere();
    else round_and_round();
    MPI_Finalize();
    return 0;
}
