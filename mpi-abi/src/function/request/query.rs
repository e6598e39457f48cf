//! Queries of requests that do not free them (MPI section 3.7.6). Received data are written to
//! their places, as after a wait.

use std::ffi::c_int;

use mpi_api::call::{Reply, RequestCall, Site};

use super::{
    super::status::Status, check_list, comm_of, complete::no_request, generalized, list_of,
    settle::absorb,
};
use crate::{
    constant::{Handle, handle, number},
    state::{Mpi, State, call, put, put_in},
};

/// The state of a request as a query sees it.
enum Seen {
    /// The request is null or inactive.
    Nothing,
    Pending,
    Complete(Status),
}

fn look(state: &State, site: Site, given: Handle) -> Mpi<Seen> {
    if given == handle::REQUEST_NULL {
        return Ok(Seen::Nothing);
    }
    let found = state.requests.borrow().get(given).map(|r| (r.id, r.active, r.receives()));
    let (id, active, receives) = found.ok_or_else(no_request)?;
    if !active {
        return Ok(Seen::Nothing);
    }
    let Reply::Completed(completion) = state.kernel(site, RequestCall::GetStatusAndData(id))?
    else {
        return Ok(Seen::Pending);
    };
    absorb(state, site, given, &completion)?;
    let mut status = Status::of(&completion.status, receives);
    if let Some(own) = generalized::of(state, given) {
        own.query(&mut status)?;
    }
    Ok(Seen::Complete(status))
}

pub(in crate::function) extern "C-unwind" fn request_get_status(
    request: Handle,
    flag: *mut c_int,
    status: *mut Status,
) -> c_int {
    call(comm_of(&[request]), |state, site| match look(state, site, request)? {
        Seen::Nothing => {
            Status::empty().store_at(status, 0);
            put(flag, 1)
        }
        Seen::Pending => put(flag, 0),
        Seen::Complete(seen) => {
            seen.store(status);
            put(flag, 1)
        }
    })
}

pub(in crate::function) extern "C-unwind" fn get_status_all(
    count: c_int,
    requests: *const Handle,
    flag: *mut c_int,
    statuses: *mut Status,
) -> c_int {
    let list = list_of(requests, count);
    call(comm_of(list), |state, site| {
        check_list(state, requests, count)?;
        let mut all = Vec::with_capacity(list.len());
        Status::are_wanted(statuses, list.len());
        for given in list {
            match look(state, site, *given)? {
                Seen::Nothing => all.push(Status::empty()),
                Seen::Pending => return put(flag, 0),
                Seen::Complete(status) => all.push(status),
            }
        }
        all.into_iter().enumerate().for_each(|(place, status)| status.store_at(statuses, place));
        put(flag, 1)
    })
}

pub(in crate::function) extern "C-unwind" fn get_status_any(
    count: c_int,
    requests: *const Handle,
    index: *mut c_int,
    flag: *mut c_int,
    status: *mut Status,
) -> c_int {
    let list = list_of(requests, count);
    call(comm_of(list), |state, site| {
        check_list(state, requests, count)?;
        let mut active = false;
        for (place, given) in list.iter().enumerate() {
            match look(state, site, *given)? {
                Seen::Nothing => {}
                Seen::Pending => active = true,
                Seen::Complete(seen) => {
                    put(index, place as c_int)?;
                    seen.store(status);
                    return put(flag, 1);
                }
            }
        }
        put(index, number::UNDEFINED)?;
        if !active {
            Status::empty().store_at(status, 0);
        }
        put(flag, c_int::from(!active))
    })
}

pub(in crate::function) extern "C-unwind" fn get_status_some(
    count: c_int,
    requests: *const Handle,
    out_count: *mut c_int,
    indices: *mut c_int,
    statuses: *mut Status,
) -> c_int {
    let list = list_of(requests, count);
    call(comm_of(list), |state, site| {
        check_list(state, requests, count)?;
        let (mut active, mut done) = (false, 0);
        for (place, given) in list.iter().enumerate() {
            let seen = look(state, site, *given)?;
            active |= !matches!(seen, Seen::Nothing);
            if let Seen::Complete(status) = seen {
                put_in(indices, done, place as c_int)?;
                status.store_at(statuses, done);
                done += 1;
            }
        }
        put(out_count, if active { done as c_int } else { number::UNDEFINED })
    })
}
