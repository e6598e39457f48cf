/* Bounds and extents: markers, padding, resized and empty types, the removed names of MPI-1. */
#include "check.h"
#include <stddef.h>

static void expect(MPI_Datatype type, MPI_Count bytes, MPI_Count low, MPI_Count extent,
                   MPI_Count true_low, MPI_Count true_extent) {
    MPI_Count a, b;
    MPI_Aint c, d;
    CHECK(MPI_Type_size_x(type, &a) == MPI_SUCCESS && a == bytes);
    CHECK(MPI_Type_get_extent_x(type, &a, &b) == MPI_SUCCESS && a == low && b == extent);
    CHECK(MPI_Type_get_true_extent_x(type, &a, &b) == MPI_SUCCESS);
    CHECK(a == true_low && b == true_extent);
    CHECK(MPI_Type_get_extent(type, &c, &d) == MPI_SUCCESS && c == low && d == extent);
    CHECK(MPI_Type_get_true_extent(type, &c, &d) == MPI_SUCCESS && c == true_low);
    CHECK(d == true_extent);
    CHECK(MPI_Type_lb(type, &c) == MPI_SUCCESS && c == low);
    CHECK(MPI_Type_ub(type, &c) == MPI_SUCCESS && c == low + extent);
    CHECK(MPI_Type_extent(type, &c) == MPI_SUCCESS && c == extent);
}

static MPI_Datatype structure(int count, const MPI_Aint *places, const MPI_Datatype *types) {
    int lengths[4] = {1, 1, 1, 1};
    MPI_Datatype made;
    CHECK(MPI_Type_struct(count, lengths, (MPI_Aint *)places, (MPI_Datatype *)types, &made) == 0);
    return made;
}

static void markers(void) {
    MPI_Aint places[3] = {-3, 0, 6}, outer[2] = {0, 9};
    MPI_Datatype types[3] = {MPI_LB, MPI_INT, MPI_UB}, a, b, c;
    a = structure(3, places, types);
    expect(a, 4, -3, 9, 0, 4);
    MPI_Type_contiguous(2, a, &b);
    expect(b, 8, -3, 18, 0, 13);
    MPI_Datatype twice[2] = {a, a};
    c = structure(2, outer, twice);
    expect(c, 8, -3, 18, 0, 13);
    MPI_Type_free(&b), MPI_Type_free(&c);
    /* Markers of the parts win over the data, wherever they are. */
    MPI_Datatype mixed[2] = {a, MPI_DOUBLE};
    MPI_Aint far[2] = {0, 64};
    b = structure(2, far, mixed);
    expect(b, 12, -3, 9, 0, 72);
    MPI_Type_free(&b);
    MPI_Type_create_resized(a, 0, 16, &b);
    expect(b, 4, 0, 16, 0, 4);
    MPI_Type_vector(2, 1, -2, b, &c);
    expect(c, 8, -32, 48, -32, 36);
    MPI_Type_free(&a), MPI_Type_free(&b), MPI_Type_free(&c);
}

static void padding(void) {
    struct mixed { char c; double d; short s; };
    MPI_Aint places[3] = {offsetof(struct mixed, c), offsetof(struct mixed, d),
                          offsetof(struct mixed, s)};
    MPI_Datatype types[3] = {MPI_CHAR, MPI_DOUBLE, MPI_SHORT}, a, b;
    a = structure(3, places, types);
    expect(a, 11, 0, sizeof(struct mixed), 0, 18);
    MPI_Type_contiguous(2, a, &b);
    expect(b, 22, 0, 2 * sizeof(struct mixed), 0, sizeof(struct mixed) + 18);
    MPI_Type_free(&a), MPI_Type_free(&b);
}

static void empty(void) {
    MPI_Datatype a, b;
    int lengths[2] = {0, 0}, one = 1;
    MPI_Aint places[2] = {100, 200}, zero = 0;
    MPI_Type_indexed(2, lengths, lengths, MPI_INT, &a);
    expect(a, 0, 0, 0, 0, 0);
    MPI_Type_hindexed(2, lengths, places, MPI_INT, &b);
    expect(b, 0, 0, 0, 0, 0);
    MPI_Type_free(&b);
    MPI_Type_hindexed(1, &one, &zero, a, &b);
    expect(b, 0, 0, 0, 0, 0);
    MPI_Type_free(&a), MPI_Type_free(&b);
    MPI_Type_create_resized(MPI_CHAR, 0, 0, &a);
    expect(a, 1, 0, 0, 0, 1);
    MPI_Type_free(&a);
    MPI_Type_create_struct(0, NULL, NULL, NULL, &a);
    expect(a, 0, 0, 0, 0, 0);
    MPI_Type_free(&a);
}

static void removed_names(void) {
    int numbers[4], in[2];
    MPI_Aint first, third, difference;
    MPI_Datatype vector, pair;
    CHECK(MPI_Address(&numbers[0], &first) == MPI_SUCCESS);
    CHECK(MPI_Get_address(&numbers[2], &third) == MPI_SUCCESS);
    difference = MPI_Aint_diff(third, first);
    CHECK(difference == 8 && MPI_Aint_add(first, difference) == third);
    MPI_Type_hvector(2, 1, difference, MPI_INT, &vector);
    expect(vector, 8, 0, 12, 0, 12);
    MPI_Type_commit(&vector);
    for (int i = 0; i < 4; i++) numbers[i] = i;
    MPI_Sendrecv(numbers, 1, vector, 0, 1, in, 2, MPI_INT, 0, 1, MPI_COMM_SELF,
                 MPI_STATUS_IGNORE);
    CHECK(in[0] == 0 && in[1] == 2);
    /* Displacements that are addresses, from MPI_BOTTOM. */
    MPI_Aint places[2] = {third, first};
    int ones[2] = {1, 1};
    MPI_Type_hindexed(2, ones, places, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    MPI_Sendrecv(MPI_BOTTOM, 1, pair, 0, 1, in, 2, MPI_INT, 0, 1, MPI_COMM_SELF,
                 MPI_STATUS_IGNORE);
    CHECK(in[0] == 2 && in[1] == 0);
    in[0] = 7, in[1] = 8;
    MPI_Sendrecv(in, 2, MPI_INT, 0, 1, MPI_BOTTOM, 1, pair, 0, 1, MPI_COMM_SELF,
                 MPI_STATUS_IGNORE);
    CHECK(numbers[2] == 7 && numbers[0] == 8);
    MPI_Type_free(&vector), MPI_Type_free(&pair);
}

/* Two gigabytes and more without a byte of memory: sizes that fit no int. */
static void huge(void) {
    MPI_Datatype block, wide, wider;
    MPI_Count bytes, low, extent;
    int small = 0;
    MPI_Type_contiguous(1 << 30, MPI_INT, &block);
    MPI_Type_contiguous(1 << 10, block, &wide);
    CHECK(MPI_Type_size(block, &small) == MPI_SUCCESS && small == MPI_UNDEFINED);
    CHECK(MPI_Type_size_c(block, &bytes) == MPI_SUCCESS && bytes == (MPI_Count)1 << 32);
    expect(wide, (MPI_Count)1 << 42, 0, (MPI_Count)1 << 42, 0, (MPI_Count)1 << 42);
    MPI_Type_vector_c((MPI_Count)1 << 33, 1, 3, MPI_CHAR, &wider);
    expect(wider, (MPI_Count)1 << 33, 0, 3 * ((MPI_Count)1 << 33) - 2, 0,
           3 * ((MPI_Count)1 << 33) - 2);
    CHECK(MPI_Type_get_extent_c(wider, &low, &extent) == MPI_SUCCESS && extent > 1);
    CHECK(MPI_Type_get_true_extent_c(wider, &low, &extent) == MPI_SUCCESS && low == 0);
    MPI_Datatype none = MPI_INT;
    CHECK(class_of(MPI_Type_contiguous_c((MPI_Count)1 << 62, wide, &none)) != MPI_SUCCESS);
    CHECK(none == MPI_DATATYPE_NULL);
    MPI_Type_free(&block), MPI_Type_free(&wide), MPI_Type_free(&wider);
}

int main(int argc, char **argv) {
    begin(&argc, &argv);
    return_errors();
    markers();
    padding();
    empty();
    removed_names();
    huge();
    MPI_Finalize();
    return 0;
}
