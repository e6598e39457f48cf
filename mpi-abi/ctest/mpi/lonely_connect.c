/* Nobody accepts: connecting fails after the time of the hint, or after a minute. */
#include "check.h"

static void gives_up(MPI_Info info, const char *port, double seconds) {
    MPI_Comm other = MPI_COMM_WORLD;
    double start = MPI_Wtime();
    GIVES(MPI_ERR_PORT, MPI_Comm_connect(port, info, 0, MPI_COMM_SELF, &other));
    CHECK(other == MPI_COMM_NULL);
    CHECK(MPI_Wtime() - start >= seconds && MPI_Wtime() - start < seconds + 0.1);
}

int main(int argc, char **argv) {
    char port[MPI_MAX_PORT_NAME];
    MPI_Info info;
    begin(&argc, &argv);
    return_errors();
    if (rank == 0) {
        MPI_Comm other;
        CHECK(MPI_Open_port(MPI_INFO_NULL, port) == MPI_SUCCESS);
        gives_up(MPI_INFO_NULL, port, 60);
        CHECK(MPI_Info_create(&info) == MPI_SUCCESS);
        CHECK(MPI_Info_set(info, "timeout", "2.5") == MPI_SUCCESS);
        gives_up(info, port, 2.5);
        CHECK(MPI_Info_set(info, "timeout", "soon") == MPI_SUCCESS);
        GIVES(MPI_ERR_INFO_VALUE, MPI_Comm_connect(port, info, 0, MPI_COMM_SELF, &other));
        CHECK(MPI_Info_free(&info) == MPI_SUCCESS);
        CHECK(MPI_Close_port(port) == MPI_SUCCESS);
    }
    MPI_Finalize();
    return 0;
}
