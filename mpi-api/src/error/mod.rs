//! Errors of the simulated program (MPI sections 9.3 to 9.5).

use serde::{Deserialize, Serialize};

mod class;
mod code;
mod handler;

use std::fmt;

pub use class::{ErrorClass, LASTCODE};
pub use code::{ErrorCode, ErrorCodes};
pub use handler::{ErrorHandler, Failure, HandlerId};

/// The error of a failed MPI call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MpiError {
    /// Class of the error (MPI section 9.4).
    pub class: ErrorClass,
    /// Error code: that of the class, unless the program has raised one of its own.
    pub code: ErrorCode,
    /// Description of the error, with the offending value.
    pub message: String,
    /// Where the offending value comes from, if its value says so.
    pub origin: Option<Origin>,
}

/// Where a value comes from that no call accepts as this argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Origin {
    /// `MPI_UNDEFINED` as a count: what `MPI_Get_count` returns for a part of an element.
    UndefinedCount,
    /// A status that MPI has not set: that of a test or probe whose flag is false.
    UnsetStatus,
}

impl MpiError {
    /// Creates an error of `class`.
    pub fn new(class: ErrorClass, message: impl Into<String>) -> Self {
        Self { class, code: class.code(), message: message.into(), origin: None }
    }
}

impl fmt::Display for MpiError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.class, self.message)
    }
}

impl std::error::Error for MpiError {}
