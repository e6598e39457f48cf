/* Accesses to one file through different handles, one for each argument: right ones and wrong ones. The first argument is the
 * folder for the files. */
#include "check.h"

static char path[4096];
static int data[4] = {1, 2, 3, 4}, other[4];

static int is(const char *how, const char *name) { return !strcmp(how, name); }

static MPI_File open_by(MPI_Comm comm) {
    MPI_File file;
    CHECK(!MPI_File_open(comm, path, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file));
    return file;
}

#define write_to(file, at) MPI_File_write_at(file, at, data, 4, MPI_INT, MPI_STATUS_IGNORE)

#define read_from(file, at) MPI_File_read_at(file, at, other, 4, MPI_INT, MPI_STATUS_IGNORE)

static void wait_for_all(void) { MPI_Barrier(MPI_COMM_WORLD); }

static void right(const char *how) {
    MPI_File own, common;
    if (is(how, "one after the other")) {
        if (rank == 0) {
            own = open_by(MPI_COMM_SELF);
            write_to(own, 0);
            MPI_File_close(&own);
        }
        wait_for_all();
        common = open_by(MPI_COMM_WORLD);
        read_from(common, 0);
        CHECK(other[3] == 4);
        MPI_File_close(&common);
    }
    if (is(how, "synchronised")) {
        own = open_by(MPI_COMM_SELF);
        if (rank == 0) write_to(own, 0);
        MPI_File_sync(own);
        wait_for_all();
        MPI_File_sync(own);
        if (rank == 1) read_from(own, 0);
        CHECK(rank == 0 || other[3] == 4);
        MPI_File_close(&own);
    }
    if (is(how, "opened later")) {
        common = open_by(MPI_COMM_WORLD);
        write_to(common, 16 * rank);
        MPI_File_sync(common);
        wait_for_all();
        own = open_by(MPI_COMM_SELF);
        read_from(own, 16 * (1 - rank));
        CHECK(other[3] == 4);
        MPI_File_close(&own);
        MPI_File_close(&common);
    }
    if (is(how, "apart")) {
        common = open_by(MPI_COMM_WORLD);
        own = open_by(MPI_COMM_SELF);
        write_to(own, 16 * rank);
        write_to(common, 32 + 16 * rank);
        MPI_File_close(&own);
        MPI_File_close(&common);
    }
    if (is(how, "only read")) {
        own = open_by(MPI_COMM_SELF);
        common = open_by(MPI_COMM_WORLD);
        read_from(own, 0);
        read_from(common, 8);
        MPI_File_close(&own);
        MPI_File_close(&common);
    }
}

static void wrong(const char *how) {
    MPI_File own, common;
    if (is(how, "barrier alone")) {
        own = open_by(MPI_COMM_SELF);
        if (rank == 0) write_to(own, 0);
        wait_for_all();
        if (rank == 1) read_from(own, 0);
        MPI_File_close(&own);
    }
    if (is(how, "atomic")) {
        own = open_by(MPI_COMM_SELF);
        MPI_File_set_atomicity(own, 1);
        if (rank == 0) write_to(own, 0);
        wait_for_all();
        if (rank == 1) read_from(own, 0);
        MPI_File_close(&own);
    }
    if (is(how, "reader did not")) {
        own = open_by(MPI_COMM_SELF);
        if (rank == 0) {
            write_to(own, 0);
            MPI_File_sync(own);
        }
        wait_for_all();
        if (rank == 1) read_from(own, 0);
        MPI_File_close(&own);
    }
    if (is(how, "writer closed")) {
        own = open_by(MPI_COMM_SELF);
        if (rank == 0) {
            write_to(own, 0);
            MPI_File_close(&own);
        }
        wait_for_all();
        if (rank == 1) {
            read_from(own, 0);
            MPI_File_close(&own);
        }
    }
    if (is(how, "own two")) {
        common = open_by(MPI_COMM_WORLD);
        if (rank == 0) write_to(common, 0);
        own = open_by(MPI_COMM_SELF);
        if (rank == 0) read_from(own, 8);
        MPI_File_close(&own);
        MPI_File_close(&common);
    }
}

int main(int argc, char **argv) {
    begin(&argc, &argv);
    CHECK(argc == 3);
    snprintf(path, sizeof path, "%s/across", argv[1]);
    right(argv[2]);
    wrong(argv[2]);
    MPI_Finalize();
    return 0;
}
