/* Helper functions for the routines of all plans. */
#define _GNU_SOURCE
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char *plan_name = "?";

static uint64_t mix(uint64_t hash, uint64_t value) {
    hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
    return hash ^ hash >> 29;
}

/* Fills memory with bytes that depend on the four numbers of the key only. */
static void fill(void *place, long bytes, uint64_t a, uint64_t b, uint64_t c, uint64_t d) {
    unsigned char *out = place;
    uint64_t key = mix(mix(mix(mix(0x517cc1b7, a), b), c), d);
    for (long at = 0; at < bytes; at++)
        out[at] = (unsigned char)(mix(mix(key, at / 8), 7) >> at % 8 * 8);
}

/* Fills a buffer with a client's question. */
static void ask(void *place, long bytes, uint64_t a, uint64_t b, uint64_t c, uint64_t d) {
    unsigned char *out = place;
    uint64_t key = mix(mix(mix(mix(mix(0x517cc1b7, a), b), c), d), 5);
    for (long at = 0; at < bytes; at++)
        out[at] = (unsigned char)(mix(mix(key, at / 8), 7) >> at % 8 * 8);
}

static void answer(const void *question, void *place, long bytes) {
    const unsigned char *in = question;
    unsigned char *out = place;
    for (long at = 0; at < bytes; at++)
        out[at] = (unsigned char)(in[bytes - 1 - at] * 3 + 1);
}

/* Fills a rank's data for a collective: elements of `size` bytes, `extent` bytes apart. */
static void give(void *place, long bytes, int code, int size, int extent, uint64_t a, uint64_t b,
                 uint64_t c, uint64_t d) {
    unsigned char *noise = malloc(bytes + 1), *out = place;
    fill(noise, bytes, a, b, c, d);
    for (long at = 0; at < bytes / size; at++, out += extent) {
        double value;
        int index;
        switch (code) {
        case 1:
            value = noise[at];
            memcpy(out, &value, sizeof value);
            break;
        case 2:
            value = noise[at] % 4;
            index = noise[at] % 7;
            memcpy(out, &value, sizeof value);
            memcpy(out + sizeof value, &index, sizeof index);
            break;
        case 3:
            index = noise[at] % 3;
            memcpy(out, &index, sizeof index);
            break;
        case 4:
            *out = noise[at] % 251;
            break;
        default:
            memcpy(out, noise + at * size, size);
        }
    }
    free(noise);
}

static uint64_t hash_of(const unsigned char *bytes, long length) {
    uint64_t hash = 0xcbf29ce484222325u;
    for (long at = 0; at < length; at++)
        hash = (hash ^ bytes[at]) * 0x100000001b3u;
    return hash;
}

static void differs(int step, const char *what) {
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    fprintf(stderr, "%s, rank %d, step %d: %s\n", plan_name, rank, step, what);
    exit(3);
}

/* Reads memory whose contents nobody knows. */
static void look(const void *place, long bytes) {
    static volatile uint64_t seen;
    seen = hash_of(place, bytes);
}

/* Writes the first bytes of a number. */
static void word(void *place, long bytes, uint64_t value) { memcpy(place, &value, bytes); }

static void check(int step, const void *place, long bytes, uint64_t expected) {
    const unsigned char *in = place;
    if (hash_of(in, bytes) == expected)
        return;
    for (long at = 0; at < bytes && at < 200; at++)
        fprintf(stderr, "%02x%s", in[at], at % 32 == 31 ? "\n" : "");
    differs(step, "the buffer holds other bytes");
}

static void check_status(int step, const MPI_Status *status, int source, int tag, int bytes) {
    char text[200];
    int count;
    MPI_Get_count(status, MPI_BYTE, &count);
    if (status->MPI_SOURCE == source && status->MPI_TAG == tag && count == bytes)
        return;
    snprintf(text, sizeof text, "source %d, tag %d, %d bytes instead of %d, %d, %d",
             status->MPI_SOURCE, status->MPI_TAG, count, source, tag, bytes);
    differs(step, text);
}

static void check_cancelled(int step, const MPI_Status *status) {
    int flag = 0;
    MPI_Test_cancelled(status, &flag);
    if (!flag)
        differs(step, "nobody sent this, but it was not cancelled");
}

static void check_group(int step, MPI_Group group, int count, const int *expected) {
    int size, world_rank;
    MPI_Group world;
    MPI_Group_size(group, &size);
    if (size != count)
        differs(step, "the group has another size");
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    for (int rank = 0; rank < size; rank++) {
        MPI_Group_translate_ranks(group, 1, &rank, world, &world_rank);
        if (world_rank != expected[rank])
            differs(step, "the group has another member");
    }
    MPI_Group_free(&world);
    MPI_Group_free(&group);
}

static void check_comm(int step, MPI_Comm comm, int rank, int count, const int *members,
                       int remote_count, const int *remote) {
    int told, inter;
    MPI_Group group;
    MPI_Comm_rank(comm, &told);
    if (told != rank)
        differs(step, "another rank in the new communicator");
    MPI_Comm_group(comm, &group);
    check_group(step, group, count, members);
    MPI_Comm_test_inter(comm, &inter);
    if (inter != (remote_count > 0))
        differs(step, "another kind of communicator");
    if (inter) {
        MPI_Comm_remote_group(comm, &group);
        check_group(step, group, remote_count, remote);
    }
}

/* Messages of a wildcard receive, whose sources may come in any order. */
static struct {
    int source, tag, bytes, taken;
    uint64_t hash;
} expected[64];
static int expected_count;

static void expect_nothing(void) { expected_count = 0; }

static void expect(int source, int tag, int bytes, uint64_t hash) {
    expected[expected_count].source = source;
    expected[expected_count].tag = tag;
    expected[expected_count].bytes = bytes;
    expected[expected_count].taken = 0;
    expected[expected_count++].hash = hash;
}

static void arrived(int step, const MPI_Status *status, const void *place) {
    for (int at = 0; at < expected_count; at++)
        if (!expected[at].taken && expected[at].source == status->MPI_SOURCE) {
            expected[at].taken = 1;
            check_status(step, status, expected[at].source, expected[at].tag, expected[at].bytes);
            check(step, place, expected[at].bytes, expected[at].hash);
            return;
        }
    differs(step, "nobody sent this");
}

static void compute(long nanoseconds) {
    struct timespec time = {nanoseconds / 1000000000, nanoseconds % 1000000000};
    nanosleep(&time, NULL);
}

static void detach(int bytes) {
    void *place;
    int size;
    MPI_Buffer_detach(&place, &size);
    if (size != bytes)
        differs(-1, "the attached buffer has another size");
}

static void modular(void *in, void *inout, int *count, MPI_Datatype *type) {
    unsigned char *left = in, *right = inout;
    (void)type;
    for (int at = 0; at < *count; at++)
        right[at] = (left[at] + right[at]) % 251;
}

/* Composition left(right(x)) of the maps x -> a x + b. */
static void compose(void *in, void *inout, int *count, MPI_Datatype *type) {
    unsigned char *left = in, *right = inout;
    (void)type;
    for (int at = 0; at < *count; at++, left += 2, right += 2) {
        unsigned char a = left[0] * right[0], b = left[0] * right[1] + left[1];
        right[0] = a;
        right[1] = b;
    }
}

static void same(const MPI_Status *seen, const MPI_Status *status) {
    int one, two;
    MPI_Get_count(seen, MPI_BYTE, &one);
    MPI_Get_count(status, MPI_BYTE, &two);
    if (seen->MPI_SOURCE != status->MPI_SOURCE || seen->MPI_TAG != status->MPI_TAG || one != two)
        differs(-1, "the probe saw another message");
}

static void probe_receive(void *place, int count, MPI_Datatype type, int source, int tag,
                          MPI_Comm comm, MPI_Status *status) {
    MPI_Status seen;
    MPI_Probe(source, tag, comm, &seen);
    MPI_Recv(place, count, type, seen.MPI_SOURCE, seen.MPI_TAG, comm, status);
    same(&seen, status);
}

static void poll_receive(void *place, int count, MPI_Datatype type, int source, int tag,
                         MPI_Comm comm, MPI_Status *status) {
    MPI_Status seen;
    int flag = 0;
    while (!flag)
        MPI_Iprobe(source, tag, comm, &flag, &seen);
    MPI_Recv(place, count, type, seen.MPI_SOURCE, seen.MPI_TAG, comm, status);
    same(&seen, status);
}

static void matched_receive(void *place, int count, MPI_Datatype type, int source, int tag,
                            MPI_Comm comm, MPI_Status *status) {
    MPI_Status seen;
    MPI_Message message;
    MPI_Mprobe(source, tag, comm, &message, &seen);
    MPI_Mrecv(place, count, type, &message, status);
    same(&seen, status);
}

static void poll_matched_receive(void *place, int count, MPI_Datatype type, int source, int tag,
                                 MPI_Comm comm, MPI_Status *status) {
    MPI_Status seen;
    MPI_Message message;
    MPI_Request request;
    int flag = 0;
    while (!flag)
        MPI_Improbe(source, tag, comm, &flag, &message, &seen);
    MPI_Imrecv(place, count, type, &message, &request);
    MPI_Wait(&request, status);
    same(&seen, status);
}

static void wait_any(int count, MPI_Request *requests, MPI_Status *statuses) {
    MPI_Status status;
    int index;
    for (;;) {
        MPI_Waitany(count, requests, &index, &status);
        if (index == MPI_UNDEFINED)
            return;
        statuses[index] = status;
    }
}

static void test_any(int count, MPI_Request *requests, MPI_Status *statuses) {
    MPI_Status status;
    int index, flag;
    for (;;) {
        MPI_Testany(count, requests, &index, &flag, &status);
        if (flag && index == MPI_UNDEFINED)
            return;
        if (flag)
            statuses[index] = status;
    }
}

static void wait_some(int count, MPI_Request *requests, MPI_Status *statuses) {
    MPI_Status found[64];
    int indices[64], done;
    for (;;) {
        MPI_Waitsome(count, requests, &done, indices, found);
        if (done == MPI_UNDEFINED)
            return;
        for (int at = 0; at < done; at++)
            statuses[indices[at]] = found[at];
    }
}

static void test_some(int count, MPI_Request *requests, MPI_Status *statuses) {
    MPI_Status found[64];
    int indices[64], done;
    for (;;) {
        MPI_Testsome(count, requests, &done, indices, found);
        if (done == MPI_UNDEFINED)
            return;
        for (int at = 0; at < done; at++)
            statuses[indices[at]] = found[at];
    }
}

static void ask_all(int count, MPI_Request *requests, MPI_Status *statuses) {
    for (int at = 0; at < count; at++) {
        int flag = 0;
        while (!flag)
            MPI_Request_get_status(requests[at], &flag, MPI_STATUS_IGNORE);
    }
    MPI_Waitall(count, requests, statuses);
}
