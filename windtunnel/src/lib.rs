//! The command line behind the program `windtunnel`, also for programs of one's own.
//!
//! A program of one's own is a function over the communicator; one line in `main` gives it the
//! whole command line:
//!
//! ```no_run
//! use windtunnel::mpi::{topology::SimpleCommunicator, traits::*};
//!
//! fn main() -> std::process::ExitCode {
//!     windtunnel::main_with("hello", hello)
//! }
//!
//! fn hello(world: &SimpleCommunicator) {
//!     world.barrier();
//! }
//! ```

/// The program in `docs/profiling.md`.
#[cfg(doctest)]
#[doc = include_str!("../../docs/profiling.md")]
struct ProfilingDocument;

/// The recipes in `docs/extending.md`.
#[cfg(doctest)]
#[doc = include_str!("../../docs/extending.md")]
struct ExtendingDocument;

/// The tests in `docs/moving-from-rsmpi.md`.
#[cfg(doctest)]
#[doc = include_str!("../../docs/moving-from-rsmpi.md")]
struct MovingDocument;

#[macro_use]
mod output;

pub mod acceptance;
pub mod args;
mod command;
mod command_line;
pub mod diagnostic;
mod execution;
pub mod explanation;
mod memory;
mod progress;
mod testing;

use std::{env, ffi::OsString, process::ExitCode};

use clap::Parser;
use mpi_abi::wrapper::Language;
use mpi_api::{api::topology::SimpleCommunicator, run::Program};

pub use csv::Error as CsvError;
pub use mpi_api::{
    finding::{CallSite, Code, Finding, Severity, Verdict},
    outcome::{Ending, RankTotals},
};
pub use scenarios::{error::Error, safety::Minimum};
pub use sim_core::{SimDuration, SimTime};

/// Topologies and network models, and what one's own are made of.
///
/// A topology is a [`Shape`](network::Shape) and a [`TopologyKind`](network::TopologyKind), a
/// network model a [`Network`](network::Network) and a [`ModelKind`](network::ModelKind).
/// [`CommandLine`] and [`Run`] take them by name.
pub use network_models as network;

pub use crate::command_line::CommandLine;
pub use crate::testing::{
    Buffering, Finished, RankRow, Report, Row, Run, RunError, Unfinished, to_csv,
};
use crate::{
    args::{Cli, Command},
    command::program::Own,
};

/// What a program sees of MPI, in the shape of the `mpi` crate (rsmpi).
pub mod mpi {
    pub use mpi_api::api::*;

    /// Everything a program imports.
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

/// Runs the command line of this process. Exit codes: 0 clean, 1 findings, 2 bad input.
pub fn main() -> ExitCode {
    CommandLine::new().main()
}

/// Runs the command line of this process with one more program; see [`CommandLine::program`].
pub fn main_with(
    name: &str,
    program: impl Fn(&SimpleCommunicator) + Send + Sync + 'static,
) -> ExitCode {
    CommandLine::new().program(name, program).main()
}

/// Like [`main_with`], for a program that calls [`mpi::initialize`] itself.
pub fn main_of(name: &str, program: Program) -> ExitCode {
    CommandLine::new().program_of(name, program).main()
}

/// The safety check of a function on the machine `ideal`: [`Run::check`] in short.
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
/// All executions are in this process, so they share each `static`: see [`Run::check`].
///
/// # Panics
/// If `ranks` is 0 or more than 4,194,304.
#[track_caller]
pub fn check(ranks: u32, program: impl Fn(&SimpleCommunicator) + Send + Sync + 'static) -> Report {
    Run::new(ranks).check(program)
}

/// As [`check`], for a program that calls [`mpi::initialize`] itself.
///
/// # Panics
/// As [`check`].
#[track_caller]
pub fn check_of(ranks: u32, program: Program) -> Report {
    Run::new(ranks).check_program(program).unwrap_or_else(|error| panic!("{error}"))
}

/// The arguments of the program, its name first: in place of [`std::env::args`], which has the
/// words of Windtunnel's own command line.
///
/// In a run, these are the words behind `--` of `my-program run -n 8 -- input.txt --fast`, or
/// those of [`Run::arguments`]. Outside of a run they are [`std::env::args`], so that a function
/// that reads its arguments serves both.
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

fn start(own: &Own) -> ExitCode {
    end_quietly_when_nobody_reads();
    let cli = match Cli::try_parse_from(words(own.program.is_none())) {
        Ok(cli) => cli,
        Err(told) => {
            let code = if told.use_stderr() { 2 } else { 0 };
            return told.print().map_or_else(|error| output::full(&error), |()| code.into());
        }
    };
    match cli.command {
        Command::Run(_)
        | Command::Check(_)
        | Command::Compare(_)
        | Command::Mpiexec(_)
        | Command::Srun(_) => {
            execution::fix_addresses();
        }
        Command::Cc(_)
        | Command::Cxx(_)
        | Command::Fc(_)
        | Command::Wrappers { .. }
        | Command::Validate { .. }
        | Command::List { .. }
        | Command::Explain { .. }
        | Command::Man { .. } => {}
    }
    let done = match cli.command {
        Command::Run(mut judged) => {
            judged.options = judged.options.as_libraries();
            command::run(&judged, own)
        }
        Command::Check(judged) => command::check(&judged, own),
        Command::Compare(mut grid) => {
            grid.options = grid.options.as_libraries();
            command::compare(&grid, own)
        }
        Command::Cc(words) => command::compile(Language::C, &words.words),
        Command::Cxx(words) => command::compile(Language::Cxx, &words.words),
        Command::Fc(words) => command::compile(Language::Fortran, &words.words),
        Command::Mpiexec(words) => command::mpiexec(&words.words, &own.catalog),
        Command::Srun(words) => command::srun(&words.words, &own.catalog),
        Command::Wrappers { folder } => command::wrappers(&folder),
        Command::Validate { json } => command::validate(json),
        Command::List { what, json } => command::list(what.as_deref(), json, &own.catalog),
        Command::Explain { code, json } => command::explain(&code, json),
        Command::Man { completions } => command::man(completions),
    };
    match done {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            eprintln!("error: {}", diagnostic::printable(&error.to_string()));
            ExitCode::from(2)
        }
    }
}

/// The words of this process's command line; `mpicc` and its kin stand for commands.
fn words(linked: bool) -> Vec<OsString> {
    let mut words: Vec<OsString> = env::args_os().collect();
    let command = words.first().filter(|_| linked).and_then(|name| command::command_of(name));
    if let Some(command) = command {
        words.insert(1, command.into());
        // What follows is not ours to read, be it `--help` or `--version`.
        words.insert(2, "--".into());
    }
    words
}

/// A reader that goes away, such as `head`, ends this process as it does any other.
#[allow(unsafe_code, reason = "sets the disposition of a signal")]
fn end_quietly_when_nobody_reads() {
    // SAFETY: no other thread runs yet.
    unsafe { libc::signal(libc::SIGPIPE, libc::SIG_DFL) };
}
