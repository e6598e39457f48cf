//! [`Limits`]: what ends the rise of levels, in order.

use std::{cmp::Reverse, collections::BinaryHeap};

use super::sharing::FlowId;

/// What ends the rise of a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Limit {
    /// A resource of several flows without rates is used up.
    Resource(u32),
    /// The bound of a flow is reached, or a resource that it has alone is used up.
    Flow(FlowId),
}

/// Limits with the levels at which they end a rise, which are not negative.
///
/// Most levels are known at the start: they are sorted once, and only those that rise later go
/// through a heap. Levels are stored as their bits, which have the same order.
#[derive(Clone, Debug, Default)]
pub(super) struct Limits {
    /// Descending.
    known: Vec<(u64, Limit)>,
    risen: BinaryHeap<Reverse<(u64, Limit)>>,
}

impl Limits {
    pub(super) fn clear(&mut self) {
        self.known.clear();
        self.risen.clear();
    }

    /// Adds a limit; [`Limits::sort`] must follow.
    pub(super) fn add(&mut self, level: f64, limit: Limit) {
        self.known.push((level.to_bits(), limit));
    }

    pub(super) fn sort(&mut self) {
        self.known.sort_unstable_by(|one, other| other.cmp(one));
    }

    /// Adds a limit again whose level has risen.
    pub(super) fn raise(&mut self, level: f64, limit: Limit) {
        self.risen.push(Reverse((level.to_bits(), limit)));
    }

    /// Removes the limit with the lowest level and returns both.
    pub(super) fn pop(&mut self) -> Option<(f64, Limit)> {
        let risen = self.risen.peek().map(|Reverse(risen)| *risen);
        let first = match (self.known.last().copied(), risen) {
            (Some(known), Some(risen)) if risen < known => self.risen.pop().map(|Reverse(it)| it),
            (None, _) => self.risen.pop().map(|Reverse(it)| it),
            (Some(_), _) => self.known.pop(),
        };
        first.map(|(bits, limit)| (f64::from_bits(bits), limit))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_come_by_level_then_resources_before_flows() {
        let mut limits = Limits::default();
        let list = [(2.0, Limit::Flow(1)), (0.5, Limit::Resource(7)), (2.0, Limit::Resource(3))];
        list.into_iter().for_each(|(level, limit)| limits.add(level, limit));
        limits.sort();
        assert_eq!(limits.pop(), Some((0.5, Limit::Resource(7))));
        limits.raise(2.5, Limit::Resource(7));
        limits.raise(1.0, Limit::Resource(9));
        let rest: Vec<_> = std::iter::from_fn(|| limits.pop()).collect();
        let expected = [
            (1.0, Limit::Resource(9)),
            (2.0, Limit::Resource(3)),
            (2.0, Limit::Flow(1)),
            (2.5, Limit::Resource(7)),
        ];
        assert_eq!(rest, expected);
    }
}
