//! Waits for what only another rank can bring about: tries, between which simulated time passes.

use std::{ffi::c_int, time::Duration};

use crate::{
    libc::{
        descriptor_timers::timers,
        ending::Ending,
        errno,
        rank::Rank,
        signal::attend::{Handled, attend_in_wait, time_to_next},
    },
    site,
};

const FIRST: Duration = Duration::from_micros(1);
/// Longest wait, after which the program is ended because no other rank has ended the wait.
const LONGEST: Duration = Duration::from_secs(3600);

/// The reason why a wait ended without a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::libc) enum Ended {
    /// The time limit was reached.
    TimedOut,
    /// A signal handler has run.
    Interrupted,
}

/// The signal handlers that end a wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::libc) enum EndedBy {
    /// No handlers: the function never returns `EINTR`.
    None,
    /// Handlers installed without `SA_RESTART`.
    NotRestarting,
    /// All handlers: the function is never restarted.
    Any,
}

/// Tries until there is a result. Simulated time passes in between, and the other ranks run.
pub(in crate::libc) fn until<T>(call: &str, attempt: impl FnMut() -> Option<T>) -> T {
    within(call, None, attempt).expect("only a time that is over ends the waiting")
}

/// Like [`until`], with a time limit; `None` if it is reached.
pub(in crate::libc) fn within<T>(
    call: &str,
    most: Option<Duration>,
    attempt: impl FnMut() -> Option<T>,
) -> Option<T> {
    wait(call, most, EndedBy::None, attempt).ok()
}

/// Like [`within`]; `ended_by` selects the signal handlers that end the wait.
pub(in crate::libc) fn wait<T>(
    call: &str,
    most: Option<Duration>,
    ended_by: EndedBy,
    mut attempt: impl FnMut() -> Option<T>,
) -> Result<T, Ended> {
    let rank = Rank::current();
    if let Some(rank) = rank {
        timers(rank).advance(rank);
    }
    if let Some(answer) = attempt() {
        return Ok(answer);
    }
    let place = site::caller();
    let rank = rank.unwrap_or_else(|| std::process::abort());
    let begun = rank.clock();
    loop {
        let waited = rank.clock().saturating_sub(begun);
        if most.is_some_and(|most| waited >= most) {
            return Err(Ended::TimedOut);
        }
        let expires = timers(rank).time_to_next(rank);
        if waited >= LONGEST && expires.is_none() {
            let at = match place.known() {
                Some(place) => format!(" ({}:{})", place.file, place.line),
                None => String::new(),
            };
            let text = format!("it has waited an hour in {call}{at}, and no rank lets it go on");
            rank.finish(Ending::Refused(text));
        }
        let step = (waited / 16).max(FIRST);
        let left = most.map(|most| most - waited);
        let steps = [Some(step), left, time_to_next(rank), expires];
        let step = steps.into_iter().flatten().min().unwrap_or(step);
        rank.host().sleep(rank.number(), step);
        let handled = attend_in_wait(rank);
        timers(rank).advance(rank);
        if let Some(answer) = attempt() {
            return Ok(answer);
        }
        let ends = match (handled, ended_by) {
            (Handled::Nothing, _) | (_, EndedBy::None) => false,
            (Handled::Restarting, EndedBy::NotRestarting) => false,
            (Handled::Restarting | Handled::Interrupting, _) => true,
        };
        if ends {
            return Err(Ended::Interrupted);
        }
    }
}

/// Waits for a function without a time limit that returns -1 on errors, until its result is not one
/// of the errors in `blocking`.
pub(super) fn until_answered<T: PartialOrd + Default + From<i8>>(
    (call, ended_by): (&str, EndedBy),
    blocking: &[c_int],
    mut attempt: impl FnMut() -> T,
) -> T {
    answer(wait(call, None, ended_by, || answered(attempt(), blocking)))
}

/// Returns the result of a function whose wait has ended: -1 with `errno` set if it has none.
pub(super) fn answer<T: From<i8>>(ended: Result<T, Ended>) -> T {
    ended.unwrap_or_else(|why| {
        errno::fails(match why {
            Ended::TimedOut => libc::ETIMEDOUT,
            Ended::Interrupted => libc::EINTR,
        });
        T::from(-1)
    })
}

/// Returns a result unless it means that the call would block.
pub(super) fn answered<T: PartialOrd + Default>(answer: T, blocking: &[c_int]) -> Option<T> {
    let would_block = answer < T::default() && blocking.contains(&errno::present());
    (!would_block).then_some(answer)
}
