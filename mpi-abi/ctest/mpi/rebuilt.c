/* Random nested datatypes: made again from what they tell of themselves they are the same, and their
   true bounds are those of the bytes they touch. */
#include "check.h"

enum { MOST = 24, TYPES = 200, MEMORY = 1 << 20, MIDDLE = MEMORY / 2, ROOM = 1 << 14 };

static unsigned seed;

static int below(int limit) {
    seed = seed * 1103515245u + 12345u;
    return (int)((seed >> 16) % (unsigned)limit);
}

static int is_named(MPI_Datatype type) {
    int integers, addresses, types, combiner;
    MPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner);
    return combiner == MPI_COMBINER_NAMED;
}

/* Frees what a constructor has taken and nobody needs any more. */
static void drop(MPI_Datatype *type) {
    if (!is_named(*type)) MPI_Type_free(type);
}

static MPI_Datatype basic(void) {
    MPI_Datatype types[] = {MPI_INT, MPI_CHAR, MPI_SHORT, MPI_DOUBLE, MPI_FLOAT_INT, MPI_DOUBLE_INT};
    return types[below(6)];
}

static MPI_Datatype nested(int depth) {
    int lengths[3], places[3], sizes[2] = {2 + below(3), 2 + below(3)}, starts[2] = {below(2), 0};
    int parts[2] = {1, 2}, order = below(2) ? MPI_ORDER_C : MPI_ORDER_FORTRAN, count = below(4);
    MPI_Aint bytes[3];
    MPI_Datatype made, old[3];
    if (depth == 0) return basic();
    old[0] = nested(depth - 1), old[1] = basic(), old[2] = nested(depth - 1);
    for (int i = 0; i < 3; i++)
        lengths[i] = below(3), places[i] = below(9) - 4, bytes[i] = 8 * (below(31) - 15);
    switch (below(11)) {
    case 0: MPI_Type_contiguous(count, old[0], &made); break;
    case 1: MPI_Type_vector(count, 2, below(9) - 4, old[0], &made); break;
    case 2: MPI_Type_create_hvector(2, count, bytes[0], old[0], &made); break;
    case 3: MPI_Type_indexed(count, lengths, places, old[0], &made); break;
    case 4: MPI_Type_create_hindexed(count, lengths, bytes, old[0], &made); break;
    case 5: MPI_Type_create_indexed_block(count, 2, places, old[0], &made); break;
    case 6: MPI_Type_create_hindexed_block(count, 1, bytes, old[0], &made); break;
    case 7: MPI_Type_create_struct(3, lengths, bytes, old, &made); break;
    case 8: MPI_Type_create_resized(old[0], bytes[0], bytes[1] / 2, &made); break;
    case 9: MPI_Type_create_subarray(2, sizes, parts, starts, order, old[0], &made); break;
    default: MPI_Type_dup(old[0], &made);
    }
    drop(&old[0]), drop(&old[2]);
    return made;
}

static MPI_Datatype again(MPI_Datatype type) {
    int integers, addresses, types, combiner, n[MOST];
    MPI_Aint a[MOST];
    MPI_Datatype old[MOST], made = MPI_DATATYPE_NULL;
    if (is_named(type)) return type;
    MPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner);
    CHECK(integers <= MOST && addresses <= MOST && types <= MOST);
    MPI_Type_get_contents(type, integers, addresses, types, n, a, old);
    for (int i = 0; i < types; i++) {
        MPI_Datatype part = old[i];
        old[i] = again(part), drop(&part);
    }
    switch (combiner) {
    case MPI_COMBINER_DUP: MPI_Type_dup(old[0], &made); break;
    case MPI_COMBINER_CONTIGUOUS: MPI_Type_contiguous(n[0], old[0], &made); break;
    case MPI_COMBINER_VECTOR: MPI_Type_vector(n[0], n[1], n[2], old[0], &made); break;
    case MPI_COMBINER_HVECTOR: MPI_Type_create_hvector(n[0], n[1], a[0], old[0], &made); break;
    case MPI_COMBINER_INDEXED: MPI_Type_indexed(n[0], n + 1, n + 1 + n[0], old[0], &made); break;
    case MPI_COMBINER_HINDEXED: MPI_Type_create_hindexed(n[0], n + 1, a, old[0], &made); break;
    case MPI_COMBINER_INDEXED_BLOCK:
        MPI_Type_create_indexed_block(n[0], n[1], n + 2, old[0], &made); break;
    case MPI_COMBINER_HINDEXED_BLOCK:
        MPI_Type_create_hindexed_block(n[0], n[1], a, old[0], &made); break;
    case MPI_COMBINER_STRUCT: MPI_Type_create_struct(n[0], n + 1, a, old, &made); break;
    case MPI_COMBINER_SUBARRAY:
        MPI_Type_create_subarray(n[0], n + 1, n + 3, n + 5, n[7], old[0], &made); break;
    case MPI_COMBINER_RESIZED: MPI_Type_create_resized(old[0], a[0], a[1], &made); break;
    }
    CHECK(made != MPI_DATATYPE_NULL);
    for (int i = 0; i < types; i++) drop(&old[i]);
    return made;
}

/* Packs one element whose bytes tell where they lie. */
static int places(MPI_Datatype type, int bytes, int *found) {
    static unsigned char low[MEMORY], high[MEMORY];
    static char packed[2][ROOM];
    int at[2] = {0, 0};
    for (int i = 0; i < MEMORY && !high[MEMORY - 1]; i++)
        low[i] = (unsigned char)i, high[i] = (unsigned char)((i >> 8) % 251 + 1);
    MPI_Pack(low + MIDDLE, 1, type, packed[0], ROOM, &at[0], MPI_COMM_SELF);
    MPI_Pack(high + MIDDLE, 1, type, packed[1], ROOM, &at[1], MPI_COMM_SELF);
    CHECK(at[0] == bytes && at[1] == bytes);
    for (int i = 0; i < bytes; i++)
        found[i] = (unsigned char)packed[0][i] + 256 * ((unsigned char)packed[1][i] - 1);
    return bytes;
}

static void same(MPI_Datatype one, MPI_Datatype other) {
    static int found[2][ROOM];
    static unsigned char touched[MEMORY], ones[ROOM];
    MPI_Datatype types[2] = {one, other};
    MPI_Count size[2];
    MPI_Aint low[2], extent[2], true_low[2], true_extent[2];
    for (int i = 0; i < 2; i++) {
        MPI_Type_commit(&types[i]);
        MPI_Type_size_x(types[i], &size[i]);
        MPI_Type_get_extent(types[i], &low[i], &extent[i]);
        MPI_Type_get_true_extent(types[i], &true_low[i], &true_extent[i]);
    }
    CHECK(size[0] == size[1] && low[0] == low[1] && extent[0] == extent[1]);
    CHECK(true_low[0] == true_low[1] && true_extent[0] == true_extent[1]);
    MPI_Aint past = true_low[0] + true_extent[0];
    if (size[0] == 0 || size[0] > ROOM || true_low[0] < -MIDDLE || past > MIDDLE) return;
    for (int i = 0; i < 2; i++) places(types[i], (int)size[i], found[i]);
    CHECK(memcmp(found[0], found[1], size[0] * sizeof(int)) == 0);
    int at = 0, first = 0, last = MEMORY - 1;
    memset(touched, 0, sizeof touched), memset(ones, 1, sizeof ones);
    MPI_Unpack(ones, (int)size[0], &at, touched + MIDDLE, 1, one, MPI_COMM_SELF);
    while (!touched[first]) first++;
    while (!touched[last]) last--;
    CHECK(first - MIDDLE == true_low[0] && last + 1 - MIDDLE == past);
}

int main(int argc, char **argv) {
    begin(&argc, &argv);
    for (int i = 0; i < TYPES; i++) {
        seed = 7919u * (unsigned)(i * size + rank) + 1u;
        MPI_Datatype one = nested(i % 5), other = again(one);
        same(one, other);
        drop(&one), drop(&other);
    }
    MPI_Finalize();
    return 0;
}
