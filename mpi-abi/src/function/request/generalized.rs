//! Generalized requests (MPI section 13.2): the program does the work and declares it complete.

use std::{
    cell::Cell,
    ffi::{c_int, c_void},
    rc::Rc,
};

use mpi_api::call::{RequestCall, RequestId, Site};

use super::{super::status::Status, Work, known, started};
use crate::{
    constant::{Handle, class, handle},
    state::{Fault, Mpi, State, creating, local, wanted},
};

/// The callback type `MPI_Grequest_query_function`.
type Query = extern "C-unwind" fn(*mut c_void, *mut Status) -> c_int;
/// The callback type `MPI_Grequest_free_function`.
type Free = extern "C-unwind" fn(*mut c_void) -> c_int;
/// The callback type `MPI_Grequest_cancel_function`.
type Cancel = extern "C-unwind" fn(*mut c_void, c_int) -> c_int;

/// The program's functions, and the state of the request.
pub(crate) struct Generalized {
    query: Query,
    free: Free,
    cancel: Cancel,
    extra: *mut c_void,
    completed: Cell<bool>,
    /// Whether the request was freed before completion; the free function is then called at
    /// completion.
    freed: Cell<bool>,
}

fn told(code: c_int, which: &str) -> Mpi {
    match code {
        0 => Ok(()),
        code => Err(Fault::new(code, format!("the {which} function of a generalized request"))),
    }
}

/// Returns the generalized request of a handle, if it is one.
pub(super) fn of(state: &State, given: Handle) -> Option<Rc<Generalized>> {
    match state.requests.borrow().get(given).map(|request| &request.work) {
        Some(Work::Generalized(own)) => Some(Rc::clone(own)),
        _ => None,
    }
}

impl Generalized {
    /// Calls the program's query function, which fills in the status.
    pub(super) fn query(&self, status: &mut Status) -> Mpi {
        told((self.query)(self.extra, std::ptr::from_mut(status)), "query")
    }

    /// Ends a request after a wait: queries its status and frees it.
    pub(super) fn end(&self, status: &mut Status) -> Mpi {
        let asked = self.query(status);
        let freed = told((self.free)(self.extra), "free");
        asked.and(freed)
    }

    pub(super) fn cancel(&self) -> Mpi {
        told((self.cancel)(self.extra, c_int::from(self.completed.get())), "cancel")
    }

    /// Implements `MPI_Request_free`; a request that is not complete is freed at completion.
    pub(super) fn free(&self, state: &State, site: Site, given: Handle, id: RequestId) -> Mpi {
        if !self.completed.get() {
            self.freed.set(true);
            return Ok(());
        }
        self.forget(state, site, given, id)
    }

    fn forget(&self, state: &State, site: Site, given: Handle, id: RequestId) -> Mpi {
        state.kernel(site, RequestCall::Free(id))?;
        state.requests.borrow_mut().remove(given);
        told((self.free)(self.extra), "free")
    }
}

pub(in crate::function) extern "C-unwind" fn grequest_start(
    query: Query,
    free: Free,
    cancel: Cancel,
    extra: *mut c_void,
    request: *mut Handle,
) -> c_int {
    creating(handle::COMM_NULL, (request, handle::REQUEST_NULL), |state, site| {
        wanted(request)?;
        let reply = state.kernel(site, RequestCall::StartGeneralized)?;
        let (completed, freed) = (Cell::new(false), Cell::new(false));
        let work = Work::Generalized(Rc::new(Generalized {
            query,
            free,
            cancel,
            extra,
            completed,
            freed,
        }));
        let at = (handle::COMM_NULL, (site, "MPI_Grequest_start"));
        started(state, reply, at, work, request)
    })
}

pub(in crate::function) extern "C-unwind" fn grequest_complete(request: Handle) -> c_int {
    local(|state, site| {
        let (id, _) = known(state, request)?;
        let own = of(state, request).filter(|own| !own.completed.replace(true));
        let own = own.ok_or_else(|| {
            Fault::new(class::REQUEST, "the request is no generalized one that is under way")
        })?;
        state.kernel(site, RequestCall::CompleteGeneralized(id))?;
        if own.freed.get() {
            return own.forget(state, site, request, id);
        }
        Ok(())
    })
}
