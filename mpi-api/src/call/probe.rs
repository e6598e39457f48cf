//! Probes and receives of matched messages (MPI section 3.8).

use serde::{Deserialize, Serialize};

use super::{CommId, Incoming, MatchedId, Source};

/// A probe, or a receive of the message that a matched probe found. A probe has a communicator, a
/// source and a tag; `None` is `MPI_ANY_TAG`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum ProbeCall {
    /// `MPI_Probe`; replies `Completed` without payload.
    Blocking(CommId, Source, Option<i32>),
    /// `MPI_Iprobe`; replies `Completed` without payload, or `NotYet`.
    Immediate(CommId, Source, Option<i32>),
    /// `MPI_Mprobe`: takes the message out of the queue; replies `Matched`.
    Matched(CommId, Source, Option<i32>),
    /// `MPI_Improbe`; replies `Matched` or `NotYet`.
    ImmediateMatched(CommId, Source, Option<i32>),
    /// `MPI_Mrecv`; replies `Completed`.
    Receive(MatchedId, Incoming),
    /// `MPI_Imrecv`; replies `Request`.
    StartReceive(MatchedId, Incoming),
}
