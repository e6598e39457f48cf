//! The event queue: a monotone radix heap. Simultaneous events leave in order of insertion or, on
//! request, in an order drawn from a seed.

use rand::RngExt;

use crate::{
    fifo::Fifo,
    random::{ChaCha8Rng, shuffle, stream},
    time::SimTime,
};

/// The order of simultaneous events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TieBreak {
    /// In order of insertion.
    InsertionOrder,
    /// Shuffled, with this seed, among all events that are in the queue when their time comes.
    Seeded(u64),
}

/// A priority queue that returns the earliest event first.
///
/// Order: (time, insertion) unless ties are seeded. Events must not be pushed before the time of
/// the last one popped.
///
/// Cost: amortised O(64) moves per event at worst; a few in practice.
pub struct EventQueue<E> {
    /// Bucket b holds the times whose highest bit that differs from `last` is b.
    buckets: [Vec<(u64, E)>; 64],
    /// Bit b is set if bucket b is not empty.
    filled: u64,
    /// Events at time `last`, in the order in which they leave.
    now: Fifo<E>,
    /// Events that were added for time `last` after those in `now` were shuffled.
    later: Fifo<E>,
    last: u64,
    length: usize,
    ties: Option<Box<ChaCha8Rng>>,
}

impl<E: Copy> EventQueue<E> {
    /// Creates an empty queue.
    pub fn new(ties: TieBreak) -> Self {
        Self {
            buckets: std::array::from_fn(|_| Vec::new()),
            filled: 0,
            now: Fifo::new(),
            later: Fifo::new(),
            last: 0,
            length: 0,
            ties: match ties {
                TieBreak::InsertionOrder => None,
                TieBreak::Seeded(seed) => Some(Box::new(stream(seed, "ties", 0))),
            },
        }
    }

    /// Returns the number of events in the queue.
    pub fn len(&self) -> usize {
        self.length
    }

    /// Reports whether the queue is empty.
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// Adds an event.
    ///
    /// # Panics
    /// Panics if `time` is before the last event popped.
    #[inline(always)]
    pub fn push(&mut self, time: SimTime, event: E) {
        let time = time.as_ps();
        assert!(time >= self.last, "an event is never scheduled in the past");
        self.length += 1;
        if time > self.last {
            self.file(time, event);
        } else if self.ties.is_none() {
            self.now.push(event);
        } else {
            self.later.push(event);
        }
    }

    /// Puts an event of a later time into its bucket.
    #[inline(always)]
    fn file(&mut self, time: u64, event: E) {
        let bucket = (time ^ self.last).ilog2();
        self.buckets[bucket as usize].push((time, event));
        self.filled |= 1 << bucket;
    }

    /// Removes and returns the earliest event.
    #[inline]
    pub fn pop(&mut self) -> Option<(SimTime, E)> {
        let event = match self.now.pop() {
            Some(event) => event,
            None => self.pop_later()?,
        };
        self.length -= 1;
        Some((SimTime::from_ps(self.last), event))
    }

    /// Removes and returns the earliest event when none is due at time `last`.
    fn pop_later(&mut self) -> Option<E> {
        if self.later.is_empty() && self.filled != 0 {
            let bucket = self.filled.trailing_zeros() as usize;
            // An event that is alone in the earliest bucket is the next one: nothing has to be
            // moved.
            if let [(time, _)] = self.buckets[bucket][..] {
                self.last = time;
                self.filled &= self.filled - 1;
                return self.buckets[bucket].pop().map(|(_, event)| event);
            }
        }
        self.refill();
        self.now.pop()
    }

    /// Returns the event that leaves after `skipped` others, if it is due at the same time as the
    /// last one popped; events of later times are not sorted yet.
    pub(crate) fn upcoming(&self, skipped: usize) -> Option<&E> {
        self.now.get(skipped)
    }

    /// Returns the time of the earliest event that is later than the last one popped.
    ///
    /// Cost: linear in the number of events near that time.
    pub fn next_later(&self) -> Option<SimTime> {
        let bucket = self.buckets.get(self.filled.trailing_zeros() as usize)?;
        bucket.iter().map(|(time, _)| SimTime::from_ps(*time)).min()
    }

    /// Loads the events of the earliest time into `now`.
    fn refill(&mut self) {
        if !self.later.is_empty() {
            std::mem::swap(&mut self.now, &mut self.later);
        } else if self.filled != 0 {
            self.advance();
        }
        if let Some(stream) = &mut self.ties {
            shuffle(self.now.as_mut_slice(), |last| stream.random_range(0..=last));
        }
    }

    /// Advances `last` to the earliest time and moves the events of its bucket to their new
    /// buckets.
    fn advance(&mut self) {
        let bucket = self.filled.trailing_zeros() as usize;
        self.filled &= self.filled - 1;
        let mut moved = std::mem::take(&mut self.buckets[bucket]);
        self.last = moved.iter().map(|(time, _)| *time).min().unwrap_or(self.last);
        for (time, event) in moved.drain(..) {
            if time == self.last {
                self.now.push(event);
            } else {
                self.file(time, event);
            }
        }
        // Nothing above put an event back into this bucket: its vector keeps its capacity.
        self.buckets[bucket] = moved;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn leaves_in_order_of_time_then_insertion(steps in prop::collection::vec((0u64..50, any::<bool>()), 1..300)) {
            let mut queue = EventQueue::new(TieBreak::InsertionOrder);
            let mut model: Vec<(u64, usize)> = Vec::new();
            let mut now = 0;
            for (id, (delay, pop)) in steps.into_iter().enumerate() {
                queue.push(SimTime::from_ps(now + delay * delay), id);
                model.push((now + delay * delay, id));
                if pop {
                    model.sort_unstable();
                    let later = model.iter().map(|(time, _)| *time).find(|time| *time > now);
                    prop_assert_eq!(queue.next_later().map(SimTime::as_ps), later);
                    let (time, event) = model.remove(0);
                    prop_assert_eq!(queue.pop(), Some((SimTime::from_ps(time), event)));
                    now = time;
                }
            }
            model.sort_unstable();
            for (time, event) in model {
                prop_assert_eq!(queue.pop(), Some((SimTime::from_ps(time), event)));
            }
            prop_assert!(queue.is_empty());
        }
    }

    #[test]
    fn seeded_ties_are_a_repeatable_permutation() {
        let order = |ties| {
            let mut queue = EventQueue::new(ties);
            (0..20).for_each(|event| queue.push(SimTime::from_ps(5), event));
            std::iter::from_fn(|| queue.pop()).map(|(_, event)| event).collect::<Vec<i32>>()
        };
        assert_eq!(order(TieBreak::Seeded(1)), order(TieBreak::Seeded(1)));
        assert_ne!(order(TieBreak::Seeded(1)), order(TieBreak::InsertionOrder));
        let mut sorted = order(TieBreak::Seeded(1));
        sorted.sort_unstable();
        assert_eq!(sorted, order(TieBreak::InsertionOrder));
    }
}
