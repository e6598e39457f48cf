/* Rank 1 begins a collective access only after that of rank 0 is complete. */
#include "check.h"

int main(int argc, char **argv) {
    char path[4096], data[4] = "four";
    MPI_File file;
    MPI_Request request;
    begin(&argc, &argv);
    snprintf(path, sizeof path, "%s/relies", argv[1]);
    CHECK(!MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file));
    if (rank == 1) MPI_Recv(0, 0, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_File_iwrite_at_all(file, 4 * rank, data, 4, MPI_CHAR, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (rank == 0) MPI_Send(0, 0, MPI_INT, 1, 0, MPI_COMM_WORLD);
    MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
