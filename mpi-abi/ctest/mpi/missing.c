/* Starts a program that is not there, while errors are fatal. */
#include "check.h"

int main(int argc, char **argv) {
    MPI_Comm comm;
    begin(&argc, &argv);
    MPI_Comm_spawn("nowhere", MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &comm,
                   MPI_ERRCODES_IGNORE);
    return 0;
}
