//! The tools interface (MPI section 15.3).

use serde::{Deserialize, Serialize};

/// A setting of the library that a program may read and change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Control {
    /// Largest message that a standard send buffers, in bytes; -1 for no limit.
    EagerLimit,
    /// Space for such messages, in bytes for each rank; -1 for no limit.
    BufferPool,
    /// The algorithm of a collective, by its place in
    /// [`Selector::table`](crate::collective::select::Selector::table): 0 leaves the choice to the rule, 1
    /// is the first algorithm.
    Algorithm(u32),
}

/// Something that the library counts for each rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Gauge {
    /// Receives that wait for their messages.
    PostedReceives,
    /// Messages that wait for their receives.
    UnexpectedMessages,
    /// Messages that have had to wait for their receives since the rank began.
    UnexpectedTotal,
    /// Messages that the rank has sent, those inside collectives included.
    MessagesSent,
    /// Bytes of data in them.
    BytesSent,
    /// Bytes of its standard sends that the system holds.
    BufferedBytes,
    /// The largest number of such bytes so far.
    BufferedPeak,
    /// Time outside MPI, picoseconds.
    ComputingTime,
    /// Processor time inside MPI, picoseconds.
    OverheadTime,
    /// Time blocked in MPI, picoseconds.
    WaitingTime,
    /// The part of this time for the file system, picoseconds.
    FileTime,
}

/// A call of the tools interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ToolCall {
    /// Reads a setting; replies `Offset`.
    Get(Control),
    /// Changes a setting for all ranks, from the present time on.
    Set(Control, i64),
    /// Reads what is counted for the calling rank; replies `Offset`.
    Read(Gauge),
}
