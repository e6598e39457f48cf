//! The state of the C library, one copy per rank.
//!
//! Programs call the host's libc. Functions that end the process, keep state between calls, read
//! the time or start processes are replaced by those of this module; libc variables that a rank can
//! see are saved when it is suspended (`suspend`).
//!
//! A `Rank` holds what every suspension needs (threads, signals, modes). What a single part keeps for
//! a rank is a type of that part's file, which the rank holds without knowing it
//! (`Rank::state`). `life` has the order in which the parts begin and end with a program.
//!
//! # Safety
//!
//! A function that takes pointers from programs is an `unsafe extern "C" fn`. Its contract is that of
//! the function which it replaces: each pointer is valid, as long and as aligned, as the C standard,
//! POSIX or the manual of Linux requires for that argument, and the caller runs on the stack of a
//! rank or of the simulator. Programs are trusted to keep it, as they are by the C library itself.

mod answer;
mod backtrace;
mod changes;
pub(crate) mod clock;
pub(crate) mod cxx;
mod cxx_globals;
mod descriptor_timers;
mod device;
pub(crate) mod dynamic;
pub(crate) mod ending;
mod entropy;
pub(crate) mod errno;
mod float;
pub mod folder;
mod gamma;
mod getopt;
pub(crate) mod heap;
pub(crate) mod host;
mod hosts;
mod identity;
mod itself;
mod lent;
pub(crate) mod life;
mod limits;
mod locale;
mod multibyte;
pub(crate) mod process;
mod program_name;
mod random;
pub(crate) mod rank;
mod refuse;
mod report;
pub mod shared_name;
pub(crate) mod signal;
pub(crate) mod startup;
mod states;
pub(crate) mod stdio;
mod string;
pub mod surroundings;
pub(crate) mod suspend;
mod system;
pub(crate) mod thread;
mod thread_local;
mod usage;
pub(crate) mod variables;
mod zone;

pub use ending::Ending;
pub use host::{FileUse, Host, Stream, Wait};
pub use lent::{Exception, Lent, Returned, end_late, give_up, rethrow};
pub use limits::stack_bytes;
pub use rank::end;
pub use signal::{attend, name as signal_name, next_timer};
pub use stdio::kept::write as write_past_ranks;
pub use suspend::{Plain, suspend};
pub use thread::{parking::complete_nothing, present as present_thread};

use crate::replacement::Replacement;

/// Prepares the C library for a simulation on this thread: from now on the files, descriptors and
/// variables of the process belong to the simulator, until [`end_simulation`] restores them.
///
/// `contained` says that the programs cannot open or close descriptors ([`Program::is_always_contained`]).
///
/// [`Program::is_always_contained`]: crate::loader::Program::is_always_contained
pub fn begin_simulation(contained: bool) {
    surroundings::begin();
    stdio::kept::keep();
    stdio::begin(contained);
    heap::begin_simulation();
    crate::openmp::begin_simulation();
}

/// Shows the process its own C library state again after a simulation on this thread.
pub fn end_simulation() {
    surroundings::end();
    program_name::restore();
    stdio::kept::restore();
}

/// Returns the functions that need the place of their caller, for example because they may suspend
/// and a deadlock may have to be explained.
pub(crate) fn waiting() -> Vec<Replacement> {
    let tables = [
        clock::waiting,
        process::waiting,
        refuse::waiting,
        thread::waiting,
        signal::waiting,
        stdio::waiting,
        dynamic::waiting,
        system::waiting,
        backtrace::waiting,
        heap::waiting,
    ];
    tables.iter().flat_map(|table| table()).collect()
}

/// Returns the others of our functions.
pub(crate) fn replacements() -> impl Iterator<Item = Replacement> {
    let tables = [
        process::replacements,
        stdio::replacements,
        random::replacements,
        string::replacements,
        clock::replacements,
        getopt::replacements,
        cxx::replacements,
        cxx_globals::replacements,
        report::replacements,
        signal::replacements,
        thread_local::replacements,
        thread::replacements,
        entropy::replacements,
        device::replacements,
        folder::replacements,
        shared_name::replacements,
        dynamic::replacements,
        identity::replacements,
        usage::replacements,
        surroundings::replacements,
        itself::replacements,
        answer::replacements,
        limits::replacements,
        locale::replacements,
        multibyte::replacements,
        zone::replacements,
        gamma::replacements,
        hosts::replacements,
        backtrace::replacements,
    ];
    tables.into_iter().flat_map(|table| table())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    #[test]
    fn no_function_is_replaced_twice() {
        let mut known = BTreeSet::new();
        for (name, _) in super::replacements() {
            assert!(known.insert(name), "{name}");
        }
    }
}
