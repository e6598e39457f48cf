/* Every collective in every form: blocking, nonblocking and persistent, each with large counts too. */
#include "forms.h"

static int ints[MOST], at[MOST], bytes_at[MOST];
static MPI_Count counts[MOST];
static MPI_Aint places[MOST], byte_places[MOST];
static MPI_Datatype types[MOST];
static MPI_Comm ring;

static void from_first(void) { CHECK(in[0] == 0 && in[1] == 1); }
static void gathered(void) {
    for (int i = 0; i < size && rank == 0; i++)
        CHECK(out[i] == 100 * i);
}
static void scattered(void) { CHECK(out[0] == rank && out[1] == -1); }
static void all_gathered(void) {
    for (int i = 0; i < size; i++)
        CHECK(out[i] == 100 * i);
}
static void exchanged(void) {
    for (int i = 0; i < size; i++)
        CHECK(out[i] == 100 * i + rank);
}
static void reduced(void) { CHECK(rank != 0 || out[1] == 50 * size * (size - 1) + size); }
static void all_reduced(void) { CHECK(out[1] == 50 * size * (size - 1) + size); }
static void scanned(void) { CHECK(out[0] == 50 * rank * (rank + 1)); }
static void exscanned(void) { CHECK(out[0] == (rank ? 50 * rank * (rank - 1) : -1)); }
static void part_reduced(void) { CHECK(out[0] == 50 * size * (size - 1) + size * rank); }
static void neighbors(void) {
    CHECK(out[0] == 100 * ((rank + size - 1) % size) && out[1] == 100 * ((rank + 1) % size));
}
static void neighbors_each(void) {
    /* The left neighbour sends its second block here, the right one its first. */
    CHECK(out[0] == 100 * ((rank + size - 1) % size) + 1);
    CHECK(out[1] == 100 * ((rank + 1) % size));
}
static void nothing(void) {}

#define WORLD MPI_COMM_WORLD
#define I MPI_INT

static void rooted(void) {
    ALL(Bcast, Ibcast, from_first(), (in, 2, I, 0, WORLD), (in, 2, I, 0, WORLD));
    ALL(Gather, Igather, gathered(), (in, 1, I, out, 1, I, 0, WORLD), (in, 1, I, out, 1, I, 0, WORLD));
    ALL(Gatherv, Igatherv, gathered(), (in, 1, I, out, ints, at, I, 0, WORLD),
        (in, 1, I, out, counts, places, I, 0, WORLD));
    ALL(Scatter, Iscatter, scattered(), (in, 1, I, out, 1, I, 0, WORLD),
        (in, 1, I, out, 1, I, 0, WORLD));
    ALL(Scatterv, Iscatterv, scattered(), (in, ints, at, I, out, 1, I, 0, WORLD),
        (in, counts, places, I, out, 1, I, 0, WORLD));
    ALL(Reduce, Ireduce, reduced(), (in, out, 2, I, MPI_SUM, 0, WORLD),
        (in, out, 2, I, MPI_SUM, 0, WORLD));
}

static void unrooted(void) {
    ALL(Allgather, Iallgather, all_gathered(), (in, 1, I, out, 1, I, WORLD),
        (in, 1, I, out, 1, I, WORLD));
    ALL(Allgatherv, Iallgatherv, all_gathered(), (in, 1, I, out, ints, at, I, WORLD),
        (in, 1, I, out, counts, places, I, WORLD));
    ALL(Alltoall, Ialltoall, exchanged(), (in, 1, I, out, 1, I, WORLD),
        (in, 1, I, out, 1, I, WORLD));
    ALL(Alltoallv, Ialltoallv, exchanged(), (in, ints, at, I, out, ints, at, I, WORLD),
        (in, counts, places, I, out, counts, places, I, WORLD));
    ALL(Alltoallw, Ialltoallw, exchanged(), (in, ints, bytes_at, types, out, ints, bytes_at, types, WORLD),
        (in, counts, byte_places, types, out, counts, byte_places, types, WORLD));
    ALL(Allreduce, Iallreduce, all_reduced(), (in, out, 2, I, MPI_SUM, WORLD),
        (in, out, 2, I, MPI_SUM, WORLD));
    ALL(Scan, Iscan, scanned(), (in, out, 1, I, MPI_SUM, WORLD), (in, out, 1, I, MPI_SUM, WORLD));
    ALL(Exscan, Iexscan, exscanned(), (in, out, 1, I, MPI_SUM, WORLD),
        (in, out, 1, I, MPI_SUM, WORLD));
    ALL(Reduce_scatter, Ireduce_scatter, part_reduced(), (in, out, ints, I, MPI_SUM, WORLD),
        (in, out, counts, I, MPI_SUM, WORLD));
    ALL(Reduce_scatter_block, Ireduce_scatter_block, part_reduced(), (in, out, 1, I, MPI_SUM, WORLD),
        (in, out, 1, I, MPI_SUM, WORLD));
    /* Nothing to move, no buffer. */
    ALL(Allreduce, Iallreduce, nothing(), (NULL, NULL, 0, I, MPI_SUM, WORLD),
        (NULL, NULL, 0, I, MPI_SUM, WORLD));
    ALL(Bcast, Ibcast, nothing(), (NULL, 0, I, 0, WORLD), (NULL, 0, I, 0, WORLD));
    MPI_Request request;
    MPI_Ibarrier(WORLD, &request), MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Barrier_init(WORLD, MPI_INFO_NULL, &request);
    MPI_Start(&request), MPI_Wait(&request, MPI_STATUS_IGNORE), MPI_Request_free(&request);
}

static void neighborhoods(void) {
    ALL(Neighbor_allgather, Ineighbor_allgather, neighbors(), (in, 1, I, out, 1, I, ring),
        (in, 1, I, out, 1, I, ring));
    ALL(Neighbor_allgatherv, Ineighbor_allgatherv, neighbors(), (in, 1, I, out, ints, at, I, ring),
        (in, 1, I, out, counts, places, I, ring));
    ALL(Neighbor_alltoall, Ineighbor_alltoall, neighbors_each(), (in, 1, I, out, 1, I, ring),
        (in, 1, I, out, 1, I, ring));
    ALL(Neighbor_alltoallv, Ineighbor_alltoallv, neighbors_each(),
        (in, ints, at, I, out, ints, at, I, ring),
        (in, counts, places, I, out, counts, places, I, ring));
    ALL(Neighbor_alltoallw, Ineighbor_alltoallw, neighbors_each(),
        (in, ints, byte_places, types, out, ints, byte_places, types, ring),
        (in, counts, byte_places, types, out, counts, byte_places, types, ring));
}

static void local(void) {
    int a[2] = {1, 2}, b[2] = {10, 20};
    CHECK(MPI_Reduce_local(a, b, 2, I, MPI_SUM) == MPI_SUCCESS && b[0] == 11 && b[1] == 22);
    CHECK(MPI_Reduce_local_c(a, b, 2, I, MPI_PROD) == MPI_SUCCESS && b[0] == 11 && b[1] == 44);
}

int main(int argc, char **argv) {
    begin(&argc, &argv);
    for (int i = 0; i < MOST; i++) {
        ints[i] = 1, counts[i] = 1, at[i] = i, places[i] = i, types[i] = MPI_INT;
        bytes_at[i] = 4 * i, byte_places[i] = 4 * i;
    }
    int dims[1] = {size}, periods[1] = {1};
    MPI_Cart_create(WORLD, 1, dims, periods, 0, &ring);
    rooted();
    unrooted();
    neighborhoods();
    local();
    MPI_Comm_free(&ring);
    MPI_Finalize();
    return 0;
}
