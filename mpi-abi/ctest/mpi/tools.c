/* The tools interface: it begins and ends, describes its variables, and says what is wrong. */
#include "check.h"

/* There are variables, events and categories. */
static void counts(void) {
    int n = -1;
    CHECK(MPI_T_cvar_get_num(&n) == MPI_SUCCESS && n >= 3);
    CHECK(MPI_T_pvar_get_num(&n) == MPI_SUCCESS && n >= 5);
    CHECK(MPI_T_category_get_num(&n) == MPI_SUCCESS && n >= 2);
    CHECK(MPI_T_event_get_num(&n) == MPI_SUCCESS && n == 3);
    CHECK(MPI_T_source_get_num(&n) == MPI_SUCCESS && n == 1);
    CHECK(MPI_T_category_changed(&n) == MPI_SUCCESS);
}

/* Each variable says what it is; its name leads back to it, and names without room are cut. */
static void descriptions(void) {
    int cvars, pvars, kinds, categories, listed = 0, told = 0;
    char name[64], again[64], text[512];
    MPI_T_cvar_get_num(&cvars);
    MPI_T_pvar_get_num(&pvars);
    MPI_T_category_get_num(&categories);
    MPI_T_event_get_num(&kinds);
    for (int i = 0; i < cvars; i++) {
        int a = 64, b = 512, verbosity, bind, scope, index, values, value, length;
        MPI_Datatype type;
        MPI_T_enum kind;
        CHECK(!MPI_T_cvar_get_info(i, name, &a, &verbosity, &type, &kind, text, &b, &bind, &scope));
        CHECK(a == (int)strlen(name) + 1 && b == (int)strlen(text) + 1 && b > 10);
        CHECK(bind == MPI_T_BIND_NO_OBJECT && scope == MPI_T_SCOPE_ALL_EQ);
        CHECK(!MPI_T_cvar_get_index(name, &index) && index == i);
        CHECK((kind == MPI_T_ENUM_NULL) == (type == MPI_COUNT));
        a = 4;
        CHECK(!MPI_T_cvar_get_info(i, again, &a, NULL, NULL, NULL, NULL, NULL, NULL, NULL));
        CHECK(strlen(again) == 3 && !strncmp(again, name, 3) && a == (int)strlen(name) + 1);
        if (kind == MPI_T_ENUM_NULL) continue;
        CHECK(type == MPI_INT);
        a = 64;
        CHECK(!MPI_T_enum_get_info(kind, &values, again, &a) && values >= 2);
        for (int j = 0; j < values; j++) {
            length = 64;
            CHECK(!MPI_T_enum_get_item(kind, j, &value, again, &length) && value == j);
            CHECK(length == (int)strlen(again) + 1);
        }
        CHECK(MPI_T_enum_get_item(kind, values, &value, again, &length) == MPI_T_ERR_INVALID_INDEX);
    }
    for (int i = 0; i < pvars; i++) {
        int a = 64, b = 512, verbosity, class, bind, readonly, continuous, atomic, index;
        MPI_Datatype type;
        MPI_T_enum kind;
        CHECK(!MPI_T_pvar_get_info(i, name, &a, &verbosity, &class, &type, &kind, text, &b, &bind,
                                   &readonly, &continuous, &atomic));
        CHECK(!MPI_T_pvar_get_index(name, class, &index) && index == i);
        CHECK(MPI_T_pvar_get_index(name, MPI_T_PVAR_CLASS_STATE, &index) == MPI_T_ERR_INVALID_NAME);
        CHECK((class == MPI_T_PVAR_CLASS_TIMER) == (type == MPI_DOUBLE));
    }
    for (int i = 0; i < kinds; i++) {
        int a = 64, b = 512, verbosity, elements = 2, values, bind, index, length = 64;
        MPI_Datatype types[8] = {MPI_DATATYPE_NULL, MPI_DATATYPE_NULL, MPI_DATATYPE_NULL};
        MPI_Aint places[8];
        MPI_T_enum kind;
        MPI_Info info;
        CHECK(!MPI_T_event_get_info(i, name, &a, &verbosity, types, places, &elements, &kind, &info, text, &b,
                                    &bind));
        CHECK(a == (int)strlen(name) + 1 && b == (int)strlen(text) + 1 && b > 10);
        CHECK(bind == MPI_T_BIND_NO_OBJECT && info == MPI_INFO_NULL);
        /* There was room for two elements. */
        CHECK(elements == 4 && types[1] == MPI_INT && types[2] == MPI_DATATYPE_NULL);
        CHECK(!MPI_T_event_get_info(i, NULL, NULL, NULL, types, places, &elements, NULL, NULL, NULL, NULL, NULL));
        CHECK(types[2] == MPI_COUNT && places[0] == 0 && places[1] == 4 && places[2] == 8 && places[3] == 16);
        CHECK(!MPI_T_enum_get_info(kind, &values, again, &length) && values == elements);
        length = 64;
        CHECK(!MPI_T_enum_get_item(kind, 2, &values, again, &length) && values == 2 && !strcmp(again, "bytes"));
        CHECK(!MPI_T_event_get_index(name, &index) && index == i);
    }
    for (int i = 0; i < categories; i++) {
        int a = 64, b = 512, c, p, n, events, index, members[64];
        CHECK(!MPI_T_category_get_info(i, name, &a, text, &b, &c, &p, &n));
        CHECK(!MPI_T_category_get_index(name, &index) && index == i);
        CHECK(!MPI_T_category_get_cvars(i, 64, members) && !MPI_T_category_get_pvars(i, 64, members));
        CHECK(!MPI_T_category_get_categories(i, 64, members));
        CHECK(!MPI_T_category_get_num_events(i, &events));
        CHECK(!MPI_T_category_get_events(i, 64, members));
        for (int j = 0; j < events; j++) told += members[j] == j;
        listed += c + p;
    }
    CHECK(listed == cvars + pvars && told == kinds);
}

static void indices(void) {
    char name[64], text[64];
    int a = 64, b = 64, c, d, e, f, g, list[4];
    MPI_Datatype type;
    MPI_Aint place;
    MPI_Count ticks, most;
    MPI_Info info;
    MPI_T_enum kind;
    MPI_T_cvar_handle variable;
    MPI_T_event_registration event;
    MPI_T_source_order order;
#define WRONG(call) CHECK((call) == MPI_T_ERR_INVALID_INDEX)
    WRONG(MPI_T_cvar_get_info(-1, name, &a, &c, &type, &kind, text, &b, &d, &e));
    WRONG(MPI_T_cvar_handle_alloc(1000, NULL, &variable, &c));
    WRONG(MPI_T_pvar_get_info(1000, name, &a, &c, &d, &type, &kind, text, &b, &e, &f, &g, &list[0]));
    WRONG(MPI_T_category_get_info(-1, name, &a, text, &b, &c, &d, &e));
    WRONG(MPI_T_category_get_num_events(1000, &c));
    WRONG(MPI_T_category_get_cvars(1000, 4, list));
    WRONG(MPI_T_category_get_pvars(1000, 4, list));
    WRONG(MPI_T_category_get_events(1000, 4, list));
    WRONG(MPI_T_category_get_categories(1000, 4, list));
    WRONG(MPI_T_event_get_info(3, name, &a, &c, &type, &place, &d, &kind, &info, text, &b, &e));
    WRONG(MPI_T_event_handle_alloc(-1, NULL, MPI_INFO_NULL, &event));
    WRONG(MPI_T_source_get_info(1, name, &a, text, &b, &order, &ticks, &most, &info));
    WRONG(MPI_T_source_get_timestamp(-1, &ticks));
#define UNKNOWN(call) CHECK((call) == MPI_T_ERR_INVALID_NAME)
    UNKNOWN(MPI_T_cvar_get_index("nothing", &c));
    UNKNOWN(MPI_T_pvar_get_index("nothing", MPI_T_PVAR_CLASS_COUNTER, &c));
    UNKNOWN(MPI_T_pvar_get_index("", MPI_T_PVAR_CLASS_COUNTER, &c));
    UNKNOWN(MPI_T_category_get_index("nothing", &c));
    UNKNOWN(MPI_T_event_get_index("nothing", &c));
    CHECK(!MPI_T_source_get_info(0, name, &a, text, &b, &order, &ticks, &most, &info));
    CHECK(!strcmp(name, "matching") && order == MPI_T_SOURCE_ORDERED && ticks == 1000000000000);
    CHECK(most > ticks && info == MPI_INFO_NULL);
}

static void release(MPI_T_event_registration event, MPI_T_cb_safety safety, void *data) {
    (void)event, (void)safety, (void)data;
}
static void heard(MPI_T_event_instance one, MPI_T_event_registration event, MPI_T_cb_safety safety,
                  void *data) {
    (void)one, (void)event, (void)safety, (void)data;
}
static void dropped(MPI_Count count, MPI_T_event_registration event, int source,
                    MPI_T_cb_safety safety, void *data) {
    (void)count, (void)event, (void)source, (void)safety, (void)data;
}

static void handles(void) {
    MPI_T_pvar_session session = MPI_T_PVAR_SESSION_NULL, gone;
    MPI_T_pvar_handle pvar = MPI_T_PVAR_HANDLE_NULL, every = MPI_T_PVAR_ALL_HANDLES;
    MPI_T_cvar_handle cvar = MPI_T_CVAR_HANDLE_NULL;
    MPI_T_event_registration event = NULL;
    MPI_T_event_instance one = NULL;
    MPI_Info info = MPI_INFO_NULL;
    MPI_Count time;
    char name[8];
    int n = 8, value;
#define BAD(call) CHECK((call) == MPI_T_ERR_INVALID_HANDLE)
    BAD(MPI_T_cvar_handle_free(&cvar));
    BAD(MPI_T_cvar_read(cvar, &value));
    BAD(MPI_T_cvar_write(cvar, &value));
    BAD(MPI_T_enum_get_info(MPI_T_ENUM_NULL, &value, name, &n));
    BAD(MPI_T_enum_get_item(MPI_T_ENUM_NULL, 0, &value, name, &n));
    BAD(MPI_T_event_handle_free(event, NULL, release));
    BAD(MPI_T_event_handle_get_info(event, &info));
    BAD(MPI_T_event_handle_set_info(event, info));
    BAD(MPI_T_event_register_callback(event, MPI_T_CB_REQUIRE_NONE, info, NULL, heard));
    BAD(MPI_T_event_callback_get_info(event, MPI_T_CB_REQUIRE_NONE, &info));
    BAD(MPI_T_event_callback_set_info(event, MPI_T_CB_REQUIRE_NONE, info));
    BAD(MPI_T_event_set_dropped_handler(event, dropped));
    BAD(MPI_T_event_read(one, 0, &value));
    BAD(MPI_T_event_copy(one, &value));
    BAD(MPI_T_event_get_timestamp(one, &time));
    BAD(MPI_T_event_get_source(one, &value));
    CHECK(MPI_T_pvar_start(session, pvar) == MPI_T_ERR_INVALID_SESSION);
    CHECK(MPI_T_pvar_session_create(&session) == MPI_SUCCESS && session != MPI_T_PVAR_SESSION_NULL);
    CHECK(MPI_T_pvar_handle_alloc(session, -1, NULL, &pvar, &n) == MPI_T_ERR_INVALID_INDEX);
    BAD(MPI_T_pvar_handle_free(session, &pvar));
    BAD(MPI_T_pvar_start(session, pvar));
    BAD(MPI_T_pvar_stop(session, pvar));
    BAD(MPI_T_pvar_read(session, pvar, &value));
    BAD(MPI_T_pvar_readreset(session, pvar, &value));
    BAD(MPI_T_pvar_write(session, pvar, &value));
    BAD(MPI_T_pvar_reset(session, pvar));
    /* All of none. */
    CHECK(MPI_T_pvar_start(session, every) == MPI_SUCCESS);
    CHECK(MPI_T_pvar_stop(session, every) == MPI_SUCCESS);
    CHECK(MPI_T_pvar_reset(session, every) == MPI_SUCCESS);
    gone = session;
    CHECK(MPI_T_pvar_session_free(&session) == MPI_SUCCESS && session == MPI_T_PVAR_SESSION_NULL);
    CHECK(MPI_T_pvar_session_free(&gone) == MPI_T_ERR_INVALID_SESSION);
}

int main(int argc, char **argv) {
    int provided = -1, n, class;
    char text[MPI_MAX_ERROR_STRING];
    /* Before MPI itself, and more than once. */
    CHECK(MPI_T_cvar_get_num(&n) == MPI_T_ERR_NOT_INITIALIZED);
    CHECK(MPI_T_finalize() == MPI_T_ERR_NOT_INITIALIZED);
    CHECK(MPI_T_init_thread(MPI_THREAD_SINGLE, &provided) == MPI_SUCCESS);
    CHECK(provided == MPI_THREAD_SINGLE);
    CHECK(MPI_T_init_thread(MPI_THREAD_MULTIPLE, &provided) == MPI_SUCCESS);
    counts();
    descriptions();
    begin(&argc, &argv);
    indices();
    handles();
    CHECK(MPI_Error_class(MPI_T_ERR_INVALID_INDEX, &class) == MPI_SUCCESS);
    CHECK(class == MPI_T_ERR_INVALID_INDEX);
    CHECK(MPI_Error_string(MPI_T_ERR_INVALID_INDEX, text, &n) == MPI_SUCCESS && n > 0);
    CHECK(MPI_T_finalize() == MPI_SUCCESS);
    MPI_Finalize();
    counts();
    CHECK(MPI_T_finalize() == MPI_SUCCESS);
    CHECK(MPI_T_cvar_get_num(&n) == MPI_T_ERR_NOT_INITIALIZED);
    return 0;
}
