//! The operations that a rank can request from the kernel.

use std::fmt;

use sim_core::{SimDuration, SimTime};

use super::{
    Buffer, BufferOwner, Call, CollectiveCall, CommId, Incoming, MatchedId, Outgoing, Partitioned,
    Payload, PortCall, Reply, RequestId, Site, Source,
};
use crate::{
    error::{ErrorHandler, MpiError},
    finding::{Finding, Leak},
    object::{blueprint::Blueprint, cart::Cart, graph::Reorder, group::Group},
    spawn::Launch,
};

/// The requests that a completion call waits or tests for (MPI section 3.7.5).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Completing {
    /// All of them (`MPI_Waitall`; a single wait is `All` with one request).
    All,
    /// Exactly one.
    Any,
    /// At least one, and as many as are complete (`MPI_Waitsome`).
    Some,
}

/// A request of a rank to the kernel.
#[derive(Debug)]
pub enum Operation {
    /// Spends processor time outside MPI.
    Compute(SimDuration),
    /// `MPI_Wtime`, with the state of the program that reads the clock
    /// ([`sim_core::with_caller_state`]): a program that reads it again and again in the same state
    /// waits for a time.
    Now(u64),
    /// A blocking send.
    Send(Outgoing),
    /// A blocking receive; replies `Completed`.
    Receive(Incoming),
    /// `MPI_Sendrecv`; replies `Completed` with the receive's status.
    SendReceive(Outgoing, Incoming),
    /// A nonblocking send; replies `Request`.
    StartSend(Outgoing),
    /// A nonblocking receive; replies `Request`.
    StartReceive(Incoming),
    /// `MPI_Isendrecv`; replies `Request`, which completes when both send and receive have
    /// completed.
    StartSendReceive(Outgoing, Box<Incoming>),
    /// Creates a persistent send, with an empty payload; replies `Request`.
    InitSend(Outgoing),
    /// Creates a persistent receive; replies `Request`.
    InitReceive(Incoming),
    /// Starts persistent requests; a send passes the present data of its buffer.
    Start(Vec<(RequestId, Option<Payload>)>),
    /// Asks whether a persistent request has been started and not completed since; replies `Done`
    /// if so, else `NotYet`, without taking simulated time.
    IsActive(RequestId),
    /// Waits for requests; replies `Completions` (with indices into the list), or `Undefined` if no
    /// request is active.
    Wait(Vec<RequestId>, Completing),
    /// Like `Wait`, but without waiting: replies `Completions`, `Undefined`, or `NotYet`.
    Test(Vec<RequestId>, Completing),
    /// A blocking probe; replies `Completed` without payload.
    Probe(CommId, Source, Option<i32>),
    /// A nonblocking probe; replies `Completed` without payload, or `NotYet`.
    ImmediateProbe(CommId, Source, Option<i32>),
    /// `MPI_Cancel`.
    Cancel(RequestId),
    /// `MPI_Request_free`.
    FreeRequest(RequestId),
    /// `MPI_Psend_init` and `MPI_Precv_init`; replies `Request`.
    InitPartitioned(Partitioned),
    /// `MPI_Pready`, `MPI_Pready_range` and `MPI_Pready_list`: partition numbers with their data.
    ReadyPartitions(RequestId, Vec<(u64, Payload)>),
    /// `MPI_Parrived` for one partition; replies `Completed` with its data, or `NotYet`.
    PartitionArrived(RequestId, u64),
    /// `MPI_Buffer_attach`, `MPI_Comm_attach_buffer` and `MPI_Session_attach_buffer`.
    AttachBuffer(Buffer),
    /// The matching detach functions; replies `Detached`.
    DetachBuffer(BufferOwner),
    /// `MPI_Buffer_iflush` and its communicator and session variants; replies `Request`, which
    /// completes when all messages that are in the buffer now have been transmitted.
    StartFlushBuffer(BufferOwner),
    /// Associates a communicator with a session: its buffered sends use the buffer of the session
    /// if there is one.
    JoinSession(CommId, u32),
    /// Like `Probe`, but takes the message out of the queue; replies `Matched` (MPI section 3.8.2).
    MatchedProbe(CommId, Source, Option<i32>),
    /// Like `MatchedProbe`, but without waiting: replies `Matched` or `NotYet`.
    ImmediateMatchedProbe(CommId, Source, Option<i32>),
    /// A blocking receive of a matched message; replies `Completed`.
    ReceiveMatched(MatchedId, Incoming),
    /// A nonblocking receive of a matched message; replies `Request`.
    StartReceiveMatched(MatchedId, Incoming),
    /// `MPI_Request_get_status`; replies `Completed` without payload, or `NotYet`.
    GetStatus(RequestId),
    /// Like `GetStatus`, but moves the data out of the request into the reply.
    GetStatusAndData(RequestId),
    /// Takes the data of receives whose requests were freed before they completed; replies `Late`
    /// without taking simulated time.
    TakeLate,
    /// `MPI_Grequest_start`; replies `Request`.
    StartGeneralized,
    /// `MPI_Grequest_complete`.
    CompleteGeneralized(RequestId),
    /// A collective operation; replies `Data`.
    Collective(Box<CollectiveCall>),
    /// A nonblocking collective operation; replies `Request`, whose completion carries the result
    /// as payload.
    StartCollective(Box<CollectiveCall>),
    /// Creates a persistent collective operation (MPI section 6.13), without input data; replies
    /// `Request`. Each start passes the input.
    InitCollective(Box<CollectiveCall>),
    /// `MPI_Comm_dup`; replies `Comm`.
    DuplicateComm(CommId),
    /// `MPI_Comm_idup`; replies `Request`, whose completion carries the new communicator.
    StartDuplicateComm(CommId),
    /// `MPI_Comm_create` with the group of members (world ranks): collective over the parent
    /// communicator; replies `Comm`.
    CreateComm(CommId, Group),
    /// `MPI_Comm_create_group` with the group and tag: collective over the members only; replies
    /// `Comm`.
    CreateGroupComm(CommId, Group, i32),
    /// `MPI_Intercomm_create`; replies `Comm`.
    CreateIntercomm {
        /// The local communicator.
        comm: CommId,
        /// Rank of the local leader in it.
        local_leader: u32,
        /// At the leader: the communicator that contains both leaders, and the remote leader's rank
        /// in it.
        peer: Option<(CommId, u32)>,
        /// Tag that distinguishes concurrent creations.
        tag: i32,
    },
    /// `MPI_Intercomm_merge`, with `high`; replies `Comm`.
    MergeIntercomm(CommId, bool),
    /// `MPI_Comm_spawn_multiple`, with arguments at the root only; replies `Spawned` when all new
    /// ranks have initialized MPI.
    Spawn {
        /// Communicator of the parents.
        comm: CommId,
        /// Rank whose arguments are used.
        root: u32,
        /// Programs to start; `None` at ranks other than the root.
        launches: Option<Vec<Launch>>,
    },
    /// `MPI_Comm_accept` and `MPI_Comm_connect`; replies `Comm`.
    MeetAtPort {
        /// Communicator of the calling group.
        comm: CommId,
        /// Rank whose port name is used.
        root: u32,
        /// Name of the port, at the root.
        port: Option<String>,
        /// Whether the group accepts or connects.
        accepts: bool,
        /// Longest time to wait for the other group, at the root; `None` waits as long as anything
        /// else happens.
        timeout: Option<SimDuration>,
    },
    /// Opens, closes, publishes or looks up a port; replies `Name`, `Done` or `Failed`.
    Port(PortCall),
    /// `MPI_Init` of a rank that was started during the run.
    Initialize,
    /// `MPI_Comm_split`, with the Cartesian topology the new communicator carries, if any;
    /// replies `Comm`.
    SplitComm {
        /// The parent communicator.
        comm: CommId,
        /// Colour; `None` is `MPI_UNDEFINED`.
        color: Option<u32>,
        /// Key that orders the ranks of one colour.
        key: i32,
        /// Cartesian topology of the new communicator.
        cart: Option<Cart>,
        /// Arguments that all ranks give alike; `None` for `MPI_Comm_split` itself.
        blueprint: Option<Box<Blueprint>>,
    },
    /// Like `SplitComm`, into the ranks that have a place in a topology, which are the first ones,
    /// and the others; the assignment of ranks to places is chosen to suit the network.
    ReorderComm {
        /// The parent communicator.
        comm: CommId,
        /// Cartesian topology of the new communicator, if it is to have one.
        cart: Option<Cart>,
        /// Communication pattern of the ranks.
        reorder: Box<Reorder>,
        /// Arguments that all ranks give alike.
        blueprint: Option<Box<Blueprint>>,
    },
    /// Asks for the place that `ReorderComm` would give this rank; replies `Place` without taking
    /// simulated time.
    MapRank(CommId, Box<Reorder>),
    /// `MPI_Comm_free`.
    FreeComm(CommId),
    /// `MPI_Comm_disconnect`: like `FreeComm`, but collective; replies `Data`.
    DisconnectComm(CommId),
    /// Records that a derived datatype was created (cost and leak accounting); replies `Object`.
    CreateType,
    /// Records that a derived datatype was committed.
    CommitType(u32),
    /// Records that a derived datatype was freed.
    FreeType(u32),
    /// Sets the error handler of a communicator.
    SetErrorHandler(CommId, ErrorHandler),
    /// Asks for the error handler of a communicator; replies `ErrorHandler`.
    GetErrorHandler(CommId),
    /// Raises an error on behalf of the program: ends the run, or replies `ErrorHandler` with the
    /// handler to call.
    CallErrorHandler(CommId, MpiError),
    /// Raises an error that the api layer found in the arguments, through the communicator's
    /// handler.
    Raise(CommId, MpiError),
    /// Reports a fault of the program that a layer above the kernel has found; the run continues.
    Report(Box<Finding>),
    /// Records that the calling rank ends without having freed an object that was made at this
    /// place.
    Leave(Leak, Site),
    /// Reports a fault that ends the run; there is no reply.
    Fail(Box<Finding>),
    /// `MPI_Abort` of a communicator, with the error code.
    Abort(CommId, i32),
    /// `MPI_Finalize`.
    Finalize,
    /// Starts another thread of the calling rank; replies `Object` with its number.
    SpawnThread(Threading, ThreadBody),
    /// Waits until a thread of the calling rank has ended.
    JoinThread(u32),
    /// Blocks the calling thread outside MPI until another thread of its rank wakes it; replies
    /// `Done`, or `NotYet` if its time limit passes first.
    Park(Parking),
    /// Wakes those threads in the first list that are parked, all of the calling rank; the threads
    /// in the second list now wait for the first of them.
    Unpark(Vec<u32>, Vec<u32>),
    /// Ends the calling rank with an exit code, in the middle of its program; not answered. The rank
    /// has initialized MPI and not finalized it if `unfinished` is set.
    Exit {
        /// The code, as `exit` takes it.
        code: i32,
        /// Whether the rank must still finalize MPI.
        unfinished: bool,
    },
    /// Asks the kernel to look after the calling rank's timers when the next one expires, at this
    /// time, if the rank waits in an MPI call then ([`on_timer`](crate::raw::on_timer)).
    SetTimer(SimTime),
    /// The thread polled unsuccessfully and yields to the other threads of its rank; replies
    /// `NotYet`.
    Yield,
    /// Records that the calling thread has initialized MPI with this level after other threads had
    /// begun.
    ThreadLevel(Threading),
    /// Records that the rank's program has ended in the calling thread: no other thread of the rank
    /// continues.
    EndThreads,
}

/// The reason for which a thread waits outside MPI, and for how long.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parking {
    /// Name of the function that waits, for diagnostics.
    pub call: &'static str,
    /// The only thread of the rank that can wake it, if there is just one.
    pub holder: Option<u32>,
    /// Time at which it stops waiting.
    pub until: Option<SimTime>,
}

/// The thread support level of a program (MPI section 11.6.2), from the least to the most.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Threading {
    /// `MPI_THREAD_SINGLE`: there is one thread.
    Single,
    /// `MPI_THREAD_FUNNELED`: only the main thread calls MPI.
    Funneled,
    /// `MPI_THREAD_SERIALIZED`: all threads may call MPI, one at a time.
    Serialized,
    /// `MPI_THREAD_MULTIPLE`: all threads may call MPI at any time.
    Multiple,
}

impl Threading {
    /// Returns the name of the constant.
    pub fn name(self) -> &'static str {
        match self {
            Self::Single => "MPI_THREAD_SINGLE",
            Self::Funneled => "MPI_THREAD_FUNNELED",
            Self::Serialized => "MPI_THREAD_SERIALIZED",
            Self::Multiple => "MPI_THREAD_MULTIPLE",
        }
    }
}

/// The function that a further thread of a rank runs, and whether the thread may continue outside
/// MPI after the rank has finalized.
pub struct ThreadBody(pub Box<dyn FnOnce(sim_core::Port<Call, Reply>)>, pub bool);

impl fmt::Debug for ThreadBody {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ThreadBody")
    }
}
