/* A reduction function that is struck by a signal. */
#include "check.h"
static void strike(void *in, void *inout, int *count, MPI_Datatype *type) {
    *(int *)8 = *count; /* line 4 */
}
int main(int argc, char **argv) {
    int data = 1, sum;
    MPI_Op op;
    begin(&argc, &argv);
    MPI_Op_create(strike, 1, &op);
    MPI_Allreduce(&data, &sum, 1, MPI_INT, op, MPI_COMM_WORLD);
    MPI_Op_free(&op);
    MPI_Finalize();
    return 0;
}
