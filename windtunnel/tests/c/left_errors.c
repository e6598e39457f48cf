/* Calls that are wrong where the program has chosen to handle errors itself. The argument says what it does then. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int heard;

static void count(MPI_Comm *comm, int *code, ...)
{
    (void)comm, (void)code;
    heard++;
}

#define CHECK(call)                                                                                                    \
    do {                                                                                                               \
        int code = (call);                                                                                             \
        if (code != MPI_SUCCESS) MPI_Abort(MPI_COMM_WORLD, 3);                                                         \
    } while (0)

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "ignores";
    char port[MPI_MAX_PORT_NAME];
    double four[4] = {0};
    int rank;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    if (!strcmp(what, "asks")) {
        /* What there is not. */
        if (MPI_Lookup_name("nobody", MPI_INFO_NULL, port) == MPI_SUCCESS) puts("found");
    } else if (rank == 0 && strcmp(what, "follows")) {
        MPI_Send(four, 4, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
    } else if (!strcmp(what, "ignores")) {
        MPI_Recv(four, 3, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(four, 1, MPI_DOUBLE, 7, 0, MPI_COMM_WORLD);
    } else if (!strcmp(what, "counts")) {
        MPI_Errhandler handler;
        MPI_Comm_create_errhandler(count, &handler);
        MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
        MPI_Errhandler_free(&handler);
        MPI_Recv(four, 3, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (heard != 1) printf("wrong: %d\n", heard);
    } else if (!strcmp(what, "aborts")) {
        CHECK(MPI_Irecv(four, 3, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, &request));
        CHECK(MPI_Waitall(1, &request, MPI_STATUSES_IGNORE));
    } else if (!strcmp(what, "exits")) {
        /* The first error is expected. */
        if (MPI_Send(four, 1, MPI_DOUBLE, 7, 0, MPI_COMM_WORLD) == MPI_SUCCESS) puts("sent");
        if (MPI_Recv(four, 3, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE) != MPI_SUCCESS) exit(5);
    } else if (!strcmp(what, "goes_on") || !strcmp(what, "goes_on_to_abort")) {
        /* Each rank expects an error and goes on; the end of rank 1 has nothing to do with it. */
        if (MPI_Send(four, 1, MPI_DOUBLE, 7, 0, MPI_COMM_SELF) == MPI_SUCCESS) puts("sent");
        MPI_Recv(four, 4, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (!strcmp(what, "goes_on")) exit(6);
        MPI_Abort(MPI_COMM_WORLD, 6);
    } else if (!strcmp(what, "follows")) {
        /* What a call has not made is used by the next one, which ends the run. */
        MPI_Comm made = MPI_COMM_NULL;
        MPI_Comm_split(MPI_COMM_SELF, -5, 0, &made);
        MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
        MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL);
        MPI_Comm_rank(made, &rank);
    } else if (!strcmp(what, "fails_alone")) {
        MPI_Recv(four, 4, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    if (rank == 1 && !strcmp(what, "reads")) {
        MPI_File file;
        CHECK(MPI_File_open(MPI_COMM_SELF, "written", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file));
        CHECK(MPI_File_set_errhandler(file, MPI_ERRORS_RETURN));
        CHECK(MPI_File_read(file, four, 1, MPI_DOUBLE, MPI_STATUS_IGNORE));
    }
    if (!strcmp(what, "fails_alone")) MPI_Bcast(four, rank ? -1 : 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
