/* Wrong uses of files, one for each argument. The first argument is the folder for the files. */
#include "check.h"

static int is(const char *how, const char *name) { return !strcmp(how, name); }

int main(int argc, char **argv) {
    char path[4096];
    int data[4] = {1, 2, 3, 4}, other[4];
    const char *how;
    MPI_File file;
    MPI_Request request;
    begin(&argc, &argv);
    CHECK(argc == 3);
    how = argv[2];
    snprintf(path, sizeof path, "%s/misused", argv[1]);
    if (is(how, "modes"))
        MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | (rank ? MPI_MODE_RDWR : MPI_MODE_WRONLY), MPI_INFO_NULL, &file);
    if (is(how, "names") && rank) strcat(path, "2");
    if (is(how, "never opened") && rank == 0) {
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Finalize();
        return 0;
    }
    if (is(how, "null")) MPI_File_sync(MPI_FILE_NULL);
    MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    if (is(how, "left open")) {
        MPI_Finalize();
        return 0;
    }
    if (is(how, "one does not write") && rank == 0) MPI_File_write_all(file, data, 4, MPI_INT, MPI_STATUS_IGNORE);
    if (is(how, "sync or close")) {
        if (rank) MPI_File_sync(file);
        else MPI_File_close(&file);
    }
    if (is(how, "all or at")) {
        if (rank) MPI_File_write_all(file, data, 4, MPI_INT, MPI_STATUS_IGNORE);
        else MPI_File_write_at_all(file, 0, data, 4, MPI_INT, MPI_STATUS_IGNORE);
    }
    if (is(how, "sizes")) MPI_File_set_size(file, 100 + rank);
    if (is(how, "write crossed")) {
        if (rank == 0) MPI_Recv(other, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_File_set_size(file, 100);
        if (rank == 1) MPI_Send(data, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    if (is(how, "offset")) MPI_File_write_at(file, -4, data, 1, MPI_INT, MPI_STATUS_IGNORE);
    if (is(how, "end alone")) MPI_File_read_all_end(file, data, MPI_STATUS_IGNORE);
    if (is(how, "begun twice")) {
        MPI_File_seek(file, 16 * rank, MPI_SEEK_SET), MPI_File_write_all_begin(file, data, 4, MPI_INT);
        MPI_File_read_all_begin(file, other, 4, MPI_INT);
        MPI_File_write_all_end(file, data, MPI_STATUS_IGNORE);
    }
    if (is(how, "closed begun")) MPI_File_write_at_all_begin(file, 16 * rank, data, 4, MPI_INT);
    if (is(how, "closed early")) {
        MPI_File_iwrite_at(file, 16 * rank, data, 4, MPI_INT, &request);
        MPI_File_close(&file);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    if (is(how, "request lost")) MPI_File_iwrite_at(file, 16 * rank, data, 4, MPI_INT, &request);
    if (is(how, "buffer written")) {
        MPI_File_iwrite_at(file, 16 * rank, data, 4, MPI_INT, &request);
        data[1] = 7;
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    if (is(how, "buffer shared")) {
        MPI_File_iread_at(file, 0, data, 4, MPI_INT, &request);
        MPI_File_write_at(file, 64 + 16 * rank, data, 4, MPI_INT, MPI_STATUS_IGNORE);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    if (is(how, "both write")) MPI_File_write_at_all(file, 12 * rank, data, 4, MPI_INT, MPI_STATUS_IGNORE);
    if (is(how, "read too early")) {
        if (rank == 0) MPI_File_write(file, data, 4, MPI_INT, MPI_STATUS_IGNORE);
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank == 1) MPI_File_read(file, other, 4, MPI_INT, MPI_STATUS_IGNORE);
    }
    if (file != MPI_FILE_NULL) MPI_File_close(&file);
    if (is(how, "closed twice")) MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
