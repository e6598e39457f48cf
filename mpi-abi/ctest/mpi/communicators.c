/* Communicators: how they are made, compared and named, and what a duplicate takes over. */
#include "check.h"

#define W MPI_COMM_WORLD

static int result(MPI_Comm a, MPI_Comm b) {
    int found = -1;
    CHECK(MPI_Comm_compare(a, b, &found) == MPI_SUCCESS);
    return found;
}

static void compared(void) {
    MPI_Comm twin, other, part;
    CHECK(result(W, W) == MPI_IDENT);
    CHECK(result(W, MPI_COMM_SELF) == (size == 1 ? MPI_CONGRUENT : MPI_UNEQUAL));
    MPI_Comm_dup(W, &twin);
    CHECK(result(W, twin) == MPI_CONGRUENT && result(twin, twin) == MPI_IDENT);
    MPI_Comm_split(W, 3, -rank, &other);
    CHECK(result(W, other) == (size == 1 ? MPI_CONGRUENT : MPI_SIMILAR));
    int me;
    MPI_Comm_rank(other, &me);
    CHECK(me == size - 1 - rank);
    MPI_Comm_split(W, rank == 0 ? MPI_UNDEFINED : 0, 0, &part);
    CHECK((part == MPI_COMM_NULL) == (rank == 0));
    if (rank > 0) {
        CHECK(result(W, part) == MPI_UNEQUAL);
        MPI_Comm_free(&part);
    }
    MPI_Comm_free(&twin), MPI_Comm_free(&other);
    /* Equal keys keep the order. */
    MPI_Comm_split(W, 0, 7, &other);
    CHECK(result(W, other) == MPI_CONGRUENT);
    MPI_Comm_free(&other);
}

static void created(void) {
    MPI_Group all, odd, even;
    MPI_Comm made, again;
    int n, me, odds[8], evens[8], counts[2] = {0, 0};
    for (int i = 0; i < size; i++)
        (i % 2 ? odds : evens)[counts[i % 2]++] = i;
    MPI_Comm_group(W, &all);
    MPI_Group_incl(all, counts[1], odds, &odd);
    MPI_Group_incl(all, counts[0], evens, &even);
    /* Two disjoint groups in one call. */
    MPI_Comm_create(W, rank % 2 ? odd : even, &made);
    MPI_Comm_size(made, &n), MPI_Comm_rank(made, &me);
    CHECK(n == counts[rank % 2] && me == rank / 2);
    MPI_Comm_free(&made);
    MPI_Comm_create(W, even, &made);
    CHECK((made == MPI_COMM_NULL) == (rank % 2 == 1));
    if (made != MPI_COMM_NULL) {
        /* Only the members call it. */
        CHECK(MPI_Comm_create_group(made, even, 5, &again) == MPI_SUCCESS);
        CHECK(result(made, again) == MPI_CONGRUENT);
        MPI_Comm_free(&again);
        if (size > 1)
            GIVES(MPI_ERR_GROUP, MPI_Comm_create_group(made, odd, 5, &again));
        MPI_Comm_free(&made);
    }
    if (rank % 2 == 0) {
        CHECK(MPI_Comm_create_group(W, even, 9, &made) == MPI_SUCCESS);
        MPI_Comm_size(made, &n);
        CHECK(n == counts[0]);
        MPI_Comm_free(&made);
    }
    CHECK(MPI_Comm_create_from_group(rank % 2 ? odd : even, "org.here", MPI_INFO_NULL,
                                     MPI_ERRORS_RETURN, &made) == MPI_SUCCESS);
    MPI_Errhandler handler;
    MPI_Comm_get_errhandler(made, &handler);
    MPI_Comm_size(made, &n);
    CHECK(n == counts[rank % 2] && handler == MPI_ERRORS_RETURN);
    MPI_Comm_free(&made);
    MPI_Comm_create(W, MPI_GROUP_EMPTY, &made);
    CHECK(made == MPI_COMM_NULL);
    MPI_Group_free(&odd), MPI_Group_free(&even), MPI_Group_free(&all);
}

static void by_resource(void) {
    MPI_Comm node, none;
    MPI_Info info;
    int n, flag;
    char value[32];
    MPI_Comm_split_type(W, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &node);
    MPI_Comm_size(node, &n);
    CHECK(n >= 1 && n <= size);
    MPI_Comm_split_type(W, MPI_UNDEFINED, 0, MPI_INFO_NULL, &none);
    CHECK(none == MPI_COMM_NULL);
    MPI_Comm_split_type(W, MPI_COMM_TYPE_HW_UNGUIDED, 0, MPI_INFO_NULL, &none);
    CHECK((none == MPI_COMM_NULL) == (n == size));
    if (none != MPI_COMM_NULL)
        MPI_Comm_free(&none);
    MPI_Comm_split_type(W, MPI_COMM_TYPE_HW_GUIDED, 0, MPI_INFO_NULL, &none);
    CHECK(none == MPI_COMM_NULL);
    MPI_Info_create(&info);
    MPI_Info_set(info, "mpi_hw_resource_type", "no such thing");
    MPI_Comm_split_type(W, MPI_COMM_TYPE_HW_GUIDED, 0, info, &none);
    CHECK(none == MPI_COMM_NULL);
    MPI_Info_set(info, "mpi_hw_resource_type", "mpi_shared_memory");
    MPI_Comm_split_type(W, MPI_COMM_TYPE_HW_GUIDED, 0, info, &none);
    CHECK(result(node, none) == MPI_CONGRUENT);
    MPI_Comm_free(&none);
    MPI_Info_delete(info, "mpi_hw_resource_type");
    MPI_Info_set(info, "mpi_pset_name", "mpi://WORLD");
    MPI_Comm_split_type(W, MPI_COMM_TYPE_RESOURCE_GUIDED, rank, info, &none);
    CHECK(result(W, none) == MPI_CONGRUENT);
    MPI_Comm_free(&none);
    MPI_Info_free(&info);
    GIVES(MPI_ERR_ARG, MPI_Comm_split_type(W, 12345, 0, MPI_INFO_NULL, &none));
    CHECK(MPI_Get_hw_resource_info(&info) == MPI_SUCCESS);
    MPI_Info_get_nkeys(info, &n);
    CHECK(n >= 1);
    MPI_Info_get(info, "windtunnel://node", 31, value, &flag);
    CHECK(flag && strcmp(value, "true") == 0);
    MPI_Info_free(&info);
    MPI_Comm_free(&node);
}

static void names(void) {
    MPI_Comm comm;
    char name[MPI_MAX_OBJECT_NAME], longest[2 * MPI_MAX_OBJECT_NAME];
    int n = -1;
    MPI_Comm_get_name(MPI_COMM_SELF, name, &n);
    CHECK(strcmp(name, "MPI_COMM_SELF") == 0 && n == 13);
    MPI_Comm_dup(W, &comm);
    MPI_Comm_get_name(comm, name, &n);
    CHECK(n == 0 && name[0] == 0);
    MPI_Comm_set_name(comm, "ours");
    MPI_Comm_get_name(comm, name, &n);
    CHECK(strcmp(name, "ours") == 0 && n == 4);
    memset(longest, 'x', sizeof longest);
    longest[sizeof longest - 1] = 0;
    MPI_Comm_set_name(comm, longest);
    MPI_Comm_get_name(comm, name, &n);
    CHECK(n == MPI_MAX_OBJECT_NAME - 1 && strlen(name) == (size_t)n);
    MPI_Comm_set_name(comm, "");
    MPI_Comm_get_name(comm, name, &n);
    CHECK(n == 0);
    MPI_Comm_free(&comm);
    GIVES(MPI_ERR_COMM, MPI_Comm_set_name(MPI_COMM_NULL, "x"));
}

static void seen(MPI_Comm *comm, int *code, ...) { (void)comm, (void)code; }

static void inherited(void) {
    MPI_Comm grid, twin[4];
    MPI_Errhandler handler, got;
    MPI_Info info, used;
    MPI_Request requests[2];
    int dims[1] = {size}, periods[1] = {1}, kind, flag, key, value = 5, *found;
    char text[32];
    MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, &key, NULL);
    MPI_Cart_create(W, 1, dims, periods, 0, &grid);
    MPI_Comm_create_errhandler(seen, &handler);
    MPI_Comm_set_errhandler(grid, handler);
    MPI_Comm_set_attr(grid, key, &value);
    MPI_Info_create(&info);
    MPI_Info_set(info, "mpi_assert_no_any_tag", "true");
    MPI_Comm_set_info(grid, info);
    MPI_Info_set(info, "mpi_assert_exact_length", "true");
    MPI_Comm_dup(grid, &twin[0]);
    MPI_Comm_dup_with_info(grid, info, &twin[1]);
    MPI_Comm_idup(grid, &twin[2], &requests[0]);
    MPI_Comm_idup_with_info(grid, info, &twin[3], &requests[1]);
    /* What is changed now is not copied any more. */
    MPI_Comm_delete_attr(grid, key);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    for (int i = 0; i < 4; i++) {
        MPI_Topo_test(twin[i], &kind);
        CHECK(kind == MPI_CART);
        MPI_Comm_get_errhandler(twin[i], &got);
        CHECK(got == handler);
        MPI_Errhandler_free(&got);
        MPI_Comm_get_attr(twin[i], key, &found, &flag);
        CHECK(flag && found == &value);
        /* A duplicate has no hints until the program gives some (MPI 7.4.2). */
        MPI_Comm_get_info(twin[i], &used);
        MPI_Info_get(used, "mpi_assert_exact_length", 31, text, &flag);
        CHECK(flag == i % 2);
        MPI_Info_free(&used);
        int sum = 0;
        MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, twin[i]);
        CHECK(sum == size * (size - 1) / 2);
        MPI_Comm_free(&twin[i]);
    }
    /* Hints that are not mentioned stay. */
    MPI_Info_delete(info, "mpi_assert_no_any_tag");
    MPI_Comm_set_info(grid, info);
    MPI_Comm_get_info(grid, &used);
    MPI_Info_get(used, "mpi_assert_no_any_tag", 31, text, &flag);
    CHECK(flag && strcmp(text, "true") == 0);
    MPI_Info_get(used, "mpi_memory_alloc_kinds", 31, text, &flag);
    CHECK(flag && strcmp(text, "mpi,system") == 0);
    MPI_Info_free(&used), MPI_Info_free(&info);
    MPI_Errhandler_free(&handler);
    MPI_Comm_free_keyval(&key);
    MPI_Comm_free(&grid);
}

static void bridges(void) {
    if (size < 2)
        return;
    MPI_Comm half, inter, twin, both, third;
    MPI_Group group;
    int low = rank < size / 2, flag, n, me, code;
    MPI_Comm_split(W, low, 0, &half);
    CHECK(MPI_Intercomm_create(half, 0, W, low ? size / 2 : 0, 3, &inter) == MPI_SUCCESS);
    MPI_Comm_test_inter(inter, &flag);
    MPI_Comm_remote_size(inter, &n);
    CHECK(flag && n == (low ? size - size / 2 : size / 2));
    MPI_Comm_remote_group(inter, &group);
    MPI_Group_size(group, &me);
    CHECK(me == n);
    MPI_Group_rank(group, &me);
    CHECK(me == MPI_UNDEFINED);
    MPI_Group_free(&group);
    MPI_Comm_dup(inter, &twin);
    CHECK(result(inter, twin) == MPI_CONGRUENT && result(inter, half) == MPI_UNEQUAL);
    /* The same groups in another order. */
    MPI_Comm_split(inter, 0, -rank, &third);
    if (third != MPI_COMM_NULL) {
        MPI_Comm_size(half, &n);
        code = result(inter, third);
        CHECK(code == (size > 2 ? MPI_SIMILAR : MPI_CONGRUENT));
        MPI_Comm_free(&third);
    }
    /* Both sides say low: some order. One says high: that one comes second. */
    MPI_Intercomm_merge(twin, 0, &both);
    CHECK(result(W, both) == MPI_CONGRUENT || result(W, both) == MPI_SIMILAR);
    MPI_Comm_free(&both);
    MPI_Intercomm_merge(twin, low, &both);
    MPI_Comm_rank(both, &me);
    CHECK(me == (low ? rank + size - size / 2 : rank - size / 2));
    MPI_Comm_free(&both), MPI_Comm_free(&twin);
    MPI_Group all, mine, theirs;
    MPI_Comm_group(half, &mine), MPI_Comm_group(W, &all);
    MPI_Group_difference(all, mine, &theirs);
    CHECK(MPI_Intercomm_create_from_groups(mine, 0, theirs, 0, "bridge", MPI_INFO_NULL,
                                           MPI_ERRORS_RETURN, &twin) == MPI_SUCCESS);
    CHECK(result(inter, twin) == MPI_CONGRUENT);
    GIVES(MPI_ERR_GROUP, MPI_Intercomm_create_from_groups(mine, 0, mine, 0, "bridge", MPI_INFO_NULL,
                                                          MPI_ERRORS_RETURN, &third));
    GIVES(MPI_ERR_RANK, MPI_Intercomm_create_from_groups(mine, 99, theirs, 0, "b", MPI_INFO_NULL,
                                                         MPI_ERRORS_RETURN, &third));
    MPI_Group_free(&all), MPI_Group_free(&mine), MPI_Group_free(&theirs);
    MPI_Comm_disconnect(&twin), MPI_Comm_free(&inter), MPI_Comm_free(&half);
    CHECK(twin == MPI_COMM_NULL && inter == MPI_COMM_NULL);
}

static void refused(void) {
    MPI_Comm comm = MPI_COMM_NULL, null = MPI_COMM_NULL, world = MPI_COMM_WORLD, self = MPI_COMM_SELF;
    MPI_Request request;
    MPI_Info info;
    int answer;
    GIVES(MPI_ERR_COMM, MPI_Comm_dup(null, &comm));
    GIVES(MPI_ERR_COMM, MPI_Comm_idup(null, &comm, &request));
    GIVES(MPI_ERR_COMM, MPI_Comm_split(null, 0, 0, &comm));
    GIVES(MPI_ERR_COMM, MPI_Comm_create(null, MPI_GROUP_EMPTY, &comm));
    GIVES(MPI_ERR_COMM, MPI_Comm_compare(W, null, &answer));
    GIVES(MPI_ERR_COMM, MPI_Comm_rank(null, &answer));
    GIVES(MPI_ERR_COMM, MPI_Comm_test_inter(null, &answer));
    GIVES(MPI_ERR_COMM, MPI_Comm_remote_size(W, &answer));
    GIVES(MPI_ERR_COMM, MPI_Comm_get_info(null, &info));
    GIVES(MPI_ERR_INFO, MPI_Comm_dup_with_info(W, (MPI_Info)0x7770, &comm));
    GIVES(MPI_ERR_COMM, MPI_Comm_free(&world));
    GIVES(MPI_ERR_COMM, MPI_Comm_free(&self));
    GIVES(MPI_ERR_COMM, MPI_Comm_disconnect(&world));
    GIVES(MPI_ERR_COMM, MPI_Comm_disconnect(&null));
    GIVES(MPI_ERR_COMM, MPI_Intercomm_merge(W, 0, &comm));
    GIVES(MPI_ERR_RANK, MPI_Intercomm_create(MPI_COMM_SELF, 3, W, 0, 1, &comm));
    GIVES(MPI_ERR_RANK, MPI_Intercomm_create(MPI_COMM_SELF, 0, W, size, 1, &comm));
    GIVES(MPI_ERR_RANK, MPI_Intercomm_create(MPI_COMM_SELF, 0, W, rank, 1, &comm));
    GIVES(MPI_ERR_TAG, MPI_Intercomm_create(MPI_COMM_SELF, 0, W, (rank + 1) % size, -1, &comm));
    GIVES(MPI_ERR_COMM, MPI_Intercomm_create(MPI_COMM_SELF, 0, null, 0, 1, &comm));
    GIVES(MPI_ERR_COMM, MPI_Intercomm_create(null, 0, W, 0, 1, &comm));
    MPI_Comm copy;
    MPI_Comm_dup(W, &comm);
    copy = comm;
    MPI_Comm_free(&comm);
    GIVES(MPI_ERR_COMM, MPI_Comm_size(copy, &answer));
    GIVES(MPI_ERR_COMM, MPI_Comm_free(&copy));
    CHECK(MPI_Comm_get_parent(&comm) == MPI_SUCCESS && comm == MPI_COMM_NULL);
    CHECK(MPI_Comm_fromint(MPI_Comm_toint(W)) == W && MPI_Comm_f2c(MPI_Comm_c2f(self)) == self);
}

int main(int argc, char **argv) {
    begin(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    compared();
    created();
    by_resource();
    names();
    inherited();
    bridges();
    refused();
    MPI_Finalize();
    return 0;
}
