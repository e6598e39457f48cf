//! Requests of the short path: nonblocking sends and receives whose memory is a comb. They are
//! completed here unless something unusual happens; then they become general requests, before
//! anything has happened, and continue as such.
use std::{ffi::c_int, mem};

use mpi_api::{
    call::{Completing, Completion, Reply, RequestCall, RequestId, Site},
    finding::CallPlace,
    object::{datatype::Comb, status::Status as Seen},
};
use smallvec::{SmallVec, smallvec};

use super::{
    super::{
        guard,
        owned::Owned,
        status::Status,
        transfer::{self, Part},
    },
    Work,
    complete::{end_one, end_one_of, in_status},
    peek,
};
use crate::{
    constant::{Handle, class, handle},
    purpose::Purpose,
    state::{Fault, Mpi, Request, State, here, put, quiet},
};

/// The memory of an operation of the short path, and whether it is written.
type Strip = (Option<Comb>, bool);

impl Request {
    /// Turns a request of the short path into a general one.
    #[inline]
    pub(super) fn unfold(&mut self) {
        if let Work::Strip { comb, receives } = self.work {
            self.work = unfolded(comb, receives);
        }
    }
}

#[cold]
fn unfolded(comb: Option<Comb>, receives: bool) -> Work {
    let parts = smallvec![Part::of_comb(comb)];
    if receives { Work::filling(parts) } else { Work::Send(parts) }
}

/// Creates the request of a nonblocking operation that was started, and claims its memory; `digest`
/// is that of the data, if it is known.
#[inline]
pub(in crate::function) fn begun(
    state: &State,
    id: RequestId,
    (comm, at): (Handle, CallPlace),
    (comb, receives): Strip,
    digest: Option<u64>,
) -> Mpi<Handle> {
    let (owned, clash) = Owned::of_comb(state, at, (comb, Purpose::written_if(receives)), digest);
    if clash.is_some() {
        guard::tell(state, at, clash)?;
    }
    let work = Work::Strip { comb, receives };
    let mut requests = state.requests.borrow_mut();
    let made = match requests.reuse() {
        Some(mut made) => {
            (made.id, made.comm, made.call) = (id, comm, at.call);
            debug_assert!(matches!(made.work, Work::Strip { .. }), "it owns nothing");
            // Dropping the old value would be a call.
            mem::forget(mem::replace(&mut made.work, work));
            made.owned = Some(owned);
            made
        }
        None => Box::new(Request {
            id,
            comm,
            persistent: false,
            active: true,
            work,
            owned: Some(owned),
            held: None,
            call: at.call,
        }),
    };
    Ok(requests.insert(made))
}

/// Ends a request of the short path and returns whether it was a receive. Returns `None`, without
/// any effect, if it needs more than that.
#[inline]
fn settle(state: &State, given: Handle, completion: &Completion) -> Option<bool> {
    let mut requests = state.requests.borrow_mut();
    let (ended, receives) = requests.remove_if(given, |request| {
        let Work::Strip { comb, receives } = request.work else { return None };
        if completion.error.is_some() || completion.status.cancelled {
            return None;
        }
        if !request.owned.as_ref()?.release_comb(state, comb, Purpose::written_if(receives)) {
            return None;
        }
        if let (Some(payload), Some(comb)) = (&completion.payload, comb) {
            transfer::store(&comb, payload.as_slice());
        }
        Some(receives)
    })?;
    requests.give_back(ended);
    Some(receives)
}

/// The requests of a wait, all of the short path.
struct Waiting {
    comm: Handle,
    /// Positions of the active requests in the list.
    places: SmallVec<[u32; 16]>,
    ids: Vec<RequestId>,
}

impl Waiting {
    fn of(state: &State, list: &[Handle]) -> Option<Self> {
        let requests = state.requests.borrow();
        let (mut comm, mut places) = (handle::COMM_NULL, SmallVec::new());
        let mut ids = Vec::with_capacity(list.len());
        for (place, given) in list.iter().enumerate() {
            if *given == handle::REQUEST_NULL {
                continue;
            }
            let request = requests.get(*given)?;
            if !matches!(request.work, Work::Strip { .. }) {
                return None;
            }
            if ids.is_empty() {
                comm = request.comm;
            }
            ids.push(request.id);
            places.push(place as u32);
        }
        (!ids.is_empty()).then_some(Self { comm, places, ids })
    }
}

/// `MPI_Waitall`, if all requests are of the short path.
pub(super) fn waitall(count: c_int, requests: *mut Handle, statuses: *mut Status) -> Option<c_int> {
    let state = quiet()?;
    if count < 1 || requests.is_null() {
        return None;
    }
    let list = super::list_of(requests, count);
    let Waiting { comm, places, ids } = Waiting::of(state, list)?;
    let site = here();
    let done = end_all(state, site, (list, &places), ids, (requests, statuses));
    Some(done.map_or_else(|fault| state.fail(site, comm, fault), |()| 0))
}

fn end_all(
    state: &State,
    site: Site,
    (list, places): (&[Handle], &[u32]),
    ids: Vec<RequestId>,
    (requests, statuses): (*mut Handle, *mut Status),
) -> Mpi {
    let reply = state.kernel_calmly(site, RequestCall::Wait(ids, Completing::All))?;
    Status::store_empty(statuses, list.len());
    let Reply::Completions(mut completions) = reply else { return Ok(()) };
    let twice = completions.len() < places.len();
    let mut failed = None;
    for (index, completion) in &mut completions {
        let place = places[*index] as usize;
        let request = requests.wrapping_add(place);
        match settle(state, list[place], completion) {
            Some(receives) => {
                if !statuses.is_null() {
                    Status::of(&completion.status, receives).store_at(statuses, place);
                }
                put(request, handle::REQUEST_NULL)?;
            }
            None => {
                let completion = mem::replace(completion, Completion::of(Seen::empty()));
                let at = (statuses, place);
                failed = failed.or(end_one_of(state, site, request, completion, at)?);
            }
        }
    }
    if twice {
        return Err(Fault::new(class::REQUEST, "a request is in the list twice"));
    }
    in_status(failed)
}

/// `MPI_Wait`, if the request is of the short path.
pub(super) fn wait(request: *mut Handle, status: *mut Status) -> Option<c_int> {
    let state = quiet()?;
    let given = peek(request).ok()?;
    let Waiting { comm, ids, .. } = Waiting::of(state, &[given])?;
    let site = here();
    let done = end_single(state, site, (request, given), ids, status);
    Some(done.map_or_else(|fault| state.fail(site, comm, fault), |()| 0))
}

fn end_single(
    state: &State,
    site: Site,
    (request, given): (*mut Handle, Handle),
    ids: Vec<RequestId>,
    status: *mut Status,
) -> Mpi {
    let reply = state.kernel_calmly(site, RequestCall::Wait(ids, Completing::All))?;
    let Reply::Completions(completions) = reply else { return Ok(()) };
    for (_, completion) in completions {
        match settle(state, given, &completion) {
            Some(receives) => {
                if !status.is_null() {
                    Status::of(&completion.status, receives).store(status);
                }
                put(request, handle::REQUEST_NULL)?;
            }
            None => end_one(state, site, request, completion, status)?,
        }
    }
    Ok(())
}
