/* Packing: of the machine's own and in "external32", with small and with large counts. */
#include "check.h"
#include <complex.h>

#define C MPI_COMM_SELF

static void several_kinds(void) {
    int n = 7, back = 0, at = 0, room, more;
    double x[3] = {1, 2, 3}, y[2] = {0, 0};
    char buffer[200];
    MPI_Datatype every_other;
    MPI_Type_vector(2, 1, 2, MPI_DOUBLE, &every_other);
    MPI_Type_commit(&every_other);
    MPI_Pack_size(1, MPI_INT, C, &room), MPI_Pack_size(1, every_other, C, &more);
    CHECK(room >= 4 && more >= 16);
    CHECK(MPI_Pack(&n, 1, MPI_INT, buffer, 200, &at, C) == MPI_SUCCESS && at <= room);
    CHECK(MPI_Pack(x, 1, every_other, buffer, 200, &at, C) == MPI_SUCCESS && at <= room + more);
    /* Packed data are sent as such and received as what they are. */
    struct { int n; double x[2]; } in = {0, {0, 0}};
    int lengths[2] = {1, 2};
    MPI_Aint places[2] = {0, 8};
    MPI_Datatype types[2] = {MPI_INT, MPI_DOUBLE}, whole;
    MPI_Type_create_struct(2, lengths, places, types, &whole), MPI_Type_commit(&whole);
    MPI_Sendrecv(buffer, at, MPI_PACKED, 0, 1, &in, 1, whole, 0, 1, C, MPI_STATUS_IGNORE);
    CHECK(in.n == 7 && in.x[0] == 1 && in.x[1] == 3);
    char received[200];
    MPI_Status status;
    int count, from = 0;
    MPI_Sendrecv(&in, 1, whole, 0, 1, received, 200, MPI_PACKED, 0, 1, C, &status);
    MPI_Get_count(&status, MPI_PACKED, &count);
    CHECK(count == at);
    MPI_Unpack(received, count, &from, &back, 1, MPI_INT, C);
    MPI_Unpack(received, count, &from, y, 2, MPI_DOUBLE, C);
    CHECK(back == 7 && y[0] == 1 && y[1] == 3 && from == count);
    MPI_Type_free(&every_other), MPI_Type_free(&whole);
}

static void large_counts(void) {
    short out[4] = {1, 2, 3, 4}, in[4] = {0};
    char buffer[64];
    MPI_Count at = 0, from = 0, room;
    CHECK(MPI_Pack_size_c(4, MPI_SHORT, C, &room) == MPI_SUCCESS && room >= 8);
    CHECK(MPI_Pack_c(out, 4, MPI_SHORT, buffer, 64, &at, C) == MPI_SUCCESS && at == 8);
    CHECK(MPI_Unpack_c(buffer, at, &from, in, 4, MPI_SHORT, C) == MPI_SUCCESS && from == 8);
    CHECK(memcmp(in, out, sizeof in) == 0);
    at = from = 0, memset(in, 0, sizeof in);
    CHECK(MPI_Pack_external_size_c("external32", 4, MPI_SHORT, &room) == MPI_SUCCESS && room == 8);
    CHECK(MPI_Pack_external_c("external32", out, 4, MPI_SHORT, buffer, 64, &at) == MPI_SUCCESS);
    CHECK(at == 8 && buffer[0] == 0 && buffer[1] == 1 && buffer[7] == 4);
    CHECK(MPI_Unpack_external_c("external32", buffer, 8, &from, in, 4, MPI_SHORT) == MPI_SUCCESS);
    CHECK(from == 8 && memcmp(in, out, sizeof in) == 0);
    /* Sizes beyond an int. */
    int small = 0;
    CHECK(MPI_Pack_size(2000000000, MPI_DOUBLE, C, &small) == MPI_SUCCESS);
    CHECK(small == MPI_UNDEFINED);
    CHECK(MPI_Pack_size_c(2000000000, MPI_DOUBLE, C, &room) == MPI_SUCCESS);
    CHECK(room == 16000000000);
}

static void expect(const void *data, MPI_Datatype type, int bytes, const char *wanted) {
    char buffer[64], back[64] = {0}, shown[129];
    MPI_Aint at = 0, from = 0;
    MPI_Aint low, extent;
    CHECK(MPI_Pack_external("external32", data, 1, type, buffer, 64, &at) == MPI_SUCCESS);
    CHECK(at == bytes);
    for (int i = 0; i < bytes; i++) sprintf(shown + 2 * i, "%02x", (unsigned char)buffer[i]);
    if (strcmp(shown, wanted) != 0) fprintf(stderr, "%s is not %s\n", shown, wanted);
    CHECK(strcmp(shown, wanted) == 0);
    CHECK(MPI_Unpack_external("external32", buffer, at, &from, back, 1, type) == MPI_SUCCESS);
    MPI_Type_get_true_extent(type, &low, &extent);
    /* The rest of a long double is padding. */
    if (type == MPI_LONG_DOUBLE) extent = 10;
    CHECK(from == at && memcmp(back, data, extent) == 0);
}

static void abroad(void) {
    int n = 0x01020304;
    long l = -2;
    double d = 1.5;
    float _Complex c = 1.0f + 2.0f * I;
    long double q = -1.5L;
    unsigned short s = 0x1122;
    expect(&n, MPI_INT, 4, "01020304");
    expect(&s, MPI_UNSIGNED_SHORT, 2, "1122");
    expect(&l, MPI_LONG, 4, "fffffffe");
    expect(&d, MPI_DOUBLE, 8, "3ff8000000000000");
    expect(&c, MPI_C_FLOAT_COMPLEX, 8, "3f80000040000000");
    expect(&q, MPI_LONG_DOUBLE, 16, "bfff8000000000000000000000000000");
    struct { double v; int i; } pair;
    memset(&pair, 0, sizeof pair), pair.v = 1, pair.i = 2;
    expect(&pair, MPI_DOUBLE_INT, 12, "3ff000000000000000000002");
    int row[3] = {1, 0, 2};
    MPI_Datatype ends;
    MPI_Type_vector(2, 1, 2, MPI_INT, &ends), MPI_Type_commit(&ends);
    expect(row, ends, 8, "0000000100000002");
    MPI_Type_free(&ends);
}

static void wrong(void) {
    int n[2] = {1, 2}, at = 0, room;
    char buffer[8];
    MPI_Aint place = 0, size_;
    long large = 1L << 40;
    CHECK(MPI_Pack(n, 3, MPI_INT, buffer, 8, &at, C) != MPI_SUCCESS && at == 0);
    CHECK(MPI_Unpack(buffer, 8, &at, n, 3, MPI_INT, C) != MPI_SUCCESS && at == 0);
    GIVES(MPI_ERR_COUNT, MPI_Pack(n, -1, MPI_INT, buffer, 8, &at, C));
    GIVES(MPI_ERR_TYPE, MPI_Pack(n, 1, MPI_DATATYPE_NULL, buffer, 8, &at, C));
    GIVES(MPI_ERR_COMM, MPI_Pack(n, 1, MPI_INT, buffer, 8, &at, MPI_COMM_NULL));
    GIVES(MPI_ERR_BUFFER, MPI_Pack(n, 1, MPI_INT, NULL, 8, &at, C));
    GIVES(MPI_ERR_ARG, MPI_Pack(n, 1, MPI_INT, buffer, -1, &at, C));
    GIVES(MPI_ERR_ARG, MPI_Unpack(buffer, -1, &at, n, 1, MPI_INT, C));
    GIVES(MPI_ERR_COUNT, MPI_Pack_size(-1, MPI_INT, C, &room));
    GIVES(MPI_ERR_COMM, MPI_Pack_size(1, MPI_INT, MPI_COMM_NULL, &room));
    GIVES(MPI_ERR_TYPE, MPI_Pack_size(1, MPI_DATATYPE_NULL, C, &room));
    GIVES(MPI_ERR_ARG, MPI_Pack_external_size("native", 1, MPI_INT, &size_));
    GIVES(MPI_ERR_CONVERSION, MPI_Pack_external("external32", &large, 1, MPI_LONG, buffer, 8, &place));
    CHECK(place == 0);
    CHECK(MPI_Pack(NULL, 0, MPI_INT, NULL, 0, &at, C) == MPI_SUCCESS && at == 0);
}

int main(int argc, char **argv) {
    begin(&argc, &argv);
    return_errors();
    several_kinds();
    large_counts();
    abroad();
    wrong();
    MPI_Finalize();
    return 0;
}
