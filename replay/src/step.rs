//! [`Step`]: one recorded call, and what the rank learned from its reply.

use mpi_api::call::{CommId, Completion, MatchedId, Operation, Reply, RequestId};
use serde::{Deserialize, Serialize};

/// One call of a rank, without data.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Step {
    /// Number of the place in the program.
    pub(crate) site: u32,
    pub(crate) operation: Operation,
    pub(crate) outcome: Outcome,
}

/// The part of a reply on which later calls of the rank depend.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Outcome {
    /// Nothing, or only data.
    Nothing,
    /// A new request.
    Request(RequestId),
    /// A new communicator; `None` is `MPI_COMM_NULL`.
    Comm(Option<CommId>),
    /// A matched message.
    Matched(MatchedId),
    /// A new datatype.
    Object(u32),
    /// The requests that completed, by their place in the list of the call, with the communicator
    /// that a nonblocking duplication created.
    Completed(Vec<(u32, Option<CommId>)>),
    /// An operation completed, or a message was found.
    Found,
    /// The operation was not complete, or no message was found.
    NotYet,
    /// The run ended before the reply.
    Unanswered,
}

impl Outcome {
    pub(crate) fn of(reply: &Reply) -> Self {
        match reply {
            Reply::Request(id) => Self::Request(*id),
            Reply::Comm(comm) => Self::Comm(comm.as_ref().map(|comm| comm.id)),
            Reply::Matched(id, _) => Self::Matched(*id),
            Reply::Object(number) => Self::Object(*number),
            Reply::Completions(list) => {
                let one = |(place, completion): &(usize, Completion)| {
                    (*place as u32, completion.comm.as_ref().map(|comm| comm.id))
                };
                Self::Completed(list.iter().map(one).collect())
            }
            Reply::Received(_) | Reply::Completed(_) => Self::Found,
            Reply::NotYet => Self::NotYet,
            Reply::Done
            | Reply::Time(_)
            | Reply::Undefined
            | Reply::Spawned(_)
            | Reply::Place(_)
            | Reply::Name(_)
            | Reply::Detached(_)
            | Reply::WindowPart(_)
            | Reply::Fetched(_)
            | Reply::Offset(_)
            | Reply::Events(_)
            | Reply::Hints(_)
            | Reply::Late(_)
            | Reply::Data(_)
            | Reply::Failed(_)
            | Reply::ErrorHandler(_) => Self::Nothing,
        }
    }
}
