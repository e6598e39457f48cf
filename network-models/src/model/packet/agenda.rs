//! [`Agenda`]: the events of switches in order of time.

use std::{
    cmp::Reverse,
    collections::{BinaryHeap, VecDeque},
};

use sim_core::SimTime;

/// An event of a kind that has classes.
pub(super) trait Classed: Copy {
    /// Returns the class, from 0, below 4.
    fn class(&self) -> usize;
}

/// An event with its time and its place among the events of that time.
#[derive(Clone, Copy, Debug)]
struct Entry<E> {
    time: SimTime,
    /// The class of the event in the upper bits, then the number of events scheduled before it.
    rank: u64,
    event: E,
}

impl<E> Entry<E> {
    /// Returns time and rank as one number, which is compared at once.
    fn key(&self) -> u128 {
        u128::from(self.time.as_ps()) << 64 | u128::from(self.rank)
    }
}

impl<E> PartialEq for Entry<E> {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}

impl<E> Eq for Entry<E> {}

impl<E> PartialOrd for Entry<E> {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl<E> Ord for Entry<E> {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.key().cmp(&other.key())
    }
}

/// Number of sorted queues.
const RUNS: usize = 4;

/// Bits of a rank below the class.
const CLASS_SHIFT: u32 = 60;

/// The key of the first event, and where it is.
#[derive(Clone, Copy, Debug)]
struct First {
    key: u128,
    /// Number of its queue; [`RUNS`] for the heap.
    from: usize,
}

/// Events in order of time; those of one time in order of their classes, then as they were
/// scheduled.
///
/// Most events of a class follow their causes after the same delay and so are scheduled in order:
/// they are kept in sorted queues, and only the others in a heap. Which queue has the first event is
/// found once for each event, since its time is asked for more often.
#[derive(Debug)]
pub(super) struct Agenda<E> {
    runs: [VecDeque<Entry<E>>; RUNS],
    others: BinaryHeap<Reverse<Entry<E>>>,
    scheduled: u64,
    first: Option<First>,
}

impl<E: Classed> Agenda<E> {
    /// Creates an agenda without events.
    pub(super) fn new() -> Self {
        Self {
            runs: std::array::from_fn(|_| VecDeque::new()),
            others: BinaryHeap::new(),
            scheduled: 0,
            first: None,
        }
    }

    /// Adds an event.
    pub(super) fn schedule(&mut self, time: SimTime, event: E) {
        let class = event.class();
        let rank = (class as u64) << CLASS_SHIFT | self.scheduled;
        self.scheduled += 1;
        let entry = Entry { time, rank, event };
        let from = self.keep(entry, class);
        // An event before all others is the first of its queue.
        if self.first.is_none_or(|first| entry.key() < first.key) {
            self.first = Some(First { key: entry.key(), from });
        }
    }

    /// Stores an event, and returns the number of its queue.
    fn keep(&mut self, entry: Entry<E>, class: usize) -> usize {
        for (number, run) in self.runs.iter_mut().enumerate().skip(class) {
            if run.back().is_none_or(|last| *last < entry) {
                run.push_back(entry);
                return number;
            }
        }
        self.others.push(Reverse(entry));
        RUNS
    }

    /// Returns the time of the first event.
    pub(super) fn next_time(&self) -> Option<SimTime> {
        self.first.map(|first| SimTime::from_ps((first.key >> 64) as u64))
    }

    /// Removes the first event and returns it with its time.
    pub(super) fn pop(&mut self) -> Option<(SimTime, E)> {
        let First { from, .. } = self.first?;
        let entry = match self.runs.get_mut(from) {
            Some(run) => run.pop_front(),
            None => self.others.pop().map(|Reverse(entry)| entry),
        };
        self.first = self.found();
        entry.map(|entry| (entry.time, entry.event))
    }

    /// Finds the first event among the queues and the heap.
    fn found(&self) -> Option<First> {
        let mut first = match self.others.peek() {
            Some(Reverse(entry)) => First { key: entry.key(), from: RUNS },
            None => First { key: u128::MAX, from: usize::MAX },
        };
        for (from, run) in self.runs.iter().enumerate() {
            if let Some(entry) = run.front()
                && entry.key() < first.key
            {
                first = First { key: entry.key(), from };
            }
        }
        (first.from <= RUNS).then_some(first)
    }

    /// Returns whether there is no event.
    #[cfg(test)]
    pub(super) fn is_empty(&self) -> bool {
        self.next_time().is_none()
    }
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;

    impl Classed for (usize, u32) {
        fn class(&self) -> usize {
            self.0
        }
    }

    #[test]
    fn events_come_by_time_then_class_then_as_scheduled() {
        let mut random = ChaCha8Rng::seed_from_u64(2);
        let (mut agenda, mut expected) = (Agenda::new(), Vec::new());
        for number in 0..1000 {
            let (time, class) = (random.random_range(0..50), random.random_range(0..3));
            agenda.schedule(SimTime::from_ps(time), (class, number));
            expected.push((time, class, number));
        }
        expected.sort_unstable();
        assert_eq!(agenda.next_time(), Some(SimTime::ZERO));
        for (time, class, number) in expected {
            assert_eq!(agenda.pop(), Some((SimTime::from_ps(time), (class, number))));
        }
        assert!(agenda.pop().is_none() && agenda.is_empty());
    }
}
