//! Error handlers: what becomes of an error (MPI section 9.3).

use super::MpiError;
use crate::call::CommId;

/// What happens when a call fails.
///
/// The kernel keeps it for each rank and communicator; a new communicator has that of the one it
/// is made of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ErrorHandler {
    /// `MPI_ERRORS_ARE_FATAL`: the run ends with a finding.
    #[default]
    Fatal,
    /// `MPI_ERRORS_RETURN`: the call returns the error.
    Return,
    /// As `Return`, once a function of the program has heard of it.
    Function(HandlerId),
}

/// A function of one rank that hears of errors; only the rank knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HandlerId(pub(crate) u32);

/// An error on its way to the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// What went wrong.
    pub error: MpiError,
    /// The communicator it is about.
    pub comm: CommId,
    /// Who hears of it first; not `Fatal`.
    pub handler: ErrorHandler,
}
