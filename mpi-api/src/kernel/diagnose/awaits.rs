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
            Blocked::Posting(_) | Blocked::Detach(_) => Awaits::Receive,
            Blocked::Wait(list, _) => self.requests_await(&self.live_of(list)),
            Blocked::Probe { .. } => Awaits::Message,
            Blocked::Collective(execution) => {
                let e = self.collectives.execution(*execution);
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
                None => Awaits::Starts,
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

    /// Returns another call that shows what a rank waits for: the one that made the first request, that sent
    /// the first message which keeps it from detaching a buffer, or by which a rank uses a window in another way.
    pub(super) fn shown(&self, rank: u32, blocked: &Blocked, awaits: Awaits) -> Option<CallSite> {
        match blocked {
            Blocked::Detach(_) => self.attached_message(rank),
            Blocked::Wait(list, _) => {
                let mut open = list.iter().filter_map(|id| self.live(*id));
                let is_active = |index: &u32| self.requests[*index].state == State::Active;
                let index = open.find(is_active)?;
                let request = &self.requests[index];
                let label = format!("rank {rank} waits for this request");
                let site = CallSite::new(rank, request.call, request.site.known(), label);
                let sends = matches!(request.kind, Kind::Send(_));
                let message = sends.then(|| self.messages.get(request.message)).flatten();
                Some(CallSite { message: message.map(|message| message.ordinal), ..site })
            }
            Blocked::Window(id, awaited) if awaits == Awaits::PostsToIt => {
                self.exposed_to_others(rank, *id, awaited)
            }
            Blocked::Window(id, awaited) if awaits == Awaits::Completes => {
                self.never_completed(rank, *id, awaited)
            }
            Blocked::Window(id, awaited) if awaits == Awaits::Unlock => {
                self.never_unlocked(rank, *id, awaited)
            }
            Blocked::Window(..)
            | Blocked::Call(_)
            | Blocked::Direct
            | Blocked::Posting(_)
            | Blocked::Probe { .. }
            | Blocked::Collective(_)
            | Blocked::Join(_)
            | Blocked::Parked(..)
            | Blocked::Storage(_) => None,
        }
    }
}
