//! Errors on their way to the program.

use mpi_api::error::{Failure, MpiError, Origin};

/// A failed call: error code and text.
#[derive(Clone, Debug)]
pub(crate) struct Fault {
    pub(crate) code: i32,
    pub(crate) text: String,
    /// Where the wrong value comes from, if its value says so.
    pub(crate) origin: Option<Origin>,
    /// The error of one of several requests, where `code` only says that there is one.
    pub(crate) within: Option<i32>,
    /// Whether the call is wrong whatever the class of the error.
    pub(crate) is_wrong: bool,
    /// Whether an error handler has been called for it: only its code is left to be returned.
    pub(crate) heard: bool,
}

/// The result of the body of an MPI function.
pub(crate) type Mpi<T = ()> = Result<T, Fault>;

impl Fault {
    pub(crate) fn new(code: i32, text: impl Into<String>) -> Self {
        let text = text.into();
        Self { code, text, origin: None, within: None, is_wrong: false, heard: false }
    }

    /// Returns the fault of a call for which a function of the program has returned an error code.
    pub(crate) fn of_callback(code: i32, text: impl Into<String>) -> Self {
        Self { is_wrong: true, ..Self::new(code, text) }
    }
}

impl From<MpiError> for Fault {
    fn from(error: MpiError) -> Self {
        Self { origin: error.origin, ..Self::new(error.code, error.message) }
    }
}

impl From<Box<Failure>> for Fault {
    fn from(failure: Box<Failure>) -> Self {
        failure.error.into()
    }
}
