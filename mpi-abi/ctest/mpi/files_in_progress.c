/* Accesses to files that are in progress while others begin, one for each argument: right ones and wrong ones. The first
 * argument is the folder for the files. */
#include "check.h"

static MPI_File file;
static int data[4] = {1, 2, 3, 4}, other[4] = {5, 6, 7, 8}, flag;

static int is(const char *how, const char *name) { return !strcmp(how, name); }

static void in_order(void) {
    MPI_File_sync(file);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_sync(file);
}

static void wait_for(MPI_Request *request) { MPI_Wait(request, MPI_STATUS_IGNORE); }

/* Rank 0 begins to write; rank 1 reads the same when both have synchronised. */
static void right(const char *how) {
    MPI_Request request, second;
    MPI_Offset mine = 16 * rank, theirs = 16 * (1 - rank);
    if (is(how, "split")) {
        MPI_File_write_at_all_begin(file, mine, data, 4, MPI_INT);
        MPI_File_write_at_all_end(file, data, MPI_STATUS_IGNORE);
        in_order();
        MPI_File_read_at_all_begin(file, theirs, other, 4, MPI_INT);
        MPI_File_read_at_all_end(file, other, MPI_STATUS_IGNORE);
        CHECK(other[3] == 4);
    }
    if (is(how, "waited for")) {
        MPI_File_iwrite_at_all(file, mine, data, 4, MPI_INT, &request);
        wait_for(&request);
        in_order();
        MPI_File_iread_at(file, theirs, other, 4, MPI_INT, &request);
        wait_for(&request);
        CHECK(other[3] == 4);
    }
    if (is(how, "tested")) {
        MPI_File_iwrite_at(file, mine, data, 4, MPI_INT, &request);
        while (!flag) MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
        MPI_File_write_at(file, mine, other, 4, MPI_INT, MPI_STATUS_IGNORE);
    }
    if (is(how, "known")) {
        MPI_File_iwrite_at(file, mine, data, 4, MPI_INT, &request);
        while (!flag) MPI_Request_get_status(request, &flag, MPI_STATUS_IGNORE);
        in_order();
        MPI_File_write_at(file, mine, other, 4, MPI_INT, MPI_STATUS_IGNORE);
        wait_for(&request);
    }
    if (is(how, "apart")) {
        MPI_File_seek(file, mine, MPI_SEEK_SET);
        MPI_File_iwrite(file, data, 2, MPI_INT, &request);
        MPI_File_iwrite(file, data + 2, 2, MPI_INT, &second);
        MPI_File_write_at(file, 32 + mine, other, 4, MPI_INT, MPI_STATUS_IGNORE);
        wait_for(&second), wait_for(&request);
        MPI_File_iread_at(file, mine, data, 4, MPI_INT, &request);
        MPI_File_iread_at(file, mine, other, 4, MPI_INT, &second);
        wait_for(&request), wait_for(&second);
        CHECK(other[3] == 4 && data[3] == 4);
    }
    if (is(how, "combs")) {
        MPI_Datatype comb;
        MPI_Type_vector(2, 1, 2, MPI_INT, &comb);
        MPI_Type_commit(&comb);
        MPI_File_set_view(file, 4 * rank, MPI_INT, comb, "native", MPI_INFO_NULL);
        MPI_File_iwrite_all(file, data, 2, MPI_INT, &request);
        wait_for(&request);
        MPI_Type_free(&comb);
    }
    if (is(how, "atomic")) {
        MPI_File_set_atomicity(file, 1);
        MPI_File_iwrite_at(file, 0, data, 4, MPI_INT, &request);
        MPI_File_iwrite_at(file, 8, other, 4, MPI_INT, &second);
        wait_for(&request), wait_for(&second);
    }
    if (is(how, "shared")) {
        MPI_File_iwrite_shared(file, data, 4, MPI_INT, &request);
        MPI_File_iwrite_shared(file, other, 4, MPI_INT, &second);
        wait_for(&request), wait_for(&second);
    }
}

static void wrong(const char *how) {
    MPI_Request request = MPI_REQUEST_NULL, second = MPI_REQUEST_NULL;
    MPI_Offset mine = 64 * rank;
    if (is(how, "twice")) {
        MPI_File_iwrite_at(file, mine, data, 4, MPI_INT, &request);
        MPI_File_iwrite_at(file, mine + 12, other, 4, MPI_INT, &second);
    }
    if (is(how, "read meanwhile")) {
        MPI_File_iwrite_at_all(file, mine, data, 4, MPI_INT, &request);
        MPI_File_read_at(file, mine, other, 4, MPI_INT, MPI_STATUS_IGNORE);
    }
    if (is(how, "split meanwhile")) {
        MPI_File_read_at_all_begin(file, mine, data, 4, MPI_INT);
        MPI_File_write_at(file, mine + 8, other, 4, MPI_INT, MPI_STATUS_IGNORE);
        MPI_File_read_at_all_end(file, data, MPI_STATUS_IGNORE);
    }
    if (is(how, "both split")) {
        MPI_File_write_at_all_begin(file, 8 * rank, data, 4, MPI_INT);
        MPI_File_write_at_all_end(file, data, MPI_STATUS_IGNORE);
    }
    if (is(how, "both nonblocking")) MPI_File_iwrite_at_all(file, 8 * rank, data, 4, MPI_INT, &request);
    if (is(how, "synchronised")) {
        MPI_File_iwrite_at(file, mine, data, 4, MPI_INT, &request);
        in_order();
    }
    if (is(how, "resized")) {
        MPI_File_iwrite_at(file, mine, data, 4, MPI_INT, &request);
        MPI_File_set_size(file, 256);
    }
    if (is(how, "viewed")) {
        MPI_File_iread_at(file, mine, data, 4, MPI_INT, &request);
        MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
    }
    /* It has long been written, but the program does not know. */
    if (is(how, "closed late")) {
        MPI_File_iwrite_at(file, mine, data, 4, MPI_INT, &request);
        for (int i = 0; i < 3; i++) MPI_File_write_at(file, 1000 + mine, other, 4, MPI_INT, MPI_STATUS_IGNORE);
        MPI_File_close(&file);
    }
    wait_for(&request), wait_for(&second);
}

int main(int argc, char **argv) {
    char path[4096];
    begin(&argc, &argv);
    CHECK(argc == 3);
    snprintf(path, sizeof path, "%s/in_progress", argv[1]);
    MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    right(argv[2]);
    wrong(argv[2]);
    if (file != MPI_FILE_NULL) MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
