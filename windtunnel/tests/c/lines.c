/* The first finding about a case names its lines that end with HERE, and no other of the case. */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

#define HERE

static int rank, a[64], b[64], tiny[2];
static MPI_Request request;

/* Rank 1 is in MPI_Finalize when the root finds out. */
static void other_count_in_a_gather(void) {
    if (rank == 1)
        MPI_Gather(a, 3, MPI_INT, b, 4, MPI_INT, 0, MPI_COMM_WORLD); HERE
    else
        MPI_Gather(a, 4, MPI_INT, b, 4, MPI_INT, 0, MPI_COMM_WORLD); HERE
}

static void other_count_in_a_scatter(void) {
    if (rank == 1)
        MPI_Iscatter(a, 4, MPI_INT, b, 3, MPI_INT, 0, MPI_COMM_WORLD, &request); HERE
    else
        MPI_Iscatter(a, 4, MPI_INT, b, 4, MPI_INT, 0, MPI_COMM_WORLD, &request); HERE
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void persistent_collectives_differ(void) {
    if (rank == 1)
        MPI_Bcast_init(a, 3, MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request); HERE
    else
        MPI_Bcast_init(a, 4, MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request); HERE
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
}

static void persistent_call_differs_from_itself(void) {
    int counts[2] = {4, 4}, places[2] = {0, 4};
    MPI_Allgatherv_init(a, 3 + (rank == 0), MPI_INT, b, counts, places, MPI_INT, MPI_COMM_WORLD, MPI_INFO_NULL, &request); HERE
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
}

static void persistent_messages_differ(void) {
    if (rank == 0)
        MPI_Send_init(a, 4, MPI_INT, 1, 0, MPI_COMM_WORLD, &request); HERE
    else
        MPI_Recv_init(b, 2, MPI_INT, 0, 0, MPI_COMM_WORLD, &request); HERE
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
}

static void persistent_buffer_is_short(void) {
    MPI_Bcast_init(tiny, 4, MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request); HERE
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
}

static void persistent_request_stays(void) {
    MPI_Recv_init(b, 4, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &request); HERE
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void buffered_message_is_not_received(void) {
    int bytes;
    char *room = malloc(4096);
    if (rank == 1) return;
    MPI_Buffer_attach(room, 4096);
    MPI_Bsend(a, 1, MPI_INT, 1, 0, MPI_COMM_WORLD); HERE
    MPI_Buffer_detach(&room, &bytes); HERE
    free(room);
}

static void first_answer_decides(void) {
    int first = rank, size;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0) {
        MPI_Recv(&first, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); HERE
        if (first != 1) MPI_Abort(MPI_COMM_WORLD, 1); HERE
        for (int i = 2; i < size; i++)
            MPI_Recv(&first, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else
        MPI_Send(&first, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
}

#define CASE(name) if (!strcmp(argv[1], #name)) name()

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    CASE(other_count_in_a_gather);
    CASE(other_count_in_a_scatter);
    CASE(persistent_collectives_differ);
    CASE(persistent_call_differs_from_itself);
    CASE(persistent_messages_differ);
    CASE(persistent_buffer_is_short);
    CASE(persistent_request_stays);
    CASE(buffered_message_is_not_received);
    CASE(first_answer_decides);
    MPI_Finalize();
    return 0;
}
