//! The command line behind the program `windtunnel`.

pub mod args;
mod command;
pub mod diagnostic;

use std::process::ExitCode;

use clap::Parser;
use mpi_abi::wrapper::Language;
pub use mpi_api::api as mpi;

use crate::args::{Cli, Command};

/// Runs the command line of this process. Exit codes: 0 clean, 1 findings, 2 bad input.
pub fn main() -> ExitCode {
    let cli = Cli::parse();
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
