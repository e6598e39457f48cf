//! [`Conflicts`]: finds accesses to the memory of a window that nothing orders (MPI section 12.7).

use std::collections::BTreeMap;

use super::{
    flight::Spot,
    recorded::{Moment, Period, Recorded, alike, compatible, what, writes},
    touches::POLLED_MAX,
};
use crate::{
    call::{Access, Action, LockType, Runs},
    check::window_race::Does,
    finding::CallPlace,
    kernel::{
        causality::{Clock, Point},
        transport::message::Slab,
    },
};

/// Accesses that do the same, by their first byte: none of them conflicts with another unless it
/// writes.
#[derive(Debug)]
struct Class {
    action: Action,
    /// Slots by first byte and number.
    by_place: BTreeMap<(i64, u64), u32>,
}

/// The accesses to one target. The usual ones, many updates with one operation, are not compared with
/// each other.
#[derive(Debug, Default)]
struct Target {
    records: Slab<Recorded>,
    /// Slots of a few accesses without moments, in any order: those of most runs, in which accesses are complete before
    /// many others start. A tree would cost several times as much.
    near: Vec<u32>,
    /// All classes there have been; their trees have the accesses that are not near.
    classes: Vec<Class>,
    /// The last access of a rank to the same bytes in the same way: it stands for all before it.
    last: BTreeMap<Alike, RecordId>,
    /// First byte and end of all accesses, and of recent ones.
    around: (i64, i64),
    /// Largest distance from first byte to end.
    longest: i64,
    /// The last period in which memory was accessed other than with locks.
    period: Option<Period>,
}

/// The record of an access, by which it is ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RecordId {
    slot: u32,
    /// The number of the access: slots are used again.
    number: u64,
}

/// Class, first byte and end, origin, whether it is direct, and lock of an access.
type Alike = (usize, (i64, i64), u32, bool, Option<LockType>);

/// The accesses to a window that others are to be compared with.
#[derive(Debug, Default)]
pub(crate) struct Conflicts {
    /// By rank in the window.
    targets: Vec<Option<Box<Target>>>,
    next: u64,
    /// Number of accesses with moments at which those are to be looked for that all ranks know.
    crowd: usize,
    /// Number of accesses with moments.
    followed: usize,
    /// The updates that atomic accesses have found in memory, by the numbers of these.
    found: BTreeMap<u64, Vec<RecordId>>,
}

/// Number of accesses that are kept before any is forgotten.
pub(super) const CROWD_MIN: usize = 4096;

/// Most accesses that are near.
const NEAR_MAX: usize = 8;

impl Target {
    /// Forgets the accesses of earlier periods than this one.
    fn proceed(&mut self, period: Period) {
        if period == Period::Lock || self.period == Some(period) {
            return;
        }
        self.period = Some(period);
        let over = |earlier: Period| match (earlier, period) {
            // One rank may be in the next epoch while another still is in this one.
            (Period::Fence(before), Period::Fence(now)) => before + 1 < now,
            (Period::Exposure(before), Period::Exposure(now)) => before < now,
            (Period::Lock, _) => false,
            _ => true,
        };
        let records = &mut self.records;
        let mut stays = |slot: u32| {
            let known = &records[slot];
            let ends = known.moment.is_none() && over(known.period);
            if ends {
                records.free(slot);
            }
            !ends
        };
        self.near.retain(|slot| stays(*slot));
        for class in &mut self.classes {
            class.by_place.retain(|_, slot| stays(*slot));
        }
    }

    /// Returns the accesses in the trees of some classes beside bytes from `first` to `end`.
    fn beside<'a>(
        &'a self,
        bounds: (i64, i64),
        wanted: impl Fn(&Action) -> bool + 'a,
    ) -> impl Iterator<Item = &'a Recorded> + 'a {
        self.slots_beside(bounds, wanted).map(|slot| &self.records[slot])
    }

    /// Returns the slots of these accesses.
    fn slots_beside<'a>(
        &'a self,
        (first, end): (i64, i64),
        wanted: impl Fn(&Action) -> bool + 'a,
    ) -> impl Iterator<Item = u32> + 'a {
        let classes = self.classes.iter().filter(move |class| wanted(&class.action));
        let places = (first.saturating_sub(self.longest), 0)..(end, 0);
        classes.flat_map(move |class| class.by_place.range(places.clone())).map(|(_, slot)| *slot)
    }

    /// Returns an access that this one conflicts with: the first in the order of classes, places and numbers.
    fn conflict<'a>(&'a self, new: &'a Recorded) -> Option<&'a Recorded> {
        // Many accesses one after the other in memory are compared with nothing.
        if new.bounds.1 <= self.around.0 || self.around.1 <= new.bounds.0 {
            return None;
        }
        let meets = |known: &Recorded| !known.is_ordered(new) && known.meets(new);
        let is_beside = |known: &&Recorded| {
            known.bounds.0 < new.bounds.1
                && new.bounds.0 < known.bounds.1
                && !compatible(&known.action, &new.action)
                && meets(known)
        };
        let place = |known: &&Recorded| (known.class, known.bounds.0, known.number);
        let near = self.near.iter().map(|slot| &self.records[*slot]);
        let near = near.filter(is_beside).min_by_key(place);
        if self.records.live() == self.near.len() {
            // The trees are empty.
            return near;
        }
        let mut far = self.beside(new.bounds, |action| !compatible(action, &new.action));
        let far = far.find(|known| meets(known));
        near.into_iter().chain(far).min_by_key(place)
    }

    /// Returns what a read tells that locks keep apart from the writes which it sees.
    fn told(&self, new: &Recorded) -> Option<Clock> {
        new.moment.as_ref()?.held?;
        let mut told = Clock::default();
        for known in self.beside(new.bounds, writes) {
            if known.done.is_some() && known.is_excluded(new) && known.overlaps(new) {
                known.moment.iter().for_each(|moment| told.join(&moment.clock));
            }
        }
        Some(told)
    }

    /// Adds an access.
    #[inline(always)]
    fn add(&mut self, mut new: Recorded) -> RecordId {
        new.class = self.class_of(&new.action) as u32;
        let (number, is_near) = (new.number, new.moment.is_none() && self.near.len() < NEAR_MAX);
        let around = if self.records.live() == 0 { new.bounds } else { self.around };
        self.around = (around.0.min(new.bounds.0), around.1.max(new.bounds.1));
        let id = RecordId { slot: self.records.insert(new), number };
        match is_near {
            true => self.near.push(id.slot),
            false => self.add_to_trees(id),
        }
        id
    }

    #[inline(never)]
    fn add_to_trees(&mut self, id: RecordId) {
        let new = &self.records[id.slot];
        let (class, bounds) = (new.class as usize, new.bounds);
        self.longest = self.longest.max(bounds.1 - bounds.0);
        if let Some(moment) = &new.moment {
            let alike = (class, bounds, new.origin, new.direct, moment.held);
            let before = self.last.insert(alike, id);
            let covered = |before: &RecordId| {
                self.known(*before).is_some_and(|known| known.runs == self.records[id.slot].runs)
            };
            if let Some(before) = before.filter(covered) {
                self.remove(before.slot);
            }
        }
        self.classes[class].by_place.insert((bounds.0, id.number), id.slot);
    }

    /// Returns an access that has not been removed.
    fn known(&self, id: RecordId) -> Option<&Recorded> {
        self.records.get(id.slot).filter(|known| known.number == id.number)
    }

    /// Returns the updates of bytes, or of words anywhere, that have taken effect and that nobody has seen.
    fn unseen(&self, place: Option<(i64, &Runs)>) -> Vec<RecordId> {
        let id = |slot: u32| RecordId { slot, number: self.records[slot].number };
        let Some((base, runs)) = place else {
            let words = self.records.iter().filter(|(_, known)| known.runs.bytes() <= POLLED_MAX);
            return words
                .filter(|(_, known)| known.may_be_seen())
                .map(|(slot, _)| id(slot))
                .collect();
        };
        let Some((first, end)) = runs.bounds() else { return Vec::new() };
        let bounds = (base + first, base + end);
        let is_there = |slot: &u32| {
            let known = &self.records[*slot];
            known.may_be_seen() && known.shares((bounds, base, runs))
        };
        self.slots_beside(bounds, Action::is_atomic).filter(is_there).map(id).collect()
    }

    /// Records that accesses are seen at an event.
    fn show(&mut self, accesses: Vec<RecordId>, point: Point) {
        for id in accesses {
            if self.known(id).is_some() {
                self.records[id.slot].seen.get_or_insert(point);
            }
        }
    }

    /// Removes the access in a slot.
    fn remove(&mut self, slot: u32) {
        let known = &self.records[slot];
        match self.near.iter().position(|near| *near == slot) {
            Some(place) => {
                self.near.swap_remove(place);
            }
            None => {
                let place = (known.bounds.0, known.number);
                self.classes[known.class as usize].by_place.remove(&place);
            }
        }
        self.records.free(slot);
    }

    /// Returns the number of accesses that have moments, after those are forgotten that all ranks know.
    fn forget(&mut self, known: &Clock) -> usize {
        let is_known = |access: &Recorded| access.done.is_some_and(|done| known.knows(done));
        let ended = self.records.iter().filter(|(_, access)| is_known(access));
        let ended: Vec<u32> = ended.map(|(slot, _)| slot).collect();
        ended.into_iter().for_each(|slot| self.remove(slot));
        let records = &self.records;
        let is_kept = |id: &RecordId| records.get(id.slot).is_some_and(|at| at.number == id.number);
        self.last.retain(|_, id| is_kept(id));
        records.iter().filter(|(_, access)| access.moment.is_some()).count()
    }

    /// Returns the position of the class of an action.
    fn class_of(&mut self, action: &Action) -> usize {
        let found = self.classes.iter().position(|class| alike(&class.action, action));
        found.unwrap_or_else(|| {
            self.classes.push(Class { action: action.clone(), by_place: BTreeMap::new() });
            self.classes.len() - 1
        })
    }
}

impl Conflicts {
    /// Records an access at a place of its target. Returns its record, by which it is ended, and an
    /// access that it conflicts with.
    pub(crate) fn record(
        &mut self,
        (origin, by): (u32, CallPlace),
        (access, spot): (&Access, Spot),
        (period, moment): (Period, Option<Moment>),
    ) -> Outcome {
        let Some(bounds) = spot.bytes else { return Outcome::default() };
        let new = Recorded {
            origin,
            by,
            action: access.action.clone(),
            does: what(&access.action),
            period,
            moment,
            done: None,
            landed: false,
            seen: None,
            direct: false,
            polls: false,
            vectors: false,
            class: 0,
            number: self.number(),
            bounds,
            base: spot.base,
            runs: access.runs.clone(),
        };
        self.followed += usize::from(new.moment.is_some());
        let target = self.target(access.target);
        target.proceed(period);
        let met = target.conflict(&new).cloned();
        let told = access.action.fetches().then(|| target.told(&new)).flatten();
        let id = Some(target.add(new));
        Outcome { id, met, told }
    }

    /// Records a direct access of a rank to memory of a target at the event `done`, and returns it with an access of
    /// other ranks that it conflicts with, and what it tells.
    pub(crate) fn met_by_direct(
        &mut self,
        (origin, by): (u32, CallPlace),
        (target, base, runs): (u32, i64, Runs),
        (does, polls, vectors): (Does, bool, bool),
        (period, moment): (Period, Option<(Moment, Point)>),
    ) -> (Option<(Recorded, Recorded)>, Option<Clock>) {
        let Some((first, end)) = runs.bounds() else { return (None, None) };
        let action = if does == Does::Read { Action::Get } else { Action::Put };
        let bounds = (base + first, base + end);
        let number = self.number();
        let (moment, done) = moment.unzip();
        let direct = Recorded {
            origin,
            by,
            action,
            does,
            period,
            moment,
            done,
            landed: true,
            seen: None,
            direct: true,
            polls,
            vectors,
            class: 0,
            number,
            bounds,
            base,
            runs,
        };
        // With locks alone nothing tells when it is over.
        let is_kept = period != Period::Lock || done.is_some();
        self.followed += usize::from(done.is_some());
        let near = self.target(target);
        near.proceed(period);
        let met = near.conflict(&direct).cloned();
        let told = if does == Does::Read { near.told(&direct) } else { None };
        if is_kept {
            near.add(direct.clone());
        }
        (met.map(|met| (direct, met)), told)
    }

    /// Returns what those knew who have written to bytes of a target's memory, or to words anywhere in it.
    pub(crate) fn polled(&self, target: u32, place: Option<(i64, &Runs)>) -> Clock {
        let mut told = Clock::default();
        let Some((base, runs)) = place else {
            let all = self.known(target).into_iter().flat_map(|at| at.records.iter());
            let words = all.map(|(_, known)| known).filter(|known| {
                writes(&known.action) && !known.direct && known.runs.bytes() <= POLLED_MAX
            });
            words.filter_map(|known| known.moment.as_ref()).for_each(|m| told.join(&m.clock));
            return told;
        };
        let Some((first, end)) = runs.bounds() else { return told };
        let bounds = (base + first, base + end);
        for known in self.known(target).iter().flat_map(|at| at.beside(bounds, writes)) {
            if let Some(moment) = &known.moment
                && known.shares((bounds, base, runs))
            {
                told.join(&moment.clock);
            }
        }
        told
    }

    /// Records that an access has taken effect, and, if it is an atomic one that `fetches`, the updates that it finds.
    pub(crate) fn land(&mut self, target: u32, id: RecordId, fetches: bool) {
        let near = self.target(target);
        if near.known(id).is_none() {
            return;
        }
        // It does not find itself.
        let new = &near.records[id.slot];
        let found = fetches.then(|| near.unseen(Some((new.base, &new.runs))));
        near.records[id.slot].landed = true;
        if let Some(found) = found {
            self.found.insert(id.number, found);
        }
    }

    /// Records that the result of an atomic access is known at the event `point`, and so the updates that it found.
    pub(crate) fn learn(&mut self, target: u32, id: RecordId, point: Point) {
        let Some(found) = self.found.remove(&id.number) else { return };
        self.target(target).show(found, point);
    }

    /// Records that a rank polls bytes of a target's memory, or words anywhere in it, at the event `point`: it sees the
    /// updates that have taken effect.
    pub(crate) fn see(&mut self, target: u32, place: Option<(i64, &Runs)>, point: Point) {
        let near = self.target(target);
        near.show(near.unseen(place), point);
    }

    /// Returns the accesses to a target, if there have been any.
    fn known(&self, target: u32) -> Option<&Target> {
        self.targets.get(target as usize)?.as_deref()
    }

    /// Returns the accesses to a target.
    fn target(&mut self, target: u32) -> &mut Target {
        let place = target as usize;
        if place >= self.targets.len() {
            self.targets.resize_with(place + 1, || None);
        }
        self.targets[place].get_or_insert_default()
    }

    fn number(&mut self) -> u64 {
        self.next += 1;
        self.next - 1
    }

    /// Ends an access: its origin knows that it is complete, or, with an exposure, its target does. Without
    /// moments that is the end of what it is compared with.
    pub(crate) fn end(&mut self, target: u32, id: RecordId, done: Option<(Point, &Clock)>) {
        let target = self.targets.get_mut(target as usize).and_then(Option::as_deref_mut);
        let Some(target) = target.filter(|target| target.known(id).is_some()) else { return };
        let Some((point, clock)) = done else { return target.remove(id.slot) };
        let access = &mut target.records[id.slot];
        if access.done.is_none() {
            access.done = Some(point);
            access.moment.iter_mut().for_each(|moment| moment.clock = clock.clone());
        }
    }

    /// Returns the event in which an access of a rank of the run was called, in runs that follow the history.
    pub(crate) fn call_of(&self, target: u32, id: RecordId, rank: u32) -> Option<Point> {
        let access = self.known(target)?.known(id)?;
        // Its end comes later.
        let moment = access.moment.as_ref().filter(|_| access.done.is_none())?;
        Some(moment.clock.event_of(rank))
    }

    /// Reports whether an access that may still be compared only reads.
    pub(crate) fn reads(&self, target: u32, id: RecordId) -> bool {
        self.known(target).and_then(|at| at.known(id)).is_some_and(|known| !writes(&known.action))
    }

    /// Reports whether it is time to forget accesses that all ranks know.
    pub(crate) fn is_crowded(&self) -> bool {
        self.followed > self.crowd.max(CROWD_MIN)
    }

    /// Forgets accesses that all ranks know to be complete: whatever starts later comes after them.
    pub(crate) fn forget(&mut self, known: &Clock) {
        self.followed = self.targets.iter_mut().flatten().map(|target| target.forget(known)).sum();
        self.crowd = 2 * self.followed;
    }
}

/// What the record of an access says.
#[derive(Debug, Default)]
pub(crate) struct Outcome {
    /// Its record, by which it is ended.
    pub(crate) id: Option<RecordId>,
    /// An access that it conflicts with.
    pub(crate) met: Option<Recorded>,
    /// What its origin learns from its result.
    pub(crate) told: Option<Clock>,
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{
        call::{Payload, Site},
        kernel::causality::History,
        object::{op::Op, signature::Primitive},
    };

    fn access(action: Action, at: i64, bytes: u64) -> Access {
        let payload = Payload::EMPTY;
        Access {
            target: 0,
            at,
            runs: Runs::One(0, bytes),
            action,
            payload,
            ticket: 0,
            strided: false,
        }
    }

    /// Returns an access with its bytes.
    fn at(access: &Access) -> (&Access, Spot) {
        let bytes = access.runs.bounds();
        let bytes = bytes.map(|(first, end)| (access.at + first, access.at + end));
        (access, Spot { base: access.at, bytes })
    }

    fn record(
        all: &mut Conflicts,
        origin: u32,
        access: &Access,
        period: Period,
    ) -> (RecordId, Option<u32>) {
        let by = (origin, CallPlace { call: "MPI_Put", site: Site::NOWHERE });
        let Outcome { id, met, .. } = all.record(by, at(access), (period, None));
        (id.expect("it has bytes"), met.map(|met| met.origin))
    }

    fn sum() -> Action {
        Action::Update { op: Op::Sum, primitive: Primitive::Int, fetch: false }
    }

    #[test]
    fn accesses_of_one_epoch_meet_where_one_writes() {
        let mut all = Conflicts::default();
        let epoch = Period::Fence(1);
        assert_eq!(record(&mut all, 0, &access(Action::Put, 0, 8), epoch).1, None);
        assert_eq!(record(&mut all, 1, &access(Action::Put, 8, 8), epoch).1, None);
        assert_eq!(record(&mut all, 2, &access(Action::Get, 4, 2), epoch).1, Some(0));
        assert_eq!(record(&mut all, 3, &access(Action::Get, 4, 2), Period::Fence(2)).1, None);
        assert_eq!(record(&mut all, 1, &access(sum(), 20, 4), epoch).1, None);
        assert_eq!(record(&mut all, 2, &access(sum(), 20, 4), epoch).1, None, "the same operation");
        assert_eq!(record(&mut all, 2, &access(Action::Get, 23, 4), epoch).1, Some(1));
        let largest = Action::Update { op: Op::Max, primitive: Primitive::Int, fetch: false };
        assert_eq!(record(&mut all, 1, &access(largest.clone(), 40, 4), epoch).1, None);
        assert_eq!(record(&mut all, 1, &access(sum(), 40, 4), epoch).1, None, "they are ordered");
        assert_eq!(record(&mut all, 2, &access(largest, 40, 4), epoch).1, Some(1));
    }

    #[test]
    fn with_locks_an_access_counts_until_it_is_complete() {
        let mut all = Conflicts::default();
        let (first, _) = record(&mut all, 0, &access(Action::Put, 0, 4), Period::Lock);
        assert_eq!(record(&mut all, 1, &access(Action::Get, 0, 4), Period::Lock).1, Some(0));
        all.end(0, first, None);
        assert_eq!(record(&mut all, 2, &access(Action::Get, 0, 4), Period::Lock).1, None);
    }

    fn moment(clock: &Clock, held: Option<LockType>) -> Option<Moment> {
        Some(Moment { clock: clock.clone(), held })
    }

    fn put(all: &mut Conflicts, origin: u32, place: i64, moment: Option<Moment>) -> Outcome {
        let by = (origin, CallPlace { call: "MPI_Put", site: Site::NOWHERE });
        all.record(by, at(&access(Action::Put, place, 4)), (Period::Lock, moment))
    }

    #[test]
    fn with_moments_an_access_counts_until_the_other_knows_that_it_is_complete() {
        let mut all = Conflicts::default();
        let mut history = History::new(3);
        let start = |history: &mut History, rank| moment(&history.release(rank), None);
        let first = put(&mut all, 0, 0, start(&mut history, 0)).id.expect("it has bytes");
        assert!(put(&mut all, 1, 0, start(&mut history, 1)).met.is_some(), "it is under way");
        let (point, clock) = (history.present(0), history.release(0));
        all.end(0, first, Some((point, &clock)));
        assert!(put(&mut all, 2, 0, start(&mut history, 2)).met.is_some(), "nobody has told");
        let mut all = Conflicts::default();
        let first = put(&mut all, 0, 0, start(&mut history, 0)).id.expect("it has bytes");
        let (point, clock) = (history.present(0), history.release(0));
        all.end(0, first, Some((point, &clock)));
        history.learn(2, &clock);
        assert!(put(&mut all, 2, 0, start(&mut history, 2)).met.is_none());
        all.forget(&clock);
        assert_eq!(all.followed, 1, "the second is not complete");
    }

    #[test]
    fn locks_keep_accesses_apart_and_reads_under_them_tell() {
        let mut all = Conflicts::default();
        let mut history = History::new(2);
        let event = history.present(0);
        let alone = |history: &mut History, rank, held| moment(&history.release(rank), Some(held));
        let first = put(&mut all, 0, 0, alone(&mut history, 0, LockType::Exclusive)).id;
        let (point, clock) = (history.present(0), history.release(0));
        all.end(0, first.expect("it has bytes"), Some((point, &clock)));
        let read = access(Action::Get, 0, 4);
        let by = (1, CallPlace { call: "MPI_Get", site: Site::NOWHERE });
        let place = alone(&mut history, 1, LockType::Shared);
        let seen = all.record(by, at(&read), (Period::Lock, place));
        assert!(seen.met.is_none() && seen.told.is_some_and(|told| told.knows(event)));
        assert!(put(&mut all, 1, 0, moment(&history.release(1), None)).met.is_some(), "no lock");
    }

    proptest! {
        /// More accesses than are near, in any order: each meets the one that a look at all of them finds first.
        #[test]
        fn accesses_near_and_in_trees_are_found_in_the_same_order(
            steps in prop::collection::vec((0..6_u32, 0..24_i64, 1..6_u64, 0..5_usize, 0..60_usize), 1..120),
        ) {
            let product = Action::Update { op: Op::Product, primitive: Primitive::Int, fetch: true };
            let actions = [Action::Put, Action::Get, sum(), product, Action::Swap(Primitive::Int)];
            let (mut all, mut open) = (Conflicts::default(), Vec::<(u32, usize, (i64, i64), RecordId)>::new());
            let mut classes: Vec<usize> = Vec::new();
            for (origin, place, bytes, kind, ends) in steps {
                if ends < open.len() {
                    let (.., id) = open.swap_remove(ends);
                    all.end(0, id, None);
                }
                let bounds = (place, place + bytes as i64);
                let conflicts = |(by, other, at, _): &&(u32, usize, (i64, i64), RecordId)| {
                    let atomic = actions[*other].is_atomic() && actions[kind].is_atomic();
                    at.0 < bounds.1
                        && bounds.0 < at.1
                        && !compatible(&actions[*other], &actions[kind])
                        && !(*by == origin && atomic)
                };
                let order = |(_, kind, at, id): &&(u32, usize, (i64, i64), RecordId)| {
                    (classes.iter().position(|class| class == kind), at.0, id.number)
                };
                let first = open.iter().filter(conflicts).min_by_key(order).map(|(.., id)| id.number);
                let made = access(actions[kind].clone(), place, bytes);
                let by = (origin, CallPlace { call: "MPI_Put", site: Site::NOWHERE });
                let found = all.record(by, at(&made), (Period::Lock, None));
                prop_assert_eq!(found.met.map(|met| met.number), first);
                if !classes.contains(&kind) {
                    classes.push(kind);
                }
                open.push((origin, kind, bounds, found.id.expect("it has bytes")));
            }
        }
    }

    #[test]
    fn columns_do_not_meet() {
        let mut all = Conflicts::default();
        let column = |at| Access {
            runs: Runs::Many(Box::new([(0, 4), (40, 4), (80, 4)])),
            ..access(Action::Put, at, 0)
        };
        let epoch = Period::Exposure(3);
        assert_eq!(record(&mut all, 0, &column(0), epoch).1, None);
        assert_eq!(record(&mut all, 1, &column(4), epoch).1, None);
        assert_eq!(record(&mut all, 2, &access(Action::Put, 42, 1), epoch).1, Some(0));
        assert_eq!(record(&mut all, 2, &access(Action::Put, 8, 32), epoch).1, None);
    }
}
