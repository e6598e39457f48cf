/* Large counts: more than two gigabytes of extent, element counts beyond an int, and messages of
   types that repeat nothing but one byte. */
#include "check.h"

#define C MPI_COMM_SELF
static const MPI_Count FAR = (MPI_Count)3 << 30;

/* Two numbers three gigabytes apart in memory that is reserved, not used. */
static void far_apart(void) {
    char *memory = calloc(FAR + 16, 1);
    if (!memory) return;
    int *low = (int *)memory, *high = (int *)(memory + FAR), in[2] = {0, 0}, bytes;
    MPI_Count lb, extent;
    MPI_Aint start;
    MPI_Datatype pair;
    *low = 1, *high = 2;
    MPI_Type_create_hvector_c(2, 1, FAR, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    MPI_Type_get_extent_c(pair, &lb, &extent);
    CHECK(lb == 0 && extent == FAR + 4);
    MPI_Type_get_true_extent(pair, &start, &lb);
    CHECK(start == 0 && lb == FAR + 4);
    CHECK(MPI_Type_size(pair, &bytes) == MPI_SUCCESS && bytes == 8);
    MPI_Sendrecv_c(memory, 1, pair, 0, 1, in, 2, MPI_INT, 0, 1, C, MPI_STATUS_IGNORE);
    CHECK(in[0] == 1 && in[1] == 2);
    in[0] = 3, in[1] = 4;
    MPI_Sendrecv_c(in, 2, MPI_INT, 0, 1, memory, 1, pair, 0, 1, C, MPI_STATUS_IGNORE);
    CHECK(*low == 3 && *high == 4);
    MPI_Type_free(&pair);
    free(memory);
}

/* The same byte over and over may be sent; a receive of so many elements has room for few. */
static void many_elements(void) {
    enum { N = 1 << 20 };
    static char byte = 'x', in[N];
    MPI_Datatype same, huge;
    MPI_Status status;
    MPI_Count count;
    int small;
    MPI_Type_create_resized(MPI_CHAR, 0, 0, &same), MPI_Type_commit(&same);
    MPI_Sendrecv_c(&byte, N, same, 0, 1, in, N, MPI_CHAR, 0, 1, C, &status);
    CHECK(in[0] == 'x' && in[N - 1] == 'x');
    MPI_Get_count_c(&status, MPI_CHAR, &count);
    CHECK(count == N);
    /* Room for far more than comes, told by a count that fits no int. */
    MPI_Type_contiguous_c((MPI_Count)1 << 33, MPI_CHAR, &huge), MPI_Type_commit(&huge);
    MPI_Sendrecv_c(&byte, 1, MPI_CHAR, 0, 1, in, 1, huge, 0, 1, C, &status);
    CHECK(MPI_Get_count(&status, huge, &small) == MPI_SUCCESS && small == MPI_UNDEFINED);
    CHECK(MPI_Get_elements(&status, huge, &small) == MPI_SUCCESS && small == 1);
    MPI_Recv_c(in, (MPI_Count)1 << 40, MPI_CHAR, MPI_PROC_NULL, 0, C, &status);
    MPI_Status_set_elements_x(&status, huge, (MPI_Count)1 << 40);
    CHECK(MPI_Get_count(&status, huge, &small) == MPI_SUCCESS && small == 128);
    CHECK(MPI_Get_elements(&status, huge, &small) == MPI_SUCCESS && small == MPI_UNDEFINED);
    CHECK(MPI_Get_elements_x(&status, huge, &count) == MPI_SUCCESS && count == (MPI_Count)1 << 40);
    MPI_Type_free(&same), MPI_Type_free(&huge);
}

/* Counts and displacements of every large constructor that no int can hold. */
static void beyond_int(void) {
    MPI_Datatype type, types[2] = {MPI_CHAR, MPI_SHORT};
    MPI_Count one[2] = {1, 1}, places[2] = {0, FAR}, lb, extent, bytes;
    MPI_Count sizes[2] = {FAR, 4}, parts[2] = {FAR - 2, 2}, starts[2] = {1, 1};
    int how[2] = {MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_NONE}, grid[2] = {2, 1};
    int argument[2] = {MPI_DISTRIBUTE_DFLT_DARG, MPI_DISTRIBUTE_DFLT_DARG};
    MPI_Type_indexed_c(2, one, places, MPI_SHORT, &type);
    MPI_Type_get_extent_c(type, &lb, &extent);
    CHECK(extent == 2 * FAR + 2);
    MPI_Type_free(&type);
    MPI_Type_create_hindexed_c(2, one, places, MPI_SHORT, &type);
    MPI_Type_get_extent_c(type, &lb, &extent);
    CHECK(extent == FAR + 2);
    MPI_Type_free(&type);
    MPI_Type_create_indexed_block_c(2, FAR, places, MPI_SHORT, &type);
    MPI_Type_size_c(type, &bytes);
    CHECK(bytes == 4 * FAR);
    MPI_Type_free(&type);
    MPI_Type_create_hindexed_block_c(2, 1, places, MPI_SHORT, &type);
    MPI_Type_get_extent_c(type, &lb, &extent);
    CHECK(extent == FAR + 2);
    MPI_Type_free(&type);
    MPI_Type_create_struct_c(2, one, places, types, &type);
    MPI_Type_get_extent_c(type, &lb, &extent);
    CHECK(extent == FAR + 2);
    MPI_Type_free(&type);
    MPI_Type_create_subarray_c(2, sizes, parts, starts, MPI_ORDER_C, MPI_CHAR, &type);
    MPI_Type_size_c(type, &bytes), MPI_Type_get_extent_c(type, &lb, &extent);
    CHECK(bytes == 2 * (FAR - 2) && extent == 4 * FAR);
    MPI_Type_free(&type);
    MPI_Type_create_darray_c(2, 0, 2, sizes, how, argument, grid, MPI_ORDER_C, MPI_CHAR, &type);
    MPI_Type_size_c(type, &bytes), MPI_Type_get_extent_c(type, &lb, &extent);
    CHECK(bytes == 2 * FAR && extent == 4 * FAR);
    MPI_Type_free(&type);
    MPI_Type_create_resized_c(MPI_CHAR, -FAR, 2 * FAR, &type);
    MPI_Type_get_extent_c(type, &lb, &extent);
    CHECK(lb == -FAR && extent == 2 * FAR);
    MPI_Type_free(&type);
}

int main(int argc, char **argv) {
    begin(&argc, &argv);
    return_errors();
    if (rank == 0) far_apart();
    many_elements();
    beyond_int();
    MPI_Finalize();
    return 0;
}
