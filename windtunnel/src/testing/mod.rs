//! The test API: [`Run`] configures one machine and runs or checks a function on it.

mod finished;
mod program;
mod report;
mod run;
mod table;

pub use finished::{Finished, RunError, Unfinished};
pub use report::Report;
pub use run::Run;
pub use scenarios::options::Buffering;
pub use table::{RankRow, Row, to_csv};

pub(crate) use program::over_world;

use mpi_api::finding::Finding;

use crate::diagnostic;

/// Returns the value, or panics with the error at the line of the caller.
#[track_caller]
pub(crate) fn or_panic<T, E: std::fmt::Display>(result: Result<T, E>) -> T {
    match result {
        Ok(value) => value,
        // In a closure, the panic would be at a line of this file.
        Err(error) => panic!("{error}"),
    }
}

/// Returns the findings as the command line prints them, each followed by an empty line.
fn rendered(findings: &[Finding]) -> String {
    findings.iter().map(|finding| diagnostic::render(finding) + "\n\n").collect()
}
