//! One rank's part in a collective operation.

use super::CommId;
use crate::object::{
    cart::Cart,
    graph::{Adjacency, Graph},
    op::Op,
    signature::{Primitive, Signature},
};

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

/// Which of an operation's functions was called. What is done depends on the counts alone, but all
/// ranks have to call the same one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// With one count, such as `MPI_Gather`; of a reduce-scatter, with one for each rank.
    #[default]
    Plain,
    /// With a count for each rank, such as `MPI_Gatherv`.
    Vector,
    /// With a count and a datatype for each rank, such as `MPI_Alltoallw`.
    General,
    /// A reduce-scatter into equal blocks.
    Block,
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
    /// By which of its functions.
    pub form: Form,
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
    /// What else ranks have to agree on, if it is known.
    pub declared: Option<Box<Declared>>,
}

impl CollectiveCall {
    /// A part without data, and with root 0 where there is one.
    pub fn new(comm: CommId, kind: CollectiveKind) -> Self {
        Self {
            comm,
            kind,
            form: Form::Plain,
            root: 0,
            neighbors: None,
            reduction: None,
            input: Vec::new(),
            send: Counts::None,
            receive: Counts::None,
            signature: Signature::EMPTY,
            declared: None,
        }
    }
}

/// What a rank says of the data of a collective operation that only tells whether ranks agree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declared {
    /// Types of what is sent.
    pub send: Types,
    /// Types of what is received.
    pub receive: Types,
}

/// Types of the elements on one side of a collective operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Types {
    /// There are none.
    None,
    /// The same in each block.
    One(Signature),
    /// Those of each block, in order of ranks or neighbours.
    Each(std::rc::Rc<[Signature]>),
}

impl Types {
    /// Of blocks of elements of these types, in order.
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
