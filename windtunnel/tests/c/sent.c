/* Sends from rank 0 to all others, or combines, as many bytes as asked, in the way that is asked for. */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

/* A message has its size, whatever is left out of it. */
static void expect(MPI_Status *status, int count)
{
    int found;
    MPI_Get_count(status, MPI_CHAR, &found);
    if (found != count)
        MPI_Abort(MPI_COMM_WORLD, 3);
}

int main(int argc, char **argv)
{
    MPI_Status status;
    MPI_Init(&argc, &argv);
    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const char *way = argv[1];
    int count = atoi(argv[2]);
    char *data = calloc(count, 1), *other = calloc(count, 1);
    MPI_Request request;
    if (!strcmp(way, "bcast"))
        MPI_Bcast(data, count, MPI_CHAR, 0, MPI_COMM_WORLD);
    if (!strcmp(way, "ibcast")) {
        MPI_Ibcast(data, count, MPI_CHAR, 0, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    if (!strcmp(way, "allreduce"))
        MPI_Allreduce(data, other, count / 8, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    int left = (rank + size - 1) % size, right = (rank + 1) % size;
    if (!strcmp(way, "sendrecv")) {
        MPI_Sendrecv(data, count, MPI_CHAR, right, 0, other, count, MPI_CHAR, left, 0, MPI_COMM_WORLD, &status);
        expect(&status, count);
    }
    MPI_Datatype vector;
    MPI_Type_vector(count / 4, 2, 4, MPI_CHAR, &vector);
    MPI_Type_commit(&vector);
    for (int to = 1; to < size; to++) {
        if (rank > 0 && rank != to)
            continue;
        int sends = rank == 0, peer = sends ? to : 0;
        if (!strcmp(way, "send")) {
            if (sends)
                MPI_Send(data, count, MPI_CHAR, peer, 0, MPI_COMM_WORLD);
            else
                MPI_Recv(data, count, MPI_CHAR, peer, 0, MPI_COMM_WORLD, &status), expect(&status, count);
        }
        if (!strcmp(way, "vector")) {
            if (sends)
                MPI_Ssend(data, 1, vector, peer, 0, MPI_COMM_WORLD);
            else
                MPI_Recv(data, 1, vector, peer, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
        if (!strcmp(way, "isend")) {
            if (sends)
                MPI_Isend(data, count, MPI_CHAR, peer, 0, MPI_COMM_WORLD, &request);
            else
                MPI_Irecv(data, count, MPI_CHAR, peer, 0, MPI_COMM_WORLD, &request);
            MPI_Wait(&request, &status);
            if (!sends)
                expect(&status, count);
        }
        if (!strcmp(way, "persistent")) {
            if (sends)
                MPI_Send_init(data, count, MPI_CHAR, peer, 0, MPI_COMM_WORLD, &request);
            else
                MPI_Recv_init(data, count, MPI_CHAR, peer, 0, MPI_COMM_WORLD, &request);
            MPI_Start(&request);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
            MPI_Request_free(&request);
        }
    }
    MPI_Type_free(&vector);
    free(data);
    free(other);
    MPI_Finalize();
    return 0;
}
