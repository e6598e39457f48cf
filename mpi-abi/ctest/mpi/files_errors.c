/* Errors of calls about files, which come back by default. The argument is the folder for the files. */
#include "check.h"

static char path[4096];
static const char *folder;
static int handled;

static const char *named(const char *name) {
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void handler(MPI_File *file, int *code, ...) {
    (void)file;
    handled = class_of(*code);
}

static int convert(void *user, MPI_Datatype type, int count, void *file, MPI_Offset at, void *extra) {
    (void)user, (void)type, (void)count, (void)file, (void)at, (void)extra;
    return MPI_SUCCESS;
}

static int convert_c(void *user, MPI_Datatype type, MPI_Count count, void *file, MPI_Offset at,
                     void *extra) {
    (void)user, (void)type, (void)count, (void)file, (void)at, (void)extra;
    return MPI_SUCCESS;
}

static int extent(MPI_Datatype type, MPI_Aint *bytes, void *extra) {
    (void)type, (void)extra;
    *bytes = 4;
    return MPI_SUCCESS;
}

static int open_as(const char *name, int amode, MPI_File *file) {
    return MPI_File_open(MPI_COMM_SELF, named(name), amode, MPI_INFO_NULL, file);
}

static void opening(void) {
    MPI_File file;
    GIVES(MPI_ERR_NO_SUCH_FILE, open_as("nothing", MPI_MODE_RDONLY, &file));
    CHECK(file == MPI_FILE_NULL);
    GIVES(MPI_ERR_NO_SUCH_FILE, open_as("no-folder/file", MPI_MODE_RDWR | MPI_MODE_CREATE, &file));
    GIVES(MPI_ERR_NO_SUCH_FILE, MPI_File_delete(named("nothing"), MPI_INFO_NULL));
    GIVES(MPI_ERR_BAD_FILE, open_as("", MPI_MODE_RDONLY, &file));
    GIVES(MPI_ERR_AMODE, open_as("a", 0, &file));
    GIVES(MPI_ERR_AMODE, open_as("a", MPI_MODE_CREATE, &file));
    GIVES(MPI_ERR_AMODE, open_as("a", MPI_MODE_RDONLY | MPI_MODE_RDWR, &file));
    GIVES(MPI_ERR_AMODE, open_as("a", MPI_MODE_RDONLY | MPI_MODE_CREATE, &file));
    GIVES(MPI_ERR_AMODE, open_as("a", MPI_MODE_RDONLY | MPI_MODE_EXCL, &file));
    GIVES(MPI_ERR_AMODE, open_as("a", MPI_MODE_RDWR | MPI_MODE_SEQUENTIAL, &file));
    GIVES(MPI_ERR_COMM, MPI_File_open(MPI_COMM_NULL, named("a"), MPI_MODE_RDONLY, MPI_INFO_NULL, &file));
    GIVES(MPI_ERR_INFO, MPI_File_open(MPI_COMM_SELF, named("a"), MPI_MODE_RDONLY, (MPI_Info)0, &file));
    CHECK(!open_as("a", MPI_MODE_WRONLY | MPI_MODE_CREATE | MPI_MODE_EXCL, &file));
    MPI_File_close(&file);
    GIVES(MPI_ERR_FILE_EXISTS, open_as("a", MPI_MODE_WRONLY | MPI_MODE_CREATE | MPI_MODE_EXCL, &file));
}

static void accesses(void) {
    int number = 1;
    MPI_Offset at;
    MPI_Request request;
    MPI_File file;
    CHECK(!open_as("a", MPI_MODE_WRONLY, &file));
    GIVES(MPI_ERR_ACCESS, MPI_File_read(file, &number, 1, MPI_INT, MPI_STATUS_IGNORE));
    GIVES(MPI_ERR_ACCESS, MPI_File_iread_at(file, 0, &number, 1, MPI_INT, &request));
    CHECK(request == MPI_REQUEST_NULL);
    MPI_File_write(file, &number, 1, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    GIVES(MPI_ERR_FILE, MPI_File_close(&file));
    GIVES(MPI_ERR_FILE, MPI_File_get_size(file, &at));
    CHECK(!open_as("a", MPI_MODE_RDONLY, &file));
    GIVES(MPI_ERR_READ_ONLY, MPI_File_write(file, &number, 1, MPI_INT, MPI_STATUS_IGNORE));
    GIVES(MPI_ERR_READ_ONLY, MPI_File_set_size(file, 7));
    GIVES(MPI_ERR_ARG, MPI_File_read_at(file, -1, &number, 1, MPI_INT, MPI_STATUS_IGNORE));
    GIVES(MPI_ERR_ARG, MPI_File_seek(file, -1, MPI_SEEK_SET));
    GIVES(MPI_ERR_ARG, MPI_File_seek(file, 0, 7));
    GIVES(MPI_ERR_COUNT, MPI_File_read(file, &number, -1, MPI_INT, MPI_STATUS_IGNORE));
    GIVES(MPI_ERR_TYPE, MPI_File_read(file, &number, 1, MPI_DATATYPE_NULL, MPI_STATUS_IGNORE));
    GIVES(MPI_ERR_BUFFER, MPI_File_read(file, NULL, 1, MPI_INT, MPI_STATUS_IGNORE));
    GIVES(MPI_ERR_UNSUPPORTED_DATAREP,
          MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "mine", MPI_INFO_NULL));
    GIVES(MPI_ERR_ARG, MPI_File_set_view(file, -8, MPI_INT, MPI_INT, "native", MPI_INFO_NULL));
    GIVES(MPI_ERR_TYPE, MPI_File_set_view(file, 0, MPI_INT, MPI_CHAR, "native", MPI_INFO_NULL));
    MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
    GIVES(MPI_ERR_ARG, MPI_File_read(file, &number, 3, MPI_CHAR, MPI_STATUS_IGNORE));
    /* Nothing has moved the file pointer. */
    MPI_File_get_position(file, &at);
    CHECK(at == 0);
    MPI_File_read(file, &number, 1, MPI_INT, MPI_STATUS_IGNORE);
    CHECK(number == 1);
    MPI_File_close(&file);
    CHECK(!open_as("a", MPI_MODE_RDONLY | MPI_MODE_SEQUENTIAL, &file));
    GIVES(MPI_ERR_UNSUPPORTED_OPERATION, MPI_File_read(file, &number, 1, MPI_INT, MPI_STATUS_IGNORE));
    GIVES(MPI_ERR_UNSUPPORTED_OPERATION, MPI_File_seek(file, 0, MPI_SEEK_SET));
    GIVES(MPI_ERR_UNSUPPORTED_OPERATION, MPI_File_seek_shared(file, 0, MPI_SEEK_SET));
    MPI_File_close(&file);
}

/* A file type that is longer than its extent: the header of a file, then a part of an array whose bounds are its own. The
   parts of one element do not overlap, but the next element begins in it. */
static void long_elements(void) {
    int sizes[] = {4, 10}, subsizes[] = {4, 5}, starts[] = {0, 5}, blocks[] = {512, 1};
    MPI_Aint places[] = {0, 512};
    MPI_Datatype types[] = {MPI_BYTE, MPI_DATATYPE_NULL}, both;
    char data[1184], again[592];
    MPI_File file;
    MPI_Type_create_subarray(2, sizes, subsizes, starts, MPI_ORDER_C, MPI_INT, &types[1]);
    MPI_Type_create_struct(2, blocks, places, types, &both);
    MPI_Type_commit(&both);
    for (int i = 0; i < 1184; i++) data[i] = (char)i;
    CHECK(!open_as("long", MPI_MODE_CREATE | MPI_MODE_RDWR, &file));
    CHECK(!MPI_File_set_view(file, 0, MPI_BYTE, both, "native", MPI_INFO_NULL));
    CHECK(!MPI_File_write_at(file, 0, data, 592, MPI_BYTE, MPI_STATUS_IGNORE));
    CHECK(!MPI_File_read_at(file, 0, again, 592, MPI_BYTE, MPI_STATUS_IGNORE));
    for (int i = 0; i < 592; i++) CHECK(again[i] == data[i]);
    GIVES(MPI_ERR_TYPE, MPI_File_write_at(file, 0, data, 1184, MPI_BYTE, MPI_STATUS_IGNORE));
    MPI_File_close(&file);
    MPI_Type_free(&types[1]);
    MPI_Type_free(&both);
}

static void splits(void) {
    int number = 1, other = 2;
    MPI_File file;
    CHECK(!open_as("a", MPI_MODE_RDWR, &file));
    GIVES(MPI_ERR_REQUEST, MPI_File_write_all_end(file, &number, MPI_STATUS_IGNORE));
    MPI_File_write_all_begin(file, &number, 1, MPI_INT);
    GIVES(MPI_ERR_REQUEST, MPI_File_read_all_begin(file, &other, 1, MPI_INT));
    GIVES(MPI_ERR_REQUEST, MPI_File_sync(file));
    GIVES(MPI_ERR_REQUEST, MPI_File_read_all_end(file, &number, MPI_STATUS_IGNORE));
    GIVES(MPI_ERR_REQUEST, MPI_File_write_all_end(file, &other, MPI_STATUS_IGNORE));
    CHECK(!MPI_File_write_all_end(file, &number, MPI_STATUS_IGNORE));
    MPI_File_close(&file);
}

static void handlers(void) {
    MPI_Errhandler own, found;
    MPI_File file;
    int number;
    MPI_File_get_errhandler(MPI_FILE_NULL, &found);
    CHECK(found == MPI_ERRORS_RETURN);
    MPI_File_create_errhandler(handler, &own);
    MPI_File_set_errhandler(MPI_FILE_NULL, own);
    CHECK(open_as("nothing", MPI_MODE_RDONLY, &file));
    CHECK(handled == MPI_ERR_NO_SUCH_FILE);
    CHECK(!open_as("a", MPI_MODE_WRONLY, &file));
    MPI_File_get_errhandler(file, &found);
    CHECK(found == own);
    MPI_Errhandler_free(&found);
    CHECK(MPI_File_read(file, &number, 1, MPI_INT, MPI_STATUS_IGNORE));
    CHECK(handled == MPI_ERR_ACCESS);
    MPI_File_call_errhandler(file, MPI_ERR_IO);
    CHECK(handled == MPI_ERR_IO);
    MPI_File_call_errhandler(MPI_FILE_NULL, MPI_ERR_QUOTA);
    CHECK(handled == MPI_ERR_QUOTA);
    MPI_File_set_errhandler(file, MPI_ERRORS_RETURN);
    handled = 0;
    GIVES(MPI_ERR_ACCESS, MPI_File_read(file, &number, 1, MPI_INT, MPI_STATUS_IGNORE));
    CHECK(handled == 0);
    MPI_File_close(&file);
    MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_RETURN);
    MPI_Errhandler_free(&own);
}

static void representations(void) {
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    GIVES(MPI_ERR_DUP_DATAREP, MPI_Register_datarep("native", convert, convert, extent, NULL));
    GIVES(MPI_ERR_UNSUPPORTED_OPERATION, MPI_Register_datarep("mine", convert, convert, extent, NULL));
    GIVES(MPI_ERR_UNSUPPORTED_OPERATION,
          MPI_Register_datarep_c("mine", convert_c, MPI_CONVERSION_FN_NULL_C, extent, NULL));
}

int main(int argc, char **argv) {
    begin(&argc, &argv);
    CHECK(argc == 2);
    folder = argv[1];
    /* The program looks at errors itself. */
    MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_RETURN);
    if (rank == 0) opening(), accesses(), long_elements(), splits(), handlers();
    representations();
    MPI_Finalize();
    return 0;
}
