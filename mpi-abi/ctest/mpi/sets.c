/* Groups and communicators of random members against the same done with plain arrays. */
#include "check.h"

enum { MOST = 16, ROUNDS = 60 };

#define W MPI_COMM_WORLD

static MPI_Group world;

/* The same numbers on all ranks. */
static int drawn(int below) {
    static unsigned state = 1;
    state = state * 1103515245u + 12345u;
    return (int)((state >> 16) % (unsigned)below);
}

typedef struct { int size, rank[MOST], has[MOST]; } Set;

static void append(Set *set, int who) { set->rank[set->size++] = who, set->has[who] = 1; }

static Set random_set(void) {
    Set set = {0};
    for (int wanted = drawn(size + 1); set.size < wanted;) {
        int who = drawn(size);
        if (!set.has[who])
            append(&set, who);
    }
    return set;
}

static int place(const Set *set, int who) {
    for (int i = 0; i < set->size; i++)
        if (set->rank[i] == who)
            return i;
    return MPI_UNDEFINED;
}

static void is(MPI_Group group, Set want) {
    int count, mine, at[MOST], found[MOST];
    for (int i = 0; i < MOST; i++)
        at[i] = i;
    CHECK(MPI_Group_size(group, &count) == MPI_SUCCESS && count == want.size);
    CHECK((count == 0) == (group == MPI_GROUP_EMPTY));
    CHECK(MPI_Group_translate_ranks(group, count, at, world, found) == MPI_SUCCESS);
    for (int i = 0; i < count; i++)
        CHECK(found[i] == want.rank[i]);
    CHECK(MPI_Group_rank(group, &mine) == MPI_SUCCESS && mine == place(&want, rank));
}

static void made(MPI_Group group, Set want) {
    is(group, want);
    CHECK(MPI_Group_free(&group) == MPI_SUCCESS && group == MPI_GROUP_NULL);
}

/* Members of `of` that another set has, or has not. */
static Set filtered(const Set *of, const Set *other, int has) {
    Set kept = {0};
    for (int i = 0; i < of->size; i++)
        if (other->has[of->rank[i]] == has)
            append(&kept, of->rank[i]);
    return kept;
}

static Set everybody(void) {
    Set all = {0};
    for (int i = 0; i < size; i++)
        append(&all, i);
    return all;
}

static void pairs(const Set *a, const Set *b, MPI_Group first, MPI_Group second) {
    MPI_Group group;
    Set both = *a, all = everybody(), rest = filtered(b, a, 0);
    int compared, given[3] = {MPI_PROC_NULL, 0, MPI_PROC_NULL}, found[3];
    for (int i = 0; i < rest.size; i++)
        append(&both, rest.rank[i]);
    MPI_Group_union(first, second, &group);
    made(group, both);
    MPI_Group_intersection(first, second, &group);
    made(group, filtered(a, b, 1));
    MPI_Group_difference(first, second, &group);
    made(group, filtered(a, b, 0));
    MPI_Group_excl(world, a->size, a->rank, &group);
    made(group, filtered(&all, a, 0));
    MPI_Group_compare(first, second, &compared);
    int same = a->size == b->size && !memcmp(a->rank, b->rank, a->size * sizeof(int));
    int similar = !memcmp(a->has, b->has, sizeof a->has);
    CHECK(compared == (same ? MPI_IDENT : similar ? MPI_SIMILAR : MPI_UNEQUAL));
    if (a->size > 0) {
        MPI_Group_translate_ranks(first, 3, given, second, found);
        CHECK(found[0] == MPI_PROC_NULL && found[2] == MPI_PROC_NULL);
        CHECK(found[1] == place(b, a->rank[0]));
    }
}

static void ranges(void) {
    int first = drawn(size), last = drawn(size), by = 1 + drawn(3);
    int range[1][3] = {{first, last, last < first ? -by : by}};
    Set in = {0}, all = everybody();
    MPI_Group group;
    for (int who = first; last < first ? who >= last : who <= last; who += range[0][2])
        append(&in, who);
    MPI_Group_range_incl(world, 1, range, &group);
    made(group, in);
    MPI_Group_range_excl(world, 1, range, &group);
    made(group, filtered(&all, &in, 0));
}

/* All members know each other, and nobody else is there. */
static void meet(MPI_Comm comm, Set members) {
    MPI_Group group;
    int sum, want = 0;
    MPI_Comm_group(comm, &group);
    made(group, members);
    for (int i = 0; i < members.size; i++)
        want += members.rank[i];
    CHECK(MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, comm) == MPI_SUCCESS && sum == want);
    MPI_Comm_free(&comm);
}

static void communicators(const Set *set, MPI_Group group, int tag) {
    MPI_Comm comm;
    int member = set->has[rank];
    CHECK(MPI_Comm_create(W, group, &comm) == MPI_SUCCESS && (comm != MPI_COMM_NULL) == member);
    if (!member)
        return;
    meet(comm, *set);
    CHECK(MPI_Comm_create_group(W, group, tag, &comm) == MPI_SUCCESS);
    meet(comm, *set);
}

/* Keys tie often: then the old order decides. */
static void split(void) {
    int color[MOST], key[MOST];
    Set mine = {0};
    MPI_Comm comm;
    for (int i = 0; i < size; i++)
        color[i] = drawn(4) ? drawn(3) : MPI_UNDEFINED, key[i] = drawn(5) - 2;
    for (int k = -2; k <= 2; k++)
        for (int i = 0; i < size; i++)
            if (color[i] == color[rank] && key[i] == k)
                append(&mine, i);
    CHECK(MPI_Comm_split(W, color[rank], key[rank], &comm) == MPI_SUCCESS);
    CHECK((comm == MPI_COMM_NULL) == (color[rank] == MPI_UNDEFINED));
    if (comm != MPI_COMM_NULL)
        meet(comm, mine);
}

int main(int argc, char **argv) {
    begin(&argc, &argv);
    CHECK(size <= MOST);
    MPI_Comm_group(W, &world);
    for (int round = 0; round < ROUNDS; round++) {
        Set a = random_set(), b = random_set();
        MPI_Group first, second;
        MPI_Group_incl(world, a.size, a.rank, &first);
        MPI_Group_incl(world, b.size, b.rank, &second);
        is(first, a);
        pairs(&a, &b, first, second);
        ranges();
        communicators(&a, first, round);
        split();
        MPI_Group_free(&first), MPI_Group_free(&second);
    }
    MPI_Group_free(&world);
    MPI_Finalize();
    return 0;
}
