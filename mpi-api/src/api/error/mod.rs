//! Error handlers, classes, codes and texts (MPI sections 9.3 to 9.5).
//!
//! Errors end the run unless the communicator has another handler. With
//! [`Return`](ErrorHandler::Return) or a function, the failing call has no effect and
//! [`take_error`](super::topology::Communicator::take_error) returns the error.
//!
//! ```
//! use mpi_api::api::{
//!     self as mpi,
//!     error::{ErrorHandler, add_error_class, add_error_string},
//!     traits::*,
//! };
//!
//! fn program() {
//!     let universe = mpi::initialize().unwrap();
//!     let world = universe.world();
//!     let before = world.error_handler();
//!     world.set_error_handler(ErrorHandler::new(|error| eprintln!("heard of {error}")));
//!     world.process_at_rank(world.size()).send(&1);
//!     assert!(world.take_error().is_some(), "there is no such rank");
//!     let full = add_error_class();
//!     add_error_string(full.code(), "the table is full").unwrap();
//!     world.call_error_handler(full.code());
//!     world.set_error_handler(before);
//! }
//! ```

mod functions;

use std::rc::Rc;

pub(super) use self::functions::Functions;
use super::{Context, topology::SimpleCommunicator};
pub use crate::error::{ErrorClass, ErrorCode, ErrorHandler, LASTCODE, MpiError};
use crate::{
    call::{ErrorCall, Reply, Site},
    error::ErrorCodes,
    finding::CallPlace,
};

impl ErrorHandler {
    /// Creates an error handler from a function (`MPI_Comm_create_errhandler`). It is called once
    /// for each error, before the failing call returns, and may call MPI; if it panics, so does the
    /// rank. It lives until finalize, because a communicator may use it at any time.
    ///
    /// # Panics
    /// If called before `initialize`.
    pub fn new(function: impl Fn(&MpiError) + 'static) -> Self {
        Self::Function(present().functions().add(Rc::new(function)))
    }
}

fn present() -> Context {
    Context::current().expect("the rank has been initialised")
}

/// Queries the error codes of the rank; outside a program, those of MPI.
fn asked<T>(question: impl FnOnce(&ErrorCodes) -> T) -> T {
    match Context::current() {
        Some(context) => question(&context.codes().borrow()),
        None => question(&ErrorCodes::default()),
    }
}

/// Returns the error handler of a communicator (`MPI_Comm_get_errhandler`).
pub(super) fn handler_of(comm: &SimpleCommunicator, site: Site) -> ErrorHandler {
    match comm.context.call(site, ErrorCall::GetHandler(comm.info.id)) {
        Some(Reply::ErrorHandler(handler)) => handler,
        _ => ErrorHandler::default(),
    }
}

/// Calls the error handler of a communicator (`MPI_Comm_call_errhandler`).
pub(super) fn call_handler(comm: &SimpleCommunicator, site: Site, code: ErrorCode) {
    let (context, id) = (&comm.context, comm.info.id);
    let raised = context.codes().borrow().raised(code);
    match raised {
        Ok(None) => {}
        Ok(Some(error)) => {
            let call = ErrorCall::CallHandler(id, error.clone());
            if let Some(Reply::ErrorHandler(handler)) = context.call(site, call) {
                context.tell(handler, &error);
            }
        }
        Err(error) => context.raise(CallPlace { call: "call_error_handler", site }, id, error),
    }
}

/// Returns the class of an error code (`MPI_Error_class`); `None` is success.
///
/// # Errors
/// `MPI_ERR_ARG` if there is no such code.
pub fn error_class(code: ErrorCode) -> Result<Option<ErrorClass>, MpiError> {
    asked(|codes| codes.class_of(code))
}

/// Returns the text of an error code (`MPI_Error_string`); for codes of the program, the text set
/// last.
///
/// # Errors
/// `MPI_ERR_ARG` if there is no such code.
pub fn error_string(code: ErrorCode) -> Result<String, MpiError> {
    asked(|codes| codes.text(code, &super::environment::policies()))
}

/// Returns the largest code in use on this rank (`MPI_LASTUSEDCODE`); [`LASTCODE`] until the
/// program adds one.
pub fn last_used_code() -> ErrorCode {
    asked(ErrorCodes::last_used)
}

/// Adds an error class without a text, local to the rank (`MPI_Add_error_class`).
///
/// # Panics
/// If called before `initialize`.
pub fn add_error_class() -> ErrorClass {
    present().codes().borrow_mut().add_class()
}

/// Adds an error code without a text (`MPI_Add_error_code`).
///
/// # Errors
/// `MPI_ERR_ARG` if the class is one of the program's that has been removed.
///
/// # Panics
/// If called before `initialize`.
pub fn add_error_code(class: ErrorClass) -> Result<ErrorCode, MpiError> {
    present().codes().borrow_mut().add_code(class.code())
}

/// Sets the text of a class or code of the program, replacing the previous one
/// (`MPI_Add_error_string`).
///
/// # Errors
/// `MPI_ERR_ARG` if the program has not made the class or code.
///
/// # Panics
/// If called before `initialize`.
pub fn add_error_string(code: ErrorCode, text: &str) -> Result<(), MpiError> {
    present().codes().borrow_mut().set_text(code, text)
}

/// Removes an error class (`MPI_Remove_error_class`).
///
/// # Errors
/// `MPI_ERR_ARG` if the program has not made it, `MPI_ERR_OTHER` while it has codes.
///
/// # Panics
/// If called before `initialize`.
pub fn remove_error_class(class: ErrorClass) -> Result<(), MpiError> {
    present().codes().borrow_mut().remove_class(class.code())
}

/// Removes an error code (`MPI_Remove_error_code`).
///
/// # Errors
/// `MPI_ERR_ARG` if the program has not made it.
///
/// # Panics
/// If called before `initialize`.
pub fn remove_error_code(code: ErrorCode) -> Result<(), MpiError> {
    present().codes().borrow_mut().remove_code(code)
}

/// Removes the text of a class or code (`MPI_Remove_error_string`).
///
/// # Errors
/// `MPI_ERR_ARG` if the program has not made the class or code.
///
/// # Panics
/// If called before `initialize`.
pub fn remove_error_string(code: ErrorCode) -> Result<(), MpiError> {
    present().codes().borrow_mut().remove_text(code)
}
