//! What profiling layers see of a call and of its return.

use sim_core::{SimDuration, SimTime};

use crate::{
    api::{Rank, Tag},
    call::{CommId, Site},
    error::MpiError,
};

/// A call on its way through the layers. Properties that a call does not have are `None` or 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// Name of the function in the standard, such as `MPI_Send`.
    pub function: &'static str,
    /// Place of the call in the program.
    pub site: Option<Site>,
    /// The caller's number in the run: its rank in `MPI_COMM_WORLD`, except for ranks started
    /// during the run.
    pub rank: Rank,
    /// Identifier of the communicator.
    pub communicator: Option<CommId>,
    /// Destination, source or root as the caller gives it, including [`ANY_SOURCE`], [`PROC_NULL`]
    /// and [`ROOT`].
    pub peer: Option<Rank>,
    /// Tag as the caller gives it, including [`ANY_TAG`].
    pub tag: Option<Tag>,
    /// Bytes that the call passes to MPI: the data it sends, or contributes to a collective
    /// operation.
    pub bytes: u64,
    /// Simulated time at which the call reaches this layer; after the call, the time at which it
    /// left for the layer below.
    pub time: SimTime,
}

/// The return of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer<'a> {
    /// Simulated time of the return.
    pub time: SimTime,
    /// Simulated time spent in the layers below.
    pub took: SimDuration,
    /// Bytes that the call received: of messages, or of a collective operation's result.
    pub bytes: u64,
    /// Sender and tag of the message that the call completed or found, if there is exactly one.
    pub message: Option<(Rank, Tag)>,
    /// The error, where the communicator's handler returns errors.
    pub error: Option<&'a MpiError>,
}
