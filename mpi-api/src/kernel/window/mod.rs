//! One-sided communication (MPI chapter 12). State: `table` has the windows, `epoch` what each rank may
//! do now, `locks` who holds which lock, `recorded` when two accesses are concurrent, `conflict` those that
//! are compared, `touches` what ranks do with their own memory, `early` which of their loads came too early, `direct` what they do with memory that they share, `words` what atomic updates tell, `flight`
//! what is under way, `delays` when it departs in executions with a seed, and `effect` is what an access does to
//! memory. Steps: `making` creates and frees windows, `access` carries accesses to their targets and back, `racing` and `shared` compare them, `spinning` counts those
//! that only look at what never changes, `idle` those that only wait, `progress` lets
//! them wait for their targets, `active` and `passive` are the two kinds of synchronisation, `wait` blocks
//! ranks and lets them go on.
//!
//! An access takes effect when it arrives, in one step; its target is not resumed. Its origin then
//! gets an answer, which carries the result if there is one: so it knows that the access is complete.

mod access;
mod active;
pub(crate) mod awaited;
mod conflict;
mod delays;
mod direct;
mod early;
mod effect;
mod epoch;
mod flight;
mod idle;
mod locks;
mod making;
mod pairs;
mod passive;
mod progress;
mod racing;
mod recorded;
mod shadow;
mod shared;
mod spinning;
mod stores;
pub(crate) mod table;
mod touches;
mod wait;
mod words;

use std::collections::BTreeSet;

use sim_core::words::out_of_range;

pub(crate) use self::{conflict::RecordId, idle::IdleRow};
use self::{
    epoch::{Beside, Misuse},
    flight::Flight,
    table::Window,
};
use super::{MpiKernel, Sched, request::table::Kind, transport::receive::FREE};
use crate::{
    call::{Reply, RequestId, WindowCall, WindowId},
    check::epoch_misuse,
    error::{ErrorClass, MpiError},
    finding::{CallSite, Finding},
};

/// Returns the ranks of the window that a synchronisation names.
fn named(call: &WindowCall) -> &[u32] {
    match call {
        WindowCall::Start(_, group, _) | WindowCall::Post(_, group, _) => group,
        WindowCall::Lock { target, .. }
        | WindowCall::Unlock(_, target)
        | WindowCall::Flush { target, .. } => target.as_slice(),
        WindowCall::Create(..)
        | WindowCall::Free(_)
        | WindowCall::Query(..)
        | WindowCall::Attach(..)
        | WindowCall::Detach(..)
        | WindowCall::Access(..)
        | WindowCall::StartAccess(..)
        | WindowCall::Fence(..)
        | WindowCall::Complete(_)
        | WindowCall::Wait(_)
        | WindowCall::Test(_)
        | WindowCall::Touch { .. }
        | WindowCall::Sync(_)
        | WindowCall::Settled(_)
        | WindowCall::TakeFetched(..)
        | WindowCall::TakeRequested(..) => &[],
    }
}

/// Returns a rank that the group of an epoch has twice.
fn listed_twice(call: &WindowCall) -> Option<u32> {
    let (WindowCall::Start(_, group, _) | WindowCall::Post(_, group, _)) = call else {
        return None;
    };
    let mut seen = BTreeSet::new();
    group.iter().copied().find(|rank| !seen.insert(*rank))
}

impl MpiKernel {
    /// Executes a call about a window.
    pub(super) fn window_call(&mut self, rank: u32, call: WindowCall, s: &mut Sched) {
        let id = call.window();
        if let WindowCall::Create(_, part) = call {
            return self.create_window(rank, id, *part, s);
        }
        let place = |window: &Window| Some((window.rank_of(rank)?, window.size()));
        let Some((me, size)) = self.windows.get(id).and_then(place) else {
            let error = MpiError::new(ErrorClass::Win, "the window is null or was freed");
            return self.raise(rank, id.0, error, s);
        };
        if let Some(wrong) = named(&call).iter().find(|named| **named >= size) {
            let text = out_of_range(format_args!("rank {wrong}"), size) + " of the window";
            return self.raise(rank, id.0, MpiError::new(ErrorClass::Rank, text), s);
        }
        if let Some(twice) = listed_twice(&call) {
            let text = format!("rank {twice} of the window is listed twice");
            return self.raise(rank, id.0, MpiError::new(ErrorClass::Group, text), s);
        }
        let at = (id, me);
        match call {
            WindowCall::Create(..) => {}
            WindowCall::Free(_) => self.free_window(rank, at, s),
            WindowCall::Query(_, of) => self.query_window(rank, at, of, s),
            WindowCall::Attach(_, first, bytes) => self.attach_memory(rank, at, (first, bytes), s),
            WindowCall::Detach(_, first) => self.detach_memory(rank, at, first, s),
            WindowCall::Access(_, access) => self.access(rank, at, access, false, s),
            WindowCall::StartAccess(_, access) => self.access(rank, at, access, true, s),
            WindowCall::Fence(_, assertions) => self.fence(rank, at, assertions, s),
            WindowCall::Start(_, group, assertions) => {
                self.start_epoch(rank, at, group, assertions, s);
            }
            WindowCall::Complete(_) => self.complete_epoch(rank, at, s),
            WindowCall::Post(_, group, assertions) => {
                self.post_exposure(rank, at, group, assertions, s)
            }
            WindowCall::Wait(_) => self.wait_exposed(rank, at, s),
            WindowCall::Test(_) => self.test_exposed(rank, at, s),
            WindowCall::Lock { target, kind, assertions, .. } => {
                self.lock(rank, at, (target, kind), assertions, s);
            }
            WindowCall::Unlock(_, target) => self.unlock(rank, at, target, s),
            WindowCall::Flush { target, completion, .. } => {
                self.flush(rank, at, (target, completion), s)
            }
            WindowCall::Touch { owner, base, runs, used, .. } => {
                self.touch(rank, at, (owner, base, runs), used, s);
            }
            WindowCall::Sync(_) => self.sync_window(rank, at, s),
            WindowCall::Settled(_) => self.settled(rank, at, s),
            WindowCall::TakeFetched(_, target) => self.answer_fetched(rank, at, target, s),
            WindowCall::TakeRequested(_, request) => self.answer_requested(rank, id, request, s),
        }
    }

    /// Continues with what is under way between ranks of a window.
    pub(super) fn window_event(&mut self, flight: u32, s: &mut Sched) {
        match self.windows.flights.get(flight) {
            Some(Flight::Access(_)) => self.proceed(flight, s),
            Some(Flight::Signal(signal)) => {
                let signal = *signal;
                self.signal_event(flight, signal, s);
            }
            Some(Flight::Vacant) | None => {}
        }
    }

    /// Answers with the results of complete accesses.
    fn answer_fetched(
        &mut self,
        rank: u32,
        (id, me): (WindowId, u32),
        target: Option<u32>,
        s: &mut Sched,
    ) {
        let window = self.windows.get_mut(id).expect("the caller has found it");
        let fetched = window.member(me).take_fetched(target);
        let now = s.now();
        self.answer(rank, now, FREE, Reply::Fetched(fetched), s);
    }

    /// Answers with the result of an access whose request the program keeps. A synchronisation has completed the
    /// access, so that a test of the request succeeds.
    fn answer_requested(&mut self, rank: u32, id: WindowId, request: RequestId, s: &mut Sched) {
        let of_window =
            |kind: &Kind| matches!(kind, Kind::OneSided { window, .. } if *window == id);
        let found = self.live(request).filter(|index| of_window(&self.requests[*index].kind));
        if found.is_some() {
            self.trusts(request);
        }
        let payload = found.and_then(|index| self.requests[index].payload.take());
        let fetched = payload.into_iter().map(|payload| (0, payload)).collect();
        let now = s.now();
        self.answer(rank, now, FREE, Reply::Fetched(fetched), s);
    }

    /// Makes the call in progress fail: it does not fit the epochs of its window. The run ends with a
    /// finding unless the program handles errors itself.
    fn misuse_window(&mut self, rank: u32, id: WindowId, misuse: Misuse, s: &mut Sched) {
        let error = MpiError::new(ErrorClass::RmaSync, misuse.text.clone());
        if self.failure(rank, id.0, error.clone()).is_ok() {
            return self.raise(rank, id.0, error, s);
        }
        let finding = self.told_misuse(rank, misuse);
        self.fail(finding, s);
    }

    /// Returns the finding that a rank's call in progress does not fit the epochs of its window.
    pub(super) fn told_misuse(&self, rank: u32, misuse: Misuse) -> Finding {
        let place = self.present_site(rank, misuse.text.clone());
        let beside = misuse.beside.map(|Beside { rank: of, by, shown }| {
            CallSite::of(of.unwrap_or(rank), by, shown.label().into())
        });
        epoch_misuse::of_call(place, beside, &misuse.text, misuse.broken)
    }
}
