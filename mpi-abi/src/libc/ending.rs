//! How a program came to its end.

use super::{process, rank::Rank};
use crate::site::Site;

/// The end of one rank's program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// It returned from `main`, or called `exit` or one of its kin.
    Exited(i32),
    /// It called `abort`, or raised a signal that ends a process.
    Signalled(i32),
    /// An assertion did not hold.
    Assertion {
        /// The condition, as written.
        condition: String,
        /// Source file.
        file: String,
        /// Line.
        line: u32,
        /// Function.
        function: String,
    },
    /// An exception of C++ was not caught.
    Uncaught {
        /// Its type and, if it says something, what.
        what: String,
        /// Where in the program it was thrown; unknown if the program has no debug information.
        site: Site,
    },
    /// It called what cannot work in a simulation, such as `fork`.
    Refused(String),
}

impl Ending {
    /// What a shell would report.
    pub fn code(&self) -> i32 {
        match self {
            Self::Exited(code) => *code & 0xff,
            Self::Signalled(signal) => 128 + signal,
            Self::Assertion { .. } | Self::Uncaught { .. } => 128 + ::libc::SIGABRT,
            Self::Refused(_) => 1,
        }
    }
}

/// Ends the program of the present rank at once, without its exit handlers: `Image::run` returns.
/// The frames in between must own nothing.
///
/// # Panics
/// If no program is running.
pub fn end(ending: Ending) -> ! {
    let rank = Rank::current().expect("a program runs");
    process::finish(rank, ending)
}
