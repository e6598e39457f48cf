/* Starts as many workers as there is room for: each sends the number of its node. */
#include <mpi.h>
#include <stdio.h>

static void work(MPI_Comm manager) {
    char name[MPI_MAX_PROCESSOR_NAME];
    int rank, length;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Get_processor_name(name, &length);
    printf("worker %d on %s\n", rank, name);
    MPI_Send(&rank, 1, MPI_INT, 0, 0, manager);
    MPI_Comm_disconnect(&manager);
}

int main(int argc, char **argv) {
    MPI_Comm other;
    int *universe, there, rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_get_parent(&other);
    if (other != MPI_COMM_NULL) {
        work(other);
    } else {
        MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_UNIVERSE_SIZE, &universe, &there);
        MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, *universe - 1, MPI_INFO_NULL, 0, MPI_COMM_WORLD,
                       &other, MPI_ERRCODES_IGNORE);
        for (int worker = 0; worker < *universe - 1; worker++)
            MPI_Recv(&rank, 1, MPI_INT, worker, 0, other, MPI_STATUS_IGNORE);
        printf("all %d have worked\n", *universe - 1);
        MPI_Comm_disconnect(&other);
    }
    MPI_Finalize();
    return 0;
}
