/* Says how it was started: rank, program, arguments, host, architecture, address space. */
#include <mpi.h>
#include <stdio.h>

static const char *value(const char *key, char *place) {
    int found;
    MPI_Info_get(MPI_INFO_ENV, key, MPI_MAX_INFO_VAL, place, &found);
    return found ? place : "-";
}

int main(int argc, char **argv) {
    int rank, size, found, *program;
    char host[MPI_MAX_INFO_VAL + 1], arch[MPI_MAX_INFO_VAL + 1], space[MPI_MAX_INFO_VAL + 1];
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_APPNUM, &program, &found);
    printf("%02d/%d %d %s %s %s %s\n", rank, size, *program, argc > 1 ? argv[1] : "-",
           value("host", host), value("arch", arch), value("MPI_ENV_ASP", space));
    MPI_Finalize();
    return 0;
}
