//! Requests: starting, waiting, testing (MPI sections 3.7 and 3.9).
#![allow(unsafe_code, reason = "reads and writes the memory of programs")]

use std::ffi::{c_int, c_void};

use mpi_api::call::{Completing, Completion, Operation, Payload, Reply, RequestId, Site};

pub(super) use crate::state::Work;
use crate::{
    constant::{Handle, class, handle, number},
    state::{Fault, HandlePlace, Mpi, Request, State, call, local, put},
};

use super::{
    guard::{self, Owned},
    status::Status,
    transfer::{Part, pack_all, unpack_all},
};

impl Work {
    /// A receive into these parts.
    pub(super) fn filling(into: Vec<Part>) -> Self {
        Self::Fill { into, from: Vec::new() }
    }

    /// The memory that the operation owns while it is active.
    fn owned(&self, (site, call): Origin) -> Option<Owned> {
        match self {
            Self::Send(from) => Some(Owned::new(from.clone(), false, site, call)),
            Self::Fill { into, .. } => Some(Owned::new(into.clone(), true, site, call)),
            Self::Duplicate { .. } | Self::Generalized { .. } => None,
        }
    }
}

/// A handle variable of the program.
pub(super) fn peek(place: *const Handle) -> Mpi<Handle> {
    if place.is_null() {
        return Err(Fault::new(class::ARG, "the address of a handle is null"));
    }
    // SAFETY: the program passes the address of a handle.
    Ok(unsafe { *place })
}

/// What an operation is called, and where.
pub(super) type Origin = (Site, &'static str);

fn add(
    state: &State,
    reply: Reply,
    (comm, origin): (Handle, Origin),
    (work, mut owned): (Work, Option<Owned>),
    persistent: bool,
    place: *mut Handle,
) -> Mpi {
    let Reply::Request(id) = reply else {
        return Err(Fault::new(class::INTERN, "no request"));
    };
    let active = !persistent;
    let (site, call) = origin;
    if let Some(owned) = &mut owned {
        guard::begin(state, site, owned)?;
    }
    let request = Request { id, comm, persistent, active, work, owned, call };
    let made = state.requests.borrow_mut().insert(request);
    put(place, made)
}

/// A nonblocking operation is under way, on memory that it owns.
pub(super) fn started(
    state: &State,
    reply: Reply,
    at: (Handle, Origin),
    work: Work,
    place: *mut Handle,
) -> Mpi {
    let owned = work.owned(at.1);
    add(state, reply, at, (work, owned), false, place)
}

/// A persistent operation is ready to be started.
pub(super) fn persistent(
    state: &State,
    reply: Reply,
    at: (Handle, Origin),
    work: Work,
    place: *mut Handle,
) -> Mpi {
    add(state, reply, at, (work, None), true, place)
}

pub(super) extern "C" fn start(request: *mut Handle) -> c_int {
    local(|state, site| start_list(state, site, &[peek(request)?]))
}

pub(super) extern "C" fn startall(count: c_int, requests: *mut Handle) -> c_int {
    local(|state, site| {
        let list = crate::state::array(requests.cast_const(), i64::from(count))?;
        start_list(state, site, list)
    })
}

fn start_list(state: &State, site: Site, list: &[Handle]) -> Mpi {
    let mut starts = Vec::with_capacity(list.len());
    for given in list {
        let mut requests = state.requests.borrow_mut();
        let request = requests.get_mut(*given).filter(|request| request.persistent);
        let request = request
            .ok_or_else(|| Fault::new(class::REQUEST, "the request is not a persistent one"))?;
        let payload = match &request.work {
            Work::Send(from) if from.len() == 1 => Some(from[0].payload()),
            Work::Send(from) | Work::Fill { from, .. } => Some(pack_all(from).into()),
            Work::Duplicate { .. } | Work::Generalized { .. } => None,
        };
        let mut owned = request.work.owned((site, request.call));
        let id = request.id;
        drop(requests);
        if let Some(owned) = &mut owned {
            guard::begin(state, site, owned)?;
        }
        let mut requests = state.requests.borrow_mut();
        if let Some(request) = requests.get_mut(*given) {
            request.active = true;
            request.owned = owned;
        }
        starts.push((id, payload.filter(|p: &Payload| !p.as_slice().is_empty())));
    }
    state.kernel(site, Operation::Start(starts)).map(|_| ())
}

/// What one completed request leaves: its status, and the error if there was one.
fn settle(
    state: &State,
    site: Site,
    given: Handle,
    completion: Completion,
) -> Mpi<(Status, Option<Fault>)> {
    let owned = state.requests.borrow_mut().get_mut(given).and_then(|r| r.owned.take());
    if let Some(owned) = owned {
        match completion.status.cancelled {
            true => owned.release(state),
            false => guard::end(state, site, &owned)?,
        }
    }
    let mut requests = state.requests.borrow_mut();
    let Some(request) = requests.get_mut(given) else { return Ok((Status::empty(), None)) };
    request.active = false;
    let receives = matches!(&request.work, Work::Fill { from, .. } if from.is_empty());
    let mut status = Status::of(&completion.status, receives && request.receives());
    let mut fault = completion.error.map(|error| Fault::from(*error));
    let finished = if request.persistent { None } else { requests.remove(given) };
    match &finished.as_ref().map_or_else(
        || requests.get(given).map(|request| &request.work),
        |request| Some(&request.work),
    ) {
        Some(Work::Fill { into, .. }) => {
            if let Some(payload) = &completion.payload {
                unpack_all(into, payload.as_slice());
            }
        }
        Some(Work::Duplicate { place, heritage }) => {
            let (place, heritage) = (*place, heritage.clone());
            drop(requests);
            if let Some(info) = completion.comm {
                let made =
                    state.add_comm(Site { file: "", line: 0, column: 0 }, *info, heritage)?;
                match place {
                    HandlePlace::Pointer(place) => put(place, made)?,
                    HandlePlace::Integer(place) => put(place, made as c_int)?,
                }
            }
            return Ok((status, fault));
        }
        Some(Work::Generalized { query, free, extra, .. }) => {
            let (query, free, extra) = (*query, *free, *extra);
            drop(requests);
            let code = query(extra, &raw mut status);
            free(extra);
            if code != 0 {
                fault = Some(Fault::new(code, "the query function of a generalized request"));
            }
            return Ok((status, fault));
        }
        Some(Work::Send(_)) | None => {}
    }
    Ok((status, fault))
}

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

/// Error handler of requests: the communicator of the first.
fn comm_of(list: &[Handle]) -> Handle {
    let Some(state) = State::current() else { return handle::COMM_WORLD };
    let requests = state.requests.borrow();
    let found = list.iter().find_map(|given| requests.get(*given));
    found.map_or(handle::COMM_WORLD, |request| request.comm)
}

fn list_of<'a>(requests: *mut Handle, count: c_int) -> &'a [Handle] {
    crate::state::array(requests.cast_const(), i64::from(count.max(0))).unwrap_or(&[])
}

fn check_list(requests: *mut Handle, count: c_int) -> Mpi {
    if count < 0 {
        return Err(Fault::new(class::COUNT, format!("{count} requests")));
    }
    if count > 0 && requests.is_null() {
        return Err(Fault::new(class::REQUEST, "the array of requests is null"));
    }
    Ok(())
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
    let comm = peek(request).map_or(handle::COMM_WORLD, |given| comm_of(&[given]));
    call(comm, |state, site| {
        let given = [peek(request)?];
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

pub(super) extern "C" fn wait(request: *mut Handle, status: *mut Status) -> c_int {
    one(request, None, status)
}

pub(super) extern "C" fn test(
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
        let done = |value| flag.map_or(Ok(()), |flag| put(flag, value));
        let outcome = complete(state, site, list, Completing::All, flag.is_none())?;
        if matches!(outcome, Outcome::NotYet) {
            return done(0);
        }
        done(1)?;
        (0..list.len()).for_each(|place| Status::empty().store_at(statuses, place));
        let Outcome::Done(completions) = outcome else { return Ok(()) };
        let mut failed = None;
        for (place, completion) in completions {
            let (mut seen, fault) = settle(state, site, list[place], completion)?;
            seen.error = fault.as_ref().map_or(0, |fault| fault.code);
            seen.store_at(statuses, place);
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

pub(super) extern "C" fn waitall(
    count: c_int,
    requests: *mut Handle,
    statuses: *mut Status,
) -> c_int {
    all(count, requests, None, statuses)
}

pub(super) extern "C" fn testall(
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

pub(super) extern "C" fn waitany(
    count: c_int,
    requests: *mut Handle,
    index: *mut c_int,
    status: *mut Status,
) -> c_int {
    any(count, requests, index, None, status)
}

pub(super) extern "C" fn testany(
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

pub(super) extern "C" fn waitsome(
    count: c_int,
    requests: *mut Handle,
    out_count: *mut c_int,
    indices: *mut c_int,
    statuses: *mut Status,
) -> c_int {
    some(true, count, requests, (out_count, indices), statuses)
}

pub(super) extern "C" fn testsome(
    count: c_int,
    requests: *mut Handle,
    out_count: *mut c_int,
    indices: *mut c_int,
    statuses: *mut Status,
) -> c_int {
    some(false, count, requests, (out_count, indices), statuses)
}

fn known(state: &State, request: *mut Handle) -> Mpi<(Handle, RequestId, bool)> {
    let given = peek(request)?;
    let requests = state.requests.borrow();
    let found = requests.get(given);
    let found = found.ok_or_else(|| Fault::new(class::REQUEST, "the request is null"))?;
    Ok((given, found.id, found.active))
}

pub(super) extern "C" fn request_free(request: *mut Handle) -> c_int {
    local(|state, site| {
        let (given, id, active) = known(state, request)?;
        let generalized = match &state.requests.borrow().get(given).map(|r| &r.work) {
            Some(Work::Generalized { free, extra, .. }) => Some((*free, *extra)),
            _ => None,
        };
        state.kernel(site, Operation::FreeRequest(id))?;
        if let Some((free, extra)) = generalized
            && !active
        {
            free(extra);
        }
        if let Some(freed) = state.requests.borrow_mut().remove(given) {
            if let Some(owned) = freed.owned {
                owned.release(state);
            }
            if let (true, Work::Fill { into, from }) = (active, freed.work)
                && from.is_empty()
            {
                state.forgotten.borrow_mut().push((id, into));
            }
        }
        put(request, handle::REQUEST_NULL)
    })
}

pub(super) extern "C" fn cancel(request: *mut Handle) -> c_int {
    local(|state, site| {
        let (given, id, active) = known(state, request)?;
        let own = match &state.requests.borrow().get(given).map(|r| &r.work) {
            Some(Work::Generalized { cancel, extra, .. }) => Some((*cancel, *extra)),
            _ => None,
        };
        if let Some((cancel, extra)) = own {
            return match cancel(extra, c_int::from(!active)) {
                0 => Ok(()),
                code => Err(Fault::new(code, "the cancel function of a generalized request")),
            };
        }
        state.kernel(site, Operation::Cancel(id)).map(|_| ())
    })
}

pub(super) extern "C" fn request_get_status(
    request: Handle,
    flag: *mut c_int,
    status: *mut Status,
) -> c_int {
    local(|state, site| {
        if request == handle::REQUEST_NULL {
            Status::empty().store_at(status, 0);
            return put(flag, 1);
        }
        let (_, id, active) = known(state, &raw const request as *mut Handle)?;
        if !active {
            Status::empty().store_at(status, 0);
            return put(flag, 1);
        }
        match state.kernel(site, Operation::GetStatus(id))? {
            Reply::Completed(completion) => {
                let receives = matches!(
                    state.requests.borrow().get(request).map(|r| &r.work),
                    Some(Work::Fill { .. })
                );
                Status::of(&completion.status, receives).store(status);
                put(flag, 1)
            }
            _ => put(flag, 0),
        }
    })
}

pub(super) extern "C" fn grequest_start(
    query: extern "C" fn(*mut c_void, *mut Status) -> i32,
    free: extern "C" fn(*mut c_void) -> i32,
    cancel: extern "C" fn(*mut c_void, i32) -> i32,
    extra: *mut c_void,
    request: *mut Handle,
) -> c_int {
    local(|state, site| {
        let reply = state.kernel(site, Operation::StartGeneralized)?;
        let work = Work::Generalized { query, free, cancel, extra };
        let at = (handle::COMM_WORLD, (site, "MPI_Grequest_start"));
        started(state, reply, at, work, request)
    })
}

pub(super) extern "C" fn grequest_complete(request: Handle) -> c_int {
    local(|state, site| {
        let (_, id, _) = known(state, &raw const request as *mut Handle)?;
        state.kernel(site, Operation::CompleteGeneralized(id)).map(|_| ())
    })
}

/// `MPI_Request_get_status_all`, `_any` and `_some`: the places of complete requests of a list.
fn complete_places(
    state: &State,
    site: Site,
    list: &[Handle],
) -> Mpi<(usize, Vec<(usize, Status)>)> {
    let mut active = 0;
    let mut done = Vec::new();
    for (place, given) in list.iter().enumerate() {
        let found = state.requests.borrow().get(*given).map(|r| (r.id, r.active, r.receives()));
        let Some((id, true, receives)) = found else { continue };
        active += 1;
        if let Reply::Completed(completion) = state.kernel(site, Operation::GetStatus(id))? {
            done.push((place, Status::of(&completion.status, receives)));
        }
    }
    Ok((active, done))
}

pub(super) extern "C" fn get_status_all(
    count: c_int,
    requests: *const Handle,
    flag: *mut c_int,
    statuses: *mut Status,
) -> c_int {
    local(|state, site| {
        let list = crate::state::array(requests, i64::from(count))?;
        let (active, done) = complete_places(state, site, list)?;
        if done.len() < active {
            return put(flag, 0);
        }
        (0..list.len()).for_each(|place| Status::empty().store_at(statuses, place));
        done.into_iter().for_each(|(place, status)| status.store_at(statuses, place));
        put(flag, 1)
    })
}

pub(super) extern "C" fn get_status_any(
    count: c_int,
    requests: *const Handle,
    index: *mut c_int,
    flag: *mut c_int,
    status: *mut Status,
) -> c_int {
    local(|state, site| {
        let list = crate::state::array(requests, i64::from(count))?;
        let (active, done) = complete_places(state, site, list)?;
        match done.first() {
            Some((place, seen)) => {
                put(index, *place as c_int)?;
                seen.store(status);
                put(flag, 1)
            }
            None => {
                put(index, number::UNDEFINED)?;
                if active == 0 {
                    Status::empty().store_at(status, 0);
                }
                put(flag, c_int::from(active == 0))
            }
        }
    })
}

pub(super) extern "C" fn get_status_some(
    count: c_int,
    requests: *const Handle,
    out_count: *mut c_int,
    indices: *mut c_int,
    statuses: *mut Status,
) -> c_int {
    local(|state, site| {
        let list = crate::state::array(requests, i64::from(count))?;
        let (active, done) = complete_places(state, site, list)?;
        if active == 0 {
            return put(out_count, number::UNDEFINED);
        }
        put(out_count, done.len() as c_int)?;
        for (order, (place, status)) in done.into_iter().enumerate() {
            put(indices.wrapping_add(order), place as c_int)?;
            status.store_at(statuses, order);
        }
        Ok(())
    })
}
