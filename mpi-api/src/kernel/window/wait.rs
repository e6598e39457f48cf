//! Blocks ranks until what they need has happened on a window, and lets them go on.

use std::collections::VecDeque;

use super::{
    awaited::{Awaited, Then},
    epoch::Misuse,
    flight::Said,
    table::Window,
};
use crate::{
    call::{Reply, WindowId},
    kernel::{
        MpiKernel, Sched,
        request::{completion::Blocked, polling::Sought},
        transport::receive::FREE,
    },
};

impl Window {
    fn has_happened(&self, me: u32, awaited: &Awaited) -> bool {
        let member = &self.members[me as usize];
        match awaited {
            Awaited::Accesses { target, completion, .. } => {
                member.pairs.are_done(*target, *completion)
            }
            Awaited::Lock(target) => member.granted.contains(target),
            Awaited::Posts(group) => self.not_offered(me, group).is_empty(),
            Awaited::Ends => self.is_exposure_over(me),
        }
    }

    /// Returns the first disagreement about `MPI_MODE_NOCHECK` of an epoch that a rank starts and the posts of its targets,
    /// all of which have been made.
    fn unlike_checks(&self, me: u32, targets: &[u32]) -> Option<Misuse> {
        let epochs = &self.members[me as usize].epochs;
        let agrees = |target: &u32| {
            epochs.check_agrees(self.number(*target), &self.members[*target as usize].epochs)
        };
        targets.iter().find_map(|target| agrees(target).err())
    }

    /// Reports whether all accesses to the exposed memory of a rank have ended and taken effect.
    pub(super) fn is_exposure_over(&self, me: u32) -> bool {
        let group = self.members[me as usize].epochs.exposed().unwrap_or_default();
        let ahead = |origin: &u32| {
            self.members[*origin as usize].pairs.get(me).is_some_and(|pair| pair.ahead > 0)
        };
        self.not_ended(me).is_empty() && !group.iter().any(ahead)
    }
}

impl MpiKernel {
    /// Blocks a rank until something has happened, or lets it go on if it has.
    pub(super) fn await_in_window(
        &mut self,
        rank: u32,
        (id, me): (WindowId, u32),
        awaited: Awaited,
        s: &mut Sched,
    ) {
        if self.windows.get(id).is_none_or(|window| window.has_happened(me, &awaited)) {
            self.end_wait_in_window(rank, (id, me), awaited, s);
        } else {
            self.ranks[rank as usize].blocked = Some(Blocked::Window(id, awaited));
        }
    }

    /// Lets a rank go on if the awaited has happened.
    pub(super) fn wake_in_window(&mut self, (id, me): (WindowId, u32), s: &mut Sched) {
        let Some(window) = self.windows.get(id) else { return };
        let rank = window.number(me);
        let state = &mut self.ranks[rank as usize];
        if state.threads.is_some() {
            return self.wake_threads_in_window(rank, (id, me), s);
        }
        let Some(Blocked::Window(other, awaited)) = &state.blocked else { return };
        if *other != id || !window.has_happened(me, awaited) {
            return;
        }
        if let Some(Blocked::Window(_, awaited)) = state.blocked.take() {
            self.end_wait_in_window(rank, (id, me), awaited, s);
        }
    }

    /// Lets the threads of a rank go on for which the awaited has happened.
    #[cold]
    fn wake_threads_in_window(&mut self, rank: u32, (id, me): (WindowId, u32), s: &mut Sched) {
        loop {
            let Some(window) = self.windows.get(id) else { return };
            let ready = |blocked: &Blocked| {
                matches!(blocked, Blocked::Window(other, awaited)
                    if *other == id && window.has_happened(me, awaited))
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

    /// Takes the results of complete accesses as a reply to the call that has completed them. Threads take them by calls of
    /// their own, since one of them may need those of another before that one goes on.
    fn results_of(&mut self, rank: u32, (id, me): (WindowId, u32), target: Option<u32>) -> Reply {
        if self.ranks[rank as usize].threads.is_some() {
            return Reply::Done;
        }
        let fetched = self.windows.get_mut(id).map(|window| window.member(me).take_fetched(target));
        fetched.filter(|list| !list.is_empty()).map_or(Reply::Done, Reply::Fetched)
    }

    fn end_wait_in_window(
        &mut self,
        rank: u32,
        (id, me): (WindowId, u32),
        awaited: Awaited,
        s: &mut Sched,
    ) {
        let Some(window) = self.windows.windows.get_mut(id) else { return self.done(rank, s) };
        match awaited {
            Awaited::Accesses { target, completion, then } => {
                let member = window.member(me);
                let ready = member.pairs.taken(target).max(s.now());
                let has_results = !member.fetched.is_empty();
                self.learn_results((id, me), target);
                self.end_recorded((id, me), target, completion);
                match then {
                    Then::Return => {
                        let reply = match has_results {
                            true => self.results_of(rank, (id, me), target),
                            false => Reply::Done,
                        };
                        self.answer(rank, ready, FREE, reply, s);
                    }
                    Then::Poll => self.failed_poll(rank, Sought::Other, s),
                    Then::Fence => {
                        self.end_fenced(id);
                        self.meet_in_window(rank, id, s);
                    }
                    Then::Unlock(lock, unchecked) => {
                        self.give_back((id, me), lock, unchecked, s);
                        let reply = self.results_of(rank, (id, me), target);
                        self.answer(rank, s.now(), FREE, reply, s);
                    }
                    Then::Complete(group) => {
                        self.wait_until(rank, ready);
                        let moment = self.history.as_mut().map(|history| history.release(rank));
                        for target in group {
                            if let (Some(moment), Some(window)) =
                                (&moment, self.windows.get_mut(id))
                            {
                                let line = window.member(target).ends.entry(me).or_default();
                                line.push_back(moment.clone());
                            }
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
                let unlike = window.unlike_checks(me, &group);
                let member = window.member(me);
                for target in group {
                    member.offered.entry(target).and_modify(|count| *count -= 1);
                    let moment = member.posts.get_mut(&target).and_then(VecDeque::pop_front);
                    if let (Some(moment), Some(history)) = (moment, &mut self.history) {
                        history.learn(rank, &moment);
                    }
                }
                if let Some(misuse) = unlike {
                    let finding = self.told_misuse(rank, misuse);
                    self.journal.findings.add(finding);
                }
                self.done(rank, s);
            }
            Awaited::Ends => {
                self.end_exposure((id, me));
                self.done(rank, s);
            }
        }
    }
}
