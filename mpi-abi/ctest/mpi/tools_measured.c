/* Variables of the tools interface, used: counters and levels count what happens, and settings change what happens. The
 * program runs on two ranks. */
#include "check.h"

static MPI_T_pvar_session session;

static MPI_T_pvar_handle measure(const char *name, int class) {
    int index, count = 0;
    MPI_T_pvar_handle handle = MPI_T_PVAR_HANDLE_NULL;
    CHECK(!MPI_T_pvar_get_index(name, class, &index));
    CHECK(!MPI_T_pvar_handle_alloc(session, index, NULL, &handle, &count) && count == 1);
    CHECK(handle != MPI_T_PVAR_HANDLE_NULL);
    return handle;
}

static unsigned long long number(MPI_T_pvar_handle handle) {
    unsigned long long value = 77;
    CHECK(!MPI_T_pvar_read(session, handle, &value));
    return value;
}

static double seconds(MPI_T_pvar_handle handle) {
    double value = -1;
    CHECK(!MPI_T_pvar_read(session, handle, &value));
    return value;
}

static MPI_T_cvar_handle setting(const char *name) {
    int index, count = 0;
    MPI_T_cvar_handle handle = MPI_T_CVAR_HANDLE_NULL;
    CHECK(!MPI_T_cvar_get_index(name, &index));
    CHECK(!MPI_T_cvar_handle_alloc(index, NULL, &handle, &count) && count == 1);
    return handle;
}

/* Three messages come before their receives, and one receive before its message. */
static void queues(void) {
    MPI_T_pvar_handle posted = measure("posted_receives", MPI_T_PVAR_CLASS_LEVEL);
    MPI_T_pvar_handle waiting = measure("unexpected_messages", MPI_T_PVAR_CLASS_LEVEL);
    MPI_T_pvar_handle total = measure("unexpected_total", MPI_T_PVAR_CLASS_COUNTER);
    MPI_T_pvar_handle sent = measure("messages_sent", MPI_T_PVAR_CLASS_COUNTER);
    MPI_T_pvar_handle bytes = measure("bytes_sent", MPI_T_PVAR_CLASS_AGGREGATE);
    int data[4] = {1, 2, 3, 4}, got = 0;
    unsigned long long value = 0;
    MPI_Request request;
    CHECK(MPI_T_pvar_start(session, posted) == MPI_T_ERR_PVAR_NO_STARTSTOP);
    CHECK(MPI_T_pvar_reset(session, posted) == MPI_T_ERR_PVAR_NO_WRITE);
    CHECK(MPI_T_pvar_write(session, posted, &value) == MPI_T_ERR_PVAR_NO_WRITE);
    CHECK(MPI_T_pvar_readreset(session, posted, &value) == MPI_T_ERR_PVAR_NO_ATOMIC);
    /* What is not started counts nothing. */
    if (rank == 0) MPI_Send(data, 4, MPI_INT, 1, 9, MPI_COMM_WORLD);
    if (rank == 1) MPI_Recv(data, 4, MPI_INT, 0, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    CHECK(number(sent) == 0 && number(bytes) == 0 && number(total) == 0);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK(!MPI_T_pvar_start(session, MPI_T_PVAR_ALL_HANDLES));
    if (rank == 0) {
        for (int tag = 0; tag < 3; tag++) MPI_Send(data, 4, MPI_INT, 1, tag, MPI_COMM_WORLD);
        CHECK(number(sent) == 3 && number(bytes) == 48);
        CHECK(!MPI_T_pvar_stop(session, sent));
    }
    if (rank == 1) {
        MPI_Recv(data, 4, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        CHECK(number(waiting) == 2 && number(total) == 2);
        MPI_Recv(data, 4, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        CHECK(number(waiting) == 1);
        MPI_Recv(data, 4, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        CHECK(number(waiting) == 0 && number(total) == 2);
        MPI_Irecv(&got, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, &request);
        CHECK(number(posted) == 1);
        CHECK(!MPI_T_pvar_readreset(session, total, &value) && value == 2 && number(total) == 0);
        value = 40;
        CHECK(!MPI_T_pvar_write(session, total, &value) && number(total) == 40);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Send(&rank, 1, MPI_INT, 1, 5, MPI_COMM_WORLD);
        CHECK(number(sent) == 3);
        CHECK(!MPI_T_pvar_reset(session, MPI_T_PVAR_ALL_HANDLES) && number(sent) == 0);
    }
    if (rank == 1) {
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        CHECK(number(posted) == 0 && got == 0);
    }
    CHECK(!MPI_T_pvar_stop(session, MPI_T_PVAR_ALL_HANDLES));
    CHECK(!MPI_T_pvar_handle_free(session, &posted) && posted == MPI_T_PVAR_HANDLE_NULL);
}

/* Rank 1 waits until rank 0 has computed. */
static void times(void) {
    MPI_T_pvar_handle waiting = measure("waiting_time", MPI_T_PVAR_CLASS_TIMER);
    MPI_T_pvar_handle computing = measure("computing_time", MPI_T_PVAR_CLASS_TIMER);
    int token = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK(!MPI_T_pvar_start(session, waiting) && !MPI_T_pvar_start(session, computing));
    if (rank == 0) {
        windtunnel_compute(0.5);
        MPI_Send(&token, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
        CHECK(seconds(computing) > 0.499 && seconds(computing) < 0.501);
    } else {
        MPI_Recv(&token, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        CHECK(seconds(waiting) > 0.499 && seconds(waiting) < 0.501);
        CHECK(seconds(computing) < 0.001);
    }
}

/* A send that is not eager ends with its receive, half a second later. */
static double time_of_send(void) {
    static char data[1000];
    double start;
    MPI_Barrier(MPI_COMM_WORLD);
    start = MPI_Wtime();
    if (rank == 0) MPI_Send(data, 1000, MPI_CHAR, 1, 0, MPI_COMM_WORLD);
    if (rank == 1) {
        windtunnel_compute(0.5);
        MPI_Recv(data, 1000, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    return MPI_Wtime() - start;
}

static void limits(void) {
    MPI_T_cvar_handle limit = setting("eager_limit"), pool = setting("buffer_pool");
    MPI_Count value = 0, before;
    CHECK(!MPI_T_cvar_read(limit, &before));
    value = 2000;
    CHECK(!MPI_T_cvar_write(limit, &value));
    value = -1;
    CHECK(!MPI_T_cvar_write(pool, &value));
    if (rank == 0) CHECK(time_of_send() < 0.1);
    else time_of_send();
    MPI_Barrier(MPI_COMM_WORLD);
    value = 999;
    CHECK(!MPI_T_cvar_write(limit, &value));
    value = 0;
    CHECK(!MPI_T_cvar_read(limit, &value) && value == 999);
    if (rank == 0) CHECK(time_of_send() > 0.4);
    else time_of_send();
    MPI_Barrier(MPI_COMM_WORLD);
    value = -1;
    CHECK(!MPI_T_cvar_write(limit, &value));
    value = 999;
    CHECK(!MPI_T_cvar_write(pool, &value));
    if (rank == 0) CHECK(time_of_send() > 0.4);
    else time_of_send();
    MPI_Barrier(MPI_COMM_WORLD);
    value = -2;
    CHECK(MPI_T_cvar_write(limit, &value) == MPI_T_ERR_INVALID);
    CHECK(!MPI_T_cvar_write(limit, &before));
    CHECK(!MPI_T_cvar_handle_free(&limit) && limit == MPI_T_CVAR_HANDLE_NULL);
    CHECK(MPI_T_cvar_read(limit, &value) == MPI_T_ERR_INVALID_HANDLE);
}

/* All algorithms of a reduction give its sum, also if the ranks change it at different times. */
static void algorithms(void) {
    MPI_T_cvar_handle algorithm = setting("allreduce_algorithm");
    int index, values, length = 0, value;
    MPI_T_enum kind;
    MPI_T_cvar_get_index("allreduce_algorithm", &index);
    MPI_T_cvar_get_info(index, NULL, NULL, NULL, NULL, &kind, NULL, NULL, NULL, NULL);
    MPI_T_enum_get_info(kind, &values, NULL, &length);
    for (int round = 0; round < 2 * values; round++) {
        int one[8], sum[8], chosen = round % values;
        if (rank == round % 2) {
            windtunnel_compute(1e-3);
            CHECK(!MPI_T_cvar_write(algorithm, &chosen));
            CHECK(!MPI_T_cvar_read(algorithm, &value) && value == chosen);
        }
        for (int i = 0; i < 8; i++) one[i] = i + rank;
        MPI_Allreduce(one, sum, 8, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        for (int i = 0; i < 8; i++) CHECK(sum[i] == 2 * i + 1);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    value = values;
    CHECK(MPI_T_cvar_write(algorithm, &value) == MPI_T_ERR_INVALID);
    MPI_T_cvar_handle_free(&algorithm);
}

int main(int argc, char **argv) {
    int provided;
    CHECK(!MPI_T_init_thread(MPI_THREAD_SINGLE, &provided));
    begin(&argc, &argv);
    CHECK(size == 2);
    CHECK(!MPI_T_pvar_session_create(&session));
    queues();
    times();
    limits();
    algorithms();
    CHECK(!MPI_T_pvar_session_free(&session));
    MPI_Finalize();
    CHECK(!MPI_T_finalize());
    return 0;
}
