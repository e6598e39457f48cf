//! The kernel's answers.

use sim_core::SimTime;

use super::{CommId, MatchedId, Payload, RequestId};
use crate::{
    error::{ErrorHandler, Failure},
    object::{cart::Cart, graph::Adjacency, group::Group, status::Status},
    spawn::Spawned,
};

/// The end of one operation.
#[derive(Clone, Debug)]
pub struct Completion {
    /// Status as a receive reports it (empty for sends).
    pub status: Status,
    /// Received bytes or a collective's result, packed.
    pub payload: Option<Payload>,
    /// What went wrong, where the communicator returns errors.
    pub error: Option<Box<Failure>>,
    /// The communicator a nonblocking duplication made.
    pub comm: Option<Box<CommInfo>>,
}

impl Completion {
    /// Without data.
    pub fn of(status: Status) -> Self {
        Self { status, payload: None, error: None, comm: None }
    }
}

/// A message that a blocking receive has got.
#[derive(Clone, Debug)]
pub struct Received {
    /// Rank of the sender.
    pub source: u32,
    /// Tag.
    pub tag: i32,
    /// The data, packed.
    pub payload: Payload,
}

impl Received {
    /// The status of the receive.
    #[inline]
    pub fn status(&self) -> Status {
        Status::message(self.source, self.tag, self.payload.as_slice().len() as u64)
    }
}

impl From<Received> for Completion {
    fn from(received: Received) -> Self {
        let status = received.status();
        Self { payload: Some(received.payload), ..Self::of(status) }
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

/// The kernel's answer to a [`Call`](super::Call).
#[derive(Debug)]
pub enum Reply {
    /// Done, nothing to tell.
    Done,
    /// Simulated time.
    Time(SimTime),
    /// A new request.
    Request(RequestId),
    /// A blocking receive got its message, and nothing else is to be told.
    Received(Received),
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
    Failed(Box<Failure>),
    /// Who hears of errors on a communicator.
    ErrorHandler(ErrorHandler),
}

impl Reply {
    /// The end of the one operation that was asked for, if that is what the reply tells: the two
    /// forms that it has differ in nothing else.
    pub fn completion(self) -> Option<Completion> {
        match self {
            Self::Received(received) => Some(received.into()),
            Self::Completed(completion) => Some(*completion),
            Self::Done
            | Self::Time(_)
            | Self::Request(_)
            | Self::Completions(_)
            | Self::Matched(..)
            | Self::NotYet
            | Self::Undefined
            | Self::Comm(_)
            | Self::Spawned(_)
            | Self::Place(_)
            | Self::Name(_)
            | Self::Detached(_)
            | Self::Late(_)
            | Self::Object(_)
            | Self::Data(_)
            | Self::Failed(_)
            | Self::ErrorHandler(_) => None,
        }
    }
}
