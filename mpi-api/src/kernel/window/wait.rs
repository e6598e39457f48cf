//! Blocks ranks until what they need has happened on a window, and lets them go on.

use super::{
    awaited::{Awaited, Then},
    flight::Said,
    table::targets,
};
use crate::{
    call::{Reply, WindowId},
    kernel::{MpiKernel, Sched, request::completion::Blocked, transport::receive::FREE},
};

impl MpiKernel {
    /// Blocks a rank until something has happened, or lets it go on if it has.
    pub(super) fn await_in_window(
        &mut self,
        rank: u32,
        (id, me): (WindowId, u32),
        awaited: Awaited,
        s: &mut Sched,
    ) {
        if self.has_happened((id, me), &awaited) {
            self.end_wait_in_window(rank, (id, me), awaited, s);
        } else {
            self.ranks[rank as usize].blocked = Some(Blocked::Window(id, awaited));
        }
    }

    fn has_happened(&self, (id, me): (WindowId, u32), awaited: &Awaited) -> bool {
        let Some(window) = self.windows.get(id) else { return true };
        let member = &window.members[me as usize];
        match awaited {
            Awaited::Accesses { target, local, .. } => member.is_done(*target, *local),
            Awaited::Lock(target) => member.granted.contains(target),
            Awaited::Posts(group) => window.not_offered(me, group).is_empty(),
            Awaited::Ends => self.is_exposure_over((id, me)),
        }
    }

    /// Reports whether all accesses to the exposed memory of a rank have ended and taken effect.
    pub(super) fn is_exposure_over(&self, (id, me): (WindowId, u32)) -> bool {
        let Some(window) = self.windows.get(id) else { return true };
        let group = window.members[me as usize].epochs.exposed().unwrap_or_default();
        let ahead = |origin: &u32| {
            window.members[*origin as usize].pairs.get(&me).is_some_and(|pair| pair.ahead > 0)
        };
        window.not_ended(me).is_empty() && !group.iter().any(ahead)
    }

    /// Lets the threads of a rank go on for which the awaited has happened.
    pub(super) fn wake_in_window(&mut self, (id, me): (WindowId, u32), s: &mut Sched) {
        let Some(window) = self.windows.get(id) else { return };
        let rank = window.number(me);
        loop {
            let ready = |blocked: &Blocked| {
                matches!(blocked, Blocked::Window(other, awaited)
                    if *other == id && self.has_happened((id, me), awaited))
            };
            let calls = self.ranks[rank as usize].calls();
            let found =
                calls.filter(|call| call.blocked.is_some_and(ready)).map(|call| call.number);
            let Some(thread) = found.take(1).next() else { return };
            let before = thread.map(|thread| self.switch(rank, thread));
            if let Some(Blocked::Window(_, awaited)) = self.ranks[rank as usize].blocked.take() {
                self.end_wait_in_window(rank, (id, me), awaited, s);
            }
            self.switch_back(rank, before);
        }
    }

    fn end_wait_in_window(
        &mut self,
        rank: u32,
        (id, me): (WindowId, u32),
        awaited: Awaited,
        s: &mut Sched,
    ) {
        let Some(window) = self.windows.get_mut(id) else { return self.done(rank, s) };
        match awaited {
            Awaited::Accesses { target, local, then } => {
                let ready = window.member(me).taken(target).max(s.now());
                if !local {
                    self.end_recorded((id, me), target);
                }
                match then {
                    Then::Return => self.answer(rank, ready, FREE, Reply::Done, s),
                    Then::Fence => {
                        self.end_fenced(id);
                        self.meet_in_window(rank, id, s);
                    }
                    Then::Unlock(lock, unchecked) => {
                        self.give_back((id, me), lock, unchecked, s);
                        self.done(rank, s);
                    }
                    Then::Complete(group) => {
                        self.wait_until(rank, ready);
                        for target in group {
                            self.signal(rank, (id, me, target), Said::Ended, s);
                        }
                        let at = self.ranks[rank as usize].busy_until;
                        s.reply(self.ranks[rank as usize].process, at, Reply::Done);
                    }
                }
            }
            Awaited::Lock(target) => {
                window.member(me).granted.remove(&target);
                self.done(rank, s);
            }
            Awaited::Posts(group) => {
                let offered = &mut window.member(me).offered;
                for target in group {
                    offered.entry(target).and_modify(|count| *count -= 1);
                }
                self.done(rank, s);
            }
            Awaited::Ends => {
                self.end_exposure((id, me));
                self.done(rank, s);
            }
        }
    }

    /// Records that accesses to a target or to all are known to be complete.
    fn end_recorded(&mut self, (id, me): (WindowId, u32), target: Option<u32>) {
        let Some(window) = self.windows.get_mut(id) else { return };
        for (to, pair) in window.members[me as usize].pairs.range_mut(targets(target)) {
            for number in std::mem::take(&mut pair.recorded) {
                window.conflicts.end(*to, number);
            }
        }
    }
}
