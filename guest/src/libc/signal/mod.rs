//! Signals: like a process, each rank has its own actions, masks, pending signals and timers.
//!
//! A rank sends signals only to itself: by `raise` and related functions, by timers in simulated
//! time, and by faulting instructions (`strike`). Handlers run on the rank's stack, where the
//! signal was sent; those of timers run when an MPI call, a clock or a sleep returns. Actions and
//! masks of the program are never set in the system.

mod action;
pub(super) mod attend;
mod jump;
mod lap;
pub(super) mod mask;
pub(super) mod send;
pub(crate) mod spin;
pub(super) mod state;
pub(super) mod strike;
mod timer;

pub use attend::{attend, next_timer};
pub use send::name;

pub(super) use action::kill;

use crate::replacement::Replacement;

pub(super) fn replacements() -> Vec<Replacement> {
    let tables =
        [action::replacements, jump::replacements, mask::replacements, timer::replacements];
    tables.iter().flat_map(|table| table()).collect()
}

/// Returns the functions that may wait and therefore need the place of their caller.
pub(crate) fn waiting() -> Vec<Replacement> {
    mask::waiting()
}
