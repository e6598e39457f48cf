//! Opening files of any kind that can be replayed.

use std::{path::Path, sync::Arc};

use mpi_api::run::Program;
use thiserror::Error;

use crate::{
    file::{FileError, MAGIC},
    goal::{Problem, Schedule},
    program::Recorded,
    recording::Recording,
    time_independent::{self, TraceError, beginning},
};

/// The kinds of files that can be replayed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A recording of a run.
    Recording,
    /// A schedule in GOAL.
    Goal,
    /// A time-independent trace of SimGrid, or a list of them.
    TimeIndependent,
}

/// A file that cannot be replayed.
#[derive(Debug, Error)]
pub enum OpenError {
    /// It is none of the kinds.
    #[error(
        "it is neither a recording, nor a schedule in GOAL (`num_ranks N`), nor a time-independent \
         trace of SimGrid (`0 init`)"
    )]
    Unknown,
    /// It is a damaged recording, or cannot be read.
    #[error(transparent)]
    Recording(#[from] FileError),
    /// It is a schedule with a mistake.
    #[error(transparent)]
    Goal(#[from] Problem),
    /// It is a trace with a mistake.
    #[error(transparent)]
    TimeIndependent(#[from] TraceError),
}

/// A program that was read from a file.
pub struct Trace {
    /// The program.
    pub program: Program,
    /// Number of ranks for which it is made.
    pub ranks: u32,
    /// Number of calls or operations of all ranks.
    pub calls: u64,
}

/// Returns the kind of a file by its beginning; `None` if it cannot be replayed.
///
/// # Errors
/// Returns an error if the file cannot be read.
pub fn kind_of(path: &Path) -> std::io::Result<Option<Kind>> {
    let start = beginning(path)?;
    Ok(if start.starts_with(MAGIC) {
        Some(Kind::Recording)
    } else if start.starts_with(b"\x7fELF") || start.starts_with(b"#!") {
        None
    } else if Schedule::is_one(&start) {
        Some(Kind::Goal)
    } else if time_independent::is_one(&start) || time_independent::is_list(path, &start) {
        Some(Kind::TimeIndependent)
    } else {
        None
    })
}

/// Opens a file of this kind. `flops_per_s` is the rate of floating-point operations of time-independent traces.
///
/// # Errors
/// Returns an error if the file cannot be read or has a mistake.
pub fn open(path: &Path, kind: Kind, flops_per_s: f64) -> Result<Trace, OpenError> {
    match kind {
        Kind::Recording => Ok(of_recording(Recording::load(path)?)),
        Kind::TimeIndependent => Ok(of_recording(time_independent::read(path, flops_per_s)?)),
        Kind::Goal => {
            let text = time_independent::text(path).map_err(FileError::from)?;
            let name = path.display().to_string();
            let schedule = Schedule::parse(&name, &text)?;
            let (ranks, calls) = (schedule.ranks(), schedule.operations());
            Ok(Trace { program: Arc::new(schedule), ranks, calls })
        }
    }
}

fn of_recording(recording: Recording) -> Trace {
    let (ranks, calls) = (recording.ranks(), recording.calls());
    Trace { program: Arc::new(Recorded::new(recording)), ranks, calls }
}
