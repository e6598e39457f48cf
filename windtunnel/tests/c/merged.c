/* Cases whose optimised code ends alike: the compiler makes their calls with the same instructions, and variables of
   different cases lie in the same memory. They are written out, since statements of a macro do not name variables. */
#include <mpi.h>
#include <stdlib.h>

static int rank, size;

static void of_int(void)
{
    static int received[4];
    int sent[4] = {0};
    MPI_Request both[2];
    MPI_Irecv(received, 4, MPI_INT, (rank + size - 1) % size, 0, MPI_COMM_WORLD, &both[0]);
    MPI_Isend(sent, 4, MPI_INT, (rank + 1) % size, 0, MPI_COMM_WORLD, &both[1]);
    MPI_Waitall(2, both, MPI_STATUSES_IGNORE);
}

static void of_float(void)
{
    static float received[4];
    float sent[4] = {0};
    MPI_Request both[2];
    MPI_Irecv(received, 4, MPI_FLOAT, (rank + size - 1) % size, 0, MPI_COMM_WORLD, &both[0]);
    MPI_Isend(sent, 4, MPI_FLOAT, (rank + 1) % size, 0, MPI_COMM_WORLD, &both[1]);
    MPI_Waitall(2, both, MPI_STATUSES_IGNORE);
}

static void of_double(void)
{
    static double received[4];
    double sent[4] = {0};
    MPI_Request both[2];
    MPI_Irecv(received, 4, MPI_DOUBLE, (rank + size - 1) % size, 0, MPI_COMM_WORLD, &both[0]);
    MPI_Isend(sent, 4, MPI_DOUBLE, (rank + 1) % size, 0, MPI_COMM_WORLD, &both[1]);
    MPI_Waitall(2, both, MPI_STATUSES_IGNORE);
}

static void of_long(void)
{
    static long received[4];
    long sent[4] = {0};
    MPI_Request both[2];
    MPI_Irecv(received, 4, MPI_LONG, (rank + size - 1) % size, 0, MPI_COMM_WORLD, &both[0]);
    MPI_Isend(sent, 4, MPI_LONG, (rank + 1) % size, 0, MPI_COMM_WORLD, &both[1]);
    MPI_Waitall(2, both, MPI_STATUSES_IGNORE);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    switch (argc > 1 ? atoi(argv[1]) : 0) {
    case 0: of_int(); break;
    case 1: of_float(); break;
    case 2: of_double(); break;
    case 3: of_long(); break;
    }
    MPI_Finalize();
    return 0;
}
