/* A rod that cools: nonblocking exchange of borders, and a sum. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
  int rank, size, n = 20;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  double *u = calloc(n + 2, sizeof *u), *v = calloc(n + 2, sizeof *v), all, sum;
  int up = rank + 1 < size ? rank + 1 : MPI_PROC_NULL, down = rank > 0 ? rank - 1 : MPI_PROC_NULL;
  for (int i = 1; i <= n; i++) u[i] = rank * n + i;
  for (int step = 0; step < 4; step++) {
    MPI_Request request[4];
    MPI_Irecv(&u[0], 1, MPI_DOUBLE, down, 1, MPI_COMM_WORLD, &request[0]);
    MPI_Irecv(&u[n + 1], 1, MPI_DOUBLE, up, 2, MPI_COMM_WORLD, &request[1]);
    MPI_Isend(&u[n], 1, MPI_DOUBLE, up, 1, MPI_COMM_WORLD, &request[2]);
    MPI_Isend(&u[1], 1, MPI_DOUBLE, down, 2, MPI_COMM_WORLD, &request[3]);
    MPI_Waitall(4, request, MPI_STATUSES_IGNORE);
    for (int i = 1; i <= n; i++) v[i] = (u[i - 1] + u[i] + u[i + 1]) / 3;
    double *t = u; u = v; v = t;
  }
  sum = 0;
  for (int i = 1; i <= n; i++) sum += u[i];
  MPI_Reduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("%.6f\n", all);
  free(u);
  free(v);
  MPI_Finalize();
  return 0;
}
