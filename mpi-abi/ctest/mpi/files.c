/* Files as programs use them. The argument is the folder for the files. */
#include "check.h"

static char path[4096];
static const char *folder;

static const char *named(const char *name) {
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

enum { CREATE = MPI_MODE_CREATE | MPI_MODE_RDWR };

static MPI_File opened(MPI_Comm comm, const char *name, int amode) {
    MPI_File file;
    CHECK(MPI_File_open(comm, named(name), amode, MPI_INFO_NULL, &file) == MPI_SUCCESS);
    return file;
}

static void closed(MPI_File *file) {
    CHECK(MPI_File_close(file) == MPI_SUCCESS);
    CHECK(*file == MPI_FILE_NULL);
}

static int count_of(const MPI_Status *status, MPI_Datatype type) {
    int count;
    MPI_Get_count(status, type, &count);
    return count;
}

/* One file, each rank at its own offset; everybody reads its neighbour's part. */
static void by_offsets(void) {
    int mine[10], other[10], next = (rank + 1) % size;
    MPI_File file = opened(MPI_COMM_WORLD, "offsets", CREATE);
    MPI_Offset bytes, at = rank * sizeof mine;
    MPI_Status status;
    for (int i = 0; i < 10; i++) mine[i] = 100 * rank + i;
    CHECK(!MPI_File_write_at_all(file, at, mine, 5, MPI_INT, &status));
    CHECK(count_of(&status, MPI_INT) == 5);
    CHECK(!MPI_File_write_at(file, at + 20, mine + 5, 3, MPI_INT, MPI_STATUS_IGNORE));
    CHECK(!MPI_File_write_at_c(file, at + 32, mine + 8, 1, MPI_INT, MPI_STATUS_IGNORE));
    CHECK(!MPI_File_write_at_all_c(file, at + 36, mine + 9, 1, MPI_INT, MPI_STATUS_IGNORE));
    MPI_File_sync(file);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_sync(file);
    MPI_File_get_size(file, &bytes);
    CHECK(bytes == size * 40);
    at = next * sizeof mine;
    CHECK(!MPI_File_read_at(file, at, other, 4, MPI_INT, &status));
    CHECK(count_of(&status, MPI_INT) == 4);
    CHECK(!MPI_File_read_at_all(file, at + 16, other + 4, 4, MPI_INT, &status));
    CHECK(!MPI_File_read_at_c(file, at + 32, other + 8, 1, MPI_INT, &status));
    CHECK(!MPI_File_read_at_all_c(file, at + 36, other + 9, 1, MPI_INT, &status));
    for (int i = 0; i < 10; i++) CHECK(other[i] == 100 * next + i);
    /* Behind the end there is nothing, and a part of what was asked for in front of it. */
    CHECK(!MPI_File_read_at(file, bytes - 8, other, 10, MPI_INT, &status));
    CHECK(count_of(&status, MPI_INT) == 2);
    CHECK(!MPI_File_read_at(file, bytes + 100, other, 10, MPI_INT, &status));
    CHECK(count_of(&status, MPI_INT) == 0);
    closed(&file);
}

/* An array of 4 * size columns and 6 rows: each rank has 4 columns. */
static void by_views(MPI_Datatype part, const char *name) {
    enum { ROWS = 6, COLUMNS = 4 };
    double mine[ROWS][COLUMNS], back[ROWS][COLUMNS];
    MPI_File file = opened(MPI_COMM_WORLD, name, CREATE);
    MPI_Offset at, bytes;
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++) mine[i][j] = 1000 * i + COLUMNS * rank + j;
    CHECK(!MPI_File_set_view(file, 16, MPI_DOUBLE, part, "native", MPI_INFO_NULL));
    MPI_File_get_byte_offset(file, 5, &at);
    CHECK(at == 16 + (size * COLUMNS + COLUMNS * rank + 1) * (MPI_Offset)sizeof(double));
    CHECK(!MPI_File_write_all(file, mine, 12, MPI_DOUBLE, MPI_STATUS_IGNORE));
    MPI_File_get_position(file, &at);
    CHECK(at == 12);
    CHECK(!MPI_File_write_all_c(file, &mine[3][0], 12, MPI_DOUBLE, MPI_STATUS_IGNORE));
    MPI_File_seek(file, 0, MPI_SEEK_SET);
    CHECK(!MPI_File_read_all(file, back, 20, MPI_DOUBLE, MPI_STATUS_IGNORE));
    CHECK(!MPI_File_read_all_c(file, &back[5][0], 4, MPI_DOUBLE, MPI_STATUS_IGNORE));
    CHECK(!memcmp(mine, back, sizeof mine));
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_get_size(file, &bytes);
    CHECK(bytes == 16 + ROWS * size * COLUMNS * (MPI_Offset)sizeof(double));
    closed(&file);
    if (rank == 0) {
        double *all = malloc(bytes);
        file = opened(MPI_COMM_SELF, name, MPI_MODE_RDONLY | MPI_MODE_DELETE_ON_CLOSE);
        MPI_File_read_at(file, 16, all, ROWS * size * COLUMNS, MPI_DOUBLE, MPI_STATUS_IGNORE);
        for (int i = 0; i < ROWS; i++)
            for (int j = 0; j < size * COLUMNS; j++)
                CHECK(all[i * size * COLUMNS + j] == 1000 * i + j);
        closed(&file);
        free(all);
        CHECK(MPI_File_open(MPI_COMM_SELF, named(name), MPI_MODE_RDONLY, MPI_INFO_NULL, &file));
        CHECK(file == MPI_FILE_NULL);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

static void by_views_of_both_kinds(void) {
    int sizes[] = {6, 4 * size}, parts[] = {6, 4}, starts[] = {0, 4 * rank};
    int ways[] = {MPI_DISTRIBUTE_NONE, MPI_DISTRIBUTE_BLOCK};
    int arguments[] = {MPI_DISTRIBUTE_DFLT_DARG, MPI_DISTRIBUTE_DFLT_DARG}, grid[] = {1, size};
    MPI_Datatype type;
    MPI_Type_create_subarray(2, sizes, parts, starts, MPI_ORDER_C, MPI_DOUBLE, &type);
    MPI_Type_commit(&type);
    by_views(type, "subarray");
    MPI_Type_free(&type);
    MPI_Type_create_darray(size, rank, 2, sizes, ways, arguments, grid, MPI_ORDER_C, MPI_DOUBLE,
                           &type);
    MPI_Type_commit(&type);
    by_views(type, "darray");
    MPI_Type_free(&type);
}

/* A log: whoever comes first writes the next line. */
static void a_log(void) {
    char line[16], all[16 * 64];
    int seen[64] = {0};
    MPI_Offset at;
    MPI_Status status;
    MPI_Request request;
    MPI_File file = opened(MPI_COMM_WORLD, "log", CREATE);
    memset(line, '.', sizeof line);
    snprintf(line, sizeof line, "rank %d", rank);
    CHECK(!MPI_File_write_shared(file, line, 16, MPI_CHAR, MPI_STATUS_IGNORE));
    CHECK(!MPI_File_write_shared_c(file, line, 16, MPI_CHAR, MPI_STATUS_IGNORE));
    CHECK(!MPI_File_iwrite_shared(file, line, 16, MPI_CHAR, &request));
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    CHECK(!MPI_File_iwrite_shared_c(file, line, 16, MPI_CHAR, &request));
    MPI_Wait(&request, &status);
    CHECK(count_of(&status, MPI_CHAR) == 16);
    MPI_File_sync(file);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_sync(file);
    MPI_File_get_position_shared(file, &at);
    CHECK(at == 64 * size);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_seek_shared(file, 0, MPI_SEEK_SET);
    CHECK(!MPI_File_read_shared(file, all, 16, MPI_CHAR, &status));
    CHECK(!MPI_File_read_shared_c(file, all + 16, 16, MPI_CHAR, &status));
    CHECK(!MPI_File_iread_shared(file, all + 32, 16, MPI_CHAR, &request));
    MPI_Wait(&request, &status);
    CHECK(!MPI_File_iread_shared_c(file, all + 48, 16, MPI_CHAR, &request));
    MPI_Wait(&request, &status);
    for (int i = 0; i < 4; i++) {
        int who = -1;
        CHECK(sscanf(all + 16 * i, "rank %d", &who) == 1 && who >= 0 && who < size);
        seen[who]++;
    }
    MPI_Allreduce(MPI_IN_PLACE, seen, size, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; i < size; i++) CHECK(seen[i] == 4);
    closed(&file);
}

/* In order of rank, rank + 1 numbers each. */
static void ordered(void) {
    int mine[64], back[64], first = 0, all = size * (size + 1) / 2;
    MPI_Offset at;
    MPI_Status status;
    MPI_File file = opened(MPI_COMM_WORLD, "ordered", CREATE);
    for (int i = 0; i < rank; i++) first += i + 1;
    CHECK(!MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL));
    for (int i = 0; i <= rank; i++) mine[i] = 10 * rank + i;
    CHECK(!MPI_File_write_ordered(file, mine, rank + 1, MPI_INT, &status));
    CHECK(count_of(&status, MPI_INT) == rank + 1);
    CHECK(!MPI_File_write_ordered_c(file, mine, rank + 1, MPI_INT, &status));
    CHECK(!MPI_File_write_ordered_begin(file, mine, rank + 1, MPI_INT));
    CHECK(!MPI_File_write_ordered_end(file, mine, &status));
    CHECK(!MPI_File_write_ordered_begin_c(file, mine, rank + 1, MPI_INT));
    CHECK(!MPI_File_write_ordered_end(file, mine, &status));
    MPI_File_get_position_shared(file, &at);
    CHECK(at == 4 * all);
    for (int i = 0; i < 4; i++) {
        MPI_File_read_at(file, i * all + first, back, rank + 1, MPI_INT, &status);
        CHECK(!memcmp(mine, back, (rank + 1) * sizeof(int)));
    }
    MPI_File_seek_shared(file, -4 * all, MPI_SEEK_END);
    for (int i = 0; i < 4; i++) {
        memset(back, 0, sizeof back);
        switch (i) {
        case 0: MPI_File_read_ordered(file, back, rank + 1, MPI_INT, &status); break;
        case 1: MPI_File_read_ordered_c(file, back, rank + 1, MPI_INT, &status); break;
        case 2: MPI_File_read_ordered_begin(file, back, rank + 1, MPI_INT); break;
        case 3: MPI_File_read_ordered_begin_c(file, back, rank + 1, MPI_INT); break;
        }
        if (i > 1) MPI_File_read_ordered_end(file, back, &status);
        CHECK(count_of(&status, MPI_INT) == rank + 1);
        CHECK(!memcmp(mine, back, (rank + 1) * sizeof(int)));
    }
    closed(&file);
}

/* A checkpoint: header and data, written and read back. */
static void checkpoint(void) {
    struct { int step, ranks; double time; } header = {42, 0, 0.5}, found;
    double state[100], back[100];
    MPI_File file;
    MPI_Offset at;
    header.ranks = size;
    for (int i = 0; i < 100; i++) state[i] = rank + i / 100.;
    file = opened(MPI_COMM_WORLD, "checkpoint", MPI_MODE_CREATE | MPI_MODE_WRONLY);
    MPI_File_set_size(file, 0);
    if (rank == 0) MPI_File_write(file, &header, sizeof header, MPI_BYTE, MPI_STATUS_IGNORE);
    MPI_File_seek(file, sizeof header + rank * sizeof state, MPI_SEEK_SET);
    MPI_File_write(file, state, 60, MPI_DOUBLE, MPI_STATUS_IGNORE);
    MPI_File_write_c(file, state + 60, 40, MPI_DOUBLE, MPI_STATUS_IGNORE);
    MPI_File_get_position(file, &at);
    CHECK(at == (MPI_Offset)(sizeof header + (rank + 1) * sizeof state));
    closed(&file);
    file = opened(MPI_COMM_WORLD, "checkpoint", MPI_MODE_RDONLY);
    MPI_File_read(file, &found, sizeof found, MPI_BYTE, MPI_STATUS_IGNORE);
    CHECK(!memcmp(&header, &found, sizeof header));
    MPI_File_seek(file, rank * sizeof state, MPI_SEEK_CUR);
    MPI_File_read(file, back, 50, MPI_DOUBLE, MPI_STATUS_IGNORE);
    MPI_File_read_c(file, back + 50, 50, MPI_DOUBLE, MPI_STATUS_IGNORE);
    CHECK(!memcmp(state, back, sizeof state));
    MPI_File_seek(file, 0, MPI_SEEK_END);
    MPI_File_get_position(file, &at);
    CHECK(at == (MPI_Offset)(sizeof header + size * sizeof state));
    closed(&file);
}

/* Nonblocking accesses, all forms: the even numbers are written, then the odd ones. */
static void nonblocking(void) {
    int out[8], in[8];
    MPI_Request requests[8];
    MPI_Status statuses[8];
    MPI_Offset base = rank * 8 * sizeof(int), at;
    MPI_File file = opened(MPI_COMM_WORLD, "nonblocking", CREATE);
    for (int i = 0; i < 8; i++) out[i] = 8 * rank + i, in[i] = -1;
    MPI_File_iwrite_at(file, base, out, 1, MPI_INT, &requests[0]);
    MPI_File_iwrite_at_c(file, base + 4, out + 1, 1, MPI_INT, &requests[1]);
    MPI_File_iwrite_at_all(file, base + 8, out + 2, 1, MPI_INT, &requests[2]);
    MPI_File_iwrite_at_all_c(file, base + 12, out + 3, 1, MPI_INT, &requests[3]);
    MPI_File_seek(file, base + 16, MPI_SEEK_SET);
    MPI_File_iwrite(file, out + 4, 1, MPI_INT, &requests[4]);
    MPI_File_get_position(file, &at);
    CHECK(at == base + 20);
    MPI_File_iwrite_c(file, out + 5, 1, MPI_INT, &requests[5]);
    MPI_File_iwrite_all(file, out + 6, 1, MPI_INT, &requests[6]);
    MPI_File_iwrite_all_c(file, out + 7, 1, MPI_INT, &requests[7]);
    MPI_Waitall(8, requests, statuses);
    for (int i = 0; i < 8; i++) CHECK(count_of(&statuses[i], MPI_INT) == 1);
    MPI_File_seek(file, base + 16, MPI_SEEK_SET);
    MPI_File_iread_at(file, base, in, 1, MPI_INT, &requests[0]);
    MPI_File_iread_at_c(file, base + 4, in + 1, 1, MPI_INT, &requests[1]);
    MPI_File_iread_at_all(file, base + 8, in + 2, 1, MPI_INT, &requests[2]);
    MPI_File_iread_at_all_c(file, base + 12, in + 3, 1, MPI_INT, &requests[3]);
    MPI_File_iread(file, in + 4, 1, MPI_INT, &requests[4]);
    MPI_File_iread_c(file, in + 5, 1, MPI_INT, &requests[5]);
    MPI_File_iread_all(file, in + 6, 1, MPI_INT, &requests[6]);
    MPI_File_iread_all_c(file, in + 7, 1, MPI_INT, &requests[7]);
    for (int left = 8, flag; left;) {
        int which;
        MPI_Testany(8, requests, &which, &flag, MPI_STATUS_IGNORE);
        left -= flag;
    }
    CHECK(!memcmp(out, in, sizeof in));
    closed(&file);
}

static void split(void) {
    int out[4], in[4];
    MPI_Status status;
    MPI_Offset base = rank * 4 * sizeof(int);
    MPI_File file = opened(MPI_COMM_WORLD, "split", CREATE);
    for (int i = 0; i < 4; i++) out[i] = 4 * rank + i, in[i] = -1;
    MPI_File_write_at_all_begin(file, base, out, 1, MPI_INT);
    MPI_File_write_at_all_end(file, out, &status);
    CHECK(count_of(&status, MPI_INT) == 1);
    MPI_File_write_at_all_begin_c(file, base + 4, out + 1, 1, MPI_INT);
    MPI_File_write_at_all_end(file, out + 1, MPI_STATUS_IGNORE);
    MPI_File_seek(file, base + 8, MPI_SEEK_SET);
    MPI_File_write_all_begin(file, out + 2, 1, MPI_INT);
    MPI_File_write_all_end(file, out + 2, MPI_STATUS_IGNORE);
    MPI_File_write_all_begin_c(file, out + 3, 1, MPI_INT);
    MPI_File_write_all_end(file, out + 3, MPI_STATUS_IGNORE);
    MPI_File_seek(file, base + 8, MPI_SEEK_SET);
    MPI_File_read_at_all_begin(file, base, in, 1, MPI_INT);
    MPI_File_read_at_all_end(file, in, MPI_STATUS_IGNORE);
    MPI_File_read_at_all_begin_c(file, base + 4, in + 1, 1, MPI_INT);
    MPI_File_read_at_all_end(file, in + 1, MPI_STATUS_IGNORE);
    MPI_File_read_all_begin(file, in + 2, 1, MPI_INT);
    MPI_File_read_all_end(file, in + 2, MPI_STATUS_IGNORE);
    MPI_File_read_all_begin_c(file, in + 3, 1, MPI_INT);
    MPI_File_read_all_end(file, in + 3, &status);
    CHECK(count_of(&status, MPI_INT) == 1);
    CHECK(!memcmp(out, in, sizeof in));
    closed(&file);
}

/* Bytes in the file are big-endian, and a long has four. */
static void external(void) {
    unsigned char bytes[20];
    int number = 0x01020304;
    long wide[2] = {-2, 7}, back[2] = {0, 0};
    double one = 1;
    MPI_Aint extent;
    MPI_Count large;
    MPI_Status status;
    MPI_Request request;
    char name[MPI_MAX_DATAREP_STRING];
    MPI_Offset at;
    MPI_Datatype etype, filetype;
    MPI_File file;
    if (rank) return;
    file = opened(MPI_COMM_SELF, "external", CREATE);
    CHECK(!MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "external32", MPI_INFO_NULL));
    MPI_File_write(file, &number, 1, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_get_type_extent(file, MPI_LONG, &extent);
    CHECK(extent == 4);
    MPI_File_get_type_extent_c(file, MPI_DOUBLE, &large);
    CHECK(large == 8);
    MPI_File_get_view(file, &at, &etype, &filetype, name);
    CHECK(at == 0 && etype == MPI_INT && filetype == MPI_INT && !strcmp(name, "external32"));
    CHECK(!MPI_File_set_view(file, 4, MPI_LONG, MPI_LONG, "external32", MPI_INFO_NULL));
    MPI_File_write(file, wide, 2, MPI_LONG, &status);
    CHECK(count_of(&status, MPI_LONG) == 2);
    MPI_File_iwrite_at(file, 2, &one, 1, MPI_DOUBLE, &request);
    MPI_Wait(&request, &status);
    CHECK(count_of(&status, MPI_DOUBLE) == 1);
    MPI_File_read_at(file, 0, back, 2, MPI_LONG, &status);
    CHECK(back[0] == -2 && back[1] == 7 && count_of(&status, MPI_LONG) == 2);
    MPI_File_iread_at(file, 1, back, 1, MPI_LONG, &request);
    MPI_Wait(&request, &status);
    CHECK(back[0] == 7 && count_of(&status, MPI_LONG) == 1);
    CHECK(!MPI_File_set_view(file, 0, MPI_BYTE, MPI_BYTE, "internal", MPI_INFO_NULL));
    MPI_File_read(file, bytes, 20, MPI_BYTE, MPI_STATUS_IGNORE);
    CHECK(!memcmp(bytes, "\1\2\3\4\377\377\377\376\0\0\0\7\77\360\0\0\0\0\0\0", 20));
    closed(&file);
}

/* Two ranks write the same bytes; with atomic mode the result is that of one of them. */
static void atomic(void) {
    int data[1000], flag;
    MPI_File file = opened(MPI_COMM_WORLD, "atomic", CREATE);
    MPI_File_get_atomicity(file, &flag);
    CHECK(!flag);
    MPI_File_set_atomicity(file, 1);
    MPI_File_get_atomicity(file, &flag);
    CHECK(flag);
    for (int i = 0; i < 1000; i++) data[i] = rank;
    MPI_File_write_at_all(file, 0, data, 1000, MPI_INT, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_read_at_all(file, 0, data, 1000, MPI_INT, MPI_STATUS_IGNORE);
    for (int i = 0; i < 1000; i++) CHECK(data[i] == data[0] && data[0] < size);
    closed(&file);
}

static void attributes(void) {
    int amode, same, flag;
    char value[32];
    MPI_Group group, world;
    MPI_Info info, used;
    MPI_Offset bytes, at;
    MPI_File file, again;
    MPI_Datatype pair, etype, filetype;
    char name[MPI_MAX_DATAREP_STRING];
    MPI_Info_create(&info);
    MPI_Info_set(info, "cb_nodes", "2");
    CHECK(!MPI_File_open(MPI_COMM_WORLD, named("attributes"), CREATE, info, &file));
    MPI_File_get_amode(file, &amode);
    CHECK(amode == CREATE);
    MPI_File_get_group(file, &group);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_compare(group, world, &same);
    CHECK(same == MPI_IDENT);
    MPI_Group_free(&group);
    MPI_Group_free(&world);
    MPI_Info_set(info, "cb_nodes", "3");
    MPI_File_set_info(file, info);
    MPI_Info_free(&info);
    MPI_File_get_info(file, &used);
    MPI_Info_get(used, "cb_nodes", 31, value, &flag);
    CHECK(flag && atoi(value) == (size < 3 ? size : 3));
    MPI_Info_free(&used);
    MPI_File_preallocate(file, 1000);
    MPI_File_get_size(file, &bytes);
    CHECK(bytes == 1000);
    MPI_File_preallocate(file, 10);
    MPI_File_get_size(file, &bytes);
    CHECK(bytes == 1000);
    MPI_File_set_size(file, 100);
    MPI_File_get_size(file, &bytes);
    CHECK(bytes == 100);
    MPI_Type_vector(2, 1, 2, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    MPI_File_set_view(file, 8, MPI_INT, pair, "native", MPI_INFO_NULL);
    MPI_Type_free(&pair);
    MPI_File_get_view(file, &at, &etype, &filetype, name);
    CHECK(at == 8 && etype == MPI_INT && filetype != MPI_INT && !strcmp(name, "native"));
    MPI_Type_free(&filetype);
    /* The view has ints at 8, 16, 20, 28, 32, ... */
    MPI_File_get_byte_offset(file, 3, &at);
    CHECK(at == 28);
    MPI_File_seek(file, 0, MPI_SEEK_END);
    MPI_File_get_position(file, &at);
    CHECK(at == 15);
    again = MPI_File_f2c(MPI_File_c2f(file));
    CHECK(again == file);
    again = MPI_File_fromint(MPI_File_toint(file));
    CHECK(again == file);
    closed(&file);
    /* Appended data come behind those that are there. */
    if (rank) return;
    file = opened(MPI_COMM_SELF, "append", CREATE | MPI_MODE_EXCL);
    MPI_File_write(file, "abc", 3, MPI_CHAR, MPI_STATUS_IGNORE);
    closed(&file);
    file = opened(MPI_COMM_SELF, "append", MPI_MODE_RDWR | MPI_MODE_APPEND);
    MPI_File_get_position(file, &at);
    CHECK(at == 3);
    MPI_File_write(file, "de", 2, MPI_CHAR, MPI_STATUS_IGNORE);
    MPI_File_read_at(file, 0, name, 5, MPI_CHAR, MPI_STATUS_IGNORE);
    CHECK(!memcmp(name, "abcde", 5));
    closed(&file);
    file = opened(MPI_COMM_SELF, "append", MPI_MODE_RDONLY | MPI_MODE_SEQUENTIAL);
    MPI_File_read_shared(file, name, 2, MPI_CHAR, MPI_STATUS_IGNORE);
    MPI_File_set_view(file, MPI_DISPLACEMENT_CURRENT, MPI_CHAR, MPI_CHAR, "native", MPI_INFO_NULL);
    MPI_File_read_shared(file, name, 3, MPI_CHAR, MPI_STATUS_IGNORE);
    CHECK(!memcmp(name, "cde", 3));
    closed(&file);
    CHECK(!MPI_File_delete(named("append"), MPI_INFO_NULL));
}

int main(int argc, char **argv) {
    begin(&argc, &argv);
    CHECK(argc == 2);
    folder = argv[1];
    by_offsets();
    by_views_of_both_kinds();
    a_log();
    ordered();
    checkpoint();
    nonblocking();
    split();
    external();
    atomic();
    attributes();
    MPI_Finalize();
    return 0;
}
