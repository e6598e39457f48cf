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

/// How the roots that two ranks give over an intercommunicator contradict each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Contradiction {
    /// Both give `MPI_ROOT`.
    TwoRoots,
    /// They are in different groups, and each names a root in the other group.
    NoRoot,
    /// They are in different groups, and each says that the root is in its own group.
    BothGroups,
    /// The roots are not the same.
    Unlike,
}

/// Returns the finding that two ranks give roots over an intercommunicator that contradict each other.
pub fn between_groups(me: Side, other: Side, contradiction: Contradiction) -> Finding {
    let ranks = format!("rank {} and rank {}", me.rank.min(other.rank), me.rank.max(other.rank));
    let found = between(me, other, Code::RootMismatch);
    let message = match contradiction {
        Contradiction::TwoRoots => format!("{ranks} both give MPI_ROOT"),
        Contradiction::NoRoot => {
            format!(
                "{ranks}, of different groups, both name a root in the other group, and neither group gives MPI_ROOT"
            )
        }
        Contradiction::BothGroups => {
            format!("{ranks}, of different groups, both say that the root is in their own group")
        }
        Contradiction::Unlike => found.message.clone(),
    };
    Finding { message, ..found }
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
