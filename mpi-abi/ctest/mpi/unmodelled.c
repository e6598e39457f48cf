/* Calls functions that are not modelled yet, one for each argument. */
#include <mpi.h>
#include <string.h>
int main(int argc, char **argv) {
    MPI_File file = MPI_FILE_NULL;
    const char *how = argc > 1 ? argv[1] : "none";
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    if (!strcmp(how, "file")) MPI_File_open(MPI_COMM_WORLD, "f", 0, MPI_INFO_NULL, &file);
    if (!strcmp(how, "handler")) MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_ARE_FATAL);
    if (!strcmp(how, "profile")) PMPI_File_close(&file);
    if (strcmp(how, "none") && strcmp(how, "late")) return 3;
    MPI_Finalize();
    /* Also where MPI is over. */
    if (!strcmp(how, "late")) MPI_File_delete("f", MPI_INFO_NULL);
    return 0;
}
