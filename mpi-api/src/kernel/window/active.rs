//! Synchronisation with active targets: fences, and access and exposure epochs of groups (MPI sections
//! 12.5.1 and 12.5.2).

use sim_core::SimTime;

use super::{
    awaited::{Awaited, Then},
    epoch::{Misuse, Opened},
    flight::Said,
    table::Meeting,
};
use crate::kernel::request::polling::Sought;
use crate::{
    call::{AccessCompletion, Assertions, WindowId},
    kernel::{MpiKernel, Sched},
    observation::WindowDelay,
};

impl MpiKernel {
    pub(super) fn fence(
        &mut self,
        rank: u32,
        (id, me): (WindowId, u32),
        assertions: Assertions,
        s: &mut Sched,
    ) {
        let by = self.ranks[rank as usize].call_place();
        let window = self.windows.get_mut(id).expect("the caller has found it");
        let member = window.member(me);
        if let Err(misuse) = member.epochs.fence(by, assertions) {
            return self.misuse_window(rank, id, misuse, s);
        }
        let number = member.epochs.fences();
        let no_put = assertions.no_put.then_some((Opened::Fence(number), by));
        member.no_put = [no_put, member.no_put[0]];
        self.offer((id, rank, me), assertions);
        if !self.comes_to(rank, (id, me), Meeting::Fence, s) {
            return;
        }
        let window = self.windows.get_mut(id).expect("the caller has found it");
        match window.asserted {
            Some((known, first, theirs)) if known == number => {
                if let Some(name) = differing(theirs, assertions) {
                    let first = window.number(first);
                    let text =
                        format!("{name} is asserted by some ranks only: rank {first} differs");
                    return self.misuse_window(rank, id, Misuse::of_assertions(text, None), s);
                }
            }
            _ => window.asserted = Some((number, me, assertions)),
        }
        self.tell_fence_entered(id, s.now());
        self.release_held((id, me), (None, AccessCompletion::Remote), s);
        let awaited = Awaited::Accesses {
            target: None,
            completion: AccessCompletion::Remote,
            then: Then::Fence,
        };
        self.await_in_window(rank, (id, me), awaited, s);
    }

    /// Enters a call that offers the memory of a rank to others, and reports an assertion that is not true: the program
    /// goes on, since stores of the program are known in some executions only.
    fn offer(&mut self, (id, rank, me): (WindowId, u32, u32), assertions: Assertions) {
        let window = self.windows.get_mut(id).expect("the caller has found it");
        if let Some(misuse) = window.member(me).epochs.offer(assertions) {
            let finding = self.told_misuse(rank, misuse);
            self.journal.findings.add(finding);
        }
    }

    /// Counts a rank that has called a fence; with the last one nobody keeps the others waiting.
    fn tell_fence_entered(&mut self, id: WindowId, now: SimTime) {
        let Some(window) = self.windows.get_mut(id) else { return };
        window.entered += 1;
        if window.entered < window.size() {
            return;
        }
        window.entered = 0;
        self.tell_all_entered((id, WindowDelay::Fence), now);
    }

    /// Tells that the last rank of a window has called what all of them have to call.
    pub(super) fn tell_all_entered(&mut self, of: (WindowId, WindowDelay), now: SimTime) {
        let Some(window) = self.windows.get(of.0).filter(|_| self.journal.sink.is_some()) else {
            return;
        };
        let ranks: Vec<u32> = (0..window.size()).map(|member| window.number(member)).collect();
        ranks.into_iter().for_each(|rank| self.observe_delay(rank, of, now));
    }

    pub(super) fn start_epoch(
        &mut self,
        rank: u32,
        (id, me): (WindowId, u32),
        group: Vec<u32>,
        assertions: Assertions,
        s: &mut Sched,
    ) {
        let by = self.ranks[rank as usize].call_place();
        let window = self.windows.get_mut(id).expect("the caller has found it");
        if let Err(misuse) = window.member(me).epochs.start(group.clone(), by, assertions) {
            return self.misuse_window(rank, id, misuse, s);
        }
        if assertions.no_check {
            let hidden = |target: &&u32| {
                let exposed = window.members[**target as usize].epochs.exposed();
                !exposed.is_ok_and(|group| group.contains(&me))
            };
            if let Some(target) = group.iter().find(hidden) {
                let target = window.number(*target);
                let text = format!(
                    "an epoch is started with MPI_MODE_NOCHECK though rank {target} has not posted"
                );
                return self.misuse_window(rank, id, Misuse::of_assertions(text, None), s);
            }
        }
        // Without a check the messages of the targets are taken note of all the same.
        self.await_in_window(rank, (id, me), Awaited::Posts(group), s);
    }

    pub(super) fn complete_epoch(&mut self, rank: u32, (id, me): (WindowId, u32), s: &mut Sched) {
        let window = self.windows.get_mut(id).expect("the caller has found it");
        let group = match window.member(me).epochs.complete() {
            Ok(group) => group,
            Err(misuse) => return self.misuse_window(rank, id, misuse, s),
        };
        for target in &group {
            self.tell_delay_ended((id, *target), WindowDelay::Complete, s.now());
        }
        self.release_held((id, me), (None, AccessCompletion::Remote), s);
        let then = Then::Complete(group);
        let awaited = Awaited::Accesses { target: None, completion: AccessCompletion::Local, then };
        self.await_in_window(rank, (id, me), awaited, s);
    }

    pub(super) fn post_exposure(
        &mut self,
        rank: u32,
        (id, me): (WindowId, u32),
        group: Vec<u32>,
        assertions: Assertions,
        s: &mut Sched,
    ) {
        let by = self.ranks[rank as usize].call_place();
        let window = self.windows.get_mut(id).expect("the caller has found it");
        let member = window.member(me);
        if let Err(misuse) = member.epochs.post(group.clone(), by, assertions) {
            return self.misuse_window(rank, id, misuse, s);
        }
        member.no_put = [assertions.no_put.then_some((Opened::Start, by)), None];
        self.offer((id, rank, me), assertions);
        self.begin_shadow((id, me));
        let moment = self.history.as_mut().map(|history| history.release(rank));
        for origin in group {
            if let (Some(moment), Some(window)) = (&moment, self.windows.get_mut(id)) {
                let line = window.member(origin).posts.entry(me).or_default();
                line.push_back(moment.clone());
            }
            self.tell_delay_ended((id, origin), WindowDelay::Post, s.now());
            self.signal(rank, (id, me, origin), Said::Posted, s);
        }
        let at = self.ranks[rank as usize].busy_until;
        s.reply(self.ranks[rank as usize].process, at, crate::call::Reply::Done);
    }

    /// Tells that something no longer keeps a rank of a window waiting.
    pub(super) fn tell_delay_ended(
        &mut self,
        (id, member): (WindowId, u32),
        delay: WindowDelay,
        now: SimTime,
    ) {
        if let Some(window) = self.windows.get(id) {
            self.observe_delay(window.number(member), (id, delay), now);
        }
    }

    pub(super) fn wait_exposed(&mut self, rank: u32, (id, me): (WindowId, u32), s: &mut Sched) {
        let window = self.windows.get_mut(id).expect("the caller has found it");
        if let Err(misuse) = window.member(me).epochs.exposed() {
            return self.misuse_window(rank, id, misuse, s);
        }
        self.await_in_window(rank, (id, me), Awaited::Ends, s);
    }

    pub(super) fn test_exposed(&mut self, rank: u32, (id, me): (WindowId, u32), s: &mut Sched) {
        let window = self.windows.get_mut(id).expect("the caller has found it");
        if let Err(misuse) = window.member(me).epochs.exposed() {
            return self.misuse_window(rank, id, misuse, s);
        }
        if window.is_exposure_over(me) {
            self.end_exposure((id, me));
            self.done(rank, s);
        } else {
            self.failed_poll(rank, Sought::Other, s);
        }
    }

    /// Ends the exposure of a rank's memory.
    pub(super) fn end_exposure(&mut self, (id, me): (WindowId, u32)) {
        self.end_shadow((id, me), true);
        let Some(window) = self.windows.get_mut(id) else { return };
        let member = window.member(me);
        let group = member.epochs.exposed().unwrap_or_default().to_vec();
        for origin in &group {
            member.ended.entry(*origin).and_modify(|count| *count -= 1);
        }
        member.no_put = [None; 2];
        member.epochs.end_exposure();
        self.end_exposed((id, me), &group);
    }
}

/// Returns the assertion about which the ranks of a fence disagree: all of them give it or none.
fn differing(one: Assertions, other: Assertions) -> Option<&'static str> {
    if one.no_precede != other.no_precede {
        return Some("MPI_MODE_NOPRECEDE");
    }
    (one.no_succeed != other.no_succeed).then_some("MPI_MODE_NOSUCCEED")
}
