/* Topologies whose ranks may be renumbered: whatever the numbers are, they agree. */
#include "check.h"

/* The rank in the world of a rank in `comm`. */
static int world_rank(MPI_Comm comm, int of) {
    MPI_Group ours, all;
    int found;
    MPI_Comm_group(comm, &ours);
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_translate_ranks(ours, 1, &of, all, &found);
    MPI_Group_free(&ours);
    MPI_Group_free(&all);
    return found;
}

static void grids(void) {
    int dims[2] = {0, 0}, periods[2] = {1, 0}, coords[2], me, planned, same, sides[4], low, high;
    MPI_Comm grid, row;
    MPI_Dims_create(size, 2, dims);
    MPI_Cart_map(MPI_COMM_WORLD, 2, dims, periods, &planned);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 1, &grid);
    MPI_Comm_rank(grid, &me);
    CHECK(me == planned && world_rank(grid, me) == rank);
    MPI_Cart_coords(grid, me, 2, coords);
    MPI_Cart_rank(grid, coords, &same);
    CHECK(same == me && me == coords[0] * dims[1] + coords[1]);
    memset(sides, -1, sizeof sides);
    MPI_Neighbor_allgather(&me, 1, MPI_INT, sides, 1, MPI_INT, grid);
    for (int along = 0; along < 2; along++) {
        MPI_Cart_shift(grid, along, 1, &low, &high);
        CHECK(low == MPI_PROC_NULL ? sides[2 * along] == -1 : sides[2 * along] == low);
        CHECK(high == MPI_PROC_NULL ? sides[2 * along + 1] == -1 : sides[2 * along + 1] == high);
        int got = -1, of_world;
        MPI_Sendrecv(&rank, 1, MPI_INT, high, 5, &got, 1, MPI_INT, low, 5, grid, MPI_STATUS_IGNORE);
        of_world = low == MPI_PROC_NULL ? -1 : world_rank(grid, low);
        CHECK(got == of_world);
    }
    int keep[2] = {0, 1}, in_row;
    MPI_Cart_sub(grid, keep, &row);
    MPI_Comm_rank(row, &in_row);
    CHECK(in_row == coords[1]);
    MPI_Comm_free(&row);
    MPI_Comm_free(&grid);
}

/* A ring whose places lie `step` apart, where that is one. */
static int step(void) { return size % 3 ? 3 % size : 1; }

static void distributed(void) {
    int me, n = step(), before = (rank + size - n) % size, next = (rank + n) % size;
    int in = before + 10, out = rank + 10, sources[1], targets[1], in_weights[1], out_weights[1], got;
    int in_degree, out_degree, weighted;
    MPI_Comm ring, spread;
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &before, &in, 1, &next, &out, MPI_INFO_NULL, 1,
                                   &ring);
    MPI_Comm_rank(ring, &me);
    CHECK(world_rank(ring, me) == rank);
    MPI_Dist_graph_neighbors_count(ring, &in_degree, &out_degree, &weighted);
    CHECK(in_degree == 1 && out_degree == 1 && weighted);
    MPI_Dist_graph_neighbors(ring, 1, sources, in_weights, 1, targets, out_weights);
    CHECK(sources[0] == (me + size - n) % size && targets[0] == (me + n) % size);
    CHECK(in_weights[0] == sources[0] + 10 && out_weights[0] == me + 10);
    MPI_Neighbor_allgather(&me, 1, MPI_INT, &got, 1, MPI_INT, ring);
    CHECK(got == sources[0]);
    MPI_Comm_free(&ring);

    int one = 1, count = rank == size - 1 ? size : 0;
    int from[count + 1], degrees[count + 1], to[count + 1];
    for (int place = 0; place < count; place++) {
        from[place] = place;
        degrees[place] = one;
        to[place] = (place + n) % size;
    }
    MPI_Dist_graph_create(MPI_COMM_WORLD, count, from, degrees, to, MPI_UNWEIGHTED, MPI_INFO_NULL, 1,
                          &spread);
    MPI_Comm_rank(spread, &me);
    MPI_Neighbor_allgather(&me, 1, MPI_INT, &got, 1, MPI_INT, spread);
    CHECK(got == (me + size - n) % size);
    MPI_Comm_free(&spread);
}

static void graphs(void) {
    int places = size > 1 ? size - 1 : 1, index[places], edges[2 * places], planned, me, got[2];
    MPI_Comm graph;
    for (int place = 0; place < places; place++) {
        index[place] = 2 * (place + 1);
        edges[2 * place] = (place + places - 1) % places;
        edges[2 * place + 1] = (place + 1) % places;
    }
    MPI_Graph_map(MPI_COMM_WORLD, places, index, edges, &planned);
    MPI_Graph_create(MPI_COMM_WORLD, places, index, edges, 1, &graph);
    CHECK((graph == MPI_COMM_NULL) == (rank >= places));
    CHECK((planned == MPI_UNDEFINED) == (rank >= places));
    if (graph != MPI_COMM_NULL) {
        MPI_Comm_rank(graph, &me);
        CHECK(me == planned && world_rank(graph, me) == rank);
        MPI_Neighbor_allgather(&me, 1, MPI_INT, got, 1, MPI_INT, graph);
        CHECK(got[0] == edges[2 * me] && got[1] == edges[2 * me + 1]);
        MPI_Comm_free(&graph);
    }
}

int main(int argc, char **argv) {
    begin(&argc, &argv);
    grids();
    distributed();
    graphs();
    MPI_Finalize();
    return 0;
}
