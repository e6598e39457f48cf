/* Communicators and windows made of arguments or by functions that differ between ranks, and their right twins. */
#include "faults.h"

static int dims[2], periods[2], ends[4], edges[8];

/* The group of ranks from `first` to `last`. */
static MPI_Group ranks(int first, int last) {
    MPI_Group all, part;
    int range[1][3] = {{first, last, 1}};
    MPI_Comm_group(WORLD, &all);
    MPI_Group_range_incl(all, 1, range, &part);
    MPI_Group_free(&all);
    return part;
}

static void create(MPI_Group members) {
    MPI_Comm_create(WORLD, members, &comm);
    if (members != MPI_GROUP_EMPTY)
        MPI_Group_free(&members);
    if (comm != MPI_COMM_NULL)
        MPI_Comm_free(&comm);
}

CASE(groups_overlap, 4, parameter-matching) {
    create(rank < 2 ? ranks(0, 2) : ranks(2, 3));
}

CASE(groups_are_apart, 4, ok) {
    create(rank < 2 ? ranks(0, 1) : ranks(2, 3));
}

CASE(a_member_gives_no_group, 4, parameter-matching) {
    create(rank == 2 ? MPI_GROUP_EMPTY : ranks(0, 2));
}

CASE(others_give_no_group, 4, ok) {
    create(rank == 3 ? MPI_GROUP_EMPTY : ranks(0, 2));
}

CASE(others_give_the_group, 4, ok) {
    create(ranks(1, 2));
}

CASE(others_give_another_group, 4, parameter-matching) {
    create(rank == 3 ? ranks(0, 1) : ranks(0, 2));
}

CASE(group_in_another_order, 3, parameter-matching) {
    int up[3] = {0, 1, 2}, down[3] = {2, 1, 0};
    MPI_Comm_group(WORLD, &g);
    MPI_Group_incl(g, 3, rank ? up : down, &g2);
    MPI_Group_free(&g);
    create(g2);
}

CASE(groups_of_the_sides, 4, ok) {
    MPI_Comm_split(WORLD, rank < 2, rank, &comm);
    MPI_Intercomm_create(comm, 0, WORLD, rank < 2 ? 2 : 0, 7, &inter);
    g = rank < 2 ? ranks(0, 0) : ranks(2, 3);
    MPI_Comm_create(inter, g, &other);
    if (other != MPI_COMM_NULL)
        MPI_Comm_free(&other);
    MPI_Group_free(&g);
    MPI_Comm_free(&comm);
    MPI_Comm_free(&inter);
}

CASE(groups_of_one_side_differ, 4, parameter-matching) {
    MPI_Comm_split(WORLD, rank < 2, rank, &comm);
    MPI_Intercomm_create(comm, 0, WORLD, rank < 2 ? 2 : 0, 7, &inter);
    g = rank < 2 ? ranks(0, rank) : ranks(2, 3);
    MPI_Comm_create(inter, g, &other);
    if (other != MPI_COMM_NULL)
        MPI_Comm_free(&other);
    MPI_Group_free(&g);
    MPI_Comm_free(&comm);
    MPI_Comm_free(&inter);
}

static void create_group(MPI_Group members, int tag) {
    MPI_Comm_create_group(WORLD, members, tag, &comm);
    MPI_Group_free(&members);
    if (comm != MPI_COMM_NULL)
        MPI_Comm_free(&comm);
}

CASE(group_of_members_only, 3, ok) {
    if (rank)
        create_group(ranks(1, 2), 5);
}

CASE(tags_of_groups_differ, 3, parameter-matching) {
    create_group(ranks(0, 2), rank == 1 ? 6 : 5);
}

CASE(members_differ, 3, parameter-matching) {
    create_group(rank == 1 ? ranks(0, 1) : ranks(0, 2), 5);
}

static void grid(int reorder) {
    MPI_Cart_create(WORLD, 2, dims, periods, reorder, &comm);
    if (comm != MPI_COMM_NULL)
        MPI_Comm_free(&comm);
}

CASE(grids_alike, 4, ok) {
    dims[0] = dims[1] = 2;
    grid(0);
    grid(1);
}

CASE(dims_differ, 4, parameter-matching) {
    dims[0] = rank == 3 ? 4 : 2;
    dims[1] = rank == 3 ? 1 : 2;
    grid(0);
}

CASE(dims_differ_in_a_new_order, 4, parameter-matching) {
    dims[0] = rank == 3 ? 4 : 2;
    dims[1] = rank == 3 ? 1 : 2;
    grid(1);
}

CASE(numbers_of_dims_differ, 4, parameter-matching) {
    dims[0] = 4;
    dims[1] = 1;
    MPI_Cart_create(WORLD, rank ? 2 : 1, dims, periods, 0, &comm);
    MPI_Comm_free(&comm);
}

CASE(periods_differ, 4, parameter-matching) {
    dims[0] = dims[1] = 2;
    periods[1] = rank == 1;
    grid(0);
}

CASE(any_truth_is_a_period, 4, ok) {
    dims[0] = dims[1] = 2;
    periods[1] = rank + 1;
    grid(0);
}

CASE(reorder_differs, 4, parameter-matching) {
    dims[0] = dims[1] = 2;
    grid(rank == 1);
}

CASE(grid_against_split, 4, call-ordering) {
    dims[0] = dims[1] = 2;
    if (rank)
        grid(0);
    else {
        MPI_Comm_split(WORLD, 0, rank, &comm);
        MPI_Comm_free(&comm);
    }
}

CASE(kept_dims_differ, 4, parameter-matching) {
    int keep[2] = {1, rank == 1};
    dims[0] = dims[1] = 2;
    MPI_Cart_create(WORLD, 2, dims, periods, 0, &comm);
    MPI_Cart_sub(comm, keep, &other);
    MPI_Comm_free(&other);
    MPI_Comm_free(&comm);
}

CASE(kept_dims, 4, ok) {
    int keep[2] = {1, 0};
    dims[0] = dims[1] = 2;
    MPI_Cart_create(WORLD, 2, dims, periods, 0, &comm);
    MPI_Cart_sub(comm, keep, &other);
    MPI_Comm_free(&other);
    MPI_Comm_free(&comm);
}

/* A ring, but for one edge of rank `wrong`. */
static void graph(int wrong, int reorder) {
    for (int i = 0; i < size; i++) {
        ends[i] = i + 1;
        edges[i] = (i + 1) % size;
    }
    if (rank == wrong)
        edges[2] = 0;
    MPI_Graph_create(WORLD, size, ends, edges, reorder, &comm);
    MPI_Comm_free(&comm);
}

CASE(graphs_alike, 4, ok) {
    graph(-1, 0);
    graph(-1, 1);
}

CASE(graphs_differ, 4, parameter-matching) {
    graph(2, 0);
}

CASE(graphs_differ_in_a_new_order, 4, parameter-matching) {
    graph(2, 1);
}

CASE(reorder_of_graphs_differs, 4, parameter-matching) {
    graph(-1, rank == 2);
}

CASE(neighbours_without_weights, 4, ok) {
    MPI_Dist_graph_create_adjacent(WORLD, 1, &prev, MPI_UNWEIGHTED, 1, &next, MPI_UNWEIGHTED,
        MPI_INFO_NULL, 0, &comm);
    MPI_Comm_free(&comm);
}

CASE(neighbours_some_with_weights, 4, parameter-matching) {
    int *weights = rank ? a : MPI_UNWEIGHTED;
    MPI_Dist_graph_create_adjacent(WORLD, 1, &prev, weights, 1, &next, weights, MPI_INFO_NULL, 0,
        &comm);
    MPI_Comm_free(&comm);
}

CASE(neighbours_some_with_weights_for_sources, 4, parameter-matching) {
    MPI_Dist_graph_create_adjacent(WORLD, 1, &prev, rank ? a : MPI_UNWEIGHTED, 1, &next, a,
        MPI_INFO_NULL, 0, &comm);
    MPI_Comm_free(&comm);
}

CASE(reorder_of_neighbours_differs, 4, parameter-matching) {
    MPI_Dist_graph_create_adjacent(WORLD, 1, &prev, MPI_UNWEIGHTED, 1, &next, MPI_UNWEIGHTED,
        MPI_INFO_NULL, rank == 2, &comm);
    MPI_Comm_free(&comm);
}

static void two_groups(int leader, int remote, int tag) {
    MPI_Comm_split(WORLD, rank < 2, rank, &comm);
    MPI_Intercomm_create(comm, leader, WORLD, remote, tag, &inter);
    MPI_Comm_free(&comm);
    MPI_Comm_free(&inter);
}

CASE(leaders_meet, 4, ok) {
    two_groups(0, rank < 2 ? 2 : 0, 7);
}

CASE(leaders_differ_in_a_group, 4, parameter-matching) {
    two_groups(rank == 1, rank < 2 ? 2 : 0, 7);
}

CASE(leaders_have_other_tags, 4, parameter-matching) {
    two_groups(0, rank < 2 ? 2 : 0, rank < 2 ? 7 : 8);
}

CASE(one_leader_names_another_rank, 4, parameter-matching) {
    two_groups(0, rank < 2 ? 3 : 0, 7);
}

CASE(both_leaders_name_another_rank, 4, parameter-matching) {
    two_groups(0, rank < 2 ? 3 : 1, 7);
}

CASE(leaders_have_other_peers, 4, parameter-matching) {
    MPI_Comm_dup(WORLD, &other);
    MPI_Comm_split(WORLD, rank < 2, rank, &comm);
    MPI_Intercomm_create(comm, 0, rank < 2 ? WORLD : other, rank < 2 ? 2 : 0, 7, &inter);
    MPI_Comm_free(&comm);
    MPI_Comm_free(&inter);
    MPI_Comm_free(&other);
}

/* Makes a window by a function. */
static void window_by(int function) {
    MPI_Win window;
    int *memory;
    switch (function) {
    case 0: MPI_Win_create(a, sizeof(int), 1, MPI_INFO_NULL, WORLD, &window); break;
    case 1: MPI_Win_allocate(sizeof(int), 1, MPI_INFO_NULL, WORLD, &memory, &window); break;
    case 2: MPI_Win_create_dynamic(MPI_INFO_NULL, WORLD, &window); break;
    default: MPI_Win_allocate_shared(sizeof(int), 1, MPI_INFO_NULL, WORLD, &memory, &window);
    }
    MPI_Win_free(&window);
}

CASE(windows_by_one_function, 3, ok) {
    for (int function = 0; function < 4; function++)
        window_by(function);
}

CASE(window_created_and_allocated, 3, call-ordering) { window_by(rank == 1); }

CASE(window_allocated_and_dynamic, 3, call-ordering) { window_by(rank == 1 ? 1 : 2); }

CASE(window_allocated_and_shared, 3, call-ordering) { window_by(rank == 1 ? 1 : 3); }

/* A communicator of some ranks of a session, by way of a group of `which` of two sessions. */
static void two_sessions(int which) {
    MPI_Session sessions[2];
    MPI_Group all[2], both;
    MPI_Comm made[2];
    MPI_Request pending[2];
    for (int i = 0; i < 2; i++) {
        MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &sessions[i]);
        MPI_Group_from_session_pset(sessions[i], "mpi://WORLD", &all[i]);
    }
    MPI_Group_union(all[0], all[which], &both);
    MPI_Comm_create_from_group(both, "both", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &made[0]);
    MPI_Comm_create_from_group(all[1], "other", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &made[1]);
    for (int i = 0; i < 2; i++)
        MPI_Ibarrier(made[i], &pending[i]);
    if (which == 0)
        for (int i = 0; i < 2; i++)
            MPI_Wait(&pending[i], MPI_STATUS_IGNORE);
    else
        MPI_Waitall(2, pending, MPI_STATUSES_IGNORE);
    MPI_Group_free(&both);
    for (int i = 0; i < 2; i++) {
        MPI_Comm_free(&made[i]);
        MPI_Group_free(&all[i]);
        MPI_Session_finalize(&sessions[i]);
    }
}

CASE(sessions_apart, 2, ok) {
    two_sessions(0);
}

CASE(groups_of_two_sessions, 2, invalid-argument) {
    two_sessions(1);
}

/* The group of a communicator of a session is derived from it, and so is a part of that group. */
static void of_session(int mixed) {
    MPI_Session session;
    MPI_Group all, part;
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
    MPI_Group_from_session_pset(session, "mpi://WORLD", &all);
    MPI_Comm_create_from_group(all, "all", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
    MPI_Group_free(&all);
    MPI_Comm_group(comm, &all);
    MPI_Group_incl(all, 1, &(int){0}, &part);
    MPI_Group_free(&all);
    MPI_Comm_create(mixed ? WORLD : comm, part, &other);
    MPI_Group_free(&part);
    if (other != MPI_COMM_NULL)
        MPI_Comm_free(&other);
    MPI_Comm_free(&comm);
    MPI_Session_finalize(&session);
}

CASE(groups_of_one_session, 2, ok) {
    of_session(0);
}

CASE(a_group_of_a_session_in_the_world, 2, invalid-argument) {
    of_session(1);
}

CASE(requests_of_two_sessions, 2, invalid-argument) {
    MPI_Session session;
    MPI_Request pending[2];
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
    MPI_Group_from_session_pset(session, "mpi://WORLD", &g);
    MPI_Comm_create_from_group(g, "all", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
    MPI_Group_free(&g);
    MPI_Ibarrier(comm, &pending[0]);
    MPI_Ibarrier(WORLD, &pending[1]);
    MPI_Waitall(2, pending, MPI_STATUSES_IGNORE);
    MPI_Comm_free(&comm);
    MPI_Session_finalize(&session);
}
