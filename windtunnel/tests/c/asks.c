/* Rank 0 makes something or raises a flag after a while. The others ask for it again and again, or look at the flag, with nothing
   else in between. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int main(int argc, char **argv) {
    const char *what = argv[1];
    int rank, file, unit;
    volatile int *flag;
    void *memory;
    MPI_Aint bytes;
    MPI_Win window;
    struct stat kind;
    char port[MPI_MAX_PORT_NAME] = "here";
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    if (rank == 0 && !strcmp(what, "locked")) close(open("it", O_CREAT | O_EXCL | O_RDWR, 0600));
    MPI_Win_allocate_shared(rank ? 0 : sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
    MPI_Win_shared_query(window, 0, &bytes, &unit, &memory);
    flag = memory;
    if (rank == 0) *flag = 0;
    MPI_Win_lock_all(MPI_MODE_NOCHECK, window);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        windtunnel_compute(1e-4);
        *flag = 1;
        MPI_Win_sync(window);
        if (!strcmp(what, "service")) MPI_Publish_name("it", MPI_INFO_NULL, port);
        else if (!strcmp(what, "locked")) remove("it");
        else fclose(fopen("it", "w"));
    } else if (!strcmp(what, "service")) {
        while (MPI_Lookup_name("it", MPI_INFO_NULL, port) != MPI_SUCCESS);
    } else if (!strcmp(what, "access")) {
        while (access("it", F_OK) != 0);
    } else if (!strcmp(what, "stat")) {
        while (stat("it", &kind) != 0) if (errno != ENOENT) return 1;
    } else if (!strcmp(what, "fopen")) {
        FILE *it;
        while (!(it = fopen("it", "r")));
        fclose(it);
    } else if (!strcmp(what, "tested")) {
        while (!*flag) {
            MPI_Request none = MPI_REQUEST_NULL;
            MPI_Test(&none, &unit, MPI_STATUS_IGNORE);
        }
    } else if (!strcmp(what, "queried")) {
        while (!*flag) {
            MPI_Win_sync(window);
            MPI_Win_shared_query(window, 0, &bytes, &unit, &memory);
        }
    } else if (!strcmp(what, "locked")) {
        while ((file = open("it", O_CREAT | O_EXCL | O_RDWR, 0600)) < 0) if (errno != EEXIST) return 1;
        close(file);
        remove("it");
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0 && !strcmp(what, "service")) MPI_Unpublish_name("it", MPI_INFO_NULL, port);
    if (rank == 0) remove("it");
    MPI_Win_unlock_all(window);
    MPI_Win_free(&window);
    MPI_Finalize();
    return 0;
}
