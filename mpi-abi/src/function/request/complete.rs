//! Waiting and testing (MPI sections 3.7.3 and 3.7.5).
#![allow(unsafe_code, reason = "reads and writes the memory of programs")]

use std::ffi::c_int;

use guest::libc::complete_nothing;
use mpi_api::{
    call::{Completing, Completion, Reply, RequestCall, RequestId, Site},
    policy::Policy,
};

use super::{
    super::status::{Status, leave_undefined},
    check_list, comm_at, comm_of, list_of, peek,
    settle::{Settled, settle},
    strip,
};
use crate::{
    constant::{Handle, class, handle, number},
    state::{Fault, Mpi, State, call, put, put_in, wanted},
};

/// Returns the indices of active requests in a list, and their numbers.
fn active(state: &State, list: &[Handle]) -> Mpi<(Vec<usize>, Vec<RequestId>)> {
    let requests = state.requests.borrow();
    let (mut places, mut ids) = (Vec::with_capacity(list.len()), Vec::with_capacity(list.len()));
    for (place, given) in list.iter().enumerate() {
        if *given == handle::REQUEST_NULL {
            continue;
        }
        let request = requests.get(*given).ok_or_else(no_request)?;
        if request.active {
            places.push(place);
            ids.push(request.id);
        }
    }
    Ok((places, ids))
}

/// Returns the error that a handle is that of no request.
#[cold]
pub(super) fn no_request() -> Fault {
    let text = "the request does not exist: the variable was never set, or it is a copy of the handle of a request that is complete and freed";
    Fault::new(class::REQUEST, text)
}

impl Settled {
    /// Sets the handle variable of a request to null if the request is freed.
    fn clear(&self, place: *mut Handle) {
        if self.gone {
            // SAFETY: the program passed this address, and it was read before.
            unsafe { *place = handle::REQUEST_NULL };
        }
    }
}

/// The result of a wait or test.
enum Outcome {
    NotYet,
    NoneActive,
    Done(Vec<(usize, Completion)>),
}

fn complete(
    state: &State,
    site: Site,
    list: &[Handle],
    how: Completing,
    wait: bool,
) -> Mpi<Outcome> {
    let (places, ids) = active(state, list)?;
    if ids.is_empty() {
        let mut polled = Ok(Reply::NotYet);
        complete_nothing(|| polled = state.kernel(site, RequestCall::Test(Vec::new(), how)));
        return polled.map(|_| Outcome::NoneActive);
    }
    let operation = if wait { RequestCall::Wait(ids, how) } else { RequestCall::Test(ids, how) };
    Ok(match state.kernel(site, operation)? {
        Reply::Completions(list) => Outcome::Done(
            list.into_iter().map(|(index, completion)| (places[index], completion)).collect(),
        ),
        Reply::NotYet => Outcome::NotYet,
        _ => Outcome::NoneActive,
    })
}

/// Completes the only request of a call.
pub(super) fn end_one(
    state: &State,
    site: Site,
    request: *mut Handle,
    completion: Completion,
    status: *mut Status,
) -> Mpi {
    let settled = settle(state, site, peek(request)?, completion)?;
    settled.status.store(status);
    settled.clear(request);
    settled.fault.map_or(Ok(()), Err)
}

/// Completes a request that is about to be freed, if the policy allows freeing a collective
/// operation that has ended. A request that is not persistent becomes null.
pub(super) fn finish_if_done(state: &State, site: Site, request: *mut Handle) -> Mpi<bool> {
    if !state.policies().differs(Policy::FreedCollective) {
        return Ok(false);
    }
    let Outcome::Done(list) = complete(state, site, &[peek(request)?], Completing::All, false)?
    else {
        return Ok(false);
    };
    for (_, completion) in list {
        end_one(state, site, request, completion, std::ptr::null_mut())?;
    }
    Ok(true)
}

/// Completes one of several requests; stores its fault in the status and returns it.
pub(super) fn end_one_of(
    state: &State,
    site: Site,
    request: *mut Handle,
    completion: Completion,
    (statuses, at): (*mut Status, usize),
) -> Mpi<Option<Fault>> {
    let mut settled = settle(state, site, peek(request)?, completion)?;
    settled.status.error = settled.fault.as_ref().map_or(0, |fault| fault.code);
    settled.status.store_at(statuses, at);
    settled.clear(request);
    Ok(settled.fault)
}

/// Returns the error `MPI_ERR_IN_STATUS` of a call over several requests, if one of them failed.
pub(super) fn in_status(failed: Option<Fault>) -> Mpi {
    failed.map_or(Ok(()), |fault| {
        Err(Fault { within: Some(fault.code), ..Fault::new(class::IN_STATUS, fault.text) })
    })
}

fn one(request: *mut Handle, flag: Option<*mut c_int>, status: *mut Status) -> c_int {
    call(comm_at(request), |state, site| {
        let given = [peek(request)?];
        flag.map_or(Ok(()), wanted)?;
        let done = |value| flag.map_or(Ok(()), |flag| put(flag, value));
        match complete(state, site, &given, Completing::All, flag.is_none())? {
            Outcome::NotYet => {
                leave_undefined(state, status, 1);
                done(0)
            }
            Outcome::NoneActive => {
                Status::empty().store_at(status, 0);
                done(1)
            }
            Outcome::Done(list) => {
                done(1)?;
                list.into_iter().try_for_each(|(_, completion)| {
                    end_one(state, site, request, completion, status)
                })
            }
        }
    })
}

pub(in crate::function) extern "C-unwind" fn wait(
    request: *mut Handle,
    status: *mut Status,
) -> c_int {
    strip::wait(request, status).unwrap_or_else(|| one(request, None, status))
}

pub(in crate::function) extern "C-unwind" fn test(
    request: *mut Handle,
    flag: *mut c_int,
    status: *mut Status,
) -> c_int {
    one(request, Some(flag), status)
}

fn all(
    count: c_int,
    requests: *mut Handle,
    flag: Option<*mut c_int>,
    statuses: *mut Status,
) -> c_int {
    let list = list_of(requests, count);
    call(comm_of(list), |state, site| {
        check_list(state, requests, count)?;
        flag.map_or(Ok(()), wanted)?;
        let done = |value| flag.map_or(Ok(()), |flag| put(flag, value));
        let outcome = complete(state, site, list, Completing::All, flag.is_none())?;
        if matches!(outcome, Outcome::NotYet) {
            leave_undefined(state, statuses, list.len());
            return done(0);
        }
        done(1)?;
        Status::store_empty(statuses, list.len());
        let Outcome::Done(completions) = outcome else { return Ok(()) };
        let twice =
            completions.len() < list.len() && active(state, list)?.0.len() > completions.len();
        let mut failed = None;
        for (place, completion) in completions {
            let request = requests.wrapping_add(place);
            failed = failed.or(end_one_of(state, site, request, completion, (statuses, place))?);
        }
        if twice {
            return Err(Fault::new(class::REQUEST, "a request is in the list twice"));
        }
        in_status(failed)
    })
}

pub(in crate::function) extern "C-unwind" fn waitall(
    count: c_int,
    requests: *mut Handle,
    statuses: *mut Status,
) -> c_int {
    let waited = strip::waitall(count, requests, statuses);
    waited.unwrap_or_else(|| all(count, requests, None, statuses))
}

pub(in crate::function) extern "C-unwind" fn testall(
    count: c_int,
    requests: *mut Handle,
    flag: *mut c_int,
    statuses: *mut Status,
) -> c_int {
    all(count, requests, Some(flag), statuses)
}

fn any(
    count: c_int,
    requests: *mut Handle,
    index: *mut c_int,
    flag: Option<*mut c_int>,
    status: *mut Status,
) -> c_int {
    let list = list_of(requests, count);
    call(comm_of(list), |state, site| {
        check_list(state, requests, count)?;
        flag.map_or(Ok(()), wanted)?;
        wanted(index)?;
        let done = |value| flag.map_or(Ok(()), |flag| put(flag, value));
        match complete(state, site, list, Completing::Any, flag.is_none())? {
            Outcome::NotYet => {
                leave_undefined(state, status, 1);
                put(index, number::UNDEFINED)?;
                done(0)
            }
            Outcome::NoneActive => {
                put(index, number::UNDEFINED)?;
                Status::empty().store_at(status, 0);
                done(1)
            }
            Outcome::Done(completions) => {
                done(1)?;
                completions.into_iter().try_for_each(|(place, completion)| {
                    put(index, place as c_int)?;
                    end_one(state, site, requests.wrapping_add(place), completion, status)
                })
            }
        }
    })
}

pub(in crate::function) extern "C-unwind" fn waitany(
    count: c_int,
    requests: *mut Handle,
    index: *mut c_int,
    status: *mut Status,
) -> c_int {
    any(count, requests, index, None, status)
}

pub(in crate::function) extern "C-unwind" fn testany(
    count: c_int,
    requests: *mut Handle,
    index: *mut c_int,
    flag: *mut c_int,
    status: *mut Status,
) -> c_int {
    any(count, requests, index, Some(flag), status)
}

fn some(
    wait: bool,
    count: c_int,
    requests: *mut Handle,
    (out_count, indices): (*mut c_int, *mut c_int),
    statuses: *mut Status,
) -> c_int {
    let list = list_of(requests, count);
    call(comm_of(list), |state, site| {
        check_list(state, requests, count)?;
        wanted(out_count)?;
        let completions = match complete(state, site, list, Completing::Some, wait)? {
            Outcome::NotYet => return put(out_count, 0),
            Outcome::NoneActive => return put(out_count, number::UNDEFINED),
            Outcome::Done(completions) => completions,
        };
        put(out_count, completions.len() as c_int)?;
        let mut failed = None;
        for (order, (place, completion)) in completions.into_iter().enumerate() {
            put_in(indices, order, place as c_int)?;
            let request = requests.wrapping_add(place);
            failed = failed.or(end_one_of(state, site, request, completion, (statuses, order))?);
        }
        in_status(failed)
    })
}

pub(in crate::function) extern "C-unwind" fn waitsome(
    count: c_int,
    requests: *mut Handle,
    out_count: *mut c_int,
    indices: *mut c_int,
    statuses: *mut Status,
) -> c_int {
    some(true, count, requests, (out_count, indices), statuses)
}

pub(in crate::function) extern "C-unwind" fn testsome(
    count: c_int,
    requests: *mut Handle,
    out_count: *mut c_int,
    indices: *mut c_int,
    statuses: *mut Status,
) -> c_int {
    some(false, count, requests, (out_count, indices), statuses)
}
