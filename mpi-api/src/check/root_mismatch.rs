//! WT0006: ranks disagree on the root.

use super::{
    argument_mismatch,
    disagreement::{Side, between},
};
use crate::finding::{Code, Finding};

/// Returns the text for a rank's root.
pub fn root(root: u32) -> String {
    format!("root {root}")
}

/// Returns the text for the leader of a group.
pub fn leader(rank: u32) -> String {
    format!("rank {rank} as the leader")
}

/// Returns the text for the leader that the other group names.
pub fn remote_leader(rank: u32) -> String {
    format!("rank {rank} as the remote leader")
}

/// Returns the finding that two ranks give different roots over an intercommunicator.
pub fn between_groups(me: Side, other: Side) -> Finding {
    between(me, other, Code::RootMismatch)
        .note(
            "over an intercommunicator the root gives MPI_ROOT, the others of its group give \
             MPI_PROC_NULL, and all of the other group give the root's rank (MPI 5.0, 6.2.3)",
        )
        .help("let one rank of one group give MPI_ROOT, and all of the other group name that rank")
}

/// Returns the finding that two groups do not meet because a leader names another rank.
pub fn of_leaders(me: Side, other: Side) -> Finding {
    argument_mismatch::about_meeting(between(me, other, Code::RootMismatch))
}
