/* A program that starts itself: parents and children exchange messages and become one. */
#include "check.h"

static void name_is(MPI_Comm comm, const char *expected) {
    char name[MPI_MAX_OBJECT_NAME];
    int length;
    MPI_Comm_get_name(comm, name, &length);
    CHECK(strcmp(name, expected) == 0);
}

static int attribute(int key) {
    int *value, flag;
    MPI_Comm_get_attr(MPI_COMM_WORLD, key, &value, &flag);
    CHECK(flag);
    return *value;
}

static void told(const char *key, const char *expected) {
    char value[100];
    int flag;
    MPI_Info_get(MPI_INFO_ENV, key, 99, value, &flag);
    CHECK(flag && strcmp(value, expected) == 0);
}

/* Every parent sends to child 0, which answers the first; then all are one communicator. */
static void together(MPI_Comm inter, int high) {
    MPI_Comm all;
    int here, there, number, sum = 0, place;
    MPI_Comm_size(inter, &here), MPI_Comm_remote_size(inter, &there);
    MPI_Intercomm_merge(inter, high, &all);
    MPI_Comm_size(all, &number), MPI_Comm_rank(all, &place);
    CHECK(number == here + there && place == rank + (high ? there : 0));
    MPI_Allreduce(&place, &sum, 1, MPI_INT, MPI_SUM, all);
    CHECK(sum == number * (number - 1) / 2);
    int value = high ? 0 : 42, root = high ? 0 : (rank == 0 ? MPI_ROOT : MPI_PROC_NULL);
    MPI_Bcast(&value, 1, MPI_INT, root, inter);
    CHECK(value == 42);
    MPI_Comm_free(&all);
}

static void child(MPI_Comm parent, int argc, char **argv) {
    int flag, sum, remote, number;
    MPI_Comm same;
    MPI_Status status;
    CHECK(argc == 3 && strcmp(argv[1], "first") == 0 && strcmp(argv[2], "the second") == 0);
    MPI_Comm_test_inter(parent, &flag);
    CHECK(flag && size == 3);
    MPI_Comm_get_parent(&same);
    CHECK(same == parent);
    name_is(MPI_COMM_WORLD, "MPI_COMM_WORLD"), name_is(parent, "MPI_COMM_PARENT");
    CHECK(attribute(MPI_APPNUM) == 0);
    told("maxprocs", "3"), told("arch", "vax");
    MPI_Comm_remote_size(parent, &remote);
    CHECK(attribute(MPI_UNIVERSE_SIZE) == remote);
    int mine = rank + 1;
    MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    CHECK(sum == 6);
    for (int from = 0; rank == 0 && from < remote; from++) {
        MPI_Recv(&number, 1, MPI_INT, MPI_ANY_SOURCE, 7, parent, &status);
        CHECK(number == status.MPI_SOURCE * 100);
    }
    if (rank == 0) MPI_Send(&sum, 1, MPI_INT, 0, 8, parent);
    /* A session's world is that of the rank. */
    MPI_Session session;
    MPI_Group group;
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
    MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
    MPI_Group_rank(group, &number);
    CHECK(number == rank);
    MPI_Group_size(group, &number);
    CHECK(number == size);
    MPI_Comm_create_from_group(group, "children", MPI_INFO_NULL, MPI_ERRORS_RETURN, &same);
    MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, same);
    CHECK(sum == 6);
    MPI_Comm_free(&same), MPI_Group_free(&group);
    MPI_Session_finalize(&session);
    together(parent, 1);
    if (rank == 0) CHECK(getchar() == EOF);
    MPI_Comm_disconnect(&parent);
    MPI_Comm_get_parent(&parent);
    CHECK(parent == MPI_COMM_NULL);
}

int main(int argc, char **argv) {
    MPI_Comm parent, children;
    MPI_Info info;
    char *words[] = {"first", "the second", NULL};
    begin(&argc, &argv);
    MPI_Comm_get_parent(&parent);
    if (parent != MPI_COMM_NULL) {
        child(parent, argc, argv);
    } else {
        int codes[3] = {9, 9, 9}, root = size - 1, number = rank * 100, flag;
        MPI_Info_create(&info);
        MPI_Info_set(info, "arch", "vax");
        const char *command = rank == root ? argv[0] : "only the root counts";
        CHECK(MPI_Comm_spawn(command, words, 3, info, root, MPI_COMM_WORLD, &children, codes) ==
              MPI_SUCCESS);
        CHECK(codes[0] == MPI_SUCCESS && codes[2] == MPI_SUCCESS);
        MPI_Comm_remote_size(children, &flag);
        CHECK(flag == 3);
        MPI_Send(&number, 1, MPI_INT, 0, 7, children);
        if (rank == 0) {
            MPI_Recv(&number, 1, MPI_INT, 0, 8, children, MPI_STATUS_IGNORE);
            CHECK(number == 6);
        }
        together(children, 0);
        MPI_Comm_disconnect(&children);
        MPI_Info_free(&info);
        CHECK(children == MPI_COMM_NULL);
    }
    MPI_Finalize();
    return 0;
}
