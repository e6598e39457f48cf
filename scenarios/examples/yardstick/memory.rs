//! Faults of one-sided communication, of files, and of orders of messages. C only. The line that a
//! finding must name ends with `/* here */`.

use crate::program::{Program, Type, written};

/// Fault, text, and verdict.
type Text = (&'static str, &'static str, &'static str);

/// Family, what each of its programs begins with, and these.
const FAMILIES: &[(&str, &str, &[Text])] = &[
    ("windows", OPEN_WINDOW, WINDOWS),
    ("windows", "", WITHOUT_WINDOW),
    ("passive targets", OPEN_WINDOW, PASSIVE),
    ("shared windows", OPEN_SHARED, SHARED),
    ("files", OPEN_FILE, FILES),
    ("orders", "", ORDERS),
];

const OPEN_WINDOW: &str = "T memory[8] = {0}, own[8] = {0};
MPI_Win_create(memory, sizeof memory, sizeof(T), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
";
const OPEN_SHARED: &str = "T *memory, *next;
MPI_Aint bytes;
int unit;
MPI_Win_allocate_shared(8 * sizeof(T), sizeof(T), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
MPI_Win_shared_query(window, (rank + 1) % size, &bytes, &unit, &next);
MPI_Win_fence(0, window);
";
const OPEN_FILE: &str = "T own[8] = {0};
MPI_File file;
MPI_File_open(MPI_COMM_WORLD, \"yardstick.data\", MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
";

const WINDOWS: &[Text] = &[
    (
        "a put without an epoch",
        "MPI_Put(own, 1, M, 1, 0, 1, M, window); /* here */
MPI_Win_free(&window);",
        "epoch-lifecycle",
    ),
    (
        "a get beyond the window",
        "MPI_Win_fence(0, window);
MPI_Get(own, 4, M, 1, 6, 4, M, window); /* here */
MPI_Win_fence(0, window);
MPI_Win_free(&window);",
        "invalid-argument",
    ),
    (
        "two puts to one place",
        "MPI_Win_fence(0, window);
MPI_Put(own, 1, M, 0, 0, 1, M, window); /* here */
MPI_Win_fence(0, window);
MPI_Win_free(&window);",
        "global-concurrency",
    ),
    (
        "a get and a put to one place",
        "MPI_Win_fence(0, window);
if (rank == 1) MPI_Get(own, 1, M, 0, 0, 1, M, window);
if (rank == 2) MPI_Put(own, 1, M, 0, 0, 1, M, window); /* here */
MPI_Win_fence(0, window);
MPI_Win_free(&window);",
        "global-concurrency",
    ),
    (
        "the result of a get is used before the fence",
        "MPI_Win_fence(0, window);
MPI_Get(own, 1, M, (rank + 1) % size, 0, 1, M, window); /* here */
seen = own[0] > 0;
MPI_Win_fence(0, window);
MPI_Win_free(&window);",
        "local-concurrency",
    ),
    (
        "the origin of a put is changed before the fence",
        "MPI_Win_fence(0, window);
MPI_Put(own, 1, M, (rank + 1) % size, 0, 1, M, window); /* here */
own[0] = 5;
MPI_Win_fence(0, window);
MPI_Win_free(&window);",
        "local-concurrency",
    ),
    (
        "a lock that is never released",
        "MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, window); /* here */
MPI_Win_free(&window);",
        "epoch-lifecycle",
    ),
    (
        "an unlock without a lock",
        "MPI_Win_unlock(0, window); /* here */
MPI_Win_free(&window);",
        "epoch-lifecycle",
    ),
    (
        "a fence that one rank leaves out",
        "if (rank != 1) MPI_Win_fence(0, window);
MPI_Win_free(&window);",
        "call-ordering",
    ),
];

const WITHOUT_WINDOW: &[Text] = &[
    (
        "never freed",
        "T memory[8] = {0};
MPI_Win_create(memory, sizeof memory, sizeof(T), MPI_INFO_NULL, MPI_COMM_WORLD, &window); /* here */",
        "resource-leak",
    ),
    (
        "a window of null",
        "T own = 0;
MPI_Put(&own, 1, M, 0, 0, 1, M, MPI_WIN_NULL); /* here */",
        "invalid-argument",
    ),
];

const PASSIVE: &[Text] = &[
    (
        "puts of all to one place under shared locks",
        "MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, window);
MPI_Put(own, 1, M, 0, 2, 1, M, window); /* here */
MPI_Win_unlock(0, window);
MPI_Win_free(&window);",
        "global-concurrency",
    ),
    (
        "a sum and a product at one place",
        "MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, window);
MPI_Accumulate(own, 1, M, 0, 2, 1, M, rank == 1 ? MPI_PROD : MPI_SUM, window); /* here */
MPI_Win_unlock(0, window);
MPI_Win_free(&window);",
        "global-concurrency",
    ),
    (
        "a lock of a target that is locked",
        "MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, window);
MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, window); /* here */
MPI_Win_unlock(0, window);
MPI_Win_free(&window);",
        "epoch-lifecycle",
    ),
    (
        "a flush without a lock",
        "MPI_Win_flush(0, window); /* here */
MPI_Win_free(&window);",
        "epoch-lifecycle",
    ),
    (
        "a request of a put in an epoch of fences",
        "MPI_Win_fence(0, window);
MPI_Rput(own, 1, M, (rank + 1) % size, 0, 1, M, window, &request); /* here */
MPI_Wait(&request, MPI_STATUS_IGNORE);
MPI_Win_fence(0, window);
MPI_Win_free(&window);",
        "epoch-lifecycle",
    ),
    (
        "the result of a request of a get is used before the wait",
        "MPI_Win_lock_all(0, window);
MPI_Rget(own, 1, M, (rank + 1) % size, 0, 1, M, window, &request); /* here */
seen = own[0] > 0;
MPI_Wait(&request, MPI_STATUS_IGNORE);
MPI_Win_unlock_all(window);
MPI_Win_free(&window);",
        "local-concurrency",
    ),
    (
        "a complete without a start",
        "MPI_Win_complete(window); /* here */
MPI_Win_free(&window);",
        "epoch-lifecycle",
    ),
    (
        "a wait without a post",
        "MPI_Win_wait(window); /* here */
MPI_Win_free(&window);",
        "epoch-lifecycle",
    ),
    (
        "a target of no start",
        "MPI_Group world, one;
int first = 0;
MPI_Comm_group(MPI_COMM_WORLD, &world);
MPI_Group_incl(world, 1, &first, &one);
if (rank == 0) MPI_Win_post(world, 0, window);
MPI_Win_start(one, 0, window);
MPI_Put(own, 1, M, 1, rank, 1, M, window); /* here */
MPI_Win_complete(window);
if (rank == 0) MPI_Win_wait(window);
MPI_Group_free(&one);
MPI_Group_free(&world);
MPI_Win_free(&window);",
        "epoch-lifecycle",
    ),
];

const SHARED: &[Text] = &[
    (
        "a store that a neighbour loads in the same epoch",
        "memory[0] = rank; /* here */
seen = next[0] > 0;
MPI_Win_fence(0, window);
MPI_Win_free(&window);",
        "global-concurrency",
    ),
    (
        "stores of two ranks to one place",
        "memory[1] = rank;
next[1] = rank; /* here */
MPI_Win_fence(0, window);
MPI_Win_free(&window);",
        "global-concurrency",
    ),
    (
        "a put to memory that its owner stores to",
        "T own[2] = {0};
memory[1] = rank;
MPI_Put(own, 1, M, (rank + 1) % size, 1, 1, M, window); /* here */
MPI_Win_fence(0, window);
MPI_Win_free(&window);",
        "global-concurrency",
    ),
    ("never freed", "MPI_Win_fence(MPI_MODE_NOSUCCEED, window);", "resource-leak"),
];

const FILES: &[Text] = &[
    (
        "a nonblocking collective write that one rank leaves out",
        "request = MPI_REQUEST_NULL;
if (rank != 1) MPI_File_iwrite_at_all(file, rank * (MPI_Offset)sizeof own, own, 8, M, &request);
MPI_Wait(&request, MPI_STATUS_IGNORE);
MPI_File_close(&file);",
        "call-ordering",
    ),
    (
        "a request of a write that is never completed",
        "MPI_File_iwrite_at(file, rank * (MPI_Offset)sizeof own, own, 8, M, &request); /* here */
MPI_File_close(&file);",
        "request-lifecycle",
    ),
    (
        "nonblocking writes to one place",
        "MPI_File_iwrite_at(file, 0, own, 4, M, &request); /* here */
MPI_Wait(&request, MPI_STATUS_IGNORE);
MPI_File_close(&file);",
        "global-concurrency",
    ),
    (
        "a buffer of a split collective that is used before its end",
        "MPI_File_write_at_all_begin(file, rank * (MPI_Offset)sizeof own, own, 8, M); /* here */
own[0] = 5;
MPI_File_write_at_all_end(file, own, MPI_STATUS_IGNORE);
MPI_File_close(&file);",
        "local-concurrency",
    ),
    (
        "the end of a split collective that has not begun",
        "MPI_File_write_at_all_end(file, own, MPI_STATUS_IGNORE); /* here */
MPI_File_close(&file);",
        "request-lifecycle",
    ),
    ("never closed", "", "resource-leak"),
    (
        "two writes to one place",
        "MPI_File_write_at(file, 0, own, 4, M, MPI_STATUS_IGNORE); /* here */
MPI_File_close(&file);",
        "global-concurrency",
    ),
    (
        "a negative count",
        "MPI_File_write_at(file, 0, own, -4, M, MPI_STATUS_IGNORE); /* here */
MPI_File_close(&file);",
        "invalid-argument",
    ),
    (
        "a buffer that is used before the wait",
        "MPI_File_iwrite_at(file, rank * (MPI_Offset)sizeof own, own, 8, M, &request); /* here */
own[0] = 5;
MPI_Wait(&request, MPI_STATUS_IGNORE);
MPI_File_close(&file);",
        "local-concurrency",
    ),
    (
        "a collective write that one rank leaves out",
        "if (rank != 1) MPI_File_write_at_all(file, rank * (MPI_Offset)sizeof own, own, 8, M, MPI_STATUS_IGNORE);
MPI_File_close(&file);",
        "call-ordering",
    ),
];

const ORDERS: &[Text] = &[
    (
        "the first answer decides",
        "int first = rank;
if (rank == 0) {
  MPI_Recv(&first, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* here */
  if (first != 1) MPI_Abort(MPI_COMM_WORLD, 1);
  for (int i = 2; i < size; i++) MPI_Recv(&first, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
} else
  MPI_Send(&first, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);",
        "message-race",
    ),
    (
        "any source before a certain one",
        "T a = 0;
if (rank == 0) {
  MPI_Recv(&a, 1, M, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* here */
  MPI_Recv(&a, 1, M, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
} else if (rank < 3)
  MPI_Send(&a, 1, M, 0, 0, MPI_COMM_WORLD);",
        "message-race",
    ),
    (
        "a ring of sends",
        "T a[4] = {0}, b[4];
MPI_Send(a, 4, M, (rank + 1) % size, 0, MPI_COMM_WORLD); /* here */
MPI_Recv(b, 4, M, (rank + size - 1) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);",
        "buffering",
    ),
    (
        "a ring of receives",
        "T a[4] = {0}, b[4];
MPI_Recv(b, 4, M, (rank + size - 1) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* here */
MPI_Send(a, 4, M, (rank + 1) % size, 0, MPI_COMM_WORLD);",
        "deadlock",
    ),
    (
        "a barrier before the receive",
        "T a = 0;
if (rank == 0) MPI_Ssend(&a, 1, M, 1, 0, MPI_COMM_WORLD);
MPI_Barrier(MPI_COMM_WORLD); /* here */
if (rank == 1) MPI_Recv(&a, 1, M, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);",
        "deadlock",
    ),
    (
        "a test that never succeeds",
        "T a = 0;
int flag = 0;
if (rank == 0) {
  MPI_Irecv(&a, 1, M, 1, 0, MPI_COMM_WORLD, &request);
  while (!flag) MPI_Test(&request, &flag, MPI_STATUS_IGNORE); /* here */
}",
        "deadlock",
    ),
    (
        "a ready send too early",
        "T a = 0;
if (rank == 0) MPI_Rsend(&a, 1, M, 1, 0, MPI_COMM_WORLD); /* here */
MPI_Barrier(MPI_COMM_WORLD);
if (rank == 1) MPI_Recv(&a, 1, M, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);",
        "request-lifecycle",
    ),
    (
        "a structure of another layout",
        "struct { int whole; double part; } a = {0, 0};
int blocks[2] = {1, 1};
MPI_Aint at[2] = {0, 4};
MPI_Datatype parts[2] = {MPI_INT, MPI_DOUBLE};
MPI_Type_create_struct(2, blocks, at, parts, &type);
MPI_Type_commit(&type);
MPI_Bcast(&a, 1, type, 0, MPI_COMM_WORLD); /* here */
MPI_Type_free(&type);",
        "parameter-matching",
    ),
];

/// Returns all of them, with each type and several numbers of ranks.
pub(crate) fn programs() -> Vec<Program> {
    let mut all = Vec::new();
    for (family, setup, texts) in FAMILIES {
        for (fault, text, verdict) in *texts {
            for memory in Type::ALL {
                for ranks in [3, 4] {
                    let text = format!("{setup}{text}");
                    all.push(written(family, fault, (ranks, memory), &text, verdict));
                }
            }
        }
    }
    all
}
