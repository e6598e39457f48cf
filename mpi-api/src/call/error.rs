//! Error handlers, and faults that layers above the kernel have found.

use crate::text::{Text, interned};
use serde::{Deserialize, Serialize};

use super::{CommId, Site};
use crate::{
    error::{ErrorHandler, MpiError},
    finding::{Finding, Leak},
};

/// A call about the error handlers of communicators (MPI section 9.3).
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum ErrorCall {
    /// Sets the error handler of a communicator.
    SetHandler(CommId, ErrorHandler),
    /// Asks for the error handler of a communicator; replies `ErrorHandler`.
    GetHandler(CommId),
    /// Raises an error on behalf of the program: ends the run, or replies `ErrorHandler` with the
    /// handler to call.
    CallHandler(CommId, MpiError),
    /// Raises an error that the api layer found in the arguments, through the communicator's
    /// handler.
    Raise {
        /// The communicator whose handler decides.
        comm: CommId,
        /// Name of the function that has these arguments, for diagnostics.
        #[serde(deserialize_with = "interned")]
        call: Text,
        /// The error.
        error: MpiError,
    },
}

/// A fault of the program that a layer above the kernel has found.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum ReportCall {
    /// Reports a fault; the run continues.
    Finding(Box<Finding>),
    /// Records that the calling rank ends without having freed an object that was made at this
    /// place.
    Leak(Leak, Site),
    /// Reports a fault that ends the run; there is no reply.
    Fatal(Box<Finding>),
}
