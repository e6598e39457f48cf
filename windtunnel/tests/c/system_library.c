/* A variable in a library of the system is set by one rank, and seen by no other. The functions are those of GMP, which compilers
   need themselves. */
#include <mpi.h>
#include <stdlib.h>

typedef void *(*Allocate)(size_t);
typedef void *(*Reallocate)(void *, size_t, size_t);
typedef void (*Release)(void *, size_t);

void __gmp_set_memory_functions(Allocate, Reallocate, Release);
void __gmp_get_memory_functions(Allocate *, Reallocate *, Release *);

static void *own(size_t bytes)
{
    return malloc(bytes);
}

int main(int argc, char **argv)
{
    int rank, wrong;
    Allocate present;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        __gmp_set_memory_functions(own, NULL, NULL);
    MPI_Barrier(MPI_COMM_WORLD);
    __gmp_get_memory_functions(&present, NULL, NULL);
    wrong = (present == own) != (rank == 0);
    if (wrong)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Finalize();
    return 0;
}
