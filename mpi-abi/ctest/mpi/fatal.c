/* An error while errors are fatal: of a class that only the C interface gives. */
#include "check.h"

int main(int argc, char **argv) {
    MPI_Comm comm;
    begin(&argc, &argv);
    MPI_Comm_spawn("child", MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_SELF, &comm,
                   MPI_ERRCODES_IGNORE);
    return 0;
}
