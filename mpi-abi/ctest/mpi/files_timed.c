/* Each rank writes 1,200 bytes to its part of a file, as the second argument says. */
#include "check.h"

int main(int argc, char **argv) {
    char path[4096], data[1200] = {0};
    MPI_File file;
    MPI_Request requests[2];
    MPI_Offset at;
    begin(&argc, &argv);
    at = rank * sizeof data;
    snprintf(path, sizeof path, "%s/timed", argv[1]);
    MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
    if (!strcmp(argv[2], "once") || !strcmp(argv[2], "twice"))
        MPI_File_write_at(file, at, data, 1200, MPI_CHAR, MPI_STATUS_IGNORE);
    if (!strcmp(argv[2], "twice"))
        MPI_File_write_at(file, at, data, 1200, MPI_CHAR, MPI_STATUS_IGNORE);
    if (!strcmp(argv[2], "nonblocking")) {
        MPI_File_iwrite_at(file, at, data, 1200, MPI_CHAR, &requests[0]);
        MPI_File_iwrite_at(file, at + 1200, data, 1200, MPI_CHAR, &requests[1]);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    }
    MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
