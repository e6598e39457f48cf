/* Rank 0 serves one after the other, and waits for another tag than its first client sends, while the second one waits
   to be served. */
#include "check.h"

int main(int argc, char **argv) {
    char port[MPI_MAX_PORT_NAME];
    int data = 0;
    MPI_Comm link;
    begin(&argc, &argv);
    if (rank == 0)
        MPI_Open_port(MPI_INFO_NULL, port);
    MPI_Bcast(port, sizeof port, MPI_CHAR, 0, MPI_COMM_WORLD);
    for (int client = 1; rank == 0 && client < size; client++) {
        MPI_Comm_accept(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, &link);
        MPI_Recv(&data, 1, MPI_INT, 0, 2, link, MPI_STATUS_IGNORE);
        MPI_Comm_disconnect(&link);
    }
    if (rank > 0) {
        MPI_Comm_connect(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, &link);
        MPI_Ssend(&data, 1, MPI_INT, 0, 1, link);
        MPI_Comm_disconnect(&link);
    }
    if (rank == 0)
        MPI_Close_port(port);
    MPI_Finalize();
    return 0;
}
