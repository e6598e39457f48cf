/* Every collective among neighbours in every form, on each kind of topology: also where a rank is
   its own neighbour, or another's several times, or nobody's. */
#include "check.h"

enum { MOST = 6, ROOM = 64 };

#define W MPI_COMM_WORLD
#define I MPI_INT

static MPI_Comm among;
static int ins, outs, sources[MOST];
/* Which of a source's blocks is mine. */
static int block[MOST];
static int data[ROOM], got[ROOM];
static int twos[MOST], at[MOST];
static MPI_Count many[MOST];
static MPI_Aint places[MOST], bytes_at[MOST];
static MPI_Datatype types[MOST];

static int of(int who, int place) { return who * ROOM + place; }

static void fresh(void) {
    for (int i = 0; i < ROOM; i++)
        data[i] = of(rank, i), got[i] = -1;
}

/* Block `i` lies at `to`, and begins at `from` where it comes from; nobody writes behind it. */
static void came(int i, int to, int from) {
    int there = sources[i] != MPI_PROC_NULL;
    CHECK(got[to] == (there ? of(sources[i], from) : -1));
    CHECK(got[to + 1] == (there ? of(sources[i], from + 1) : -1));
}

static void gathered(void) { for (int i = 0; i < ins; i++) came(i, 2 * i, 0); }
static void gathered_apart(void) { for (int i = 0; i < ins; i++) came(i, at[i], 0); }
static void exchanged(void) { for (int i = 0; i < ins; i++) came(i, 2 * i, 2 * block[i]); }
static void exchanged_apart(void) { for (int i = 0; i < ins; i++) came(i, at[i], at[block[i]]); }

#define UNPACK(...) __VA_ARGS__
#define FORMS(name, holds, small, large)                                                           \
    do {                                                                                           \
        MPI_Request request;                                                                       \
        fresh(); CHECK(MPI_N##name(UNPACK small) == MPI_SUCCESS); holds();                         \
        fresh(); CHECK(MPI_N##name##_c(UNPACK large) == MPI_SUCCESS); holds();                     \
        fresh(); CHECK(MPI_In##name(UNPACK small, &request) == MPI_SUCCESS);                       \
        MPI_Wait(&request, MPI_STATUS_IGNORE); holds();                                            \
        fresh(); CHECK(MPI_In##name##_c(UNPACK large, &request) == MPI_SUCCESS);                   \
        MPI_Wait(&request, MPI_STATUS_IGNORE); holds();                                            \
        CHECK(MPI_N##name##_init(UNPACK small, MPI_INFO_NULL, &request) == MPI_SUCCESS);           \
        again(&request, holds);                                                                    \
        CHECK(MPI_N##name##_init_c(UNPACK large, MPI_INFO_NULL, &request) == MPI_SUCCESS);         \
        again(&request, holds);                                                                    \
    } while (0)

static void again(MPI_Request *request, void (*holds)(void)) {
    for (int i = 0; i < 2; i++)
        fresh(), MPI_Start(request), MPI_Wait(request, MPI_STATUS_IGNORE), holds();
    MPI_Request_free(request);
}

static void all(void) {
    for (int i = 0; i < MOST; i++) {
        twos[i] = many[i] = 2, types[i] = I;
        at[i] = places[i] = 3 * (MOST - 1 - i), bytes_at[i] = 4 * at[i];
    }
    FORMS(eighbor_allgather, gathered, (data, 2, I, got, 2, I, among),
          (data, 2, I, got, 2, I, among));
    FORMS(eighbor_allgatherv, gathered_apart, (data, 2, I, got, twos, at, I, among),
          (data, 2, I, got, many, places, I, among));
    FORMS(eighbor_alltoall, exchanged, (data, 2, I, got, 2, I, among),
          (data, 2, I, got, 2, I, among));
    FORMS(eighbor_alltoallv, exchanged_apart, (data, twos, at, I, got, twos, at, I, among),
          (data, many, places, I, got, many, places, I, among));
    FORMS(eighbor_alltoallw, exchanged_apart,
          (data, twos, bytes_at, types, got, twos, bytes_at, types, among),
          (data, many, bytes_at, types, got, many, bytes_at, types, among));
}

/* On the communicator and on its duplicate, which has the topology too. */
static void twice(void) {
    MPI_Comm original = among;
    all();
    MPI_Comm_dup(original, &among);
    all();
    MPI_Comm_free(&among);
    MPI_Comm_free(&original);
}

/* What one sends down comes from above, also from oneself and from one who is on both sides. */
static void grids(void) {
    for (int periodic = 0; periodic < 2; periodic++) {
        int dims[2] = {0, 0}, periods[2] = {periodic, 0};
        MPI_Dims_create(size, 2, dims);
        MPI_Cart_create(W, 2, dims, periods, 0, &among);
        ins = outs = 4;
        for (int d = 0; d < 2; d++)
            MPI_Cart_shift(among, d, 1, &sources[2 * d], &sources[2 * d + 1]);
        for (int i = 0; i < 4; i++)
            block[i] = i ^ 1;
        twice();
    }
}

/* A ring of edges in both directions. */
static void graphs(void) {
    int index[8], edges[16], left = (rank + size - 1) % size, right = (rank + 1) % size;
    if (size < 3)
        return;
    for (int i = 0; i < size; i++) {
        index[i] = 2 * i + 2;
        edges[2 * i] = (i + size - 1) % size, edges[2 * i + 1] = (i + 1) % size;
    }
    MPI_Graph_create(W, size, index, edges, 0, &among);
    ins = outs = 2, sources[0] = left, sources[1] = right, block[0] = 1, block[1] = 0;
    twice();
}

/* `repeat` edges to the next rank, and one to the next but one. */
static void distributed(int repeat) {
    int destinations[MOST];
    for (int i = 0; i <= repeat; i++) {
        int by = i < repeat ? 1 : 2;
        sources[i] = (rank + 2 * size - by) % size, destinations[i] = (rank + by) % size;
        block[i] = i;
    }
    ins = outs = repeat + 1;
    MPI_Dist_graph_create_adjacent(W, ins, sources, MPI_UNWEIGHTED, outs, destinations,
                                   MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &among);
    twice();
}

/* All send to rank 0, which sends to nobody; who has no neighbour needs no buffer. */
static void star(void) {
    int zero = 0;
    for (int i = 1; i < size; i++)
        sources[i - 1] = i, block[i - 1] = 0;
    ins = rank ? 0 : size - 1, outs = rank > 0;
    MPI_Dist_graph_create_adjacent(W, ins, sources, MPI_UNWEIGHTED, outs, &zero, MPI_UNWEIGHTED,
                                   MPI_INFO_NULL, 0, &among);
    fresh();
    CHECK(MPI_Neighbor_alltoall(outs ? data : NULL, 2, I, ins ? got : NULL, 2, I, among) ==
          MPI_SUCCESS);
    exchanged();
    twice();
}

int main(int argc, char **argv) {
    begin(&argc, &argv);
    grids();
    graphs();
    distributed(1);
    distributed(3);
    star();
    MPI_Finalize();
    return 0;
}
