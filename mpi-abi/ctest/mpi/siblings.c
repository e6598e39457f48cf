/* Two families that one program has started meet each other at a port. */
#include "check.h"

int main(int argc, char **argv) {
    MPI_Comm parent, family[2], other;
    char port[MPI_MAX_PORT_NAME];
    begin(&argc, &argv);
    MPI_Comm_get_parent(&parent);
    if (parent == MPI_COMM_NULL) {
        char *server[] = {"server", NULL}, *client[] = {"client", NULL};
        MPI_Comm_spawn(argv[0], server, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &family[0],
                       MPI_ERRCODES_IGNORE);
        MPI_Comm_spawn(argv[0], client, 3, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &family[1],
                       MPI_ERRCODES_IGNORE);
        if (rank == 0) {
            MPI_Recv(port, MPI_MAX_PORT_NAME, MPI_CHAR, 0, 0, family[0], MPI_STATUS_IGNORE);
            MPI_Send(port, MPI_MAX_PORT_NAME, MPI_CHAR, 0, 0, family[1]);
        }
        MPI_Comm_disconnect(&family[0]), MPI_Comm_disconnect(&family[1]);
        MPI_Finalize();
        return 0;
    }
    int serves = strcmp(argv[1], "server") == 0, number = 100 + rank, sum;
    CHECK(size == (serves ? 2 : 3));
    if (serves && rank == 0) {
        MPI_Open_port(MPI_INFO_NULL, port);
        MPI_Send(port, MPI_MAX_PORT_NAME, MPI_CHAR, 0, 0, parent);
    } else if (rank == 0) {
        MPI_Recv(port, MPI_MAX_PORT_NAME, MPI_CHAR, 0, 0, parent, MPI_STATUS_IGNORE);
    }
    MPI_Comm_disconnect(&parent);
    if (serves)
        MPI_Comm_accept(port, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &other);
    else
        MPI_Comm_connect(port, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &other);
    MPI_Allreduce(&number, &sum, 1, MPI_INT, MPI_SUM, other);
    CHECK(sum == (serves ? 303 : 201));
    MPI_Comm_disconnect(&other);
    if (serves && rank == 0) MPI_Close_port(port);
    MPI_Finalize();
    return 0;
}
