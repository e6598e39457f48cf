/* Arrays of variable length, and doubles that lie behind them. */
#include <mpi.h>
#include <string.h>

static int rank;

static double exchange(int length, int count)
{
    double behind[16] = {0};
    int values[length];
    memset(values, 0, sizeof values);
    behind[rank] = rank;
    if (rank == 0)
        MPI_Recv(values, count, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    else
        MPI_Send(values, length, MPI_INT, 0, 0, MPI_COMM_WORLD);
    return behind[rank] + values[0];
}

/* The second array is not there yet when the first one is used. */
static double one_after_the_other(int length)
{
    double sum = 0;
    for (int round = 0; round < 3; round++) {
        int first[length * (3 - round)];
        memset(first, 0, sizeof first);
        MPI_Bcast(first, length * (3 - round), MPI_INT, 0, MPI_COMM_WORLD);
        short second[length + round];
        memset(second, 0, sizeof second);
        MPI_Bcast(second, length + round, MPI_SHORT, 0, MPI_COMM_WORLD);
        sum += first[0] + second[0];
    }
    return sum;
}

static double as_other_type(int length)
{
    int values[length];
    memset(values, 0, sizeof values);
    MPI_Bcast(values, length, MPI_FLOAT, 0, MPI_COMM_WORLD);
    return values[0];
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "";
    double sum;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (!strcmp(how, "short"))
        sum = exchange(4, 28);
    else if (!strcmp(how, "type"))
        sum = as_other_type(4);
    else
        sum = exchange(4, 4) + one_after_the_other(5);
    MPI_Finalize();
    return sum > 100;
}
