//! A program as data: the operations of every rank, and the intended matching of all messages.
//!
//! Every rank goes through the steps in order and does its own part of each. A plan is safe if each
//! blocking part can complete once all ranks have done the earlier steps: then no rank can be
//! blocked in the earliest step in which any rank is blocked. The halves of a message may be in
//! different steps if the first half does not block.

mod collective;
mod share;
mod topology;
pub(crate) mod window;

use std::fmt;

use mpi_api::{call::Mode, object::signature::Primitive};

pub(crate) use self::{
    collective::{Collective, Kind, Operator},
    share::{Exchanged, Share},
    topology::{Neighbors, Topology},
    window::Window,
};
use super::layout::Layout;

/// Index of a message, collective or communicator in its list.
pub(crate) type Id = usize;

/// A complete program.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Seed from which the plan was generated.
    pub(crate) seed: u64,
    /// Number of ranks in the world communicator.
    pub(crate) ranks: u32,
    /// Communicators: 0 is the world, 1 + r the self communicator of rank r; steps construct the
    /// rest.
    pub(crate) comms: Vec<Comm>,
    /// Messages between two ranks.
    pub(crate) messages: Vec<Message>,
    /// Collective operations.
    pub(crate) collectives: Vec<Collective>,
    /// Many-to-one bursts.
    pub(crate) bursts: Vec<Burst>,
    /// Steps, which every rank goes through in this order.
    pub(crate) steps: Vec<Step>,
    /// Fault of the plan, if it has one.
    pub(crate) fault: Option<Fault>,
    /// Messages of which the fault consists.
    pub(crate) planted: Vec<Id>,
    /// Collectives of which the fault consists.
    pub(crate) planted_collectives: Vec<Id>,
}

/// A fault that was added to a safe plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// All ranks of a cycle send first.
    SendCycle,
    /// A blocking send whose receive follows a barrier.
    AcrossBarrier,
    /// All ranks of a cycle send first, in synchronous mode.
    SynchronousCycle,
    /// All ranks of a cycle receive first.
    ReceiveCycle,
    /// This message is never sent.
    Missing(Id),
    /// A receive from any source can take the message that a named receive waits for.
    Stolen,
    /// One rank calls two collectives in the opposite order.
    Crossed,
    /// A receive whose buffer is too small.
    Short,
    /// A receive with basic types other than those sent.
    Mistyped,
    /// A window is used in this wrong way.
    Window(Wrong),
}

/// What is wrong with the use of a window.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Wrong {
    /// A call does not fit the epochs.
    Epochs,
    /// The buffer of an access is used before the access is complete.
    Buffers,
    /// Accesses to the same bytes are not ordered.
    Order,
    /// A rank asserts that it has not stored to its memory, but it has.
    Stored,
}

impl Plan {
    /// Returns a description of the fault.
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
            Some(Fault::Window(Wrong::Epochs)) => "misused epochs",
            Some(Fault::Window(Wrong::Buffers)) => "buffers of accesses used early",
            Some(Fault::Window(Wrong::Order)) => "unordered accesses",
            Some(Fault::Window(Wrong::Stored)) => "stores that are denied",
        }
    }
}

/// A communicator, given by the world ranks of its members in order of rank.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Comm {
    /// Group of the communicator; of an intercommunicator, the first of its two groups.
    pub(crate) group: Vec<u32>,
    /// The second group of an intercommunicator.
    pub(crate) other: Option<Vec<u32>>,
}

impl Comm {
    /// Returns the world ranks of all members.
    pub(crate) fn everybody(&self) -> Vec<u32> {
        self.group.iter().chain(self.other.iter().flatten()).copied().collect()
    }

    /// Returns the group of the ranks on `side`.
    pub(crate) fn side(&self, side: usize) -> &[u32] {
        match &self.other {
            Some(other) if side == 1 => other,
            _ => &self.group,
        }
    }

    /// Returns the group to which the ranks on `side` send.
    pub(crate) fn facing(&self, side: usize) -> &[u32] {
        match &self.other {
            Some(other) if side == 0 => other,
            _ => &self.group,
        }
    }

    /// Returns side and rank of a member.
    pub(crate) fn place(&self, world: u32) -> Option<(usize, u32)> {
        let at = |group: &[u32]| group.iter().position(|member| *member == world);
        let first = at(&self.group).map(|rank| (0, rank as u32));
        first.or_else(|| at(self.other.as_deref()?).map(|rank| (1, rank as u32)))
    }
}

/// The kind of call for one side of a transfer.
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

/// The probe that precedes a blocking receive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Look {
    /// No probe.
    Straight,
    /// `MPI_Probe`.
    Probe,
    /// `MPI_Iprobe` until it reports a message.
    Poll,
    /// `MPI_Mprobe` and `MPI_Mrecv`.
    Matched,
    /// `MPI_Improbe` until it reports a message, then `MPI_Imrecv`.
    PollMatched,
}

/// One message, or several equal ones in sequence.
#[derive(Clone, Debug)]
pub(crate) struct Message {
    /// Communicator of the message.
    pub(crate) comm: Id,
    /// Index of the group that sends.
    pub(crate) side: usize,
    /// Rank of the sender in its group.
    pub(crate) from: u32,
    /// Rank of the receiver in its group.
    pub(crate) to: u32,
    /// Tag of the message.
    pub(crate) tag: i32,
    /// Number of messages; more than one only with persistent requests or within one step.
    pub(crate) rounds: u32,
    /// Basic types of one unit.
    pub(crate) types: Vec<Primitive>,
    /// Number of units.
    pub(crate) units: u64,
    /// Send mode: standard, buffered, synchronous or ready.
    pub(crate) mode: Mode,
    /// Kind of send call.
    pub(crate) send: Style,
    /// Layout of the send buffer.
    pub(crate) sent_from: Layout,
    /// Kind of receive call.
    pub(crate) receive: Style,
    /// Probe that precedes a blocking receive.
    pub(crate) look: Look,
    /// Layout of the receive buffer, with space for at least as many units.
    pub(crate) received_into: Layout,
    /// Whether the receive uses `MPI_ANY_SOURCE`.
    pub(crate) any_source: bool,
    /// Whether the receive uses `MPI_ANY_TAG`.
    pub(crate) any_tag: bool,
    /// Message whose arrival proves that the receive of this one is posted.
    pub(crate) proof: Option<Id>,
}

/// A started operation that must be completed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Part {
    /// The send of a message.
    Sent(Id),
    /// The receive of a message.
    Received(Id),
    /// A rank's part in a collective.
    Taken(Id),
}

/// The function that completes requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum How {
    /// `MPI_Wait` for one request after the other.
    Each,
    /// `MPI_Waitall`.
    All,
    /// `MPI_Waitany` until no request is active.
    Any,
    /// `MPI_Waitsome` until no request is active.
    Some,
    /// `MPI_Testall` until all requests are complete.
    TestAll,
    /// `MPI_Testany` until no request is active.
    TestAny,
    /// `MPI_Testsome` until no request is active.
    TestSome,
    /// `MPI_Request_get_status` until each is complete, then `MPI_Waitall`.
    Status,
}

/// The way several ranks exchange messages in one step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Together {
    /// `MPI_Sendrecv`; with `MPI_PROC_NULL` if a rank has no partner.
    SendReceive,
    /// `MPI_Sendrecv_replace`.
    Replace,
    /// Nonblocking receives, then nonblocking sends, then completion of all.
    Immediate,
    /// Persistent requests that are started together.
    Persistent,
    /// Blocking sends, then blocking receives.
    SendFirst,
    /// Blocking receives, then blocking sends.
    ReceiveFirst,
}

/// A call with `MPI_PROC_NULL`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Null {
    Send,
    Receive,
    Immediate,
    Persistent,
    Probe,
    SendReceive,
    /// A receive that is posted and cancelled: its source is a process, but no message matches.
    Cancel,
}

/// The function that constructs a communicator.
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
    /// `MPI_Intercomm_create` with two groups, their leaders and the peer communicator.
    Bridge([Id; 2], [u32; 2], Id),
    /// `MPI_Intercomm_merge` with the `high` argument of each side.
    Merge(Id, [bool; 2]),
    /// `MPI_Cart_create` or `MPI_Dist_graph_create_adjacent` with all members, without reordering.
    Topology(Id, Topology),
}

/// Many-to-one messages received with `MPI_ANY_SOURCE`.
#[derive(Clone, Debug)]
pub(crate) struct Burst {
    /// Communicator of the burst.
    pub(crate) comm: Id,
    /// Rank of the receiver.
    pub(crate) to: u32,
    /// Ranks of the senders, in the order in which they send; a rank may occur several times.
    pub(crate) from: Vec<u32>,
    /// Tag of each message.
    pub(crate) tags: Vec<i32>,
    /// Whether receives use `MPI_ANY_TAG` too.
    pub(crate) any_tag: bool,
    /// Bytes of each message.
    pub(crate) bytes: u64,
    /// Kind of send call.
    pub(crate) send: Style,
    /// Kind of receive call: blocking, or posted first and completed together.
    pub(crate) receive: Style,
    /// Probe that precedes a blocking receive.
    pub(crate) look: Look,
}

/// A server answers whichever client asks first; a client waits for the answer before its next
/// question.
#[derive(Clone, Debug)]
pub(crate) struct Service {
    /// Communicator of the service.
    pub(crate) comm: Id,
    /// Rank of the server.
    pub(crate) server: u32,
    /// Ranks of the clients; each asks once for each time it occurs.
    pub(crate) clients: Vec<u32>,
    /// Bytes of a question and of its answer.
    pub(crate) bytes: u64,
    /// Tag of questions; answers have the next higher tag.
    pub(crate) tag: i32,
    /// Probe that precedes the server's receives.
    pub(crate) look: Look,
}

/// One step of the program; ranks that have no part in it continue at once.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    /// One rank computes for a time.
    Compute(u32, u64),
    /// The sender's half of a message.
    Send(Id),
    /// The receiver's half of a message.
    Receive(Id),
    /// Both halves of a message; each side completes its own.
    Meet(Id),
    /// A rank completes operations that it has started.
    Complete(u32, Vec<Part>, How),
    /// Several messages at once on one communicator.
    Exchange(Vec<Id>, Together),
    /// A burst in one step.
    Burst(Id),
    /// The receiver of a burst posts its receives.
    Post(Id),
    /// The senders of a burst send.
    Flood(Id),
    /// The receiver of a burst completes its receives.
    Drain(Id, How),
    /// Questions of clients and answers of a server.
    Serve(Service),
    /// A call of one rank with `MPI_PROC_NULL`.
    Null(u32, Null),
    /// A collective operation; a nonblocking one is only started.
    Collective(Id),
    /// Two blocking collectives; this world rank calls the second one first.
    Crossed(Id, Id, u32),
    /// Construction of a communicator, or of one for each colour.
    Make(Maker, Vec<Id>),
    /// Freeing of a communicator by its members.
    Free(Id),
    /// A window of the members of a communicator, from its construction to its end.
    Window(Box<Window>),
}

impl Null {
    /// Returns whether the call returns a status.
    pub(crate) fn tells(self) -> bool {
        !matches!(self, Self::Send | Self::Cancel)
    }
}

impl Plan {
    /// Returns the windows of the plan, in order of their steps.
    pub(crate) fn windows(&self) -> impl Iterator<Item = &Window> {
        self.steps.iter().filter_map(|step| match step {
            Step::Window(window) => Some(&**window),
            _ => None,
        })
    }
}

impl fmt::Display for Plan {
    /// Prints one step per line, with its messages and collectives.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "seed {}: {} ranks, {}", self.seed, self.ranks, self.fault_name())?;
        for step in &self.steps {
            match step {
                Step::Window(window) => writeln!(f, "{}", window.heading())?,
                _ => writeln!(f, "{step:?}")?,
            }
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
                Step::Window(window) => {
                    for turn in &window.turns {
                        writeln!(f, "    {turn:?}")?;
                    }
                    for (id, access) in window.started() {
                        writeln!(f, "    {id}: {access:?}")?;
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }
}
