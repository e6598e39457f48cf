/* Reads clocks and sleeps while receives into variables on the stack are under way. */
#include <mpi.h>
#include <stdio.h>
#include <sys/time.h>
#include <time.h>

int main(int argc, char **argv) {
    int rank, size, value[4] = {0}, number = 7;
    double begun;
    struct timeval now;
    struct timespec pause = {0, 4000}, told;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Irecv(value, 4, MPI_INT, (rank + size - 1) % size, 0, MPI_COMM_WORLD, &request);
    begun = MPI_Wtime();
    gettimeofday(&now, NULL);
    clock_gettime(CLOCK_MONOTONIC, &told);
    nanosleep(&pause, NULL);
    while (MPI_Wtime() < begun + 1e-5)
        ;
    MPI_Send(&number, 1, MPI_INT, (rank + 1) % size, 0, MPI_COMM_WORLD);
    nanosleep(&pause, NULL);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (value[0] != 7)
        printf("rank %d received %d\n", rank, value[0]);
    MPI_Finalize();
    return 0;
}
