//! The state of the C library, one copy per rank.
//!
//! Programs call the host's libc. Functions that end the process, keep state between calls, read
//! the time or start processes are replaced by those of this module; libc variables that a rank can
//! see are saved when it is suspended (`suspend`).

mod answer;
mod backtrace;
pub(crate) mod clock;
pub(crate) mod cxx;
mod device;
mod dynamic;
mod ending;
mod entropy;
mod float;
mod getopt;
mod hosts;
mod identity;
mod itself;
mod lent;
mod limits;
mod locale;
mod multibyte;
pub(crate) mod process;
mod random;
mod rank;
mod refuse;
mod report;
mod signal;
pub(crate) mod startup;
pub(crate) mod stdio;
mod string;
pub(crate) mod surroundings;
mod system;
pub(crate) mod thread;
mod thread_local;
mod usage;
mod zone;

pub use ending::{Ending, end};
pub(crate) use lent::{Lent, Returned, end_late, give_up, rethrow};
pub(crate) use rank::Rank;
pub use rank::{Host, Stream, Wait, suspend};
pub(crate) use signal::{attend, name as signal_name, next_timer};
pub use surroundings::{begin as begin_surroundings, end as host_surroundings};

/// A replacement of a libc function: its name and the address of ours.
type Replacement = (&'static str, usize);

/// Returns the functions that need the place of their caller, for example because they may suspend
/// and a deadlock may have to be explained.
pub(crate) fn waiting() -> Vec<Replacement> {
    let tables = [
        clock::waiting,
        process::waiting,
        thread::waiting,
        signal::waiting,
        stdio::waiting,
        dynamic::waiting,
        system::waiting,
        backtrace::waiting,
    ];
    tables.iter().flat_map(|table| table()).collect()
}

/// Returns the address of our function of that name.
pub(crate) fn replacement(name: &str) -> Option<usize> {
    let tables = [
        process::replacements,
        stdio::replacements,
        random::replacements,
        string::replacements,
        clock::replacements,
        getopt::replacements,
        cxx::replacements,
        refuse::replacements,
        report::replacements,
        signal::replacements,
        thread_local::replacements,
        thread::replacements,
        entropy::replacements,
        device::replacements,
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
        hosts::replacements,
        backtrace::replacements,
    ];
    let mut all = tables.iter().flat_map(|table| table());
    all.find(|(candidate, _)| *candidate == name).map(|(_, address)| address)
}
