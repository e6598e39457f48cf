//! The points at which a rank notices what its timers send: calls of MPI, clocks, sleeps and waits.

use std::time::Duration;

use super::{send::release, timer};
use crate::libc::rank::Rank;

/// The result of [`attend_in_wait`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::libc) enum Handled {
    /// No handler has run.
    Nothing,
    /// Only handlers have run after which system calls are restarted.
    Restarting,
    /// A handler installed without `SA_RESTART` has run.
    Interrupting,
}

/// Sends the signals of timers that have expired. Returns true if a handler has run. Called where
/// the program may be interrupted.
pub fn attend() -> bool {
    Rank::current().is_some_and(|rank| timer::send_due(rank) | release(rank))
}

/// Like [`attend`], in a system call that a handler may interrupt.
pub(in crate::libc) fn attend_in_wait(rank: &Rank) -> Handled {
    rank.signals.interrupting.set(false);
    match (timer::send_due(rank) | release(rank), rank.signals.interrupting.get()) {
        (false, _) => Handled::Nothing,
        (true, false) => Handled::Restarting,
        (true, true) => Handled::Interrupting,
    }
}

/// Returns the time until the next timer of the rank expires; `None` if none is running.
pub(in crate::libc) fn time_to_next(rank: &Rank) -> Option<Duration> {
    timer::left(rank)
}

/// Like [`attend`], but only if timers of the rank are running.
pub(in crate::libc) fn attend_if_timed(rank: &Rank) -> bool {
    rank.signals.due.get().is_some() && timer::send_due(rank)
}

/// Returns the time at which the next timer of the rank expires; `None` if none is running.
pub(in crate::libc) fn next(rank: &Rank) -> Option<Duration> {
    rank.signals.due.get()
}

/// Returns the time at which the next timer of the running rank expires; `None` if none is running.
pub fn next_timer() -> Option<Duration> {
    Rank::current().and_then(next)
}
