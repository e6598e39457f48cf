/* Every predefined datatype: name, size, extent, envelope; sent, packed, and turned for others. */
#include "check.h"
#include <complex.h>
#include <stdbool.h>
#include <stdint.h>
#include <wchar.h>

typedef struct {
    MPI_Datatype type;
    const char *name;
    int bytes, extent, external;
} Type;

#define T(type, bytes) {type, #type, bytes, bytes, bytes}
#define PAIR(type, bytes, extent, external) {type, #type, bytes, extent, external}

static const Type types[] = {
    T(MPI_CHAR, 1), T(MPI_SIGNED_CHAR, 1), T(MPI_UNSIGNED_CHAR, 1), T(MPI_BYTE, 1),
    T(MPI_PACKED, 1), T(MPI_SHORT, sizeof(short)), T(MPI_UNSIGNED_SHORT, sizeof(short)),
    T(MPI_INT, sizeof(int)), T(MPI_UNSIGNED, sizeof(int)), T(MPI_FLOAT, sizeof(float)),
    T(MPI_DOUBLE, sizeof(double)), T(MPI_LONG_DOUBLE, sizeof(long double)),
    PAIR(MPI_LONG, sizeof(long), sizeof(long), 4),
    PAIR(MPI_UNSIGNED_LONG, sizeof(long), sizeof(long), 4),
    T(MPI_LONG_LONG_INT, 8), T(MPI_UNSIGNED_LONG_LONG, 8),
    PAIR(MPI_WCHAR, sizeof(wchar_t), sizeof(wchar_t), 2), T(MPI_C_BOOL, sizeof(bool)),
    T(MPI_INT8_T, 1), T(MPI_INT16_T, 2), T(MPI_INT32_T, 4), T(MPI_INT64_T, 8),
    T(MPI_UINT8_T, 1), T(MPI_UINT16_T, 2), T(MPI_UINT32_T, 4), T(MPI_UINT64_T, 8),
    T(MPI_AINT, sizeof(MPI_Aint)), T(MPI_COUNT, sizeof(MPI_Count)),
    T(MPI_OFFSET, sizeof(MPI_Offset)),
    T(MPI_C_COMPLEX, sizeof(float _Complex)),
    T(MPI_C_DOUBLE_COMPLEX, sizeof(double _Complex)),
    T(MPI_C_LONG_DOUBLE_COMPLEX, sizeof(long double _Complex)),
    T(MPI_CXX_BOOL, 1), T(MPI_CXX_FLOAT_COMPLEX, 8), T(MPI_CXX_DOUBLE_COMPLEX, 16),
    T(MPI_CXX_LONG_DOUBLE_COMPLEX, 32),
    PAIR(MPI_FLOAT_INT, 8, sizeof(struct { float v; int i; }), 8),
    PAIR(MPI_DOUBLE_INT, 12, sizeof(struct { double v; int i; }), 12),
    PAIR(MPI_LONG_INT, 12, sizeof(struct { long v; int i; }), 8),
    PAIR(MPI_2INT, 8, 8, 8), PAIR(MPI_SHORT_INT, 6, sizeof(struct { short v; int i; }), 6),
    PAIR(MPI_LONG_DOUBLE_INT, 20, sizeof(struct { long double v; int i; }), 20),
    T(MPI_INTEGER, 4), T(MPI_REAL, 4), T(MPI_DOUBLE_PRECISION, 8), T(MPI_COMPLEX, 8),
    T(MPI_DOUBLE_COMPLEX, 16), T(MPI_LOGICAL, 4), T(MPI_CHARACTER, 1),
    T(MPI_2REAL, 8), T(MPI_2DOUBLE_PRECISION, 16), T(MPI_2INTEGER, 8),
    T(MPI_INTEGER1, 1), T(MPI_INTEGER2, 2), T(MPI_INTEGER4, 4), T(MPI_INTEGER8, 8),
    T(MPI_INTEGER16, 16), T(MPI_REAL2, 2), T(MPI_REAL4, 4), T(MPI_REAL8, 8), T(MPI_REAL16, 16),
    T(MPI_COMPLEX4, 4), T(MPI_COMPLEX8, 8), T(MPI_COMPLEX16, 16), T(MPI_COMPLEX32, 32),
    T(MPI_LOGICAL1, 1), T(MPI_LOGICAL2, 2), T(MPI_LOGICAL4, 4), T(MPI_LOGICAL8, 8),
    T(MPI_LOGICAL16, 16),
};

static void described(const Type *t) {
    char name[MPI_MAX_OBJECT_NAME];
    int length, bytes, integers, addresses, datatypes, combiner;
    MPI_Aint low, extent;
    CHECK(MPI_Type_get_name(t->type, name, &length) == MPI_SUCCESS);
    CHECK(strcmp(name, t->name) == 0 && length == (int)strlen(name));
    CHECK(MPI_Type_size(t->type, &bytes) == MPI_SUCCESS && bytes == t->bytes);
    CHECK(MPI_Type_get_extent(t->type, &low, &extent) == MPI_SUCCESS);
    CHECK(low == 0 && extent == t->extent);
    CHECK(MPI_Type_get_envelope(t->type, &integers, &addresses, &datatypes, &combiner) == 0);
    CHECK(combiner == MPI_COMBINER_NAMED && !integers && !addresses && !datatypes);
    MPI_Datatype copy = t->type;
    CHECK(MPI_Type_commit(&copy) == MPI_SUCCESS && copy == t->type);
    GIVES(MPI_ERR_TYPE, MPI_Type_free(&copy));
    GIVES(MPI_ERR_TYPE, MPI_Type_get_contents(t->type, 0, 0, 0, NULL, NULL, NULL));
}

/* Which bytes of an element hold data: those that packing reads. */
static void used(const Type *t, char *mask) {
    char element[64], packed[64];
    int at = 0;
    memset(mask, 0, 64), memset(packed, 1, 64);
    MPI_Unpack(packed, 64, &at, mask, 1, t->type, MPI_COMM_SELF);
    CHECK(at == t->bytes && sizeof element >= (size_t)t->extent);
}

static void moved(const Type *t) {
    enum { N = 3 };
    char out[64 * N], in[64 * N], mask[64], packed[256];
    MPI_Status status;
    int count, room, at = 0, from = 0;
    used(t, mask);
    for (int i = 0; i < t->extent * N; i++) out[i] = (char)(17 * i + 3);
    if (t->type == MPI_LONG || t->type == MPI_UNSIGNED_LONG || t->type == MPI_WCHAR)
        for (int i = 0; i < t->extent * N; i++)
            if (i % t->extent >= t->external) out[i] = out[i - i % t->extent + t->external - 1] >> 7;
    memset(in, 0, sizeof in);
    MPI_Sendrecv(out, N, t->type, 0, 1, in, N, t->type, 0, 1, MPI_COMM_SELF, &status);
    for (int i = 0; i < t->extent * N; i++) CHECK(in[i] == (mask[i % t->extent] ? out[i] : 0));
    MPI_Get_count(&status, t->type, &count);
    CHECK(count == N);
    MPI_Pack_size(N, t->type, MPI_COMM_SELF, &room);
    CHECK(room >= N * t->bytes && room <= (int)sizeof packed);
    memset(in, 0, sizeof in);
    MPI_Pack(out, N, t->type, packed, room, &at, MPI_COMM_SELF);
    MPI_Unpack(packed, at, &from, in, N, t->type, MPI_COMM_SELF);
    CHECK(at == from && at <= room);
    for (int i = 0; i < t->extent * N; i++) CHECK(in[i] == (mask[i % t->extent] ? out[i] : 0));
}

static void abroad(const Type *t) {
    char out[128], in[128], packed[128], mask[64];
    MPI_Aint room, at = 0, from = 0;
    used(t, mask);
    CHECK(MPI_Pack_external_size("external32", 2, t->type, &room) == MPI_SUCCESS);
    CHECK(room == 2 * t->external);
    memset(out, 0, sizeof out), memset(in, 0, sizeof in);
    for (int i = 0; i < 2 * t->extent; i++)
        if (mask[i % t->extent] && i % t->extent < 2) out[i] = (char)(i % t->extent + 1);
    if (t->type == MPI_LONG_DOUBLE) ((long double *)out)[0] = -1.5L, ((long double *)out)[1] = 3;
    CHECK(MPI_Pack_external("external32", out, 2, t->type, packed, room, &at) == MPI_SUCCESS);
    CHECK(at == room);
    CHECK(MPI_Unpack_external("external32", packed, room, &from, in, 2, t->type) == MPI_SUCCESS);
    CHECK(from == room && memcmp(in, out, t->type == MPI_LONG_DOUBLE ? 10 : sizeof in) == 0);
}

int main(int argc, char **argv) {
    begin(&argc, &argv);
    return_errors();
    for (unsigned i = 0; i < sizeof types / sizeof *types; i++) {
        described(&types[i]);
        moved(&types[i]);
        abroad(&types[i]);
    }
    char name[MPI_MAX_OBJECT_NAME];
    int length;
    CHECK(MPI_Type_get_name(MPI_DATATYPE_NULL, name, &length) == MPI_SUCCESS);
    CHECK(strcmp(name, "MPI_DATATYPE_NULL") == 0);
    CHECK(MPI_LONG_LONG_INT == MPI_LONG_LONG && MPI_C_COMPLEX == MPI_C_FLOAT_COMPLEX);
    CHECK(MPI_Type_set_name(MPI_INT, "whole number") == MPI_SUCCESS);
    MPI_Type_get_name(MPI_INT, name, &length);
    CHECK(strcmp(name, "whole number") == 0);
    MPI_Finalize();
    return 0;
}
