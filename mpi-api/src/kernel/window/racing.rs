//! Looks for accesses to memory of windows that nothing orders, and reports them (MPI section 12.7).

use super::{
    conflict::RecordId,
    epoch::Opened,
    flight::{AccessFlight, Spot},
    recorded::{Moment, Period, Recorded, what},
    shared::is_shared,
    table::Window,
    touches::{LOADED_MAX, Look, Touched, UnderWay},
};
use crate::{
    call::{Access, AccessCompletion, Operation, Runs, Site, Use, WindowCall, WindowId},
    check::window_race::{self, Does},
    finding::{CallPlace, CallSite},
    kernel::{
        MpiKernel, Sched,
        causality::{Clock, History},
        observe::is_silent,
        request::poll::is_poll,
    },
    settings::Watched,
};

/// What a record of an access leaves to be kept with the access.
#[derive(Default)]
pub(super) struct Kept {
    /// The moment in which it starts, if others may learn of it.
    pub(super) moment: Option<Clock>,
    /// What its result tells.
    pub(super) told: Option<Clock>,
    /// Its record, by which it is ended.
    pub(super) id: Option<RecordId>,
}

/// Returns what a call does for a program that waits until others have written to its memory.
fn look(operation: &Operation) -> Look {
    if matches!(operation, Operation::Window(WindowCall::Sync(_))) {
        Look::Syncs
    } else if is_poll(operation) {
        Look::Polls
    } else {
        Look::No
    }
}

/// Returns what a direct use of memory does, for texts.
fn does(used: Use) -> Does {
    match used {
        // What nobody has seen has no bytes.
        Use::Read | Use::Load { .. } | Use::LoadNumber { .. } | Use::Unseen => Does::Read,
        Use::Write | Use::Fill | Use::Store | Use::Update => Does::Write,
        Use::Attach => Does::Attach,
        Use::Detach => Does::Detach,
    }
}

/// Returns the period of a direct use of memory by a rank.
pub(super) fn own_period(window: &Window, me: u32) -> Period {
    let epochs = &window.members[me as usize].epochs;
    match (epochs.open_fence(), epochs.exposure()) {
        (_, Some(_)) => Period::Exposure(epochs.exposures()),
        (Some(number), None) => Period::Fence(number),
        (None, None) => Period::Lock,
    }
}

/// Lets a rank know what those knew whose writes it may find by a poll of bytes of its memory, or of words anywhere in it, and
/// sees the updates there.
fn poll(
    history: &mut History,
    window: &mut Window,
    (rank, me): (u32, u32),
    place: Option<(i64, &Runs)>,
) {
    history.learn(rank, &window.conflicts.polled(me, place));
    history.learn(rank, &window.words.polled(me, place));
    window.conflicts.see(me, place, history.present(rank));
}

impl MpiKernel {
    /// Records an access, and reports another one that it conflicts with.
    pub(super) fn record_access(
        &mut self,
        (id, me, by): (WindowId, u32, CallPlace),
        (access, spot, pair): (&Access, Spot, usize),
        opened: Opened,
    ) -> Kept {
        let window = self.windows.windows.get_mut(id).expect("the caller has found it");
        let (rank, target) = (window.number(me), access.target);
        // Who reads what others have stored directly may wait for it.
        window.direct.is_blind |= is_shared(window, target);
        let period = match opened {
            Opened::Fence(number) => Period::Fence(number),
            Opened::Start => Period::Exposure(window.member(target).epochs.exposures()),
            Opened::Lock => Period::Lock,
        };
        let moment = self.history.as_mut().map(|history| history.release(rank));
        let held = window.member(me).epochs.held(target);
        let place = moment.clone().map(|clock| Moment { clock, held });
        let found = window.conflicts.record((me, by), (access, spot), (period, place));
        match (found.id, opened) {
            (Some(id), Opened::Start) if moment.is_some() => {
                window.member(target).exposed.push(id);
            }
            (Some(id), Opened::Fence(_)) if moment.is_some() => {
                window.member(me).pairs.at(pair).recorded.push(id);
            }
            (Some(id), Opened::Lock) => {
                window.member(me).pairs.at(pair).recorded.push(id);
            }
            _ => {}
        }
        if let Some(history) = self.history.as_ref().filter(|_| window.conflicts.is_crowded()) {
            let known = window.known_to_all(history);
            window.conflicts.forget(&known);
        }
        if let Some(met) = found.met {
            let ranks = [window.number(me), window.number(met.origin)];
            let target = window.number(target);
            self.report_race((ranks, target), (by, what(&access.action)), &met, period);
        }
        Kept { moment, told: found.told, id: found.id }
    }

    /// Records that accesses to a target or to all are known to be complete. Those that are complete at their origin only
    /// are if they read: their results have arrived.
    pub(super) fn end_recorded(
        &mut self,
        (id, me): (WindowId, u32),
        target: Option<u32>,
        completion: AccessCompletion,
    ) {
        let Some(window) = self.windows.windows.get_mut(id) else { return };
        let rank = window.number(me);
        let done =
            self.history.as_mut().map(|history| (history.present(rank), history.release(rank)));
        for pair in window.members[me as usize].pairs.of(target) {
            let to = pair.target();
            let conflicts = &mut window.conflicts;
            pair.recorded.retain(|id| {
                let stays = completion == AccessCompletion::Local && !conflicts.reads(to, *id);
                if !stays {
                    let done = done.as_ref().map(|(point, clock)| (*point, clock));
                    conflicts.end(to, *id, done);
                }
                stays
            });
        }
    }

    /// Lets a rank know what the results of its accesses to a target or to all tell.
    pub(super) fn learn_results(&mut self, (id, me): (WindowId, u32), target: Option<u32>) {
        let Some(history) = &mut self.history else { return };
        let Some(window) = self.windows.windows.get_mut(id) else { return };
        let rank = window.number(me);
        for pair in window.members[me as usize].pairs.of(target) {
            if let Some(told) = pair.told.take() {
                history.learn(rank, &told);
            }
            let to = pair.target();
            for id in pair.answered.drain(..) {
                window.conflicts.learn(to, id, history.present(rank));
            }
        }
    }

    /// Ends the accesses to the memory that a rank has exposed, and lets it know what their origins knew.
    pub(super) fn end_exposed(&mut self, (id, me): (WindowId, u32), group: &[u32]) {
        let Some(history) = &mut self.history else { return };
        let Some(window) = self.windows.windows.get_mut(id) else { return };
        let rank = window.number(me);
        for origin in group {
            let line = window.member(me).ends.get_mut(origin);
            if let Some(moment) = line.and_then(|line| line.pop_front()) {
                history.learn(rank, &moment);
            }
        }
        let (point, clock) = (history.present(rank), history.release(rank));
        for record in std::mem::take(&mut window.member(me).exposed) {
            window.conflicts.end(me, record, Some((point, &clock)));
        }
    }

    /// Ends a read whose request the program has collected.
    pub(in crate::kernel) fn end_read(
        &mut self,
        rank: u32,
        (id, target, record): (WindowId, u32, RecordId),
    ) {
        let history = self.history.as_mut();
        let done = history.map(|history| (history.present(rank), history.release(rank)));
        if let Some(window) = self.windows.get_mut(id) {
            let done = done.as_ref().map(|(point, clock)| (*point, clock));
            window.conflicts.end(target, record, done);
        }
    }

    /// Compares a direct use of memory of a window with the accesses of others.
    pub(super) fn touch(
        &mut self,
        rank: u32,
        (window, me): (WindowId, u32),
        (owner, base, runs): (u32, i64, Runs),
        used: Use,
        s: &mut Sched,
    ) {
        let state = &mut self.ranks[rank as usize];
        let by = state.call_place();
        state.passes_idle_call();
        let member = self.windows.get_mut(window).expect("it was found").member(me);
        if owner == me && does(used) == Does::Write && runs.bytes() > 0 {
            member.epochs.store(by);
        }
        let history = self.history.as_ref().filter(|_| used.is_load() && owner == me);
        let awaits =
            history.and_then(|history| self.put_under_way((window, owner), (base, &runs), history));
        let touched = Touched { window, owner, by, place: (base, runs), used, awaits };
        if used == Use::Unseen {
            self.lose_sight(rank);
        } else if self.history.is_some() {
            if used != Use::Write {
                self.note_direct(rank, &touched);
            }
            self.windows.touches.entry(rank).or_default().note(touched);
        } else {
            self.compare_epochs(rank, touched);
        }
        self.done(rank, s);
        // What a rank does with shared memory between two calls is compared as a whole, before others go on.
        if self.history.is_some() && self.windows.get(window).is_some_and(|at| is_shared(at, owner))
        {
            s.resume_first(self.ranks[rank as usize].process);
        }
    }

    /// Compares the beginning or the end of memory of a dynamic window with accesses to it.
    pub(super) fn touch_attached(
        &mut self,
        rank: u32,
        (window, (first, bytes)): (WindowId, (i64, u64)),
        used: Use,
    ) {
        let by = self.ranks[rank as usize].call_place();
        let Some(owner) = self.windows.get(window).and_then(|window| window.rank_of(rank)) else {
            return;
        };
        let place = (first, Runs::One(0, bytes));
        let touched = Touched { window, owner, by, place, used, awaits: None };
        match (self.history.is_some(), used) {
            (true, _) => self.compare_direct(rank, touched),
            // Who may use it is told in the same epoch.
            (false, Use::Attach) => {}
            (false, _) => self.compare_epochs(rank, touched),
        }
    }

    /// Compares the uses of a rank's own memory before its present call, and those that its last call has
    /// ended.
    pub(in crate::kernel) fn settle_touches(
        &mut self,
        rank: u32,
        (operation, site): (&Operation, Site),
    ) {
        let touches = self.windows.touches.entry(rank).or_default();
        let ended = std::mem::take(&mut touches.returning);
        for touched in ended {
            self.note_direct(rank, &touched);
            self.compare_direct(rank, touched);
        }
        self.settle_direct(rank, operation);
        if is_silent(operation) {
            return;
        }
        let watched = self.settings.environment.watched.is_of_windows();
        let touches = self.windows.touches.entry(rank).or_default();
        let look = look(operation);
        touches.round += u32::from(look == Look::No);
        let since = touches.take(look, site, watched);
        self.windows.early.entry(rank).or_default().follow(look, &since);
        for touched in since.polled {
            self.learn_by_polling(rank, touched);
        }
        if let Operation::Window(WindowCall::Free(window)) = operation {
            self.report_early(rank, *window);
        }
        if since.unseen {
            self.learn_unseen(rank);
        }
        for touched in since.compared {
            match touched.used {
                Use::Write => {
                    let touches = self.windows.touches.entry(rank).or_default();
                    touches.returning.push(touched);
                }
                Use::Fill => self.compare_epochs(rank, touched),
                Use::Load { .. }
                | Use::LoadNumber { .. }
                | Use::Store
                | Use::Update
                | Use::Read
                | Use::Attach
                | Use::Detach => self.compare_direct(rank, touched),
                Use::Unseen => {}
            }
        }
    }

    /// Compares a use of a rank's own memory with the accesses that its epoch and time suggest.
    fn compare_epochs(&mut self, rank: u32, touched: Touched) {
        let Touched { window: id, owner, by, place: (base, runs), used, awaits: _ } = touched;
        let Some(window) = self.windows.get_mut(id) else { return };
        let Some(me) = window.rank_of(rank) else { return };
        let period = own_period(window, me);
        // A program may poll memory that others change with locks (MPI section 12.7).
        if used.is_load() && period == Period::Lock {
            return;
        }
        if owner != me {
            return;
        }
        let (place, does) = ((owner, base, runs), (does(used), false, used.loads_vectors()));
        let (met, _) = window.conflicts.met_by_direct((me, by), place, does, (period, None));
        if let Some((own, met)) = met {
            let ranks = [rank, window.number(met.origin)];
            self.report_race((ranks, rank), (by, own.does), &met, period);
        }
    }

    /// Compares a direct use of memory with all accesses. That of another rank's memory is compared in epochs of fences
    /// only: elsewhere ranks may synchronise by the memory that they share.
    fn compare_direct(&mut self, rank: u32, touched: Touched) {
        let Touched { window: id, owner, by, place, used, awaits: _ } = touched;
        let Some(history) = &mut self.history else { return };
        let Some(window) = self.windows.windows.get_mut(id) else { return };
        let Some(me) = window.rank_of(rank) else { return };
        let period = own_period(window, me);
        if owner != me && !matches!(period, Period::Fence(_)) {
            return;
        }
        let held = window.member(me).epochs.held(owner);
        let point = history.present(rank);
        let may_poll = self.settings.environment.watched == Watched::Windows { polls: true };
        let polls = may_poll
            && owner == me
            && used.is_load()
            && period == Period::Lock
            && place.1.bytes() <= LOADED_MAX;
        if polls {
            history.learn(rank, &window.words.polled(me, Some((place.0, &place.1))));
            window.conflicts.see(me, Some((place.0, &place.1)), point);
        }
        let moment = Moment { clock: history.clock(rank).clone(), held };
        let moment = (period, Some((moment, point)));
        let does = (does(used), polls, used.loads_vectors());
        let (base, runs) = place;
        let (met, told) =
            window.conflicts.met_by_direct((me, by), (owner, base, runs), does, moment);
        if let Some(told) = told {
            history.learn(rank, &told);
        }
        if let Some((direct, met)) = met {
            let ranks = [rank, window.number(met.origin)];
            let owner = window.number(owner);
            self.report_race((ranks, owner), (by, direct.does), &met, period);
        }
    }

    /// Lets a rank know what those knew whose writes it waits for by reading its memory.
    fn learn_by_polling(&mut self, rank: u32, touched: Touched) {
        let Some(window) = self.windows.windows.get_mut(touched.window) else { return };
        let Some(me) = window.rank_of(rank) else { return };
        if own_period(window, me) != Period::Lock || touched.owner != me {
            return self.compare_direct(rank, touched);
        }
        let (base, runs) = &touched.place;
        if let Some(history) = &mut self.history {
            poll(history, window, (rank, me), Some((*base, runs)));
        }
    }

    /// Returns a put of another rank to words that their owner loads, if it has been called but has not taken effect, in
    /// periods in which the load may be a poll. Atomic updates may be loaded meanwhile.
    fn put_under_way(
        &self,
        (id, owner): (WindowId, u32),
        (base, runs): (i64, &Runs),
        history: &History,
    ) -> Option<UnderWay> {
        let window = self.windows.get(id)?;
        let (first, end) = runs.bounds()?;
        if runs.bytes() > LOADED_MAX || own_period(window, owner) != Period::Lock {
            return None;
        }
        let bytes = (base + first, base + end);
        let is_met = |flight: &&AccessFlight| {
            flight.window == id
                && flight.access.target == owner
                && flight.origin != owner
                && flight.is_put_under_way()
                && flight.spot.bytes.is_some_and(|spot| spot.0 < bytes.1 && bytes.0 < spot.1)
        };
        let flights = self.windows.flights.iter().filter_map(|(_, flight)| flight.access());
        let flight = flights.filter(is_met).min_by_key(|flight| flight.times[0])?;
        let origin = flight.ends.0;
        let call = flight.record.and_then(|id| window.conflicts.call_of(owner, id, origin));
        let announced = call.is_some_and(|call| history.clock(window.number(owner)).knows(call));
        Some(UnderWay { write: (origin, flight.by, what(&flight.access.action)), announced })
    }

    /// Reports the loads of a window that came too early to see a write, once the window is freed: until then the
    /// program may look again.
    fn report_early(&mut self, rank: u32, window: WindowId) {
        for early in self.windows.early.entry(rank).or_default().take(window) {
            let order = window_race::Order::Lock;
            self.report_accesses((rank, early.by, Does::Read), early.put.write, rank, order);
        }
    }

    /// Lets a rank know what those knew who have written to words of its memory: it looks at them, and its
    /// loads are not known.
    fn learn_unseen(&mut self, rank: u32) {
        let Some(history) = &mut self.history else { return };
        for window in self.windows.windows.iter_mut() {
            if let Some(me) = window.rank_of(rank) {
                poll(history, window, (rank, me), None);
            }
        }
    }

    fn report_race(
        &mut self,
        (ranks, target): ([u32; 2], u32),
        (by, does): (CallPlace, Does),
        met: &Recorded,
        period: Period,
    ) {
        let order = match period {
            Period::Fence(_) if period == met.period => window_race::Order::Fence,
            Period::Exposure(_) if period == met.period => window_race::Order::Exposure,
            Period::Fence(_) | Period::Exposure(_) | Period::Lock => window_race::Order::Lock,
        };
        self.report_accesses((ranks[0], by, does), (ranks[1], met.by, met.does), target, order);
    }

    /// Reports two accesses, each with the rank that makes it, to memory of a target.
    pub(super) fn report_accesses(
        &mut self,
        one: (u32, CallPlace, Does),
        other: (u32, CallPlace, Does),
        target: u32,
        order: window_race::Order,
    ) {
        let site = |(rank, by, does): (u32, CallPlace, Does)| {
            CallSite::of(rank, by, window_race::label(rank, target, does))
        };
        let sites = [site(one), site(other)];
        self.journal.findings.add(window_race::of_accesses(sites, target, order));
    }
}
