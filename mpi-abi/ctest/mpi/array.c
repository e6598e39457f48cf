/* Subarrays and distributed arrays against indices computed one by one; what types are made of. */
#include "check.h"

enum { MOST = 256 };

/* Which process of `procs` owns index `at` of `length`, and where it keeps it. */
static int owner(int at, int length, int procs, int how, int argument, int *place) {
    int block = argument;
    if (how == MPI_DISTRIBUTE_NONE) procs = 1, block = length;
    if (how == MPI_DISTRIBUTE_BLOCK && argument == MPI_DISTRIBUTE_DFLT_DARG)
        block = (length + procs - 1) / procs;
    if (how == MPI_DISTRIBUTE_CYCLIC && argument == MPI_DISTRIBUTE_DFLT_DARG) block = 1;
    int piece = at / block;
    *place = piece / procs * block + at % block;
    return piece % procs;
}

static void darray(int order, const int *lengths, const int *how, const int *arguments,
                   const int *grid) {
    int whole = lengths[0] * lengths[1];
    for (int process = 0; process < grid[0] * grid[1]; process++) {
        int at[2] = {process / grid[1], process % grid[1]}, expected[MOST], count = 0;
        int outer = order == MPI_ORDER_C ? 0 : 1, inner = 1 - outer;
        for (int i = 0; i < lengths[outer]; i++)
            for (int j = 0; j < lengths[inner]; j++) {
                int place;
                if (owner(i, lengths[outer], grid[outer], how[outer], arguments[outer], &place) !=
                    at[outer]) continue;
                if (owner(j, lengths[inner], grid[inner], how[inner], arguments[inner], &place) !=
                    at[inner]) continue;
                expected[count++] = i * lengths[inner] + j;
            }
        MPI_Datatype type;
        CHECK(MPI_Type_create_darray(grid[0] * grid[1], process, 2, lengths, how, arguments, grid,
                                     order, MPI_INT, &type) == MPI_SUCCESS);
        MPI_Type_commit(&type);
        int bytes, array[MOST], packed[MOST], position = 0;
        MPI_Aint low, extent;
        MPI_Type_size(type, &bytes);
        MPI_Type_get_extent(type, &low, &extent);
        CHECK(bytes == 4 * count && low == 0 && extent == 4 * whole);
        for (int i = 0; i < whole; i++) array[i] = i;
        MPI_Pack(array, 1, type, packed, sizeof packed, &position, MPI_COMM_SELF);
        CHECK(position == bytes && memcmp(packed, expected, bytes) == 0);
        MPI_Type_free(&type);
    }
}

static void all_distributions(void) {
    int kinds[3] = {MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_NONE};
    int orders[2] = {MPI_ORDER_C, MPI_ORDER_FORTRAN};
    int lengths[2] = {7, 10};
    for (int order = 0; order < 2; order++)
        for (int a = 0; a < 3; a++)
            for (int b = 0; b < 3; b++)
                for (int with = 0; with < 2; with++) {
                    int how[2] = {kinds[a], kinds[b]}, arguments[2], grid[2];
                    for (int d = 0; d < 2; d++) {
                        grid[d] = how[d] == MPI_DISTRIBUTE_NONE ? 1 : 2 + d;
                        arguments[d] = MPI_DISTRIBUTE_DFLT_DARG;
                        if (with && how[d] != MPI_DISTRIBUTE_NONE)
                            arguments[d] = how[d] == MPI_DISTRIBUTE_BLOCK ? 4 : 2;
                    }
                    darray(orders[order], lengths, how, arguments, grid);
                }
}

static void subarrays(void) {
    int lengths[3] = {4, 5, 3}, parts[3] = {2, 3, 2}, starts[3] = {1, 2, 0};
    for (int order = 0; order < 2; order++) {
        int fortran = order == 1, expected[MOST], count = 0, array[60], packed[60], position = 0;
        for (int a = 0; a < parts[fortran ? 2 : 0]; a++)
            for (int b = 0; b < parts[1]; b++)
                for (int c = 0; c < parts[fortran ? 0 : 2]; c++) {
                    int i = a + starts[fortran ? 2 : 0], j = b + starts[1];
                    int k = c + starts[fortran ? 0 : 2];
                    expected[count++] = (i * 5 + j) * lengths[fortran ? 0 : 2] + k;
                }
        MPI_Datatype type;
        MPI_Type_create_subarray(3, lengths, parts, starts,
                                 fortran ? MPI_ORDER_FORTRAN : MPI_ORDER_C, MPI_INT, &type);
        MPI_Type_commit(&type);
        for (int i = 0; i < 60; i++) array[i] = i;
        MPI_Pack(array, 1, type, packed, sizeof packed, &position, MPI_COMM_SELF);
        CHECK(position == 4 * count && memcmp(packed, expected, position) == 0);
        int integers, addresses, types, combiner, values[12];
        MPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner);
        CHECK(combiner == MPI_COMBINER_SUBARRAY && integers == 11 && !addresses && types == 1);
        MPI_Datatype old;
        MPI_Type_get_contents(type, 11, 0, 1, values, NULL, &old);
        CHECK(values[0] == 3 && values[4] == 2 && values[9] == 0 && old == MPI_INT);
        CHECK(values[10] == (fortran ? MPI_ORDER_FORTRAN : MPI_ORDER_C));
        MPI_Type_free(&type);
    }
}

static void expect(MPI_Datatype type, int bytes, MPI_Aint low, MPI_Aint extent, MPI_Aint true_low,
                   MPI_Aint true_extent) {
    int size_;
    MPI_Aint a, b;
    MPI_Count c, d;
    CHECK(MPI_Type_size(type, &size_) == MPI_SUCCESS && size_ == bytes);
    MPI_Type_get_extent(type, &a, &b);
    CHECK(a == low && b == extent);
    MPI_Type_get_true_extent(type, &a, &b);
    CHECK(a == true_low && b == true_extent);
    MPI_Type_size_x(type, &c);
    CHECK(c == bytes);
    MPI_Type_get_extent_x(type, &c, &d);
    CHECK(c == low && d == extent);
    MPI_Type_get_true_extent_x(type, &c, &d);
    CHECK(c == true_low && d == true_extent);
    MPI_Type_size_c(type, &c);
    CHECK(c == bytes);
    MPI_Type_get_extent_c(type, &c, &d);
    CHECK(c == low && d == extent);
    MPI_Type_get_true_extent_c(type, &c, &d);
    CHECK(c == true_low && d == true_extent);
}

static void odd_types(void) {
    MPI_Datatype a, b, c;
    MPI_Type_vector(3, 2, -4, MPI_INT, &a);
    expect(a, 24, -32, 40, -32, 40);
    MPI_Type_create_resized(a, -40, 64, &b);
    expect(b, 24, -40, 64, -32, 40);
    MPI_Type_contiguous(2, b, &c);
    expect(c, 48, -40, 128, -32, 104);
    MPI_Type_free(&a), MPI_Type_free(&b), MPI_Type_free(&c);
    MPI_Type_contiguous(0, MPI_DOUBLE, &a);
    expect(a, 0, 0, 0, 0, 0);
    MPI_Type_free(&a);
    int lengths[2] = {1, 3};
    MPI_Aint places[2] = {0, 8};
    MPI_Datatype types[2] = {MPI_CHAR, MPI_INT};
    MPI_Type_create_struct(2, lengths, places, types, &a);
    expect(a, 13, 0, 20, 0, 20);
    MPI_Datatype nested[2] = {a, MPI_DOUBLE};
    MPI_Aint far[2] = {0, 64};
    int once[2] = {2, 1};
    MPI_Type_create_struct(2, once, far, nested, &b);
    expect(b, 34, 0, 72, 0, 72);
    MPI_Datatype copy;
    MPI_Type_dup(b, &copy);
    int integers, addresses, of_types, combiner;
    MPI_Type_get_envelope(copy, &integers, &addresses, &of_types, &combiner);
    CHECK(combiner == MPI_COMBINER_DUP && !integers && !addresses && of_types == 1);
    MPI_Type_free(&a), MPI_Type_free(&b);
    expect(copy, 34, 0, 72, 0, 72);
    MPI_Type_get_contents(copy, 0, 0, 1, NULL, NULL, &b);
    MPI_Type_get_envelope(b, &integers, &addresses, &of_types, &combiner);
    CHECK(combiner == MPI_COMBINER_STRUCT && integers == 3 && addresses == 2 && of_types == 2);
    MPI_Type_free(&b), MPI_Type_free(&copy);
    MPI_Type_get_envelope(MPI_INT, &integers, &addresses, &of_types, &combiner);
    CHECK(combiner == MPI_COMBINER_NAMED && !integers && !addresses && !of_types);
}

static void outside_the_grid(void) {
    int sizes[1] = {4}, how[1] = {MPI_DISTRIBUTE_BLOCK}, grid[1] = {2};
    int argument[1] = {MPI_DISTRIBUTE_DFLT_DARG};
    MPI_Datatype type;
    for (int process = -1; process <= 2; process += 3)
        GIVES(MPI_ERR_RANK, MPI_Type_create_darray(2, process, 1, sizes, how, argument, grid,
                                                   MPI_ORDER_C, MPI_INT, &type));
    GIVES(MPI_ERR_ARG, MPI_Type_create_darray(3, 0, 1, sizes, how, argument, grid, MPI_ORDER_C,
                                              MPI_INT, &type));
}

static void names(void) {
    char name[MPI_MAX_OBJECT_NAME];
    int length;
    MPI_Datatype type;
    MPI_Type_get_name(MPI_LONG_DOUBLE, name, &length);
    CHECK(strcmp(name, "MPI_LONG_DOUBLE") == 0 && length == (int)strlen(name));
    MPI_Type_contiguous(3, MPI_CHAR, &type);
    MPI_Type_get_name(type, name, &length);
    CHECK(length == 0 && name[0] == 0);
    MPI_Type_set_name(type, "three");
    MPI_Type_get_name(type, name, &length);
    CHECK(strcmp(name, "three") == 0 && length == 5);
    MPI_Type_free(&type);
    CHECK(type == MPI_DATATYPE_NULL);
}

int main(int argc, char **argv) {
    begin(&argc, &argv);
    all_distributions();
    subarrays();
    odd_types();
    return_errors();
    outside_the_grid();
    names();
    MPI_Finalize();
    return 0;
}
