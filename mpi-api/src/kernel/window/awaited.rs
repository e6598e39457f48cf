//! [`Awaited`]: what a rank waits for on a window, and what it does then.

use super::locks::Lock;
use crate::call::AccessCompletion;

/// What a rank waits for on a window. Ranks are those of the window.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Awaited {
    /// Its accesses to a target or to all.
    Accesses {
        /// The target; `None` for all.
        target: Option<u32>,
        /// Where they need to be complete.
        completion: AccessCompletion,
        /// What it does then.
        then: Then,
    },
    /// The lock of a target or of all.
    Lock(Option<u32>),
    /// Exposures by these ranks.
    Posts(Vec<u32>),
    /// The end of the accesses to its own memory.
    Ends,
}

/// What a call does when the accesses are complete.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Then {
    /// It returns.
    Return,
    /// It returns as a poll that found nothing: its rank waits by making such calls again and again.
    Poll,
    /// It waits for the other ranks.
    Fence,
    /// It gives the lock back; the flag says that the lock was taken without asking.
    Unlock(Lock, bool),
    /// It tells these targets that the accesses have ended.
    Complete(Vec<u32>),
}
