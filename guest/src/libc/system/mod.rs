//! Blocking system calls between ranks, in simulated time.
//!
//! All ranks share one process and one thread, so that a blocking system call would block all of
//! them forever. Locks of files, pipes, sockets, semaphores and queues are therefore polled while
//! simulated time passes: at first every microsecond, later at intervals of a sixteenth of the time
//! waited so far, and whenever a timer of the rank expires.

mod file;
mod lock;
mod queue;
pub(super) mod ready;
mod socket;
pub(super) mod wait;

pub(super) use file::{has_other_end, is_pipe, open_pipe, read, readv, write, writev};
pub(super) use lock::{is_lock, lock};

use crate::replacement::Replacement;

pub(super) fn waiting() -> Vec<Replacement> {
    [file::waiting(), lock::waiting(), socket::waiting(), queue::waiting()].concat()
}
