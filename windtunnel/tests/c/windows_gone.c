/* Ranks use memory of a window that they have freed, after they have made another one: the first argument says of which
   kind it is, the second one what they do. */
#include <mpi.h>
#include <string.h>

static MPI_Win window;

static volatile int *make(const char *kind) {
    int *memory;
    if (!strcmp(kind, "shared"))
        MPI_Win_allocate_shared(8, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
    else
        MPI_Win_allocate(8, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
    return memory;
}

int main(int argc, char **argv) {
    int value = 3;
    MPI_Init(&argc, &argv);
    volatile int *memory = make(argv[1]);
    memory[1] = value;
    MPI_Win_free(&window);
    make(argv[1]);
    if (!strcmp(argv[2], "load"))
        value = memory[1];
    if (!strcmp(argv[2], "store"))
        memory[1] = 4;
    if (!strcmp(argv[2], "send"))
        MPI_Sendrecv((int *)memory + 1, 1, MPI_INT, 0, 0, &value, 1, MPI_INT, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    MPI_Win_free(&window);
    MPI_Finalize();
    return value - 3;
}
