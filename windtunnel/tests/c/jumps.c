/* Jumps out of an error handler, and saves its mask of signals, while memory is looked at. With "read", "loads", "saved" or
   "freed" a rank then uses what belongs to an operation. */
#include <mpi.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

static jmp_buf place;
static sigjmp_buf masked;

static void leave(MPI_Comm *comm, int *code, ...)
{
    (void)comm;
    (void)code;
    longjmp(place, 1);
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    int rank, size, one = 1, *values = calloc(8, sizeof(int));
    MPI_Comm own;
    MPI_Errhandler handler;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int next = (rank + 1) % size, before = (rank + size - 1) % size;
    MPI_Comm_create_errhandler(leave, &handler);
    MPI_Comm_dup(MPI_COMM_SELF, &own);
    MPI_Comm_set_errhandler(own, handler);
    MPI_Errhandler_free(&handler);
    if (strcmp(what, "saved") && !setjmp(place)) MPI_Bcast(NULL, 0, MPI_INT, 5, own);
    MPI_Comm_free(&own);
    if (!strcmp(what, "loads")) {
        MPI_Win window;
        MPI_Win_create(values, 8 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
        MPI_Win_fence(0, window);
        MPI_Put(&one, 1, MPI_INT, next, 1, 1, MPI_INT, window);
        if (values[1] == 77) abort();
        MPI_Win_fence(0, window);
        MPI_Win_free(&window);
    }
    MPI_Irecv(values, 8, MPI_INT, before, 4, MPI_COMM_WORLD, &request);
    if (sigsetjmp(masked, 1)) abort();
    if ((!strcmp(what, "read") || !strcmp(what, "saved")) && values[1] == 77) abort();
    if (!strcmp(what, "freed")) free(values);
    MPI_Send(&one, 1, MPI_INT, next, 4, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (strcmp(what, "freed")) free(values);
    MPI_Finalize();
    return 0;
}
