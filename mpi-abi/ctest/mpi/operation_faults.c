/* What goes wrong in the function of an operation, by the first argument: it is the rank's fault. */
#include "check.h"

static const char *how;

static void faulty(void *in, void *inout, int *length, MPI_Datatype *type) {
    (void)type;
    for (int i = 0; i < *length; i++)
        ((int *)inout)[i] += ((int *)in)[i];
    if (strcmp(how, "time") == 0)
        CHECK(MPI_Wtime() >= 0);
    if (strcmp(how, "exit") == 0)
        exit(3);
    if (strcmp(how, "abort") == 0)
        MPI_Abort(MPI_COMM_WORLD, 7);
    if (strcmp(how, "strike") == 0)
        *(volatile int *)8 = 1;
    if (strcmp(how, "error") == 0)
        MPI_Type_size(MPI_DATATYPE_NULL, length);
    if (strcmp(how, "communicate") == 0)
        MPI_Barrier(MPI_COMM_SELF);
}

int main(int argc, char **argv) {
    int sum = 0;
    MPI_Op op;
    begin(&argc, &argv);
    how = argv[1];
    MPI_Op_create(faulty, 1, &op);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, op, MPI_COMM_WORLD);
    CHECK(sum == size * (size - 1) / 2);
    MPI_Op_free(&op);
    MPI_Finalize();
    return 0;
}
