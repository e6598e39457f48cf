/* Rank 1 reads much too early: a column that it receives (line 19), or its window while rank 0 puts into it (line 29). */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

static double grid[1000][4];
static int words[20000];

int main(int argc, char **argv) {
    int rank, at, one = 1;
    double sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (!strcmp(argv[1], "column")) {
        MPI_Datatype column;
        MPI_Request request = MPI_REQUEST_NULL;
        MPI_Type_vector(1000, 1, 4, MPI_DOUBLE, &column), MPI_Type_commit(&column);
        if (rank == 1) MPI_Irecv(&grid[0][0], 1, column, 0, 0, MPI_COMM_WORLD, &request);
        for (at = 0; rank == 1 && at < 1000; at++) sum += grid[at][1] + grid[at][0];
        if (rank == 0) MPI_Send(&grid[0][2], 1, column, 1, 0, MPI_COMM_WORLD);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Type_free(&column);
    } else {
        MPI_Win window;
        MPI_Win_create(words, sizeof words, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
        MPI_Win_fence(0, window);
        if (rank == 0) MPI_Put(&one, 1, MPI_INT, 1, 19999, 1, MPI_INT, window);
        for (at = 0; rank == 1 && at < 20000; at++)
            sum += words[at];
        MPI_Win_fence(0, window);
        MPI_Win_free(&window);
    }
    if (sum > 1) printf("%g\n", sum);
    MPI_Finalize();
    return 0;
}
