//! The ways in which a program can end.

use crate::site::position::Site;

/// The end of one rank's program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The program returned from `main`, or called `exit` or a similar function.
    Exited(i32),
    /// The program called `abort`, or raised a signal that ends a process.
    Signalled(i32),
    /// An assertion failed.
    Assertion {
        /// The condition, as written in the source.
        condition: String,
        /// Name of the source file.
        file: String,
        /// Line in the source file.
        line: u32,
        /// Name of the function.
        function: String,
    },
    /// A C++ exception was not caught.
    Uncaught {
        /// Type of the exception and, if it has one, its message.
        what: String,
        /// Where it was thrown; unknown if the program has no debug information.
        site: Site,
    },
    /// The program called a function that cannot work in a simulation, such as `fork`.
    Refused(String),
}

impl Ending {
    /// Returns the exit code that a shell would report.
    pub fn code(&self) -> i32 {
        match self {
            Self::Exited(code) => *code & 0xff,
            Self::Signalled(signal) => 128 + signal,
            Self::Assertion { .. } | Self::Uncaught { .. } => 128 + ::libc::SIGABRT,
            Self::Refused(_) => 1,
        }
    }
}

/// A function to be called at exit.
pub(super) enum ExitHandler {
    /// A function of `__cxa_atexit`, which takes its argument.
    Plain(usize, usize),
    /// A function of `on_exit`, which also takes the exit code.
    WithCode(usize, usize),
}
