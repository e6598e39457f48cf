/* Ends itself with an error code in a function, or without MPI_Finalize. */
#include <mpi.h>
#include <stdlib.h>
#include <unistd.h>

static void give_up(int at_once) {
    if (at_once)
        _exit(4);
    exit(3);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    if (argc < 3)
        give_up(argc > 1);
    if (argc > 3)
        exit(0);
    MPI_Finalize();
    return 5;
}
