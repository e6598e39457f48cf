//! Polling of several descriptors.
#![allow(unsafe_code, reason = "calls the system for programs")]

use std::{ffi::c_int, time::Duration};

use super::wait::{Ended, EndedBy, answer, wait};
use crate::libc::clock::rounded_up;

/// The events to wait for.
#[derive(Clone, Copy)]
pub(in crate::libc) enum Events {
    /// Events of these descriptors: an array of structures, and its length.
    Listed(*mut libc::pollfd, libc::nfds_t),
    /// Events of an `epoll` object: its descriptor, the result array, and the array's length.
    Of(c_int, *mut libc::epoll_event, c_int),
}

impl Events {
    /// Polls the system without blocking.
    fn ask(self) -> c_int {
        // SAFETY: the program passes the structures that it describes.
        unsafe {
            match self {
                Self::Listed(places, count) => libc::poll(places, count, 0),
                Self::Of(object, places, room) => libc::epoll_wait(object, places, room, 0),
            }
        }
    }
}

/// Waits for events, at most `within`, without blocking other ranks; returns their number, 0 on a
/// timeout. Any signal handler that runs meanwhile ends the wait with `EINTR`.
pub(in crate::libc) fn wait_for_events(
    call: &str,
    events: Events,
    most: Option<Duration>,
) -> c_int {
    let most = most.map(rounded_up);
    let ended = wait(call, most, EndedBy::Any, || Some(events.ask()).filter(|count| *count != 0));
    if ended == Err(Ended::TimedOut) { 0 } else { answer(ended) }
}
