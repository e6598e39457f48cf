/* Events of the tools interface: a tool on rank 1 is told of each message that finds a receive or waits for one, with its
 * time. With an argument nobody listens; the run is the same. */
#include <unistd.h>

#include "check.h"

#define MOST 64

struct whole {
    int source, tag;
    MPI_Count bytes;
    int communicator;
};

static struct told {
    char kind;
    struct whole data;
    MPI_Count time;
} told[MOST];
static int count, dropped, farewells, inside, listens;
static MPI_T_event_registration registrations[3];
static const char kinds[3] = {'p', 'u', 'm'};

static void heard(MPI_T_event_instance one, MPI_T_event_registration event, MPI_T_cb_safety safety, void *data) {
    struct told *it = &told[count++];
    int number = -1, flag, found;
    MPI_Count bytes = -1;
    CHECK(count <= MOST && safety == MPI_T_CB_REQUIRE_NONE && !inside++);
    it->kind = *(const char *)data;
    CHECK(it->kind == 'x' || registrations[strchr("pum", it->kind) - "pum"] == event);
    CHECK(!MPI_T_event_get_source(one, &number) && number == 0);
    CHECK(!MPI_T_event_get_timestamp(one, &it->time));
    CHECK(!MPI_T_event_copy(one, &it->data));
    CHECK(!MPI_T_event_read(one, 0, &number) && number == it->data.source);
    CHECK(!MPI_T_event_read(one, 1, &number) && number == it->data.tag);
    CHECK(!MPI_T_event_read(one, 2, &bytes) && bytes == it->data.bytes);
    CHECK(!MPI_T_event_read(one, 3, &number) && number == it->data.communicator);
    CHECK(MPI_T_event_read(one, 4, &number) == MPI_T_ERR_INVALID_INDEX);
    CHECK(MPI_T_event_read(one, 0, NULL) == MPI_T_ERR_INVALID);
    /* MPI may be called here, and that does not begin another callback. */
    CHECK(!MPI_Initialized(&flag));
    if (flag) CHECK(!MPI_Comm_rank(MPI_COMM_WORLD, &found) && found == 1);
    inside--;
}

static void lost(MPI_Count missed, MPI_T_event_registration event, int source, MPI_T_cb_safety safety, void *data) {
    CHECK(event == registrations[1] && source == 0 && safety == MPI_T_CB_REQUIRE_NONE);
    CHECK(*(const char *)data == 'u');
    dropped += missed;
}

static void farewell(MPI_T_event_registration event, MPI_T_cb_safety safety, void *data) {
    (void)event;
    CHECK(safety == MPI_T_CB_REQUIRE_NONE && data == &farewells && !inside);
    farewells++;
}

static void frees_itself(MPI_T_event_instance one, MPI_T_event_registration event, MPI_T_cb_safety safety, void *data) {
    (void)one, (void)safety, (void)data;
    inside++;
    CHECK(!MPI_T_event_handle_free(event, &farewells, farewell) && farewells == 1);
    CHECK(MPI_T_event_handle_free(event, NULL, NULL) == MPI_T_ERR_INVALID_HANDLE);
    inside--;
}

static MPI_T_event_registration listen_to(const char *name, const char *kind) {
    MPI_T_event_registration made = NULL;
    int index;
    CHECK(!MPI_T_event_get_index(name, &index));
    CHECK(!MPI_T_event_handle_alloc(index, NULL, MPI_INFO_NULL, &made) && made);
    CHECK(!MPI_T_event_register_callback(made, MPI_T_CB_REQUIRE_MPI_RESTRICTED, MPI_INFO_NULL, (void *)kind, heard));
    return made;
}

static void expect(int at, char kind, int source, int tag, int bytes, MPI_Comm comm) {
    struct told *it = &told[at];
    if (!listens) return;
    CHECK(at < count && it->kind == kind);
    CHECK(it->data.source == source && it->data.tag == tag && it->data.bytes == bytes);
    CHECK(it->data.communicator == MPI_Comm_c2f(comm));
}

static void room(int events) {
    char text[16];
    MPI_Info info;
    snprintf(text, sizeof text, "%d", events);
    MPI_Info_create(&info);
    MPI_Info_set(info, "event_buffer", text);
    MPI_Info_set(info, "nobody_knows", "this");
    CHECK(!MPI_T_event_handle_set_info(registrations[1], info));
    MPI_Info_free(&info);
    int flag, length = sizeof text, entries;
    CHECK(!MPI_T_event_handle_get_info(registrations[1], &info));
    MPI_Info_get_string(info, "event_buffer", &length, text, &flag);
    CHECK(flag && atoi(text) == events);
    CHECK(!MPI_Info_get_nkeys(info, &entries) && entries == 1);
    MPI_Info_free(&info);
}

/* Three messages wait for their receives; then one finds its receive, in another communicator. */
static void matches(void) {
    int data[3] = {1, 2, 3}, got[3];
    MPI_Count sent[3];
    MPI_Comm other;
    MPI_Request request;
    MPI_Status status;
    MPI_Comm_dup(MPI_COMM_WORLD, &other);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        for (int tag = 0; tag < 3; tag++) {
            sent[tag] = (MPI_Count)(MPI_Wtime() * 1e12 + 0.5);
            MPI_Send(data, tag, MPI_INT, 1, tag, MPI_COMM_WORLD);
            usleep(2);
        }
        MPI_Send(sent, 3, MPI_COUNT, 1, 9, other);
    }
    if (rank == 1) {
        CHECK(count == 0);
        /* Nothing is told while the rank computes, only when a call ends. */
        usleep(100);
        CHECK(count == 0);
        for (int i = 0; i < 3; i++) {
            MPI_Recv(got, 3, MPI_INT, MPI_ANY_SOURCE, 2 - i, MPI_COMM_WORLD, &status);
            CHECK(!listens || count == 5 + i);
        }
        MPI_Recv(sent, 3, MPI_COUNT, 0, 9, other, MPI_STATUS_IGNORE);
        for (int tag = 0; tag < 3; tag++) {
            expect(tag, 'u', 0, tag, 4 * tag, MPI_COMM_WORLD);
            /* The network takes a microsecond. */
            CHECK(!listens || told[tag].time == sent[tag] + 1000000);
        }
        expect(3, 'u', 0, 9, 24, other);
        for (int i = 0; i < 3; i++) expect(4 + i, 'm', 0, 2 - i, 4 * (2 - i), MPI_COMM_WORLD);
        expect(7, 'm', 0, 9, 24, other);
        CHECK(!listens || count == 8);
        MPI_Irecv(got, 3, MPI_INT, 0, 4, other, &request);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) MPI_Ssend(data, 3, MPI_INT, 1, 4, other);
    if (rank == 1) {
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        expect(8, 'p', 0, 4, 12, other);
        CHECK(!listens || count == 9);
        for (int i = 1; listens && i < count; i++) CHECK(told[i].time >= told[i - 1].time);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Comm_free(&other);
}

/* There is room for two of five events. */
static void drops(void) {
    int value = 7;
    count = 0;
    if (rank == 1 && listens) {
        room(2);
        CHECK(!MPI_T_event_set_dropped_handler(registrations[1], lost));
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        for (int tag = 0; tag < 5; tag++) MPI_Send(&value, 1, MPI_INT, 1, tag, MPI_COMM_WORLD);
    if (rank == 1) {
        usleep(100);
        for (int tag = 0; tag < 5; tag++) {
            MPI_Recv(&value, 1, MPI_INT, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            CHECK(!listens || (count == 3 + tag && dropped == 3));
        }
        expect(0, 'u', 0, 0, 4, MPI_COMM_WORLD);
        expect(1, 'u', 0, 1, 4, MPI_COMM_WORLD);
        if (listens) room(1000);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

/* A registration that is freed by its callback, one without a callback, and two callbacks of different safety. */
static void registered(void) {
    MPI_T_event_registration own = NULL, late = NULL;
    MPI_Info info;
    int value = 7, entries = -1;
    count = 0;
    if (rank == 1 && listens) {
        CHECK(!MPI_T_event_handle_free(registrations[0], &farewells, farewell) && farewells == 1);
        CHECK(!MPI_T_event_handle_free(registrations[2], NULL, NULL));
        CHECK(!MPI_T_event_handle_alloc(1, NULL, MPI_INFO_NULL, &own));
        CHECK(MPI_T_event_register_callback(own, (MPI_T_cb_safety)7, MPI_INFO_NULL, NULL, heard) == MPI_T_ERR_INVALID);
        CHECK(!MPI_T_event_register_callback(own, MPI_T_CB_REQUIRE_THREAD_SAFE, MPI_INFO_NULL, (void *)"x", heard));
        CHECK(!MPI_T_event_register_callback(own, MPI_T_CB_REQUIRE_NONE, MPI_INFO_NULL, NULL, frees_itself));
        CHECK(!MPI_T_event_callback_set_info(own, MPI_T_CB_REQUIRE_NONE, MPI_INFO_NULL));
        CHECK(!MPI_T_event_callback_get_info(own, MPI_T_CB_REQUIRE_NONE, &info));
        CHECK(!MPI_Info_get_nkeys(info, &entries) && entries == 0);
        MPI_Info_free(&info);
        CHECK(MPI_T_event_callback_get_info(own, MPI_T_CB_REQUIRE_ASYNC_SIGNAL_SAFE, &info) == MPI_T_ERR_INVALID);
        /* The general one is quiet from here on. */
        CHECK(!MPI_T_event_register_callback(registrations[1], MPI_T_CB_REQUIRE_MPI_RESTRICTED, MPI_INFO_NULL, NULL,
                                             NULL));
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        for (int tag = 0; tag < 2; tag++) MPI_Send(&value, 1, MPI_INT, 1, tag, MPI_COMM_WORLD);
    if (rank == 1) {
        usleep(100);
        /* This one begins to listen after both have come. */
        if (listens) late = listen_to("message_unexpected", "x");
        for (int tag = 0; tag < 2; tag++)
            MPI_Recv(&value, 1, MPI_INT, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        CHECK(count == 0 && (!listens || farewells == 2));
        if (listens) CHECK(!MPI_T_event_handle_free(late, NULL, NULL));
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

/* A rank waits in a blocking receive while another begins to listen. */
static void begins_late(void) {
    int value = 7;
    MPI_T_event_registration mine = NULL;
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1) MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 0) {
        usleep(10);
        if (listens) {
            CHECK(!MPI_T_event_handle_alloc(0, NULL, MPI_INFO_NULL, &mine));
            CHECK(!MPI_T_event_register_callback(mine, MPI_T_CB_REQUIRE_NONE, MPI_INFO_NULL, (void *)"x", heard));
        }
        MPI_Send(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
        if (listens) CHECK(!MPI_T_event_handle_free(mine, NULL, NULL));
    }
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK(count == 0);
}

static void polls(void) {
    int value = rank, flag = 0;
    MPI_Request request;
    count = 0;
    if (rank == 0) {
        usleep(50);
        MPI_Send(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    }
    if (rank == 1) {
        MPI_Irecv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
        while (!flag) MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
        expect(0, 'p', 0, 0, 4, MPI_COMM_WORLD);
        CHECK(count == listens);
    }
}

int main(int argc, char **argv) {
    int provided;
    MPI_Count before, after;
    CHECK(!MPI_T_init_thread(MPI_THREAD_SINGLE, &provided));
    begin(&argc, &argv);
    listens = argc == 1;
    begins_late();
    if (rank == 1 && listens) {
        registrations[0] = listen_to("message_matched_posted", &kinds[0]);
        registrations[1] = listen_to("message_unexpected", &kinds[1]);
        registrations[2] = listen_to("message_matched_unexpected", &kinds[2]);
    }
    polls();
    count = 0;
    matches();
    drops();
    registered();
    CHECK(!MPI_T_source_get_timestamp(0, &before));
    usleep(5);
    CHECK(!MPI_T_source_get_timestamp(0, &after) && after >= before + 5000000);
    CHECK(!MPI_T_finalize());
    MPI_Finalize();
    return 0;
}
