/* Windows as objects: constructors, attributes, keys, names, hints, groups, error handlers. */
#include "check.h"

#define W MPI_COMM_WORLD

static int deleted, heard;

static int copy(MPI_Win win, int key, void *extra, void *old, void *new, int *flag) {
    (void)win, (void)key, (void)extra, (void)old, (void)new;
    *flag = 0;
    return MPI_SUCCESS;
}

static int delete(MPI_Win win, int key, void *value, void *extra) {
    (void)win, (void)key;
    deleted += *(int *)value + *(int *)extra;
    return MPI_SUCCESS;
}

static void hear(MPI_Win *win, int *code, ...) {
    (void)win;
    heard = class_of(*code);
}

static void attributes(MPI_Win win, void *base, MPI_Aint size, int unit, int flavor) {
    void *at;
    MPI_Aint *bytes;
    int *found, flag = 0;
    CHECK(MPI_Win_get_attr(win, MPI_WIN_BASE, &at, &flag) == MPI_SUCCESS && flag && at == base);
    CHECK(MPI_Win_get_attr(win, MPI_WIN_SIZE, &bytes, &flag) == MPI_SUCCESS && *bytes == size);
    CHECK(MPI_Win_get_attr(win, MPI_WIN_DISP_UNIT, &found, &flag) == MPI_SUCCESS && *found == unit);
    CHECK(MPI_Win_get_attr(win, MPI_WIN_CREATE_FLAVOR, &found, &flag) == MPI_SUCCESS && *found == flavor);
    CHECK(MPI_Win_get_attr(win, MPI_WIN_MODEL, &found, &flag) == MPI_SUCCESS);
    CHECK(*found == MPI_WIN_UNIFIED);
}

static void constructors(void) {
    double mine[4];
    void *given;
    MPI_Win win;
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "no_locks", "true");
    CHECK(MPI_Win_create(mine, sizeof mine, sizeof *mine, info, W, &win) == MPI_SUCCESS);
    attributes(win, mine, sizeof mine, sizeof *mine, MPI_WIN_FLAVOR_CREATE);
    CHECK(MPI_Win_free(&win) == MPI_SUCCESS && win == MPI_WIN_NULL);
    CHECK(MPI_Win_create_c(mine, 0, 1, MPI_INFO_NULL, W, &win) == MPI_SUCCESS);
    attributes(win, mine, 0, 1, MPI_WIN_FLAVOR_CREATE);
    MPI_Win_free(&win);
    CHECK(MPI_Win_allocate(24, 8, info, W, &given, &win) == MPI_SUCCESS);
    memset(given, 7, 24);
    attributes(win, given, 24, 8, MPI_WIN_FLAVOR_ALLOCATE);
    MPI_Win_free(&win);
    CHECK(MPI_Win_allocate_c(8, 1, MPI_INFO_NULL, W, &given, &win) == MPI_SUCCESS);
    MPI_Win_free(&win);
    CHECK(MPI_Win_create_dynamic(MPI_INFO_NULL, W, &win) == MPI_SUCCESS);
    attributes(win, MPI_BOTTOM, 0, 1, MPI_WIN_FLAVOR_DYNAMIC);
    MPI_Win_free(&win);
    MPI_Info_free(&info);
}

/* Each rank is on a node of its own here: it shares memory with itself. */
static void shared(void) {
    MPI_Comm node;
    MPI_Win win;
    int *mine, *found, unit, shared, at;
    MPI_Aint bytes, unit_c;
    MPI_Comm_split_type(W, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    MPI_Comm_size(node, &shared), MPI_Comm_rank(node, &at);
    CHECK(MPI_Win_allocate_shared(12, 4, MPI_INFO_NULL, node, &mine, &win) == MPI_SUCCESS);
    attributes(win, mine, 12, 4, MPI_WIN_FLAVOR_SHARED);
    MPI_Win_lock_all(0, win);
    mine[0] = 5 + at;
    CHECK(MPI_Win_sync(win) == MPI_SUCCESS);
    MPI_Barrier(node);
    for (int r = 0; r < shared; r++) {
        CHECK(MPI_Win_shared_query(win, r, &bytes, &unit, &found) == MPI_SUCCESS);
        CHECK(bytes == 12 && unit == 4 && found[0] == 5 + r);
    }
    CHECK(MPI_Win_shared_query_c(win, MPI_PROC_NULL, &bytes, &unit_c, &found) == MPI_SUCCESS);
    CHECK(bytes == 12 && unit_c == 4 && found[0] == 5);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    CHECK(MPI_Win_allocate_shared_c(0, 4, MPI_INFO_NULL, node, &mine, &win) == MPI_SUCCESS);
    CHECK(MPI_Win_shared_query(win, MPI_PROC_NULL, &bytes, &unit, &found) == MPI_SUCCESS && !bytes);
    MPI_Win_free(&win);
    MPI_Comm_free(&node);
}

static void objects(void) {
    int value = 20, extra = 3, key, length, flag, same;
    char name[MPI_MAX_OBJECT_NAME];
    int *found;
    MPI_Win win;
    MPI_Group all, group;
    MPI_Info info;
    MPI_Errhandler handler, held;
    CHECK(MPI_Win_get_name(MPI_WIN_NULL, name, &length) == MPI_SUCCESS && !strcmp(name, "MPI_WIN_NULL"));
    MPI_Win_create(&value, sizeof value, 1, MPI_INFO_NULL, W, &win);
    CHECK(MPI_Win_get_name(win, name, &length) == MPI_SUCCESS && length == 0 && !*name);
    CHECK(MPI_Win_set_name(win, "board") == MPI_SUCCESS);
    CHECK(MPI_Win_get_name(win, name, &length) == MPI_SUCCESS && length == 5 && !strcmp(name, "board"));
    CHECK(MPI_Win_f2c(MPI_Win_c2f(win)) == win && MPI_Win_fromint(MPI_Win_toint(win)) == win);
    CHECK(MPI_Win_get_group(win, &group) == MPI_SUCCESS);
    MPI_Comm_group(W, &all);
    CHECK(MPI_Group_compare(all, group, &same) == MPI_SUCCESS && same == MPI_IDENT);
    MPI_Group_free(&all), MPI_Group_free(&group);
    MPI_Info_create(&info);
    MPI_Info_set(info, "accumulate_ordering", "none");
    CHECK(MPI_Win_set_info(win, info) == MPI_SUCCESS);
    MPI_Info_free(&info);
    CHECK(MPI_Win_get_info(win, &info) == MPI_SUCCESS);
    length = sizeof name;
    CHECK(MPI_Info_get_string(info, "accumulate_ordering", &length, name, &flag) == MPI_SUCCESS);
    CHECK(flag && !strcmp(name, "none"));
    length = sizeof name;
    MPI_Info_get_string(info, "accumulate_ops", &length, name, &flag);
    CHECK(flag && !strcmp(name, "same_op_no_op"));
    MPI_Info_free(&info);
    CHECK(MPI_Win_create_keyval(copy, delete, &key, &extra) == MPI_SUCCESS);
    CHECK(MPI_Win_get_attr(win, key, &found, &flag) == MPI_SUCCESS && !flag);
    CHECK(MPI_Win_set_attr(win, key, &value) == MPI_SUCCESS);
    CHECK(MPI_Win_get_attr(win, key, &found, &flag) == MPI_SUCCESS && flag && found == &value);
    CHECK(MPI_Win_delete_attr(win, key) == MPI_SUCCESS && deleted == 23);
    MPI_Win_set_attr(win, key, &value);
    CHECK(MPI_Win_free_keyval(&key) == MPI_SUCCESS && key == MPI_KEYVAL_INVALID);
    CHECK(MPI_Win_get_errhandler(win, &held) == MPI_SUCCESS && held == MPI_ERRORS_ARE_FATAL);
    CHECK(MPI_Win_create_errhandler(hear, &handler) == MPI_SUCCESS);
    CHECK(MPI_Win_set_errhandler(win, handler) == MPI_SUCCESS);
    CHECK(MPI_Win_call_errhandler(win, MPI_ERR_OTHER) == MPI_SUCCESS && heard == MPI_ERR_OTHER);
    GIVES(MPI_ERR_RMA_SYNC, MPI_Win_unlock(0, win));
    CHECK(heard == MPI_ERR_RMA_SYNC);
    MPI_Errhandler_free(&handler);
    CHECK(MPI_Win_free(&win) == MPI_SUCCESS && deleted == 46);
}

/* The error class of each mistake, told to the caller. */
static void errors(void) {
    int board[4] = {0}, value = 1, other = 2, result;
    MPI_Win win, none = MPI_WIN_NULL;
    MPI_Request request;
    MPI_Group group;
    GIVES(MPI_ERR_SIZE, MPI_Win_create(board, -1, 1, MPI_INFO_NULL, W, &win));
    GIVES(MPI_ERR_DISP, MPI_Win_create(board, 4, 0, MPI_INFO_NULL, W, &win));
    GIVES(MPI_ERR_BASE, MPI_Win_create(NULL, 4, 1, MPI_INFO_NULL, W, &win));
    GIVES(MPI_ERR_COMM, MPI_Win_create(board, 4, 1, MPI_INFO_NULL, MPI_COMM_NULL, &win));
    CHECK(win == MPI_WIN_NULL);
    GIVES(MPI_ERR_WIN, MPI_Win_fence(0, none));
    GIVES(MPI_ERR_WIN, MPI_Win_free(&none));
    MPI_Win_create(board, sizeof board, sizeof *board, MPI_INFO_NULL, W, &win);
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    GIVES(MPI_ERR_ASSERT, MPI_Win_fence(MPI_MODE_NOCHECK, win));
    GIVES(MPI_ERR_LOCKTYPE, MPI_Win_lock(7, 0, 0, win));
    GIVES(MPI_ERR_RANK, MPI_Win_lock(MPI_LOCK_SHARED, size, 0, win));
    GIVES(MPI_ERR_RMA_SYNC, MPI_Put(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, win));
    GIVES(MPI_ERR_RMA_SYNC, MPI_Win_complete(win));
    GIVES(MPI_ERR_RMA_SYNC, MPI_Win_wait(win));
    GIVES(MPI_ERR_RMA_SYNC, MPI_Win_test(win, &result));
    GIVES(MPI_ERR_RMA_SYNC, MPI_Win_flush(0, win));
    GIVES(MPI_ERR_RMA_SYNC, MPI_Win_unlock_all(win));
    GIVES(MPI_ERR_RMA_FLAVOR, MPI_Win_attach(win, board, 4));
    MPI_Win_fence(0, win);
    GIVES(MPI_ERR_RMA_RANGE, MPI_Put(&value, 1, MPI_INT, 0, 4, 1, MPI_INT, win));
    GIVES(MPI_ERR_RMA_RANGE, MPI_Get(&value, 1, MPI_INT, 0, -1, 1, MPI_INT, win));
    GIVES(MPI_ERR_RANK, MPI_Put(&value, 1, MPI_INT, size, 0, 1, MPI_INT, win));
    GIVES(MPI_ERR_COUNT, MPI_Put(&value, -1, MPI_INT, 0, 0, -1, MPI_INT, win));
    GIVES(MPI_ERR_TYPE, MPI_Put(&value, 1, MPI_INT, 0, 0, 1, MPI_FLOAT, win));
    GIVES(MPI_ERR_TYPE, MPI_Put(&value, 1, MPI_INT, 0, 0, 1, MPI_DOUBLE, win));
    GIVES(MPI_ERR_TYPE, MPI_Compare_and_swap(&value, &other, &result, MPI_FLOAT, 0, 0, win));
    GIVES(MPI_ERR_OP, MPI_Accumulate(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_OP_NULL, win));
    GIVES(MPI_ERR_OP, MPI_Accumulate(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_MAXLOC, win));
    GIVES(MPI_ERR_RMA_SYNC, MPI_Rput(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, win, &request));
    CHECK(MPI_Put(&value, 1, MPI_INT, MPI_PROC_NULL, 99, 1, MPI_INT, win) == MPI_SUCCESS);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
    GIVES(MPI_ERR_RMA_SYNC, MPI_Put(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, win));
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
    GIVES(MPI_ERR_RMA_SYNC, MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win));
    GIVES(MPI_ERR_RMA_SYNC, MPI_Win_lock_all(0, win));
    GIVES(MPI_ERR_RMA_SYNC, MPI_Win_fence(0, win));
    if (size > 1) GIVES(MPI_ERR_RMA_SYNC, MPI_Get(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, win));
    MPI_Win_get_group(win, &group);
    GIVES(MPI_ERR_RMA_SYNC, MPI_Win_start(group, 0, win));
    MPI_Group_free(&group);
    MPI_Win_unlock(0, win);
    MPI_Win_free(&win);
    MPI_Win_create_dynamic(MPI_INFO_NULL, W, &win);
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    CHECK(MPI_Win_attach(win, board, sizeof board) == MPI_SUCCESS);
    GIVES(MPI_ERR_RMA_ATTACH, MPI_Win_attach(win, board + 1, 4));
    GIVES(MPI_ERR_RMA_SYNC, MPI_Win_detach(win, board + 1));
    CHECK(MPI_Win_detach(win, board) == MPI_SUCCESS);
    MPI_Win_free(&win);
}

int main(int argc, char **argv) {
    begin(&argc, &argv);
    return_errors();
    constructors();
    shared();
    objects();
    errors();
    MPI_Finalize();
    return 0;
}
