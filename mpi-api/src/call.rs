//! All that crosses from a rank's coroutine to the kernel and back.
//!
//! A [`Call`] owns its bytes: the kernel never holds a pointer into a program's stack, which is
//! what keeps the whole path safe. Data travel packed and dense; layouts are undone on the
//! rank's own stack by the `api` layer after the reply.

use std::{fmt, panic::Location};

use sim_core::{SimDuration, SimTime};

use crate::{
    error::MpiError,
    finding::Finding,
    kernel::call_name,
    object::{
        cart::Cart,
        graph::{Adjacency, Graph, Reorder},
        group::Group,
        op::Op,
        signature::{Primitive, Signature},
        status::Status,
    },
    spawn::{Launch, Spawned},
};

/// The source position of one MPI call in the simulated program.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Site {
    /// Source file as the compiler names it.
    pub file: &'static str,
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1.
    pub column: u32,
}

impl Site {
    /// The position of the caller (follows `#[track_caller]`).
    #[track_caller]
    pub fn here() -> Self {
        let place = Location::caller();
        Self { file: place.file(), line: place.line(), column: place.column() }
    }

    /// The position, unless nothing is known of it.
    pub fn known(self) -> Option<Self> {
        (self.line > 0).then_some(self)
    }
}

impl fmt::Debug for Site {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

/// A communicator: one number for all its members, assigned by the kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CommId(pub u32);

impl CommId {
    /// `MPI_COMM_WORLD`.
    pub const WORLD: Self = Self(0);
    /// `MPI_COMM_SELF` of the calling rank.
    pub const SELF: Self = Self(1);
}

/// A request owned by one rank; never reused with the same number in one run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RequestId {
    /// Slot in the kernel's table.
    pub index: u32,
    /// How often the slot had been used before.
    pub generation: u32,
}

/// A message that a matched probe took out of its queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MatchedId(pub u64);

/// The send modes of MPI section 3.4.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mode {
    /// The system may buffer the message or wait for the receive.
    Standard,
    /// The message goes into the attached buffer.
    Buffered,
    /// Completes only after the matching receive has started.
    Synchronous,
    /// The receive must have been posted already.
    Ready,
}

/// Up to 16 bytes, aligned so that they are copied as two words.
#[derive(Clone, Copy)]
#[repr(align(8))]
pub struct Few([u8; 16]);

/// The data part of a message, packed.
///
/// Laid out as three words that are each written at once: what is written in parts and read as a
/// whole soon after waits for everything written before it.
#[derive(Clone)]
#[repr(u32)]
pub enum Payload {
    /// Up to 16 bytes, held in place, behind their number.
    Small(u32, Few),
    /// Anything longer.
    Heap(Box<[u8]>),
}

impl Payload {
    /// No bytes.
    pub const EMPTY: Self = Self::Small(0, Few([0; 16]));

    /// Copies `bytes`.
    #[inline]
    pub fn from_slice(bytes: &[u8]) -> Self {
        // The two sizes of single numbers are written as whole words: a word that is read back
        // before its parts have reached the cache costs more than the copy.
        if let Ok(word) = <[u8; 4]>::try_from(bytes) {
            return Self::word(u64::from(u32::from_le_bytes(word)), 4);
        }
        if let Ok(word) = <[u8; 8]>::try_from(bytes) {
            return Self::word(u64::from_le_bytes(word), 8);
        }
        if bytes.len() > 16 {
            return Self::Heap(bytes.into());
        }
        let mut few = [0; 16];
        few[..bytes.len()].copy_from_slice(bytes);
        Self::Small(bytes.len() as u32, Few(few))
    }

    #[inline]
    fn word(word: u64, length: u32) -> Self {
        Self::Small(length, Few(u128::from(word).to_le_bytes()))
    }

    /// The bytes.
    #[inline]
    pub fn as_slice(&self) -> &[u8] {
        match self {
            Self::Small(length, bytes) => &bytes.0[..*length as usize],
            Self::Heap(bytes) => bytes,
        }
    }
}

impl From<Vec<u8>> for Payload {
    fn from(bytes: Vec<u8>) -> Self {
        if bytes.len() <= 16 { Self::from_slice(&bytes) } else { Self::Heap(bytes.into()) }
    }
}

impl fmt::Debug for Payload {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} bytes", self.as_slice().len())
    }
}

/// How the data lie in the program's memory: strided data cost packing time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// One run of bytes.
    Dense,
    /// A derived datatype with gaps.
    Strided,
}

/// What a send asks for.
#[derive(Clone, Debug)]
pub struct Outgoing {
    /// Communicator.
    pub comm: CommId,
    /// Destination rank in it; `None` is `MPI_PROC_NULL`.
    pub dest: Option<u32>,
    /// Tag, not negative.
    pub tag: i32,
    /// Send mode.
    pub mode: Mode,
    /// The data.
    pub payload: Payload,
    /// Types of the data, for matching.
    pub signature: Signature,
    /// Whether packing costs time.
    pub layout: Layout,
}

/// Whom a receive or probe accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// One rank of the communicator.
    Rank(u32),
    /// `MPI_ANY_SOURCE`.
    Any,
    /// `MPI_PROC_NULL`.
    Null,
}

/// What a receive asks for.
#[derive(Clone, Debug)]
pub struct Incoming {
    /// Communicator.
    pub comm: CommId,
    /// Accepted source.
    pub source: Source,
    /// Accepted tag; `None` is `MPI_ANY_TAG`.
    pub tag: Option<i32>,
    /// Room for this many bytes.
    pub capacity: u64,
    /// Types of the room, for matching.
    pub signature: Signature,
    /// Whether unpacking costs time.
    pub layout: Layout,
}

/// One side of a partitioned communication (MPI section 4.2).
#[derive(Clone, Debug)]
pub struct Partitioned {
    /// Whether it sends.
    pub sends: bool,
    /// Communicator.
    pub comm: CommId,
    /// Rank of the other side; `None` is `MPI_PROC_NULL`.
    pub peer: Option<u32>,
    /// Tag, not negative.
    pub tag: i32,
    /// How many parts this side sees.
    pub partitions: u64,
    /// Bytes of one part.
    pub bytes: u64,
    /// Whether taking a part out of its place costs time.
    pub layout: Layout,
}

/// Whose buffered sends go into an attached buffer (MPI section 3.6).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BufferOwner {
    /// All of the process that have no other.
    Process,
    /// Those on one communicator.
    Comm(CommId),
    /// Those on communicators of one session that have none of their own.
    Session(u32),
}

/// A buffer to attach.
#[derive(Clone, Copy, Debug)]
pub struct Buffer {
    /// Whose messages go there.
    pub owner: BufferOwner,
    /// Its size.
    pub bytes: u64,
    /// Bytes that a message takes beside its data.
    pub overhead: u64,
}

impl Buffer {
    /// The buffer of the process.
    pub fn of_process(bytes: u64) -> Self {
        let overhead = crate::kernel::buffer::BSEND_OVERHEAD;
        Self { owner: BufferOwner::Process, bytes, overhead }
    }
}

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

/// The collective operations of MPI chapter 6.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs, reason = "each is the MPI function of that name")]
pub enum CollectiveKind {
    Barrier,
    Broadcast,
    Gather,
    Scatter,
    Allgather,
    Alltoall,
    Reduce,
    Allreduce,
    ReduceScatter,
    Scan,
    Exscan,
    NeighborAllgather,
    NeighborAlltoall,
    CommDup,
    CommSplit,
    CommCreate,
    CommCreateGroup,
    IntercommCreate,
    IntercommMerge,
    Spawn,
    Accept,
    Connect,
    CommDisconnect,
    Finalize,
}

/// Bytes per rank of one side of a collective.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Counts {
    /// Nothing on this side.
    None,
    /// The same number of bytes for each rank.
    Uniform(u64),
    /// One number for each rank, in rank order.
    Each(std::rc::Rc<[u64]>),
}

/// Root of a collective over an intercommunicator as the root itself gives it (`MPI_ROOT`).
pub const ROOT_SELF: u32 = u32::MAX - 1;
/// Root as the others of the root's group give it (`MPI_PROC_NULL`).
pub const ROOT_ELSEWHERE: u32 = u32::MAX;

/// Whom a neighbourhood collective exchanges with (MPI section 8.6): the order of the lists is
/// the order of the blocks; `None` is the null process, whose block stays as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Neighbors {
    /// Ranks that send to this one.
    pub sources: Vec<Option<u32>>,
    /// Ranks that this one sends to.
    pub destinations: Vec<Option<u32>>,
    /// Cartesian neighbours: entries 2d and 2d + 1 are the two sides of one dimension, and what
    /// leaves on one side comes in on the other, also where both sides are the same rank.
    pub cartesian: bool,
}

impl Neighbors {
    /// Of a rank on a grid.
    pub fn on_grid(grid: &Cart, rank: u32) -> Self {
        let sides = (0..grid.dims.len()).flat_map(|along| {
            let (low, high) = grid.shift(rank, along, 1);
            [low, high]
        });
        let sides: Vec<Option<u32>> = sides.collect();
        Self { sources: sides.clone(), destinations: sides, cartesian: true }
    }

    /// Of a rank on a graph.
    pub fn on_graph(graph: &Graph, rank: u32) -> Self {
        let list = graph.neighbors(rank as usize);
        Self { sources: real(list), destinations: real(list), cartesian: false }
    }

    /// Of a rank on a distributed graph.
    pub fn on_distributed_graph(adjacency: &Adjacency) -> Self {
        let (sources, destinations) = (&adjacency.sources, &adjacency.destinations);
        Self { sources: real(sources), destinations: real(destinations), cartesian: false }
    }
}

fn real(ranks: &[i32]) -> Vec<Option<u32>> {
    ranks.iter().map(|rank| Some(*rank as u32)).collect()
}

/// What a reduction does with its elements.
#[derive(Clone, Debug)]
pub struct Reduction {
    /// The operation.
    pub op: Op,
    /// Type of an element, for the predefined operations.
    pub primitive: Primitive,
    /// Bytes of an element, packed: algorithms never cut one.
    pub element_bytes: u64,
}

impl Reduction {
    /// Of elements of a basic type.
    pub fn new(op: Op, primitive: Primitive) -> Self {
        Self { op, primitive, element_bytes: primitive.size() as u64 }
    }
}

/// One rank's part in a collective operation.
#[derive(Clone, Debug)]
pub struct CollectiveCall {
    /// Communicator.
    pub comm: CommId,
    /// Which operation.
    pub kind: CollectiveKind,
    /// Root rank where the operation has one, else 0; over an intercommunicator also
    /// [`ROOT_SELF`] and [`ROOT_ELSEWHERE`].
    pub root: u32,
    /// Neighbours of a neighbourhood collective, with one entry of `send` and `receive` each.
    pub neighbors: Option<std::rc::Rc<Neighbors>>,
    /// What a reduction does.
    pub reduction: Option<Reduction>,
    /// This rank's contribution, dense, in rank order where it has several blocks.
    pub input: Vec<u8>,
    /// Bytes this rank sends to each rank (or its whole contribution where there is one block).
    pub send: Counts,
    /// Bytes this rank gets from each rank (or the whole result where there is one block).
    pub receive: Counts,
    /// Types of one block, for comparing ranks.
    pub signature: Signature,
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
    StartSendReceive(Outgoing, Incoming),
    /// Persistent send with an empty payload; replies `Request`.
    InitSend(Outgoing),
    /// Persistent receive; replies `Request`.
    InitReceive(Incoming),
    /// Starts persistent requests; a send brings its present data.
    Start(Vec<(RequestId, Option<Payload>)>),
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
    Collective(CollectiveCall),
    /// A nonblocking collective operation; replies `Request`, whose completion carries the result
    /// as payload.
    StartCollective(CollectiveCall),
    /// A persistent collective operation (MPI section 6.13), without input; replies `Request`.
    /// Each start brings the input.
    InitCollective(CollectiveCall),
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
    /// An error the api layer found in the arguments: raised through the communicator's handler.
    Raise(CommId, MpiError),
    /// A fault of the program that a layer above the kernel has found; the run goes on.
    Report(Box<Finding>),
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
}

/// A call about ports and the services they are published as (MPI sections 11.9.2 and 11.9.4).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PortCall {
    /// `MPI_Open_port`; the answer is its name.
    Open,
    /// `MPI_Close_port`.
    Close(String),
    /// `MPI_Publish_name` of a service at a port.
    Publish(String, String),
    /// `MPI_Unpublish_name`.
    Unpublish(String, String),
    /// `MPI_Lookup_name`; the answer is the name of the port.
    Lookup(String),
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

/// What a further thread of a rank runs.
pub struct ThreadBody(pub Box<dyn FnOnce(sim_core::Port<Call, Reply>)>);

impl fmt::Debug for ThreadBody {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ThreadBody")
    }
}

/// What happens when a call fails (MPI section 9.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorHandler {
    /// The run ends with a finding.
    Fatal,
    /// The call returns the error.
    Return,
}

/// One call with the place it was made at.
#[derive(Debug)]
pub struct Call {
    /// Where in the program.
    pub site: Site,
    /// What is asked.
    pub operation: Operation,
}

impl Call {
    /// What is called, in the api's spelling.
    pub fn name(&self) -> &'static str {
        call_name(&self.operation)
    }
}

/// The end of one operation.
#[derive(Clone, Debug)]
pub struct Completion {
    /// Status as a receive reports it (empty for sends).
    pub status: Status,
    /// Received bytes or a collective's result, packed.
    pub payload: Option<Payload>,
    /// What went wrong, where the communicator returns errors.
    pub error: Option<Box<MpiError>>,
    /// The communicator a nonblocking duplication made.
    pub comm: Option<Box<CommInfo>>,
}

impl Completion {
    /// Without data.
    pub fn of(status: Status) -> Self {
        Self { status, payload: None, error: None, comm: None }
    }
}

/// A communicator as one member sees it.
#[derive(Clone, Debug)]
pub struct CommInfo {
    /// Its number.
    pub id: CommId,
    /// The member's rank.
    pub rank: u32,
    /// All members; of an intercommunicator, the local group.
    pub group: Group,
    /// The remote group of an intercommunicator.
    pub remote: Option<Group>,
    /// Cartesian topology, if it has one.
    pub cart: Option<Cart>,
    /// Neighbours of its place in a distributed graph, if ranks were numbered anew.
    pub neighbors: Option<std::rc::Rc<Adjacency>>,
}

/// The kernel's answer to a [`Call`].
#[derive(Debug)]
pub enum Reply {
    /// Done, nothing to tell.
    Done,
    /// Simulated time.
    Time(SimTime),
    /// A new request.
    Request(RequestId),
    /// One operation ended.
    Completed(Box<Completion>),
    /// Some operations ended: position in the list that was asked about, and how.
    Completions(Vec<(usize, Completion)>),
    /// A matched message and its status.
    Matched(MatchedId, Status),
    /// Not complete yet (test, immediate probe).
    NotYet,
    /// No active request in the list.
    Undefined,
    /// A new communicator; `None` is `MPI_COMM_NULL`.
    Comm(Option<Box<CommInfo>>),
    /// What a spawn came to.
    Spawned(Box<Spawned>),
    /// A place in a topology; `None` outside it.
    Place(Option<u32>),
    /// Name of a port.
    Name(String),
    /// Size of the buffer that was detached.
    Detached(u64),
    /// Data of receives whose requests were freed.
    Late(Vec<(RequestId, Payload)>),
    /// A new object's number.
    Object(u32),
    /// Result of a collective, dense.
    Data(Vec<u8>),
    /// The call failed and its communicator returns errors.
    Failed(Box<MpiError>),
}
