/* Columns of a grid go round among half of the ranks: derived type, persistent requests, split communicator. */
#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv) {
  int rank, size, half, position;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm row;
  MPI_Datatype column;
  MPI_Request request[2];
  double grid[4][5] = {{0}}, total, sums[8] = {0};
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &row);
  MPI_Comm_rank(row, &position);
  MPI_Comm_size(row, &half);
  MPI_Type_vector(4, 1, 5, MPI_DOUBLE, &column);
  MPI_Type_commit(&column);
  for (int i = 0; i < 4; i++) grid[i][3] = rank + i;
  MPI_Send_init(&grid[0][3], 1, column, (position + 1) % half, 3, row, &request[0]);
  MPI_Recv_init(&grid[0][0], 1, column, (position + half - 1) % half, 3, row, &request[1]);
  for (int step = 0; step < 3; step++) {
    MPI_Startall(2, request);
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    for (int i = 0; i < 4; i++) grid[i][3] += grid[i][0];
  }
  MPI_Request_free(&request[0]);
  MPI_Request_free(&request[1]);
  MPI_Allreduce(&grid[2][3], &total, 1, MPI_DOUBLE, MPI_SUM, row);
  MPI_Gather(&total, 1, MPI_DOUBLE, sums, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("%.1f %.1f\n", sums[0], sums[1]);
  MPI_Type_free(&column);
  MPI_Comm_free(&row);
  MPI_Finalize();
  return 0;
}
