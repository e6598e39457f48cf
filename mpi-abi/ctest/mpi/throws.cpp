// Callbacks throw, the program catches, and MPI goes on as if the call had failed.
#include "check.h"
#include <csetjmp>
#include <stdexcept>
#include <string>

static int caught;

struct Counted {
    static int alive;
    Counted() { alive++; }
    ~Counted() { alive--; }
};
int Counted::alive;

static void on_error(MPI_Comm *, int *code, ...) {
    Counted counted;
    throw std::runtime_error("code " + std::to_string(*code));
}

static int on_copy(MPI_Comm, int, void *, void *, void *, int *) { throw 17; }
static int on_delete(MPI_Comm, int, void *, void *extra) {
    if (*static_cast<bool *>(extra))
        throw std::string("delete");
    return MPI_SUCCESS;
}

static void on_reduce(void *, void *, int *, MPI_Datatype *) {
    Counted counted;
    throw std::domain_error("reduce");
}

template <class Exception, class Call> static void throws(Call call) {
    bool thrown = false;
    try {
        call();
    } catch (const Exception &) {
        thrown = true;
        caught++;
    }
    CHECK(thrown);
    CHECK(Counted::alive == 0);
    CHECK(std::uncaught_exceptions() == 0);
}

static void errors() {
    MPI_Errhandler handler;
    MPI_Comm comm;
    int x = 0;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_create_errhandler(on_error, &handler);
    MPI_Comm_set_errhandler(comm, handler);
    for (int round = 0; round < 3; round++) {
        throws<std::runtime_error>([&] { MPI_Send(&x, 1, MPI_INT, 1000, 0, comm); });
        throws<std::runtime_error>([&] { MPI_Bcast(&x, -1, MPI_INT, 0, comm); });
        throws<std::runtime_error>([&] { MPI_Comm_call_errhandler(comm, MPI_ERR_OTHER); });
    }
    MPI_Barrier(comm);
    MPI_Errhandler_free(&handler);
    MPI_Comm_free(&comm);
}

static void attributes() {
    bool bad = true;
    int key;
    MPI_Comm comm, copy;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_create_keyval(on_copy, on_delete, &key, &bad);
    MPI_Comm_set_attr(comm, key, nullptr);
    throws<int>([&] { MPI_Comm_dup(comm, &copy); });
    throws<std::string>([&] { MPI_Comm_delete_attr(comm, key); });
    throws<std::string>([&] { MPI_Comm_free(&comm); });
    bad = false;
    MPI_Comm_free(&comm);
    CHECK(comm == MPI_COMM_NULL);
    MPI_Comm_free_keyval(&key);
}

static void reductions() {
    int rank, size, x = 1, y = 2, sum = 0;
    MPI_Op op;
    MPI_Request request;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Op_create(on_reduce, 1, &op);
    throws<std::domain_error>([&] { MPI_Reduce_local(&x, &y, 1, MPI_INT, op); });
    bool thrown = false;
    try {
        MPI_Allreduce(&x, &sum, 1, MPI_INT, op, MPI_COMM_WORLD);
    } catch (const std::logic_error &error) {
        thrown = std::string(error.what()) == "reduce";
    }
    CHECK(Counted::alive == 0);
    CHECK(std::uncaught_exceptions() == 0);
    int some = thrown, any = 0;
    MPI_Allreduce(&some, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    CHECK(any == (size > 1));
    thrown = false;
    MPI_Ireduce(&x, &sum, 1, MPI_INT, op, 0, MPI_COMM_WORLD, &request);
    try {
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } catch (const std::domain_error &) {
        thrown = true;
    }
    if (thrown && request != MPI_REQUEST_NULL)
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    some = thrown;
    MPI_Allreduce(&some, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    CHECK(any == (size > 1));
    MPI_Op_free(&op);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    errors();
    attributes();
    reductions();
    CHECK(caught == 13);
    MPI_Finalize();
    return 0;
}
