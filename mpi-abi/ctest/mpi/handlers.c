/* Error handlers, and classes, codes and texts of errors. */
#include "check.h"

static int calls, last;
static MPI_Comm where;

static void seen(MPI_Comm *comm, int *code, ...) {
    calls += 1, last = *code, where = *comm;
}

/* Handlers of windows and files: made without a window or a file. */
static void of_window(MPI_Win *win, int *code, ...) {
    (void)win, (void)code;
}

static void of_file(MPI_File *file, int *code, ...) {
    (void)file, (void)code;
}

/* A handler may use MPI, and fail there again. */
static void again(MPI_Comm *comm, int *code, ...) {
    int n = -1;
    (void)code;
    CHECK(MPI_Comm_size(*comm, &n) == MPI_SUCCESS && n == size);
    if (++calls < 3)
        MPI_Send(NULL, 0, MPI_INT, size, 0, *comm);
}

static void life(void) {
    MPI_Comm comm, twin;
    MPI_Errhandler handler, got, copy;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_get_errhandler(comm, &got);
    CHECK(got == MPI_ERRORS_RETURN);
    MPI_Errhandler_free(&got);
    CHECK(got == MPI_ERRHANDLER_NULL);
    CHECK(MPI_Comm_create_errhandler(seen, &handler) == MPI_SUCCESS);
    CHECK(MPI_Comm_set_errhandler(comm, handler) == MPI_SUCCESS);
    copy = handler;
    MPI_Errhandler_free(&handler);
    CHECK(handler == MPI_ERRHANDLER_NULL);
    /* It works on, on the communicator and its duplicates; its handle does not. */
    calls = 0;
    GIVES(MPI_ERR_RANK, MPI_Send(NULL, 0, MPI_INT, size, 0, comm));
    CHECK(calls == 1 && where == comm && class_of(last) == MPI_ERR_RANK);
    MPI_Comm_dup(comm, &twin);
    GIVES(MPI_ERR_COUNT, MPI_Bcast(&calls, -1, MPI_INT, 0, twin));
    CHECK(calls == 2 && where == twin && class_of(last) == MPI_ERR_COUNT);
    GIVES(MPI_ERR_ERRHANDLER, MPI_Comm_set_errhandler(MPI_COMM_SELF, copy));
    CHECK(MPI_Comm_get_errhandler(comm, &got) == MPI_SUCCESS && got == copy);
    CHECK(MPI_Comm_set_errhandler(MPI_COMM_SELF, got) == MPI_SUCCESS);
    MPI_Errhandler_free(&got);
    /* What concerns no communicator. */
    GIVES(MPI_ERR_TYPE, MPI_Type_contiguous(1, MPI_DATATYPE_NULL, &(MPI_Datatype){0}));
    CHECK(calls == 3 && where == MPI_COMM_SELF);
    GIVES(MPI_ERR_COMM, MPI_Barrier(MPI_COMM_NULL));
    CHECK(calls == 4);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    /* Each call to a handler that the program asks for. */
    CHECK(MPI_Comm_call_errhandler(comm, MPI_ERR_TOPOLOGY) == MPI_SUCCESS);
    CHECK(calls == 5 && last == MPI_ERR_TOPOLOGY && where == comm);
    CHECK(MPI_Comm_call_errhandler(MPI_COMM_WORLD, MPI_ERR_OTHER) == MPI_SUCCESS && calls == 5);
    GIVES(MPI_ERR_COMM, MPI_Comm_call_errhandler(MPI_COMM_NULL, MPI_ERR_OTHER));
    MPI_Comm_create_errhandler(again, &handler);
    MPI_Comm_set_errhandler(comm, handler);
    MPI_Errhandler_free(&handler);
    calls = 0;
    GIVES(MPI_ERR_RANK, MPI_Send(NULL, 0, MPI_INT, size, 0, comm));
    CHECK(calls == 3);
    MPI_Comm_free(&comm), MPI_Comm_free(&twin);
}

static void wrong(void) {
    MPI_Errhandler null = MPI_ERRHANDLER_NULL, made, fatal = MPI_ERRORS_ARE_FATAL;
    GIVES(MPI_ERR_ERRHANDLER, MPI_Comm_set_errhandler(MPI_COMM_WORLD, null));
    GIVES(MPI_ERR_ERRHANDLER, MPI_Errhandler_free(&null));
    GIVES(MPI_ERR_ARG, MPI_Comm_create_errhandler(NULL, &made));
    GIVES(MPI_ERR_COMM, MPI_Comm_set_errhandler(MPI_COMM_NULL, MPI_ERRORS_RETURN));
    GIVES(MPI_ERR_COMM, MPI_Comm_get_errhandler(MPI_COMM_NULL, &made));
    CHECK(MPI_Errhandler_free(&fatal) == MPI_SUCCESS && fatal == MPI_ERRHANDLER_NULL);
    CHECK(MPI_Win_create_errhandler(of_window, &made) == MPI_SUCCESS);
    CHECK(MPI_Errhandler_free(&made) == MPI_SUCCESS && made == MPI_ERRHANDLER_NULL);
    CHECK(MPI_File_create_errhandler(of_file, &made) == MPI_SUCCESS);
    CHECK(MPI_Errhandler_free(&made) == MPI_SUCCESS && made == MPI_ERRHANDLER_NULL);
    CHECK(MPI_Errhandler_fromint(MPI_Errhandler_toint(MPI_ERRORS_RETURN)) == MPI_ERRORS_RETURN);
    /* The names of MPI-1. */
    CHECK(MPI_Errhandler_create(seen, &made) == MPI_SUCCESS);
    CHECK(MPI_Errhandler_set(MPI_COMM_WORLD, made) == MPI_SUCCESS);
    MPI_Errhandler got;
    CHECK(MPI_Errhandler_get(MPI_COMM_WORLD, &got) == MPI_SUCCESS && got == made);
    calls = 0;
    GIVES(MPI_ERR_TAG, MPI_Send(NULL, 0, MPI_INT, 0, -7, MPI_COMM_WORLD));
    CHECK(calls == 1 && where == MPI_COMM_WORLD);
    MPI_Errhandler_set(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Errhandler_free(&made), MPI_Errhandler_free(&got);
}

static void texts(void) {
    char text[MPI_MAX_ERROR_STRING];
    int n;
    for (int code = MPI_SUCCESS; code <= MPI_ERR_ABI; code++) {
        n = -1;
        CHECK(class_of(code) == code);
        CHECK(MPI_Error_string(code, text, &n) == MPI_SUCCESS);
        CHECK(n > 0 && (int)strlen(text) == n && n < MPI_MAX_ERROR_STRING);
    }
    CHECK(class_of(MPI_ERR_LASTCODE) == MPI_ERR_UNKNOWN);
    CHECK(MPI_Error_string(MPI_ERR_LASTCODE, text, &n) == MPI_SUCCESS && n > 0);
    int class, code, other, *bound, flag;
    GIVES(MPI_ERR_ARG, MPI_Error_class(-3, &class));
    GIVES(MPI_ERR_ARG, MPI_Error_class(MPI_ERR_LASTCODE + 100, &class));
    GIVES(MPI_ERR_ARG, MPI_Error_string(-3, text, &n));
    CHECK(MPI_Add_error_class(&class) == MPI_SUCCESS && class > MPI_ERR_LASTCODE);
    CHECK(MPI_Add_error_code(class, &code) == MPI_SUCCESS && code > class);
    CHECK(MPI_Add_error_code(MPI_ERR_ARG, &other) == MPI_SUCCESS && other > code);
    CHECK(class_of(class) == class && class_of(code) == class && class_of(other) == MPI_ERR_ARG);
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_LASTUSEDCODE, &bound, &flag);
    CHECK(flag && *bound == other);
    CHECK(MPI_Error_string(code, text, &n) == MPI_SUCCESS && n == 0 && text[0] == 0);
    CHECK(MPI_Add_error_string(class, "a class") == MPI_SUCCESS);
    CHECK(MPI_Add_error_string(code, "a code") == MPI_SUCCESS);
    CHECK(MPI_Add_error_string(code, "its code") == MPI_SUCCESS);
    MPI_Error_string(class, text, &n);
    CHECK(strcmp(text, "a class") == 0 && n == 7);
    MPI_Error_string(code, text, &n);
    CHECK(strcmp(text, "its code") == 0 && n == 8);
    GIVES(MPI_ERR_ARG, MPI_Add_error_string(MPI_ERR_ARG, "not ours"));
    GIVES(MPI_ERR_ARG, MPI_Add_error_code(code, &n));
    GIVES(MPI_ERR_OTHER, MPI_Remove_error_class(class));
    GIVES(MPI_ERR_ARG, MPI_Remove_error_class(code));
    GIVES(MPI_ERR_ARG, MPI_Remove_error_code(class));
    GIVES(MPI_ERR_ARG, MPI_Remove_error_class(MPI_ERR_ARG));
    CHECK(MPI_Remove_error_string(code) == MPI_SUCCESS);
    CHECK(MPI_Error_string(code, text, &n) == MPI_SUCCESS && n == 0);
    CHECK(MPI_Remove_error_code(code) == MPI_SUCCESS);
    CHECK(MPI_Remove_error_class(class) == MPI_SUCCESS);
    GIVES(MPI_ERR_ARG, MPI_Error_string(code, text, &n));
    GIVES(MPI_ERR_ARG, MPI_Remove_error_code(code));
    CHECK(MPI_Remove_error_code(other) == MPI_SUCCESS);
    /* The program's own codes reach its handlers as they are. */
    MPI_Errhandler handler;
    MPI_Add_error_class(&class);
    MPI_Comm_create_errhandler(seen, &handler);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, handler);
    MPI_Comm_call_errhandler(MPI_COMM_SELF, class);
    CHECK(last == class);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Errhandler_free(&handler);
}

int main(int argc, char **argv) {
    begin(&argc, &argv);
    /* Given to the world alone, a handler hears of what concerns no object too. */
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    GIVES(MPI_ERR_INFO, MPI_Info_free(&(MPI_Info){MPI_INFO_NULL}));
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    life();
    wrong();
    texts();
    MPI_Finalize();
    return 0;
}
