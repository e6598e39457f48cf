//! The command line behind the program `windtunnel`.

pub mod args;
mod command;
pub mod diagnostic;
pub mod explanation;
mod own;

use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches};
use mpi_abi::wrapper::Language;
pub use mpi_api::api as mpi;

use crate::args::{Cli, Command};

pub use own::{main_of, main_with};

/// Runs the command line of this process. Exit codes: 0 clean, 1 findings, 2 bad input.
pub fn main() -> ExitCode {
    own::end_quietly_when_nobody_reads();
    let mut command = Cli::command();
    if let Some(name) = own::name() {
        for part in ["run", "check", "compare"] {
            command = command.mut_subcommand(part, |part| {
                part.mut_arg("program", |program| program.required(false).default_value(name))
            });
        }
    }
    let cli = match Cli::from_arg_matches(&command.get_matches()) {
        Ok(cli) => cli,
        Err(error) => error.exit(),
    };
    let done = match cli.command {
        Command::Run(options) => command::run(&options),
        Command::Check(options) => command::check(&options),
        Command::Compare { topologies, ranks_list, report, options } => {
            command::compare(&options, &topologies, &ranks_list, report.as_deref())
        }
        Command::Cc(words) => command::compile(Language::C, &words.words),
        Command::Cxx(words) => command::compile(Language::Cxx, &words.words),
        Command::Fc(words) => command::compile(Language::Fortran, &words.words),
        Command::Mpiexec(words) => command::mpiexec(&words.words),
        Command::Validate { json } => command::validate(json),
        Command::List { what, json } => command::list(what.as_deref(), json),
        Command::Explain { code } => command::explain(&code),
    };
    match done {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}
