//! Errors on their way to a program.

use mpi_api::{
    call::{CommId, Site},
    error::{Failure, MpiError},
};

use super::State;
use crate::constant::Handle;

/// A failed call: code and text.
#[derive(Clone, Debug)]
pub(crate) struct Fault {
    pub(crate) code: i32,
    pub(crate) text: String,
    /// A handler has heard of it: only its code is left to return.
    pub(crate) heard: bool,
}

/// The result of a call's body.
pub(crate) type Mpi<T = ()> = Result<T, Fault>;

impl Fault {
    pub(crate) fn new(code: i32, text: impl Into<String>) -> Self {
        Self { code, text: text.into(), heard: false }
    }

    /// A handler other than a communicator's hears of it.
    pub(crate) fn heard(self, state: &State, site: Site, handler: Handle, object: Handle) -> Self {
        let code = state.handle(site, handler, (object, CommId::SELF), self);
        Self { heard: true, ..Self::new(code, String::new()) }
    }
}

impl From<MpiError> for Fault {
    fn from(error: MpiError) -> Self {
        Self::new(error.code, error.message)
    }
}

impl From<Box<Failure>> for Fault {
    fn from(failure: Box<Failure>) -> Self {
        failure.error.into()
    }
}
