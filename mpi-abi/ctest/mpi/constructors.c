/* Every constructor of datatypes, with small and with large counts: where the data lie, and what
   the type tells of how it was made. */
#include "check.h"

enum { MOST = 64 };

/* The bytes of one element in the order of the type map, as displacements. */
static int places(MPI_Datatype type, int *found) {
    static unsigned char memory[256];
    unsigned char packed[256];
    int at = 0;
    for (int i = 0; i < 256; i++) memory[i] = (unsigned char)i;
    MPI_Type_commit(&type);
    MPI_Pack(memory + 128, 1, type, packed, 256, &at, MPI_COMM_SELF);
    for (int i = 0; i < at; i++) found[i] = packed[i] - 128;
    return at;
}

/* Both types have the same bytes in the same order, and the same bounds; then they are freed. */
static void alike(MPI_Datatype one, MPI_Datatype other) {
    int first[256], second[256], count = places(one, first);
    MPI_Aint low[2], extent[2];
    CHECK(places(other, second) == count);
    CHECK(memcmp(first, second, count * sizeof *first) == 0);
    MPI_Type_get_extent(one, &low[0], &extent[0]), MPI_Type_get_extent(other, &low[1], &extent[1]);
    CHECK(low[0] == low[1] && extent[0] == extent[1]);
    MPI_Type_free(&one), MPI_Type_free(&other);
}

/* The arguments of a constructor without large counts. */
static void made_of(MPI_Datatype type, int combiner, int integers, const int *values,
                    int addresses, const MPI_Aint *places, MPI_Datatype old) {
    int ni, na, nd, kind, given[MOST];
    MPI_Aint at[MOST];
    MPI_Datatype parts[MOST];
    CHECK(MPI_Type_get_envelope(type, &ni, &na, &nd, &kind) == MPI_SUCCESS && kind == combiner);
    CHECK(ni == integers && na == addresses && nd >= 1);
    CHECK(MPI_Type_get_contents(type, ni, na, nd, given, at, parts) == MPI_SUCCESS);
    CHECK(memcmp(given, values, ni * sizeof *values) == 0);
    CHECK(memcmp(at, places, na * sizeof *places) == 0 && parts[0] == old);
    if (ni) GIVES(MPI_ERR_ARG, MPI_Type_get_contents(type, ni - 1, na, nd, given, at, parts));
    if (na) GIVES(MPI_ERR_ARG, MPI_Type_get_contents(type, ni, na - 1, nd, given, at, parts));
    GIVES(MPI_ERR_ARG, MPI_Type_get_contents(type, ni, na, nd - 1, given, at, parts));
#if MPI_VERSION >= 5
    MPI_Count li, la, lc, ld;
    CHECK(MPI_Type_get_envelope_c(type, &li, &la, &lc, &ld, &kind) == MPI_SUCCESS);
    CHECK(li == ni && la == na && lc == 0 && ld == nd && kind == combiner);
#endif
}

/* The arguments of a constructor with large counts. */
static void made_large(MPI_Datatype type, int combiner, int integers, const int *values,
                       int counts, const MPI_Count *large, MPI_Datatype old) {
    MPI_Count ni, na, nc, nd, found[MOST];
    int kind, given[MOST], n;
    MPI_Aint at[MOST];
    MPI_Datatype parts[MOST];
    CHECK(MPI_Type_get_envelope_c(type, &ni, &na, &nc, &nd, &kind) == MPI_SUCCESS);
    CHECK(kind == combiner && ni == integers && na == 0 && nc == counts && nd >= 1);
    CHECK(MPI_Type_get_contents_c(type, ni, na, nc, nd, given, at, found, parts) == MPI_SUCCESS);
    CHECK(memcmp(given, values, ni * sizeof *values) == 0);
    CHECK(memcmp(found, large, nc * sizeof *large) == 0 && parts[0] == old);
    GIVES(MPI_ERR_ARG, MPI_Type_get_contents_c(type, ni, na, nc - 1, nd, given, at, found, parts));
    GIVES(MPI_ERR_TYPE, MPI_Type_get_envelope(type, &n, &n, &n, &kind));
    GIVES(MPI_ERR_TYPE, MPI_Type_get_contents(type, 9, 9, 9, given, at, parts));
}

static void expect(MPI_Datatype type, int count, const int *wanted, MPI_Aint low, MPI_Aint extent) {
    int found[256];
    MPI_Aint a, b;
    CHECK(places(type, found) == count * (int)sizeof(short));
    for (int i = 0; i < count; i++)
        CHECK(found[2 * i] == wanted[i] && found[2 * i + 1] == wanted[i] + 1);
    MPI_Type_get_extent(type, &a, &b);
    CHECK(a == low && b == extent);
}

#define S MPI_SHORT
#define INTS(...) (const int[]){__VA_ARGS__}
#define AINTS(...) (const MPI_Aint[]){__VA_ARGS__}
#define COUNTS(...) (const MPI_Count[]){__VA_ARGS__}

static void regular(void) {
    MPI_Datatype a, b;
    MPI_Type_contiguous(3, S, &a), MPI_Type_contiguous_c(3, S, &b);
    expect(a, 3, INTS(0, 2, 4), 0, 6);
    made_of(a, MPI_COMBINER_CONTIGUOUS, 1, INTS(3), 0, NULL, S);
    made_large(b, MPI_COMBINER_CONTIGUOUS, 0, NULL, 1, COUNTS(3), S);
    alike(a, b);
    MPI_Type_vector(2, 2, -3, S, &a), MPI_Type_vector_c(2, 2, -3, S, &b);
    expect(a, 4, INTS(0, 2, -6, -4), -6, 10);
    made_of(a, MPI_COMBINER_VECTOR, 3, INTS(2, 2, -3), 0, NULL, S);
    made_large(b, MPI_COMBINER_VECTOR, 0, NULL, 3, COUNTS(2, 2, -3), S);
    alike(a, b);
    MPI_Type_create_hvector(3, 1, 10, S, &a), MPI_Type_create_hvector_c(3, 1, 10, S, &b);
    expect(a, 3, INTS(0, 10, 20), 0, 22);
    made_of(a, MPI_COMBINER_HVECTOR, 2, INTS(3, 1), 1, AINTS(10), S);
    made_large(b, MPI_COMBINER_HVECTOR, 0, NULL, 3, COUNTS(3, 1, 10), S);
    alike(a, b);
    MPI_Type_create_resized(S, -4, 12, &a), MPI_Type_create_resized_c(S, -4, 12, &b);
    expect(a, 1, INTS(0), -4, 12);
    made_of(a, MPI_COMBINER_RESIZED, 0, NULL, 2, AINTS(-4, 12), S);
    made_large(b, MPI_COMBINER_RESIZED, 0, NULL, 2, COUNTS(-4, 12), S);
    alike(a, b);
    MPI_Type_dup(S, &a);
    made_of(a, MPI_COMBINER_DUP, 0, NULL, 0, NULL, S);
    MPI_Type_free(&a);
}

static void irregular(void) {
    MPI_Datatype a, b;
    int lengths[3] = {2, 0, 1}, starts[3] = {4, 9, -1};
    MPI_Count wide_lengths[3] = {2, 0, 1}, wide_starts[3] = {4, 9, -1}, wide_bytes[3] = {8, 0, -2};
    MPI_Aint bytes[3] = {8, 0, -2};
    MPI_Type_indexed(3, lengths, starts, S, &a);
    MPI_Type_indexed_c(3, wide_lengths, wide_starts, S, &b);
    expect(a, 3, INTS(8, 10, -2), -2, 14);
    made_of(a, MPI_COMBINER_INDEXED, 7, INTS(3, 2, 0, 1, 4, 9, -1), 0, NULL, S);
    made_large(b, MPI_COMBINER_INDEXED, 0, NULL, 7, COUNTS(3, 2, 0, 1, 4, 9, -1), S);
    alike(a, b);
    MPI_Type_create_hindexed(3, lengths, bytes, S, &a);
    MPI_Type_create_hindexed_c(3, wide_lengths, wide_bytes, S, &b);
    expect(a, 3, INTS(8, 10, -2), -2, 14);
    made_of(a, MPI_COMBINER_HINDEXED, 4, INTS(3, 2, 0, 1), 3, AINTS(8, 0, -2), S);
    made_large(b, MPI_COMBINER_HINDEXED, 0, NULL, 7, COUNTS(3, 2, 0, 1, 8, 0, -2), S);
    alike(a, b);
    MPI_Type_create_indexed_block(2, 2, starts, S, &a);
    MPI_Type_create_indexed_block_c(2, 2, wide_starts, S, &b);
    expect(a, 4, INTS(8, 10, 18, 20), 8, 14);
    made_of(a, MPI_COMBINER_INDEXED_BLOCK, 4, INTS(2, 2, 4, 9), 0, NULL, S);
    made_large(b, MPI_COMBINER_INDEXED_BLOCK, 0, NULL, 4, COUNTS(2, 2, 4, 9), S);
    alike(a, b);
    MPI_Type_create_hindexed_block(2, 1, bytes, S, &a);
    MPI_Type_create_hindexed_block_c(2, 1, wide_bytes, S, &b);
    expect(a, 2, INTS(8, 0), 0, 10);
    made_of(a, MPI_COMBINER_HINDEXED_BLOCK, 2, INTS(2, 1), 2, AINTS(8, 0), S);
    made_large(b, MPI_COMBINER_HINDEXED_BLOCK, 0, NULL, 4, COUNTS(2, 1, 8, 0), S);
    alike(a, b);
    MPI_Datatype types[3] = {S, MPI_DOUBLE, S};
    MPI_Type_create_struct(3, lengths, bytes, types, &a);
    MPI_Type_create_struct_c(3, wide_lengths, wide_bytes, types, &b);
    expect(a, 3, INTS(8, 10, -2), -2, 14);
    made_of(a, MPI_COMBINER_STRUCT, 4, INTS(3, 2, 0, 1), 3, AINTS(8, 0, -2), S);
    made_large(b, MPI_COMBINER_STRUCT, 0, NULL, 7, COUNTS(3, 2, 0, 1, 8, 0, -2), S);
    alike(a, b);
}

static void arrays(void) {
    MPI_Datatype a, b;
    int sizes[2] = {3, 4}, parts[2] = {2, 2}, starts[2] = {1, 1}, grid[2] = {2, 1};
    int how[2] = {MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_NONE};
    int arguments[2] = {MPI_DISTRIBUTE_DFLT_DARG, MPI_DISTRIBUTE_DFLT_DARG};
    MPI_Count wide[2] = {3, 4}, wide_parts[2] = {2, 2}, wide_starts[2] = {1, 1};
    MPI_Type_create_subarray(2, sizes, parts, starts, MPI_ORDER_C, S, &a);
    MPI_Type_create_subarray_c(2, wide, wide_parts, wide_starts, MPI_ORDER_C, S, &b);
    expect(a, 4, INTS(10, 12, 18, 20), 0, 24);
    made_of(a, MPI_COMBINER_SUBARRAY, 8, INTS(2, 3, 4, 2, 2, 1, 1, MPI_ORDER_C), 0, NULL, S);
    made_large(b, MPI_COMBINER_SUBARRAY, 2, INTS(2, MPI_ORDER_C), 6, COUNTS(3, 4, 2, 2, 1, 1), S);
    alike(a, b);
    MPI_Type_create_darray(2, 1, 2, sizes, how, arguments, grid, MPI_ORDER_FORTRAN, S, &a);
    MPI_Type_create_darray_c(2, 1, 2, wide, how, arguments, grid, MPI_ORDER_FORTRAN, S, &b);
    expect(a, 4, INTS(2, 8, 14, 20), 0, 24);
    const int all[] = {2, 1, 2, 3, 4, MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_NONE,
                       MPI_DISTRIBUTE_DFLT_DARG, MPI_DISTRIBUTE_DFLT_DARG, 2, 1, MPI_ORDER_FORTRAN};
    const int rest[] = {2, 1, 2, MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_NONE,
                        MPI_DISTRIBUTE_DFLT_DARG, MPI_DISTRIBUTE_DFLT_DARG, 2, 1, MPI_ORDER_FORTRAN};
    made_of(a, MPI_COMBINER_DARRAY, 12, all, 0, NULL, S);
    made_large(b, MPI_COMBINER_DARRAY, 10, rest, 2, COUNTS(3, 4), S);
    alike(a, b);
}

/* What a type is made of outlives the handles that made it, at any depth. */
static void nested(void) {
    MPI_Datatype inner, middle, outer, found, deeper;
    int ni, na, nd, kind, values[4];
    MPI_Aint none;
    MPI_Type_contiguous(2, S, &inner), MPI_Type_vector(2, 1, 2, inner, &middle);
    MPI_Type_create_hindexed_block(1, 1, AINTS(6), middle, &outer);
    MPI_Type_free(&inner), MPI_Type_free(&middle);
    CHECK(MPI_Type_get_contents(outer, 2, 1, 1, values, &none, &found) == MPI_SUCCESS);
    MPI_Type_free(&outer);
    MPI_Type_get_envelope(found, &ni, &na, &nd, &kind);
    CHECK(kind == MPI_COMBINER_VECTOR && ni == 3 && nd == 1);
    CHECK(MPI_Type_get_contents(found, 3, 0, 1, values, &none, &deeper) == MPI_SUCCESS);
    CHECK(values[0] == 2 && values[1] == 1 && values[2] == 2);
    MPI_Type_free(&found);
    MPI_Type_get_envelope(deeper, &ni, &na, &nd, &kind);
    CHECK(kind == MPI_COMBINER_CONTIGUOUS);
    MPI_Type_get_contents(deeper, 1, 0, 1, values, &none, &found);
    CHECK(values[0] == 2 && found == S);
    expect(deeper, 2, INTS(0, 2), 0, 4);
    MPI_Type_free(&deeper);
}

static void wrong(void) {
    MPI_Datatype made, null = MPI_DATATYPE_NULL, freed;
    int length = -1, zero = 0, low[1] = {0};
    GIVES(MPI_ERR_COUNT, MPI_Type_contiguous(-1, S, &made));
    GIVES(MPI_ERR_TYPE, MPI_Type_contiguous(1, MPI_DATATYPE_NULL, &made));
    GIVES(MPI_ERR_COUNT, MPI_Type_vector(-1, 1, 1, S, &made));
    GIVES(MPI_ERR_COUNT, MPI_Type_indexed(-1, &zero, &zero, S, &made));
    CHECK(MPI_Type_indexed(1, &length, &zero, S, &made) != MPI_SUCCESS);
    GIVES(MPI_ERR_COUNT, MPI_Type_create_struct(-1, NULL, NULL, NULL, &made));
    GIVES(MPI_ERR_ARG, MPI_Type_create_subarray(0, low, low, low, MPI_ORDER_C, S, &made));
    GIVES(MPI_ERR_ARG, MPI_Type_create_subarray(1, INTS(4), INTS(3), INTS(2), MPI_ORDER_C, S, &made));
    GIVES(MPI_ERR_ARG, MPI_Type_create_subarray(1, INTS(4), INTS(3), INTS(1), 77, S, &made));
    GIVES(MPI_ERR_TYPE, MPI_Type_dup(MPI_DATATYPE_NULL, &made));
    GIVES(MPI_ERR_TYPE, MPI_Type_commit(&null));
    GIVES(MPI_ERR_TYPE, MPI_Type_free(&null));
    GIVES(MPI_ERR_TYPE, MPI_Type_size(MPI_DATATYPE_NULL, &zero));
    MPI_Type_contiguous(2, S, &made);
    freed = made;
    GIVES(MPI_ERR_TYPE, MPI_Send(low, 1, made, 0, 0, MPI_COMM_SELF));
    MPI_Type_free(&made);
    CHECK(made == MPI_DATATYPE_NULL);
    GIVES(MPI_ERR_TYPE, MPI_Type_commit(&freed));
}

int main(int argc, char **argv) {
    begin(&argc, &argv);
    return_errors();
    regular();
    irregular();
    arrays();
    nested();
    wrong();
    MPI_Finalize();
    return 0;
}
