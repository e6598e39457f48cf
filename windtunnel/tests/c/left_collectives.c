/* Collective calls that fail on rank 1 alone, which does not look at their codes. The argument says in which way. */
#include <mpi.h>
#include <string.h>

static int copy(MPI_Comm comm, int key, void *extra, void *value, void *place, int *flag)
{
    (void)comm, (void)key, (void)extra, (void)value, (void)place;
    *flag = 0;
    return MPI_ERR_OTHER;
}

/* Rank 1 fails in the copy function of its attribute. */
static void duplicate(int rank)
{
    MPI_Comm made = MPI_COMM_NULL;
    int key;
    MPI_Comm_create_keyval(copy, MPI_COMM_NULL_DELETE_FN, &key, NULL);
    if (rank == 1) MPI_Comm_set_attr(MPI_COMM_WORLD, key, &key);
    MPI_Comm_dup(MPI_COMM_WORLD, &made);
    if (made != MPI_COMM_NULL) MPI_Comm_free(&made);
    MPI_Comm_free_keyval(&key);
}

static int broadcast(int *values, int count)
{
    return MPI_Bcast(values, count, MPI_INT, 0, MPI_COMM_WORLD);
}

static int sum(int *values)
{
    int all;
    return MPI_Allreduce(values, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    int rank, values[2] = {0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    if (!strcmp(what, "duplicates")) {
        duplicate(rank);
    } else {
        /* Neither the first nor the last error of its rank. */
        if (strstr(what, "between") && rank == 1) MPI_Send(values, 1, MPI_INT, 7, 0, MPI_COMM_WORLD);
        broadcast(values, rank == 1 ? -1 : 1);
        if (strstr(what, "between") && rank == 1) MPI_Send(values, 1, MPI_INT, 8, 0, MPI_COMM_WORLD);
        if (strstr(what, "again"))
            broadcast(values, 2);
        else
            sum(values);
    }
    MPI_Finalize();
    return 0;
}
