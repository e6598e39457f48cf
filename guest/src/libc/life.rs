//! The begin and the end of a program, as its C library sees them.

use std::ffi::c_char;

use super::{
    ending::Ending,
    getopt,
    process::{self, Routines},
    program_name,
    rank::{CURRENT, Rank},
    stdio, surroundings,
    suspend::{Seen, forget_current},
    thread::life as threads,
    zone,
};

/// Makes a rank the running one, with the fresh state of a new process.
pub(crate) fn begin(rank: &Rank, routines: Routines, name: *const c_char) {
    process::begin_rank(rank, routines);
    CURRENT.set(rank);
    program_name::begin_rank(rank, name);
    getopt::begin_rank(rank);
    threads::begin_rank(rank);
    surroundings::begin_rank(rank);
    zone::begin_rank(rank);
    stdio::begin_rank(rank);
    Seen::of(rank).restore();
}

/// Ends a program that has returned: writes the rest of its output and returns how it ended.
pub(crate) fn end(rank: &Rank, code: i32) -> Ending {
    close(rank);
    forget_current();
    rank.take_ending().unwrap_or(Ending::Exited(code))
}

/// Passes on all unfinished lines, and closes files that the program has left open.
pub(crate) fn close(rank: &Rank) {
    stdio::end_rank(rank);
    rank.flush_all();
}
