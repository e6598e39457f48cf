/* Buffers of operations with MPI_PROC_NULL, which have no effect: the program uses them meanwhile. */
#include <mpi.h>

/* The ends of a row set their boundary values while the exchange is under way. */
static int halo(int rank, int size)
{
    double row[6] = {0};
    int left = rank ? rank - 1 : MPI_PROC_NULL, right = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
    MPI_Request requests[4];
    row[1] = row[4] = rank;
    MPI_Irecv(&row[0], 1, MPI_DOUBLE, left, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(&row[5], 1, MPI_DOUBLE, right, 1, MPI_COMM_WORLD, &requests[1]);
    MPI_Isend(&row[1], 1, MPI_DOUBLE, left, 1, MPI_COMM_WORLD, &requests[2]);
    MPI_Isend(&row[4], 1, MPI_DOUBLE, right, 0, MPI_COMM_WORLD, &requests[3]);
    if (left == MPI_PROC_NULL) row[0] = 100, row[1] = 7;
    if (right == MPI_PROC_NULL) row[5] = 200;
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    return row[0] != (rank ? rank - 1 : 100) || row[5] != (rank < size - 1 ? rank + 1 : 200);
}

/* Two receives have the same buffer, of a derived type too, and a persistent one is used after its start. */
static int dummies(void)
{
    int values[4] = {1, 2, 3, 4};
    MPI_Request requests[4];
    MPI_Datatype pairs;
    MPI_Type_vector(2, 1, 2, MPI_INT, &pairs);
    MPI_Type_commit(&pairs);
    MPI_Irecv(values, 4, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(values, 1, pairs, MPI_PROC_NULL, 1, MPI_COMM_WORLD, &requests[1]);
    MPI_Recv_init(values, 4, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &requests[2]);
    MPI_Start(&requests[2]);
    values[0] = 5;
    MPI_Isendrecv_replace(values, 4, MPI_INT, MPI_PROC_NULL, 0, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &requests[3]);
    values[1] = 6;
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    MPI_Request_free(&requests[2]);
    MPI_Type_free(&pairs);
    return values[0] != 5 || values[1] != 6 || values[3] != 4;
}

int main(int argc, char **argv)
{
    int rank, size, wrong;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    wrong = halo(rank, size) + dummies();
    MPI_Finalize();
    return wrong;
}
