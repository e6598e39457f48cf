/* One-sided programs whose order is their own: locks, queues and flags made of atomic accesses, and their wrong
   twins, selected by the first argument. Each element is an int of a window; `sleepy` ranks are so far apart in
   time that nothing overlaps. What each is worth stands in ordered.rs. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, size, next, prev;
static int *memory;
static MPI_Win window;
static const int one = 1, zero = 0;

static void allocate(int elements) {
    MPI_Win_allocate(elements * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
    memset(memory, 0, elements * sizeof(int));
    MPI_Barrier(MPI_COMM_WORLD);
}

static void passive(int elements) {
    allocate(elements);
    MPI_Win_lock_all(0, window);
}

static void end(void) {
    MPI_Win_unlock_all(window);
    MPI_Win_free(&window);
}

static void sleepy(void) { windtunnel_compute(rank * 1e-3); }
static void flush(int at) { MPI_Win_flush(at, window); }
static void put(int value, int at, int place) { MPI_Put(&value, 1, MPI_INT, at, place, 1, MPI_INT, window); flush(at); }

static int get(int at, int place) {
    int value;
    MPI_Get(&value, 1, MPI_INT, at, place, 1, MPI_INT, window);
    flush(at);
    return value;
}

static int fetch(MPI_Op op, int operand, int at, int place) {
    int before;
    MPI_Fetch_and_op(&operand, &before, MPI_INT, at, place, op, window);
    flush(at);
    return before;
}

static int swap(int expected, int value, int at, int place) {
    int before;
    MPI_Compare_and_swap(&value, &expected, &before, MPI_INT, at, place, window);
    flush(at);
    return before;
}

static void replace(int value, int at, int place) {
    MPI_Accumulate(&value, 1, MPI_INT, at, place, 1, MPI_INT, MPI_REPLACE, window);
    flush(at);
}

/* Element 2 is what the locks protect. */
static void count_in_section(int completed) {
    static int values[8], used;
    int *value = &values[used++];
    *value = get(0, 2) + 1;
    MPI_Put(value, 1, MPI_INT, 0, 2, 1, MPI_INT, window);
    if (completed) flush(0);
}

static void by_ticket(int completed, int asks) {
    passive(3);
    for (int round = 0; round < 2; round++) {
        int ticket = fetch(MPI_SUM, 1, 0, 0);
        while (asks && fetch(MPI_NO_OP, 0, 0, 1) != ticket) { }
        count_in_section(completed);
        MPI_Accumulate(&one, 1, MPI_INT, 0, 1, 1, MPI_INT, MPI_SUM, window);
        flush(0);
    }
    MPI_Win_unlock_all(window);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0 && completed && asks && memory[2] != 2 * size) MPI_Abort(MPI_COMM_WORLD, 3);
    MPI_Win_free(&window);
}

static void ticket_lock(void) { by_ticket(1, 1); }
static void ticket_lock_without_flush(void) { by_ticket(0, 1); }
static void ticket_lock_not_awaited(void) { by_ticket(1, 0); }

static void spin(int release) {
    passive(3);
    sleepy();
    while (swap(0, rank + 1, 0, 0) != 0) { }
    count_in_section(1);
    if (release == 0) fetch(MPI_REPLACE, 0, 0, 0);
    if (release == 1) replace(0, 0, 0);
    if (release == 2) put(0, 0, 0);
    end();
}

static void spin_lock(void) { spin(0); }
static void spin_lock_by_accumulate(void) { spin(1); }
static void spin_lock_released_by_put(void) { spin(2); }

/* Mellor-Crummey and Scott: 0 says that the rank waits, 1 is the next rank + 1; the tail is at rank 0 in 3. */
static void enter_and_leave(int loads, int stores) {
    int before, after;
    if (stores) {
        memory[0] = 1;
        memory[1] = 0;
        MPI_Win_sync(window);
    } else {
        replace(0, rank, 1);
        replace(1, rank, 0);
    }
    before = fetch(MPI_REPLACE, rank + 1, 0, 3);
    if (before) {
        replace(rank + 1, before - 1, 1);
        if (loads) do MPI_Win_sync(window); while (*(volatile int *) memory == 1);
        else while (fetch(MPI_NO_OP, 0, rank, 0) == 1) { }
    }
    count_in_section(1);
    if (swap(rank + 1, 0, 0, 3) != rank + 1) {
        if (loads) do MPI_Win_sync(window); while ((after = ((volatile int *) memory)[1]) == 0);
        else while ((after = fetch(MPI_NO_OP, 0, rank, 1)) == 0) { }
        replace(0, after - 1, 0);
    }
}

static void queue(int loads, int stores) {
    passive(4);
    for (int round = 0; round < 1 + stores; round++) enter_and_leave(loads, stores);
    end();
}

static void queue_lock(void) { queue(0, 0); }
static void queue_lock_with_loads(void) { queue(1, 0); }
/* What others have written to its words, and it has seen there, is over before it stores to them again. */
static void queue_lock_with_stores(void) { queue(0, 1); }
static void queue_lock_with_loads_and_stores(void) { queue(1, 1); }

/* Rank 1 updates a word, and rank 2 puts to it afterwards: after rank 0, which has seen the update, has told it, or by luck. */
static void put_after_update(int seen) {
    int told = 0;
    passive(1);
    if (rank == 1) {
        MPI_Accumulate(&one, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_REPLACE, window);
        if (!seen) MPI_Send(&one, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
        flush(0);
    }
    if (rank == 0) {
        do MPI_Win_sync(window); while (*(volatile int *) memory == 0);
        if (seen) MPI_Send(&one, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
    }
    if (rank == 2) {
        MPI_Recv(&told, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        put(5, 0, 0);
    }
    end();
}

static void update_seen_and_told(void) { put_after_update(1); }
static void update_told_but_not_seen(void) { put_after_update(0); }

/* Rank 1 writes data to rank 0 and raises a flag there, which rank 2 awaits. */
static void flag(int flushed, int raised_by_put, int awaited) {
    passive(2);
    if (rank == 1) {
        int data = 7;
        windtunnel_compute(1e-3);
        MPI_Put(&data, 1, MPI_INT, 0, 1, 1, MPI_INT, window);
        if (flushed) flush(0);
        if (raised_by_put) put(1, 0, 0); else replace(1, 0, 0);
    }
    if (rank == 2) {
        if (awaited) while (fetch(MPI_NO_OP, 0, 0, 0) == 0) { }
        else windtunnel_compute(1);
        if (get(0, 1) != 7 && flushed) MPI_Abort(MPI_COMM_WORLD, 3);
    }
    end();
}

static void flag_polled(void) { flag(1, 0, 1); }
static void flag_without_flush(void) { flag(0, 0, 1); }
static void flag_raised_by_put(void) { flag(1, 1, 1); }
static void flag_not_awaited(void) { flag(1, 0, 0); }

/* The same at the target itself, which loads. */
static void loaded_flag(int flushed, int awaited) {
    int data = 7;
    passive(2);
    if (rank == 1) {
        windtunnel_compute(1e-3);
        MPI_Put(&data, 1, MPI_INT, 0, 1, 1, MPI_INT, window);
        if (flushed) flush(0);
        replace(1, 0, 0);
    }
    if (rank == 0) {
        if (awaited) while (*(volatile int *) memory == 0) MPI_Win_sync(window);
        else windtunnel_compute(1);
        data = ((volatile int *) memory)[1];
        if (data != 7 && flushed) MPI_Abort(MPI_COMM_WORLD, data);
    }
    end();
}

static void flag_loaded(void) { loaded_flag(1, 1); }
static void flag_loaded_without_flush(void) { loaded_flag(0, 1); }
static void data_loaded_much_later(void) { loaded_flag(1, 0); }

/* Tasks lie in 2 and after; 0 is the number of those that are taken, of rank 0 first. */
static void steal(int published) {
    allocate(2 + 4);
    if (!published) sleepy();
    for (int i = 0; i < 4; i++) memory[2 + i] = 100 * rank + i;
    if (published) MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(0, window);
    int sum = 0;
    for (int i = 0; i < size; i++) {
        int victim = (rank + i) % size;
        for (int task; (task = fetch(MPI_SUM, 1, victim, 0)) < 4;) {
            sum += get(victim, 2 + task);
            fetch(MPI_SUM, 1, victim, 1);
        }
    }
    end();
}

static void work_stealing(void) { steal(1); }
static void tasks_not_published(void) { steal(0); }

/* A list: 0 of rank 0 is the last element + 1, 1 of each rank its successor + 1, 2 its data. */
static void list(int linked_late) {
    passive(3);
    int data = 10 + rank;
    if (linked_late) put(data, rank, 2);
    int before = fetch(MPI_REPLACE, rank + 1, 0, 0);
    if (!linked_late) put(data, rank, 2);
    if (before) replace(rank + 1, before - 1, 1);
    if (rank == 0) windtunnel_compute(1);
    if (rank == 0)
        for (int seen = 0; seen < size;) {
            int last = fetch(MPI_NO_OP, 0, 0, 0);
            if (last && get(last - 1, 2) != 9 + last && linked_late) MPI_Abort(MPI_COMM_WORLD, 3);
            if (last) seen++;
        }
    end();
}

static void list_of_ranks(void) { list(1); }
static void list_linked_too_early(void) { list(0); }

static void halo(int buffers) {
    allocate(4);
    MPI_Win_fence(0, window);
    for (int step = 0, seen = 0; step < 4; step++) {
        int half = buffers == 2 ? step % 2 : 0, value = step;
        MPI_Put(&value, 1, MPI_INT, next, half, 1, MPI_INT, window);
        if (buffers == 2 && step > 0 && ((volatile int *) memory)[1 - half] != step - 1)
            MPI_Abort(MPI_COMM_WORLD, 3);
        if (buffers == 1) seen += ((volatile int *) memory)[0];
        MPI_Win_fence(0, window);
    }
    MPI_Win_free(&window);
}

static void double_buffered_halo(void) { halo(2); }
static void single_buffered_halo(void) { halo(1); }

/* How rank 0 knows that its memory was exposed is complete. */
static void exposed(int waits, int told, int where) {
    MPI_Group all, others;
    int ranks[1], value = 5;
    allocate(2);
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    if (rank == 0) {
        ranks[0] = 1;
        MPI_Group_incl(all, 1, ranks, &others);
        for (int step = 0; step < 2; step++) {
            MPI_Win_post(others, 0, window);
            if (told) MPI_Recv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            if (!waits) value += ((volatile int *) memory)[where];
            MPI_Win_wait(window);
            if (waits) value += ((volatile int *) memory)[where];
        }
        MPI_Group_free(&others);
    }
    if (rank == 1) {
        ranks[0] = 0;
        MPI_Group_incl(all, 1, ranks, &others);
        for (int step = 0; step < 2; step++) {
            MPI_Win_start(others, 0, window);
            MPI_Put(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, window);
            MPI_Win_complete(window);
            if (told) MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        }
        MPI_Group_free(&others);
    }
    MPI_Group_free(&all);
    MPI_Win_free(&window);
}

static void exposure_waited_for(void) { exposed(1, 0, 0); }
static void exposure_elsewhere(void) { exposed(0, 0, 1); }
static void exposure_not_waited_for(void) { exposed(0, 1, 0); }

/* How a put of rank 1 to rank 0 comes to be known by whom. */
enum how { MESSAGE, EARLY_MESSAGE, NO_MESSAGE, NOT_WAITED, BROADCAST, REDUCED, NOT_THE_ROOT, SUMMED, SYNCHRONOUS,
           NONBLOCKING_BARRIER, BARRIER_NOT_WAITED, PROBED };

static void told(enum how how, int by_load) {
    int value = 3, other = 0, seen = 0, reader = how == NOT_THE_ROOT ? 2 : 0;
    MPI_Request request = MPI_REQUEST_NULL;
    allocate(2);
    if (rank == 1) {
        MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, window);
        MPI_Put(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, window);
        if (how == EARLY_MESSAGE) MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        if (how == SYNCHRONOUS) { flush(0); MPI_Recv(&other, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); }
        MPI_Win_unlock(0, window);
        if (how == MESSAGE || how == NOT_WAITED || how == PROBED) MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    if (rank == 0) {
        if (how == NOT_WAITED) MPI_Irecv(&other, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        if (how == MESSAGE || how == EARLY_MESSAGE)
            MPI_Recv(&other, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (how == SYNCHRONOUS) MPI_Ssend(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
        if (how == PROBED) MPI_Probe(1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (how == NO_MESSAGE || how == NOT_WAITED) windtunnel_compute(1);
    }
    if (how == BROADCAST) MPI_Bcast(&value, 1, MPI_INT, 1, MPI_COMM_WORLD);
    if (how == REDUCED || how == NOT_THE_ROOT) MPI_Reduce(&value, &other, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (how == SUMMED) MPI_Allreduce(&value, &other, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (how == NONBLOCKING_BARRIER || how == BARRIER_NOT_WAITED) MPI_Ibarrier(MPI_COMM_WORLD, &request);
    if (how == NONBLOCKING_BARRIER) MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (how == NOT_THE_ROOT || how == BARRIER_NOT_WAITED) windtunnel_compute(1);
    if (rank == reader) {
        if (by_load) seen += *(volatile int *) memory;
        else {
            MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, window);
            seen += get(0, 0);
            MPI_Win_unlock(0, window);
        }
        if (how == PROBED) MPI_Recv(&other, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Win_free(&window);
}

static void put_then_message(void) { told(MESSAGE, 1); }
static void put_then_message_and_get(void) { told(MESSAGE, 0); }
static void message_before_flush(void) { told(EARLY_MESSAGE, 0); }
static void load_much_later(void) { told(NO_MESSAGE, 1); }
static void get_much_later(void) { told(NO_MESSAGE, 0); }
static void message_not_waited_for(void) { told(NOT_WAITED, 0); }
static void put_then_broadcast(void) { told(BROADCAST, 1); }
static void put_then_reduction(void) { told(REDUCED, 1); }
static void reduction_to_another(void) { told(NOT_THE_ROOT, 0); }
static void put_then_sum(void) { told(SUMMED, 1); }
static void synchronous_send_ended(void) { told(SYNCHRONOUS, 0); }
static void put_then_barrier(void) { told(NONBLOCKING_BARRIER, 1); }
static void barrier_not_waited_for(void) { told(BARRIER_NOT_WAITED, 0); }
static void message_probed(void) { told(PROBED, 1); }

/* Each rank adds to the same element in its turn, far from the others. */
static void add_in_turn(int kind, int sleeps) {
    int value;
    allocate(1);
    if (sleeps) sleepy();
    MPI_Win_lock(kind, 0, 0, window);
    value = get(0, 0) + 1;
    MPI_Put(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, window);
    MPI_Win_unlock(0, window);
    MPI_Win_free(&window);
}

static void exclusive_locks(void) { add_in_turn(MPI_LOCK_EXCLUSIVE, 0); }
static void shared_locks_far_apart(void) { add_in_turn(MPI_LOCK_SHARED, 1); }

/* The target itself adds with a lock of its own, or without. */
static void add_at_home(int locks) {
    allocate(1);
    if (rank == 0) {
        windtunnel_compute(1);
        if (locks) MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window);
        *(volatile int *) memory += 1;
        if (locks) MPI_Win_unlock(0, window);
    }
    if (rank == 1) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window);
        put(get(0, 0) + 1, 0, 0);
        MPI_Win_unlock(0, window);
    }
    MPI_Win_free(&window);
}

static void target_locks_its_own(void) { add_at_home(1); }
static void target_does_not_lock(void) { add_at_home(0); }

/* Rank 1 waits for its memory, and calls MPI meanwhile or not. */
static void waits(int calls) {
    passive(1);
    if (rank == 0) {
        windtunnel_compute(1e-3);
        replace(1, 1, 0);
    }
    while (rank == 1 && *(volatile int *) memory == 0)
        if (calls) MPI_Win_sync(window); else windtunnel_compute(1e-6);
    end();
}

static void waits_with_calls(void) { waits(1); }
static void waits_without_calls(void) { waits(0); }

/* A lock that was given back before a barrier is free after it, also for those who do not ask. */
static void unchecked_after_barrier(void) {
    allocate(1);
    if (rank == 0) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window);
        *memory = 5;
        MPI_Win_unlock(0, window);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(MPI_MODE_NOCHECK, window);
    if (get(0, 0) != 5) MPI_Abort(MPI_COMM_WORLD, 3);
    end();
}

/* Rank 0 holds a lock of all and asserts that nobody asks for one in its way; rank 1 asks for its memory alone, `late`
   or before. */
static void asserted(double late) {
    allocate(1);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        windtunnel_compute(0.1);
        MPI_Win_lock_all(MPI_MODE_NOCHECK, window);
        windtunnel_compute(1);
        MPI_Win_unlock_all(window);
    } else if (rank == 1) {
        windtunnel_compute(late);
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window);
        MPI_Win_unlock(0, window);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_free(&window);
}

static void lock_denied_by_assertion(void) { asserted(0.5); }
/* The request is under way when the other lock is taken. */
static void lock_asserted_too_early(void) { asserted(0.1); }

/* Rank 1 hands data over in memory that a lock protects, and rank 0 asks for it until it is there. */
static void hand_over(void) {
    int ready = 0, data = 0;
    allocate(2);
    if (rank == 1) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window);
        put(9, 0, 1);
        put(1, 0, 0);
        MPI_Win_unlock(0, window);
    }
    while (rank == 0 && !ready) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window);
        ready = *(volatile int *) memory;
        MPI_Win_unlock(0, window);
        windtunnel_compute(1e-4);
    }
    if (rank == 0) data = ((volatile int *) memory)[1];
    if (rank == 0 && data != 9) MPI_Abort(MPI_COMM_WORLD, 3);
    MPI_Win_free(&window);
}

/* Requests: reads are complete when they are waited for, writes are not. */
static void by_request(int reads) {
    int value = 1;
    MPI_Request request;
    passive(1);
    if (rank == 1) {
        if (reads) MPI_Rget(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, window, &request);
        else MPI_Rput(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, window, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Send(&value, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
    }
    if (rank == 2) {
        MPI_Recv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        put(4, 0, 0);
    }
    end();
}

static void request_of_a_read(void) { by_request(1); }
static void request_of_a_write(void) { by_request(0); }

/* Received into the window itself: after the message, whatever came before it. */
static void received_into_window(void) {
    int value = 8;
    allocate(1);
    if (rank == 1) {
        MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, window);
        put(2, 0, 0);
        MPI_Win_unlock(0, window);
        MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    if (rank == 0) MPI_Recv(memory, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, window);
    value = get(0, 0);
    MPI_Win_unlock(0, window);
    MPI_Win_free(&window);
}

/* Dynamic windows: each rank attaches `part` and tells the others where it is. */
static int part[8];
static MPI_Aint places[64];

static void attach(int told) {
    MPI_Aint mine;
    MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Get_address(part, &mine);
    MPI_Allgather(&mine, 1, MPI_AINT, places, 1, MPI_AINT, MPI_COMM_WORLD);
    MPI_Win_attach(window, part, 4 * sizeof(int));
    if (told) MPI_Barrier(MPI_COMM_WORLD);
    else windtunnel_compute(1e-3);
    MPI_Win_lock_all(0, window);
}

static void put_to(int at, int element) {
    int value = 6;
    MPI_Put(&value, 1, MPI_INT, at, places[at] + element * sizeof(int), 1, MPI_INT, window);
    flush(at);
}

static void detach(void) {
    MPI_Win_unlock_all(window);
    MPI_Win_detach(window, part);
    MPI_Win_free(&window);
}

static void attached_and_told(void) {
    attach(1);
    put_to(next, 1);
    MPI_Barrier(MPI_COMM_WORLD);
    if (((volatile int *) part)[1] != 6) MPI_Abort(MPI_COMM_WORLD, 3);
    MPI_Barrier(MPI_COMM_WORLD);
    detach();
}

static void attached_but_not_told(void) {
    attach(0);
    put_to(next, 1);
    MPI_Barrier(MPI_COMM_WORLD);
    detach();
}

static void attached_and_loaded(void) {
    attach(1);
    put_to(next, 1);
    windtunnel_compute(1);
    if (((volatile int *) part)[1] != 6) MPI_Abort(MPI_COMM_WORLD, 3);
    MPI_Barrier(MPI_COMM_WORLD);
    detach();
}

static void detached_by_luck_afterwards(void) {
    attach(1);
    if (rank == 1) put_to(0, 2);
    windtunnel_compute(1);
    detach();
}

static void used_after_detach(void) {
    attach(1);
    if (rank == 0) MPI_Win_detach(window, part);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1) put_to(0, 2);
    MPI_Win_unlock_all(window);
    MPI_Win_free(&window);
}

static void used_beyond(void) {
    attach(1);
    if (rank == 1) MPI_Put(part, 2, MPI_INT, 0, places[0] + 3 * sizeof(int), 2, MPI_INT, window);
    MPI_Barrier(MPI_COMM_WORLD);
    detach();
}

/* The access is over before the flushes, which are so many that they look like polls. */
static void put_then_flushes_of_all(void) {
    passive(1);
    for (int value = 1; value <= 2; value++) {
        if (rank == 0) MPI_Put(&one, 1, MPI_INT, 1, 0, 1, MPI_INT, window);
        windtunnel_compute(1e-3);
        for (int at = 0; at < size; at++) MPI_Win_flush_local(at, window);
        MPI_Win_flush_all(window);
    }
    end();
}

/* Rank 1 waits until the others have raised flags in two windows, by calls on both in turn. */
static void two_windows(int by_flushes) {
    MPI_Win first;
    int *flags;
    MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &flags, &first);
    *flags = 0;
    MPI_Win_lock_all(0, first);
    passive(1);
    if (rank == 0) {
        MPI_Accumulate(&one, 1, MPI_INT, 1, 0, 1, MPI_INT, MPI_REPLACE, first);
        MPI_Win_flush(1, first);
        replace(1, 1, 0);
    }
    while (rank == 1 && !(*(volatile int *)flags && *(volatile int *)memory)) {
        if (by_flushes) MPI_Win_flush(0, first), MPI_Win_flush_all(window);
        else MPI_Win_sync(first), MPI_Win_sync(window);
    }
    end();
    MPI_Win_unlock_all(first);
    MPI_Win_free(&first);
}
static void two_windows_by_syncs(void) { two_windows(0); }
static void two_windows_by_flushes(void) { two_windows(1); }

enum ending { NOTHING, LOCALLY, BY_REQUEST, AT_THE_TARGET };

/* One call of MPI_Win_sync is no synchronisation with the origin. */
static void synced_once(enum ending ending) {
    MPI_Request request;
    passive(1);
    if (rank == 1) {
        if (ending == BY_REQUEST) {
            MPI_Rput(&one, 1, MPI_INT, 0, 0, 1, MPI_INT, window, &request);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
        } else {
            MPI_Put(&one, 1, MPI_INT, 0, 0, 1, MPI_INT, window);
        }
        if (ending == LOCALLY) MPI_Win_flush_local(0, window);
        if (ending == AT_THE_TARGET) MPI_Win_flush(0, window);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Win_sync(window);
        if (*(volatile int *)memory != 1 && ending == AT_THE_TARGET) MPI_Abort(MPI_COMM_WORLD, 3);
    }
    end();
}
static void flushed_and_synced(void) { synced_once(AT_THE_TARGET); }
static void synced_without_flush(void) { synced_once(NOTHING); }
static void synced_after_local_flush(void) { synced_once(LOCALLY); }
static void synced_after_request(void) { synced_once(BY_REQUEST); }

/* The message says that the data have been put, not that they have arrived. */
static void told_and_synced(int flushed_first) {
    int data[4] = { 1, 1, 1, 1 }, sum = 0, told = 1;
    passive(4);
    if (rank == 1) {
        MPI_Put(data, 4, MPI_INT, 0, 0, 4, MPI_INT, window);
        if (flushed_first) MPI_Win_flush(0, window);
        MPI_Send(&told, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        MPI_Win_flush(0, window);
    } else if (rank == 0) {
        MPI_Recv(&told, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Win_sync(window);
        for (int i = 0; i < 4; i++) sum += ((volatile int *)memory)[i];
        if (sum != 4 && flushed_first) MPI_Abort(MPI_COMM_WORLD, 3);
    }
    end();
}
static void told_after_flush_and_synced(void) { told_and_synced(1); }
static void told_before_flush_and_synced(void) { told_and_synced(0); }

/* The same in rounds, each with an answer: the same line loads all of them. */
static void rounds(int flushed_first) {
    int sum = 0, told = 1;
    passive(4);
    for (int round = 1; round <= 3; round++) {
        if (rank == 1) {
            int data[4] = { round, round, round, round };
            MPI_Put(data, 4, MPI_INT, 0, 0, 4, MPI_INT, window);
            if (flushed_first) MPI_Win_flush(0, window);
            MPI_Send(&told, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
            MPI_Win_flush(0, window);
            MPI_Recv(&told, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        } else if (rank == 0) {
            MPI_Recv(&told, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Win_sync(window);
            for (int i = 0; i < 4; i++) sum += ((volatile int *)memory)[i];
            MPI_Win_sync(window);
            MPI_Send(&told, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
        }
    }
    if (rank == 0 && sum != 24 && flushed_first) MPI_Abort(MPI_COMM_WORLD, 3);
    end();
}
static void rounds_told_after_flush(void) { rounds(1); }
static void rounds_told_before_flush(void) { rounds(0); }

/* All ranks put to the next one, and tell each other before or after the puts are complete. */
static void exchange(int flushed_first) {
    int told = 1, from;
    passive(4);
    MPI_Put(&rank, 1, MPI_INT, next, 2, 1, MPI_INT, window);
    if (flushed_first) flush(next);
    MPI_Sendrecv(&told, 1, MPI_INT, next, 0, &from, 1, MPI_INT, prev, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    flush(next);
    MPI_Win_sync(window);
    from = ((volatile int *)memory)[2];
    if (from != prev && flushed_first) MPI_Abort(MPI_COMM_WORLD, 3);
    end();
}
static void exchange_told_after_flush(void) { exchange(1); }
static void exchange_told_before_flush(void) { exchange(0); }

/* The message only says that the value is on its way; its receiver looks now and then while it works. */
static void looked_at_beside_work(void) {
    int told = 1;
    passive(1);
    if (rank == 1) {
        MPI_Put(&one, 1, MPI_INT, 0, 0, 1, MPI_INT, window);
        MPI_Send(&told, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        MPI_Win_flush(0, window);
    } else if (rank == 0) {
        MPI_Recv(&told, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int there = 0; !there;) {
            MPI_Win_sync(window);
            there = *(volatile int *)memory;
            MPI_Sendrecv(&one, 1, MPI_INT, 0, 1, &told, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            windtunnel_compute(1e-5);
        }
    }
    end();
}

/* An update that its origin only knows to have left arrives, though later than what its origin does next. */
static void flag_flushed_locally(void) {
    int seen = 0;
    passive(1);
    if (rank == 1) {
        MPI_Accumulate(&one, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_REPLACE, window);
        MPI_Win_flush_local(0, window);
    }
    while (rank == 0 && !seen) {
        MPI_Fetch_and_op(NULL, &seen, MPI_INT, 0, 0, MPI_NO_OP, window);
        MPI_Win_flush(0, window);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    end();
}

/* A value that has arrived was read. */
static void read_then_written(void) {
    int value;
    allocate(1);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window);
    MPI_Get(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, window);
    MPI_Win_flush_local(0, window);
    value++;
    MPI_Put(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, window);
    MPI_Win_unlock(0, window);
    MPI_Win_free(&window);
}

#define CASE(name) { #name, name }
static const struct { const char *name; void (*function)(void); } cases[] = {
    CASE(ticket_lock), CASE(ticket_lock_without_flush), CASE(ticket_lock_not_awaited),
    CASE(spin_lock), CASE(spin_lock_by_accumulate), CASE(spin_lock_released_by_put),
    CASE(queue_lock), CASE(queue_lock_with_loads), CASE(queue_lock_with_stores), CASE(queue_lock_with_loads_and_stores),
    CASE(update_seen_and_told), CASE(update_told_but_not_seen),
    CASE(flag_polled), CASE(flag_without_flush), CASE(flag_raised_by_put), CASE(flag_not_awaited),
    CASE(flag_loaded), CASE(flag_loaded_without_flush), CASE(data_loaded_much_later),
    CASE(work_stealing), CASE(tasks_not_published), CASE(list_of_ranks), CASE(list_linked_too_early),
    CASE(double_buffered_halo), CASE(single_buffered_halo),
    CASE(exposure_waited_for), CASE(exposure_elsewhere), CASE(exposure_not_waited_for),
    CASE(put_then_flushes_of_all), CASE(two_windows_by_syncs), CASE(two_windows_by_flushes),
    CASE(put_then_message), CASE(put_then_message_and_get), CASE(message_before_flush), CASE(load_much_later),
    CASE(get_much_later), CASE(message_not_waited_for), CASE(put_then_broadcast), CASE(put_then_reduction),
    CASE(reduction_to_another), CASE(put_then_sum), CASE(synchronous_send_ended), CASE(put_then_barrier),
    CASE(barrier_not_waited_for), CASE(message_probed),
    CASE(exclusive_locks), CASE(shared_locks_far_apart), CASE(target_locks_its_own), CASE(target_does_not_lock),
    CASE(hand_over), CASE(unchecked_after_barrier), CASE(lock_denied_by_assertion), CASE(lock_asserted_too_early),
    CASE(waits_with_calls), CASE(waits_without_calls), CASE(request_of_a_read), CASE(request_of_a_write), CASE(received_into_window),
    CASE(attached_and_told), CASE(attached_but_not_told), CASE(attached_and_loaded),
    CASE(detached_by_luck_afterwards), CASE(used_after_detach), CASE(used_beyond),
    CASE(told_after_flush_and_synced), CASE(told_before_flush_and_synced),
    CASE(flushed_and_synced), CASE(synced_without_flush), CASE(synced_after_local_flush), CASE(synced_after_request),
    CASE(flag_flushed_locally), CASE(read_then_written),
    CASE(rounds_told_after_flush), CASE(rounds_told_before_flush), CASE(exchange_told_after_flush),
    CASE(exchange_told_before_flush), CASE(looked_at_beside_work),
};

int main(int count, char **words) {
    MPI_Init(&count, &words);
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
