/* Wrong programs and right ones, one a function: what each is worth stands in c_programs.rs. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, size, next, prev, argc;
static char **argv;
static int a[1000], b[1000];
static MPI_Status st;
static MPI_Request r[10];
static MPI_Comm c;
static MPI_Datatype t;

static void all_receive_first(void) {
    MPI_Recv(b,1,MPI_INT,prev,0,MPI_COMM_WORLD,&st);
    MPI_Send(a,1,MPI_INT,next,0,MPI_COMM_WORLD);
}

static void all_send_first(void) {
    MPI_Send(a,1,MPI_INT,next,0,MPI_COMM_WORLD);
    MPI_Recv(b,1,MPI_INT,prev,0,MPI_COMM_WORLD,&st);
}

static void wrong_tag(void) {
    if(rank==0) MPI_Send(a,1,MPI_INT,1,1,MPI_COMM_WORLD);
    if(rank==1) MPI_Recv(b,1,MPI_INT,0,2,MPI_COMM_WORLD,&st);
}

static void different_collectives(void) {
    if(rank==0) MPI_Barrier(MPI_COMM_WORLD);
    else MPI_Bcast(a,1,MPI_INT,0,MPI_COMM_WORLD);
}

static void collective_missing_on_one_rank(void) {
    if(rank!=0) MPI_Barrier(MPI_COMM_WORLD);
}

static void different_roots(void) {
    MPI_Bcast(a,1,MPI_INT,rank%2,MPI_COMM_WORLD);
}

static void different_operations(void) {
    MPI_Allreduce(a,b,1,MPI_INT,rank?MPI_SUM:MPI_MAX,MPI_COMM_WORLD);
}

static void different_counts(void) {
    MPI_Bcast(a,rank?2:1,MPI_INT,0,MPI_COMM_WORLD);
}

static void different_types(void) {
    MPI_Bcast(a,1,rank?MPI_FLOAT:MPI_INT,0,MPI_COMM_WORLD);
}

static void different_blocks(void) {
    MPI_Gather(a,rank+1,MPI_INT,b,1,MPI_INT,0,MPI_COMM_WORLD);
}

static void receive_of_another_type(void) {
    if(rank==0) MPI_Send(a,1,MPI_INT,1,1,MPI_COMM_WORLD);
    if(rank==1) MPI_Recv(b,1,MPI_FLOAT,0,1,MPI_COMM_WORLD,&st);
}

static void receive_too_short(void) {
    if(rank==0) MPI_Send(a,2,MPI_INT,1,1,MPI_COMM_WORLD);
    if(rank==1) MPI_Recv(b,1,MPI_INT,0,1,MPI_COMM_WORLD,&st);
}

static void no_such_rank(void) {
    MPI_Send(a,1,MPI_INT,size,1,MPI_COMM_WORLD);
}

static void negative_tag(void) {
    MPI_Send(a,1,MPI_INT,0,-7,MPI_COMM_WORLD);
}

static void negative_count(void) {
    MPI_Bcast(a,-1,MPI_INT,0,MPI_COMM_WORLD);
}

static void null_communicator(void) {
    MPI_Barrier(MPI_COMM_NULL);
}

static void type_not_committed(void) {
    MPI_Type_contiguous(2,MPI_INT,&t);
    MPI_Bcast(a,1,t,0,MPI_COMM_WORLD);
    MPI_Type_free(&t);
}

static void no_such_root(void) {
    MPI_Bcast(a,1,MPI_INT,size,MPI_COMM_WORLD);
}

static void null_buffer(void) {
    MPI_Bcast(NULL,1,MPI_INT,0,MPI_COMM_WORLD);
}

static void freed_communicator(void) {
    MPI_Comm_dup(MPI_COMM_WORLD,&c);
    MPI_Comm d=c;
    MPI_Comm_free(&c);
    MPI_Barrier(d);
}

static void operation_not_for_type(void) {
    float x=1,y;
    MPI_Allreduce(&x,&y,1,MPI_FLOAT,MPI_BAND,MPI_COMM_WORLD);
}

static void send_never_waited_for(void) {
    MPI_Isend(a,1,MPI_INT,next,1,MPI_COMM_WORLD,&r[0]);
    MPI_Recv(b,1,MPI_INT,prev,1,MPI_COMM_WORLD,&st);
}

static void receive_never_waited_for(void) {
    MPI_Irecv(b,1,MPI_INT,prev,1,MPI_COMM_WORLD,&r[0]);
    MPI_Send(a,1,MPI_INT,next,1,MPI_COMM_WORLD);
}

static void persistent_request_kept(void) {
    MPI_Send_init(a,1,MPI_INT,next,1,MPI_COMM_WORLD,&r[0]);
}

static void started_twice(void) {
    MPI_Recv_init(b,1,MPI_INT,prev,1,MPI_COMM_WORLD,&r[0]);
    MPI_Start(&r[0]);
    MPI_Start(&r[0]);
    MPI_Send(a,1,MPI_INT,next,1,MPI_COMM_WORLD);
    MPI_Wait(&r[0],&st);
    MPI_Request_free(&r[0]);
}

static void communicator_kept(void) {
    MPI_Comm_dup(MPI_COMM_WORLD,&c);
}

static void type_kept(void) {
    MPI_Datatype t;
    MPI_Type_contiguous(2,MPI_INT,&t);
    MPI_Type_commit(&t);
}

static void group_kept(void) {
    MPI_Group g;
    MPI_Comm_group(MPI_COMM_WORLD,&g);
}

static void relies_on_order(void) {
    if(rank==0){ MPI_Recv(b,1,MPI_INT,MPI_ANY_SOURCE,0,MPI_COMM_WORLD,&st);
    if(st.MPI_SOURCE!=1) MPI_Abort(MPI_COMM_WORLD,1);
    MPI_Recv(b,1,MPI_INT,MPI_ANY_SOURCE,0,MPI_COMM_WORLD,&st);} else if(rank<3) MPI_Send(a,1,MPI_INT,0,0,MPI_COMM_WORLD);
}

static void one_order_deadlocks(void) {
    if(rank==0){ MPI_Recv(b,1,MPI_INT,MPI_ANY_SOURCE,0,MPI_COMM_WORLD,&st);
    MPI_Recv(b,1,MPI_INT,1,0,MPI_COMM_WORLD,&st);} else if(rank<3) MPI_Send(a,1,MPI_INT,0,0,MPI_COMM_WORLD);
}

static void send_buffer_changed(void) {
    MPI_Isend(a,1,MPI_INT,next,1,MPI_COMM_WORLD,&r[0]);
    a[0]=rank+5;
    MPI_Recv(b,1,MPI_INT,prev,1,MPI_COMM_WORLD,&st);
    MPI_Wait(&r[0],&st);
}

static void receive_buffer_written(void) {
    b[0]=3;
    MPI_Irecv(b,1,MPI_INT,prev,1,MPI_COMM_WORLD,&r[0]);
    b[0]=7;
    MPI_Send(a,1,MPI_INT,next,1,MPI_COMM_WORLD);
    MPI_Wait(&r[0],&st);
}

static void receive_buffers_overlap(void) {
    MPI_Irecv(b,2,MPI_INT,prev,1,MPI_COMM_WORLD,&r[0]);
    MPI_Irecv(b+1,2,MPI_INT,prev,1,MPI_COMM_WORLD,&r[1]);
    MPI_Send(a,2,MPI_INT,next,1,MPI_COMM_WORLD);
    MPI_Send(a,2,MPI_INT,next,1,MPI_COMM_WORLD);
    MPI_Waitall(2,r,MPI_STATUSES_IGNORE);
}

static void buffers_aliased(void) {
    MPI_Allreduce(a,a,1,MPI_INT,MPI_SUM,MPI_COMM_WORLD);
}

static void aborts(void) {
    MPI_Abort(MPI_COMM_WORLD,3);
}

static void bad_pointer(void) {
    if(rank==1) *(volatile int*)0=1;
}

static void exit_code(void) {
    if(rank==1) exit(4);
}

static void never_finalizes(void) {
    exit(0);
}

static void initialises_twice(void) {
    MPI_Init(&argc, &argv);
}

static void call_after_finalize(void) {
    MPI_Finalize();
    MPI_Barrier(MPI_COMM_WORLD);
    exit(0);
}

static void polls_for_ever(void) {
    int f=0;
    MPI_Irecv(b,1,MPI_INT,prev,1,MPI_COMM_WORLD,&r[0]);
    while(!f) MPI_Test(&r[0],&f,&st);
}

static void exchange(void) {
    MPI_Sendrecv(a,1,MPI_INT,next,0,b,1,MPI_INT,prev,0,MPI_COMM_WORLD,&st);
}

static void gather_by_hand(void) {
    if(rank==0) for(int i=1;i<size;i++) MPI_Recv(b,1,MPI_INT,MPI_ANY_SOURCE,0,MPI_COMM_WORLD,&st);
    else MPI_Send(a,1,MPI_INT,0,0,MPI_COMM_WORLD);
}

static int board;

static MPI_Win window(void) {
    MPI_Win w;
    MPI_Win_create(&board, sizeof board, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &w);
    return w;
}

static void put_outside_an_epoch(void) {
    MPI_Win w = window();
    if(rank==0) MPI_Put(a,1,MPI_INT,1,0,1,MPI_INT,w);
    MPI_Win_free(&w);
}

static void window_kept(void) { window(); }

static void name_kept(void) {
    char port[MPI_MAX_PORT_NAME];
    MPI_Open_port(MPI_INFO_NULL, port);
    if (rank == 0)
        MPI_Publish_name("verdicts", MPI_INFO_NULL, port);
    MPI_Close_port(port);
}

static void puts_in_one_epoch(void) {
    MPI_Win w = window();
    MPI_Win_fence(0,w);
    MPI_Put(&rank,1,MPI_INT,0,0,1,MPI_INT,w);
    MPI_Win_fence(0,w);
    MPI_Win_free(&w);
}

/* Right only if the data come before the fence that completes the put. */
static void puts_read_too_early(void) {
    MPI_Win w = window();
    MPI_Win_fence(0,w);
    if(rank==0) MPI_Put(&size,1,MPI_INT,1,0,1,MPI_INT,w);
    MPI_Barrier(MPI_COMM_WORLD);
    windtunnel_compute(1e-3);
    if(rank==1 && board!=size) exit(4);
    MPI_Win_fence(0,w);
    MPI_Win_free(&w);
}

static void sums_in_one_epoch(void) {
    MPI_Win w = window();
    MPI_Win_fence(0,w);
    MPI_Accumulate(&size,1,MPI_INT,0,0,1,MPI_INT,MPI_SUM,w);
    MPI_Win_fence(0,w);
    if(rank==0 && board!=size*size) exit(4);
    MPI_Win_free(&w);
}

static void message_never_received(void) {
    if(rank==0){ static char buf[2000];
    int s;
    void*p;
    MPI_Buffer_attach(buf,2000);
    MPI_Bsend(a,1,MPI_INT,1,9,MPI_COMM_WORLD);}
}

static void local_use(int load, int store, int element, int put_by, int used_by) {
    int *memory, i, data = 5;
    MPI_Win window;
    MPI_Win_allocate(8*sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
    for (i = 0; i < 8; i++) memory[i] = i;
    MPI_Win_fence(0, window);
    if (rank == put_by) MPI_Put(&data, 1, MPI_INT, used_by, 0, 1, MPI_INT, window);
    if (rank == used_by && load) b[0] = memory[element];
    if (rank == used_by && store) memory[element] = 9;
    MPI_Win_fence(0, window);
    if (rank == used_by) b[0] += memory[0];
    MPI_Win_free(&window);
}

static void loaded_while_put(void) { local_use(1, 0, 0, 0, 1); }
static void loaded_before_put(void) { local_use(1, 0, 0, 1, 0); }
static void stored_while_put(void) { local_use(0, 1, 0, 2, 1); }
static void neighbour_used_while_put(void) { local_use(1, 1, 1, 0, 1); }

static void polled_while_put(void) {
    int *memory, one = 1;
    MPI_Win window;
    MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
    *(volatile int *) memory = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(0, window);
    if (rank == 0) MPI_Accumulate(&one, 1, MPI_INT, 1, 0, 1, MPI_INT, MPI_REPLACE, window);
    MPI_Win_flush_all(window);
    if (rank == 1) while (*(volatile int *) memory == 0) MPI_Win_sync(window);
    MPI_Win_unlock_all(window);
    MPI_Win_free(&window);
}

static void merged_in_two_orders(void) {
    MPI_Comm half, between, all;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 9, &between);
    MPI_Intercomm_merge(between, rank == 2, &all);
    MPI_Comm_free(&all);
    MPI_Comm_free(&between);
    MPI_Comm_free(&half);
}

static const struct { const char *name; void (*function)(void); } cases[] = {
    {"all_receive_first", all_receive_first},
    {"all_send_first", all_send_first},
    {"wrong_tag", wrong_tag},
    {"different_collectives", different_collectives},
    {"collective_missing_on_one_rank", collective_missing_on_one_rank},
    {"different_roots", different_roots},
    {"different_operations", different_operations},
    {"different_counts", different_counts},
    {"different_types", different_types},
    {"different_blocks", different_blocks},
    {"receive_of_another_type", receive_of_another_type},
    {"receive_too_short", receive_too_short},
    {"no_such_rank", no_such_rank},
    {"negative_tag", negative_tag},
    {"negative_count", negative_count},
    {"null_communicator", null_communicator},
    {"type_not_committed", type_not_committed},
    {"no_such_root", no_such_root},
    {"null_buffer", null_buffer},
    {"freed_communicator", freed_communicator},
    {"operation_not_for_type", operation_not_for_type},
    {"send_never_waited_for", send_never_waited_for},
    {"receive_never_waited_for", receive_never_waited_for},
    {"persistent_request_kept", persistent_request_kept},
    {"started_twice", started_twice},
    {"communicator_kept", communicator_kept},
    {"type_kept", type_kept},
    {"group_kept", group_kept},
    {"relies_on_order", relies_on_order},
    {"one_order_deadlocks", one_order_deadlocks},
    {"merged_in_two_orders", merged_in_two_orders},
    {"send_buffer_changed", send_buffer_changed},
    {"receive_buffer_written", receive_buffer_written},
    {"receive_buffers_overlap", receive_buffers_overlap},
    {"buffers_aliased", buffers_aliased},
    {"aborts", aborts},
    {"bad_pointer", bad_pointer},
    {"exit_code", exit_code},
    {"never_finalizes", never_finalizes},
    {"initialises_twice", initialises_twice},
    {"call_after_finalize", call_after_finalize},
    {"polls_for_ever", polls_for_ever},
    {"exchange", exchange},
    {"gather_by_hand", gather_by_hand},
    {"message_never_received", message_never_received},
    {"put_outside_an_epoch", put_outside_an_epoch},
    {"window_kept", window_kept},
    {"name_kept", name_kept},
    {"puts_in_one_epoch", puts_in_one_epoch},
    {"puts_read_too_early", puts_read_too_early},
    {"sums_in_one_epoch", sums_in_one_epoch},
    {"loaded_while_put", loaded_while_put},
    {"loaded_before_put", loaded_before_put},
    {"stored_while_put", stored_while_put},
    {"neighbour_used_while_put", neighbour_used_while_put},
    {"polled_while_put", polled_while_put},
};

int main(int count, char **words) {
    argc = count;
    argv = words;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    next = (rank + 1) % size;
    prev = (rank + size - 1) % size;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        if (count > 1 && strcmp(cases[i].name, words[1]) == 0)
            cases[i].function();
    MPI_Finalize();
    return 0;
}
