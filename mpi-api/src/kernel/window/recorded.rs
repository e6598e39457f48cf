//! [`Recorded`]: an access to the memory of a window, and when two of them are concurrent (MPI section
//! 12.7).
//!
//! With the moments of a [history](crate::kernel::causality), two accesses are ordered if one is known to
//! be complete, or to be seen in memory, where the other starts, or if locks keep them apart. Without, they are
//! concurrent if they belong to the same epoch of fences, to the same exposure by `MPI_Win_post`, or, with locks, if one is
//! started before the other is known to be complete: so it is in the execution at hand, whatever its
//! timing. No concurrency is guessed.

use super::effect::mixes;
use crate::{
    call::{Action, LockType, Runs},
    check::window_race::Does,
    finding::CallPlace,
    kernel::{
        causality::{Clock, Point},
        transport::message::Vacate,
    },
    object::datatype::joined,
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

/// The place of an access in the history of its origin.
#[derive(Clone, Debug)]
pub(crate) struct Moment {
    /// The moment in which it starts, or, once it is complete, that of its completion.
    pub(crate) clock: Clock,
    /// The lock that its origin holds on the target.
    pub(crate) held: Option<LockType>,
}

/// An access that was recorded.
#[derive(Clone, Debug)]
pub(crate) struct Recorded {
    pub(crate) origin: u32,
    pub(crate) by: CallPlace,
    pub(crate) action: Action,
    pub(crate) does: Does,
    pub(crate) period: Period,
    /// Its place in the history, in runs that follow it.
    pub(super) moment: Option<Moment>,
    /// The event after which it is complete.
    pub(super) done: Option<Point>,
    /// Whether it has taken effect.
    pub(super) landed: bool,
    /// The event in which a rank has first found its effect in memory, by a poll or an atomic access.
    pub(super) seen: Option<Point>,
    /// Whether its origin uses memory that it can address, without an access of MPI.
    pub(super) direct: bool,
    /// Whether it may be one of many by which its rank waits for an atomic update.
    pub(super) polls: bool,
    /// Whether it loads whole vectors, of which the program may drop elements.
    pub(super) vectors: bool,
    /// The position of its class among those of its target, once it is kept.
    pub(super) class: u32,
    /// Its number among the accesses to its window; [`VACANT`] if the record is not in use.
    pub(super) number: u64,
    /// First byte and end.
    pub(super) bounds: (i64, i64),
    /// Place that the runs are relative to.
    pub(super) base: i64,
    pub(super) runs: Runs,
}

/// The number of a record that is not in use.
const VACANT: u64 = u64::MAX;

impl Vacate for Recorded {
    fn vacate(&mut self) {
        self.number = VACANT;
        self.moment = None;
        self.runs = Runs::One(0, 0);
    }

    fn is_live(&self) -> bool {
        self.number != VACANT
    }
}

impl Recorded {
    /// Reports whether locks keep two accesses apart.
    pub(super) fn is_excluded(&self, new: &Self) -> bool {
        let held = |access: &Self| access.moment.as_ref().and_then(|moment| moment.held);
        let (Some(one), Some(other)) = (held(self), held(new)) else { return false };
        self.origin != new.origin && (one == LockType::Exclusive || other == LockType::Exclusive)
    }

    /// Reports whether synchronisation orders this access and one that starts now.
    pub(super) fn is_ordered(&self, new: &Self) -> bool {
        // The atomic accesses of one origin are ordered, and so are its direct ones.
        let atomic = self.action.is_atomic() && new.action.is_atomic();
        if self.origin == new.origin && (atomic || self.direct && new.direct) {
            return true;
        }
        if self.polls && new.action.is_atomic() || new.polls && self.action.is_atomic() {
            return true;
        }
        match (&self.moment, &new.moment) {
            (Some(_), Some(moment)) => {
                let ends = [self.done, self.seen];
                ends.into_iter().flatten().any(|end| moment.clock.knows(end))
                    || self.is_excluded(new)
            }
            _ => self.period != new.period || self.done.is_some(),
        }
    }

    /// Reports whether this is an atomic update that has taken effect and that nobody has seen. Of other writes a part may
    /// be seen before the rest, and those of other epochs are over with these.
    pub(super) fn may_be_seen(&self) -> bool {
        let is_update = self.action.is_atomic() && writes(&self.action);
        is_update && self.period == Period::Lock && self.landed && self.seen.is_none()
    }

    /// Reports whether two accesses share a byte.
    pub(super) fn overlaps(&self, new: &Self) -> bool {
        self.shares((new.bounds, new.base, &new.runs))
    }

    /// Reports whether two accesses certainly share a byte that both use.
    pub(super) fn meets(&self, new: &Self) -> bool {
        let place = |access: &Self| (access.vectors, access.base);
        self.overlaps(new) && !may_miss((place(self), &self.runs), (place(new), &new.runs))
    }

    /// Reports whether an access shares a byte with runs at a base, whose first byte and end are known.
    pub(super) fn shares(&self, (bounds, base, runs): ((i64, i64), i64, &Runs)) -> bool {
        self.bounds.1 > bounds.0 && meet((self.base, &self.runs), (base, runs))
    }
}

/// Returns what an access does, for texts.
pub(super) fn what(action: &Action) -> Does {
    match action {
        Action::Put => Does::Write,
        Action::Get => Does::Read,
        Action::Update { .. } | Action::Swap(_) => Does::Update,
    }
}

/// Reports whether an access changes memory.
pub(super) fn writes(action: &Action) -> bool {
    match action {
        Action::Get => false,
        Action::Update { op, .. } => !matches!(op, crate::object::op::Op::NoOp),
        Action::Put | Action::Swap(_) => true,
    }
}

/// Reports whether two accesses do the same.
pub(super) fn alike(one: &Action, other: &Action) -> bool {
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
pub(super) fn compatible(one: &Action, other: &Action) -> bool {
    !writes(one) && !writes(other) || mixes(one, other)
}

/// Returns the first bytes and ends of runs at a base, in order and without neighbours.
fn pieces(base: i64, runs: &Runs) -> Box<[(i64, i64)]> {
    let ranges = runs.iter().map(|(at, bytes)| (base + at, base + at + bytes as i64));
    joined(ranges.collect())
}

/// Reports whether two sets of runs, each at its base, share a byte. Their bounds must overlap.
pub(super) fn meet((base, runs): (i64, &Runs), (other, others): (i64, &Runs)) -> bool {
    if let (Runs::One(..), Runs::One(..)) = (runs, others) {
        return true;
    }
    let (one, two) = (pieces(base, runs), pieces(other, others));
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

/// Whether memory is read in whole vectors, and a base with runs.
type Loaded<'a> = ((bool, i64), &'a Runs);

/// Reports whether two accesses that share bytes may use none of these both, as one of them loads whole vectors.
pub(super) fn may_miss(one: Loaded, other: Loaded) -> bool {
    let drops = |((vectors, base), runs): Loaded, ((_, other), elements): Loaded| {
        vectors && may_drop((base, runs), (other, elements))
    };
    drops(one, other) || drops(other, one)
}

/// Most bytes between two elements of which vectorised code loads one with the other.
const GAP_MAX: i64 = 64;

/// Reports whether loads of whole vectors may drop all bytes that they share with another access: code that compilers have
/// vectorised loads what lies between the elements that it uses, and so elements that others write.
fn may_drop((base, loads): (i64, &Runs), (other, elements): (i64, &Runs)) -> bool {
    let Runs::Many(_) = elements else { return false };
    let (loads, elements) = (pieces(base, loads), pieces(other, elements));
    let is_near = |one: usize, next: usize| match (elements.get(one), elements.get(next)) {
        (Some(one), Some(next)) => next.0 - one.1 <= GAP_MAX,
        _ => false,
    };
    let is_among_others = |at: usize| at > 0 && is_near(at - 1, at) || is_near(at, at + 1);
    elements.iter().enumerate().all(|(at, element)| {
        let first = loads.partition_point(|load| load.1 <= element.0);
        let mut meeting = loads[first..].iter().take_while(|load| load.0 < element.1);
        meeting.all(|load| is_among_others(at) && !(element.0 <= load.0 && load.1 <= element.1))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors_drop_elements_among_others_only() {
        let every_second: Vec<(i64, u64)> = (0..8).map(|at| (16 * at, 8)).collect();
        let comb = Runs::Many(every_second.into());
        let drops = |load, runs: &Runs| may_drop((0, &load), (8, runs));
        assert!(drops(Runs::One(0, 128), &comb));
        assert!(!drops(Runs::One(24, 8), &comb), "the load is of an element alone");
        let block = Runs::Many([(0, 8), (8, 8), (16, 48)].into());
        assert!(!drops(Runs::One(0, 128), &block), "neighbours are one block");
        let far = Runs::Many([(0, 8), (512, 8)].into());
        assert!(!drops(Runs::One(0, 128), &far));
    }
}
