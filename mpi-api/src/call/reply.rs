//! The kernel's replies to calls.

use serde::{Deserialize, Serialize};
use sim_core::SimTime;

use super::{CommInfo, MatchEvents, MatchedId, Payload, RequestId, WindowPart};
use crate::{
    error::{ErrorHandler, Failure},
    object::{hints::HintsInUse, status::Status},
    spawn::Spawned,
};

/// The result of one completed operation.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Completion {
    /// Status of a receive (empty for sends).
    pub status: Status,
    /// Received data or a collective operation's result, packed.
    pub payload: Option<Payload>,
    /// The error, if the communicator's handler is `MPI_ERRORS_RETURN`.
    pub error: Option<Box<Failure>>,
    /// The communicator created by a nonblocking duplication.
    pub comm: Option<Box<CommInfo>>,
}

impl Completion {
    /// Creates a completion without data.
    pub fn of(status: Status) -> Self {
        Self { status, payload: None, error: None, comm: None }
    }
}

/// The message that a blocking receive received.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Received {
    /// Rank of the sender.
    pub source: u32,
    /// Tag of the message.
    pub tag: i32,
    /// The data, packed.
    pub payload: Payload,
}

impl Received {
    /// Returns the status of the receive.
    #[inline]
    pub fn status(&self) -> Status {
        Status::message(self.source, self.tag, self.payload.bytes())
    }
}

impl From<Received> for Completion {
    fn from(received: Received) -> Self {
        let status = received.status();
        Self { payload: Some(received.payload), ..Self::of(status) }
    }
}

/// The kernel's answer to a [`Call`](super::Call).
#[derive(Debug, Serialize, Deserialize)]
pub enum Reply {
    /// The call is done and has no result.
    Done,
    /// Simulated time.
    Time(SimTime),
    /// A new request.
    Request(RequestId),
    /// A blocking receive got its message without an error.
    Received(Received),
    /// One operation completed.
    Completed(Box<Completion>),
    /// Some operations completed: index in the list of the call, and the result.
    Completions(Vec<(usize, Completion)>),
    /// A matched message and its status (`MPI_Mprobe`).
    Matched(MatchedId, Status),
    /// The operation is not complete yet, or no message was found (test, immediate probe).
    NotYet,
    /// No request in the list is active.
    Undefined,
    /// A new communicator; `None` is `MPI_COMM_NULL`.
    Comm(Option<Box<CommInfo>>),
    /// Result of a spawn.
    Spawned(Box<Spawned>),
    /// Place in a topology; `None` for a rank outside it.
    Place(Option<u32>),
    /// Name of a port.
    Name(String),
    /// Size of the buffer that was detached.
    Detached(u64),
    /// Data of receives whose requests were freed.
    Late(Vec<(RequestId, Payload)>),
    /// The part of a window that a rank provides.
    WindowPart(Box<WindowPart>),
    /// Results of one-sided accesses: number of the access, and the data.
    Fetched(Vec<(u32, Payload)>),
    /// An offset, a size, or the value of a variable.
    Offset(i64),
    /// Events of the tools interface.
    Events(Box<MatchEvents>),
    /// The hints of a file that are in use.
    Hints(Box<HintsInUse>),
    /// Number of a new object.
    Object(u32),
    /// Result of a collective operation, packed.
    Data(Vec<u8>),
    /// The call failed, and its communicator's handler returns errors.
    Failed(Box<Failure>),
    /// The error handler of a communicator.
    ErrorHandler(ErrorHandler),
}

impl Reply {
    /// Returns the completion of the one operation of the call, if the reply is `Received` or
    /// `Completed`: the two forms mean the same.
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
            | Self::WindowPart(_)
            | Self::Fetched(_)
            | Self::Offset(_)
            | Self::Events(_)
            | Self::Hints(_)
            | Self::Object(_)
            | Self::Data(_)
            | Self::Failed(_)
            | Self::ErrorHandler(_) => None,
        }
    }
}
