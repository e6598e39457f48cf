//! [`Conflicts`]: the accesses to the memory of a window that no synchronisation orders (MPI section
//! 12.7).
//!
//! Two accesses are concurrent if they belong to the same epoch of fences, to the same exposure by
//! `MPI_Win_post`, or, with locks, if one is started before the other is known to be complete. This
//! is so in the execution at hand, whatever its timing: no concurrency is guessed.

use std::collections::BTreeMap;

use super::effect::mixes;
use crate::{
    call::{Access, Action, Runs},
    finding::Origin,
};

/// The period in which an access may take effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Period {
    /// The epoch after the fence of this number.
    Fence(u64),
    /// The exposure of this number at the target.
    Exposure(u64),
    /// Until the origin has completed it.
    Lock,
}

/// An access that was recorded.
#[derive(Clone, Debug)]
pub(crate) struct Recorded {
    pub(crate) origin: u32,
    pub(crate) by: Origin,
    pub(crate) action: Action,
    period: Period,
    /// Whether it is the target's own, without MPI.
    own: bool,
    number: u64,
    /// First byte and end.
    bounds: (i64, i64),
    /// Place that the runs are relative to.
    base: i64,
    runs: Runs,
}

/// Accesses that do the same, by their first byte: none of them conflicts with another unless it
/// writes.
#[derive(Debug)]
struct Class {
    action: Action,
    by_place: BTreeMap<(i64, u64), Recorded>,
}

/// The accesses to one target. The usual ones, many updates with one operation, are not compared with
/// each other.
#[derive(Debug, Default)]
struct Target {
    classes: Vec<Class>,
    /// Class and place of each access with a lock, by number.
    places: BTreeMap<u64, (usize, i64)>,
    /// Largest distance from first byte to end.
    longest: i64,
    /// The last period in which memory was accessed other than with locks.
    period: Option<Period>,
}

/// The accesses to a window that are not known to be complete.
#[derive(Debug, Default)]
pub(crate) struct Conflicts {
    targets: BTreeMap<u32, Target>,
    next: u64,
}

fn writes(action: &Action) -> bool {
    match action {
        Action::Get => false,
        Action::Update { op, .. } => !matches!(op, crate::object::op::Op::NoOp),
        Action::Put | Action::Swap(_) => true,
    }
}

/// Reports whether two accesses do the same.
fn alike(one: &Action, other: &Action) -> bool {
    match (one, other) {
        (Action::Put, Action::Put) | (Action::Get, Action::Get) => true,
        (Action::Swap(one), Action::Swap(other)) => one == other,
        (
            Action::Update { op: a, primitive: x, .. },
            Action::Update { op: b, primitive: y, .. },
        ) => std::mem::discriminant(a) == std::mem::discriminant(b) && x == y,
        _ => false,
    }
}

/// Reports whether two accesses may be concurrent, wherever they are.
fn compatible(one: &Action, other: &Action) -> bool {
    !writes(one) && !writes(other) || mixes(one, other)
}

/// Reports whether two sets of runs, each at its base, share a byte.
fn meet((base, runs): (i64, &Runs), (other, others): (i64, &Runs)) -> bool {
    let sorted = |base: i64, runs: &Runs| {
        let mut list: Vec<(i64, i64)> =
            runs.iter().map(|(at, bytes)| (base + at, base + at + bytes as i64)).collect();
        list.sort_unstable();
        list
    };
    if let (Runs::One(..), Runs::One(..)) = (runs, others) {
        return true;
    }
    let (one, two) = (sorted(base, runs), sorted(other, others));
    let (mut a, mut b) = (0, 0);
    while a < one.len() && b < two.len() {
        if one[a].1 <= two[b].0 {
            a += 1;
        } else if two[b].1 <= one[a].0 {
            b += 1;
        } else {
            return true;
        }
    }
    false
}

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
        for class in &mut self.classes {
            class.by_place.retain(|_, known| !over(known.period));
        }
    }

    /// Returns an access of the same period that this one conflicts with.
    fn conflict(&self, new: &Recorded) -> Option<&Recorded> {
        let (first, end) = new.bounds;
        let others = self.classes.iter().filter(|class| !compatible(&class.action, &new.action));
        let near = others.flat_map(|class| {
            class.by_place.range((first.saturating_sub(self.longest), 0)..(end, 0))
        });
        near.map(|(_, known)| known).find(|known| {
            // The atomic accesses of one origin are ordered.
            let ordered =
                known.origin == new.origin && known.action.is_atomic() && new.action.is_atomic();
            known.bounds.1 > first
                && known.period == new.period
                && !(known.own && new.own)
                && !ordered
                && meet((known.base, &known.runs), (new.base, &new.runs))
        })
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
    /// Records an access at a place of its target. Returns its number, by which it is ended, and an
    /// access that it conflicts with.
    pub(crate) fn record(
        &mut self,
        (origin, by): (u32, Origin),
        (base, access): (i64, &Access),
        period: Period,
    ) -> (Option<u64>, Option<Recorded>) {
        let Some((first, end)) = access.runs.bounds() else { return (None, None) };
        let number = self.next;
        self.next += 1;
        let new = Recorded {
            origin,
            by,
            action: access.action.clone(),
            period,
            own: false,
            number,
            bounds: (base + first, base + end),
            base,
            runs: access.runs.clone(),
        };
        let target = self.targets.entry(access.target).or_default();
        target.proceed(period);
        let met = target.conflict(&new).cloned();
        target.longest = target.longest.max(end - first);
        let class = target.class_of(&new.action);
        if period == Period::Lock {
            target.places.insert(number, (class, new.bounds.0));
        }
        target.classes[class].by_place.insert((new.bounds.0, new.number), new);
        (Some(number), met)
    }

    /// Records a rank's own access to its memory, and returns it with an access of other ranks that it
    /// conflicts with.
    pub(crate) fn met_by_own(
        &mut self,
        (target, by): (u32, Origin),
        (base, runs): (i64, Runs),
        (writes, period): (bool, Period),
    ) -> Option<(Recorded, Recorded)> {
        let (first, end) = runs.bounds()?;
        let action = if writes { Action::Put } else { Action::Get };
        let bounds = (base + first, base + end);
        let number = self.next;
        self.next += 1;
        let own =
            Recorded { origin: target, by, action, period, own: true, number, bounds, base, runs };
        let near = self.targets.entry(target).or_default();
        near.proceed(period);
        let met = near.conflict(&own).cloned();
        // With locks nothing tells when it is over.
        if period != Period::Lock {
            near.longest = near.longest.max(end - first);
            let class = near.class_of(&own.action);
            near.classes[class].by_place.insert((bounds.0, number), own.clone());
        }
        met.map(|met| (own, met))
    }

    /// Ends an access with a lock: its origin knows that it is complete.
    pub(crate) fn end(&mut self, target: u32, number: u64) {
        let Some(target) = self.targets.get_mut(&target) else { return };
        if let Some((class, place)) = target.places.remove(&number) {
            target.classes[class].by_place.remove(&(place, number));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        call::{Payload, Site},
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

    fn record(
        all: &mut Conflicts,
        origin: u32,
        access: &Access,
        period: Period,
    ) -> (u64, Option<u32>) {
        let (number, met) =
            all.record((origin, ("MPI_Put", Site::NOWHERE)), (access.at, access), period);
        (number.expect("it has bytes"), met.map(|met| met.origin))
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
        all.end(0, first);
        assert_eq!(record(&mut all, 2, &access(Action::Get, 0, 4), Period::Lock).1, None);
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
