
/* The helper functions for routines in Fortran: all arguments are passed by address. */
typedef const long *number;

void fill_(void *place, number bytes, number a, number b, number c, number d) {
    fill(place, *bytes, *a, *b, *c, *d);
}

void ask_(void *place, number bytes, number a, number b, number c, number d) {
    ask(place, *bytes, *a, *b, *c, *d);
}

void answer_(const void *question, void *place, number bytes) { answer(question, place, *bytes); }

void give_(void *place, number bytes, number code, number size, number extent, number a, number b,
           number c, number d) {
    give(place, *bytes, (int)*code, (int)*size, (int)*extent, *a, *b, *c, *d);
}

void check_(number step, const void *place, number bytes, number hash) {
    check((int)*step, place, *bytes, (uint64_t)*hash);
}

void look_(const void *place, number bytes) { look(place, *bytes); }

void word_(void *place, number bytes, number value) { word(place, *bytes, (uint64_t)*value); }

static MPI_Status status_of(const MPI_Fint *status) {
    MPI_Status found;
    MPI_Status_f2c(status, &found);
    return found;
}

void check_status_(number step, const MPI_Fint *status, const int *source, const int *tag,
                   number bytes) {
    MPI_Status found = status_of(status);
    check_status((int)*step, &found, *source, *tag, (int)*bytes);
}

void check_cancelled_(number step, const MPI_Fint *status) {
    MPI_Status found = status_of(status);
    check_cancelled((int)*step, &found);
}

void check_comm_(number step, const MPI_Fint *comm, number rank, number count, const int *members,
                 number remote_count, const int *remote) {
    check_comm((int)*step, MPI_Comm_f2c(*comm), (int)*rank, (int)*count, members,
               (int)*remote_count, remote);
}

void expect_nothing_(void) { expect_nothing(); }

void expect_(number source, number tag, number bytes, number hash) {
    expect((int)*source, (int)*tag, (int)*bytes, (uint64_t)*hash);
}

void arrived_(number step, const MPI_Fint *status, const void *place) {
    MPI_Status found = status_of(status);
    arrived((int)*step, &found, place);
}

void compute_(number nanoseconds) { compute(*nanoseconds); }

void detach_(number bytes) { detach((int)*bytes); }

void modular_(void *in, void *inout, int *count, MPI_Fint *type) {
    (void)type;
    modular(in, inout, count, NULL);
}

void compose_(void *in, void *inout, int *count, MPI_Fint *type) {
    (void)type;
    compose(in, inout, count, NULL);
}

typedef void receiver(void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Status *);

static void receive(receiver *how, void *place, number count, const MPI_Fint *type,
                    const int *source, const int *tag, const MPI_Fint *comm, MPI_Fint *status) {
    MPI_Status found;
    how(place, (int)*count, MPI_Type_f2c(*type), *source, *tag, MPI_Comm_f2c(*comm), &found);
    MPI_Status_c2f(&found, status);
}

#define RECEIVER(name)                                                                             \
    void name##_(void *place, number count, const MPI_Fint *type, const int *source,              \
                 const int *tag, const MPI_Fint *comm, MPI_Fint *status) {                         \
        receive(name, place, count, type, source, tag, comm, status);                              \
    }

RECEIVER(probe_receive)
RECEIVER(poll_receive)
RECEIVER(matched_receive)
RECEIVER(poll_matched_receive)

typedef void finisher(int, MPI_Request *, MPI_Status *);

static void finish(finisher *how, number count, MPI_Fint *requests, MPI_Fint *statuses) {
    MPI_Request list[64];
    MPI_Status found[64];
    for (long at = 0; at < *count; at++)
        list[at] = MPI_Request_f2c(requests[at]);
    how((int)*count, list, found);
    for (long at = 0; at < *count; at++) {
        requests[at] = MPI_Request_c2f(list[at]);
        MPI_Status_c2f(&found[at], statuses + at * MPI_F_STATUS_SIZE);
    }
}

#define FINISHER(name)                                                                             \
    void name##_(number count, MPI_Fint *requests, MPI_Fint *statuses) {                           \
        finish(name, count, requests, statuses);                                                   \
    }

FINISHER(wait_any)
FINISHER(wait_some)
FINISHER(test_any)
FINISHER(test_some)
FINISHER(ask_all)
