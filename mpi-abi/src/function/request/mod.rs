//! Requests: starting, waiting, testing (MPI sections 3.7 and 3.9).

pub(crate) mod callbacks;
mod complete;
mod generalized;
mod query;
mod settle;
mod strip;

use std::{ffi::c_int, rc::Rc};

use mpi_api::{
    call::{Payload, Reply, RequestCall, RequestId, Site},
    finding::CallPlace,
};
use smallvec::smallvec;

pub(super) use self::{
    complete::{test, testall, testany, testsome, wait, waitall, waitany, waitsome},
    generalized::{grequest_complete, grequest_start},
    query::{get_status_all, get_status_any, get_status_some, request_get_status},
    settle::finish_access,
    strip::begun,
};
use crate::{
    constant::{Handle, class, handle},
    state::{
        Fault, FreedRequest, Mpi, Partitions, Request, Source, State, argument, call, must_agree,
        put,
    },
};
pub(super) use crate::{
    memory::peek,
    state::{Filling, Work},
};

use super::{
    guard::{self, Memory},
    held::Held,
    owned::Owned,
    transfer::{Part, Parts, message_of_all},
};

impl Work {
    /// Creates the work of a receive into these parts.
    pub(super) fn filling(into: Parts) -> Self {
        Self::Fill { into, from: Parts::new(), in_place: false, by: Filling::Message }
    }

    /// Returns the partitions of a partitioned operation.
    fn partitions(&self) -> Option<Rc<Partitions>> {
        match self {
            Self::Partitioned(own) => Some(Rc::clone(own)),
            _ => None,
        }
    }

    /// Returns the memory that the operation owns while it is active; partitions are owned
    /// individually.
    pub(crate) fn memory(&self) -> Memory<'_> {
        match self {
            Self::Send(from) => Memory { reads: from, writes: &[] },
            Self::Fill { into, from, in_place, .. } => {
                Memory { writes: into, reads: if *in_place { &[] } else { from } }
            }
            // A request of the short path is unfolded before its memory is looked at as parts.
            Self::Strip { .. }
            | Self::Duplicate(_)
            | Self::Generalized(_)
            | Self::Partitioned(_)
            | Self::Nothing => Memory::default(),
        }
    }
}

fn add(
    state: &State,
    reply: Reply,
    (comm, CallPlace { call, site: _ }): (Handle, CallPlace),
    (work, owned, held): (Work, Option<Owned>, Option<Box<Held>>),
    place: *mut Handle,
) -> Mpi {
    let Reply::Request(id) = reply else {
        return Err(Fault::new(class::INTERN, "no request"));
    };
    let (active, persistent) = (owned.is_some(), owned.is_none());
    let request = Request { id, comm, persistent, active, work, owned, call, held };
    let made = state.requests.borrow_mut().insert(Box::new(request));
    put(place, made)
}

/// Creates the request of a nonblocking operation that was started, and claims its memory.
pub(super) fn started(
    state: &State,
    reply: Reply,
    at: (Handle, CallPlace),
    work: Work,
    place: *mut Handle,
) -> Mpi {
    let owned = guard::begin(state, at.1, work.memory())?;
    add(state, reply, at, (work, Some(owned), None), place)
}

/// Creates a request that is complete: of an access to the null process.
pub(super) fn nothing(state: &State, by: CallPlace, place: *mut Handle) -> Mpi {
    let reply = state.kernel(by.site, RequestCall::StartGeneralized)?;
    if let Reply::Request(id) = reply {
        state.kernel(by.site, RequestCall::CompleteGeneralized(id))?;
    }
    started(state, reply, (handle::COMM_NULL, by), Work::Nothing, place)
}

/// Like [`started`], for a send of one part whose data have this digest.
pub(super) fn sending(
    state: &State,
    reply: Reply,
    at: (Handle, CallPlace),
    (part, digest): (Part, Option<u64>),
    place: *mut Handle,
) -> Mpi {
    let memory = Memory::read(&part);
    let owned = match digest {
        Some(digest) => guard::begin_with(state, at.1, memory, digest)?,
        None => guard::begin(state, at.1, memory)?,
    };
    add(state, reply, at, (Work::Send(smallvec![part]), Some(owned), None), place)
}

/// Like [`started`], for an operation that also reads memory whose data have already been taken.
pub(super) fn started_with(
    state: &State,
    reply: Reply,
    at: (Handle, CallPlace),
    (into, from, by): (Parts, Parts, Filling),
    place: *mut Handle,
) -> Mpi {
    started(state, reply, at, Work::Fill { into, from, in_place: false, by }, place)
}

/// Creates a persistent request, which is inactive.
pub(super) fn persistent(
    state: &State,
    reply: Reply,
    at: (Handle, CallPlace),
    work: Work,
    place: *mut Handle,
) -> Mpi {
    persistent_with(state, reply, at, (work, Parts::new()), place)
}

/// Like [`persistent`], for an operation that keeps arrays of its arguments until its request is freed.
pub(super) fn persistent_with(
    state: &State,
    reply: Reply,
    at: (Handle, CallPlace),
    (work, arrays): (Work, Parts),
    place: *mut Handle,
) -> Mpi {
    guard::compare(state, at.1, work.memory())?;
    add(state, reply, at, (work, None, Held::new(at.1, arrays)), place)
}

/// Returns the communicator of the first request, whose error handler handles errors of the call.
pub(super) fn comm_of(list: &[Handle]) -> Handle {
    let Some(state) = State::current() else { return handle::COMM_NULL };
    let requests = state.requests.borrow();
    let mut named = list.iter().filter(|given| **given != handle::REQUEST_NULL);
    let found = named.find_map(|given| requests.get(*given));
    found.map_or(handle::COMM_NULL, |request| request.comm)
}

/// Like [`comm_of`], for a handle variable.
fn comm_at(request: *const Handle) -> Handle {
    peek(request).map_or(handle::COMM_NULL, |given| comm_of(&[given]))
}

fn list_of<'a>(requests: *const Handle, count: c_int) -> &'a [Handle] {
    crate::state::array(requests, i64::from(count.max(0))).unwrap_or(&[])
}

/// Returns what the communicator of a request is derived from, if it is not freed.
fn source_of(state: &State, request: Handle) -> Option<Source> {
    let comm = state.requests.borrow().get(request)?.comm;
    Some(state.comm(comm).ok()?.source.get())
}

fn check_list(state: &State, requests: *const Handle, count: c_int) -> Mpi {
    argument::at_least(0, class::COUNT, "the number of requests", count.into())?;
    if count > 0 && requests.is_null() {
        return Err(Fault::new(class::REQUEST, "the array of requests is null"));
    }
    if state.has_session() {
        let sources = list_of(requests, count).iter().map(|given| source_of(state, *given));
        must_agree(state.policies(), sources)?;
    }
    Ok(())
}

pub(super) extern "C-unwind" fn start(request: *mut Handle) -> c_int {
    call(comm_at(request), |state, site| start_list(state, site, &[peek(request)?]))
}

pub(super) extern "C-unwind" fn startall(count: c_int, requests: *mut Handle) -> c_int {
    let list = list_of(requests, count);
    call(comm_of(list), |state, site| {
        check_list(state, requests, count)?;
        start_list(state, site, list)
    })
}

/// Checks that a request is persistent. One that is already active stops the run, unless the
/// program handles errors itself.
fn check_start(state: &State, given: Handle) -> Mpi {
    let requests = state.requests.borrow();
    let request = requests.get(given).filter(|request| request.persistent);
    let request =
        request.ok_or_else(|| Fault::new(class::REQUEST, "the request is not a persistent one"))?;
    if request.active && !state.is_fatal(request.comm) {
        return Err(Fault::new(class::REQUEST, "the request is started while it is active"));
    }
    Ok(())
}

fn start_list(state: &State, site: Site, list: &[Handle]) -> Mpi {
    list.iter().try_for_each(|given| check_start(state, *given))?;
    let mut starts = Vec::with_capacity(list.len());
    for given in list {
        let requests = state.requests.borrow();
        let Some(request) = requests.get(*given) else { continue };
        let payload = match &request.work {
            Work::Send(from) if from.len() == 1 => Some(from[0].message(state.carried())),
            Work::Send(from) | Work::Fill { from, .. } => {
                Some(message_of_all(from, state.carried()))
            }
            Work::Strip { .. }
            | Work::Partitioned(_)
            | Work::Duplicate(_)
            | Work::Generalized(_)
            | Work::Nothing => None,
        };
        let partitions = request.work.partitions();
        let (id, origin) = (request.id, CallPlace { call: request.call, site });
        let (owned, clash) = guard::claim(state, origin, request.work.memory());
        // Where it is active, the start itself is the fault, and its own buffer is no second one.
        let clash = clash.filter(|_| !request.active);
        let mut found = guard::freed_since(state, origin, request.work.memory());
        let now = CallPlace::at(site, "start");
        found.extend(request.held.as_ref().and_then(|held| held.changed(state, now)));
        drop(requests);
        guard::tell(state, origin, clash)?;
        guard::tell_all(state, site, found)?;
        if let Some(partitions) = partitions {
            partitions.restart(state, site)?;
        }
        let mut requests = state.requests.borrow_mut();
        if let Some(request) = requests.get_mut(*given) {
            request.active = true;
            request.owned = Some(owned);
        }
        starts.push((id, payload.filter(|p: &Payload| p.bytes() > 0)));
    }
    let started = state.kernel(site, RequestCall::Start(starts));
    if started.is_err() {
        give_up_rest(state, site, list)?;
    }
    started.map(|_| ())
}

/// Handles a request of a list that could not be started for lack of buffer space: those before it
/// are active, it and those after it are not.
fn give_up_rest(state: &State, site: Site, list: &[Handle]) -> Mpi {
    for given in list {
        let (id, _) = known(state, *given)?;
        if let Reply::NotYet = state.kernel(site, RequestCall::IsActive(id))? {
            give_up(state, *given);
        }
    }
    Ok(())
}

/// Makes a request inactive that could not be started; it can be started later.
fn give_up(state: &State, given: Handle) {
    let mut requests = state.requests.borrow_mut();
    let Some(request) = requests.get_mut(given) else { return };
    request.active = false;
    if let Some(owned) = request.owned.take() {
        owned.release(state, request.work.memory());
    }
}

/// Returns the number of a request that is not null, and whether it is active.
pub(super) fn known(state: &State, given: Handle) -> Mpi<(RequestId, bool)> {
    let requests = state.requests.borrow();
    let found = requests.get(given);
    let found = found.ok_or_else(|| Fault::new(class::REQUEST, "the request is null"))?;
    Ok((found.id, found.active))
}

pub(super) extern "C-unwind" fn request_free(request: *mut Handle) -> c_int {
    call(comm_at(request), |state, site| {
        let given = peek(request)?;
        let (id, active) = known(state, given)?;
        if let Some(own) = generalized::of(state, given) {
            generalized::free(&own, state, site, (given, id))?;
            return put(request, handle::REQUEST_NULL);
        }
        let collective =
            state.requests.borrow().get(given).is_some_and(|request| request.must_complete());
        if active && collective && !complete::finish_if_done(state, site, request)? {
            let text = "a collective operation or a one-sided access under way is completed, not freed (MPI 5.0, 6.12 and 12.3.5)";
            return Err(Fault::new(class::REQUEST, text));
        }
        if peek(request)? == handle::REQUEST_NULL {
            return Ok(());
        }
        let active = active && !collective;
        state.kernel(site, RequestCall::Free(id))?;
        let removed = state.requests.borrow_mut().remove(given);
        if let Some(mut freed) = removed {
            freed.unfold();
            let now = CallPlace::at(site, "free");
            let changed = freed.held.take().and_then(|held| held.changed(state, now));
            guard::tell_all(state, site, changed.into_iter().collect())?;
            if let Some(partitions) = freed.work.partitions() {
                partitions.release(state);
            }
            if let (true, Work::Fill { into, .. }) = (active, &freed.work) {
                state.forget_receive(id, into.clone());
            }
            let receives = freed.receives();
            if let Some(owned) = freed.owned {
                state.keep_freed(site, FreedRequest { id, work: freed.work, owned, receives });
            }
        }
        put(request, handle::REQUEST_NULL)
    })
}

pub(super) extern "C-unwind" fn cancel(request: *mut Handle) -> c_int {
    call(comm_at(request), |state, site| {
        let given = peek(request)?;
        let (id, active) = known(state, given)?;
        if !active {
            return Err(Fault::new(class::REQUEST, "the persistent request is not started"));
        }
        if let Some(own) = generalized::of(state, given) {
            return own.cancel();
        }
        let cancellable =
            state.requests.borrow().get(given).is_some_and(|request| request.is_cancellable());
        if !cancellable {
            let text = "only sends, receives and generalized requests can be cancelled";
            return Err(Fault::new(class::REQUEST, text));
        }
        state.kernel(site, RequestCall::Cancel(id)).map(|_| ())
    })
}
