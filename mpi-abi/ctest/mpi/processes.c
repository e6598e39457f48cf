/* Processes that are met later: there are none, and it is said by the right class. */
#include "check.h"

int main(int argc, char **argv) {
    MPI_Comm comm = MPI_COMM_WORLD, self = MPI_COMM_SELF;
    char port[MPI_MAX_PORT_NAME], text[MPI_MAX_ERROR_STRING];
    MPI_Info none = MPI_INFO_NULL;
    begin(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    CHECK(MPI_Comm_get_parent(&comm) == MPI_SUCCESS && comm == MPI_COMM_NULL);
    GIVES(MPI_ERR_UNSUPPORTED_OPERATION, MPI_Open_port(none, port));
    GIVES(MPI_ERR_PORT, MPI_Close_port("no port"));
    GIVES(MPI_ERR_PORT, MPI_Comm_accept("no port", none, 0, self, &comm));
    GIVES(MPI_ERR_PORT, MPI_Comm_connect("no port", none, 0, self, &comm));
    GIVES(MPI_ERR_ROOT, MPI_Comm_connect("no port", none, 1, self, &comm));
    GIVES(MPI_ERR_UNSUPPORTED_OPERATION, MPI_Comm_join(0, &comm));
    GIVES(MPI_ERR_UNSUPPORTED_OPERATION, MPI_Publish_name("service", none, "no port"));
    GIVES(MPI_ERR_SERVICE, MPI_Unpublish_name("service", none, "no port"));
    GIVES(MPI_ERR_NAME, MPI_Lookup_name("service", none, port));
    int length;
    MPI_Error_string(MPI_ERR_SPAWN, text, &length);
    CHECK(length > 0);
    /* Nothing of that has disturbed anybody. */
    int sum = 0;
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    CHECK(sum == size * (size - 1) / 2);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    CHECK(MPI_Comm_disconnect(&comm) == MPI_SUCCESS && comm == MPI_COMM_NULL);
    MPI_Finalize();
    return 0;
}
