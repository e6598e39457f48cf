//! A wind tunnel for MPI programs: the library behind the program `windtunnel`.
//!
//! [`Run`] runs or checks a function in a test. With the feature `command-line`, which is on by
//! default, one line in `main` gives a program of your own the whole command line; without it neither
//! the parser of command lines nor the charts of reports are compiled.
//!
//!
//! ```no_run
//! # #[cfg(feature = "command-line")] {
//! use windtunnel::mpi::{topology::SimpleCommunicator, traits::*};
//!
//! fn main() -> std::process::ExitCode {
//!     windtunnel::main_with("hello", hello)
//! }
//!
//! fn hello(world: &SimpleCommunicator) {
//!     world.barrier();
//! }
//! # }
//! ```

/// Compiles the program in `docs/profiling.md` as a documentation test.
#[cfg(doctest)]
#[doc = include_str!("../../docs/profiling.md")]
struct ProfilingDocument;

/// Compiles the Rust program in `docs/one-sided.md` as a documentation test.
#[cfg(doctest)]
#[doc = include_str!("../../docs/one-sided.md")]
struct OneSidedDocument;

/// Compiles the Rust program in `docs/files.md` as a documentation test.
#[cfg(doctest)]
#[doc = include_str!("../../docs/files.md")]
struct FilesDocument;

/// Compiles the recipes in `docs/extending.md` as documentation tests.
#[cfg(doctest)]
#[doc = include_str!("../../docs/extending.md")]
struct ExtendingDocument;

/// Compiles the tests in `docs/moving-from-rsmpi.md` as documentation tests.
#[cfg(doctest)]
#[doc = include_str!("../../docs/moving-from-rsmpi.md")]
struct MovingDocument;

#[cfg(feature = "command-line")]
#[macro_use]
mod output;

#[cfg(feature = "command-line")]
pub mod acceptance;
#[cfg(feature = "command-line")]
pub mod args;
#[cfg(feature = "command-line")]
mod command;
#[cfg(feature = "command-line")]
mod command_line;
pub mod diagnostic;
#[cfg(feature = "command-line")]
mod execution;
pub mod explanation;
#[cfg(feature = "command-line")]
mod formats;
mod json;
#[cfg(feature = "command-line")]
mod lines;
#[cfg(feature = "command-line")]
mod lists;
#[cfg(feature = "command-line")]
mod memory;
#[cfg(feature = "command-line")]
mod progress;
#[cfg(feature = "command-line")]
mod ranges;
#[cfg(feature = "command-line")]
mod scheduling;
#[cfg(feature = "command-line")]
mod spans;
#[cfg(feature = "command-line")]
mod spare;
mod testing;

use std::env;

use mpi_api::{api::topology::SimpleCommunicator, run::Program};

pub use csv::Error as CsvError;
pub use mpi_api::{
    finding::{CallSite, Code, Finding, Severity, Verdict},
    outcome::{Ending, RankTotals},
};
pub use scenarios::{error::Error, safety::Minimum};
pub use sim_core::{SimDuration, SimTime};

/// Topologies, network models, and the traits for writing your own.
///
/// A topology implements [`Shape`](network::Shape) and [`TopologyKind`](network::TopologyKind); a
/// network model implements [`Network`](network::Network) and [`ModelKind`](network::ModelKind).
/// [`CommandLine`] and [`Run`] accept them by name.
pub use network_models as network;

#[cfg(feature = "command-line")]
pub use crate::command_line::{CommandLine, main, main_of, main_with};
pub use crate::testing::{
    Buffering, Finished, RankRow, Report, Row, Run, RunError, Unfinished, to_csv,
};

/// The MPI interface of programs, with the names and types of the `mpi` crate (rsmpi).
pub mod mpi {
    pub use mpi_api::api::*;

    /// The traits that a program imports, usually with `use mpi::traits::*`.
    ///
    /// `#[derive(Equivalence)]` gives a structure its datatype:
    ///
    /// ```
    /// use windtunnel::mpi::{topology::SimpleCommunicator, traits::*};
    ///
    /// #[derive(Debug, Default, PartialEq, Equivalence)]
    /// struct Particle {
    ///     class: u8,
    ///     place: [f64; 3],
    ///     charge: (i16, bool),
    /// }
    ///
    /// fn program(world: &SimpleCommunicator) {
    ///     let mut particle = Particle::default();
    ///     world.process_at_rank(0).broadcast_into(&mut particle);
    ///     assert_eq!(Particle::equivalent_datatype().size(), 28);
    /// }
    ///
    /// assert!(windtunnel::check(4, program).findings.is_empty());
    /// ```
    pub mod traits {
        pub use mpi_api::api::traits::*;
        pub use mpi_derive::Equivalence;
    }
}

/// Checks the safety of a function on the machine `ideal`: short for [`Run::check`].
///
/// ```
/// use windtunnel::mpi::{topology::SimpleCommunicator, traits::*};
///
/// fn exchange(world: &SimpleCommunicator) {
///     world.barrier();
/// }
///
/// windtunnel::check(8, exchange).assert_clean();
/// ```
///
/// All executions run in this process, so they share each `static`: see [`Run::check`].
///
/// # Panics
/// Panics if `ranks` is 0 or more than 4,194,304.
#[track_caller]
pub fn check(ranks: u32, program: impl Fn(&SimpleCommunicator) + Send + Sync + 'static) -> Report {
    Run::new(ranks).check(program)
}

/// Like [`check`], for a program that calls [`mpi::initialize`] itself.
///
/// # Panics
/// The same as [`check`].
#[track_caller]
pub fn check_of(ranks: u32, program: Program) -> Report {
    testing::or_panic(Run::new(ranks).check_program(program))
}

/// Returns the arguments of the program, its name first. Use it in place of [`std::env::args`],
/// which returns the words of Windtunnel's own command line.
///
/// In a run, these are the words after `--` of `my-program run -n 8 -- input.txt --fast`, or those
/// of [`Run::arguments`]. Outside a run they are those of [`std::env::args`], so the same function
/// works in both cases.
///
/// ```
/// let run = windtunnel::Run::new(2).arguments(["input.txt"]);
/// let finished = run.run(|_| windtunnel::arguments().nth(1));
/// assert_eq!(finished.values[1].as_deref(), Some("input.txt"));
/// ```
pub fn arguments() -> impl DoubleEndedIterator<Item = String> + ExactSizeIterator {
    let words: Vec<String> = match mpi::environment::arguments() {
        Some(given) => env::args().take(1).chain(given).collect(),
        None => env::args().collect(),
    };
    words.into_iter()
}
