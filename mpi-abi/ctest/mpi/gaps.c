/* Every collective that moves data, with a type whose parts are not in order, which has gaps and
   begins before its address: what lies in the gaps stays. */
#include "check.h"

enum { MOST = 8, STEP = 6, EDGE = 16, ROOM = 2 * EDGE + 4 * MOST * STEP };

#define W MPI_COMM_WORLD
#define NONE MPI_DATATYPE_NULL

/* Three integers, the first one before the address, the second one last. */
static const int parts[3] = {-1, 3, 1};
static MPI_Datatype gappy;
static int room[2][ROOM], *const out = room[0] + EDGE, *const in = room[1] + EDGE;

static int of(int who, int element, int part) { return 1000 * who + 10 * element + part; }

static void write(int *buffer, int at, int who, int element) {
    for (int i = 0; i < 3; i++)
        buffer[at * STEP + parts[i]] = of(who, element, i);
}

/* Element `at` is this one, with nothing in its gaps. */
static void is(const int *buffer, int at, int who, int element) {
    for (int i = 0; i < 3; i++)
        CHECK(buffer[at * STEP + parts[i]] == of(who, element, i));
    CHECK(buffer[at * STEP] == -1 && buffer[at * STEP + 2] == -1);
}

static void fresh(void) {
    memset(room, -1, sizeof room);
    for (int i = 0; i < 3 * size; i++)
        write(out, i, rank, i);
}

static void make(void) {
    MPI_Aint at[3];
    int ones[3] = {1, 1, 1};
    MPI_Datatype bare;
    for (int i = 0; i < 3; i++)
        at[i] = parts[i] * (MPI_Aint)sizeof(int);
    MPI_Type_create_hindexed(3, ones, at, MPI_INT, &bare);
    MPI_Type_create_resized(bare, -8, STEP * sizeof(int), &gappy);
    MPI_Type_commit(&gappy);
    MPI_Type_free(&bare);
}

static void rooted(int root) {
    int here = rank == root, counts[MOST], at[MOST];
    for (int i = 0; i < size; i++)
        counts[i] = i % 3, at[i] = 3 * (size - 1 - i);
    fresh();
    MPI_Bcast(here ? out : in, 3, gappy, root, W);
    for (int i = 0; i < 3; i++)
        is(here ? out : in, i, root, i);
    fresh();
    MPI_Gather(out, 2, gappy, in, 2, gappy, root, W);
    for (int i = 0; here && i < 2 * size; i++)
        is(in, i, i / 2, i % 2);
    /* The same data without gaps. */
    MPI_Gather(out, 2, gappy, in, 6, MPI_INT, root, W);
    for (int i = 0; here && i < 6 * size; i++)
        CHECK(in[i] == of(i / 6, i % 6 / 3, i % 3));
    fresh();
    MPI_Scatter(out, 2, gappy, in, 2, gappy, root, W);
    is(in, 0, root, 2 * rank), is(in, 1, root, 2 * rank + 1);
    fresh();
    MPI_Gatherv(out, counts[rank], gappy, in, counts, at, gappy, root, W);
    for (int who = 0; here && who < size; who++)
        for (int i = 0; i < counts[who]; i++)
            is(in, at[who] + i, who, i);
    fresh();
    MPI_Scatterv(out, counts, at, gappy, in, counts[rank], gappy, root, W);
    for (int i = 0; i < counts[rank]; i++)
        is(in, i, root, at[rank] + i);
    /* In place: the root's own part is where it belongs. */
    fresh();
    write(in, root, rank, 0);
    MPI_Gather(here ? MPI_IN_PLACE : out, 1, gappy, in, 1, gappy, root, W);
    for (int who = 0; here && who < size; who++)
        is(in, who, who, 0);
    fresh();
    MPI_Scatter(out, 2, gappy, here ? MPI_IN_PLACE : in, 2, gappy, root, W);
    is(here ? out : in, 0, root, here ? 0 : 2 * rank);
}

static void gathered(void) {
    int counts[MOST], at[MOST];
    for (int i = 0; i < size; i++)
        counts[i] = i % 3, at[i] = 3 * (size - 1 - i);
    fresh();
    MPI_Allgather(out, 2, gappy, in, 2, gappy, W);
    for (int i = 0; i < 2 * size; i++)
        is(in, i, i / 2, i % 2);
    fresh();
    MPI_Allgatherv(out, counts[rank], gappy, in, counts, at, gappy, W);
    for (int who = 0; who < size; who++)
        for (int i = 0; i < counts[who]; i++)
            is(in, at[who] + i, who, i);
    fresh();
    write(in, rank, rank, 0);
    MPI_Allgather(MPI_IN_PLACE, 0, NONE, in, 1, gappy, W);
    for (int who = 0; who < size; who++)
        is(in, who, who, 0);
}

/* Blocks of (sender + receiver) mod 3 elements. */
static void exchanged(void) {
    int counts[MOST], at[MOST], back[MOST], bytes[MOST], bytes_back[MOST];
    MPI_Datatype types[MOST];
    for (int i = 0; i < size; i++) {
        counts[i] = (i + rank) % 3, at[i] = 3 * i, back[i] = 3 * (size - 1 - i), types[i] = gappy;
        bytes[i] = at[i] * STEP * (int)sizeof(int), bytes_back[i] = back[i] * STEP * (int)sizeof(int);
    }
    for (int form = 0; form < 4; form++) {
        int own = form >= 2;
        int *to = own ? out : in, *place = own ? at : back;
        fresh();
        switch (form) {
        case 0: MPI_Alltoallv(out, counts, at, gappy, in, counts, back, gappy, W); break;
        case 1: MPI_Alltoallw(out, counts, bytes, types, in, counts, bytes_back, types, W); break;
        case 2: MPI_Alltoallv(MPI_IN_PLACE, NULL, NULL, NONE, out, counts, at, gappy, W); break;
        default: MPI_Alltoallw(MPI_IN_PLACE, NULL, NULL, NULL, out, counts, bytes, types, W);
        }
        for (int who = 0; who < size; who++)
            for (int i = 0; i < counts[who]; i++)
                is(to, place[who] + i, who, 3 * rank + i);
    }
    for (int own = 0; own < 2; own++) {
        fresh();
        MPI_Alltoall(own ? MPI_IN_PLACE : out, 2, gappy, own ? out : in, 2, gappy, W);
        for (int i = 0; i < 2 * size; i++)
            is(own ? out : in, i, i / 2, 2 * rank + i % 2);
    }
}

int main(int argc, char **argv) {
    begin(&argc, &argv);
    make();
    for (int root = 0; root < size; root++)
        rooted(root);
    gathered();
    exchanged();
    MPI_Type_free(&gappy);
    MPI_Finalize();
    return 0;
}
