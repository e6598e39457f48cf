//! Collective operations as one rank passes them to the kernel.

use std::cell::Cell;

use serde::{Deserialize, Serialize};

use super::CommId;
use crate::object::{
    cart::Cart,
    graph::{Adjacency, Graph},
    op::Op,
    signature::{Primitive, Signature},
};

/// A call that enters a collective operation, by the way in which it completes.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum CollectiveEntry {
    /// A blocking collective operation; replies `Data`.
    Blocking(Box<CollectiveCall>),
    /// A nonblocking collective operation; replies `Request`, whose completion carries the result
    /// as payload.
    Immediate(Box<CollectiveCall>),
    /// Creates a persistent collective operation (MPI section 6.13), without input data; replies
    /// `Request`. Each start passes the input.
    Persistent(Box<CollectiveCall>),
}

/// The collective operations of MPI chapter 6.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
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
    /// A call that makes, connects, changes or ends communicators. No data of the program are moved.
    Management(Management),
}

/// The collective calls that make, connect, change or end communicators (MPI chapters 7 and 11).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[allow(missing_docs, reason = "each is the MPI function of that name")]
pub enum Management {
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
    SetInfo,
}

impl CollectiveKind {
    /// Returns the API's name of the operation.
    pub fn name(self) -> &'static str {
        match self {
            Self::Barrier => "barrier",
            Self::Broadcast => "broadcast",
            Self::Gather => "gather",
            Self::Scatter => "scatter",
            Self::Allgather => "all_gather",
            Self::Alltoall => "all_to_all",
            Self::Reduce => "reduce",
            Self::Allreduce => "all_reduce",
            Self::ReduceScatter => "reduce_scatter",
            Self::Scan => "scan",
            Self::Exscan => "exclusive_scan",
            Self::NeighborAllgather => "neighbor_all_gather",
            Self::NeighborAlltoall => "neighbor_all_to_all",
            Self::Management(call) => call.name(),
        }
    }

    /// Reports whether either all ranks give `MPI_IN_PLACE` as the send buffer of the function of this form, or
    /// none. In `MPI_Reduce_scatter` and in scans each rank decides for itself.
    pub(crate) fn is_in_place_everywhere(self, form: Form) -> bool {
        match self {
            Self::Allgather | Self::Alltoall | Self::Allreduce => true,
            Self::ReduceScatter => form == Form::Block,
            Self::Barrier
            | Self::Broadcast
            | Self::Gather
            | Self::Scatter
            | Self::Reduce
            | Self::Scan
            | Self::Exscan
            | Self::NeighborAllgather
            | Self::NeighborAlltoall
            | Self::Management(_) => false,
        }
    }
}

impl From<Management> for CollectiveKind {
    fn from(call: Management) -> Self {
        Self::Management(call)
    }
}

impl Management {
    /// Reports whether the result depends on all ranks, so that no rank can continue before all have made the call.
    pub(crate) fn needs_all(self) -> bool {
        match self {
            Self::CommDup | Self::CommDisconnect | Self::SetInfo => false,
            Self::CommSplit
            | Self::CommCreate
            | Self::CommCreateGroup
            | Self::IntercommCreate
            | Self::IntercommMerge
            | Self::Spawn
            | Self::Accept
            | Self::Connect => true,
        }
    }

    /// Returns the API's name of the call.
    pub fn name(self) -> &'static str {
        match self {
            Self::CommDup => "duplicate",
            Self::CommSplit => "split",
            Self::CommCreate => "create_communicator",
            Self::CommCreateGroup => "create_from_group",
            Self::IntercommCreate => "create_intercommunicator",
            Self::IntercommMerge => "merge",
            Self::Spawn => "spawn",
            Self::Accept => "accept",
            Self::Connect => "connect",
            Self::CommDisconnect => "disconnect",
            Self::SetInfo => "set_info",
        }
    }
}

/// The variant of an operation's function that was called. The data movement depends on the counts
/// alone, but all ranks have to call the same variant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Form {
    /// One count, such as `MPI_Gather`; for a reduce-scatter, one count per rank.
    #[default]
    Plain,
    /// One count per rank, such as `MPI_Gatherv`.
    Vector,
    /// One count and datatype per rank, such as `MPI_Alltoallw`.
    General,
    /// A reduce-scatter into equal blocks (`MPI_Reduce_scatter_block`).
    Block,
}

/// Bytes per rank on one side of a collective operation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Counts {
    /// No data on this side.
    None,
    /// The same number of bytes for each rank.
    Uniform(u64),
    /// One number of bytes per rank, in rank order.
    Each(std::rc::Rc<[u64]>),
}

/// Root argument of a collective operation over an intercommunicator, at the root itself
/// (`MPI_ROOT`).
pub const ROOT_SELF: u32 = u32::MAX - 1;
/// Root argument at the other ranks of the root's group (`MPI_PROC_NULL`).
pub const ROOT_ELSEWHERE: u32 = u32::MAX;

/// Partners of a neighbourhood collective (MPI section 8.6): the order of the lists is the order of
/// the blocks; `None` is the null process, whose block is left unchanged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
    /// Returns the neighbours of a rank in a Cartesian topology.
    pub fn on_grid(grid: &Cart, rank: u32) -> Self {
        let sides = (0..grid.dims.len()).flat_map(|along| {
            let (low, high) = grid.shift(rank, along, 1);
            [low, high]
        });
        let sides: Vec<Option<u32>> = sides.collect();
        Self { sources: sides.clone(), destinations: sides, cartesian: true }
    }

    /// Returns the neighbours of a rank in a graph topology.
    pub fn on_graph(graph: &Graph, rank: u32) -> Self {
        let list = graph.neighbors(rank as usize);
        Self { sources: real(list), destinations: real(list), cartesian: false }
    }

    /// Returns the neighbours of a rank in a distributed graph topology.
    pub fn on_distributed_graph(adjacency: &Adjacency) -> Self {
        let (sources, destinations) = (&adjacency.sources, &adjacency.destinations);
        Self { sources: real(sources), destinations: real(destinations), cartesian: false }
    }
}

fn real(ranks: &[i32]) -> Vec<Option<u32>> {
    ranks.iter().map(|rank| Some(*rank as u32)).collect()
}

/// The operation and element type of a reduction.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Reduction {
    /// The reduction operation.
    pub op: Op,
    /// Type of one element, for the predefined operations.
    pub primitive: Primitive,
    /// Size of one packed element, bytes: algorithms never split an element.
    pub element_bytes: u64,
}

impl Reduction {
    /// Creates a reduction of elements of a basic type.
    pub fn new(op: Op, primitive: Primitive) -> Self {
        Self { op, primitive, element_bytes: primitive.size() as u64 }
    }
}

/// One rank's arguments of a collective operation.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CollectiveCall {
    /// The communicator.
    pub comm: CommId,
    /// The operation.
    pub kind: CollectiveKind,
    /// The variant of the operation's function.
    pub form: Form,
    /// Root rank for operations that have one, else 0; over an intercommunicator also [`ROOT_SELF`]
    /// and [`ROOT_ELSEWHERE`].
    pub root: u32,
    /// Neighbours of a neighbourhood collective; `send` and `receive` then have one entry for each.
    pub neighbors: Option<std::rc::Rc<Neighbors>>,
    /// The reduction, for operations that reduce.
    pub reduction: Option<Reduction>,
    /// This rank's contribution, packed, in rank order if it has several blocks.
    pub input: Vec<u8>,
    /// Whether only the sizes of the data are known: `input` is empty then, and the result has no
    /// bytes.
    pub absent: bool,
    /// Whether MPI itself needs the data, which are then never left out.
    pub essential: bool,
    /// Whether the rank gives `MPI_IN_PLACE` as its send buffer.
    pub in_place: bool,
    /// Bytes that this rank sends to each rank, or its whole contribution if it has one block.
    pub send: Counts,
    /// Bytes that this rank receives from each rank, or the whole result if it has one block.
    pub receive: Counts,
    /// Type signature of one block, compared between ranks.
    pub signature: Signature,
    /// Further arguments that have to agree between ranks, if they are known.
    pub declared: Option<Box<Declared>>,
}

impl CollectiveCall {
    /// Creates a call without data, with root 0.
    pub fn new(comm: CommId, kind: CollectiveKind) -> Self {
        Self {
            comm,
            kind,
            form: Form::Plain,
            root: 0,
            neighbors: None,
            reduction: None,
            input: Vec::new(),
            absent: false,
            essential: false,
            in_place: false,
            send: Counts::None,
            receive: Counts::None,
            signature: Signature::EMPTY,
            declared: None,
        }
    }

    /// Like [`CollectiveCall::new`], in the memory of a call that has been executed, if there is any.
    pub fn boxed(comm: CommId, kind: CollectiveKind) -> Box<Self> {
        match SPARE.take() {
            Some(mut spare) => {
                (spare.comm, spare.kind) = (comm, kind);
                spare
            }
            None => Box::new(Self::new(comm, kind)),
        }
    }

    /// Empties an executed call and keeps its memory for the next one. Ranks of a collective call one
    /// after the other, each with its own call, which is executed before the next is made: one block of
    /// memory serves all of them. Each would take an allocator's long way otherwise, 240 instructions.
    pub(crate) fn give_back(mut self: Box<Self>) {
        let Self {
            comm: _,
            kind: _,
            form,
            root,
            neighbors,
            reduction,
            input,
            absent,
            essential,
            in_place,
            send,
            receive,
            signature,
            declared,
        } = &mut *self;
        (*form, *root) = (Form::Plain, 0);
        (*neighbors, *reduction) = (None, None);
        *input = Vec::new();
        (*absent, *essential, *in_place) = (false, false, false);
        (*send, *receive) = (Counts::None, Counts::None);
        (*signature, *declared) = (Signature::EMPTY, None);
        SPARE.set(Some(self));
    }
}

thread_local! {
    /// A call without data, in the memory of one that has been executed.
    static SPARE: Cell<Option<Box<CollectiveCall>>> = const { Cell::new(None) };
}

/// Type signatures of a collective operation that serve only to check that ranks agree.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Declared {
    /// Type signatures of the data sent.
    pub send: Types,
    /// Type signatures of the data received.
    pub receive: Types,
}

/// Type signatures of the blocks on one side of a collective operation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Types {
    /// There are no blocks.
    None,
    /// All blocks have the same signature.
    One(Signature),
    /// The signature of each block, in order of ranks or neighbours.
    Each(std::rc::Rc<[Signature]>),
}

impl Types {
    /// Creates the value for blocks of elements with these signatures, in order.
    pub fn of(elements: Vec<Signature>) -> Self {
        match elements.split_first() {
            None => Self::None,
            Some((first, rest)) if rest.iter().all(|other| other.same(first)) => {
                Self::One(first.clone())
            }
            Some(_) => Self::Each(elements.into()),
        }
    }
}
