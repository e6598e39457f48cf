/* Info objects: keys, values, order, lengths, and what the start of the program tells. */
#include "check.h"

static void keys(void) {
    MPI_Info info, twin;
    int n, flag, length;
    char key[MPI_MAX_INFO_KEY], value[MPI_MAX_INFO_VAL], small[4] = "...";
    CHECK(MPI_Info_create(&info) == MPI_SUCCESS && info != MPI_INFO_NULL);
    MPI_Info_get_nkeys(info, &n);
    CHECK(n == 0);
    MPI_Info_set(info, "one", "1");
    MPI_Info_set(info, "two", "zwei");
    MPI_Info_set(info, "three", "with blanks  ");
    MPI_Info_set(info, "two", "deux");
    MPI_Info_get_nkeys(info, &n);
    CHECK(n == 3);
    static const char *want[] = {"one", "two", "three"};
    for (int i = 0; i < n; i++) {
        CHECK(MPI_Info_get_nthkey(info, i, key) == MPI_SUCCESS && strcmp(key, want[i]) == 0);
        CHECK(MPI_Info_get_valuelen(info, key, &length, &flag) == MPI_SUCCESS && flag);
        CHECK(MPI_Info_get(info, key, length, value, &flag) == MPI_SUCCESS && flag);
        CHECK((int)strlen(value) == length);
    }
    MPI_Info_get(info, "two", MPI_MAX_INFO_VAL - 1, value, &flag);
    CHECK(flag && strcmp(value, "deux") == 0);
    MPI_Info_get(info, "two", 3, small, &flag);
    CHECK(flag && strcmp(small, "deu") == 0);
    MPI_Info_get_valuelen(info, "nothing", &length, &flag);
    CHECK(!flag);
    strcpy(value, "untouched");
    MPI_Info_get(info, "nothing", 20, value, &flag);
    CHECK(!flag && strcmp(value, "untouched") == 0);
    /* Lengths with the zero: what is needed comes back. */
    length = 0;
    MPI_Info_get_string(info, "two", &length, value, &flag);
    CHECK(flag && length == 5 && strcmp(value, "untouched") == 0);
    length = 3;
    MPI_Info_get_string(info, "two", &length, value, &flag);
    CHECK(flag && length == 5 && strcmp(value, "de") == 0);
    length = 100;
    MPI_Info_get_string(info, "two", &length, value, &flag);
    CHECK(flag && length == 5 && strcmp(value, "deux") == 0);
    length = 77;
    MPI_Info_get_string(info, "nothing", &length, value, &flag);
    CHECK(!flag && length == 77);
    CHECK(MPI_Info_dup(info, &twin) == MPI_SUCCESS && twin != info);
    MPI_Info_delete(info, "one");
    MPI_Info_get_nkeys(info, &n);
    CHECK(n == 2 && MPI_Info_get_nthkey(info, 0, key) == MPI_SUCCESS && strcmp(key, "two") == 0);
    MPI_Info_get_nkeys(twin, &n);
    CHECK(n == 3);
    CHECK(MPI_Info_set(info, "empty", "") == MPI_SUCCESS);
    MPI_Info_get_valuelen(info, "empty", &length, &flag);
    CHECK(flag && length == 0);
    CHECK(MPI_Info_fromint(MPI_Info_toint(info)) == info);
    MPI_Info copy = info;
    CHECK(MPI_Info_free(&info) == MPI_SUCCESS && info == MPI_INFO_NULL);
    GIVES(MPI_ERR_INFO, MPI_Info_get_nkeys(copy, &n));
    MPI_Info_free(&twin);
}

static void limits(void) {
    MPI_Info info, null = MPI_INFO_NULL, made, env = MPI_INFO_ENV;
    static char key[MPI_MAX_INFO_KEY + 1], value[MPI_MAX_INFO_VAL + 1], back[MPI_MAX_INFO_VAL];
    int n, flag;
    MPI_Info_create(&info);
    memset(key, 'k', MPI_MAX_INFO_KEY), memset(value, 'v', MPI_MAX_INFO_VAL);
    GIVES(MPI_ERR_INFO_KEY, MPI_Info_set(info, key, "x"));
    GIVES(MPI_ERR_INFO_VALUE, MPI_Info_set(info, "x", value));
    GIVES(MPI_ERR_INFO_KEY, MPI_Info_delete(info, key));
    key[MPI_MAX_INFO_KEY - 1] = value[MPI_MAX_INFO_VAL - 1] = 0;
    CHECK(MPI_Info_set(info, key, value) == MPI_SUCCESS);
    MPI_Info_get(info, key, MPI_MAX_INFO_VAL - 1, back, &flag);
    CHECK(flag && strcmp(back, value) == 0);
    GIVES(MPI_ERR_INFO_KEY, MPI_Info_set(info, "", "x"));
    GIVES(MPI_ERR_INFO_KEY, MPI_Info_set(info, NULL, "x"));
    GIVES(MPI_ERR_INFO_VALUE, MPI_Info_set(info, "x", NULL));
    GIVES(MPI_ERR_ARG, MPI_Info_get(info, "x", -1, back, &flag));
    GIVES(MPI_ERR_INFO_NOKEY, MPI_Info_delete(info, "gone"));
    GIVES(MPI_ERR_ARG, MPI_Info_get_nthkey(info, -1, key));
    GIVES(MPI_ERR_ARG, MPI_Info_get_nthkey(info, 1, key));
    GIVES(MPI_ERR_INFO, MPI_Info_set(null, "x", "x"));
    GIVES(MPI_ERR_INFO, MPI_Info_get(null, "x", 1, back, &flag));
    GIVES(MPI_ERR_INFO, MPI_Info_get_nkeys(null, &n));
    GIVES(MPI_ERR_INFO, MPI_Info_dup(null, &made));
    GIVES(MPI_ERR_INFO, MPI_Info_free(&null));
    GIVES(MPI_ERR_INFO, MPI_Info_free(&env));
    GIVES(MPI_ERR_INFO, MPI_Info_set(MPI_INFO_ENV, "x", "x"));
    MPI_Info_free(&info);
}

/* Functions that take hints want an object or the null one, whether the hints change anything. */
static void hints(void) {
    MPI_Info freed;
    MPI_Comm self = MPI_COMM_SELF, comm;
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Session session;
    int one = 1, zero = 0, n;
    char text[MPI_MAX_PORT_NAME] = "none";
    MPI_Info_create(&freed);
    MPI_Info kept = freed;
    MPI_Info_free(&kept);
    GIVES(MPI_ERR_INFO, MPI_Bcast_init(&one, 1, MPI_INT, 0, self, freed, &request));
    GIVES(MPI_ERR_INFO, MPI_Barrier_init(self, freed, &request));
    GIVES(MPI_ERR_INFO, MPI_Psend_init(&one, 1, 1, MPI_INT, 0, 0, self, freed, &request));
    GIVES(MPI_ERR_INFO, MPI_Precv_init(&one, 1, 1, MPI_INT, 0, 0, self, freed, &request));
    CHECK(request == MPI_REQUEST_NULL);
    GIVES(MPI_ERR_INFO, MPI_Dist_graph_create(self, 1, &zero, &one, &zero, MPI_UNWEIGHTED, freed, 0,
                                              &comm));
    GIVES(MPI_ERR_INFO, MPI_Dist_graph_create_adjacent(self, 0, NULL, MPI_UNWEIGHTED, 0, NULL,
                                                       MPI_UNWEIGHTED, freed, 0, &comm));
    GIVES(MPI_ERR_INFO, MPI_Open_port(freed, text));
    GIVES(MPI_ERR_INFO, MPI_Comm_accept(text, freed, 0, self, &comm));
    GIVES(MPI_ERR_INFO, MPI_Comm_connect(text, freed, 0, self, &comm));
    GIVES(MPI_ERR_INFO, MPI_Publish_name("service", freed, text));
    GIVES(MPI_ERR_INFO, MPI_Unpublish_name("service", freed, text));
    GIVES(MPI_ERR_INFO, MPI_Lookup_name("service", freed, text));
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
    GIVES(MPI_ERR_INFO, MPI_Session_get_num_psets(session, freed, &n));
    n = 0;
    GIVES(MPI_ERR_INFO, MPI_Session_get_nth_pset(session, freed, 0, &n, NULL));
    MPI_Session_finalize(&session);
}

static void start(int argc, char **argv) {
    MPI_Info env;
    char value[MPI_MAX_INFO_VAL];
    int flag, n;
    MPI_Info_get(MPI_INFO_ENV, "maxprocs", MPI_MAX_INFO_VAL - 1, value, &flag);
    CHECK(flag && atoi(value) == size);
    CHECK(MPI_Info_create_env(argc, argv, &env) == MPI_SUCCESS);
    MPI_Info_get_nkeys(env, &n);
    CHECK(n >= 3);
    MPI_Info_get(env, "thread_level", MPI_MAX_INFO_VAL - 1, value, &flag);
    CHECK(flag && strcmp(value, "MPI_THREAD_MULTIPLE") == 0);
    CHECK(MPI_Info_set(env, "mine", "1") == MPI_SUCCESS);
    MPI_Info_free(&env);
}

int main(int argc, char **argv) {
    /* Objects of this kind may be made before the beginning. */
    MPI_Info early;
    char value[8];
    int flag;
    CHECK(MPI_Info_create(&early) == MPI_SUCCESS);
    CHECK(MPI_Info_set(early, "when", "early") == MPI_SUCCESS);
    begin(&argc, &argv);
    MPI_Info_get(early, "when", 7, value, &flag);
    CHECK(flag && strcmp(value, "early") == 0);
    MPI_Info_free(&early);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    keys();
    limits();
    hints();
    start(argc, argv);
    MPI_Finalize();
    CHECK(MPI_Info_create(&early) == MPI_SUCCESS && MPI_Info_free(&early) == MPI_SUCCESS);
    return 0;
}
