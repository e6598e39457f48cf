/* Half a round trip, the rate of a window of messages, and the same from several pairs, printed in the
   form of common benchmarks. The first argument chooses: latency, bandwidth or pairs. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST = 1 << 20, WINDOW = 64, ROUNDS = 4 };

static char *data;

static void latency(int rank) {
  if (rank == 0) printf("# OSU MPI Latency Test v0\n# Size          Latency (us)\n");
  for (int n = 1; n <= LARGEST; n *= 2) {
    double start = 0;
    for (int round = 0; round <= ROUNDS; round++) {
      if (round == 1) start = MPI_Wtime();
      if (rank == 0) {
        MPI_Send(data, n, MPI_CHAR, 1, 1, MPI_COMM_WORLD);
        MPI_Recv(data, n, MPI_CHAR, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      } else {
        MPI_Recv(data, n, MPI_CHAR, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(data, n, MPI_CHAR, 0, 1, MPI_COMM_WORLD);
      }
    }
    if (rank == 0) printf("%-10d %12.3f\n", n, (MPI_Wtime() - start) * 1e6 / (2 * ROUNDS));
  }
}

static void stream(int rank, int pairs, int largest) {
  MPI_Request requests[WINDOW];
  if (rank == 0 && pairs == 1)
    printf("# OSU MPI Bandwidth Test v0\n# Size      Bandwidth (MB/s)\n");
  if (rank == 0 && pairs > 1)
    printf("# OSU MPI Multiple Bandwidth / Message Rate Test\n# [ pairs: %d ] [ window size: %d ]\n"
           "# Size                  MB/s        Messages/s\n", pairs, WINDOW);
  for (int n = 1; n <= largest; n *= 2) {
    double start = 0, mine, longest;
    char sign[4];
    for (int round = 0; round <= ROUNDS; round++) {
      if (round == 1) {
        MPI_Barrier(MPI_COMM_WORLD);
        start = MPI_Wtime();
      }
      if (rank < pairs) {
        for (int i = 0; i < WINDOW; i++)
          MPI_Isend(data, n, MPI_CHAR, rank + pairs, 1, MPI_COMM_WORLD, &requests[i]);
        MPI_Waitall(WINDOW, requests, MPI_STATUSES_IGNORE);
        MPI_Recv(sign, 4, MPI_CHAR, rank + pairs, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      } else {
        for (int i = 0; i < WINDOW; i++)
          MPI_Irecv(data + (size_t)i * n, n, MPI_CHAR, rank - pairs, 1, MPI_COMM_WORLD, &requests[i]);
        MPI_Waitall(WINDOW, requests, MPI_STATUSES_IGNORE);
        MPI_Send(sign, 4, MPI_CHAR, rank - pairs, 2, MPI_COMM_WORLD);
      }
    }
    mine = MPI_Wtime() - start;
    MPI_Reduce(&mine, &longest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank) continue;
    double messages = (double)pairs * WINDOW * ROUNDS / longest;
    if (pairs > 1) printf("%-10d %16.4f %16.4f\n", n, messages * n / 1e6, messages);
    else printf("%-10d %16.4f\n", n, messages * n / 1e6);
  }
}

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  data = calloc(WINDOW, LARGEST);
  if (argc > 1 && strcmp(argv[1], "latency") == 0) latency(rank);
  else stream(rank, size / 2, size > 2 ? 65536 : LARGEST);
  free(data);
  MPI_Finalize();
  return 0;
}
