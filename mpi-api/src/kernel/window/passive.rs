//! Synchronisation with passive targets: locks and flushes (MPI section 12.5.3 and 12.5.4).

use sim_core::SimDuration;

use super::{
    awaited::{Awaited, Then},
    epoch::{Beside, Misuse},
    flight::{Flight, Said, Signal},
    locks::Lock,
    table::Window,
};
use crate::{
    call::{AccessCompletion, Assertions, LockType, Reply, WindowId},
    check::epoch_misuse::{Broken, Shown},
    kernel::{Event, MpiKernel, Sched, request::polling::Sought, transport::receive::FREE},
    observation::WindowDelay,
};

/// The rank of a window that keeps the locks of all ranks.
const KEEPER_OF_ALL: u32 = 0;

impl Window {
    /// Returns what is wrong with a request of a lock that another rank holds without having asked.
    fn denied_by_assertion(&self, lock: &Lock) -> Option<Misuse> {
        let asserted = |holder: u32| {
            let opened = self.members[holder as usize].epochs.asserted(lock.target)?;
            Some((self.number(holder), opened))
        };
        let (holder, opened) = self.locks.keepers(lock).find_map(asserted)?;
        let text = format!(
            "a lock that conflicts with that of rank {holder}, which asserts by MPI_MODE_NOCHECK that there is none"
        );
        let (rank, by, shown) = (Some(holder), opened, Shown::Assertion);
        Some(Misuse::of_assertions(text, Some(Beside { rank, by, shown })))
    }
}

impl MpiKernel {
    pub(super) fn lock(
        &mut self,
        rank: u32,
        (id, me): (WindowId, u32),
        (target, kind): (Option<u32>, LockType),
        assertions: Assertions,
        s: &mut Sched,
    ) {
        let by = self.ranks[rank as usize].call_place();
        let window = self.windows.get_mut(id).expect("the caller has found it");
        let unchecked = assertions.no_check;
        let exposed = target
            .and_then(|target| Some((target, window.members[target as usize].epochs.exposure()?)));
        if let Some((target, posted)) = exposed {
            let target = window.number(target);
            let text = format!("a lock of memory that rank {target} exposes by MPI_Win_post");
            let misuse = Misuse::of_epochs(Broken::Nested, text, Some((Some(target), posted)));
            return self.misuse_window(rank, id, misuse, s);
        }
        let epochs = &mut window.member(me).epochs;
        if let Err(misuse) = epochs.lock(target, (kind, unchecked), by) {
            return self.misuse_window(rank, id, misuse, s);
        }
        let lock = Lock { origin: me, target, kind };
        if let Some(misuse) = window.denied_by_assertion(&lock) {
            return self.misuse_window(rank, id, misuse, s);
        }
        if !unchecked {
            let keeper = target.unwrap_or(KEEPER_OF_ALL);
            self.signal(rank, (id, me, keeper), Said::Request(lock), s);
            return self.await_in_window(rank, (id, me), Awaited::Lock(target), s);
        }
        if let Some(holder) = window.locks.assert_free(lock) {
            let opened = window.members[holder as usize].epochs.holder(target);
            let text = "a lock that asserts MPI_MODE_NOCHECK though another rank holds it";
            let holder = window.number(holder);
            let beside = opened.map(|by| Beside { rank: Some(holder), by, shown: Shown::Lock });
            return self.misuse_window(rank, id, Misuse::of_assertions(text, beside), s);
        }
        let (row, size) = (self.ranks[rank as usize].enters_idle_call(), window.size());
        if window.member(me).idle.flush(row, size) {
            return self.failed_poll(rank, Sought::Other, s);
        }
        self.done(rank, s);
    }

    pub(super) fn unlock(
        &mut self,
        rank: u32,
        (id, me): (WindowId, u32),
        target: Option<u32>,
        s: &mut Sched,
    ) {
        let window = self.windows.get_mut(id).expect("the caller has found it");
        let unlocked = match window.member(me).epochs.unlock(target) {
            Ok(unlocked) => unlocked,
            Err(misuse) => return self.misuse_window(rank, id, misuse, s),
        };
        let lock = Lock { origin: me, target, kind: unlocked.kind };
        let is_idle = window.member(me).pairs.are_done(target, AccessCompletion::Remote);
        if !lock.is_exclusive() {
            self.windows.spinning.unlock(rank, (s.now(), self.sent.of_two_sides()));
            if self.ends_spinning(rank, s) {
                return;
            }
        }
        if is_idle {
            self.ranks[rank as usize].passes_idle_call();
        }
        self.release_held((id, me), (target, AccessCompletion::Remote), s);
        let then = Then::Unlock(lock, unlocked.unchecked);
        let awaited = Awaited::Accesses { target, completion: AccessCompletion::Remote, then };
        self.await_in_window(rank, (id, me), awaited, s);
    }

    pub(super) fn flush(
        &mut self,
        rank: u32,
        (id, me): (WindowId, u32),
        (target, completion): (Option<u32>, AccessCompletion),
        s: &mut Sched,
    ) {
        let window = self.windows.get_mut(id).expect("the caller has found it");
        if let Err(misuse) = window.member(me).epochs.flush(target) {
            return self.misuse_window(rank, id, misuse, s);
        }
        let (state, size) = (&mut self.ranks[rank as usize], window.size());
        let member = window.member(me);
        let idles = member.pairs.are_done(target, completion)
            && member.idle.flush(state.enters_idle_call(), size);
        self.release_held((id, me), (target, completion), s);
        // Accesses that were complete before are known to be only now.
        let then = if idles { Then::Poll } else { Then::Return };
        let awaited = Awaited::Accesses { target, completion, then };
        self.await_in_window(rank, (id, me), awaited, s);
    }

    /// Executes `MPI_Win_sync`. A rank that does nothing else polls its memory.
    pub(super) fn sync_window(&mut self, rank: u32, (id, me): (WindowId, u32), s: &mut Sched) {
        let row = self.ranks[rank as usize].enters_idle_call();
        let window = self.windows.get_mut(id).expect("the caller has found it");
        let size = window.size();
        let member = window.member(me);
        member.epochs.synchronise();
        if member.idle.sync(row, size) {
            return self.failed_poll(rank, Sought::Other, s);
        }
        let wait = self.windows.stagger();
        self.answer(rank, s.now() + wait, FREE, Reply::Done, s);
    }

    /// Gives a lock back.
    pub(super) fn give_back(
        &mut self,
        (id, me): (WindowId, u32),
        lock: Lock,
        unchecked: bool,
        s: &mut Sched,
    ) {
        let Some(window) = self.windows.get_mut(id) else { return };
        if unchecked {
            return self.release_lock(id, lock, s);
        }
        window.locks.give_back(lock);
        let rank = window.number(me);
        let keeper = lock.target.unwrap_or(KEEPER_OF_ALL);
        self.signal(rank, (id, me, keeper), Said::Released(lock), s);
    }

    /// Releases a lock where it is kept, and tells those who get it next.
    fn release_lock(&mut self, id: WindowId, lock: Lock, s: &mut Sched) {
        let Some(window) = self.windows.get_mut(id) else { return };
        for next in window.locks.release(lock) {
            self.tell_delay_ended((id, next.origin), WindowDelay::Lock, s.now());
            self.grant(id, next, s);
        }
    }

    fn grant(&mut self, id: WindowId, lock: Lock, s: &mut Sched) {
        let keeper = lock.target.unwrap_or(KEEPER_OF_ALL);
        let said = Said::Granted(lock.target);
        let ends = (keeper, lock.origin);
        let signal = Signal { window: id, ends, what: said, departed: false, served: false };
        let flight = self.windows.flights.insert(Flight::Signal(signal));
        self.signal_event(flight, signal, s);
    }

    /// Sends a message of synchronisation, for which the processor of its sender takes time.
    pub(super) fn signal(
        &mut self,
        rank: u32,
        (id, from, to): (WindowId, u32, u32),
        what: Said,
        s: &mut Sched,
    ) {
        let at = self.charge(rank, self.settings.costs.post_send);
        let signal = Signal { window: id, ends: (from, to), what, departed: false, served: false };
        let flight = self.windows.flights.insert(Flight::Signal(signal));
        let wait = match what {
            Said::Request(lock) => self.windows.delays.draw(lock.is_exclusive()),
            Said::Granted(_) | Said::Released(_) | Said::Posted | Said::Ended => SimDuration::ZERO,
        };
        let at = at + wait;
        if at > s.now() {
            s.schedule(at, Event::Window(flight));
        } else {
            self.signal_event(flight, signal, s);
        }
    }

    /// Lets a message of synchronisation depart, or handles it at its receiver.
    pub(super) fn signal_event(&mut self, flight: u32, signal: Signal, s: &mut Sched) {
        let (id, (from, to)) = (signal.window, signal.ends);
        let Some(window) = self.windows.get_mut(id) else {
            self.windows.flights.free(flight);
            return;
        };
        if !signal.departed {
            let ends = (window.number(from), window.number(to));
            if let Some(Flight::Signal(signal)) = self.windows.flights.get_mut(flight) {
                signal.departed = true;
            }
            self.transfer(ends.0, ends.1, 0, Event::Window(flight), s);
            return;
        }
        let receiver = window.number(to);
        if signal.what.needs_service() && !signal.served && !self.is_served(flight, receiver, s) {
            return;
        }
        self.windows.flights.free(flight);
        let Some(window) = self.windows.get_mut(id) else { return };
        match signal.what {
            Said::Request(lock) => {
                if window.locks.request(lock) {
                    self.grant(id, lock, s);
                } else if let Some(misuse) = window.denied_by_assertion(&lock) {
                    // The assertion came after the call. A rank that handles errors keeps waiting.
                    let rank = window.number(lock.origin);
                    if self.handler(rank, id.0).is_fatal() {
                        self.misuse_window(rank, id, misuse, s);
                    }
                }
            }
            Said::Granted(target) => {
                window.member(to).granted.insert(target);
                self.wake_in_window((id, to), s);
            }
            Said::Released(lock) => self.release_lock(id, lock, s),
            Said::Posted => {
                *window.member(to).offered.entry(from).or_default() += 1;
                self.wake_in_window((id, to), s);
            }
            Said::Ended => {
                *window.member(to).ended.entry(from).or_default() += 1;
                self.wake_in_window((id, to), s);
            }
        }
    }
}
