//! Errors that an MPI call raises and no error handler returns: WT0010, WT0011, WT0013 and WT0014.

use crate::{
    error::{ErrorClass, MpiError},
    finding::{CallSite, Code, Finding},
};

/// Returns the code of an error that ends the program.
fn code(class: ErrorClass) -> Code {
    match class {
        ErrorClass::Truncate => Code::Truncation,
        ErrorClass::Request => Code::RequestMisuse,
        ErrorClass::Buffer => Code::BufferOverflow,
        _ => Code::InvalidArgument,
    }
}

/// Returns the finding about a call that failed under `MPI_ERRORS_ARE_FATAL`.
pub fn fatal(place: CallSite, error: &MpiError) -> Finding {
    let (rank, call) = (place.rank, place.call);
    let message = format!("{call} on rank {rank} failed with {error}");
    Finding::error(code(error.class), message, vec![rank], vec![place])
        .note("MPI_ERRORS_ARE_FATAL is in force: an error ends the program")
}

/// Returns the finding about a wrong call that returned its error to a program that has chosen no error
/// handler for its files.
pub fn returned(place: CallSite, error: &MpiError) -> Finding {
    let (rank, call) = (place.rank, place.call);
    let message = format!("{call} on rank {rank} failed with {error}");
    Finding::error(code(error.class), message, vec![rank], vec![place])
        .note("files begin with MPI_ERRORS_RETURN: the program goes on without the effect of this call (MPI 5.0, 14.7)")
}
