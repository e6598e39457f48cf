/* A manager hands out tasks to whoever has finished one; tag 1 is a task, 2 a result, 0 the end. */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int rank, size, task = 0, tasks = argc > 1 ? atoi(argv[1]) : 8;
    MPI_Status status;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0) {
        int result, worker, done;
        for (worker = 1; worker < size; worker++, task++)
            MPI_Send(&task, 1, MPI_INT, worker, task < tasks ? 1 : 0, MPI_COMM_WORLD);
        for (done = 0; done < tasks; done++, task++) {
            MPI_Recv(&result, 1, MPI_INT, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, &status);
            MPI_Send(&task, 1, MPI_INT, status.MPI_SOURCE, task < tasks ? 1 : 0, MPI_COMM_WORLD);
        }
    } else {
        for (;;) {
            MPI_Recv(&task, 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
            if (status.MPI_TAG == 0) break;
            task *= task;
            MPI_Send(&task, 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
        }
    }
    MPI_Finalize();
    return 0;
}
