//! Sound programs that look wrong to a checker that is not careful: buffers of all kinds, requests
//! completed in parts or freed while active, benign races, user-defined operations, derived types,
//! intercommunicators, one-sided communication. C only.

use crate::program::{Program, Type, written};

/// Name, text, and the fewest ranks.
type Text = (&'static str, u32, &'static str);

const TEXTS: &[Text] = &[
    (
        "a ring of heap buffers",
        2,
        "T *a = calloc(4, sizeof *a), *b = calloc(4, sizeof *b);
MPI_Sendrecv(a, 4, M, (rank + 1) % size, 1, b, 4, M, (rank + size - 1) % size, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
seen = b[3] > 0;
free(a); free(b);",
    ),
    (
        "thread-local and stack buffers",
        2,
        "static __thread T local[4];
T stack[4] = {0};
MPI_Request both[2];
MPI_Irecv(local, 4, M, (rank + size - 1) % size, 2, MPI_COMM_WORLD, &both[0]);
MPI_Isend(stack, 4, M, (rank + 1) % size, 2, MPI_COMM_WORLD, &both[1]);
MPI_Waitall(2, both, MPI_STATUSES_IGNORE);
stack[0] = local[0];",
    ),
    (
        "a request freed while active",
        2,
        "T a[4] = {0};
if (rank == 0) {
  MPI_Isend(a, 4, M, 1, 0, MPI_COMM_WORLD, &request);
  MPI_Request_free(&request);
  MPI_Recv(&seen, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
} else if (rank == 1) {
  MPI_Recv(a, 4, M, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Send(&seen, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
}",
    ),
    (
        "a sum of messages in any order",
        2,
        "T one = 1, sum = 0;
if (rank == 0)
  for (int i = 1; i < size; i++) {
    T got;
    MPI_Recv(&got, 1, M, MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    sum += got;
  }
else
  MPI_Send(&one, 1, M, 0, 3, MPI_COMM_WORLD);
if (rank == 0 && sum != (T)(size - 1)) MPI_Abort(MPI_COMM_WORLD, 1);",
    ),
    (
        "waits for some",
        2,
        "T got[8];
MPI_Request all[8];
int done[8], count, left = size - 1;
if (rank == 0) {
  for (int i = 1; i < size; i++) MPI_Irecv(&got[i], 1, M, i, 4, MPI_COMM_WORLD, &all[i - 1]);
  while (left > 0) {
    MPI_Waitsome(size - 1, all, &count, done, MPI_STATUSES_IGNORE);
    left -= count;
  }
} else {
  T one = 1;
  MPI_Ssend(&one, 1, M, 0, 4, MPI_COMM_WORLD);
}",
    ),
    (
        "tests until done",
        2,
        "T got[8];
MPI_Request all[8];
int flag, at;
if (rank == 0) {
  for (int i = 1; i < size; i++) MPI_Irecv(&got[i], 1, M, i, 4, MPI_COMM_WORLD, &all[i - 1]);
  for (int left = size - 1; left > 0;) {
    MPI_Testany(size - 1, all, &at, &flag, MPI_STATUS_IGNORE);
    if (flag && at != MPI_UNDEFINED) left--;
  }
} else {
  T one = 1;
  MPI_Isend(&one, 1, M, 0, 4, MPI_COMM_WORLD, &request);
  for (flag = 0; !flag;) MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
}",
    ),
    (
        "an operation of the program",
        2,
        "T mine[2] = {1, 2}, all[2];
MPI_Op_create(add_bytewise, 1, &op);
MPI_Allreduce(mine, all, 2, M, op, MPI_COMM_WORLD);
MPI_Op_free(&op);",
    ),
    (
        "a type with gaps",
        2,
        "T a[8] = {0};
MPI_Type_vector(4, 1, 2, M, &type);
MPI_Type_commit(&type);
if (rank == 0) {
  MPI_Isend(a, 1, type, 1, 0, MPI_COMM_WORLD, &request);
  a[1] = 3;
  MPI_Wait(&request, MPI_STATUS_IGNORE);
} else if (rank == 1) {
  MPI_Irecv(a, 1, type, 0, 0, MPI_COMM_WORLD, &request);
  a[7] = a[1];
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}
MPI_Type_free(&type);",
    ),
    (
        "two halves that talk",
        2,
        "MPI_Comm half, between;
T mine = 1, sum;
MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 5, &between);
MPI_Allreduce(&mine, &sum, 1, M, MPI_SUM, between);
MPI_Bcast(&sum, 1, M, rank % 2 ? 0 : rank == 0 ? MPI_ROOT : MPI_PROC_NULL, between);
MPI_Comm_free(&between);
MPI_Comm_free(&half);",
    ),
    (
        "a chain with ends",
        2,
        "T a[2] = {0}, b[2] = {0};
int left = rank ? rank - 1 : MPI_PROC_NULL, right = rank + 1 < size ? rank + 1 : MPI_PROC_NULL;
MPI_Irecv(b, 2, M, left, 0, MPI_COMM_WORLD, &request);
MPI_Send(a, 2, M, right, 0, MPI_COMM_WORLD);
MPI_Wait(&request, MPI_STATUS_IGNORE);",
    ),
    (
        "room for what a probe finds",
        2,
        "if (rank == 0) {
  T a[7] = {0};
  for (int i = 1; i < size; i++) MPI_Send(a, 7, M, i, i, MPI_COMM_WORLD);
} else {
  MPI_Status status;
  int count;
  MPI_Probe(0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
  MPI_Get_count(&status, M, &count);
  T *a = malloc(count * sizeof *a);
  MPI_Recv(a, count, M, 0, status.MPI_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  free(a);
}",
    ),
    (
        "a buffer of just the right size",
        2,
        "T a[4] = {0};
int bytes;
MPI_Pack_size(4, M, MPI_COMM_WORLD, &bytes);
bytes += MPI_BSEND_OVERHEAD;
char *room = malloc(bytes);
MPI_Buffer_attach(room, bytes);
MPI_Bsend(a, 4, M, (rank + 1) % size, 0, MPI_COMM_WORLD);
a[0] = 9;
MPI_Recv(a, 4, M, (rank + size - 1) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
MPI_Buffer_detach(&room, &bytes);
free(room);",
    ),
    (
        "data in place",
        2,
        "T all[8] = {0};
MPI_Allreduce(MPI_IN_PLACE, all, 2, M, MPI_MAX, MPI_COMM_WORLD);
MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, 2, M, MPI_COMM_WORLD);
MPI_Scatter(all, 2, M, rank ? (void *)(all + 2) : MPI_IN_PLACE, 2, M, 0, MPI_COMM_WORLD);",
    ),
    (
        "a message to oneself",
        1,
        "T a = 1, b;
MPI_Isend(&a, 1, M, rank, 0, MPI_COMM_WORLD, &request);
MPI_Recv(&b, 1, M, rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
MPI_Wait(&request, MPI_STATUS_IGNORE);",
    ),
    (
        "a receive that is cancelled",
        1,
        "T a;
MPI_Status status;
MPI_Irecv(&a, 1, M, rank, 77, MPI_COMM_WORLD, &request);
MPI_Cancel(&request);
MPI_Wait(&request, &status);
MPI_Test_cancelled(&status, &seen);
if (!seen) MPI_Abort(MPI_COMM_WORLD, 1);",
    ),
    (
        "requests that are null in between",
        2,
        "T a[3] = {0}, b[3];
MPI_Request all[6];
int at;
for (int i = 0; i < 6; i++) all[i] = MPI_REQUEST_NULL;
for (int i = 0; i < 3; i++) {
  MPI_Irecv(&b[i], 1, M, (rank + size - 1) % size, i, MPI_COMM_WORLD, &all[2 * i]);
  MPI_Send_init(&a[i], 1, M, (rank + 1) % size, i, MPI_COMM_WORLD, &all[2 * i + 1]);
  MPI_Start(&all[2 * i + 1]);
}
for (int i = 0; i < 6; i++) MPI_Waitany(6, all, &at, MPI_STATUS_IGNORE);
for (int i = 0; i < 3; i++) MPI_Request_free(&all[2 * i + 1]);",
    ),
    (
        "persistent requests in a loop",
        2,
        "T a[4] = {0}, b[4] = {0};
MPI_Request both[2];
MPI_Send_init(a, 4, M, (rank + 1) % size, 0, MPI_COMM_WORLD, &both[0]);
MPI_Recv_init(b, 4, M, (rank + size - 1) % size, 0, MPI_COMM_WORLD, &both[1]);
for (int i = 0; i < 3; i++) {
  MPI_Startall(2, both);
  MPI_Waitall(2, both, MPI_STATUSES_IGNORE);
  a[0] = b[0] + 1;
}
MPI_Request_free(&both[0]);
MPI_Request_free(&both[1]);",
    ),
    (
        "a communicator without some ranks",
        2,
        "MPI_Comm some;
T a = 0;
MPI_Comm_split(MPI_COMM_WORLD, rank ? 1 : MPI_UNDEFINED, 0, &some);
if (some != MPI_COMM_NULL) {
  MPI_Bcast(&a, 1, M, 0, some);
  MPI_Comm_free(&some);
}",
    ),
    (
        "work beside a barrier",
        2,
        "T a = 0, b = 0;
int flag = 0;
MPI_Ibarrier(MPI_COMM_WORLD, &request);
MPI_Sendrecv(&a, 1, M, (rank + 1) % size, 0, &b, 1, M, (rank + size - 1) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
while (!flag) MPI_Test(&request, &flag, MPI_STATUS_IGNORE);",
    ),
    (
        "a ready send that is awaited",
        2,
        "T a[4] = {0}, b[4];
if (rank == 1) MPI_Irecv(b, 4, M, 0, 0, MPI_COMM_WORLD, &request);
MPI_Barrier(MPI_COMM_WORLD);
if (rank == 0) MPI_Rsend(a, 4, M, 1, 0, MPI_COMM_WORLD);
if (rank == 1) MPI_Wait(&request, MPI_STATUS_IGNORE);",
    ),
    (
        "an array of structures",
        2,
        "struct { char kind; T value[2]; } a[3] = {{0}};
int blocks[2] = {1, 2};
MPI_Aint at[2] = {0, (char *)a[0].value - (char *)a};
MPI_Datatype parts[2] = {MPI_CHAR, M}, whole;
MPI_Type_create_struct(2, blocks, at, parts, &whole);
MPI_Type_create_resized(whole, 0, sizeof a[0], &type);
MPI_Type_commit(&type);
MPI_Bcast(a, 3, type, size - 1, MPI_COMM_WORLD);
MPI_Type_free(&whole);
MPI_Type_free(&type);",
    ),
    (
        "puts between fences",
        2,
        "T memory[8] = {0}, own = 3;
MPI_Win_create(memory, sizeof memory, sizeof(T), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
MPI_Win_fence(0, window);
MPI_Put(&own, 1, M, (rank + 1) % size, rank, 1, M, window);
MPI_Win_fence(0, window);
own = memory[(rank + size - 1) % size];
MPI_Win_free(&window);",
    ),
    (
        "a shared counter",
        2,
        "int *counter, one_more = 1, before;
MPI_Win_allocate(sizeof *counter, sizeof *counter, MPI_INFO_NULL, MPI_COMM_WORLD, &counter, &window);
MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, window);
*counter = 0;
MPI_Win_unlock(rank, window);
MPI_Barrier(MPI_COMM_WORLD);
MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, window);
MPI_Fetch_and_op(&one_more, &before, MPI_INT, 0, 0, MPI_SUM, window);
MPI_Win_unlock(0, window);
MPI_Win_free(&window);",
    ),
    (
        "puts to one place under exclusive locks",
        2,
        "T memory[4] = {0}, own = 1;
MPI_Win_create(memory, sizeof memory, sizeof(T), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window);
MPI_Put(&own, 1, M, 0, 0, 1, M, window);
MPI_Win_unlock(0, window);
MPI_Win_free(&window);",
    ),
    (
        "sums at one place, each by a request",
        2,
        "T memory[4] = {0}, own = 1;
MPI_Win_create(memory, sizeof memory, sizeof(T), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
MPI_Win_lock_all(0, window);
MPI_Raccumulate(&own, 1, M, 0, 0, 1, M, MPI_SUM, window, &request);
MPI_Wait(&request, MPI_STATUS_IGNORE);
own = 2;
MPI_Win_unlock_all(window);
MPI_Win_free(&window);",
    ),
    (
        "groups of posts and starts in a ring",
        2,
        "T memory[4] = {0}, own = 1;
MPI_Group world, before, after;
int left = (rank + size - 1) % size, right = (rank + 1) % size;
MPI_Win_create(memory, sizeof memory, sizeof(T), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
MPI_Comm_group(MPI_COMM_WORLD, &world);
MPI_Group_incl(world, 1, &left, &before);
MPI_Group_incl(world, 1, &right, &after);
MPI_Win_post(before, 0, window);
MPI_Win_start(after, 0, window);
MPI_Put(&own, 1, M, right, 0, 1, M, window);
MPI_Win_complete(window);
MPI_Win_wait(window);
seen = memory[0] > 0;
MPI_Group_free(&before);
MPI_Group_free(&after);
MPI_Group_free(&world);
MPI_Win_free(&window);",
    ),
    (
        "shared memory between fences",
        2,
        "T *memory, *next;
MPI_Aint bytes;
int unit;
MPI_Win_allocate_shared(4 * sizeof(T), sizeof(T), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
MPI_Win_shared_query(window, (rank + 1) % size, &bytes, &unit, &next);
MPI_Win_fence(0, window);
memory[0] = rank;
next[1] = rank;
MPI_Win_fence(0, window);
seen = next[0] > memory[1];
MPI_Win_fence(0, window);
MPI_Win_free(&window);",
    ),
    (
        "shared memory under a lock of all, with barriers",
        2,
        "T *memory, *next;
MPI_Aint bytes;
int unit;
MPI_Win_allocate_shared(4 * sizeof(T), sizeof(T), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
MPI_Win_shared_query(window, (rank + 1) % size, &bytes, &unit, &next);
MPI_Win_lock_all(MPI_MODE_NOCHECK, window);
memory[0] = rank;
MPI_Win_sync(window);
MPI_Barrier(MPI_COMM_WORLD);
MPI_Win_sync(window);
seen = next[0] > 0;
MPI_Win_unlock_all(window);
MPI_Win_free(&window);",
    ),
    (
        "nonblocking and split collective writes of a file",
        2,
        "T own[4] = {0}, more[4] = {0};
MPI_File file;
MPI_Offset half = size * (MPI_Offset)sizeof own;
MPI_File_open(MPI_COMM_WORLD, \"yardstick.data\", MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
MPI_File_iwrite_at_all(file, rank * (MPI_Offset)sizeof own, own, 4, M, &request);
MPI_File_write_at_all_begin(file, half + rank * (MPI_Offset)sizeof own, more, 4, M);
MPI_File_write_at_all_end(file, more, MPI_STATUS_IGNORE);
MPI_Wait(&request, MPI_STATUS_IGNORE);
MPI_File_close(&file);",
    ),
    (
        "a file with a part for each rank",
        1,
        "T mine[4] = {0};
MPI_File file;
MPI_File_open(MPI_COMM_WORLD, \"yardstick.data\", MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
MPI_File_write_at_all(file, rank * (MPI_Offset)sizeof mine, mine, 4, M, MPI_STATUS_IGNORE);
MPI_File_read_at(file, rank * (MPI_Offset)sizeof mine, mine, 4, M, MPI_STATUS_IGNORE);
MPI_File_close(&file);",
    ),
    (
        "matched probes",
        2,
        "T a = 1;
int flag = 0;
if (rank) MPI_Send(&a, 1, M, 0, rank, MPI_COMM_WORLD);
else
  for (int left = size - 1; left > 0; left--) {
    for (flag = 0; !flag;) MPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &message, MPI_STATUS_IGNORE);
    MPI_Imrecv(&a, 1, M, &message, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }",
    ),
    (
        "an error that the program handles",
        2,
        "T a = 0;
MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
if (MPI_Send(&a, 1, M, size + 5, 0, MPI_COMM_WORLD) == MPI_SUCCESS) MPI_Abort(MPI_COMM_WORLD, 1);
MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);",
    ),
];

/// Returns all of them, with each type and several numbers of ranks.
pub(crate) fn programs() -> Vec<Program> {
    let mut all = Vec::new();
    for (name, least, text) in TEXTS {
        for memory in Type::ALL {
            for ranks in [2, 3, 4].into_iter().filter(|ranks| ranks >= least) {
                all.push(written("sound in odd ways", name, (ranks, memory), text, "ok"));
            }
        }
    }
    all
}
