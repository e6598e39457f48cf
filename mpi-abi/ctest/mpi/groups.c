/* Groups: sets and ranges, ranks in another group, what is empty and what is wrong. */
#include "check.h"

static MPI_Group all;

static int members(MPI_Group group) {
    int n = -1;
    CHECK(MPI_Group_size(group, &n) == MPI_SUCCESS);
    return n;
}

static int compared(MPI_Group a, MPI_Group b) {
    int result = -1;
    CHECK(MPI_Group_compare(a, b, &result) == MPI_SUCCESS);
    return result;
}

/* World rank of the one with this rank. */
static int world(MPI_Group group, int who) {
    int there = -1;
    CHECK(MPI_Group_translate_ranks(group, 1, &who, all, &there) == MPI_SUCCESS);
    return there;
}

static void ranges(void) {
    MPI_Group made, rest;
    int back[1][3] = {{size - 1, 0, -1}}, some[2][3] = {{0, size - 1, 3}, {1, 1, 5}}, none[1][3];
    CHECK(MPI_Group_range_incl(all, 1, back, &made) == MPI_SUCCESS);
    CHECK(members(made) == size && world(made, 0) == size - 1 && world(made, size - 1) == 0);
    CHECK(compared(all, made) == (size == 1 ? MPI_IDENT : MPI_SIMILAR));
    MPI_Group_free(&made);
    int evens[1][3] = {{(size - 1) / 2 * 2, 0, -2}};
    CHECK(MPI_Group_range_incl(all, 1, evens, &made) == MPI_SUCCESS);
    CHECK(members(made) == (size + 1) / 2 && world(made, 0) == (size - 1) / 2 * 2);
    CHECK(MPI_Group_range_excl(all, 1, evens, &rest) == MPI_SUCCESS);
    CHECK(members(rest) == size / 2 && (size < 2 || world(rest, 0) == 1));
    MPI_Group_free(&made);
    if (rest != MPI_GROUP_EMPTY)
        MPI_Group_free(&rest);
    if (size > 1) {
        CHECK(MPI_Group_range_incl(all, 2, some, &made) == MPI_SUCCESS);
        CHECK(members(made) == (size + 2) / 3 + 1 && world(made, members(made) - 1) == 1);
        MPI_Group_free(&made);
    }
    CHECK(MPI_Group_range_incl(all, 0, none, &made) == MPI_SUCCESS && made == MPI_GROUP_EMPTY);
    int zero[1][3] = {{0, 0, 0}}, far[1][3] = {{0, size, 1}}, wrong[1][3] = {{1, 0, 1}};
    int twice[2][3] = {{0, 0, 1}, {0, 0, 1}}, below[1][3] = {{0, -1, -1}};
    GIVES(MPI_ERR_ARG, MPI_Group_range_incl(all, 1, zero, &made));
    GIVES(MPI_ERR_RANK, MPI_Group_range_incl(all, 1, far, &made));
    GIVES(MPI_ERR_ARG, MPI_Group_range_incl(all, 1, wrong, &made));
    GIVES(MPI_ERR_RANK, MPI_Group_range_incl(all, 2, twice, &made));
    GIVES(MPI_ERR_RANK, MPI_Group_range_excl(all, 1, below, &made));
    GIVES(MPI_ERR_ARG, MPI_Group_range_excl(all, 1, zero, &made));
    GIVES(MPI_ERR_ARG, MPI_Group_range_incl(all, -1, back, &made));
}

static void sets(void) {
    MPI_Group front, back, made;
    int ranks[16], n = (size + 1) / 2, at = 0;
    for (int i = 0; i < size; i++)
        ranks[i] = i;
    MPI_Group_incl(all, n, ranks, &front);
    MPI_Group_excl(all, n, ranks, &back);
    CHECK(members(front) == n && members(back) == size - n);
    MPI_Group_union(back, front, &made);
    CHECK(members(made) == size && world(made, members(back)) == 0);
    MPI_Group_free(&made);
    MPI_Group_union(front, all, &made);
    CHECK(compared(made, all) == MPI_IDENT);
    MPI_Group_free(&made);
    MPI_Group_intersection(front, back, &made);
    CHECK(made == MPI_GROUP_EMPTY);
    MPI_Group_intersection(all, front, &made);
    CHECK(compared(made, front) == MPI_IDENT);
    MPI_Group_free(&made);
    MPI_Group_difference(all, front, &made);
    CHECK(compared(made, back) == MPI_IDENT);
    if (made != MPI_GROUP_EMPTY)
        MPI_Group_free(&made);
    MPI_Group_difference(front, all, &made);
    CHECK(made == MPI_GROUP_EMPTY && compared(made, MPI_GROUP_EMPTY) == MPI_IDENT);
    CHECK(compared(front, back) == MPI_UNEQUAL);
    MPI_Group_union(MPI_GROUP_EMPTY, MPI_GROUP_EMPTY, &made);
    CHECK(made == MPI_GROUP_EMPTY);
    MPI_Group_rank(front, &at);
    CHECK(at == (rank < n ? rank : MPI_UNDEFINED));
    MPI_Group_rank(MPI_GROUP_EMPTY, &at);
    CHECK(at == MPI_UNDEFINED && members(MPI_GROUP_EMPTY) == 0);
    int ask[3] = {0, MPI_PROC_NULL, n - 1}, told[3];
    MPI_Group_translate_ranks(front, 3, ask, back, told);
    CHECK(told[0] == MPI_UNDEFINED && told[1] == MPI_PROC_NULL && told[2] == MPI_UNDEFINED);
    MPI_Group_translate_ranks(front, 0, NULL, back, NULL);
    MPI_Group_free(&front);
    if (back != MPI_GROUP_EMPTY)
        MPI_Group_free(&back);
    CHECK(front == MPI_GROUP_NULL);
}

static void wrong(void) {
    MPI_Group made, none = MPI_GROUP_NULL, copy;
    int ranks[2] = {0, 0}, answer;
    GIVES(MPI_ERR_RANK, MPI_Group_incl(all, 2, ranks, &made));
    GIVES(MPI_ERR_RANK, MPI_Group_excl(all, 2, ranks, &made));
    ranks[0] = -1;
    GIVES(MPI_ERR_RANK, MPI_Group_incl(all, 1, ranks, &made));
    GIVES(MPI_ERR_RANK, MPI_Group_translate_ranks(all, 1, ranks, all, &answer));
    ranks[0] = size;
    GIVES(MPI_ERR_RANK, MPI_Group_translate_ranks(all, 1, ranks, all, &answer));
    GIVES(MPI_ERR_ARG, MPI_Group_incl(all, -1, ranks, &made));
    GIVES(MPI_ERR_ARG, MPI_Group_translate_ranks(all, -1, ranks, all, &answer));
    GIVES(MPI_ERR_GROUP, MPI_Group_union(all, none, &made));
    GIVES(MPI_ERR_GROUP, MPI_Group_intersection(none, all, &made));
    GIVES(MPI_ERR_GROUP, MPI_Group_difference(none, none, &made));
    GIVES(MPI_ERR_GROUP, MPI_Group_compare(all, none, &answer));
    GIVES(MPI_ERR_GROUP, MPI_Group_rank(none, &answer));
    GIVES(MPI_ERR_GROUP, MPI_Group_translate_ranks(none, 1, ranks, all, &answer));
    GIVES(MPI_ERR_GROUP, MPI_Group_incl(none, 0, NULL, &made));
    GIVES(MPI_ERR_COMM, MPI_Comm_group(MPI_COMM_NULL, &made));
    GIVES(MPI_ERR_COMM, MPI_Comm_remote_group(MPI_COMM_WORLD, &made));
    MPI_Comm_group(MPI_COMM_SELF, &made);
    copy = made;
    MPI_Group_free(&made);
    GIVES(MPI_ERR_GROUP, MPI_Group_size(copy, &answer));
    CHECK(MPI_Group_incl(all, 0, NULL, &made) == MPI_SUCCESS && made == MPI_GROUP_EMPTY);
    MPI_Group_excl(all, 0, NULL, &made);
    CHECK(compared(all, made) == MPI_IDENT);
    CHECK(MPI_Group_fromint(MPI_Group_toint(made)) == made);
    MPI_Group_free(&made);
}

int main(int argc, char **argv) {
    begin(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    ranges();
    sets();
    wrong();
    MPI_Group_free(&all);
    MPI_Finalize();
    return 0;
}
