/* A task fills what another one sends. With the argument `ordered` the one depends on the other. */
#include <mpi.h>
#include <string.h>

int main(int argc, char **argv)
{
    int provided, rank, size, left, out = -1, in = -2;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    left = (rank + size - 1) % size;
    int is_ordered = argc > 1 && !strcmp(argv[1], "ordered");
#pragma omp parallel num_threads(3)
#pragma omp single
    {
        if (is_ordered) {
#pragma omp task shared(out) depend(out : out)
            out = rank;
#pragma omp task shared(out) depend(in : out)
            MPI_Send(&out, 1, MPI_INT, (rank + 1) % size, 0, MPI_COMM_WORLD);
        } else {
#pragma omp task shared(out)
            out = rank;
#pragma omp task shared(out)
            MPI_Send(&out, 1, MPI_INT, (rank + 1) % size, 0, MPI_COMM_WORLD);
        }
#pragma omp task shared(in)
        MPI_Recv(&in, 1, MPI_INT, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return in != left;
}
