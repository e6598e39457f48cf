//! How a coroutine ends.

use std::panic::{self, AssertUnwindSafe};

use crate::outcome::Access;

/// How a coroutine ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    Returned,
    /// It panicked or was unwound.
    Unwound,
    Trapped(Trap),
}

/// The reason for which a process was cut short.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Trap {
    /// Its stack overflowed.
    Overflow { address: usize },
    /// A signal was raised in foreign code.
    Signal { signal: i32, address: usize, access: Option<Access> },
    /// The run was asked to stop, and the process did not make another call.
    Interrupted { address: usize },
}

/// Runs `work` and catches panics.
pub(super) fn caught(work: impl FnOnce()) -> End {
    match panic::catch_unwind(AssertUnwindSafe(work)) {
        Ok(()) => End::Returned,
        Err(payload) => {
            // A panic payload may itself panic when dropped; the payload of that second panic is
            // leaked.
            if let Err(second) = panic::catch_unwind(AssertUnwindSafe(|| drop(payload))) {
                std::mem::forget(second);
            }
            End::Unwound
        }
    }
}
