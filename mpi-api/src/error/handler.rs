//! Error handlers (MPI section 9.3).

use serde::{Deserialize, Serialize};

use super::MpiError;
use crate::call::CommId;

/// The reaction to a failing call.
///
/// The kernel stores it for each rank and communicator; a new communicator inherits the handler of
/// the one it was created from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum ErrorHandler {
    /// `MPI_ERRORS_ARE_FATAL`: the run ends with a finding.
    #[default]
    Fatal,
    /// `MPI_ERRORS_ABORT`: as `Fatal`. A program of which some processes are aborted would end as well.
    Abort,
    /// `MPI_ERRORS_RETURN`: the call returns the error.
    Return,
    /// Like `Return`, after a function of the program has been called with the error.
    Function(HandlerId),
}

impl ErrorHandler {
    /// Reports whether an error ends the run.
    pub fn is_fatal(self) -> bool {
        match self {
            Self::Fatal | Self::Abort => true,
            Self::Return | Self::Function(_) => false,
        }
    }
}

/// The number of an error handler function of one rank; only the rank knows the function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HandlerId(pub(crate) u32);

/// An error on its way from the kernel to the program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    /// The error that occurred.
    pub error: MpiError,
    /// Communicator on which it occurred.
    pub comm: CommId,
    /// Error handler to call first; never `Fatal`.
    pub handler: ErrorHandler,
}
