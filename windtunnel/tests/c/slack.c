/* Programs that wait for ever only if some messages are buffered and others are not. The word says which: "one" and
 * "own" (four ranks), "two" (five ranks); "safe" never does. */
#include <mpi.h>
#include <string.h>

static int rank, x;
static MPI_Status status;

static void out(int to, int tag) { MPI_Send(&x, 1, MPI_INT, to, tag, MPI_COMM_WORLD); }

static void in(int from, int tag) { MPI_Recv(&x, 1, MPI_INT, from, tag, MPI_COMM_WORLD, &status); }

/* Rank 2 exchanges messages with another one, which sends first. Two sends that wait block each other. */
static void exchange(int other, int first) {
    if (first) {
        out(other, 1);
        in(other, 1);
    } else {
        in(other, 1);
        out(other, 1);
    }
}

int main(int argc, char **argv) {
    const char *word = argc > 1 ? argv[1] : "one";
    int own = !strcmp(word, "own"), two = !strcmp(word, "two"), partner = own ? 0 : 3;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        /* If this send is buffered, the next one competes with that of rank 3. */
        out(1, 0);
        if (two) in(4, 3);
        out(2, 0);
        if (own) exchange(2, 1);
    } else if (rank == 1) {
        in(2, 0);
        in(0, 0);
        if (two) in(4, 2);
    } else if (rank == 2) {
        in(MPI_ANY_SOURCE, 0);
        if (status.MPI_SOURCE == 0) {
            exchange(partner, strcmp(word, "safe"));
            out(1, 0);
            in(MPI_ANY_SOURCE, 0);
        } else {
            out(1, 0);
            in(MPI_ANY_SOURCE, 0);
            exchange(partner, 0);
        }
    } else if (rank == 3) {
        MPI_Request request;
        int y = 0;
        MPI_Isend(&y, 1, MPI_INT, 2, 0, MPI_COMM_WORLD, &request);
        if (!own) exchange(2, 1);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else if (rank == 4 && two) {
        out(1, 2);
        out(0, 3);
    }
    MPI_Finalize();
    return 0;
}
