//! Creates and frees windows, and attaches memory to them (MPI section 12.2).

use super::{epoch::Misuse, table::Meeting};
use crate::{
    call::{CollectiveCall, CollectiveKind, Flavor, Reply, Use, WindowId, WindowPart},
    check::{
        disagreement::{Side, in_collective},
        epoch_misuse::Broken,
    },
    error::{ErrorClass, MpiError},
    finding::{CallPlace, Code, Finding},
    kernel::{
        MpiKernel, Sched,
        collective::{construction::CommConstruction, template::EntryMode},
        transport::receive::FREE,
    },
    observation::WindowDelay,
};

/// Returns the finding that two ranks make different collective calls.
fn unlike_calls(me: (u32, CallPlace), first: (u32, CallPlace)) -> Finding {
    let side = |(rank, CallPlace { call, site })| Side { rank, site, call, has: call.into() };
    in_collective(side(me), side(first), Code::CollectiveMismatch)
}

impl MpiKernel {
    /// Adds a rank's part to a window and makes it wait for the others.
    pub(super) fn create_window(
        &mut self,
        rank: u32,
        id: WindowId,
        part: WindowPart,
        s: &mut Sched,
    ) {
        self.begin_history();
        self.begin_progress();
        let by = self.ranks[rank as usize].call_place();
        let group = self.comms.group(id.0, rank);
        // The communicator belongs to the window: its leak is reported as the window's, and it does not
        // inherit an error handler.
        self.forget_comm(rank, id.0);
        self.ranks[rank as usize].rest.handlers.remove(&id.0);
        self.windows.delays.shares |= part.flavor == Flavor::Shared;
        let window = self.windows.enter(id, || group);
        let other = window.begun_otherwise(part.flavor);
        if let Some(me) = window.rank_of(rank) {
            window.provide(me, part, by);
            if let Some(finding) = window.unlike_parts(me) {
                self.journal.findings.add(finding);
            }
        }
        match other {
            Some(first) => self.fail(unlike_calls((rank, by), first), s),
            None => self.meet_in_window(rank, id, s),
        }
    }

    /// Records that a rank comes to a meeting of all ranks. False if another one has come to something
    /// else instead: then the run has ended.
    pub(super) fn comes_to(
        &mut self,
        rank: u32,
        (id, me): (WindowId, u32),
        what: Meeting,
        s: &mut Sched,
    ) -> bool {
        let by = self.ranks[rank as usize].call_place();
        let Some(window) = self.windows.get_mut(id) else { return true };
        let member = window.member(me);
        member.meetings += 1;
        let number = member.meetings;
        match window.meeting {
            Some((known, other, first, theirs)) if known == number && other != what => {
                let first = (window.number(first), theirs);
                self.fail(unlike_calls((rank, by), first), s);
                return false;
            }
            Some((known, ..)) if known == number => {}
            _ => window.meeting = Some((number, what, me, by)),
        }
        true
    }

    /// Makes a rank wait for all ranks of a window, as in a barrier.
    pub(super) fn meet_in_window(&mut self, rank: u32, id: WindowId, s: &mut Sched) {
        let now = s.now();
        self.wait_until(rank, now);
        let barrier = Box::new(CollectiveCall::new(id.0, CollectiveKind::Barrier));
        let nothing = CommConstruction::Nothing;
        self.enter_collective(rank, barrier, nothing, EntryMode::Blocking, s);
    }

    pub(super) fn free_window(&mut self, rank: u32, (id, me): (WindowId, u32), s: &mut Sched) {
        let window = self.windows.get_mut(id).expect("the caller has found it");
        if let Err(misuse) = window.member(me).epochs.free() {
            return self.misuse_window(rank, id, misuse, s);
        }
        if !self.comes_to(rank, (id, me), Meeting::Free, s) {
            return;
        }
        let window = self.windows.get_mut(id).expect("the caller has found it");
        window.freed += 1;
        if window.freed == window.group.size() {
            self.tell_all_entered((id, WindowDelay::Free), s.now());
            self.end_direct(id);
            self.windows.remove(id);
        }
        self.meet_in_window(rank, id, s);
    }

    pub(super) fn query_window(
        &mut self,
        rank: u32,
        (id, _): (WindowId, u32),
        of: u32,
        s: &mut Sched,
    ) {
        let part = self.windows.get(id).and_then(|window| window.part(of)).copied();
        let Some(part) = part else {
            let text = format!("rank {of} is not a rank of the window");
            return self.raise(rank, id.0, MpiError::new(ErrorClass::Rank, text), s);
        };
        // A rank that waits for others may look the address up each time.
        self.ranks[rank as usize].passes_idle_call();
        let now = s.now();
        self.answer(rank, now, FREE, Reply::WindowPart(Box::new(part)), s);
    }

    pub(super) fn attach_memory(
        &mut self,
        rank: u32,
        (id, me): (WindowId, u32),
        (first, bytes): (i64, u64),
        s: &mut Sched,
    ) {
        let window = self.windows.get_mut(id).expect("the caller has found it");
        if let Err(error) = is_dynamic(window.part(me)) {
            return self.raise(rank, id.0, error, s);
        }
        let end = first.saturating_add_unsigned(bytes);
        let attached = &mut window.member(me).attached;
        if attached.iter().any(|(other, past)| *other < end && first < *past) {
            let text = "the memory overlaps memory that is attached already";
            return self.raise(rank, id.0, MpiError::new(ErrorClass::RmaAttach, text), s);
        }
        attached.insert(first, end);
        self.touch_attached(rank, (id, (first, bytes)), Use::Attach);
        self.done(rank, s);
    }

    pub(super) fn detach_memory(
        &mut self,
        rank: u32,
        (id, me): (WindowId, u32),
        first: i64,
        s: &mut Sched,
    ) {
        let by = self.ranks[rank as usize].call_place();
        let window = self.windows.get_mut(id).expect("the caller has found it");
        if let Err(error) = is_dynamic(window.part(me)) {
            return self.raise(rank, id.0, error, s);
        }
        let Some(end) = window.member(me).attached.remove(&first) else {
            let text = "memory is detached that is not attached at this address";
            let misuse = Misuse::of_epochs(Broken::NotAttached, text, None);
            return self.misuse_window(rank, id, misuse, s);
        };
        window.member(me).detached.insert(first, (end, by));
        self.touch_attached(rank, (id, (first, (end - first) as u64)), Use::Detach);
        self.done(rank, s);
    }
}

fn is_dynamic(part: Option<&WindowPart>) -> Result<(), MpiError> {
    match part.map(|part| part.flavor) {
        Some(Flavor::Dynamic) => Ok(()),
        _ => Err(MpiError::new(ErrorClass::RmaFlavor, "the window is not a dynamic one")),
    }
}
