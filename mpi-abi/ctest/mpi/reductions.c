/* Every predefined operation on every type that has it, and the class of those that have it not. */
#include "check.h"
#include <complex.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>


/* Ranks bring rank + 1 and, in the second element, 1 at rank 0 and 2 elsewhere. */
#define ARITHMETIC(C, T)                                                                           \
    do {                                                                                           \
        C mine[2] = {(C)(rank + 1), (C)(rank ? 2 : 1)}, got[2], sum = 0, product = 1;              \
        for (int i = 0; i < size; i++)                                                             \
            sum += (C)(i + 1), product *= (C)(i ? 2 : 1);                                          \
        CHECK(MPI_Allreduce(mine, got, 2, T, MPI_SUM, MPI_COMM_WORLD) == MPI_SUCCESS);             \
        CHECK(got[0] == sum && got[1] == (C)(2 * size - 1));                                       \
        CHECK(MPI_Allreduce(mine, got, 2, T, MPI_PROD, MPI_COMM_WORLD) == MPI_SUCCESS);            \
        CHECK(got[1] == product);                                                                  \
    } while (0)
#define ORDER(C, T)                                                                                \
    do {                                                                                           \
        C mine = (C)(rank + 1), got;                                                               \
        CHECK(MPI_Allreduce(&mine, &got, 1, T, MPI_MAX, MPI_COMM_WORLD) == MPI_SUCCESS);           \
        CHECK(got == (C)size);                                                                     \
        CHECK(MPI_Allreduce(&mine, &got, 1, T, MPI_MIN, MPI_COMM_WORLD) == MPI_SUCCESS);           \
        CHECK(got == (C)1);                                                                        \
    } while (0)
#define BITS(C, T)                                                                                 \
    do {                                                                                           \
        C mine = (C)(1 << rank), got, all = (C)((1 << size) - 1), most = (C)~mine;                 \
        CHECK(MPI_Allreduce(&mine, &got, 1, T, MPI_BOR, MPI_COMM_WORLD) == MPI_SUCCESS);           \
        CHECK(got == all);                                                                         \
        CHECK(MPI_Allreduce(&mine, &got, 1, T, MPI_BXOR, MPI_COMM_WORLD) == MPI_SUCCESS);          \
        CHECK(got == all);                                                                         \
        CHECK(MPI_Allreduce(&most, &got, 1, T, MPI_BAND, MPI_COMM_WORLD) == MPI_SUCCESS);          \
        CHECK(got == (C)~all);                                                                     \
    } while (0)
#define LOGIC(C, T)                                                                                \
    do {                                                                                           \
        C mine[3] = {(C)(rank == 0), 1, 0}, got[3];                                                \
        CHECK(MPI_Allreduce(mine, got, 3, T, MPI_LOR, MPI_COMM_WORLD) == MPI_SUCCESS);             \
        CHECK(got[0] == 1 && got[1] == 1 && got[2] == 0);                                          \
        CHECK(MPI_Allreduce(mine, got, 3, T, MPI_LAND, MPI_COMM_WORLD) == MPI_SUCCESS);            \
        CHECK(got[0] == (size == 1) && got[1] == 1 && got[2] == 0);                                \
        CHECK(MPI_Allreduce(mine, got, 3, T, MPI_LXOR, MPI_COMM_WORLD) == MPI_SUCCESS);            \
        CHECK(got[0] == 1 && got[1] == size % 2 && got[2] == 0);                                   \
    } while (0)
#define INTEGER(C, T) ARITHMETIC(C, T); ORDER(C, T); BITS(C, T); LOGIC(C, T)

static void integers(void) {
    INTEGER(int, MPI_INT);
    INTEGER(long, MPI_LONG);
    INTEGER(short, MPI_SHORT);
    INTEGER(unsigned short, MPI_UNSIGNED_SHORT);
    INTEGER(unsigned, MPI_UNSIGNED);
    INTEGER(unsigned long, MPI_UNSIGNED_LONG);
    INTEGER(long long, MPI_LONG_LONG_INT);
    INTEGER(long long, MPI_LONG_LONG);
    INTEGER(unsigned long long, MPI_UNSIGNED_LONG_LONG);
    INTEGER(signed char, MPI_SIGNED_CHAR);
    INTEGER(unsigned char, MPI_UNSIGNED_CHAR);
    INTEGER(int8_t, MPI_INT8_T);
    INTEGER(int16_t, MPI_INT16_T);
    INTEGER(int32_t, MPI_INT32_T);
    INTEGER(int64_t, MPI_INT64_T);
    INTEGER(uint8_t, MPI_UINT8_T);
    INTEGER(uint16_t, MPI_UINT16_T);
    INTEGER(uint32_t, MPI_UINT32_T);
    INTEGER(uint64_t, MPI_UINT64_T);
}

static void others(void) {
    ARITHMETIC(float, MPI_FLOAT); ORDER(float, MPI_FLOAT);
    ARITHMETIC(double, MPI_DOUBLE); ORDER(double, MPI_DOUBLE);
    ARITHMETIC(long double, MPI_LONG_DOUBLE); ORDER(long double, MPI_LONG_DOUBLE);
    ARITHMETIC(float complex, MPI_C_COMPLEX);
    ARITHMETIC(float complex, MPI_C_FLOAT_COMPLEX);
    ARITHMETIC(double complex, MPI_C_DOUBLE_COMPLEX);
    ARITHMETIC(long double complex, MPI_C_LONG_DOUBLE_COMPLEX);
    ARITHMETIC(MPI_Aint, MPI_AINT); ORDER(MPI_Aint, MPI_AINT); BITS(MPI_Aint, MPI_AINT);
    ARITHMETIC(MPI_Offset, MPI_OFFSET); ORDER(MPI_Offset, MPI_OFFSET); BITS(MPI_Offset, MPI_OFFSET);
    ARITHMETIC(MPI_Count, MPI_COUNT); ORDER(MPI_Count, MPI_COUNT); BITS(MPI_Count, MPI_COUNT);
    BITS(unsigned char, MPI_BYTE);
    LOGIC(bool, MPI_C_BOOL);
    LOGIC(int, MPI_LOGICAL);
    ARITHMETIC(int, MPI_INTEGER); ORDER(int, MPI_INTEGER); BITS(int, MPI_INTEGER);
    ARITHMETIC(float, MPI_REAL); ORDER(float, MPI_REAL);
    ARITHMETIC(double, MPI_DOUBLE_PRECISION); ORDER(double, MPI_DOUBLE_PRECISION);
    ARITHMETIC(float complex, MPI_COMPLEX);
    ARITHMETIC(double complex, MPI_DOUBLE_COMPLEX);
    ARITHMETIC(float complex, MPI_COMPLEX8);
    ARITHMETIC(double complex, MPI_COMPLEX16);
    ARITHMETIC(int8_t, MPI_INTEGER1); ORDER(int16_t, MPI_INTEGER2); BITS(int32_t, MPI_INTEGER4);
    ARITHMETIC(int64_t, MPI_INTEGER8); ORDER(float, MPI_REAL4); ARITHMETIC(double, MPI_REAL8);
}

/* Values fall with the rank but the last two are equal: the smaller place counts. */
#define PAIRS(V, I, T)                                                                             \
    do {                                                                                           \
        struct { V value; I place; } mine[2], got[2];                                              \
        int low = size > 1 ? size - 2 : 0;                                                         \
        memset(mine, 0, sizeof mine), memset(got, 0, sizeof got);                                  \
        mine[0].value = (V)(100 - (rank < low ? rank : low)), mine[0].place = (I)rank;             \
        mine[1].value = (V)7, mine[1].place = (I)(size - rank);                                    \
        CHECK(MPI_Allreduce(mine, got, 2, T, MPI_MINLOC, MPI_COMM_WORLD) == MPI_SUCCESS);          \
        CHECK(got[0].value == (V)(100 - low) && got[0].place == (I)low);                           \
        CHECK(got[1].value == (V)7 && got[1].place == (I)1);                                       \
        CHECK(MPI_Reduce(mine, got, 2, T, MPI_MAXLOC, size - 1, MPI_COMM_WORLD) == MPI_SUCCESS);   \
        CHECK(rank < size - 1 || (got[0].value == (V)100 && got[0].place == (I)0));                \
        CHECK(rank < size - 1 || (got[1].value == (V)7 && got[1].place == (I)1));                  \
        CHECK(MPI_Scan(mine, got, 2, T, MPI_MAXLOC, MPI_COMM_WORLD) == MPI_SUCCESS);               \
        CHECK(got[0].place == (I)0 && got[1].place == (I)(size - rank));                           \
    } while (0)

static void places(void) {
    PAIRS(float, int, MPI_FLOAT_INT);
    PAIRS(double, int, MPI_DOUBLE_INT);
    PAIRS(long, int, MPI_LONG_INT);
    PAIRS(int, int, MPI_2INT);
    PAIRS(short, int, MPI_SHORT_INT);
    PAIRS(long double, int, MPI_LONG_DOUBLE_INT);
    PAIRS(float, float, MPI_2REAL);
    PAIRS(double, double, MPI_2DOUBLE_PRECISION);
    PAIRS(int, int, MPI_2INTEGER);
}

static void refused(void) {
    static const MPI_Op order[] = {MPI_MAX, MPI_MIN}, sums[] = {MPI_SUM, MPI_PROD},
                        logic[] = {MPI_LAND, MPI_LOR, MPI_LXOR},
                        bits[] = {MPI_BAND, MPI_BOR, MPI_BXOR}, at[] = {MPI_MINLOC, MPI_MAXLOC};
    char in[64] = {0}, out[64];
#define NO(ops, T)                                                                                 \
    for (size_t i = 0; i < sizeof ops / sizeof ops[0]; i++) {                                      \
        CHECK(class_of(MPI_Allreduce(in, out, 1, T, ops[i], MPI_COMM_WORLD)) == MPI_ERR_OP);          \
        CHECK(class_of(MPI_Reduce(in, out, 1, T, ops[i], 0, MPI_COMM_WORLD)) == MPI_ERR_OP);          \
        CHECK(class_of(MPI_Scan(in, out, 1, T, ops[i], MPI_COMM_WORLD)) == MPI_ERR_OP);               \
        CHECK(class_of(MPI_Reduce_local(in, out, 1, T, ops[i])) == MPI_ERR_OP);                       \
    }
    NO(order, MPI_C_COMPLEX) NO(order, MPI_COMPLEX) NO(order, MPI_C_DOUBLE_COMPLEX)
    NO(logic, MPI_COMPLEX) NO(bits, MPI_COMPLEX) NO(at, MPI_COMPLEX)
    NO(logic, MPI_FLOAT) NO(bits, MPI_FLOAT) NO(at, MPI_FLOAT)
    NO(logic, MPI_DOUBLE) NO(bits, MPI_DOUBLE) NO(bits, MPI_LONG_DOUBLE) NO(at, MPI_INT)
    NO(order, MPI_BYTE) NO(sums, MPI_BYTE) NO(logic, MPI_BYTE) NO(at, MPI_BYTE)
    NO(order, MPI_CHAR) NO(sums, MPI_CHAR) NO(logic, MPI_CHAR) NO(bits, MPI_CHAR) NO(at, MPI_CHAR)
    NO(order, MPI_WCHAR) NO(sums, MPI_WCHAR) NO(bits, MPI_WCHAR)
    NO(order, MPI_C_BOOL) NO(sums, MPI_C_BOOL) NO(bits, MPI_C_BOOL)
    NO(order, MPI_LOGICAL) NO(sums, MPI_LOGICAL) NO(bits, MPI_LOGICAL)
    NO(order, MPI_2INT) NO(sums, MPI_DOUBLE_INT) NO(logic, MPI_2INT) NO(bits, MPI_2INT)
    NO(sums, MPI_PACKED) NO(sums, MPI_CHARACTER)
    MPI_Datatype two;
    MPI_Type_contiguous(2, MPI_INT, &two);
    MPI_Type_commit(&two);
    NO(order, two) NO(sums, two) NO(logic, two) NO(bits, two) NO(at, two)
    MPI_Type_free(&two);
    /* For one-sided communication only. */
    CHECK(class_of(MPI_Allreduce(in, out, 1, MPI_INT, MPI_REPLACE, MPI_COMM_WORLD)) == MPI_ERR_OP);
    CHECK(class_of(MPI_Allreduce(in, out, 1, MPI_INT, MPI_NO_OP, MPI_COMM_WORLD)) == MPI_ERR_OP);
    CHECK(class_of(MPI_Reduce_local(in, out, 1, MPI_INT, MPI_OP_NULL)) == MPI_ERR_OP);
    CHECK(class_of(MPI_Reduce_local(in, out, -1, MPI_INT, MPI_SUM)) == MPI_ERR_COUNT);
    CHECK(class_of(MPI_Reduce_local(in, out, 1, MPI_DATATYPE_NULL, MPI_SUM)) == MPI_ERR_TYPE);
    CHECK(class_of(MPI_Reduce_local(in, in, 1, MPI_INT, MPI_SUM)) == MPI_ERR_BUFFER);
    CHECK(MPI_Reduce_local(NULL, NULL, 0, MPI_INT, MPI_SUM) == MPI_SUCCESS);
}

/* Types of Fortran that few machines reckon with: real(16) has 113 binary digits, real(2) has 11. */
static void wide_and_narrow(void) {
    __float128 fine = 1, mine = 1 + rank * (fine / ((int64_t)1 << 62)), sum, want = 0;
    __int128 truth = rank == 0, some;
    uint16_t one = 0x3c00, halves;
    for (int i = 0; i < size; i++)
        want += 1 + i * (fine / ((int64_t)1 << 62));
    CHECK(!MPI_Allreduce(&mine, &sum, 1, MPI_REAL16, MPI_SUM, MPI_COMM_WORLD) && sum == want);
    CHECK(!MPI_Allreduce(&mine, &sum, 1, MPI_REAL16, MPI_MIN, MPI_COMM_WORLD) && sum == 1);
    CHECK(!MPI_Allreduce(&truth, &some, 1, MPI_LOGICAL16, MPI_LOR, MPI_COMM_WORLD) && some);
    CHECK(!MPI_Allreduce(&one, &halves, 1, MPI_REAL2, MPI_PROD, MPI_COMM_WORLD) && halves == one);
    __float128 turn[2] = {0, 1}, turned[2];
    CHECK(!MPI_Scan(turn, turned, 1, MPI_COMPLEX32, MPI_PROD, MPI_COMM_WORLD));
    /* i, -1, -i, 1 and so on. */
    CHECK(turned[rank % 2 == 0] == (rank % 4 == 0 || rank % 4 == 3 ? 1 : -1));
    CHECK(turned[rank % 2] == 0);
    GIVES(MPI_ERR_OP, MPI_Allreduce(turn, turned, 1, MPI_COMPLEX32, MPI_MAX, MPI_COMM_WORLD));
}

int main(int argc, char **argv) {
    begin(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    integers();
    others();
    places();
    wide_and_narrow();
    refused();
    MPI_Finalize();
    return 0;
}
