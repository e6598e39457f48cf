//! What a rank asks of the kernel.

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

/// Which of several requests a completion call is after (MPI section 3.7.5).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Completing {
    /// Every one (`MPI_Waitall`; a single wait is this with one request).
    All,
    /// Exactly one.
    Any,
    /// At least one, as many as are complete.
    Some,
}

/// What a rank asks of the kernel.
#[derive(Debug)]
pub enum Operation {
    /// Spend processor time outside MPI.
    Compute(SimDuration),
    /// `MPI_Wtime`.
    Now,
    /// Blocking send.
    Send(Outgoing),
    /// Blocking receive; replies `Completed`.
    Receive(Incoming),
    /// `MPI_Sendrecv`; replies `Completed` with the receive's status.
    SendReceive(Outgoing, Incoming),
    /// Nonblocking send; replies `Request`.
    StartSend(Outgoing),
    /// Nonblocking receive; replies `Request`.
    StartReceive(Incoming),
    /// `MPI_Isendrecv`; replies `Request`, which completes when both have.
    StartSendReceive(Outgoing, Box<Incoming>),
    /// Persistent send with an empty payload; replies `Request`.
    InitSend(Outgoing),
    /// Persistent receive; replies `Request`.
    InitReceive(Incoming),
    /// Starts persistent requests; a send brings its present data.
    Start(Vec<(RequestId, Option<Payload>)>),
    /// Whether a persistent request has been started and not completed since; replies `Done`, or
    /// `NotYet`, at once.
    IsActive(RequestId),
    /// Waits; replies `Completions` (index in the list given), or `Undefined` when none is active.
    Wait(Vec<RequestId>, Completing),
    /// As `Wait` but at once: replies `Completions`, `Undefined`, or `NotYet`.
    Test(Vec<RequestId>, Completing),
    /// Blocking probe; replies `Completed` without payload.
    Probe(CommId, Source, Option<i32>),
    /// Immediate probe; replies `Completed` or `NotYet`.
    ImmediateProbe(CommId, Source, Option<i32>),
    /// `MPI_Cancel`.
    Cancel(RequestId),
    /// `MPI_Request_free`.
    FreeRequest(RequestId),
    /// `MPI_Psend_init` and `MPI_Precv_init`; replies `Request`.
    InitPartitioned(Partitioned),
    /// `MPI_Pready` and its kin: partitions by number, with their data.
    ReadyPartitions(RequestId, Vec<(u64, Payload)>),
    /// `MPI_Parrived` of one partition; replies `Completed` with its data, or `NotYet`.
    PartitionArrived(RequestId, u64),
    /// `MPI_Buffer_attach` and its kin.
    AttachBuffer(Buffer),
    /// `MPI_Buffer_detach` and its kin; replies `Detached`.
    DetachBuffer(BufferOwner),
    /// `MPI_Buffer_iflush` and its kin; replies `Request`, which completes when what is in the
    /// buffer now has been transmitted.
    StartFlushBuffer(BufferOwner),
    /// Buffered sends on a communicator use the buffer of this session if there is one.
    JoinSession(CommId, u32),
    /// As `Probe`, and takes the message out of the queue; replies `Matched` (MPI section 3.8.2).
    MatchedProbe(CommId, Source, Option<i32>),
    /// As `MatchedProbe` but at once; replies `Matched` or `NotYet`.
    ImmediateMatchedProbe(CommId, Source, Option<i32>),
    /// Blocking receive of a matched message; replies `Completed`.
    ReceiveMatched(MatchedId, Incoming),
    /// Nonblocking receive of a matched message; replies `Request`.
    StartReceiveMatched(MatchedId, Incoming),
    /// `MPI_Request_get_status`; replies `Completed` without payload, or `NotYet`.
    GetStatus(RequestId),
    /// As `GetStatus`, with the data, which the request then has no more.
    GetStatusAndData(RequestId),
    /// What receives have brought since whose requests were freed; replies `Late`, at once.
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
    /// A persistent collective operation (MPI section 6.13), without input; replies `Request`.
    /// Each start brings the input.
    InitCollective(Box<CollectiveCall>),
    /// `MPI_Comm_dup`; replies `Comm`.
    DuplicateComm(CommId),
    /// `MPI_Comm_idup`; replies `Request`, whose completion carries the communicator.
    StartDuplicateComm(CommId),
    /// `MPI_Comm_create`: collective over the communicator, of the given members (world ranks);
    /// replies `Comm`.
    CreateComm(CommId, Group),
    /// `MPI_Comm_create_group`: collective over the members only; replies `Comm`.
    CreateGroupComm(CommId, Group, i32),
    /// `MPI_Intercomm_create`; replies `Comm`.
    CreateIntercomm {
        /// Local communicator.
        comm: CommId,
        /// Leader in it.
        local_leader: u32,
        /// At the leader: the communicator both leaders are in and the other one's rank in it.
        peer: Option<(CommId, u32)>,
        /// Tells concurrent creations apart.
        tag: i32,
    },
    /// `MPI_Intercomm_merge`, with `high`; replies `Comm`.
    MergeIntercomm(CommId, bool),
    /// `MPI_Comm_spawn_multiple`: what the root gives, and nothing at the others; replies
    /// `Spawned` when all new ranks have initialized MPI.
    Spawn {
        /// Of the parents.
        comm: CommId,
        /// Whose arguments count.
        root: u32,
        /// What it gives.
        launches: Option<Vec<Launch>>,
    },
    /// `MPI_Comm_accept` and `MPI_Comm_connect`; replies `Comm`.
    MeetAtPort {
        /// Of the group that meets another one.
        comm: CommId,
        /// Whose port counts.
        root: u32,
        /// Its name, at the root.
        port: Option<String>,
        /// Whether the group accepts or connects.
        accepts: bool,
        /// How long it waits there, at the root; `None` is as long as anything else happens.
        timeout: Option<SimDuration>,
    },
    /// A port or a service is to be known or forgotten; replies `Name`, `Done` or `Failed`.
    Port(PortCall),
    /// `MPI_Init` of a rank that others have started.
    Initialize,
    /// `MPI_Comm_split`, with the Cartesian topology the new communicator carries, if any;
    /// replies `Comm`.
    SplitComm {
        /// Parent.
        comm: CommId,
        /// `None` is `MPI_UNDEFINED`.
        color: Option<u32>,
        /// Orders the ranks of one colour.
        key: i32,
        /// Topology of the result.
        cart: Option<Cart>,
        /// What all ranks give alike, unless it is `MPI_Comm_split` itself.
        blueprint: Option<Box<Blueprint>>,
    },
    /// As `SplitComm` into the ranks that have a place in a topology, which are the first ones,
    /// and the others; which of the first ranks has which place is chosen to suit the network.
    ReorderComm {
        /// Parent.
        comm: CommId,
        /// Cartesian topology of the result, if it is to carry one.
        cart: Option<Cart>,
        /// What the ranks will say to each other.
        reorder: Box<Reorder>,
        /// What all ranks give alike.
        blueprint: Option<Box<Blueprint>>,
    },
    /// The place that `ReorderComm` would give this rank; replies `Place`, at once.
    MapRank(CommId, Box<Reorder>),
    /// `MPI_Comm_free`.
    FreeComm(CommId),
    /// `MPI_Comm_disconnect`: as `FreeComm`, but collective; replies `Data`.
    DisconnectComm(CommId),
    /// A derived datatype was created (cost and leak accounting); replies `Object`.
    CreateType,
    /// A derived datatype was committed.
    CommitType(u32),
    /// A derived datatype was freed.
    FreeType(u32),
    /// Selects the error handler of a communicator.
    SetErrorHandler(CommId, ErrorHandler),
    /// Asks for the error handler of a communicator; replies `ErrorHandler`.
    GetErrorHandler(CommId),
    /// An error the program raises itself: ends the run, or replies `ErrorHandler` with who is to
    /// hear of it.
    CallErrorHandler(CommId, MpiError),
    /// An error the api layer found in the arguments: raised through the communicator's handler.
    Raise(CommId, MpiError),
    /// A fault of the program that a layer above the kernel has found; the run goes on.
    Report(Box<Finding>),
    /// The calling rank ends with something that was made here.
    Leave(Leak, Site),
    /// A fault that ends the run; there is no answer.
    Fail(Box<Finding>),
    /// `MPI_Abort` of a communicator, with its code.
    Abort(CommId, i32),
    /// `MPI_Finalize`.
    Finalize,
    /// A further thread of control of the calling rank begins; replies `Object` with its number.
    SpawnThread(Threading, ThreadBody),
    /// Waits until a thread of the calling rank has ended.
    JoinThread(u32),
    /// Blocks the calling thread outside MPI until another of its rank wakes it; replies `Done`, or
    /// `NotYet` when its time has come first.
    Park(Parking),
    /// Wakes those of the first threads of the calling rank that are parked; the others wait for
    /// the first of them now.
    Unpark(Vec<u32>, Vec<u32>),
    /// The calling thread has looked for something in vain and lets others run; replies `NotYet`.
    Yield,
    /// The calling thread has initialized MPI with this level, after other threads had begun.
    ThreadLevel(Threading),
    /// The program of the rank has ended in the calling thread: no other one goes on.
    EndThreads,
}

/// Why a thread waits outside MPI, and for what.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parking {
    /// The function it waits in, for diagnostics.
    pub call: &'static str,
    /// The thread of its rank that alone can wake it, if there is only one.
    pub holder: Option<u32>,
    /// When it stops waiting.
    pub until: Option<SimTime>,
}

/// What threads of a program may do (MPI section 11.6.2), from the least to the most.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Threading {
    /// `MPI_THREAD_SINGLE`: there is one thread.
    Single,
    /// `MPI_THREAD_FUNNELED`: only the main thread calls MPI.
    Funneled,
    /// `MPI_THREAD_SERIALIZED`: all may call, one at a time.
    Serialized,
    /// `MPI_THREAD_MULTIPLE`: all may call at any time.
    Multiple,
}

impl Threading {
    /// The constant's name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Single => "MPI_THREAD_SINGLE",
            Self::Funneled => "MPI_THREAD_FUNNELED",
            Self::Serialized => "MPI_THREAD_SERIALIZED",
            Self::Multiple => "MPI_THREAD_MULTIPLE",
        }
    }
}

/// What a further thread of a rank runs, and whether it may go on outside MPI after the rank has
/// finalized.
pub struct ThreadBody(pub Box<dyn FnOnce(sim_core::Port<Call, Reply>)>, pub bool);

impl fmt::Debug for ThreadBody {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ThreadBody")
    }
}
