//! Generalized requests (MPI section 13.2): the program does the work and declares it complete.

use std::{
    cell::Cell,
    ffi::{c_int, c_void},
    rc::Rc,
};

use mpi_api::{
    call::{RequestCall, RequestId, Site},
    finding::CallPlace,
};

use super::{
    Work,
    callbacks::{Cancel, Free, Generalized, Query},
    known, started,
};
use crate::{
    constant::{Handle, class, handle},
    state::{Fault, Mpi, State, creating, local, wanted},
};

/// Returns the generalized request of a handle, if it is one.
pub(super) fn of(state: &State, given: Handle) -> Option<Rc<Generalized>> {
    match state.requests.borrow().get(given).map(|request| &request.work) {
        Some(Work::Generalized(own)) => Some(Rc::clone(own)),
        _ => None,
    }
}

/// Implements `MPI_Request_free`; a request that is not complete is freed at completion.
pub(super) fn free(
    own: &Generalized,
    state: &State,
    site: Site,
    (given, id): (Handle, RequestId),
) -> Mpi {
    if !own.completed.get() {
        own.freed.set(true);
        return Ok(());
    }
    forget(own, state, site, (given, id))
}

fn forget(own: &Generalized, state: &State, site: Site, (given, id): (Handle, RequestId)) -> Mpi {
    state.kernel(site, RequestCall::Free(id))?;
    state.requests.borrow_mut().remove(given);
    own.free()
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
        let at = (handle::COMM_NULL, CallPlace { call: "MPI_Grequest_start", site });
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
            return forget(&own, state, site, (request, id));
        }
        Ok(())
    })
}
