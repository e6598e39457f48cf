/* An error while errors are fatal: of a class that only the C interface gives. */
#include "check.h"

int main(int argc, char **argv) {
    MPI_Comm comm;
    begin(&argc, &argv);
    MPI_Comm_join(0, &comm);
    return 0;
}
