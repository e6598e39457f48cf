/* Collectives of basic types: on the short path and, while the rank has a window, on the general one, with
   the same results at the same times. With an argument, a reduction writes to the buffer of a pending
   receive. */
#include <mpi.h>
#include <stdlib.h>

enum { COUNT = 20 };

static int me, size;

static void expect(int holds)
{
    if (!holds)
        MPI_Abort(MPI_COMM_WORLD, __COUNTER__ + 1);
}

static void fill(int *data, int by)
{
    for (int at = 0; at < COUNT; at++)
        data[at] = at + by * (me + 1);
}

/* The sum of what `fill` gives all ranks. */
static void expect_sum(const int *data, int by)
{
    for (int at = 0; at < COUNT; at++)
        expect(data[at] == at * size + by * size * (size + 1) / 2);
}

static double rounds(MPI_Comm comm)
{
    int mine[COUNT], all[COUNT], code;
    MPI_Barrier(comm);
    double start = MPI_Wtime();
    for (int root = 0; root < size; root++) {
        fill(mine, root);
        MPI_Reduce(mine, all, COUNT, MPI_INT, MPI_SUM, root, comm);
        if (root == me)
            expect_sum(all, root);
        MPI_Reduce(root == me ? MPI_IN_PLACE : mine, root == me ? mine : NULL, COUNT, MPI_INT, MPI_SUM,
                   root, comm);
        if (root == me)
            expect_sum(mine, root);
        MPI_Bcast(mine, COUNT, MPI_INT, root, comm);
        MPI_Bcast(NULL, 0, MPI_INT, root, comm);
        fill(mine, 7);
        MPI_Allreduce(mine, all, COUNT, MPI_INT, MPI_SUM, comm);
        expect_sum(all, 7);
        MPI_Allreduce(MPI_IN_PLACE, mine, COUNT, MPI_INT, MPI_SUM, comm);
        expect_sum(mine, 7);
        MPI_Allreduce(NULL, NULL, 0, MPI_INT, MPI_SUM, comm);
        MPI_Barrier(comm);
    }
    double time = MPI_Wtime() - start;
    /* What is wrong has the same errors, and no effect. */
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    code = MPI_Allreduce(mine, mine, COUNT, MPI_INT, MPI_SUM, comm);
    MPI_Error_class(code, &code);
    expect(code == MPI_ERR_BUFFER);
    code = MPI_Allreduce(mine, all, COUNT, MPI_INT, MPI_REPLACE, comm);
    MPI_Error_class(code, &code);
    expect(code == MPI_ERR_OP);
    code = MPI_Allreduce(mine, all, COUNT, MPI_INT, MPI_MINLOC, comm);
    MPI_Error_class(code, &code);
    expect(code == MPI_ERR_OP);
    code = MPI_Reduce(mine, all, COUNT, MPI_INT, MPI_SUM, size, comm);
    MPI_Error_class(code, &code);
    expect(code == MPI_ERR_ROOT);
    code = MPI_Bcast(mine, COUNT, MPI_INT, -1, comm);
    MPI_Error_class(code, &code);
    expect(code == MPI_ERR_ROOT);
    code = MPI_Bcast(mine, -1, MPI_INT, 0, comm);
    MPI_Error_class(code, &code);
    expect(code == MPI_ERR_COUNT);
    return time;
}

static void owned(MPI_Comm comm)
{
    int mine = me, all = 0;
    MPI_Request request;
    MPI_Irecv(&all, 1, MPI_INT, me, 0, comm, &request);
    MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_SUM, comm);
    MPI_Send(&mine, 1, MPI_INT, me, 0, comm);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    static int memory[4];
    MPI_Comm other;
    MPI_Win window;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (argc > 1)
        owned(MPI_COMM_WORLD);
    MPI_Comm_dup(MPI_COMM_WORLD, &other);
    rounds(MPI_COMM_WORLD);
    double before = rounds(other);
    MPI_Win_create(memory, sizeof memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    rounds(MPI_COMM_WORLD);
    double after = rounds(other);
    MPI_Win_free(&window);
    expect(after - before < 1e-9 && before - after < 1e-9);
    MPI_Comm_free(&other);
    MPI_Finalize();
    return 0;
}
