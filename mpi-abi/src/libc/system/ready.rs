//! Waiting for one of several descriptors.
#![allow(unsafe_code, reason = "calls the system for programs")]

use std::{ffi::c_int, time::Duration};

use super::{Ended, EndedBy, answer, wait};

/// What is waited for.
#[derive(Clone, Copy)]
pub(in crate::libc) enum Events {
    /// Events of these descriptors: a list of structures, and how many they are.
    Listed(*mut libc::pollfd, libc::nfds_t),
    /// Events of an object of `epoll_create`: it, where they go, and how many there is room for.
    Of(c_int, *mut libc::epoll_event, c_int),
}

impl Events {
    /// Asks the system without blocking.
    fn ask(self) -> c_int {
        // SAFETY: the program passes the structures that it says.
        unsafe {
            match self {
                Self::Listed(places, count) => libc::poll(places, count, 0),
                Self::Of(object, places, room) => libc::epoll_wait(object, places, room, 0),
            }
        }
    }
}

/// Waits for events at most for a time, without blocking other ranks; how many there are, 0 if none came
/// in time. Any handler of a signal that runs meanwhile ends the wait with `EINTR`.
pub(in crate::libc) fn wait_for_events(
    call: &str,
    events: Events,
    most: Option<Duration>,
) -> c_int {
    let ended = wait(call, most, EndedBy::Any, || Some(events.ask()).filter(|count| *count != 0));
    if ended == Err(Ended::TimedOut) { 0 } else { answer(ended) }
}
