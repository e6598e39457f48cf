/* Virtual topologies: grids, graphs, distributed graphs, and collectives among neighbours. */
#include "check.h"

#define W MPI_COMM_WORLD

static void dims(void) {
    static const int want[][6] = {
        {12, 2, 4, 3}, {16, 3, 4, 2, 2}, {36, 3, 4, 3, 3},    {7, 2, 7, 1},        {1, 3, 1, 1, 1},
        {64, 3, 4, 4, 4}, {6, 1, 6},     {60, 3, 5, 4, 3},    {132, 3, 11, 4, 3},
        {100, 4, 5, 5, 2, 2},            {210, 4, 7, 5, 3, 2}};
    for (int i = 0; i < 11; i++) {
        int got[4] = {0};
        CHECK(MPI_Dims_create(want[i][0], want[i][1], got) == MPI_SUCCESS);
        for (int d = 0; d < want[i][1]; d++)
            CHECK(got[d] == want[i][2 + d]);
    }
    int some[3] = {0, 3, 0}, all[2] = {2, 3}, odd[2] = {0, 4}, below[2] = {-1, 0};
    CHECK(MPI_Dims_create(24, 3, some) == MPI_SUCCESS);
    CHECK(some[0] == 4 && some[1] == 3 && some[2] == 2);
    CHECK(MPI_Dims_create(6, 2, all) == MPI_SUCCESS && all[0] == 2 && all[1] == 3);
    GIVES(MPI_ERR_DIMS, MPI_Dims_create(7, 2, all));
    GIVES(MPI_ERR_DIMS, MPI_Dims_create(6, 2, odd));
    GIVES(MPI_ERR_DIMS, MPI_Dims_create(6, 2, below));
}

static void grids(void) {
    MPI_Comm grid, row, dot;
    int extent[2] = {size > 1 ? 2 : 1, size / 2 ? size / 2 : 1}, periods[2] = {1, 0}, n, kind, me;
    int got_dims[2], got_periods[2], at[2], where[2], low, high;
    int inside = extent[0] * extent[1];
    CHECK(MPI_Cart_create(W, 2, extent, periods, 0, &grid) == MPI_SUCCESS);
    CHECK((grid == MPI_COMM_NULL) == (rank >= inside));
    if (grid != MPI_COMM_NULL) {
        MPI_Topo_test(grid, &kind), MPI_Cartdim_get(grid, &n), MPI_Comm_rank(grid, &me);
        CHECK(kind == MPI_CART && n == 2);
        MPI_Cart_get(grid, 2, got_dims, got_periods, at);
        CHECK(got_dims[0] == extent[0] && got_dims[1] == extent[1]);
        CHECK(got_periods[0] && !got_periods[1]);
        CHECK(at[0] == me / extent[1] && at[1] == me % extent[1]);
        for (int i = 0; i < inside; i++) {
            CHECK(MPI_Cart_coords(grid, i, 2, where) == MPI_SUCCESS);
            CHECK(MPI_Cart_rank(grid, where, &n) == MPI_SUCCESS && n == i);
        }
        where[0] = -1, where[1] = 0;
        MPI_Cart_rank(grid, where, &n);
        CHECK(n == (extent[0] - 1) * extent[1]);
        where[0] = 5 * extent[0];
        MPI_Cart_rank(grid, where, &n);
        CHECK(n == 0);
        MPI_Cart_shift(grid, 0, 1, &low, &high);
        CHECK(high == (at[0] + 1) % extent[0] * extent[1] + at[1]);
        MPI_Cart_shift(grid, 1, -1, &low, &high);
        CHECK(high == (at[1] ? me - 1 : MPI_PROC_NULL));
        CHECK(low == (at[1] + 1 < extent[1] ? me + 1 : MPI_PROC_NULL));
        MPI_Cart_shift(grid, 1, extent[1], &low, &high);
        CHECK(low == MPI_PROC_NULL && high == MPI_PROC_NULL);
        int keep[2] = {0, 1}, none[2] = {0, 0};
        MPI_Cart_sub(grid, keep, &row);
        MPI_Comm_size(row, &n), MPI_Comm_rank(row, &me), MPI_Cartdim_get(row, &kind);
        CHECK(n == extent[1] && me == at[1] && kind == 1);
        MPI_Cart_sub(grid, none, &dot);
        MPI_Comm_size(dot, &n), MPI_Cartdim_get(dot, &kind);
        CHECK(n == 1 && kind == 0);
        MPI_Comm_free(&dot), MPI_Comm_free(&row);
        where[1] = extent[1];
        MPI_Comm_set_errhandler(grid, MPI_ERRORS_RETURN);
        GIVES(MPI_ERR_ARG, MPI_Cart_rank(grid, where, &n));
        GIVES(MPI_ERR_RANK, MPI_Cart_coords(grid, inside, 2, where));
        GIVES(MPI_ERR_RANK, MPI_Cart_coords(grid, -1, 2, where));
        GIVES(MPI_ERR_ARG, MPI_Cart_coords(grid, 0, 1, where));
        GIVES(MPI_ERR_ARG, MPI_Cart_coords(grid, 0, -1, where));
        GIVES(MPI_ERR_DIMS, MPI_Cart_shift(grid, 2, 1, &low, &high));
        GIVES(MPI_ERR_DIMS, MPI_Cart_shift(grid, -1, 1, &low, &high));
        GIVES(MPI_ERR_TOPOLOGY, MPI_Graphdims_get(grid, &low, &high));
        GIVES(MPI_ERR_TOPOLOGY, MPI_Dist_graph_neighbors_count(grid, &low, &high, &n));
        MPI_Comm_free(&grid);
    }
    MPI_Cart_create(W, 0, NULL, NULL, 0, &dot);
    CHECK((dot == MPI_COMM_NULL) == (rank > 0));
    if (dot != MPI_COMM_NULL)
        MPI_Comm_free(&dot);
    int huge[2] = {65536, 65536}, zero[2] = {0, 1}, minus[2] = {-1, 1};
    GIVES(MPI_ERR_DIMS, MPI_Cart_create(W, 2, huge, periods, 0, &grid));
    GIVES(MPI_ERR_DIMS, MPI_Cart_create(W, 2, zero, periods, 0, &grid));
    GIVES(MPI_ERR_DIMS, MPI_Cart_create(W, 2, minus, periods, 0, &grid));
    GIVES(MPI_ERR_ARG, MPI_Cart_create(W, -1, huge, periods, 0, &grid));
    GIVES(MPI_ERR_ARG, MPI_Cart_create(W, 2, NULL, periods, 0, &grid));
    GIVES(MPI_ERR_COMM, MPI_Cart_create(MPI_COMM_NULL, 2, extent, periods, 0, &grid));
    GIVES(MPI_ERR_TOPOLOGY, MPI_Cart_sub(W, zero, &grid));
    GIVES(MPI_ERR_TOPOLOGY, MPI_Cart_get(W, 2, got_dims, got_periods, at));
    GIVES(MPI_ERR_TOPOLOGY, MPI_Cart_shift(W, 0, 1, &low, &high));
    GIVES(MPI_ERR_DIMS, MPI_Cart_map(W, 2, huge, periods, &n));
    CHECK(MPI_Cart_map(W, 2, extent, periods, &n) == MPI_SUCCESS);
    CHECK(n == (rank < inside ? rank : MPI_UNDEFINED));
    MPI_Topo_test(W, &kind);
    CHECK(kind == MPI_UNDEFINED);
}

/* A star: the first has all others as neighbours, and they have it. */
static void graphs(void) {
    MPI_Comm star, none;
    int index[8], edges[16], nodes, n, kind, list[16], ends[8];
    for (int i = 0; i < size; i++) {
        index[i] = size - 1 + i;
        edges[size - 1 + i - (i > 0)] = 0;
    }
    for (int i = 1; i < size; i++)
        edges[i - 1] = i, edges[size - 2 + i] = 0;
    CHECK(MPI_Graph_create(W, size, index, edges, 0, &star) == MPI_SUCCESS);
    MPI_Topo_test(star, &kind), MPI_Graphdims_get(star, &nodes, &n);
    CHECK(kind == MPI_GRAPH && nodes == size && n == 2 * (size - 1));
    MPI_Graph_get(star, size, 2 * (size - 1), ends, list);
    CHECK(!memcmp(ends, index, size * sizeof(int)) && !memcmp(list, edges, n * sizeof(int)));
    MPI_Graph_neighbors_count(star, rank, &n);
    CHECK(n == (rank ? 1 : size - 1));
    CHECK(MPI_Graph_neighbors(star, rank, 16, list) == MPI_SUCCESS && (size < 2 || list[0] == !rank));
    int in[8], out[8];
    for (int i = 0; i < n; i++)
        out[i] = 10 * rank + i, in[i] = -1;
    MPI_Neighbor_alltoall(out, 1, MPI_INT, in, 1, MPI_INT, star);
    for (int i = 0; i < n; i++)
        CHECK(in[i] == (rank ? rank - 1 : 10 * (i + 1)));
    MPI_Neighbor_allgather(&rank, 1, MPI_INT, in, 1, MPI_INT, star);
    for (int i = 0; i < n; i++)
        CHECK(in[i] == (rank ? 0 : i + 1));
    MPI_Comm_set_errhandler(star, MPI_ERRORS_RETURN);
    GIVES(MPI_ERR_RANK, MPI_Graph_neighbors_count(star, size, &n));
    GIVES(MPI_ERR_RANK, MPI_Graph_neighbors(star, -1, 1, list));
    GIVES(MPI_ERR_TOPOLOGY, MPI_Cartdim_get(star, &n));
    MPI_Comm_free(&star);
    CHECK(MPI_Graph_create(W, 0, NULL, NULL, 0, &none) == MPI_SUCCESS && none == MPI_COMM_NULL);
    GIVES(MPI_ERR_ARG, MPI_Graph_create(W, size + 1, index, edges, 0, &none));
    GIVES(MPI_ERR_ARG, MPI_Graph_create(W, -1, index, edges, 0, &none));
    int bad_index[1] = {1}, bad_edge[1] = {size};
    GIVES(MPI_ERR_ARG, MPI_Graph_create(W, 1, bad_index, bad_edge, 0, &none));
    bad_index[0] = -1;
    GIVES(MPI_ERR_ARG, MPI_Graph_create(W, 1, bad_index, bad_edge, 0, &none));
    int loop_index[1] = {1}, loop_edge[1] = {0};
    CHECK(MPI_Graph_map(W, 1, loop_index, loop_edge, &n) == MPI_SUCCESS);
    CHECK(n == (rank ? MPI_UNDEFINED : 0));
    GIVES(MPI_ERR_ARG, MPI_Graph_map(W, size + 1, ends, edges, &n));
    GIVES(MPI_ERR_TOPOLOGY, MPI_Graph_neighbors_count(W, 0, &n));
}

static void distributed(void) {
    MPI_Comm ring, same, none;
    int next = (rank + 1) % size, before = (rank + size - 1) % size, n, m, weighted, kind;
    int from, to, from_weight = -1, to_weight = -1, in_weight = 10 + before, out_weight = 10 + rank;
    MPI_Dist_graph_create_adjacent(W, 1, &before, &in_weight, 1, &next, &out_weight, MPI_INFO_NULL,
                                   0, &ring);
    MPI_Topo_test(ring, &kind);
    MPI_Dist_graph_neighbors_count(ring, &n, &m, &weighted);
    CHECK(kind == MPI_DIST_GRAPH && n == 1 && m == 1 && weighted);
    MPI_Dist_graph_neighbors(ring, 1, &from, &from_weight, 1, &to, &to_weight);
    CHECK(from == before && to == next && from_weight == 10 + before && to_weight == 10 + rank);
    MPI_Comm_free(&ring);
    /* One rank tells all edges, the others none. */
    int sources[8], degrees[8], ends[8], weights[8];
    for (int i = 0; i < size; i++)
        sources[i] = i, degrees[i] = 1, ends[i] = (i + 1) % size, weights[i] = 10 + i;
    MPI_Dist_graph_create(W, rank ? 0 : size, sources, degrees, ends, rank ? MPI_WEIGHTS_EMPTY : weights,
                          MPI_INFO_NULL, 0, &same);
    MPI_Dist_graph_neighbors(same, 1, &from, &from_weight, 1, &to, &to_weight);
    CHECK(from == before && to == next && from_weight == 10 + before && to_weight == 10 + rank);
    int got = -1;
    MPI_Neighbor_allgather(&rank, 1, MPI_INT, &got, 1, MPI_INT, same);
    CHECK(got == before);
    MPI_Comm_free(&same);
    MPI_Dist_graph_create(W, 1, &rank, degrees, &next, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &same);
    MPI_Dist_graph_neighbors_count(same, &n, &m, &weighted);
    CHECK(n == 1 && m == 1 && !weighted);
    MPI_Dist_graph_neighbors(same, 1, &from, MPI_UNWEIGHTED, 1, &to, MPI_UNWEIGHTED);
    CHECK(from == before && to == next);
    MPI_Comm_free(&same);
    /* Nobody knows anybody. */
    MPI_Dist_graph_create_adjacent(W, 0, NULL, MPI_UNWEIGHTED, 0, NULL, MPI_UNWEIGHTED,
                                   MPI_INFO_NULL, 0, &none);
    MPI_Dist_graph_neighbors_count(none, &n, &m, &weighted);
    CHECK(n == 0 && m == 0 && !weighted);
    CHECK(MPI_Neighbor_alltoall(NULL, 1, MPI_INT, NULL, 1, MPI_INT, none) == MPI_SUCCESS);
    MPI_Comm_free(&none);
    /* The same edge twice: blocks keep their order. */
    int twice[2] = {before, before}, after[2] = {next, next}, out[2] = {rank, 100 + rank}, in[2];
    MPI_Dist_graph_create_adjacent(W, 2, twice, MPI_UNWEIGHTED, 2, after, MPI_UNWEIGHTED,
                                   MPI_INFO_NULL, 0, &ring);
    MPI_Neighbor_alltoall(out, 1, MPI_INT, in, 1, MPI_INT, ring);
    CHECK(in[0] == before && in[1] == 100 + before);
    MPI_Comm_free(&ring);
    int bad = size, minus = -1;
    MPI_Info info = MPI_INFO_NULL;
    GIVES(MPI_ERR_ARG, MPI_Dist_graph_create_adjacent(W, 1, &bad, MPI_UNWEIGHTED, 0, NULL,
                                                      MPI_UNWEIGHTED, info, 0, &none));
    GIVES(MPI_ERR_ARG, MPI_Dist_graph_create_adjacent(W, -1, &bad, MPI_UNWEIGHTED, 0, NULL,
                                                      MPI_UNWEIGHTED, info, 0, &none));
    GIVES(MPI_ERR_ARG, MPI_Dist_graph_create_adjacent(W, 1, &before, &minus, 1, &next, &out_weight,
                                                      info, 0, &none));
    GIVES(MPI_ERR_ARG, MPI_Dist_graph_create_adjacent(W, 1, &before, MPI_WEIGHTS_EMPTY, 1, &next,
                                                      MPI_WEIGHTS_EMPTY, info, 0, &none));
    GIVES(MPI_ERR_ARG, MPI_Dist_graph_create(W, -1, &rank, degrees, &next, MPI_UNWEIGHTED, info, 0, &none));
    GIVES(MPI_ERR_ARG, MPI_Dist_graph_create(W, 1, &bad, degrees, &next, MPI_UNWEIGHTED, info, 0, &none));
    GIVES(MPI_ERR_ARG, MPI_Dist_graph_create(W, 1, &rank, &minus, &next, MPI_UNWEIGHTED, info, 0, &none));
    GIVES(MPI_ERR_TOPOLOGY, MPI_Dist_graph_neighbors_count(W, &n, &m, &weighted));
}

/* An open line: nothing travels over its ends, and what is there stays. */
static void line(void) {
    MPI_Comm comm;
    int extent[1] = {size}, periods[1] = {0}, out[2] = {rank, rank + 100}, in[2] = {-7, -7};
    int ones[2] = {1, 1}, at[2] = {0, 1};
    MPI_Cart_create(W, 1, extent, periods, 0, &comm);
    MPI_Neighbor_alltoallv(out, ones, at, MPI_INT, in, ones, at, MPI_INT, comm);
    CHECK(in[0] == (rank ? rank - 1 + 100 : -7) && in[1] == (rank < size - 1 ? rank + 1 : -7));
    MPI_Comm_free(&comm);
}

int main(int argc, char **argv) {
    begin(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    dims();
    grids();
    graphs();
    distributed();
    line();
    MPI_Finalize();
    return 0;
}
