/* Borders by put between fences, and a counter with locks. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Win win, count;
  double *halo, value = rank + 1, sum = 0;
  long *counter, one = 1, mine;
  MPI_Win_allocate(2 * sizeof(double), sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &halo, &win);
  MPI_Win_allocate(rank == 0 ? sizeof(long) : 0, sizeof(long), MPI_INFO_NULL, MPI_COMM_WORLD, &counter, &count);
  if (rank == 0) *counter = 0;
  for (int step = 0; step < 2; step++) {
    MPI_Win_fence(0, win);
    MPI_Put(&value, 1, MPI_DOUBLE, (rank + 1) % size, 0, 1, MPI_DOUBLE, win);
    MPI_Put(&value, 1, MPI_DOUBLE, (rank + size - 1) % size, 1, 1, MPI_DOUBLE, win);
    MPI_Win_fence(0, win);
    value = (value + halo[0] + halo[1]) / 3;
  }
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, count);
  MPI_Fetch_and_op(&one, &mine, MPI_LONG, 0, 0, MPI_SUM, count);
  MPI_Win_unlock(0, count);
  MPI_Reduce(&value, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) {
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, count);
    MPI_Get(&mine, 1, MPI_LONG, 0, 0, 1, MPI_LONG, count);
    MPI_Win_unlock(0, count);
    printf("%.3f %ld\n", sum, mine);
  }
  MPI_Win_free(&count);
  MPI_Win_free(&win);
  MPI_Finalize();
  return 0;
}
