/* Equal calls through a pointer, which Clang makes with one instruction that belongs to no line. */
#include <mpi.h>

static int (*volatile send)(const void *, int, MPI_Datatype, int, int, MPI_Comm);

int main(int argc, char **argv)
{
    int rank, value;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    send = MPI_Ssend;
    if (rank) {
        value = 3;
        send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    } else {
        value = 4;
        send(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
