/* The function of a reduction operation uses memory that is not there, or writes beyond its stack. */
#include <mpi.h>
#include <string.h>

static int beyond;

static void combine(void *from, void *into, int *count, MPI_Datatype *type) {
    volatile char small[8];
    volatile int at;
    if (!beyond) *(volatile int *)8 = 1;
    for (at = 0; at < 1 << 20; at++) small[at] = 'x';
}

int main(int argc, char **argv) {
    int one = 1, sum;
    MPI_Op operation;
    MPI_Init(&argc, &argv);
    beyond = !strcmp(argv[1], "beyond");
    MPI_Op_create(combine, 1, &operation);
    MPI_Allreduce(&one, &sum, 1, MPI_INT, operation, MPI_COMM_WORLD);
    MPI_Op_free(&operation);
    MPI_Finalize();
    return 0;
}
