/* Two halves of a world meet at a port that one of them publishes. */
#include "check.h"

static void answers(char *port) {
    MPI_Comm comm = MPI_COMM_WORLD, self = MPI_COMM_SELF;
    char other[MPI_MAX_PORT_NAME], text[MPI_MAX_ERROR_STRING];
    int length;
    GIVES(MPI_ERR_PORT, MPI_Close_port("no port"));
    GIVES(MPI_ERR_PORT, MPI_Comm_accept("no port", MPI_INFO_NULL, 0, self, &comm));
    CHECK(comm == MPI_COMM_NULL);
    GIVES(MPI_ERR_PORT, MPI_Comm_connect("no port", MPI_INFO_NULL, 0, MPI_COMM_WORLD, &comm));
    GIVES(MPI_ERR_ROOT, MPI_Comm_connect("no port", MPI_INFO_NULL, 1, self, &comm));
    GIVES(MPI_ERR_COMM, MPI_Comm_accept("no port", MPI_INFO_NULL, 0, MPI_COMM_NULL, &comm));
    GIVES(MPI_ERR_UNSUPPORTED_OPERATION, MPI_Comm_join(0, &comm));
    GIVES(MPI_ERR_SERVICE, MPI_Unpublish_name("no service", MPI_INFO_NULL, "no port"));
    GIVES(MPI_ERR_NAME, MPI_Lookup_name("no service", MPI_INFO_NULL, other));
    CHECK(MPI_Open_port(MPI_INFO_NULL, port) == MPI_SUCCESS);
    CHECK(MPI_Open_port(MPI_INFO_NULL, other) == MPI_SUCCESS && strcmp(port, other) != 0);
    CHECK(MPI_Close_port(other) == MPI_SUCCESS);
    GIVES(MPI_ERR_PORT, MPI_Close_port(other));
    MPI_Error_string(MPI_ERR_PORT, text, &length);
    CHECK(length > 0);
}

/* The lower half accepts, the upper one looks the port up and connects. */
static void meet(MPI_Comm half, int upper, const char *own, int round) {
    char port[MPI_MAX_PORT_NAME] = "only the root counts";
    MPI_Comm inter, all;
    int here, there, flag, number = rank, sum, place;
    MPI_Comm_size(half, &here);
    int root = upper ? here - 1 : 0;
    MPI_Comm_rank(half, &place);
    if (upper && place == root) MPI_Lookup_name("halves", MPI_INFO_NULL, port);
    if (upper)
        MPI_Comm_connect(port, MPI_INFO_NULL, root, half, &inter);
    else
        MPI_Comm_accept(place == 0 ? own : port, MPI_INFO_NULL, root, half, &inter);
    MPI_Comm_test_inter(inter, &flag);
    MPI_Comm_remote_size(inter, &there);
    CHECK(flag && here + there == size);
    if (place == 0) {
        MPI_Sendrecv_replace(&number, 1, MPI_INT, 0, round, 0, round, inter, MPI_STATUS_IGNORE);
        CHECK(number == (upper ? 0 : size / 2));
    }
    MPI_Intercomm_merge(inter, upper, &all);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, all);
    CHECK(sum == size * (size - 1) / 2);
    MPI_Comm_free(&all);
    MPI_Comm_disconnect(&inter);
}

int main(int argc, char **argv) {
    char port[MPI_MAX_PORT_NAME];
    MPI_Comm half;
    begin(&argc, &argv);
    return_errors();
    answers(port);
    if (rank == 0) {
        CHECK(MPI_Publish_name("halves", MPI_INFO_NULL, port) == MPI_SUCCESS);
        GIVES(MPI_ERR_SERVICE, MPI_Publish_name("halves", MPI_INFO_NULL, port));
        GIVES(MPI_ERR_SERVICE, MPI_Unpublish_name("halves", MPI_INFO_NULL, "another port"));
    }
    MPI_Barrier(MPI_COMM_WORLD);
    int upper = rank >= size / 2;
    MPI_Comm_split(MPI_COMM_WORLD, upper, rank, &half);
    for (int round = 0; size > 1 && round < 3; round++) meet(half, upper, port, round);
    MPI_Comm_free(&half);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) CHECK(MPI_Unpublish_name("halves", MPI_INFO_NULL, port) == MPI_SUCCESS);
    CHECK(MPI_Close_port(port) == MPI_SUCCESS);
    MPI_Finalize();
    return 0;
}
