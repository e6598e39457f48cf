/* Product of matrices by rows: broadcast, scatter, gather. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#define N 12
int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int rows = N / size;
  float *a = NULL, *c = NULL, b[N][N];
  float *mine = malloc(rows * N * sizeof(float)), *part = malloc(rows * N * sizeof(float));
  if (rank == 0) {
    a = malloc(N * N * sizeof(float));
    c = malloc(N * N * sizeof(float));
    for (int i = 0; i < N * N; i++) a[i] = i % 7, b[i / N][i % N] = i % 5;
  }
  MPI_Bcast(b, N * N, MPI_FLOAT, 0, MPI_COMM_WORLD);
  MPI_Scatter(a, rows * N, MPI_FLOAT, mine, rows * N, MPI_FLOAT, 0, MPI_COMM_WORLD);
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < N; j++) {
      part[i * N + j] = 0;
      for (int k = 0; k < N; k++) part[i * N + j] += mine[i * N + k] * b[k][j];
    }
  MPI_Gather(part, rows * N, MPI_FLOAT, c, rows * N, MPI_FLOAT, 0, MPI_COMM_WORLD);
  if (rank == 0) {
    float s = 0;
    for (int i = 0; i < N * N; i++) s += c[i] * (i % 3);
    printf("%.1f\n", s);
    free(a);
    free(c);
  }
  free(mine);
  free(part);
  MPI_Finalize();
  return 0;
}
