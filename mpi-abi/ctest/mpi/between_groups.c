/* Every collective between the two groups of an intercommunicator, of different sizes. */
#include "forms.h"

static MPI_Comm half, inter;
static int low, me, mine, remote, base, their_base;
static int ones[MOST], at[MOST], bytes_at[MOST];
static MPI_Count counts[MOST];
static MPI_Aint places[MOST], byte_places[MOST];
static MPI_Datatype types[MOST];

#define I MPI_INT

/* Sum of in[k] over the other group. */
static int theirs(int k) {
    int sum = 0;
    for (int i = 0; i < remote; i++)
        sum += 100 * (their_base + i) + k;
    return sum;
}

static void blocks(int k) {
    for (int i = 0; i < remote; i++)
        CHECK(out[i] == 100 * (their_base + i) + k);
    CHECK(out[remote] == -1);
}

/* `root` is in the low group if `from_low`; everybody tells its part. */
static void rooted(int from_low, int leader) {
    int here = from_low == low;
    int root = here ? (me == leader ? MPI_ROOT : MPI_PROC_NULL) : leader;
    int from = 100 * (here ? base + leader : their_base + leader);
    int at_root = root == MPI_ROOT, leaf = !here;
    void *send = leaf ? in : NULL;
    ALL(Bcast, Ibcast, CHECK(!leaf || (in[0] == from && in[1] == from + 1)),
        (leaf || at_root ? in : NULL, 2, I, root, inter), (leaf || at_root ? in : NULL, 2, I, root, inter));
    ALL(Gather, Igather, if (at_root) blocks(0), (send, 1, I, out, 1, I, root, inter),
        (send, 1, I, out, 1, I, root, inter));
    ALL(Gatherv, Igatherv, if (at_root) blocks(0), (send, 1, I, out, ones, at, I, root, inter),
        (send, 1, I, out, counts, places, I, root, inter));
    ALL(Scatter, Iscatter, CHECK(!leaf || (out[0] == from + me && out[1] == -1)),
        (at_root ? in : NULL, 1, I, leaf ? out : NULL, 1, I, root, inter),
        (at_root ? in : NULL, 1, I, leaf ? out : NULL, 1, I, root, inter));
    ALL(Scatterv, Iscatterv, CHECK(!leaf || (out[0] == from + me && out[1] == -1)),
        (in, ones, at, I, out, 1, I, root, inter), (in, counts, places, I, out, 1, I, root, inter));
    ALL(Reduce, Ireduce, CHECK(!at_root || (out[0] == theirs(0) && out[1] == theirs(1))),
        (send, out, 2, I, MPI_SUM, root, inter), (send, out, 2, I, MPI_SUM, root, inter));
}

static void unrooted(void) {
    ALL(Allgather, Iallgather, blocks(0), (in, 1, I, out, 1, I, inter), (in, 1, I, out, 1, I, inter));
    ALL(Allgatherv, Iallgatherv, blocks(0), (in, 1, I, out, ones, at, I, inter),
        (in, 1, I, out, counts, places, I, inter));
    ALL(Alltoall, Ialltoall, blocks(me), (in, 1, I, out, 1, I, inter), (in, 1, I, out, 1, I, inter));
    ALL(Alltoallv, Ialltoallv, blocks(me), (in, ones, at, I, out, ones, at, I, inter),
        (in, counts, places, I, out, counts, places, I, inter));
    ALL(Alltoallw, Ialltoallw, blocks(me),
        (in, ones, bytes_at, types, out, ones, bytes_at, types, inter),
        (in, counts, byte_places, types, out, counts, byte_places, types, inter));
    ALL(Allreduce, Iallreduce, CHECK(out[1] == theirs(1)), (in, out, 2, I, MPI_SUM, inter),
        (in, out, 2, I, MPI_SUM, inter));
    /* mine * remote elements in all: each rank of a group keeps as many. */
    ALL(Reduce_scatter_block, Ireduce_scatter_block,
        CHECK(out[0] == theirs(me * remote) && out[remote] == -1),
        (in, out, remote, I, MPI_SUM, inter), (in, out, remote, I, MPI_SUM, inter));
    int parts[MOST] = {0};
    MPI_Count many[MOST] = {0};
    parts[0] = many[0] = size;
    ALL(Reduce_scatter, Ireduce_scatter, CHECK(out[0] == (me ? -1 : theirs(0))),
        (in, out, parts, I, MPI_SUM, inter), (in, out, many, I, MPI_SUM, inter));
    MPI_Request request;
    CHECK(MPI_Barrier(inter) == MPI_SUCCESS);
    MPI_Ibarrier(inter, &request), MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Barrier_init(inter, MPI_INFO_NULL, &request);
    MPI_Start(&request), MPI_Wait(&request, MPI_STATUS_IGNORE), MPI_Request_free(&request);
}

/* One direction may be empty, and blocks may differ. */
static void one_way(void) {
    fresh();
    MPI_Allgather(in, low ? 2 : 0, I, out, low ? 0 : 2, I, inter);
    CHECK(low ? out[0] == -1 : out[1] == 100 * their_base + 1);
    fresh();
    MPI_Alltoall(in, low ? 0 : 1, I, out, low ? 1 : 0, I, inter);
    CHECK(low ? out[0] == 100 * their_base + me : out[0] == -1);
    fresh();
    int lengths[MOST], starts[MOST];
    for (int i = 0, next = 0; i < remote; i++)
        lengths[i] = 1 + i % 2, starts[i] = next, next += lengths[i];
    MPI_Allgatherv(in, 1 + me % 2, I, out, lengths, starts, I, inter);
    for (int i = 0; i < remote; i++)
        CHECK(out[starts[i]] == 100 * (their_base + i));
}

static void refused(void) {
    MPI_Comm_set_errhandler(inter, MPI_ERRORS_RETURN);
    MPI_Comm grid;
    int dims[1] = {1}, periods[1] = {0};
    GIVES(MPI_ERR_COMM, MPI_Scan(in, out, 1, I, MPI_SUM, inter));
    GIVES(MPI_ERR_COMM, MPI_Exscan(in, out, 1, I, MPI_SUM, inter));
    GIVES(MPI_ERR_COMM, MPI_Cart_create(inter, 1, dims, periods, 0, &grid));
    GIVES(MPI_ERR_ROOT, MPI_Bcast(in, 1, I, remote, inter));
    GIVES(MPI_ERR_ROOT, MPI_Reduce(in, out, 1, I, MPI_SUM, -9, inter));
    GIVES(MPI_ERR_BUFFER, MPI_Allreduce(MPI_IN_PLACE, out, 1, I, MPI_SUM, inter));
    GIVES(MPI_ERR_BUFFER, MPI_Allgather(MPI_IN_PLACE, 1, I, out, 1, I, inter));
    GIVES(MPI_ERR_BUFFER, MPI_Alltoall(MPI_IN_PLACE, 1, I, out, 1, I, inter));
}

int main(int argc, char **argv) {
    begin(&argc, &argv);
    for (int i = 0; i < MOST; i++) {
        ones[i] = 1, counts[i] = 1, at[i] = i, places[i] = i, types[i] = MPI_INT;
        bytes_at[i] = 4 * i, byte_places[i] = 4 * i;
    }
    int first = (size + 2) / 3;
    if (size > 1) {
        low = rank < first;
        MPI_Comm_split(MPI_COMM_WORLD, low, 0, &half);
        MPI_Comm_rank(half, &me);
        MPI_Comm_size(half, &mine);
        MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, low ? first : 0, 7, &inter);
        MPI_Comm_remote_size(inter, &remote);
        base = low ? 0 : first, their_base = low ? first : 0;
        for (int from_low = 0; from_low < 2; from_low++)
            for (int leader = 0; leader < (from_low ? first : size - first); leader++)
                rooted(from_low, leader);
        unrooted();
        one_way();
        refused();
        MPI_Comm_free(&inter);
        MPI_Comm_free(&half);
    }
    MPI_Finalize();
    return 0;
}
