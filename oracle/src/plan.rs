//! A program as data: what every rank does, with the matching of all messages known beforehand.
//!
//! Every rank goes through the steps in order and does its own part in each. A plan is safe when
//! each blocking part can end once all ranks have done the steps before it: then no rank is ever
//! stuck in the earliest step that anybody is stuck in. Halves of a message may therefore stand in
//! steps of their own as long as the first half does not block.

use std::fmt;

use mpi_api::{call::Mode, object::signature::Primitive};

use super::layout::Layout;

/// Number of a message, collective or communicator in its list.
pub(crate) type Id = usize;

/// A whole program.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Where it comes from.
    pub(crate) seed: u64,
    /// World size.
    pub(crate) ranks: u32,
    /// 0 is the world, 1 + r the self communicator of rank r; the rest are made on the way.
    pub(crate) comms: Vec<Comm>,
    /// Messages between two ranks.
    pub(crate) messages: Vec<Message>,
    /// Collective operations.
    pub(crate) collectives: Vec<Collective>,
    /// Messages from many to one.
    pub(crate) bursts: Vec<Burst>,
    /// In this order at every rank.
    pub(crate) steps: Vec<Step>,
    /// What is wrong with it.
    pub(crate) fault: Option<Fault>,
    /// The messages that the fault is made of.
    pub(crate) planted: Vec<Id>,
    /// The collectives that the fault is made of.
    pub(crate) planted_collectives: Vec<Id>,
}

/// A fault put into a safe plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// Everybody sends first, around a cycle.
    SendCycle,
    /// A send whose receive stands behind a barrier.
    AcrossBarrier,
    /// Everybody sends first and synchronously, around a cycle.
    SynchronousCycle,
    /// Everybody receives first, around a cycle.
    ReceiveCycle,
    /// This message is never sent.
    Missing(Id),
    /// A receive from any source can take the message that a named receive waits for.
    Stolen,
    /// One rank calls two collectives in the other order.
    Crossed,
    /// A receive has too little room.
    Short,
    /// A receive has other types.
    Mistyped,
}

impl Plan {
    /// What is wrong with it, in words.
    pub fn fault_name(&self) -> &'static str {
        match self.fault {
            None => "safe",
            Some(Fault::SendCycle) => "send cycle",
            Some(Fault::AcrossBarrier) => "send across a barrier",
            Some(Fault::SynchronousCycle) => "synchronous send cycle",
            Some(Fault::ReceiveCycle) => "receive cycle",
            Some(Fault::Missing(_)) => "missing send",
            Some(Fault::Stolen) => "stolen message",
            Some(Fault::Crossed) => "crossed collectives",
            Some(Fault::Short) => "truncated message",
            Some(Fault::Mistyped) => "types that differ",
        }
    }
}

/// A communicator by its members' world ranks, in order of rank.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Comm {
    /// The group; of an intercommunicator, the first of the two.
    pub(crate) group: Vec<u32>,
    /// The second group of an intercommunicator.
    pub(crate) other: Option<Vec<u32>>,
}

impl Comm {
    /// Everybody in it.
    pub(crate) fn everybody(&self) -> Vec<u32> {
        self.group.iter().chain(self.other.iter().flatten()).copied().collect()
    }

    /// The group that ranks of `side` are in.
    pub(crate) fn side(&self, side: usize) -> &[u32] {
        match &self.other {
            Some(other) if side == 1 => other,
            _ => &self.group,
        }
    }

    /// The group that ranks of `side` send to.
    pub(crate) fn facing(&self, side: usize) -> &[u32] {
        match &self.other {
            Some(other) if side == 0 => other,
            _ => &self.group,
        }
    }

    /// Side and rank of a member.
    pub(crate) fn place(&self, world: u32) -> Option<(usize, u32)> {
        let at = |group: &[u32]| group.iter().position(|member| *member == world);
        let first = at(&self.group).map(|rank| (0, rank as u32));
        first.or_else(|| at(self.other.as_deref()?).map(|rank| (1, rank as u32)))
    }
}

/// How one side of a transfer is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Style {
    /// `MPI_Send`, `MPI_Recv`, `MPI_Bcast`.
    Blocking,
    /// `MPI_Isend`, `MPI_Irecv`, `MPI_Ibcast`.
    Immediate,
    /// `MPI_Send_init`, `MPI_Recv_init`, `MPI_Bcast_init`.
    Persistent,
    /// `MPI_Isend` whose request is freed at once.
    Forgotten,
}

/// What precedes a blocking receive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Look {
    /// Nothing.
    Straight,
    /// `MPI_Probe`.
    Probe,
    /// `MPI_Iprobe` until there is something.
    Poll,
    /// `MPI_Mprobe` and `MPI_Mrecv`.
    Matched,
    /// `MPI_Improbe` until there is something, then `MPI_Imrecv`.
    PollMatched,
}

/// One message, or several alike one after the other.
#[derive(Clone, Debug)]
pub(crate) struct Message {
    /// Communicator.
    pub(crate) comm: Id,
    /// Which group of it sends.
    pub(crate) side: usize,
    /// Sender's rank in its group.
    pub(crate) from: u32,
    /// Receiver's rank in the group faced.
    pub(crate) to: u32,
    /// Tag.
    pub(crate) tag: i32,
    /// How many in a row; more than one only between persistent requests or in one step.
    pub(crate) rounds: u32,
    /// Types of one unit.
    pub(crate) types: Vec<Primitive>,
    /// How many units.
    pub(crate) units: u64,
    /// Send mode.
    pub(crate) mode: Mode,
    /// How it is sent.
    pub(crate) send: Style,
    /// Where the data lie at the sender.
    pub(crate) sent_from: Layout,
    /// How it is received.
    pub(crate) receive: Style,
    /// What precedes a blocking receive.
    pub(crate) look: Look,
    /// Where the data go at the receiver: room for at least as many units.
    pub(crate) received_into: Layout,
    /// The receive names no source.
    pub(crate) any_source: bool,
    /// The receive names no tag.
    pub(crate) any_tag: bool,
    /// The message whose receive proves that this one's receive is posted.
    pub(crate) proof: Option<Id>,
}

/// A collective operation.
#[derive(Clone, Debug)]
pub(crate) struct Collective {
    /// Communicator.
    pub(crate) comm: Id,
    /// Which.
    pub(crate) kind: Kind,
    /// The root's side, over an intercommunicator.
    pub(crate) side: usize,
    /// Root in its group.
    pub(crate) root: u32,
    /// Elements from each rank to each; a row where the operation has one list only.
    pub(crate) table: Vec<Vec<u64>>,
    /// Whether the counts are given one by one.
    pub(crate) vector: bool,
    /// What a reduction does.
    pub(crate) operator: Operator,
    /// How it is called.
    pub(crate) style: Style,
    /// How often, if it is persistent.
    pub(crate) rounds: u32,
    /// Who sends to whom, for neighbourhoods: by rank, the list of targets and of sources.
    pub(crate) neighbors: Vec<(Neighbors, Neighbors)>,
    /// Whether they are those of a grid: low and high side of each dimension.
    pub(crate) grid: bool,
}

/// Ranks; none is the null process.
pub(crate) type Neighbors = Vec<Option<u32>>;

impl Collective {
    /// Which block of its source comes in from source number `at` of a rank; none from nobody.
    pub(crate) fn incoming(&self, rank: usize, at: usize) -> Option<(usize, usize)> {
        let source = self.neighbors[rank].1[at]? as usize;
        if self.grid {
            // What the low neighbour sends upwards comes in from below, and the other way round.
            return Some((source, at ^ 1));
        }
        let targets = &self.neighbors[source].0;
        let block = targets.iter().position(|target| *target == Some(rank as u32));
        Some((source, block.expect("both sides know of it")))
    }

    /// Elements that come in from source number `at` of a rank; from nobody, the room for them.
    pub(crate) fn incoming_count(&self, rank: usize, at: usize) -> u64 {
        let nobody = if self.vector { 0 } else { self.table[rank].first().copied().unwrap_or(0) };
        self.incoming(rank, at).map_or(nobody, |(source, block)| {
            let blocks = &self.table[source];
            blocks[if self.kind == Kind::NeighborAllgather { 0 } else { block }]
        })
    }
}

/// The collective operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "each is the MPI function of that name")]
pub(crate) enum Kind {
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
}

impl Kind {
    /// Whether it combines data.
    pub(crate) fn reduces(self) -> bool {
        match self {
            Self::Reduce | Self::Allreduce | Self::ReduceScatter | Self::Scan | Self::Exscan => {
                true
            }
            Self::Barrier
            | Self::Broadcast
            | Self::Gather
            | Self::Scatter
            | Self::Allgather
            | Self::Alltoall
            | Self::NeighborAllgather
            | Self::NeighborAlltoall => false,
        }
    }

    /// Whether one rank has a part of its own.
    pub(crate) fn is_rooted(self) -> bool {
        matches!(self, Self::Broadcast | Self::Gather | Self::Scatter | Self::Reduce)
    }
}

/// What a reduction does, and with what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operator {
    /// Sum of 32-bit integers, modulo 2^32.
    Sum,
    /// Product of bytes, modulo 2^8.
    Product,
    /// Greatest of 16-bit integers.
    Max,
    /// Least of doubles (small whole numbers).
    Min,
    /// Sum of doubles (small whole numbers: exact in any order).
    FloatSum,
    /// Exclusive or of 64-bit integers.
    Xor,
    /// Logical and of 32-bit integers.
    And,
    /// Greatest value and the least index of those that have it.
    MaxLoc,
    /// Least value and the least index of those that have it.
    MinLoc,
    /// A commutative user operation: sum modulo 251.
    Modular,
    /// A user operation that must keep rank order: composition of maps x -> a x + b modulo 256.
    Compose,
}

/// Something that was begun and has to be completed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Part {
    /// The sending of a message.
    Sent(Id),
    /// The receiving of a message.
    Received(Id),
    /// A rank's part in a collective.
    Taken(Id),
}

/// How requests are completed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum How {
    /// `MPI_Wait` one after the other.
    Each,
    /// `MPI_Waitall`.
    All,
    /// `MPI_Waitany` until nothing is active.
    Any,
    /// `MPI_Waitsome` until nothing is active.
    Some,
    /// `MPI_Testall` until it holds.
    TestAll,
    /// `MPI_Testany` until nothing is active.
    TestAny,
    /// `MPI_Testsome` until nothing is active.
    TestSome,
    /// `MPI_Request_get_status` until each is complete, then `MPI_Waitall`.
    Status,
}

/// How several ranks exchange messages in one step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Together {
    /// `MPI_Sendrecv`; the null process where a rank has no partner.
    SendReceive,
    /// `MPI_Sendrecv_replace`.
    Replace,
    /// Receives posted, sends started, all awaited.
    Immediate,
    /// The same with persistent requests started together.
    Persistent,
    /// Blocking sends, then blocking receives.
    SendFirst,
    /// Blocking receives, then blocking sends.
    ReceiveFirst,
}

/// Calls with the null process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Null {
    Send,
    Receive,
    Immediate,
    Persistent,
    Probe,
    SendReceive,
    /// A receive that is posted and cancelled: not the null process, but nobody's message either.
    Cancel,
}

/// How a communicator is made.
#[derive(Clone, Debug)]
pub(crate) enum Maker {
    /// `MPI_Comm_dup`.
    Duplicate(Id),
    /// `MPI_Comm_idup`.
    ImmediateDuplicate(Id),
    /// `MPI_Comm_split` with each rank's colour and key.
    Split(Id, Vec<(Option<u32>, i32)>),
    /// `MPI_Comm_create` with world ranks.
    Create(Id, Vec<u32>),
    /// `MPI_Comm_create_group` with world ranks and a tag.
    CreateGroup(Id, Vec<u32>, i32),
    /// `MPI_Intercomm_create` of two groups with their leaders, found through the third.
    Bridge([Id; 2], [u32; 2], Id),
    /// `MPI_Intercomm_merge` with what each side says of being high.
    Merge(Id, [bool; 2]),
    /// `MPI_Cart_create` or `MPI_Dist_graph_create_adjacent` with all members, in their order.
    Topology(Id, Topology),
}

/// Who the neighbours of each rank are.
#[derive(Clone, Debug)]
pub(crate) enum Topology {
    /// Rows and columns, and which of the two close.
    Grid([usize; 2], [bool; 2]),
    /// By rank, the list of targets and of sources.
    Graph(Vec<(Neighbors, Neighbors)>),
}

impl Topology {
    /// The lists of targets and of sources of each rank.
    pub(crate) fn neighbors(&self) -> Vec<(Neighbors, Neighbors)> {
        match self {
            Self::Grid(sizes, closed) => grid(*sizes, *closed),
            Self::Graph(lists) => lists.clone(),
        }
    }
}

/// The neighbours in a grid: low and high side along both dimensions, rows first.
fn grid([rows, columns]: [usize; 2], closed: [bool; 2]) -> Vec<(Neighbors, Neighbors)> {
    let step = |at: usize, length: usize, up: bool, closed: bool| match (at, up) {
        (0, false) => closed.then_some(length - 1),
        (_, false) => Some(at - 1),
        (_, true) if at + 1 == length => closed.then_some(0),
        (_, true) => Some(at + 1),
    };
    let sides = |rank: usize| -> Neighbors {
        let (row, column) = (rank / columns, rank % columns);
        let along = |up| step(row, rows, up, closed[0]).map(|row| (row * columns + column) as u32);
        let across =
            |up| step(column, columns, up, closed[1]).map(|column| (row * columns + column) as u32);
        vec![along(false), along(true), across(false), across(true)]
    };
    (0..rows * columns).map(|rank| (sides(rank), sides(rank))).collect()
}

/// Many to one without named sources.
#[derive(Clone, Debug)]
pub(crate) struct Burst {
    /// Communicator.
    pub(crate) comm: Id,
    /// Receiver.
    pub(crate) to: u32,
    /// Senders, in the order in which they send; one may send several times.
    pub(crate) from: Vec<u32>,
    /// Tag of each message.
    pub(crate) tags: Vec<i32>,
    /// Receives name no tag either.
    pub(crate) any_tag: bool,
    /// Bytes of each message.
    pub(crate) bytes: u64,
    /// How it is sent.
    pub(crate) send: Style,
    /// Whether receives are posted first and completed together.
    pub(crate) receive: Style,
    /// What precedes a blocking receive.
    pub(crate) look: Look,
}

/// A server answers whoever asks first; a client waits for the answer before it asks again.
#[derive(Clone, Debug)]
pub(crate) struct Service {
    /// Communicator.
    pub(crate) comm: Id,
    /// Who answers.
    pub(crate) server: u32,
    /// Who asks, once for each time it is named.
    pub(crate) clients: Vec<u32>,
    /// Bytes of a question and of its answer.
    pub(crate) bytes: u64,
    /// Tag of questions; answers have the next one.
    pub(crate) tag: i32,
    /// What precedes the server's receives.
    pub(crate) look: Look,
}

/// What the ranks do next; those that have no part in it go on.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    /// One rank computes.
    Compute(u32, u64),
    /// The sender's half of a message.
    Send(Id),
    /// The receiver's half of a message.
    Receive(Id),
    /// Both halves at once; each side completes what it begins.
    Meet(Id),
    /// A rank completes what it began.
    Complete(u32, Vec<Part>, How),
    /// Several messages at once, on one communicator.
    Exchange(Vec<Id>, Together),
    /// Many to one.
    Burst(Id),
    /// The receiver of a burst posts its receives.
    Post(Id),
    /// The senders of a burst send.
    Flood(Id),
    /// The receiver of a burst completes its receives.
    Drain(Id, How),
    /// Questions and answers.
    Serve(Service),
    /// A rank calls with the null process.
    Null(u32, Null),
    /// A collective; unless it blocks it is only begun.
    Collective(Id),
    /// Two blocking collectives; this world rank calls the second one first.
    Crossed(Id, Id, u32),
    /// A communicator is made, or one for each colour.
    Make(Maker, Vec<Id>),
    /// The members give a communicator up.
    Free(Id),
}

impl Null {
    /// Whether it ends with a status.
    pub(crate) fn tells(self) -> bool {
        !matches!(self, Self::Send | Self::Cancel)
    }
}

impl fmt::Display for Plan {
    /// A step a line, with the messages and collectives it is about.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "seed {}: {} ranks, {}", self.seed, self.ranks, self.fault_name())?;
        for step in &self.steps {
            writeln!(f, "{step:?}")?;
            match step {
                Step::Send(id) | Step::Receive(id) | Step::Meet(id) => {
                    writeln!(f, "    {:?}", self.messages[*id])?;
                }
                Step::Exchange(list, _) => {
                    for id in list {
                        writeln!(f, "    {:?}", self.messages[*id])?;
                    }
                }
                Step::Collective(id) => writeln!(f, "    {:?}", self.collectives[*id])?,
                Step::Burst(id) | Step::Post(id) => writeln!(f, "    {:?}", self.bursts[*id])?,
                Step::Crossed(one, two, _) => {
                    writeln!(f, "    {:?}", self.collectives[*one])?;
                    writeln!(f, "    {:?}", self.collectives[*two])?;
                }
                Step::Make(_, made) => {
                    for id in made {
                        writeln!(f, "    {id}: {:?}", self.comms[*id])?;
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }
}
