//! What blocked ranks and threads wait for, and the other call that shows it.

use crate::{
    call::{RequestId, WindowId},
    check::waiting::{Awaits, Entered},
    finding::{CallPlace, CallSite},
    kernel::{
        MpiKernel,
        request::{
            completion::Blocked,
            table::{Kind, State},
        },
        thread::threads::ThreadCall,
        window::awaited::Awaited,
    },
};

impl MpiKernel {
    /// Returns what lets a rank go on that is blocked in the call of this place.
    pub(super) fn awaits(&self, rank: u32, call: &ThreadCall<'_>, blocked: &Blocked) -> Awaits {
        match blocked {
            Blocked::Call(requests) => self.requests_await(requests),
            Blocked::Direct => {
                let direct = &self.ranks[rank as usize].direct;
                match direct.posted() {
                    Some(_) => Awaits::Message,
                    None => self.requests_await(direct.request().as_slice()),
                }
            }
            Blocked::Posting(_) => Awaits::Receive,
            Blocked::Detach(_) => Awaits::Buffered,
            Blocked::Wait(list, _) => self.requests_await(&self.live_of(list)),
            Blocked::Probe { .. } => Awaits::Message,
            Blocked::Collective(execution) => {
                let e = self.collectives.execution(*execution);
                if self.accepts_at_port(e.instance) {
                    return Awaits::Connection;
                }
                match self.unborn(e.instance).is_empty() {
                    true => {
                        let call = call.site.call_or(call.call);
                        Awaits::Collective(Entered { call, persistent: false })
                    }
                    false => Awaits::Births,
                }
            }
            Blocked::Join(_) => Awaits::Thread,
            Blocked::Window(id, awaited) => self.window_awaits(rank, *id, awaited),
            Blocked::Parked(parking, _) => match parking.holder {
                Some(_) => Awaits::Thread,
                None => Awaits::AnyThread,
            },
            Blocked::Storage(_) => Awaits::Other,
        }
    }

    fn live_of(&self, list: &[RequestId]) -> Vec<u32> {
        list.iter().filter_map(|id| self.live(*id)).collect()
    }

    /// Returns what completes these requests, if that is the same for all.
    fn requests_await(&self, requests: &[u32]) -> Awaits {
        let active = requests.iter().filter(|index| {
            self.requests.get(**index).is_some_and(|request| request.state == State::Active)
        });
        let mut each = active.map(|index| self.request_awaits(*index));
        match each.next() {
            Some(first) if each.all(|other| other == first) => first,
            _ => Awaits::Other,
        }
    }

    fn request_awaits(&self, index: u32) -> Awaits {
        if let Some(parts) = self.parts(index) {
            return self.requests_await(&parts);
        }
        match &self.requests[index].kind {
            Kind::Receive(_) => Awaits::Message,
            Kind::Send(_) | Kind::Flush => Awaits::Receive,
            Kind::Collective(_) => {
                let found = self.collectives.executions().find(|(_, e)| e.completes(index));
                found.map_or(Awaits::Other, |(_, e)| {
                    let request = &self.requests[index];
                    let call = request.site.call_or(e.kind.name());
                    Awaits::Collective(Entered { call, persistent: request.persistent })
                })
            }
            Kind::Generalized => Awaits::Completion,
            Kind::Partitioned { .. } => self.partitions_awaited(index),
            Kind::OneSided { .. } | Kind::File => Awaits::Other,
        }
    }

    fn window_awaits(&self, rank: u32, id: WindowId, awaited: &Awaited) -> Awaits {
        match awaited {
            Awaited::Accesses { .. } => Awaits::Other,
            Awaited::Lock(_) => Awaits::Unlock,
            Awaited::Posts(_) => match self.exposed_to_others(rank, id, awaited) {
                Some(_) => Awaits::PostsToIt,
                None => Awaits::Posts,
            },
            Awaited::Ends => match self.never_completed(rank, id, awaited) {
                Some(_) => Awaits::Completes,
                None => match self.started_for_others(rank, id, awaited) {
                    Some(_) => Awaits::StartsForIt,
                    None => Awaits::Starts,
                },
            },
        }
    }

    /// Reports whether a call of a rank waits for something of this kind on a window.
    fn waits_in(&self, rank: u32, id: WindowId, is_meant: impl Fn(&Awaited) -> bool) -> bool {
        let is_waiting = |blocked: &Blocked| matches!(blocked, Blocked::Window(other, awaited) if *other == id && is_meant(awaited));
        self.ranks[rank as usize].calls().any(|call| call.blocked.is_some_and(is_waiting))
    }

    /// Returns the call by which a rank that is waited for exposes its memory to other ranks only.
    fn exposed_to_others(&self, rank: u32, id: WindowId, awaited: &Awaited) -> Option<CallSite> {
        let window = self.windows.get(id)?;
        let partners = self.window_partners(rank, id, awaited);
        partners.into_iter().find_map(|peer| {
            let CallPlace { call, site } = window.exposed_without(peer, rank)?;
            let label = format!("rank {peer} does not expose its memory to rank {rank} here");
            Some(CallSite::at(peer, site, call, label))
        })
    }

    /// Returns the call by which a rank that is waited for has started accesses that it has not completed. A rank
    /// that is still in this call is not meant.
    fn never_completed(&self, rank: u32, id: WindowId, awaited: &Awaited) -> Option<CallSite> {
        let window = self.windows.get(id)?;
        let partners = self.window_partners(rank, id, awaited);
        partners.into_iter().find_map(|peer| {
            if self.waits_in(peer, id, |other| matches!(other, Awaited::Posts(_))) {
                return None;
            }
            let CallPlace { call, site } = window.start_of(peer, rank)?;
            let label = format!("rank {peer} has not completed what it starts here");
            Some(CallSite::at(peer, site, call, label))
        })
    }

    /// Returns the call by which a rank that is waited for last started accesses, none of them to the memory of `rank`. A
    /// rank that has not completed these is not meant: it may still come to those of `rank`.
    fn started_for_others(&self, rank: u32, id: WindowId, awaited: &Awaited) -> Option<CallSite> {
        let window = self.windows.get(id)?;
        let partners = self.window_partners(rank, id, awaited);
        partners.into_iter().find_map(|peer| {
            let is_access =
                |other: &Awaited| matches!(other, Awaited::Posts(_) | Awaited::Accesses { .. });
            if self.waits_in(peer, id, is_access) {
                return None;
            }
            let CallPlace { call, site } = window.started_without(peer, rank)?;
            let label = format!("rank {peer} starts an epoch here, but never one for rank {rank}");
            Some(CallSite::at(peer, site, call, label))
        })
    }

    /// Returns the call by which a rank exposes its memory to a rank that does not end accesses to it.
    fn exposed_to_nobody(&self, rank: u32, id: WindowId, awaited: &Awaited) -> Option<CallSite> {
        let window = self.windows.get(id)?;
        let CallPlace { call, site } = window.exposed_by(rank)?;
        let partners = self.window_partners(rank, id, awaited);
        let idle = partners.iter().find(|peer| !window.has_started(**peer));
        let peer = idle.or(partners.first())?;
        let never = if idle.is_some() { ", which has never called MPI_Win_start" } else { "" };
        let label = format!("rank {rank} exposes its memory here to rank {peer}{never}");
        Some(CallSite::at(rank, site, call, label))
    }

    /// Returns the call by which a rank that is waited for has taken a lock that it has not given back. One that waits for
    /// the same lock itself is not meant.
    fn never_unlocked(&self, rank: u32, id: WindowId, awaited: &Awaited) -> Option<CallSite> {
        let Awaited::Lock(target) = awaited else { return None };
        let window = self.windows.get(id)?;
        let partners = self.window_partners(rank, id, awaited);
        partners.into_iter().find_map(|peer| {
            if self.waits_in(peer, id, |other| other == awaited) {
                return None;
            }
            let CallPlace { call, site } = window.lock_of(peer, *target)?;
            let label = format!("rank {peer} has not given back the lock that it takes here");
            Some(CallSite::at(peer, site, call, label))
        })
    }

    /// Returns other calls that show what a rank waits for: the one that made the first request, that sent
    /// the first message which keeps it from detaching a buffer, or by which ranks use a window in another way.
    pub(super) fn shown(&self, rank: u32, blocked: &Blocked, awaits: Awaits) -> Vec<CallSite> {
        match blocked {
            Blocked::Detach(_) => self.attached_message(rank).into_iter().collect(),
            Blocked::Wait(list, _) => self.first_awaited(rank, list).into_iter().collect(),
            Blocked::Window(id, awaited) => self.shown_of_window(rank, (*id, awaited), awaits),
            Blocked::Call(_)
            | Blocked::Direct
            | Blocked::Posting(_)
            | Blocked::Probe { .. }
            | Blocked::Collective(_)
            | Blocked::Join(_)
            | Blocked::Parked(..)
            | Blocked::Storage(_) => Vec::new(),
        }
    }

    /// Returns the call that made the first request which is not complete.
    fn first_awaited(&self, rank: u32, list: &[RequestId]) -> Option<CallSite> {
        let mut open = list.iter().filter_map(|id| self.live(*id));
        let index = open.find(|index: &u32| self.requests[*index].state == State::Active)?;
        let request = &self.requests[index];
        let label = format!("rank {rank} waits for this request");
        let site = CallSite::new(rank, request.call, request.site.known(), label);
        let sends = matches!(request.kind, Kind::Send(_));
        let message = sends.then(|| self.messages.get(request.message)).flatten();
        Some(CallSite { message: message.map(|message| message.ordinal), ..site })
    }

    /// Returns the calls by which ranks use a window in another way than a rank waits for.
    fn shown_of_window(
        &self,
        rank: u32,
        (id, awaited): (WindowId, &Awaited),
        awaits: Awaits,
    ) -> Vec<CallSite> {
        let shown = match awaits {
            Awaits::PostsToIt => [self.exposed_to_others(rank, id, awaited), None],
            Awaits::Starts => [self.exposed_to_nobody(rank, id, awaited), None],
            Awaits::StartsForIt => [
                self.started_for_others(rank, id, awaited),
                self.exposed_to_nobody(rank, id, awaited),
            ],
            Awaits::Completes => [self.never_completed(rank, id, awaited), None],
            Awaits::Unlock => [self.never_unlocked(rank, id, awaited), None],
            Awaits::Message
            | Awaits::Receive
            | Awaits::Collective(_)
            | Awaits::Buffered
            | Awaits::Births
            | Awaits::Connection
            | Awaits::Posts
            | Awaits::Partitions(_)
            | Awaits::Start
            | Awaits::Completion
            | Awaits::Thread
            | Awaits::AnyThread
            | Awaits::Other => [None, None],
        };
        shown.into_iter().flatten().collect()
    }
}
