/* Ranks use every second element of windows in which others write those between them; an argument lets them use the same. */
#include <mpi.h>
#include <stdio.h>

enum { COUNT = 128, ROWS = 3 };

/* Rank 0 puts every second element of the memory of the others, who sum up the rest meanwhile. */
static double sum_beside_puts(int rank, int size, int first)
{
    double *memory, *values, sum = 0;
    MPI_Win window;
    MPI_Datatype every_second;
    MPI_Win_allocate(2 * COUNT * sizeof(double), sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &memory,
                     &window);
    MPI_Alloc_mem(COUNT * sizeof(double), MPI_INFO_NULL, &values);
    for (int at = 0; at < COUNT; at++)
        values[at] = at;
    for (int at = 0; at < 2 * COUNT; at++)
        memory[at] = at;
    MPI_Type_vector(COUNT, 1, 2, MPI_DOUBLE, &every_second);
    MPI_Type_commit(&every_second);
    MPI_Win_fence(0, window);
    for (int target = 1; rank == 0 && target < size; target++)
        MPI_Put(values, COUNT, MPI_DOUBLE, target, first, 1, every_second, window);
    for (int at = 0; rank > 0 && at < COUNT; at++)
        sum += memory[2 * at];
    MPI_Win_fence(0, window);
    sum += memory[1];
    MPI_Type_free(&every_second);
    MPI_Free_mem(values);
    MPI_Win_free(&window);
    return sum;
}

/* Red-black relaxation of rows that the ranks share: each uses the rows of its neighbours beside its own. */
static double relax(int rank, int size, int same)
{
    double *own, *above = NULL, *below = NULL, sum = 0;
    MPI_Win window;
    MPI_Aint bytes;
    int unit;
    MPI_Win_allocate_shared(ROWS * COUNT * sizeof(double), sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD,
                            &own, &window);
    for (int at = 0; at < ROWS * COUNT; at++)
        own[at] = rank + at % 7;
    if (rank > 0) {
        MPI_Win_shared_query(window, rank - 1, &bytes, &unit, &above);
        above += (ROWS - 1) * COUNT;
    }
    if (rank + 1 < size)
        MPI_Win_shared_query(window, rank + 1, &bytes, &unit, &below);
    MPI_Win_fence(0, window);
    for (int half = 0; half < 4; half++) {
        for (int row = 0; row < ROWS; row++) {
            double *up = row ? own + (row - 1) * COUNT : above, *at = own + row * COUNT;
            double *down = row < ROWS - 1 ? own + (row + 1) * COUNT : below;
            if (!up || !down)
                continue;
            for (int column = 1 + (row + ROWS * rank + half) % 2; column < COUNT - 1; column += 2)
                at[column] = 0.25 * (up[column] + down[column] + at[column - 1] + at[column + 1]);
        }
        if (!same)
            MPI_Win_fence(0, window);
    }
    MPI_Win_fence(0, window);
    for (int at = 0; at < ROWS * COUNT; at++)
        sum += own[at];
    MPI_Win_free(&window);
    return sum;
}

int main(int argc, char **argv)
{
    int rank, size;
    double sums[2], all[2];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    sums[0] = sum_beside_puts(rank, size, argc > 1 && argv[1][0] == 'p' ? 0 : 1);
    sums[1] = relax(rank, size, argc > 1 && argv[1][0] == 's');
    MPI_Reduce(sums, all, 2, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%g %g\n", all[0], all[1]);
    MPI_Finalize();
    return 0;
}
