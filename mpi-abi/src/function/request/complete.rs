//! Waiting and testing (MPI sections 3.7.3 and 3.7.5).
#![allow(unsafe_code, reason = "reads and writes the memory of programs")]

use std::ffi::c_int;

use mpi_api::call::{Completing, Completion, Operation, Reply, RequestId, Site};

use super::{super::status::Status, check_list, comm_at, comm_of, list_of, peek, settle::settle};
use crate::{
    constant::{Handle, class, handle, number},
    state::{Fault, Mpi, State, call, put, wanted},
};

/// Marks a handle variable whose request is gone.
fn clear(state: &State, place: *mut Handle) {
    // SAFETY: the program passed this address, and it was read before.
    let given = unsafe { *place };
    if state.requests.borrow().get(given).is_none() {
        // SAFETY: as above.
        unsafe { *place = handle::REQUEST_NULL };
    }
}

/// The active requests of a list, with their places in it.
fn active(state: &State, list: &[Handle]) -> Mpi<Vec<(usize, RequestId)>> {
    let requests = state.requests.borrow();
    let mut found = Vec::with_capacity(list.len());
    for (place, given) in list.iter().enumerate() {
        if *given == handle::REQUEST_NULL {
            continue;
        }
        let request = requests
            .get(*given)
            .ok_or_else(|| Fault::new(class::REQUEST, "the request does not exist"))?;
        if request.active {
            found.push((place, request.id));
        }
    }
    Ok(found)
}

/// What a wait or test found.
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
    let (places, ids): (Vec<usize>, Vec<RequestId>) = active(state, list)?.into_iter().unzip();
    if ids.is_empty() {
        return Ok(Outcome::NoneActive);
    }
    let operation = if wait { Operation::Wait(ids, how) } else { Operation::Test(ids, how) };
    Ok(match state.kernel(site, operation)? {
        Reply::Completions(list) => Outcome::Done(
            list.into_iter().map(|(index, completion)| (places[index], completion)).collect(),
        ),
        Reply::NotYet => Outcome::NotYet,
        _ => Outcome::NoneActive,
    })
}

fn one(request: *mut Handle, flag: Option<*mut c_int>, status: *mut Status) -> c_int {
    call(comm_at(request), |state, site| {
        let given = [peek(request)?];
        flag.map_or(Ok(()), wanted)?;
        let done = |value| flag.map_or(Ok(()), |flag| put(flag, value));
        match complete(state, site, &given, Completing::All, flag.is_none())? {
            Outcome::NotYet => done(0),
            Outcome::NoneActive => {
                Status::empty().store_at(status, 0);
                done(1)
            }
            Outcome::Done(list) => {
                done(1)?;
                for (_, completion) in list {
                    let (seen, fault) = settle(state, site, given[0], completion)?;
                    seen.store(status);
                    clear(state, request);
                    if let Some(fault) = fault {
                        return Err(fault);
                    }
                }
                Ok(())
            }
        }
    })
}

pub(in crate::function) extern "C" fn wait(request: *mut Handle, status: *mut Status) -> c_int {
    one(request, None, status)
}

pub(in crate::function) extern "C" fn test(
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
        check_list(requests, count)?;
        flag.map_or(Ok(()), wanted)?;
        let done = |value| flag.map_or(Ok(()), |flag| put(flag, value));
        let outcome = complete(state, site, list, Completing::All, flag.is_none())?;
        if matches!(outcome, Outcome::NotYet) {
            return done(0);
        }
        done(1)?;
        (0..list.len()).for_each(|place| Status::empty().store_at(statuses, place));
        let Outcome::Done(completions) = outcome else { return Ok(()) };
        let twice =
            completions.len() < list.len() && active(state, list)?.len() > completions.len();
        let mut failed = None;
        for (place, completion) in completions {
            let (mut seen, fault) = settle(state, site, list[place], completion)?;
            seen.error = fault.as_ref().map_or(0, |fault| fault.code);
            seen.store_at(statuses, place);
            failed = failed.or(fault);
            // SAFETY: the place is inside the program's array.
            clear(state, unsafe { requests.add(place) });
        }
        if twice {
            return Err(Fault::new(class::REQUEST, "a request is in the list twice"));
        }
        match failed {
            Some(fault) => Err(Fault::new(class::IN_STATUS, fault.text)),
            None => Ok(()),
        }
    })
}

pub(in crate::function) extern "C" fn waitall(
    count: c_int,
    requests: *mut Handle,
    statuses: *mut Status,
) -> c_int {
    all(count, requests, None, statuses)
}

pub(in crate::function) extern "C" fn testall(
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
        check_list(requests, count)?;
        flag.map_or(Ok(()), wanted)?;
        wanted(index)?;
        let done = |value| flag.map_or(Ok(()), |flag| put(flag, value));
        match complete(state, site, list, Completing::Any, flag.is_none())? {
            Outcome::NotYet => {
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
                for (place, completion) in completions {
                    put(index, place as c_int)?;
                    let (seen, fault) = settle(state, site, list[place], completion)?;
                    seen.store(status);
                    // SAFETY: the place is inside the program's array.
                    clear(state, unsafe { requests.add(place) });
                    if let Some(fault) = fault {
                        return Err(fault);
                    }
                }
                Ok(())
            }
        }
    })
}

pub(in crate::function) extern "C" fn waitany(
    count: c_int,
    requests: *mut Handle,
    index: *mut c_int,
    status: *mut Status,
) -> c_int {
    any(count, requests, index, None, status)
}

pub(in crate::function) extern "C" fn testany(
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
        check_list(requests, count)?;
        wanted(out_count)?;
        let completions = match complete(state, site, list, Completing::Some, wait)? {
            Outcome::NotYet => return put(out_count, 0),
            Outcome::NoneActive => return put(out_count, number::UNDEFINED),
            Outcome::Done(completions) => completions,
        };
        put(out_count, completions.len() as c_int)?;
        let mut failed = None;
        for (order, (place, completion)) in completions.into_iter().enumerate() {
            put(indices.wrapping_add(order), place as c_int)?;
            let (mut seen, fault) = settle(state, site, list[place], completion)?;
            seen.error = fault.as_ref().map_or(0, |fault| fault.code);
            seen.store_at(statuses, order);
            failed = failed.or(fault);
            // SAFETY: the place is inside the program's array.
            clear(state, unsafe { requests.add(place) });
        }
        match failed {
            Some(fault) => Err(Fault::new(class::IN_STATUS, fault.text)),
            None => Ok(()),
        }
    })
}

pub(in crate::function) extern "C" fn waitsome(
    count: c_int,
    requests: *mut Handle,
    out_count: *mut c_int,
    indices: *mut c_int,
    statuses: *mut Status,
) -> c_int {
    some(true, count, requests, (out_count, indices), statuses)
}

pub(in crate::function) extern "C" fn testsome(
    count: c_int,
    requests: *mut Handle,
    out_count: *mut c_int,
    indices: *mut c_int,
    statuses: *mut Status,
) -> c_int {
    some(false, count, requests, (out_count, indices), statuses)
}
