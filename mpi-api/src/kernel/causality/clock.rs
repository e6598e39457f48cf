//! [`Clock`]: a vector clock (Mattern, "Virtual time and global states of distributed systems", 1989).

use std::rc::Rc;

/// An event of a rank: the rank's number in the run, and the count of its clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::kernel) struct Point {
    pub(in crate::kernel) rank: u32,
    pub(in crate::kernel) count: u32,
}

/// The events of all ranks that happened before a moment of one rank: for each rank, the count of the last
/// one. Copies share their memory until one of them changes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::kernel) struct Clock(Rc<Vec<u32>>);

impl Clock {
    /// Returns the clock of a rank that knows of its own first event only.
    pub(super) fn of_rank(rank: u32) -> Self {
        let mut clock = Self::default();
        clock.advance(rank);
        clock
    }

    /// Returns the count of the last event of a rank that happened before.
    pub(super) fn count(&self, rank: u32) -> u32 {
        self.0.get(rank as usize).copied().unwrap_or(0)
    }

    /// Returns the last event of a rank that happened before.
    pub(in crate::kernel) fn event_of(&self, rank: u32) -> Point {
        Point { rank, count: self.count(rank) }
    }

    /// Reports whether an event happened before.
    pub(in crate::kernel) fn knows(&self, point: Point) -> bool {
        self.count(point.rank) >= point.count
    }

    /// Adds all events that happened before another moment.
    pub(in crate::kernel) fn join(&mut self, other: &Self) {
        if Rc::ptr_eq(&self.0, &other.0) {
            return;
        }
        let mut pairs = self.0.iter().zip(other.0.iter());
        if self.0.len() >= other.0.len() && pairs.all(|(mine, theirs)| mine >= theirs) {
            return;
        }
        if self.0.is_empty() {
            self.0 = Rc::clone(&other.0);
            return;
        }
        let counts = Rc::make_mut(&mut self.0);
        if counts.len() < other.0.len() {
            counts.resize(other.0.len(), 0);
        }
        for (mine, theirs) in counts.iter_mut().zip(other.0.iter()) {
            *mine = (*mine).max(*theirs);
        }
    }

    /// Removes all events that did not happen before another moment as well.
    pub(super) fn meet(&mut self, other: &Self) {
        let counts = Rc::make_mut(&mut self.0);
        counts.truncate(other.0.len());
        for (mine, theirs) in counts.iter_mut().zip(other.0.iter()) {
            *mine = (*mine).min(*theirs);
        }
    }

    /// Begins the next event of a rank.
    pub(super) fn advance(&mut self, rank: u32) {
        let counts = Rc::make_mut(&mut self.0);
        if counts.len() <= rank as usize {
            counts.resize(rank as usize + 1, 0);
        }
        counts[rank as usize] += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_joined_is_known_and_copies_do_not_change() {
        let (mut one, mut two) = (Clock::of_rank(0), Clock::of_rank(2));
        let event = Point { rank: 0, count: one.count(0) };
        let copy = one.clone();
        one.advance(0);
        assert!(one.knows(event) && !two.knows(event));
        two.join(&copy);
        assert!(two.knows(event) && !two.knows(Point { count: 2, ..event }));
        assert_eq!((copy.count(0), one.count(0), two.count(2)), (1, 2, 1));
        one.join(&two);
        assert_eq!((one.count(0), one.count(1), one.count(2)), (2, 0, 1));
        one.meet(&copy);
        assert_eq!((one.count(0), one.count(2)), (1, 0));
    }
}
