/* Communicators, groups, attributes, datatypes, packing, topologies, info, errors. */
#include "check.h"

static int copies, deletes;

static int copy(MPI_Comm comm, int key, void *extra, void *in, void *out, int *flag) {
    (void)comm, (void)key, (void)extra;
    copies++;
    *(void **)out = in;
    *flag = 1;
    return MPI_SUCCESS;
}

static int deleted(MPI_Comm comm, int key, void *value, void *extra) {
    (void)comm, (void)key, (void)value, (void)extra;
    deletes++;
    return MPI_SUCCESS;
}

static void communicators(void) {
    MPI_Comm half, twin;
    MPI_Group world, odd;
    int key, result, flag, value = 42, *found, n;
    char name[MPI_MAX_OBJECT_NAME];
    MPI_Comm_create_keyval(copy, deleted, &key, 0);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &half);
    MPI_Comm_set_attr(half, key, &value);
    MPI_Comm_dup(half, &twin);
    MPI_Comm_get_attr(twin, key, &found, &flag);
    CHECK(flag && found == &value && copies == 1);
    MPI_Comm_compare(half, twin, &result);
    CHECK(result == MPI_CONGRUENT);
    MPI_Comm_free(&twin);
    MPI_Comm_free(&half);
    CHECK(deletes == 2 && half == MPI_COMM_NULL);
    MPI_Comm_free_keyval(&key);
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &found, &flag);
    CHECK(flag && *found >= 32767);
    MPI_Comm_get_name(MPI_COMM_WORLD, name, &n);
    CHECK(strcmp(name, "MPI_COMM_WORLD") == 0);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    int range[1][3] = {{0, size - 1, 2}};
    MPI_Group_range_incl(world, 1, range, &odd);
    MPI_Group_size(odd, &n);
    CHECK(n == (size + 1) / 2);
    MPI_Group_free(&odd);
    MPI_Group_free(&world);
}

static void datatypes(void) {
    MPI_Datatype column, mixed;
    MPI_Aint lb, extent;
    int matrix[3][4], into[3] = {0}, bytes, place = 0;
    char room[64];
    struct pair { char c; double d; } pair = {'x', 2.5}, other;
    for (int i = 0; i < 12; i++)
        matrix[i / 4][i % 4] = i;
    MPI_Type_vector(3, 1, 4, MPI_INT, &column);
    MPI_Type_commit(&column);
    MPI_Sendrecv(&matrix[0][1], 1, column, rank, 1, into, 3, MPI_INT, rank, 1, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    CHECK(into[0] == 1 && into[1] == 5 && into[2] == 9);
    MPI_Type_free(&column);
    int lengths[2] = {1, 1};
    MPI_Aint places[2] = {0, 8};
    MPI_Datatype types[2] = {MPI_CHAR, MPI_DOUBLE};
    MPI_Type_create_struct(2, lengths, places, types, &mixed);
    MPI_Type_get_extent(mixed, &lb, &extent);
    CHECK(lb == 0 && extent == 16);
    MPI_Type_size(mixed, &bytes);
    CHECK(bytes == 9);
    MPI_Type_commit(&mixed);
    MPI_Pack(&pair, 1, mixed, room, sizeof room, &place, MPI_COMM_WORLD);
    CHECK(place == 9);
    place = 0;
    MPI_Unpack(room, 9, &place, &other, 1, mixed, MPI_COMM_WORLD);
    CHECK(other.c == 'x' && other.d == 2.5);
    MPI_Type_free(&mixed);
}

static void topologies(void) {
    int dims[2] = {0, 0}, periods[2] = {1, 1}, coords[2], low, high;
    MPI_Comm grid;
    MPI_Dims_create(size, 2, dims);
    CHECK(dims[0] * dims[1] == size);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
    MPI_Cart_coords(grid, rank, 2, coords);
    MPI_Cart_shift(grid, 0, 1, &low, &high);
    int out[4] = {10 * rank, 10 * rank + 1, 10 * rank + 2, 10 * rank + 3}, in[4];
    MPI_Neighbor_alltoall(out, 1, MPI_INT, in, 1, MPI_INT, grid);
    CHECK(in[0] == 10 * low + 1 && in[1] == 10 * high);
    MPI_Comm_free(&grid);
    int next = (rank + 1) % size, before = (rank + size - 1) % size, got;
    MPI_Comm ring;
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &before, MPI_UNWEIGHTED, 1, &next,
                                   MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &ring);
    MPI_Neighbor_allgather(&rank, 1, MPI_INT, &got, 1, MPI_INT, ring);
    CHECK(got == before);
    MPI_Comm_free(&ring);
}

static void rest(void) {
    MPI_Info info;
    char value[32], text[MPI_MAX_ERROR_STRING];
    int flag, n, code, version, subversion;
    MPI_Info_create(&info);
    MPI_Info_set(info, "key", "value");
    MPI_Info_get(info, "key", 31, value, &flag);
    CHECK(flag && strcmp(value, "value") == 0);
    MPI_Info_free(&info);
    MPI_Add_error_class(&code);
    MPI_Add_error_string(code, "ours");
    MPI_Error_string(code, text, &n);
    CHECK(strcmp(text, "ours") == 0 && n == 4);
    MPI_Get_version(&version, &subversion);
    CHECK(version == MPI_VERSION && subversion == MPI_SUBVERSION);
    double start = MPI_Wtime();
    windtunnel_compute(0.25);
    CHECK(MPI_Wtime() - start > 0.249 && MPI_Wtime() - start < 0.251);
}

int main(int argc, char **argv) {
    begin(&argc, &argv);
    communicators();
    datatypes();
    topologies();
    rest();
    MPI_Finalize();
    return 0;
}
