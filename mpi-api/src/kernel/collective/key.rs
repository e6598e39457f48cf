//! [`Key`]: the identity of a collective operation, equal on all ranks that take part in it.

use crate::{
    call::{CommId, GroupTag},
    kernel::first_map::FirstMap,
    object::group::Group,
    observation::OperationId,
};

/// The identity of one collective operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Key {
    /// The communicator's number.
    pub(crate) comm: u32,
    /// World rank of the caller on `MPI_COMM_SELF`, whose number all ranks share; otherwise 0.
    alone: u32,
    pub(super) number: Number,
}

/// The position of an operation among those of its communicator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Number {
    /// Counted per communicator: all ranks call these operations in the same order.
    Ordered(u32),
    /// A persistent operation, counted at its initialization and again at each start, so that
    /// persistent operations may be started in any order.
    Persistent { channel: u32, start: u32 },
    /// A construction over a group only, counted per group and tag.
    Group { name: u32, count: u32 },
}

/// Counters of the operations of each kind that one rank has begun.
#[derive(Default)]
pub(crate) struct Numbering {
    pub(super) ordered: FirstMap<u32, u32>,
    pub(super) persistent: FirstMap<u32, u32>,
    pub(super) group: FirstMap<u32, u32>,
}

/// Returns the number of the next operation, counted from 0.
pub(super) fn count(counters: &mut FirstMap<u32, u32>, id: u32) -> u32 {
    let next = counters.or_default(id);
    *next += 1;
    *next - 1
}

/// The ranks of constructions over a group only, with communicator and tag, by number.
#[derive(Default)]
pub(crate) struct GroupNames(pub(super) Vec<(u32, GroupTag, Group)>);

/// Hands out the tags of messages inside collectives: operations that are under way at the same
/// time never share one.
#[derive(Default)]
pub(crate) struct Tags(u64);

impl Tags {
    /// Returns the tag that comes next, unless it is in use.
    pub(super) fn upcoming(&self) -> i32 {
        (self.0 % (1 << 31)) as i32
    }

    /// Returns the next tag that is not in use according to `is_taken`. Tags are never negative.
    pub(crate) fn next(&mut self, is_taken: impl Fn(i32) -> bool) -> i32 {
        const ALL: u64 = 1 << 31;
        loop {
            let tag = (self.0 % ALL) as i32;
            self.0 += 1;
            // A tag can still be in use only after all tags have been used once.
            if self.0 <= ALL || !is_taken(tag) {
                return tag;
            }
        }
    }
}

impl Key {
    /// Reports whether the operation is a construction over a group only.
    pub(in crate::kernel) fn is_of_group(self) -> bool {
        matches!(self.number, Number::Group { .. })
    }

    pub(super) fn new(rank: u32, comm: CommId, number: Number) -> Self {
        let alone = if comm == CommId::SELF { rank } else { 0 };
        Self { comm: comm.0, alone, number }
    }

    /// Returns the key of an operation that all ranks call in order.
    #[cfg(test)]
    pub(in crate::kernel) fn ordered_for_tests(comm: CommId, number: u32) -> Self {
        Self::new(0, comm, Number::Ordered(number))
    }

    /// Returns the identity for observers; `None` for constructions over a group only.
    pub(in crate::kernel) fn operation(self) -> Option<OperationId> {
        match self.number {
            Number::Ordered(number) => Some(self.ordered(number)),
            Number::Persistent { channel, start } => Some(self.started(channel, start)),
            Number::Group { .. } => None,
        }
    }

    pub(super) fn ordered(self, number: u32) -> OperationId {
        OperationId { comm: self.comm, alone: self.alone, number: number.into() }
    }

    pub(super) fn started(self, channel: u32, start: u32) -> OperationId {
        let number = 1 << 63 | u64::from(channel) << 32 | u64::from(start);
        OperationId { comm: self.comm, alone: self.alone, number }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_differ_where_operations_do() {
        let world = |number| Key::new(3, CommId::WORLD, number);
        let persistent = |channel, start| world(Number::Persistent { channel, start });
        assert_eq!(world(Number::Ordered(1)), Key::new(4, CommId::WORLD, Number::Ordered(1)));
        assert_ne!(persistent(0, 0), persistent(1 << 12, 0));
        assert_ne!(persistent(0, 0), persistent(0, 1 << 16));
        assert_ne!(persistent(0, 1), world(Number::Ordered(1)));
        let alone =
            |rank| Key::new(rank, CommId::SELF, Number::Persistent { channel: 0, start: 0 });
        assert_ne!(alone(0), alone(1));
    }

    #[test]
    fn a_tag_in_use_is_passed_over() {
        let mut tags = Tags((1 << 31) - 1);
        assert_eq!(tags.next(|_| true), i32::MAX);
        assert_eq!(tags.next(|tag| tag < 3), 3);
        assert_eq!(tags.next(|_| false), 4);
    }
}
