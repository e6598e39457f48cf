/* Buffers of pending receives that are read too early in some executions only. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 8, TIMES = 40000 };

int main(int argc, char **argv)
{
    const char *wrong = argc > 1 ? argv[1] : "";
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0) {
        int values[MOST] = {0}, sum = 0, flag = 0, first_is_last = 0;
        volatile int beside[2] = {0};
        MPI_Request requests[MOST];
        for (int from = 1; from < size; from++)
            MPI_Irecv(&values[from], 1, MPI_INT, from, 1, MPI_COMM_WORLD, &requests[from - 1]);
        if (!strcmp(wrong, "beside"))
            for (int turn = 0; turn < TIMES; turn++)
                beside[0] += turn;
        for (int number = 1; number < size; number++) {
            int which;
            MPI_Waitany(size - 1, requests, &which, MPI_STATUS_IGNORE);
            first_is_last |= number == 1 && which == size - 2;
            int taken = !strcmp(wrong, "index") ? number : which + 1;
            sum += values[taken];
        }
        /* Too many only if the messages of the others came in another order. */
        int short_of[2] = {0}, count = !strcmp(wrong, "count") && first_is_last ? 3 : 2;
        MPI_Bcast(short_of, count, MPI_INT, 0, MPI_COMM_SELF);
        MPI_Request last;
        MPI_Irecv(&values[0], 1, MPI_INT, 1, 2, MPI_COMM_WORLD, &last);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Test(&last, &flag, MPI_STATUS_IGNORE);
        if (!strcmp(wrong, "flag") || flag)
            sum += values[0];
        if (!flag)
            MPI_Wait(&last, MPI_STATUS_IGNORE);
        printf("%d\n", sum);
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
        if (rank == 1)
            MPI_Send(&size, 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
