//! Whether two uses of memory of a window are ordered, and what is said of those that are not (MPI section 12.7).

use super::course::Model;
use crate::plan::{
    Wrong,
    window::{Deed, Flavor, Turn, Update, Window},
};

/// What the model says about the program of a window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Judgement {
    /// It is right.
    Right,
    /// It is wrong.
    Wrong(Wrong),
    /// The standard, or the order of an execution, leaves open whether it is wrong.
    Open,
    /// The order of the program is none in which it may happen: a rank would wait for a later call.
    Stuck,
}

/// A pair of accesses that are not ordered but do not disturb each other, by the positions of their turns.
pub(super) type Pair = (usize, usize);

/// What is said about two accesses to the same bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Relation {
    Ordered,
    /// Either may come first.
    Together,
    Conflict,
    Open,
}

/// An event of a rank, by its number.
pub(super) type Event = (u32, u32);

/// A use of memory of the window.
#[derive(Clone, Debug)]
pub(super) struct Use {
    pub(super) turn: usize,
    pub(super) rank: u32,
    pub(super) target: u32,
    pub(super) bytes: u128,
    pub(super) what: What,
    /// The lock that the rank holds on the target, and whether it is exclusive.
    pub(super) lock: Option<bool>,
    /// The exposure of the target's memory in which it is made: one of `MPI_Win_post` or of a fence, by number.
    pub(super) exposure: Option<u32>,
    /// The event with which it is complete.
    pub(super) done: Option<Event>,
    /// An event with which it may be complete, depending on how the standard is read.
    pub(super) perhaps: Option<Event>,
}

/// The kind of a use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum What {
    Load,
    Store,
    Access(usize),
}

impl Model<'_> {
    fn writes(&self, what: What) -> bool {
        match what {
            What::Load => false,
            What::Store => true,
            What::Access(id) => self.window.accesses[id].kind.writes(),
        }
    }

    pub(super) fn relation(&self, before: &Use, new: &Use) -> Relation {
        if !self.writes(before.what) && !self.writes(new.what) {
            return Relation::Ordered;
        }
        let own = |what: What| matches!(what, What::Load | What::Store);
        if own(before.what) && own(new.what) {
            return Relation::Ordered;
        }
        if self.knows(new.rank, before.done) {
            // Stores may reach others only with the synchronisation of the window (rules 5 and 6).
            let mixed = own(before.what) != own(new.what);
            let same = new.exposure.is_some() && before.exposure == new.exposure;
            return if mixed && same { Relation::Open } else { Relation::Ordered };
        }
        if before.rank != new.rank && (before.lock, new.lock) != (None, None) {
            let locks = before.lock.zip(new.lock);
            if locks.is_some_and(|(one, other)| one || other) {
                return Relation::Together;
            }
        }
        let told = match (before.what, new.what) {
            (What::Access(one), What::Access(other)) => self.atomics(before, new, (one, other)),
            _ => Relation::Conflict,
        };
        if told == Relation::Conflict
            && (self.knows(new.rank, before.perhaps) || !self.is_sure(before, new))
        {
            return Relation::Open;
        }
        told
    }

    /// Returns what two unordered accesses are to each other.
    fn atomics(&self, before: &Use, new: &Use, (one, other): (usize, usize)) -> Relation {
        let (one, other) = (&self.window.accesses[one], &self.window.accesses[other]);
        if !one.kind.is_atomic() || !other.kind.is_atomic() {
            return Relation::Conflict;
        }
        if one.primitive != other.primitive {
            return Relation::Open;
        }
        if before.rank == new.rank {
            return Relation::Ordered;
        }
        let mild = |update: Option<Update>| matches!(update, Some(Update::NoOp));
        match (one.kind.update(), other.kind.update()) {
            (first, second) if first == second || mild(first) || mild(second) => Relation::Together,
            // With `accumulate_ops` as it is by default these are not to be mixed; locks that programs
            // make do it all the same.
            (None | Some(Update::Replace), _) | (_, None | Some(Update::Replace)) => Relation::Open,
            _ => Relation::Conflict,
        }
    }

    /// Returns whether nothing else can order the two uses, and every check sees both. Values order
    /// accesses, too: who has read what another rank wrote atomically, or under a lock that kept them
    /// apart, or in a loop, comes after it.
    fn is_sure(&self, before: &Use, new: &Use) -> bool {
        let own = |one: &Use| matches!(one.what, What::Load | What::Store);
        let unwatched = self.window.flavor == Flavor::Shared && (own(before) || own(new));
        let short = |one: &Use| one.what == What::Load && one.bytes.count_ones() <= 16;
        if unwatched || short(before) || short(new) {
            return false;
        }
        before.rank == new.rank || !self.window.tells()
    }
}

impl Window {
    /// Returns whether there are exclusive locks.
    pub(super) fn is_exclusive(&self) -> bool {
        self.turns.iter().any(|turn| matches!(turn, Turn::Deed(_, Deed::Lock(_, true))))
    }

    /// Returns whether values in the window may tell a rank what another one has done.
    fn tells(&self) -> bool {
        self.turns.iter().any(|turn| match turn {
            Turn::Deed(_, Deed::Access(id)) => {
                let kind = self.accesses[*id].kind;
                kind.is_atomic() && kind.fetches()
            }
            Turn::Deed(_, Deed::Lock(_, true) | Deed::Sync) => true,
            _ => false,
        })
    }
}
