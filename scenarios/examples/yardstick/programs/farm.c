/* A manager gives tasks to whoever is ready. */
#include <mpi.h>
#include <stdio.h>
enum { WORK = 1, RESULT = 2, STOP = 3, TASKS = 6 };
int main(int argc, char **argv) {
  int rank, size, value, sum = 0;
  MPI_Status status;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (rank == 0) {
    int next = 0, open = 0;
    for (int w = 1; w < size; w++) {
      MPI_Send(&next, 1, MPI_INT, w, WORK, MPI_COMM_WORLD);
      next++, open++;
    }
    while (open > 0) {
      MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, RESULT, MPI_COMM_WORLD, &status);
      sum += value;
      open--;
      if (next < TASKS) {
        MPI_Send(&next, 1, MPI_INT, status.MPI_SOURCE, WORK, MPI_COMM_WORLD);
        next++, open++;
      } else {
        MPI_Send(&next, 0, MPI_INT, status.MPI_SOURCE, STOP, MPI_COMM_WORLD);
      }
    }
    printf("%d\n", sum);
  } else {
    for (;;) {
      MPI_Recv(&value, 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
      if (status.MPI_TAG == STOP) break;
      value = value * value;
      MPI_Send(&value, 1, MPI_INT, 0, RESULT, MPI_COMM_WORLD);
    }
  }
  MPI_Finalize();
  return 0;
}
