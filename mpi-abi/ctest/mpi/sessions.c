/* Sessions without MPI_Init: process sets, groups, communicators, error handlers. */
#include "check.h"

static int calls, last;
static MPI_Session where;

static void seen(MPI_Session *session, int *code, ...) {
    calls += 1, last = *code, where = *session;
}

static void sets(MPI_Session session) {
    int n, length, found = 0, flag;
    char name[MPI_MAX_PSET_NAME_LEN], value[32];
    MPI_Info info;
    MPI_Group group;
    CHECK(MPI_Session_get_num_psets(session, MPI_INFO_NULL, &n) == MPI_SUCCESS && n >= 2);
    for (int i = 0; i < n; i++) {
        length = 0;
        MPI_Session_get_nth_pset(session, MPI_INFO_NULL, i, &length, NULL);
        CHECK(length > 1 && length <= MPI_MAX_PSET_NAME_LEN);
        MPI_Session_get_nth_pset(session, MPI_INFO_NULL, i, &length, name);
        CHECK((int)strlen(name) == length - 1);
        found += !strcmp(name, "mpi://WORLD") + !strcmp(name, "mpi://SELF");
        MPI_Session_get_pset_info(session, name, &info);
        MPI_Info_get(info, "mpi_size", 31, value, &flag);
        CHECK(flag);
        MPI_Info_free(&info);
        MPI_Group_from_session_pset(session, name, &group);
        int members;
        MPI_Group_size(group, &members);
        CHECK(members == atoi(value));
        MPI_Group_free(&group);
    }
    CHECK(found == 2);
    length = 4;
    MPI_Session_get_nth_pset(session, MPI_INFO_NULL, 0, &length, name);
    CHECK(strlen(name) == 3 && length > 4);
    GIVES(MPI_ERR_ARG, MPI_Session_get_nth_pset(session, MPI_INFO_NULL, n, &length, name));
    GIVES(MPI_ERR_ARG, MPI_Group_from_session_pset(session, "mpi://NOBODY", &group));
    CHECK(group == MPI_GROUP_NULL);
    GIVES(MPI_ERR_ARG, MPI_Session_get_pset_info(session, "mpi://NOBODY", &info));
}

static void handlers(MPI_Session session) {
    MPI_Errhandler handler, got;
    MPI_Group group;
    CHECK(MPI_Session_create_errhandler(seen, &handler) == MPI_SUCCESS);
    MPI_Session_get_errhandler(session, &got);
    CHECK(got == MPI_ERRORS_RETURN);
    MPI_Session_set_errhandler(session, handler);
    MPI_Session_get_errhandler(session, &got);
    CHECK(got == handler);
    MPI_Errhandler_free(&handler), MPI_Errhandler_free(&got);
    GIVES(MPI_ERR_ARG, MPI_Group_from_session_pset(session, "mpi://NOBODY", &group));
    CHECK(calls == 1 && where == session && class_of(last) == MPI_ERR_ARG);
    CHECK(MPI_Session_call_errhandler(session, MPI_ERR_OTHER) == MPI_SUCCESS);
    CHECK(calls == 2 && last == MPI_ERR_OTHER);
    MPI_Session_set_errhandler(session, MPI_ERRORS_RETURN);
    GIVES(MPI_ERR_ERRHANDLER, MPI_Session_set_errhandler(session, MPI_ERRHANDLER_NULL));
}

int main(void) {
    MPI_Session session, second, null = MPI_SESSION_NULL;
    MPI_Group world;
    MPI_Comm comm, none;
    MPI_Info info;
    int flag, sum;
    char value[64];
    MPI_Info_create(&info);
    MPI_Info_set(info, "thread_level", "MPI_THREAD_SINGLE");
    CHECK(MPI_Session_init(info, MPI_ERRORS_RETURN, &session) == MPI_SUCCESS);
    MPI_Info_free(&info);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    CHECK(session != MPI_SESSION_NULL && MPI_Session_fromint(MPI_Session_toint(session)) == session);
    MPI_Initialized(&flag);
    CHECK(!flag);
    sets(session);
    handlers(session);
    MPI_Session_get_info(session, &info);
    MPI_Info_get(info, "thread_level", 63, value, &flag);
    CHECK(flag && strncmp(value, "MPI_THREAD_", 11) == 0);
    MPI_Info_get(info, "mpi_memory_alloc_kinds", 63, value, &flag);
    CHECK(flag && strcmp(value, "mpi,system") == 0);
    MPI_Info_free(&info);
    CHECK(MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &second) == MPI_SUCCESS);
    CHECK(second != session && MPI_Session_finalize(&second) == MPI_SUCCESS);
    CHECK(second == MPI_SESSION_NULL);
    MPI_Group_from_session_pset(session, "mpi://WORLD", &world);
    CHECK(MPI_Comm_create_from_group(world, "org.sessions", MPI_INFO_NULL, MPI_ERRORS_RETURN,
                                     &comm) == MPI_SUCCESS);
    MPI_Group_rank(world, &rank), MPI_Group_size(world, &size);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, comm);
    CHECK(sum == size * (size - 1) / 2);
    GIVES(MPI_ERR_RANK, MPI_Send(NULL, 0, MPI_INT, size, 0, comm));
    GIVES(MPI_ERR_GROUP, MPI_Comm_create_from_group(MPI_GROUP_NULL, "x", MPI_INFO_NULL,
                                                    MPI_ERRORS_RETURN, &none));
    MPI_Group_free(&world);
    MPI_Comm_disconnect(&comm);
    GIVES(MPI_ERR_SESSION, MPI_Session_finalize(&null));
    second = session;
    CHECK(MPI_Session_finalize(&session) == MPI_SUCCESS);
    GIVES(MPI_ERR_SESSION, MPI_Session_get_num_psets(second, MPI_INFO_NULL, &flag));
    MPI_Finalized(&flag);
    CHECK(!flag);
    return 0;
}
