/* Faults that have to be called by their right names. Each case runs on three ranks. */
#include <mpi.h>
#include <string.h>

static int rank, size, a, b;
static MPI_Comm copy;
static MPI_Request request;
static MPI_Status status;

static void message_in_another_communicator(void) {
    if (rank == 0) MPI_Send(&a, 1, MPI_INT, 1, 4, copy);
    if (rank == 1) MPI_Recv(&b, 1, MPI_INT, 0, 4, MPI_COMM_WORLD, &status);
}

static void reply_in_another_communicator(void) {
    if (rank == 0) {
        MPI_Send(&a, 1, MPI_INT, 1, 4, copy);
        MPI_Recv(&b, 1, MPI_INT, 1, 5, copy, &status);
    }
    if (rank == 1) {
        MPI_Recv(&b, 1, MPI_INT, 0, 4, copy, &status);
        MPI_Send(&b, 1, MPI_INT, 0, 5, MPI_COMM_WORLD);
    }
}

static void synchronous_in_another_communicator(void) {
    if (rank == 0) MPI_Ssend(&a, 1, MPI_INT, 1, 4, copy);
    if (rank == 1) {
        MPI_Irecv(&b, 1, MPI_INT, 0, 4, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, &status);
    }
}

static void barrier_on_another_communicator(void) {
    MPI_Barrier(rank == 0 ? copy : MPI_COMM_WORLD);
}

static void broadcast_on_another_communicator(void) {
    MPI_Bcast(&a, 1, MPI_INT, 0, rank == 0 ? copy : MPI_COMM_WORLD);
}

static void reduction_on_another_communicator(void) {
    MPI_Iallreduce(&a, &b, 1, MPI_INT, MPI_SUM, rank == 2 ? copy : MPI_COMM_WORLD, &request);
    MPI_Wait(&request, &status);
}

static void another_tag(void) {
    if (rank == 0) MPI_Send(&a, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
    if (rank == 1) MPI_Recv(&b, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, &status);
}

/* Messages of other data, or too long, are not the ones that the receive is meant for. */
static void another_tag_beside_other_data(void) {
    double d[2] = {1, 2};
    int pair[2] = {1, 2};
    MPI_Request sends[3];
    if (rank == 0) {
        MPI_Isend(d, 1, MPI_DOUBLE, 1, 1, MPI_COMM_WORLD, &sends[0]);
        MPI_Isend(pair, 2, MPI_INT, 1, 3, MPI_COMM_WORLD, &sends[1]);
        MPI_Isend(&a, 1, MPI_INT, 1, 5, MPI_COMM_WORLD, &sends[2]);
        MPI_Waitall(3, sends, MPI_STATUSES_IGNORE);
    }
    if (rank == 1) MPI_Recv(&b, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, &status);
}

static void another_receiver(void) {
    if (rank == 0) MPI_Ssend(&a, 1, MPI_INT, 2, 1, MPI_COMM_WORLD);
    if (rank == 1) MPI_Recv(&b, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &status);
}

static void destination_and_tag_exchanged(void) {
    if (rank > 0) MPI_Send(&a, 1, MPI_INT, rank, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Recv(&b, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, &status);
        MPI_Recv(&b, 1, MPI_INT, 2, 2, MPI_COMM_WORLD, &status);
    }
}

static void another_source(void) {
    if (rank == 0) MPI_Send(&a, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
    if (rank == 1) MPI_Recv(&b, 1, MPI_INT, 2, 1, MPI_COMM_WORLD, &status);
}

static void no_message_at_all(void) {
    if (rank == 1) MPI_Recv(&b, 1, MPI_INT, -1, 1, MPI_COMM_WORLD, &status);
}

static void send_never_started(void) {
    /* A request that was started, and whose place the next one takes. */
    MPI_Send_init(&b, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD, &request);
    MPI_Start(&request);
    MPI_Wait(&request, &status);
    MPI_Request_free(&request);
    if (rank == 0) {
        MPI_Send_init(&a, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, &status);
        MPI_Request_free(&request);
    }
    if (rank == 1) MPI_Recv(&b, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &status);
}

static void receive_never_started(void) {
    if (rank == 0) MPI_Send(&a, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
    if (rank == 1) {
        MPI_Recv_init(&b, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, &status);
        MPI_Request_free(&request);
    }
}

static void one_of_a_ring_never_started(void) {
    MPI_Request both[2];
    MPI_Send_init(&a, 1, MPI_INT, (rank + 1) % size, 0, MPI_COMM_WORLD, &both[0]);
    MPI_Recv_init(&b, 1, MPI_INT, (rank + size - 1) % size, 0, MPI_COMM_WORLD, &both[1]);
    if (rank == 1) MPI_Start(&both[1]); else MPI_Startall(2, both);
    MPI_Waitall(2, both, MPI_STATUSES_IGNORE);
    MPI_Request_free(&both[0]);
    MPI_Request_free(&both[1]);
}

static void started_late(void) {
    int turn;
    if (rank == 0) MPI_Send_init(&a, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, &request);
    if (rank == 1) MPI_Recv_init(&b, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &request);
    for (turn = 0; turn < 3 && rank < 2; turn++) {
        MPI_Wait(&request, &status);
        MPI_Start(&request);
    }
    if (rank < 2) {
        MPI_Wait(&request, &status);
        MPI_Request_free(&request);
    }
}

static void deadlock_in_one_order(void) {
    if (rank == 0) {
        MPI_Recv(&a, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
        MPI_Recv(&a, 1, MPI_INT, 2, 0, MPI_COMM_WORLD, &status);
    } else {
        MPI_Send(&a, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
}

static void deadlock_after_a_test(void) {
    int flag = 0;
    if (rank == 0) {
        MPI_Irecv(&a, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        MPI_Recv(&b, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, &status);
        MPI_Test(&request, &flag, &status);
        if (!flag) MPI_Recv(&b, 1, MPI_INT, 1, 2, MPI_COMM_WORLD, &status);
    }
    if (rank == 1) {
        MPI_Send(&a, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        MPI_Send(&a, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    }
}

static void room_for_the_data_only(void) {
    char room[16], data[16] = "";
    void *back;
    int bytes;
    if (rank == 0) {
        MPI_Buffer_attach(room, sizeof room);
        MPI_Bsend(data, 16, MPI_CHAR, 1, 0, MPI_COMM_WORLD);
        MPI_Buffer_detach(&back, &bytes);
    }
    if (rank == 1) MPI_Recv(room, 16, MPI_CHAR, 0, 0, MPI_COMM_WORLD, &status);
}

static void less_room_than_data(void) {
    char room[16], data[16] = "";
    if (rank == 0) {
        MPI_Buffer_attach(room, 15);
        MPI_Bsend(data, 16, MPI_CHAR, 1, 0, MPI_COMM_WORLD);
    }
    if (rank == 1) MPI_Recv(room, 16, MPI_CHAR, 0, 0, MPI_COMM_WORLD, &status);
}

/* The first message fits, the second without its overhead, the third does not. */
static void room_for_one_of_three(void) {
    static char room[400 + MPI_BSEND_OVERHEAD], data[400];
    if (rank == 0) {
        MPI_Buffer_attach(room, sizeof room);
        for (int to = 0; to < 3; to++) MPI_Bsend(data, 400, MPI_CHAR, 1 + to % 2, 0, MPI_COMM_WORLD);
    }
    if (rank == 1) MPI_Recv(data, 400, MPI_CHAR, 0, 0, MPI_COMM_WORLD, &status);
}

static void a_library_beside_the_program(void) {
    if (rank == 0) {
        MPI_Send(&a, 1, MPI_INT, 1, 4, copy);
        MPI_Send(&a, 1, MPI_INT, 1, 4, MPI_COMM_WORLD);
    }
    if (rank == 1) {
        MPI_Irecv(&a, 1, MPI_INT, 0, 4, MPI_COMM_WORLD, &request);
        MPI_Recv(&b, 1, MPI_INT, 0, 4, copy, &status);
        MPI_Wait(&request, &status);
    }
    MPI_Barrier(copy);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void two_communicators_beside_a_lost_message(void) {
    MPI_Request both[2];
    if (rank == 0) MPI_Recv(&a, 1, MPI_INT, 1, 9, MPI_COMM_WORLD, &status);
    MPI_Iallreduce(&rank, &a, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &both[0]);
    MPI_Iallreduce(&rank, &b, 1, MPI_INT, MPI_SUM, copy, &both[1]);
    MPI_Waitall(2, both, MPI_STATUSES_IGNORE);
}

static void two_manners_beside_a_lost_message(void) {
    int all[3];
    if (rank == 0) MPI_Recv(&a, 1, MPI_INT, 1, 9, MPI_COMM_WORLD, &status);
    MPI_Igather(&rank, 1, MPI_INT, all, 1, MPI_INT, 2, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, &status);
    MPI_Gather_init(&rank, 1, MPI_INT, all, 1, MPI_INT, 2, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    MPI_Start(&request);
    MPI_Wait(&request, &status);
    MPI_Request_free(&request);
}

struct sample { double mean; long count; };

static void subtract(void *in, void *out, int *count, MPI_Datatype *type) {
    int i, *left = in, *right = out;
    for (i = 0; i < *count; i++) right[i] = left[i] - right[i];
    (void)type;
}

static void left_operand(void *in, void *out, int *count, MPI_Datatype *type) {
    memcpy(out, in, *count * sizeof(int));
    (void)type;
}

static void average(void *in, void *out, int *count, MPI_Datatype *type) {
    struct sample *left = in, *right = out;
    int i;
    for (i = 0; i < *count; i++) {
        long both = left[i].count + right[i].count;
        right[i].mean = left[i].mean + (right[i].mean - left[i].mean) * right[i].count / both;
        right[i].count = both;
    }
    (void)type;
}

static void first_of_the_largest(void *in, void *out, int *count, MPI_Datatype *type) {
    int i, *left = in, *right = out;
    for (i = 0; i < *count; i++)
        if (left[2 * i] >= right[2 * i]) memcpy(&right[2 * i], &left[2 * i], 2 * sizeof *left);
    (void)type;
}

static void first_element_only(void *in, void *out, int *count, MPI_Datatype *type) {
    int *left = in, *right = out;
    right[0] += left[0];
    (void)count, (void)type;
}

static void into_the_first_operand(void *in, void *out, int *count, MPI_Datatype *type) {
    int i, *left = in, *right = out;
    for (i = 0; i < *count; i++) left[i] += right[i];
    (void)type;
}

/* The variable that is written is in the same place as a smaller one of the call before. */
static void reads_performance_variables(void) {
    MPI_T_pvar_session session;
    MPI_T_pvar_handle handle;
    int provided, count, round;
    MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
    MPI_T_pvar_session_create(&session);
    MPI_T_pvar_handle_alloc(session, 0, NULL, &handle, &count);
    for (round = 0; round < 3; round++) {
        {
            long long values[32];
            MPI_T_pvar_read(session, handle, values);
        }
        {
            int own;
            MPI_Comm_rank(MPI_COMM_WORLD, &own);
        }
    }
    MPI_T_pvar_handle_free(session, &handle);
    MPI_T_pvar_session_free(&session);
    MPI_T_finalize();
}

static void mean_of_two(void *in, void *out, int *count, MPI_Datatype *type) {
    int i;
    double *left = in, *right = out;
    for (i = 0; i < *count; i++) right[i] = (left[i] + right[i]) / 2;
    (void)type;
}

static void of_the_larger_first(void *in, void *out, int *count, MPI_Datatype *type) {
    int *left = in, *right = out;
    if (left[0] + left[1] > right[0] + right[1]) memcpy(right, left, *count * sizeof *left);
    (void)type;
}

static void reduce_by(MPI_User_function *function, int commute) {
    int values[2], result[2];
    MPI_Op op;
    values[0] = 7 + rank;
    values[1] = rank * rank;
    MPI_Op_create(function, commute, &op);
    MPI_Allreduce(values, result, 2, MPI_INT, op, MPI_COMM_WORLD);
    MPI_Op_free(&op);
}

static void commutative_by_mistake(void) { reduce_by(subtract, 1); }
static void not_commutative(void) { reduce_by(left_operand, 0); }
static void not_associative(void) { reduce_by(subtract, 0); }
static void combines_one_element(void) { reduce_by(first_element_only, 1); }
static void combines_into_the_first(void) { reduce_by(into_the_first_operand, 0); }
static void combines_means(void) {
    double value = rank, mean;
    MPI_Op op;
    MPI_Op_create(mean_of_two, 1, &op);
    MPI_Allreduce(&value, &mean, 1, MPI_DOUBLE, op, MPI_COMM_WORLD);
    MPI_Op_free(&op);
}
static void combines_pairs(void) { reduce_by(of_the_larger_first, 1); }

static void commutative_but_for_rounding(void) {
    struct sample mine, all;
    MPI_Datatype pair, parts[] = {MPI_DOUBLE, MPI_LONG};
    MPI_Aint places[] = {0, sizeof(double)};
    int lengths[] = {1, 1}, values[2], result[2];
    MPI_Op op;
    mine.mean = 0.1 + rank / 3.0;
    mine.count = 3 + rank;
    MPI_Type_create_struct(2, lengths, places, parts, &pair);
    MPI_Type_commit(&pair);
    MPI_Op_create(average, 1, &op);
    MPI_Allreduce(&mine, &all, 1, pair, op, MPI_COMM_WORLD);
    MPI_Op_free(&op);
    MPI_Type_free(&pair);
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    values[0] = 5;
    values[1] = rank;
    MPI_Op_create(first_of_the_largest, 1, &op);
    MPI_Allreduce(values, result, 1, pair, op, MPI_COMM_WORLD);
    MPI_Op_free(&op);
    MPI_Type_free(&pair);
}

static void locks_in_opposite_order(void) {
    int *memory;
    MPI_Win window;
    MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
    if (rank < 2) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, window);
        MPI_Get(&a, 1, MPI_INT, rank, 0, 1, MPI_INT, window);
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1 - rank, 0, window);
        MPI_Get(&b, 1, MPI_INT, 1 - rank, 0, 1, MPI_INT, window);
        MPI_Win_unlock(1 - rank, window);
        MPI_Win_unlock(rank, window);
    }
    MPI_Win_free(&window);
}

static const struct { const char *name; void (*function)(void); } cases[] = {
    {"message_in_another_communicator", message_in_another_communicator},
    {"reply_in_another_communicator", reply_in_another_communicator},
    {"synchronous_in_another_communicator", synchronous_in_another_communicator},
    {"barrier_on_another_communicator", barrier_on_another_communicator},
    {"broadcast_on_another_communicator", broadcast_on_another_communicator},
    {"reduction_on_another_communicator", reduction_on_another_communicator},
    {"another_tag", another_tag},
    {"another_tag_beside_other_data", another_tag_beside_other_data},
    {"another_receiver", another_receiver},
    {"destination_and_tag_exchanged", destination_and_tag_exchanged},
    {"another_source", another_source},
    {"no_message_at_all", no_message_at_all},
    {"send_never_started", send_never_started},
    {"receive_never_started", receive_never_started},
    {"one_of_a_ring_never_started", one_of_a_ring_never_started},
    {"started_late", started_late},
    {"deadlock_in_one_order", deadlock_in_one_order},
    {"deadlock_after_a_test", deadlock_after_a_test},
    {"room_for_the_data_only", room_for_the_data_only},
    {"less_room_than_data", less_room_than_data},
    {"room_for_one_of_three", room_for_one_of_three},
    {"a_library_beside_the_program", a_library_beside_the_program},
    {"two_communicators_beside_a_lost_message", two_communicators_beside_a_lost_message},
    {"two_manners_beside_a_lost_message", two_manners_beside_a_lost_message},
    {"locks_in_opposite_order", locks_in_opposite_order},
    {"commutative_by_mistake", commutative_by_mistake},
    {"not_commutative", not_commutative},
    {"not_associative", not_associative},
    {"combines_one_element", combines_one_element},
    {"combines_into_the_first", combines_into_the_first},
    {"combines_means", combines_means},
    {"reads_performance_variables", reads_performance_variables},
    {"combines_pairs", combines_pairs},
    {"commutative_but_for_rounding", commutative_but_for_rounding},
};

int main(int count, char **words) {
    size_t i;
    MPI_Init(&count, &words);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    for (i = 0; i < sizeof cases / sizeof cases[0]; i++)
        if (count > 1 && strcmp(cases[i].name, words[1]) == 0) cases[i].function();
    MPI_Comm_free(&copy);
    MPI_Finalize();
    return 0;
}
