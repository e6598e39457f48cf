//! What MPI keeps locally for a rank: names, hints, attributes, error handlers, the last error.

use std::{
    cell::{Cell, RefCell},
    collections::BTreeMap,
};

use super::Context;
use crate::{
    api::{
        error::Functions,
        topology::{Attributes, Lasting},
    },
    call::{CommId, ErrorCall, ReportCall, Site, Threading},
    error::{ErrorCodes, ErrorHandler, Failure, MpiError},
    finding::{CallPlace, Leak, Object},
    object::info::Info,
};

impl Context {
    /// Returns the attributes of the rank's communicators.
    pub(crate) fn attributes(&self) -> &RefCell<Attributes> {
        &self.0.attributes
    }

    /// Returns the values that stay at their address until the rank ends.
    pub(crate) fn lasting(&self) -> &Lasting {
        &self.0.lasting
    }

    /// Returns the level of threads that MPI was initialized with.
    pub(crate) fn level(&self) -> &Cell<Threading> {
        &self.0.level
    }

    /// Raises an error found in the arguments of the function of this name.
    #[cold]
    pub(crate) fn raise(&self, CallPlace { call, site }: CallPlace, comm: CommId, error: MpiError) {
        self.call(site, ErrorCall::Raise { comm, call, error });
    }

    /// Handles a failed call: calls the program's error handler function, if there is one, and
    /// stores the error.
    #[cold]
    pub(crate) fn failed(&self, failure: Failure) {
        self.tell(failure.handler, &failure.error);
        *self.0.last_error.borrow_mut() = Some(failure.error);
    }

    /// Calls an error handler if it is a function.
    pub(crate) fn tell(&self, handler: ErrorHandler, error: &MpiError) {
        if let ErrorHandler::Function(function) = handler {
            self.0.functions.call(function, error);
        }
    }

    /// Returns the error handler functions of the rank.
    pub(crate) fn functions(&self) -> &Functions {
        &self.0.functions
    }

    /// Returns the error codes of the rank.
    pub(crate) fn codes(&self) -> &RefCell<ErrorCodes> {
        &self.0.codes
    }

    /// Removes the last error.
    pub(crate) fn take_error(&self) -> Option<MpiError> {
        self.0.last_error.borrow_mut().take()
    }

    /// Returns the size of the buffer that the program has attached; `None` without one.
    pub(crate) fn attached(&self) -> &Cell<Option<usize>> {
        &self.0.attached
    }

    /// Returns where the files that are open were opened, by the communicators of the files.
    pub(crate) fn open_files(&self) -> &RefCell<BTreeMap<CommId, Site>> {
        &self.0.files
    }

    /// Reports the files that are still open.
    pub(crate) fn report_open_files(&self) {
        for (_, opened) in self.0.files.take() {
            self.call(opened, ReportCall::Leak(Leak::Object(Object::File), opened));
        }
    }

    /// Returns the name of a communicator.
    pub(crate) fn name(&self, comm: CommId) -> String {
        self.0.names.borrow().get(&comm).cloned().unwrap_or_default()
    }

    /// Returns the hints of the rank's communicators.
    pub(crate) fn hints(&self) -> &RefCell<BTreeMap<CommId, Info>> {
        &self.0.hints
    }

    /// Sets the name of a communicator.
    pub(crate) fn set_name(&self, comm: CommId, name: &str) {
        self.0.names.borrow_mut().insert(comm, name.to_owned());
    }
}
