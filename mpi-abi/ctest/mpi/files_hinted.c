/* Costs of files: each rank has every size-th tooth of a comb, 8 teeth of 100 bytes. The second argument has letters, each of
 * which is an access: w and r by each rank, W and R by all together, N and M likewise, but nonblocking, B and C split, P two
 * nonblocking writes of half the comb at once, s is a synchronisation. The others are hints, NAME=VALUE, which must be in
 * use. */
#include "check.h"

enum { TEETH = 8, TOOTH = 100, ALL = TEETH * TOOTH };

static void check_hint(MPI_Info used, const char *hint) {
    char name[256], text[MPI_MAX_INFO_VAL + 1];
    const char *value = strchr(hint, '=') + 1;
    int flag;
    snprintf(name, sizeof name, "%.*s", (int)(value - 1 - hint), hint);
    MPI_Info_get(used, name, MPI_MAX_INFO_VAL, text, &flag);
    CHECK(flag && !strcmp(text, value));
}

int main(int argc, char **argv) {
    char path[4096], data[ALL], back[ALL], name[256];
    MPI_Datatype comb;
    MPI_File file;
    MPI_Info hints, used;
    begin(&argc, &argv);
    snprintf(path, sizeof path, "%s/hinted", argv[1]);
    MPI_Info_create(&hints);
    for (int i = 3; i < argc; i++) {
        const char *value = strchr(argv[i], '=') + 1;
        snprintf(name, sizeof name, "%.*s", (int)(value - 1 - argv[i]), argv[i]);
        MPI_Info_set(hints, name, value);
    }
    for (int i = 0; i < ALL; i++) data[i] = (char)(i + 7 * rank);
    MPI_Type_vector(TEETH, TOOTH, TOOTH * size, MPI_CHAR, &comb);
    MPI_Type_commit(&comb);
    CHECK(!MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_RDWR, hints, &file));
    MPI_File_set_view(file, rank * TOOTH, MPI_CHAR, comb, "native", MPI_INFO_NULL);
    CHECK(!MPI_File_get_info(file, &used));
    for (int i = 3; i < argc; i++) check_hint(used, argv[i]);
    for (const char *step = argv[2]; *step; step++) {
        MPI_Status status;
        MPI_Request requests[2];
        int moved = ALL;
        memset(back, 0, ALL);
        switch (*step) {
        case 'w': CHECK(!MPI_File_write_at(file, 0, data, ALL, MPI_CHAR, &status)); break;
        case 'W': CHECK(!MPI_File_write_at_all(file, 0, data, ALL, MPI_CHAR, &status)); break;
        case 'r': CHECK(!MPI_File_read_at(file, 0, back, ALL, MPI_CHAR, &status)); break;
        case 'R': CHECK(!MPI_File_read_at_all(file, 0, back, ALL, MPI_CHAR, &status)); break;
        case 'N':
            CHECK(!MPI_File_iwrite_at_all(file, 0, data, ALL, MPI_CHAR, requests));
            CHECK(!MPI_Wait(requests, &status));
            break;
        case 'M':
            CHECK(!MPI_File_iread_at_all(file, 0, back, ALL, MPI_CHAR, requests));
            CHECK(!MPI_Wait(requests, &status));
            break;
        case 'B':
            CHECK(!MPI_File_write_at_all_begin(file, 0, data, ALL, MPI_CHAR));
            CHECK(!MPI_File_write_at_all_end(file, data, &status));
            break;
        case 'C':
            CHECK(!MPI_File_read_at_all_begin(file, 0, back, ALL, MPI_CHAR));
            CHECK(!MPI_File_read_at_all_end(file, back, &status));
            break;
        case 'P':
            CHECK(!MPI_File_iwrite_at_all(file, 0, data, ALL / 2, MPI_CHAR, requests));
            CHECK(!MPI_File_iwrite_at_all(file, ALL / 2, data + ALL / 2, ALL / 2, MPI_CHAR, requests + 1));
            CHECK(!MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
            continue;
        case 's': CHECK(!MPI_File_sync(file)); continue;
        default: CHECK(!"a letter that means something");
        }
        MPI_Get_count(&status, MPI_CHAR, &moved);
        CHECK(moved == ALL);
        if (strchr("rRMC", *step)) CHECK(!memcmp(data, back, ALL));
    }
    MPI_Info_free(&hints);
    MPI_Info_free(&used);
    MPI_Type_free(&comb);
    MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
