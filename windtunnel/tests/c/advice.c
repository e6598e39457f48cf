/* Faults whose notes and help have to fit them. Each case runs on two ranks. */
#include <mpi.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static int rank, size, a, b, four[4];
static MPI_Request request;
static MPI_Status status;

/* Waits that nothing ends. */

static void receive_against_barrier(void) {
    if (rank == 0) MPI_Recv(&a, 1, MPI_INT, 1, 4, MPI_COMM_WORLD, &status);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void cancelled_send(void) {
    if (rank == 0) {
        MPI_Isend(&a, 1, MPI_INT, 1, 4, MPI_COMM_WORLD, &request);
        MPI_Cancel(&request);
        MPI_Wait(&request, &status);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1) MPI_Recv(&b, 1, MPI_INT, 0, 4, MPI_COMM_WORLD, &status);
}

/* The buffer holds a message that is received only later. */
static void detached_before_the_receive(void) {
    char buffer[MPI_BSEND_OVERHEAD + 64], *detached;
    int bytes;
    MPI_Buffer_attach(buffer, sizeof buffer);
    MPI_Bsend(&a, 1, MPI_INT, 1 - rank, 4, MPI_COMM_WORLD);
    MPI_Buffer_detach(&detached, &bytes);
    MPI_Recv(&b, 1, MPI_INT, 1 - rank, 4, MPI_COMM_WORLD, &status);
}

static void accepts_nobody(void) {
    char port[MPI_MAX_PORT_NAME];
    MPI_Comm other;
    if (rank == 0) {
        MPI_Open_port(MPI_INFO_NULL, port);
        MPI_Comm_accept(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, &other);
    }
}

/* The message that it depends on is not of the buffer that it uses twice. */
static void sends_what_it_receives(void) {
    MPI_Irecv(&a, 1, MPI_INT, 1 - rank, 4, MPI_COMM_WORLD, &request);
    MPI_Send(&a, 1, MPI_INT, 1 - rank, 5, MPI_COMM_WORLD);
    MPI_Recv(&b, 1, MPI_INT, 1 - rank, 5, MPI_COMM_WORLD, &status);
    MPI_Send(&b, 1, MPI_INT, 1 - rank, 4, MPI_COMM_WORLD);
    MPI_Wait(&request, &status);
}

/* Counts what a probe has found in numbers of another size. */
static void counts_other_numbers(void) {
    double data[4] = {0};
    int count;
    if (rank == 0)
        MPI_Send(data, 4, MPI_DOUBLE, 1, 4, MPI_COMM_WORLD);
    else {
        MPI_Probe(0, 4, MPI_COMM_WORLD, &status);
        MPI_Get_count(&status, MPI_FLOAT, &count);
        MPI_Recv(data, count / 2, MPI_DOUBLE, 0, 4, MPI_COMM_WORLD, &status);
        MPI_Get_count(&status, MPI_DOUBLE, &count);
    }
}

static void both_receive_from_any(void) {
    MPI_Irecv(&a, 1, MPI_INT, MPI_ANY_SOURCE, 77, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, &status);
}

static MPI_Win exposed(MPI_Group *mine, MPI_Group *other) {
    MPI_Win window;
    MPI_Group all;
    int next = 1 - rank;
    MPI_Win_create(&a, sizeof a, sizeof a, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_get_group(window, &all);
    MPI_Group_incl(all, 1, &rank, mine);
    MPI_Group_incl(all, 1, &next, other);
    MPI_Group_free(&all);
    return window;
}

static void never_completes(void) {
    MPI_Group mine, other;
    MPI_Win window = exposed(&mine, &other);
    MPI_Win_post(other, 0, window);
    MPI_Win_start(other, 0, window);
    MPI_Put(&rank, 1, MPI_INT, 1 - rank, 0, 1, MPI_INT, window);
    MPI_Win_wait(window);
}

static void never_posts(void) {
    MPI_Group mine, other;
    MPI_Win window = exposed(&mine, &other);
    MPI_Win_start(other, 0, window);
    MPI_Win_complete(window);
    MPI_Win_wait(window);
}

static void etype_of_other_data(void) {
    MPI_File file;
    float data[4] = {0};
    if (rank != 0)
        return;
    MPI_File_open(MPI_COMM_SELF, "advice.etype", MPI_MODE_CREATE | MPI_MODE_WRONLY | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
    MPI_File_set_view(file, 0, MPI_DOUBLE, MPI_DOUBLE, "native", MPI_INFO_NULL);
    MPI_File_write_at(file, 0, data, 4, MPI_FLOAT, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
}

static void filetype_of_other_numbers(void) {
    MPI_File file;
    MPI_Datatype pairs;
    if (rank != 0)
        return;
    MPI_Type_vector(2, 2, 4, MPI_FLOAT, &pairs);
    MPI_Type_commit(&pairs);
    MPI_File_open(MPI_COMM_SELF, "advice.etype", MPI_MODE_CREATE | MPI_MODE_WRONLY | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
    MPI_File_set_view(file, 0, MPI_DOUBLE, pairs, "native", MPI_INFO_NULL);
    MPI_File_close(&file);
    MPI_Type_free(&pairs);
}

/* A header and parts of a row: its elements overlap each other, since its extent is that of the row. */
static void header_and_row(int count) {
    MPI_File file;
    MPI_Datatype part, filetype;
    int sizes[] = {4, 10}, parts[] = {4, 5}, starts[] = {0, 5}, lengths[] = {512, 1};
    MPI_Aint places[] = {0, 512};
    char data[1024] = {0};
    if (rank != 0)
        return;
    MPI_Type_create_subarray(2, sizes, parts, starts, MPI_ORDER_C, MPI_INT, &part);
    MPI_Type_create_struct(2, lengths, places, (MPI_Datatype[]){MPI_BYTE, part}, &filetype);
    MPI_Type_commit(&filetype);
    MPI_File_open(MPI_COMM_SELF, "advice.etype", MPI_MODE_CREATE | MPI_MODE_WRONLY | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
    MPI_File_set_errhandler(file, MPI_ERRORS_ARE_FATAL);
    MPI_File_set_view(file, 0, MPI_BYTE, filetype, "native", MPI_INFO_NULL);
    MPI_File_write(file, data, count, MPI_BYTE, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    MPI_Type_free(&part);
    MPI_Type_free(&filetype);
}

static void writes_one_element(void) { header_and_row(512 + 80); }
static void writes_more_than_one_element(void) { header_and_row(1024); }

static void keeps_its_lock(void) {
    int *memory;
    MPI_Win window;
    MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_unlock(0, window);
}

static void posts_to_others(void) {
    MPI_Group mine, other;
    MPI_Win window = exposed(&mine, &other);
    MPI_Win_post(mine, 0, window);
    MPI_Win_start(other, 0, window);
    MPI_Win_complete(window);
    MPI_Win_wait(window);
}

/* Rank 0 accesses the memory of its own only, or none. */
static void accesses(int own) {
    MPI_Group mine, other;
    MPI_Win window = exposed(&mine, &other);
    if (rank == 0 && own) {
        MPI_Win_post(mine, 0, window);
        MPI_Win_start(mine, 0, window);
        MPI_Win_complete(window);
        MPI_Win_wait(window);
    }
    if (rank == 1) {
        MPI_Win_post(other, 0, window);
        MPI_Win_wait(window);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

static void starts_for_others(void) { accesses(1); }

static void never_starts(void) { accesses(0); }

static void partitions(int tag, int last) {
    if (rank == 0) {
        MPI_Psend_init(four, 4, 1, MPI_INT, 1, tag, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
        MPI_Start(&request);
        MPI_Pready_range(0, last, request);
    } else {
        MPI_Precv_init(four, 4, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
        MPI_Start(&request);
    }
    MPI_Wait(&request, &status);
    MPI_Request_free(&request);
}

static void partition_never_ready(void) { partitions(5, 2); }

static void partitions_with_another_tag(void) { partitions(6, 3); }

static void partitioned_receive_never_started(void) {
    if (rank == 0) {
        MPI_Psend_init(four, 4, 1, MPI_INT, 1, 5, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
        MPI_Start(&request);
        MPI_Pready_range(0, 3, request);
        MPI_Wait(&request, &status);
        MPI_Request_free(&request);
    } else {
        MPI_Precv_init(four, 4, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

static int asked(void *state, MPI_Status *result) { return MPI_SUCCESS; }
static int freed(void *state) { return MPI_SUCCESS; }
static int cancelled(void *state, int complete) { return MPI_SUCCESS; }

static void nobody_completes(void) {
    MPI_Grequest_start(asked, freed, cancelled, NULL, &request);
    MPI_Wait(&request, &status);
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void *sleeper(void *nothing) {
    pthread_mutex_lock(&lock);
    pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    return nothing;
}

static void nobody_signals(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, sleeper, NULL);
    pthread_join(thread, NULL);
}

static void polls_for_another_tag(void) {
    int done = 0;
    if (rank == 0) MPI_Send(&a, 1, MPI_INT, 1, 5, MPI_COMM_WORLD);
    if (rank == 1) {
        MPI_Irecv(&a, 1, MPI_INT, 0, 6, MPI_COMM_WORLD, &request);
        while (!done) MPI_Test(&request, &done, &status);
    }
}

static void probes_for_another_tag(void) {
    int done = 0;
    if (rank == 0) MPI_Send(&a, 1, MPI_INT, 1, 5, MPI_COMM_WORLD);
    if (rank == 1)
        while (!done) MPI_Iprobe(0, 6, MPI_COMM_WORLD, &done, &status);
}

/* Messages that were taken. */

static void taken_and_waited_for(void) {
    MPI_Message message;
    if (rank == 1) {
        MPI_Ssend(&a, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
        MPI_Send(&a, 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
    } else {
        MPI_Mprobe(1, 1, MPI_COMM_WORLD, &message, &status);
        MPI_Recv(&b, 1, MPI_INT, 1, 2, MPI_COMM_WORLD, &status);
    }
}

static void taken_and_lost(void) {
    MPI_Message message;
    if (rank == 1) {
        MPI_Send(&a, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
        MPI_Recv(&b, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, &status);
    } else {
        MPI_Mprobe(1, 1, MPI_COMM_WORLD, &message, &status);
        MPI_Send(&a, 1, MPI_INT, 1, 2, MPI_COMM_WORLD);
    }
}

/* Windows and files that differ. */

static void fences_in_two_orders(void) {
    MPI_Win one, two;
    MPI_Win_create(&a, sizeof a, sizeof a, MPI_INFO_NULL, MPI_COMM_WORLD, &one);
    MPI_Win_create(&b, sizeof b, sizeof b, MPI_INFO_NULL, MPI_COMM_WORLD, &two);
    MPI_Win_fence(0, rank == 0 ? one : two);
    MPI_Win_fence(0, rank == 0 ? two : one);
    MPI_Win_free(&one);
    MPI_Win_free(&two);
}

static void files_in_two_orders(void) {
    MPI_File one, two;
    int mode = MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE;
    MPI_File_open(MPI_COMM_WORLD, "advice.one", mode, MPI_INFO_NULL, &one);
    MPI_File_open(MPI_COMM_WORLD, "advice.two", mode, MPI_INFO_NULL, &two);
    MPI_File_close(rank == 0 ? &one : &two);
    MPI_File_close(rank == 0 ? &two : &one);
}

/* Epochs. */

static MPI_Win window_of_four(void) {
    MPI_Win window;
    MPI_Win_create(four, sizeof four, sizeof a, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    return window;
}

static void detached_twice(void) {
    MPI_Win window;
    MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_attach(window, four, sizeof four);
    MPI_Win_detach(window, four);
    MPI_Win_detach(window, four);
    MPI_Win_free(&window);
}

static void request_between_fences(void) {
    MPI_Win window = window_of_four();
    MPI_Win_fence(0, window);
    MPI_Rput(&a, 1, MPI_INT, 0, 0, 1, MPI_INT, window, &request);
    MPI_Wait(&request, &status);
    MPI_Win_fence(0, window);
    MPI_Win_free(&window);
}

static void target_not_in_the_group(void) {
    MPI_Win window = window_of_four();
    MPI_Group all, first;
    int zero = 0;
    MPI_Win_get_group(window, &all);
    MPI_Group_incl(all, 1, &zero, &first);
    if (rank == 0) MPI_Win_post(all, 0, window);
    MPI_Win_start(first, 0, window);
    MPI_Put(&a, 1, MPI_INT, 1, 0, 1, MPI_INT, window);
    MPI_Win_complete(window);
    if (rank == 0) MPI_Win_wait(window);
    MPI_Win_free(&window);
}

static void flush_of_another_rank(void) {
    MPI_Win window = window_of_four();
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, window);
    MPI_Win_flush(1, window);
    MPI_Win_unlock(0, window);
    MPI_Win_free(&window);
}

static void put_after_a_get_of_the_same(void) {
    MPI_Win window = window_of_four();
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window);
    MPI_Get(&a, 1, MPI_INT, 0, 0, 1, MPI_INT, window);
    MPI_Put(&b, 1, MPI_INT, 0, 0, 1, MPI_INT, window);
    MPI_Win_unlock(0, window);
    MPI_Win_free(&window);
}

/* Objects. */

static void add(void *in, void *out, int *count, MPI_Datatype *type) {}

static void operation_freed_twice(void) {
    MPI_Op operation;
    MPI_Op_create(add, 1, &operation);
    MPI_Op_free(&operation);
    MPI_Op_free(&operation);
}

static void file_kept(void) {
    MPI_File file;
    int mode = MPI_MODE_CREATE | MPI_MODE_RDWR;
    MPI_File_open(MPI_COMM_WORLD, "advice.kept", mode, MPI_INFO_NULL, &file);
}

static void buffer_kept(void) {
    char *buffer = malloc(10000);
    MPI_Buffer_attach(buffer, 10000);
    free(buffer);
}

static void started_twice(void) {
    int all[2];
    MPI_Allgather_init(&rank, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    MPI_Start(&request);
    MPI_Start(&request);
    MPI_Wait(&request, &status);
    MPI_Request_free(&request);
}

static void closed_too_early(void) {
    MPI_File file;
    int mode = MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE;
    MPI_File_open(MPI_COMM_WORLD, "advice.split", mode, MPI_INFO_NULL, &file);
    MPI_File_read_ordered_begin(file, &a, 1, MPI_INT);
    MPI_File_close(&file);
}

static void memory_kept(void) {
    int *first, *second;
    MPI_Alloc_mem(16, MPI_INFO_NULL, &first);
    MPI_Alloc_mem(16, MPI_INFO_NULL, &second);
    first[0] = second[0] = rank;
    MPI_Free_mem(second);
}

/* Collectives. */

/* Each rank is a group of its own. */
static MPI_Comm between_ranks(void) {
    MPI_Comm between;
    MPI_Intercomm_create(MPI_COMM_SELF, 0, MPI_COMM_WORLD, 1 - rank, 3, &between);
    return between;
}

static void nobody_is_root(void) {
    MPI_Comm between = between_ranks();
    MPI_Gather(&a, 1, MPI_INT, four, 1, MPI_INT, 0, between);
    MPI_Comm_free(&between);
}

static void two_are_root(void) {
    MPI_Comm between = between_ranks();
    MPI_Bcast(&a, 1, MPI_INT, MPI_ROOT, between);
    MPI_Comm_free(&between);
}

static void both_groups_have_the_root(void) {
    MPI_Comm between = between_ranks();
    MPI_Bcast(&a, 1, MPI_INT, rank ? MPI_ROOT : MPI_PROC_NULL, between);
    MPI_Comm_free(&between);
}

static void in_place_on_one_rank(void) {
    four[rank] = rank;
    MPI_Allgather(rank ? (void *)&a : MPI_IN_PLACE, 1, MPI_INT, four, 1, MPI_INT, MPI_COMM_WORLD);
}

static void communicators_of_one_line(void) {
    MPI_Comm both[2];
    for (int i = 0; i < 2; i++) MPI_Comm_dup(MPI_COMM_WORLD, &both[i]);
    MPI_Bcast(&a, 1, MPI_INT, rank, both[rank]);
    MPI_Bcast(&a, 1, MPI_INT, 1 - rank, both[1 - rank]);
    for (int i = 0; i < 2; i++) MPI_Comm_free(&both[i]);
}

/* Rank 1 takes the world for the half that it belongs to. */
static void world_for_a_half(void) {
    MPI_Comm half;
    MPI_Comm_split(MPI_COMM_WORLD, rank / 2, rank, &half);
    MPI_Allreduce(MPI_IN_PLACE, &a, 1, MPI_INT, MPI_SUM, rank == 1 ? MPI_COMM_WORLD : half);
    MPI_Comm_free(&half);
}

/* The old value goes where the new one is. */
static void fetched_into_its_data(void) {
    MPI_Win window;
    int *memory, one = 1;
    MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
    MPI_Win_fence(0, window);
    MPI_Fetch_and_op(&one, &one, MPI_INT, 0, 0, MPI_SUM, window);
    MPI_Win_fence(0, window);
    MPI_Win_free(&window);
}

static void entries_over_each_other(void) {
    MPI_Datatype twice;
    MPI_Type_vector(2, 2, 1, MPI_INT, &twice);
    MPI_Type_commit(&twice);
    if (rank) MPI_Bcast(four, 1, twice, 0, MPI_COMM_WORLD);
    else MPI_Bcast(four, 4, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Type_free(&twice);
}

static void gather_unequal(MPI_Request *request) {
    int *counts = malloc(2 * sizeof *counts), *places = malloc(2 * sizeof *places);
    for (int i = 0; i < 2; i++) counts[i] = 1, places[i] = i;
    MPI_Iallgatherv(&a, 1, MPI_INT, four, counts, places, MPI_INT, MPI_COMM_WORLD, request);
    free(counts);
    free(places);
}

static void counts_given_back(void) {
    MPI_Request request;
    gather_unequal(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void exchange_typed(MPI_Request *request) {
    MPI_Datatype *types = malloc(2 * sizeof *types);
    int counts[2] = {1, 1}, places[2] = {0, sizeof(int)}, i;
    for (i = 0; i < 2; i++) types[i] = MPI_INT;
    MPI_Ialltoallw(four, counts, places, types, four + 2, counts, places, types, MPI_COMM_WORLD, request);
    free(types);
    MPI_Wait(request, MPI_STATUS_IGNORE);
}

static void types_given_back(void) {
    MPI_Request request;
    exchange_typed(&request);
}

static void place_for_a_neighbour_moved(void) {
    MPI_Comm graph;
    MPI_Request request;
    MPI_Datatype type = MPI_INT;
    MPI_Aint place = 0;
    int other = 1 - rank, count = 1;
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &other, MPI_UNWEIGHTED, 1, &other, MPI_UNWEIGHTED,
                                   MPI_INFO_NULL, 0, &graph);
    MPI_Ineighbor_alltoallw(&rank, &count, &place, &type, four, &count, &place, &type, graph, &request);
    place = 4;
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Comm_free(&graph);
}

static void unchecked(int starts, int posts) {
    MPI_Group mine, other;
    MPI_Win window = exposed(&mine, &other);
    if (rank == 0) {
        MPI_Win_post(other, posts, window);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Win_wait(window);
    } else {
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Win_start(other, starts, window);
        MPI_Put(&rank, 1, MPI_INT, 0, 0, 1, MPI_INT, window);
        MPI_Win_complete(window);
    }
    MPI_Group_free(&mine);
    MPI_Group_free(&other);
    MPI_Win_free(&window);
}

static void start_unchecked(void) { unchecked(MPI_MODE_NOCHECK, 0); }

static void post_unchecked(void) { unchecked(0, MPI_MODE_NOCHECK); }

static void both_unchecked(void) { unchecked(MPI_MODE_NOCHECK, MPI_MODE_NOCHECK); }

static void started_on_one_rank(void) {
    MPI_Request barrier;
    MPI_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, &barrier);
    if (rank == 1) {
        MPI_Start(&barrier);
        MPI_Wait(&barrier, MPI_STATUS_IGNORE);
    }
    MPI_Request_free(&barrier);
}

static void barrier_of_one_rank(void) {
    if (rank == 1) MPI_Barrier(MPI_COMM_WORLD);
}

static void neighbours_that_disagree(void) {
    MPI_Comm graph;
    int other = 1 - rank, all[2];
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, rank, &other, MPI_UNWEIGHTED, 1, &other, MPI_UNWEIGHTED,
                                   MPI_INFO_NULL, 0, &graph);
    MPI_Neighbor_allgather(&rank, 1, MPI_INT, all, 1, MPI_INT, graph);
    MPI_Comm_free(&graph);
}

static void neighbours_that_agree(void) {
    MPI_Comm graph;
    int other = 1 - rank, all[2], i;
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &other, MPI_UNWEIGHTED, 1, &other, MPI_UNWEIGHTED,
                                   MPI_INFO_NULL, 0, &graph);
    for (i = 0; i < 2; i++) MPI_Neighbor_allgather(&rank, 1, MPI_INT, all, 1, MPI_INT, graph);
    MPI_Comm_free(&graph);
}

static void no_room_for_all(void) {
    int mine[2] = {rank, rank};
    MPI_Allgather(&mine[1], 1, MPI_INT, &mine[1], 1, MPI_INT, MPI_COMM_WORLD);
}

static void neighbours_in_one_buffer(void) {
    MPI_Comm ring;
    int around = 1, all[3] = {0};
    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &around, 0, &ring);
    MPI_Neighbor_allgather(&all[1], 1, MPI_INT, all, 1, MPI_INT, ring);
    MPI_Comm_free(&ring);
}

/* The first count is that of both messages. */
static void first_count_of_both(void) {
    MPI_Request both[2];
    if (rank == 1) {
        MPI_Irecv(four, 4, MPI_INT, 0, 1, MPI_COMM_WORLD, &both[0]);
        MPI_Irecv(four + 2, 2, MPI_INT, 0, 2, MPI_COMM_WORLD, &both[1]);
        MPI_Waitall(2, both, MPI_STATUSES_IGNORE);
    } else {
        MPI_Send(four, 2, MPI_INT, 1, 1, MPI_COMM_WORLD);
        MPI_Send(four, 2, MPI_INT, 1, 2, MPI_COMM_WORLD);
    }
}

static void receives_over_the_end(void) {
    if (rank == 1) {
        MPI_Irecv(four + 1, 2, MPI_INT, 0, 1, MPI_COMM_WORLD, &request);
        MPI_Recv(four, 2, MPI_INT, 0, 2, MPI_COMM_WORLD, &status);
        MPI_Wait(&request, &status);
    } else {
        MPI_Send(four, 2, MPI_INT, 1, 1, MPI_COMM_WORLD);
        MPI_Send(four, 2, MPI_INT, 1, 2, MPI_COMM_WORLD);
    }
}

static void duplicate_used_too_early(void) {
    MPI_Comm copy;
    MPI_Comm_idup(MPI_COMM_WORLD, &copy, &request);
    MPI_Comm_size(copy, &size);
    MPI_Wait(&request, &status);
    MPI_Comm_free(&copy);
}

static char buffer[2048];

static void send_from(int place_to_use) {
    int data = rank;
    MPI_Bsend(&data, 1, MPI_INT, (rank + 1) % size, 0, MPI_COMM_WORLD);
    if (place_to_use >= 0) buffer[place_to_use] = 1;
    MPI_Recv(&data, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}
static void beside_the_attached(void) {
    void *place;
    int length;
    MPI_Buffer_attach(buffer, 1024);
    send_from(1024);
    MPI_Buffer_detach(&place, &length);
    buffer[0] = 1;
}
static void attached_and_changed(void) {
    void *place;
    int length;
    MPI_Buffer_attach(buffer, 1024);
    send_from(1000);
    MPI_Buffer_detach(&place, &length);
}
static void attached_to_both(void) {
    void *place;
    int length;
    MPI_Buffer_attach(buffer, 1024);
    MPI_Comm_attach_buffer(MPI_COMM_WORLD, buffer + 512, 1024);
    send_from(-1);
    MPI_Comm_detach_buffer(MPI_COMM_WORLD, &place, &length);
    MPI_Buffer_detach(&place, &length);
}
static void freed_with_its_buffer(void) {
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_attach_buffer(comm, buffer, 1024);
    MPI_Comm_free(&comm);
    buffer[0] = 1;
}

static void split_by_types(int first, int second) {
    MPI_Comm part;
    MPI_Comm_split_type(MPI_COMM_WORLD, rank ? second : first, rank, MPI_INFO_NULL, &part);
    if (part != MPI_COMM_NULL) MPI_Comm_free(&part);
}
static void two_types_of_resources(void) { split_by_types(MPI_COMM_TYPE_SHARED, MPI_COMM_TYPE_HW_UNGUIDED); }
static void one_in_no_part(void) { split_by_types(MPI_COMM_TYPE_SHARED, MPI_UNDEFINED); }
static void split_by_type_and_by_colour(void) {
    MPI_Comm part;
    if (rank) split_by_types(MPI_COMM_TYPE_SHARED, MPI_COMM_TYPE_SHARED);
    else {
        MPI_Comm_split(MPI_COMM_WORLD, 0, 0, &part);
        MPI_Comm_free(&part);
    }
}

/* Sessions, without MPI_Init but where a name says so. */

static void session(const char *case_name) {
    MPI_Session session;
    MPI_Group group;
    MPI_Comm comm;
    int differs = strcmp(case_name, "session_strings") == 0;
    int in_world = strncmp(case_name, "session_beyond_the_world", 24) == 0;
    MPI_Request request = MPI_REQUEST_NULL;
    if (in_world) MPI_Init(NULL, NULL);
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
    MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
    MPI_Group_rank(group, &rank);
    MPI_Comm_create_from_group(group, differs && rank ? "org.example.one" : "org.example", MPI_INFO_NULL,
                               MPI_ERRORS_ARE_FATAL, &comm);
    if (strcmp(case_name, "session_left") != 0) MPI_Group_free(&group);
    if (strcmp(case_name, "session_in_the_world") == 0) MPI_Barrier(MPI_COMM_WORLD);
    if (strcmp(case_name, "session_by_itself") == 0) {
        MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
        MPI_Barrier(MPI_COMM_SELF);
    }
    if (strcmp(case_name, "session_left") == 0 || strcmp(case_name, "session_of_a_thread") == 0)
        MPI_Comm_free(&comm);
    if (in_world) {
        MPI_Ibarrier(comm, &request);
        MPI_Finalize();
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        if (strcmp(case_name, "session_beyond_the_world") == 0) MPI_Comm_free(&comm);
        comm = MPI_COMM_NULL;
    }
    MPI_Session_finalize(&session);
    if (comm != MPI_COMM_NULL) MPI_Barrier(comm);
}

static void *session_in_thread(void *case_name) {
    session(case_name);
    return NULL;
}

/* What is told in the words of the program. */

static void cancelled_or_not(void) {
    if (rank == 1) {
        MPI_Send(&rank, 1, MPI_INT, 0, 5, MPI_COMM_WORLD);
        return;
    }
    MPI_Irecv(&a, 1, MPI_INT, 1, 5, MPI_COMM_WORLD, &request);
    MPI_Cancel(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Recv(&a, 1, MPI_INT, 1, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static MPI_File shared_file(int mode) {
    MPI_File file;
    mode |= MPI_MODE_CREATE | MPI_MODE_RDWR;
    MPI_File_open(MPI_COMM_WORLD, "advice.shared", mode, MPI_INFO_NULL, &file);
    return file;
}

static void sought_differently(void) {
    MPI_File file = shared_file(0);
    MPI_File_seek_shared(file, 4 * rank, MPI_SEEK_SET);
    MPI_File_close(&file);
}

static void view_from_here(void) {
    MPI_File file = shared_file(0);
    MPI_File_set_view(file, MPI_DISPLACEMENT_CURRENT, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
    MPI_File_close(&file);
}

static void sent_to_nobody(void) { MPI_Send(&a, 1, MPI_INT, MPI_UNDEFINED, 4, MPI_COMM_WORLD); }

static void sent_from_any(void) { MPI_Send(&a, 1, MPI_INT, 1 - rank, MPI_ANY_TAG, MPI_COMM_WORLD); }

static void probed(int until) {
    int flag = 0;
    if (rank == 0) MPI_Send(&a, 1, MPI_INT, 1, 4, MPI_COMM_WORLD);
    if (rank == 1) {
        do MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &status);
        while (until && !flag);
        MPI_Recv(&b, 1, MPI_INT, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD, &status);
    }
}

static void probed_too_early(void) { probed(0); }

static void probed_until_it_is_there(void) { probed(1); }

static void counted_by_another_type(void) {
    int count;
    if (rank == 0) MPI_Send(four, 3, MPI_INT, 1, 4, MPI_COMM_WORLD);
    if (rank == 1) {
        MPI_Probe(0, 4, MPI_COMM_WORLD, &status);
        MPI_Get_count(&status, MPI_DOUBLE, &count);
        MPI_Recv(four, count, MPI_INT, 0, 4, MPI_COMM_WORLD, &status);
    }
}

static void received_into_a_send(void) {
    a = rank;
    MPI_Isend(&a, 1, MPI_INT, 1 - rank, 4, MPI_COMM_WORLD, &request);
    MPI_Recv(&a, 1, MPI_INT, 1 - rank, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void barrier_given_up(void) {
    if (rank == 1) MPI_Recv(&a, 1, MPI_INT, 0, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    if (rank == 0) MPI_Request_free(&request);
    if (rank == 0) MPI_Send(&a, 1, MPI_INT, 1, 4, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void partitions_of_other_types(void) {
    double sent[8] = {0};
    float got[8];
    if (rank == 0) MPI_Psend_init(sent, 4, 2, MPI_DOUBLE, 1, 3, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    if (rank == 1) MPI_Precv_init(got, 4, 2, MPI_FLOAT, 0, 3, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    MPI_Start(&request);
    if (rank == 0) MPI_Pready_range(0, 3, request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
}

static void put_through_two_windows(void) {
    MPI_Win one = window_of_four(), two = window_of_four();
    MPI_Win_fence(0, one);
    MPI_Win_fence(0, two);
    b = rank + 1;
    MPI_Put(&b, 1, MPI_INT, 0, 0, 1, MPI_INT, rank == 0 ? one : two);
    MPI_Win_fence(0, one);
    MPI_Win_fence(0, two);
    MPI_Win_free(&one);
    MPI_Win_free(&two);
}

/* Files that are opened for one handle alone. */

static void opened_beside_a_unique(void) {
    MPI_File one = shared_file(MPI_MODE_UNIQUE_OPEN), two = shared_file(0);
    MPI_File_close(&one);
    MPI_File_close(&two);
}

static void uniques_of_all_ranks(void) {
    MPI_File own;
    MPI_File_open(MPI_COMM_SELF, "advice.own", MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_UNIQUE_OPEN,
                  MPI_INFO_NULL, &own);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_close(&own);
}

static void uniques_in_turn(void) {
    int i;
    for (i = 0; i < 2; i++) {
        MPI_File file = shared_file(MPI_MODE_UNIQUE_OPEN);
        MPI_File_close(&file);
    }
}

/* Communicators that are disconnected. */

static void disconnected_too_early(void) {
    MPI_Comm copy;
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    MPI_Irecv(&a, 1, MPI_INT, 1 - rank, 4, copy, &request);
    MPI_Send(&rank, 1, MPI_INT, 1 - rank, 4, copy);
    MPI_Comm_disconnect(&copy);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void disconnected_and_forgotten(void) {
    MPI_Comm copy;
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    MPI_Ibarrier(copy, &request);
    MPI_Comm_disconnect(&copy);
}

static void disconnected_in_time(void) {
    MPI_Comm copy;
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    MPI_Irecv(&a, 1, MPI_INT, 1 - rank, 4, copy, &request);
    MPI_Send(&rank, 1, MPI_INT, 1 - rank, 4, copy);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Comm_disconnect(&copy);
}

/* What info keys assert. */

static MPI_Info asserted(const char *key, const char *value) {
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, key, value);
    return info;
}

static MPI_Comm copy_with(const char *key) {
    MPI_Comm copy;
    MPI_Info info = asserted(key, "true");
    MPI_Comm_dup_with_info(MPI_COMM_WORLD, info, &copy);
    MPI_Info_free(&info);
    return copy;
}

static void any_source_denied(void) {
    MPI_Comm copy = copy_with("mpi_assert_no_any_source");
    if (rank == 0) MPI_Recv(&a, 1, MPI_INT, MPI_ANY_SOURCE, 4, copy, MPI_STATUS_IGNORE);
    if (rank == 1) MPI_Send(&a, 1, MPI_INT, 0, 4, copy);
    MPI_Comm_free(&copy);
}

static void any_tag_denied(void) {
    MPI_Info info = asserted("mpi_assert_no_any_tag", "true");
    MPI_Comm_set_info(MPI_COMM_WORLD, info);
    MPI_Info_free(&info);
    if (rank == 0) MPI_Probe(1, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    if (rank == 0) MPI_Recv(&a, 1, MPI_INT, 1, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 1) MPI_Send(&a, 1, MPI_INT, 0, 4, MPI_COMM_WORLD);
}

static void length_denied(void) {
    MPI_Comm copy = copy_with("mpi_assert_exact_length");
    if (rank == 0) MPI_Irecv(four, 4, MPI_INT, 1, 4, copy, &request);
    if (rank == 0) MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (rank == 1) MPI_Send(&a, 1, MPI_INT, 0, 4, copy);
    MPI_Comm_free(&copy);
}

static void assertions_kept(void) {
    const char *keys[3] = {"mpi_assert_no_any_source", "mpi_assert_no_any_tag", "mpi_assert_exact_length"};
    MPI_Comm copy;
    MPI_Info info;
    int i;
    for (i = 0; i < 3; i++) {
        copy = copy_with(keys[i]);
        MPI_Irecv(&a, 1, MPI_INT, 1 - rank, 4, copy, &request);
        MPI_Send(&rank, 1, MPI_INT, 1 - rank, 4, copy);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Sendrecv(&rank, 1, MPI_INT, 1 - rank, 4, &a, 1, MPI_INT, 1 - rank, 4, copy, MPI_STATUS_IGNORE);
        MPI_Recv(&a, 1, MPI_INT, MPI_PROC_NULL, MPI_ANY_TAG, copy, MPI_STATUS_IGNORE);
        MPI_Comm_free(&copy);
    }
    copy = copy_with(keys[0]);
    info = asserted(keys[0], "false");
    MPI_Comm_set_info(copy, info);
    MPI_Info_free(&info);
    if (rank == 0) MPI_Recv(&a, 1, MPI_INT, MPI_ANY_SOURCE, 4, copy, MPI_STATUS_IGNORE);
    if (rank == 1) MPI_Send(&a, 1, MPI_INT, 0, 4, copy);
    MPI_Comm_free(&copy);
}

static void locks_denied(void) {
    MPI_Win window;
    MPI_Info info = asserted("no_locks", "true");
    MPI_Win_create(four, sizeof four, sizeof a, info, MPI_COMM_WORLD, &window);
    MPI_Info_free(&info);
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, window);
    MPI_Win_unlock(0, window);
    MPI_Win_free(&window);
}

static void window_asserted(const char *key, int elements, int unit) {
    MPI_Win window;
    MPI_Info info = asserted(key, "true");
    MPI_Win_create(four, elements * sizeof a, unit, info, MPI_COMM_WORLD, &window);
    MPI_Info_free(&info);
    MPI_Win_free(&window);
}

static void same_size_denied(void) { window_asserted("same_size", 1 + rank, sizeof a); }
static void same_unit_denied(void) { window_asserted("same_disp_unit", 4, 1 + 3 * rank); }
static void same_unit_of_two_sizes(void) { window_asserted("same_disp_unit", 1 + rank, 1); }

/* Edges of graphs along which nothing is sent. */

static void ring_of_two(int sources, int in, int out) {
    MPI_Comm graph;
    int other[2] = {1 - rank, 1 - rank}, weights[2] = {in, in};
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, sources, other, weights, 1, other, &out, MPI_INFO_NULL, 0, &graph);
    MPI_Comm_free(&graph);
}

static void missing_edge(void) { ring_of_two(rank, 1, 1); }
static void edge_of_two_counts(void) { ring_of_two(1 + rank, 1, 1); }
static void edge_of_two_weights(void) { ring_of_two(1, 3, 3 + rank); }
static void edges_of_one_weight(void) { ring_of_two(1, 3, 3); }

/* What is opened or made, and not closed or freed. */

static void port_never_closed(void) {
    char port[MPI_MAX_PORT_NAME];
    if (rank == 0) MPI_Open_port(MPI_INFO_NULL, port);
}

static void port_closed(void) {
    char port[MPI_MAX_PORT_NAME];
    MPI_Open_port(MPI_INFO_NULL, port);
    MPI_Close_port(port);
}

static int key_without_functions(void) {
    int key;
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &key, NULL);
    return key;
}

static void keys_never_freed(void) {
    int at, key;
    for (at = 0; rank == 0 && at < 2; at++) key = key_without_functions();
    if (rank == 1) key = key_without_functions();
    if (rank == 1) MPI_Comm_free_keyval(&key);
}

static void key_of_the_run(void) {
    MPI_Comm_set_attr(MPI_COMM_WORLD, key_without_functions(), &a);
}

/* Packed data are received with any type, by collectives, too. */
static void packed_broadcast(void) {
    int numbers[2] = {5, 6}, place = 0;
    char packed[64];
    MPI_Pack(numbers, 2, MPI_INT, packed, 64, &place, MPI_COMM_WORLD);
    if (rank == 0) MPI_Bcast(packed, place, MPI_PACKED, 0, MPI_COMM_WORLD);
    else MPI_Bcast(numbers, 2, MPI_INT, 0, MPI_COMM_WORLD);
}

static void accumulated_nothing(void) {
    MPI_Win window;
    MPI_Win_create(&a, sizeof a, sizeof a, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_fence(0, window);
    MPI_Accumulate(&b, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_NO_OP, window);
    MPI_Win_fence(0, window);
    MPI_Win_free(&window);
}

static void displacement_of_garbage(void) {
    MPI_Win window;
    MPI_Aint garbage;
    memset(&garbage, 0x5a, sizeof garbage);
    MPI_Win_create(&a, sizeof a, sizeof a, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_fence(0, window);
    if (rank == 0) MPI_Put(&b, 1, MPI_INT, 1, garbage, 1, MPI_INT, window);
    MPI_Win_fence(0, window);
    MPI_Win_free(&window);
}

/* A collective of one rank, to which the others are to have answered by receives. */
static void broadcast_to_receivers(void) {
    if (rank == 0) MPI_Bcast(&a, 1, MPI_INT, 0, MPI_COMM_WORLD);
    else MPI_Recv(&a, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &status);
}

static void received_out_of_order(void) {
    if (rank == 0) {
        MPI_Ssend(&a, 1, MPI_INT, 1, 10, MPI_COMM_WORLD);
        MPI_Ssend(&b, 1, MPI_INT, 1, 20, MPI_COMM_WORLD);
    } else {
        MPI_Recv(&b, 1, MPI_INT, 0, 20, MPI_COMM_WORLD, &status);
        MPI_Recv(&a, 1, MPI_INT, 0, 10, MPI_COMM_WORLD, &status);
    }
}

/* The last rank has sent to the first one, and ends. */
static void source_that_has_ended(void) {
    if (rank == 1) MPI_Ssend(&a, 1, MPI_INT, 0, 4, MPI_COMM_WORLD);
    if (rank == 0) MPI_Recv(&a, 1, MPI_INT, size - 1, 4, MPI_COMM_WORLD, &status);
}

static void gathered_by_the_count_of_all(void) {
    int room[16];
    MPI_Gather(four, 2, MPI_INT, room, 2 * size, MPI_INT, 0, MPI_COMM_WORLD);
}

static void scattered_to_less(void) {
    int counts[2] = {2, 2}, places[2] = {0, 2};
    MPI_Scatterv(four, counts, places, MPI_INT, &a, 1, MPI_INT, 0, MPI_COMM_WORLD);
}

static void displacement_in_bytes(void) {
    MPI_Win window;
    MPI_Win_create(four, sizeof four, sizeof a, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_fence(0, window);
    if (rank == 0) MPI_Put(&b, 1, MPI_INT, 1, 2 * sizeof a, 1, MPI_INT, window);
    MPI_Win_fence(0, window);
    MPI_Win_free(&window);
}

static void copy_of_a_request(void) {
    MPI_Request copy;
    MPI_Irecv(&a, 1, MPI_INT, 1 - rank, 4, MPI_COMM_WORLD, &request);
    MPI_Send(&b, 1, MPI_INT, 1 - rank, 4, MPI_COMM_WORLD);
    copy = request;
    MPI_Wait(&request, &status);
    MPI_Wait(&copy, &status);
}

/* As a source is that was compiled with the header of another library. */
static void handle_of_another_library(void) { MPI_Barrier((MPI_Comm)0x44000000); }

static const struct { const char *name; void (*function)(void); } cases[] = {
    {"receive_against_barrier", receive_against_barrier},
    {"both_receive_from_any", both_receive_from_any},
    {"detached_before_the_receive", detached_before_the_receive},
    {"accepts_nobody", accepts_nobody},
    {"sends_what_it_receives", sends_what_it_receives},
    {"counts_other_numbers", counts_other_numbers},
    {"cancelled_send", cancelled_send},
    {"never_completes", never_completes},
    {"never_posts", never_posts},
    {"posts_to_others", posts_to_others},
    {"starts_for_others", starts_for_others},
    {"never_starts", never_starts},
    {"keeps_its_lock", keeps_its_lock},
    {"etype_of_other_data", etype_of_other_data},
    {"filetype_of_other_numbers", filetype_of_other_numbers},
    {"writes_one_element", writes_one_element},
    {"writes_more_than_one_element", writes_more_than_one_element},
    {"partition_never_ready", partition_never_ready},
    {"partitions_with_another_tag", partitions_with_another_tag},
    {"partitioned_receive_never_started", partitioned_receive_never_started},
    {"nobody_completes", nobody_completes},
    {"nobody_signals", nobody_signals},
    {"polls_for_another_tag", polls_for_another_tag},
    {"probes_for_another_tag", probes_for_another_tag},
    {"taken_and_waited_for", taken_and_waited_for},
    {"taken_and_lost", taken_and_lost},
    {"fences_in_two_orders", fences_in_two_orders},
    {"files_in_two_orders", files_in_two_orders},
    {"detached_twice", detached_twice},
    {"request_between_fences", request_between_fences},
    {"target_not_in_the_group", target_not_in_the_group},
    {"flush_of_another_rank", flush_of_another_rank},
    {"put_after_a_get_of_the_same", put_after_a_get_of_the_same},
    {"operation_freed_twice", operation_freed_twice},
    {"file_kept", file_kept},
    {"buffer_kept", buffer_kept},
    {"memory_kept", memory_kept},
    {"nobody_is_root", nobody_is_root},
    {"two_are_root", two_are_root},
    {"both_groups_have_the_root", both_groups_have_the_root},
    {"in_place_on_one_rank", in_place_on_one_rank},
    {"communicators_of_one_line", communicators_of_one_line},
    {"world_for_a_half", world_for_a_half},
    {"fetched_into_its_data", fetched_into_its_data},
    {"entries_over_each_other", entries_over_each_other},
    {"counts_given_back", counts_given_back},
    {"started_twice", started_twice},
    {"closed_too_early", closed_too_early},
    {"barrier_of_one_rank", barrier_of_one_rank},
    {"started_on_one_rank", started_on_one_rank},
    {"neighbours_that_disagree", neighbours_that_disagree},
    {"neighbours_that_agree", neighbours_that_agree},
    {"no_room_for_all", no_room_for_all},
    {"neighbours_in_one_buffer", neighbours_in_one_buffer},
    {"first_count_of_both", first_count_of_both},
    {"types_given_back", types_given_back},
    {"place_for_a_neighbour_moved", place_for_a_neighbour_moved},
    {"start_unchecked", start_unchecked},
    {"post_unchecked", post_unchecked},
    {"both_unchecked", both_unchecked},
    {"receives_over_the_end", receives_over_the_end},
    {"duplicate_used_too_early", duplicate_used_too_early},
    {"beside_the_attached", beside_the_attached},
    {"attached_and_changed", attached_and_changed},
    {"attached_to_both", attached_to_both},
    {"freed_with_its_buffer", freed_with_its_buffer},
    {"two_types_of_resources", two_types_of_resources},
    {"one_in_no_part", one_in_no_part},
    {"split_by_type_and_by_colour", split_by_type_and_by_colour},
    {"cancelled_or_not", cancelled_or_not},
    {"sought_differently", sought_differently},
    {"view_from_here", view_from_here},
    {"sent_from_any", sent_from_any},
    {"probed_too_early", probed_too_early},
    {"probed_until_it_is_there", probed_until_it_is_there},
    {"counted_by_another_type", counted_by_another_type},
    {"sent_to_nobody", sent_to_nobody},
    {"received_into_a_send", received_into_a_send},
    {"barrier_given_up", barrier_given_up},
    {"partitions_of_other_types", partitions_of_other_types},
    {"put_through_two_windows", put_through_two_windows},
    {"opened_beside_a_unique", opened_beside_a_unique},
    {"uniques_of_all_ranks", uniques_of_all_ranks},
    {"uniques_in_turn", uniques_in_turn},
    {"disconnected_too_early", disconnected_too_early},
    {"disconnected_and_forgotten", disconnected_and_forgotten},
    {"disconnected_in_time", disconnected_in_time},
    {"any_source_denied", any_source_denied},
    {"any_tag_denied", any_tag_denied},
    {"length_denied", length_denied},
    {"assertions_kept", assertions_kept},
    {"locks_denied", locks_denied},
    {"same_size_denied", same_size_denied},
    {"same_unit_denied", same_unit_denied},
    {"same_unit_of_two_sizes", same_unit_of_two_sizes},
    {"missing_edge", missing_edge},
    {"edge_of_two_counts", edge_of_two_counts},
    {"edge_of_two_weights", edge_of_two_weights},
    {"edges_of_one_weight", edges_of_one_weight},
    {"port_never_closed", port_never_closed},
    {"port_closed", port_closed},
    {"keys_never_freed", keys_never_freed},
    {"key_of_the_run", key_of_the_run},
    {"displacement_of_garbage", displacement_of_garbage},
    {"packed_broadcast", packed_broadcast},
    {"accumulated_nothing", accumulated_nothing},
    {"broadcast_to_receivers", broadcast_to_receivers},
    {"received_out_of_order", received_out_of_order},
    {"source_that_has_ended", source_that_has_ended},
    {"gathered_by_the_count_of_all", gathered_by_the_count_of_all},
    {"scattered_to_less", scattered_to_less},
    {"displacement_in_bytes", displacement_in_bytes},
    {"copy_of_a_request", copy_of_a_request},
    {"handle_of_another_library", handle_of_another_library},
};

int main(int count, char **words) {
    size_t i;
    int level;
    if (count > 1 && strcmp(words[1], "session_of_a_thread") == 0) {
        pthread_t thread;
        pthread_create(&thread, NULL, session_in_thread, words[1]);
        pthread_join(thread, NULL);
        return 0;
    }
    if (count > 1 && strncmp(words[1], "session", 7) == 0) {
        session(words[1]);
        return 0;
    }
    MPI_Init_thread(&count, &words, MPI_THREAD_FUNNELED, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (i = 0; i < sizeof cases / sizeof cases[0]; i++)
        if (count > 1 && strcmp(cases[i].name, words[1]) == 0) cases[i].function();
    MPI_Finalize();
    return 0;
}
