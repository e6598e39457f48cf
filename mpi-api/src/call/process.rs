//! Processes that begin, meet and end (MPI chapter 11).

use serde::{Deserialize, Serialize};
use sim_core::SimDuration;

use super::CommId;
use crate::spawn::Launch;

/// A call about the beginning and end of processes.
#[derive(Debug, Serialize, Deserialize)]
pub enum ProcessCall {
    /// `MPI_Init` of a rank that was started during the run.
    Initialize,
    /// `MPI_Finalize`.
    Finalize,
    /// `MPI_Session_finalize` of the last session, after or without the world model. Any thread may call it.
    EndSessions,
    /// `MPI_Abort` of a communicator, with the error code.
    Abort(CommId, i32),
    /// Ends the calling rank with an exit code, in the middle of its program; not answered.
    Exit {
        /// The code, as `exit` takes it.
        code: i32,
        /// Whether the rank must still finalize MPI.
        unfinished: bool,
    },
    /// `MPI_Comm_spawn_multiple`, with arguments at the root only; replies `Spawned` when all new
    /// ranks have initialized MPI.
    Spawn {
        /// Communicator of the parents.
        comm: CommId,
        /// Rank whose arguments are used.
        root: u32,
        /// Programs to start; `None` at ranks other than the root.
        launches: Option<Vec<Launch>>,
    },
    /// `MPI_Comm_accept` and `MPI_Comm_connect`; replies `Comm`.
    MeetAtPort {
        /// Communicator of the calling group.
        comm: CommId,
        /// Rank whose port name is used.
        root: u32,
        /// Name of the port, at the root.
        port: Option<String>,
        /// Whether the group accepts or connects.
        accepts: bool,
        /// Longest time to wait for the other group, at the root; `None` waits as long as anything
        /// else happens.
        timeout: Option<SimDuration>,
    },
}
