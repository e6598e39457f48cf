/* Collective calls in which no rank waits for the others. Each case runs on two ranks. */
#include <mpi.h>
#include <string.h>

static int rank, a, b[4], counts[2] = {1, 1}, places[2] = {0, 1};
static MPI_Request requests[2];

static void hint_of_one_rank(void) {
    if (rank == 0) MPI_Comm_set_info(MPI_COMM_WORLD, MPI_INFO_NULL);
}

static void hint_before_a_barrier(void) {
    if (rank == 1) MPI_Comm_set_info(MPI_COMM_WORLD, MPI_INFO_NULL);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void hint_of_a_window(void) {
    MPI_Win window;
    MPI_Win_create(&a, sizeof a, sizeof a, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    if (rank == 0) MPI_Win_set_info(window, MPI_INFO_NULL);
    MPI_Win_fence(0, window);
    MPI_Win_free(&window);
}

static void hints_of_all(void) {
    MPI_Win window;
    MPI_Comm copy;
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    MPI_Win_create(&a, sizeof a, sizeof a, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    /* Different objects are in any order. */
    if (rank == 0) MPI_Comm_set_info(copy, MPI_INFO_NULL);
    MPI_Win_set_info(window, MPI_INFO_NULL);
    if (rank == 1) MPI_Comm_set_info(copy, MPI_INFO_NULL);
    if (rank == 0) MPI_Comm_set_info(MPI_COMM_SELF, MPI_INFO_NULL);
    MPI_Win_free(&window);
    MPI_Comm_free(&copy);
}

static void made_by_one_rank(void) {
    if (rank == 1) return;
    MPI_Bcast_init(&a, 1, MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[0]);
    MPI_Request_free(&requests[0]);
}

static void made_before_a_barrier(void) {
    made_by_one_rank();
    MPI_Barrier(MPI_COMM_WORLD);
}

static void run_both(int first) {
    MPI_Start(&requests[first]);
    MPI_Start(&requests[1 - first]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_Request_free(&requests[0]);
    MPI_Request_free(&requests[1]);
}

static void made_in_two_orders(void) {
    if (rank == 1) MPI_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, &requests[1]);
    MPI_Bcast_init(&a, 1, MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[0]);
    if (rank == 0) MPI_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, &requests[1]);
    run_both(0);
}

static void made_and_blocking(void) {
    if (rank == 0) MPI_Bcast_init(&a, 1, MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[0]);
    if (rank == 1) MPI_Bcast(&a, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (rank == 0) MPI_Start(&requests[0]);
    if (rank == 0) MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    if (rank == 0) MPI_Request_free(&requests[0]);
}

static void started_in_two_orders(void) {
    MPI_Allgatherv_init(&a, 1, MPI_INT, b, counts, places, MPI_INT, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[0]);
    MPI_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, &requests[1]);
    run_both(rank);
}

static void gather_with(int change, int started) {
    int lengths[2] = {1, 1}, where[2] = {0, 1};
    MPI_Allgatherv_init(&a, 1, MPI_INT, b, lengths, where, MPI_INT, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[0]);
    while (started-- > 0) {
        MPI_Start(&requests[0]);
        MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
        if (change) where[1] = 2;
    }
    MPI_Request_free(&requests[0]);
    where[0] = 3;
}

static void places_changed_between_starts(void) { gather_with(1, 2); }

static void places_changed_before_the_end(void) { gather_with(1, 1); }

static void places_changed_behind_the_end(void) { gather_with(0, 2); }

static void types_freed_behind_the_initialization(void) {
    int lengths[2] = {1, 1}, where[2] = {0, 4};
    MPI_Datatype types[2];
    for (int at = 0; at < 2; at++) {
        MPI_Type_contiguous(1, MPI_INT, &types[at]);
        MPI_Type_commit(&types[at]);
    }
    int from[2] = {1, 2};
    MPI_Alltoallw_init(from, lengths, where, types, b, lengths, where, types, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[0]);
    for (int at = 0; at < 2; at++) MPI_Type_free(&types[at]);
    MPI_Start(&requests[0]);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    MPI_Request_free(&requests[0]);
}

static const struct {
    const char *name;
    void (*function)(void);
} cases[] = {
    {"hint_of_one_rank", hint_of_one_rank},
    {"hint_before_a_barrier", hint_before_a_barrier},
    {"hint_of_a_window", hint_of_a_window},
    {"hints_of_all", hints_of_all},
    {"made_by_one_rank", made_by_one_rank},
    {"made_before_a_barrier", made_before_a_barrier},
    {"made_in_two_orders", made_in_two_orders},
    {"made_and_blocking", made_and_blocking},
    {"started_in_two_orders", started_in_two_orders},
    {"places_changed_between_starts", places_changed_between_starts},
    {"places_changed_before_the_end", places_changed_before_the_end},
    {"places_changed_behind_the_end", places_changed_behind_the_end},
    {"types_freed_behind_the_initialization", types_freed_behind_the_initialization},
};

int main(int count, char **words) {
    size_t i;
    MPI_Init(&count, &words);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (i = 0; i < sizeof cases / sizeof cases[0]; i++)
        if (count > 1 && strcmp(cases[i].name, words[1]) == 0) cases[i].function();
    if (count > 1 && strcmp("ended_before_a_hint", words[1]) == 0) {
        if (rank == 1) return 3;
        MPI_Comm_set_info(MPI_COMM_WORLD, MPI_INFO_NULL);
    }
    MPI_Finalize();
    return 0;
}
