/* Messages of a length that the receiver asks for. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
  int rank, size, count;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm copy;
  MPI_Status status;
  MPI_Request request;
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  int *data = malloc((rank + 2) * sizeof *data), total = 0;
  for (int i = 0; i < rank + 2; i++) data[i] = rank * 10 + i;
  MPI_Isend(data, rank + 2, MPI_INT, (rank + 1) % size, 8, copy, &request);
  MPI_Probe((rank + size - 1) % size, 8, copy, &status);
  MPI_Get_count(&status, MPI_INT, &count);
  int *from = malloc(count * sizeof *from);
  MPI_Recv(from, count, MPI_INT, status.MPI_SOURCE, 8, copy, MPI_STATUS_IGNORE);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  for (int i = 0; i < count; i++) total += from[i];
  MPI_Allreduce(MPI_IN_PLACE, &total, 1, MPI_INT, MPI_SUM, copy);
  MPI_Barrier(copy);
  if (rank == 0) printf("%d\n", total);
  free(data);
  free(from);
  MPI_Comm_free(&copy);
  MPI_Finalize();
  return 0;
}
