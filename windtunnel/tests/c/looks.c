/* Ranks that work look for messages, or read a table of another rank, again and again; with a second argument they wait for
   what never comes, and count their looks. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { ENTRIES = 1000 };

static double probes(long looks)
{
    double sum = 0;
    for (long look = 0; look < looks; look++) {
        int flag;
        sum += 1.0 / (double)(look + 1);
        MPI_Iprobe(MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
        if (flag)
            MPI_Recv(NULL, 0, MPI_INT, MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    return sum;
}

static double gets(long looks, int other)
{
    double *table, value, sum = 0;
    MPI_Win window;
    MPI_Win_allocate(ENTRIES * sizeof(double), sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &table, &window);
    for (int entry = 0; entry < ENTRIES; entry++)
        table[entry] = entry;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(0, window);
    for (long look = 0; look < looks; look++) {
        MPI_Get(&value, 1, MPI_DOUBLE, other, look * 7919 % ENTRIES, 1, MPI_DOUBLE, window);
        MPI_Win_flush(other, window);
        sum += value;
    }
    MPI_Win_unlock_all(window);
    MPI_Win_free(&window);
    return sum;
}

static double waits(int other)
{
    int flag = 0, data;
    long looks = 0;
    MPI_Request request;
    MPI_Irecv(&data, 1, MPI_INT, other, 3, MPI_COMM_WORLD, &request);
    for (; !flag; looks++)
        MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
    return (double)looks;
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int other = (rank + 1) % size;
    long looks = argc > 2 ? atol(argv[2]) : 0;
    double sum = argv[1][0] == 'p' ? probes(looks) : argv[1][0] == 'g' ? gets(looks, other) : waits(other);
    MPI_Barrier(MPI_COMM_WORLD);
    printf("%g\n", sum);
    MPI_Finalize();
    return 0;
}
