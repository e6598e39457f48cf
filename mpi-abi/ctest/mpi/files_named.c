/* Names of files in a run whose files have a folder of their own. */
#include "check.h"

int main(int argc, char **argv) {
    char digit;
    MPI_File file;
    begin(&argc, &argv);
    MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_RETURN);
    digit = '0' + rank;
    CHECK(!MPI_File_open(MPI_COMM_WORLD, rank ? "./inside" : "inside", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file));
    MPI_File_write_at(file, rank, &digit, 1, MPI_CHAR, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    GIVES(MPI_ERR_ACCESS, MPI_File_open(MPI_COMM_SELF, "../outside", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file));
    GIVES(MPI_ERR_ACCESS, MPI_File_open(MPI_COMM_SELF, "/etc/hostname", MPI_MODE_RDONLY, MPI_INFO_NULL, &file));
    GIVES(MPI_ERR_ACCESS, MPI_File_delete("/etc/hostname", MPI_INFO_NULL));
    MPI_Finalize();
    return 0;
}
