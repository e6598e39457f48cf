/* What the manager starts: reports the command and the number of arguments of each worker. */
#include "check.h"

int main(int argc, char **argv) {
    MPI_Comm parent;
    int *number, flag, all[8], counts[8];
    begin(&argc, &argv);
    MPI_Comm_get_parent(&parent);
    CHECK(parent != MPI_COMM_NULL);
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_APPNUM, &number, &flag);
    CHECK(flag && strstr(argv[0], "worker"));
    MPI_Gather(number, 1, MPI_INT, all, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Gather(&argc, 1, MPI_INT, counts, 1, MPI_INT, 0, MPI_COMM_WORLD);
    char folder[100];
    MPI_Info_get(MPI_INFO_ENV, "wdir", 99, folder, &flag);
    CHECK(flag && (strcmp(folder, "/") == 0) == (*number == 1));
    char soft[20];
    MPI_Info_get(MPI_INFO_ENV, "soft", 19, soft, &flag);
    if (rank == 0 && strcmp(soft, "1:8:2") != 0) {
        MPI_Send(all, size, MPI_INT, 0, 1, parent);
        MPI_Send(counts, size, MPI_INT, 0, 1, parent);
    }
    MPI_Comm_disconnect(&parent);
    MPI_Finalize();
    return 0;
}
