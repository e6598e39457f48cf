//! [`Fifo`]: a first-in, first-out queue that is empty again and again.

/// A queue in one vector: values are appended at its end and taken at `first`. When the last one is
/// taken both are reset, so that no index has to wrap, which takes half of the instructions of a
/// `VecDeque`.
pub(crate) struct Fifo<T> {
    values: Vec<T>,
    /// Index of the next value to take; 0 if there is none.
    first: usize,
}

impl<T: Copy> Fifo<T> {
    /// Creates an empty queue.
    pub(crate) fn new() -> Self {
        Self { values: Vec::new(), first: 0 }
    }

    /// Returns the number of values.
    pub(crate) fn len(&self) -> usize {
        self.values.len() - self.first
    }

    /// Reports whether there is no value.
    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// Appends a value.
    #[inline(always)]
    pub(crate) fn push(&mut self, value: T) {
        if self.values.len() == self.values.capacity() {
            self.make_room();
        }
        self.values.push(value);
    }

    /// Removes the values that were taken if they are half of the vector or more. A queue that never
    /// becomes empty needs no more memory than twice the most values it has held, and moves each
    /// value once on average.
    #[inline(never)]
    fn make_room(&mut self) {
        if self.first >= self.values.len().div_ceil(2) {
            self.values.drain(..self.first);
            self.first = 0;
        }
        self.values.reserve(1);
    }

    /// Removes and returns the value that was appended first.
    #[inline(always)]
    pub(crate) fn pop(&mut self) -> Option<T> {
        let value = *self.values.get(self.first)?;
        self.first += 1;
        if self.first == self.values.len() {
            self.first = 0;
            self.values.clear();
        }
        Some(value)
    }

    /// Returns the value that leaves after `skipped` others.
    #[inline]
    pub(crate) fn get(&self, skipped: usize) -> Option<&T> {
        self.values.get(self.first + skipped)
    }

    /// Returns all values, in the order in which they leave.
    pub(crate) fn as_mut_slice(&mut self) -> &mut [T] {
        &mut self.values[self.first..]
    }
}

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn it_is_a_queue(steps in prop::collection::vec(0..5_u8, 0..300)) {
            let (mut ours, mut theirs) = (Fifo::new(), VecDeque::new());
            for (number, step) in steps.into_iter().enumerate() {
                if step < 3 {
                    ours.push(number);
                    theirs.push_back(number);
                } else {
                    prop_assert_eq!(ours.pop(), theirs.pop_front());
                }
                prop_assert_eq!(ours.len(), theirs.len());
                prop_assert_eq!(ours.is_empty(), theirs.is_empty());
                prop_assert_eq!(ours.get(1), theirs.get(1));
                prop_assert_eq!(&*ours.as_mut_slice(), &*theirs.make_contiguous());
            }
        }
    }

    #[test]
    fn a_queue_that_never_becomes_empty_keeps_its_size() {
        let mut queue = Fifo::new();
        queue.push(0);
        for number in 1..10_000 {
            queue.push(number);
            assert_eq!(queue.pop(), Some(number - 1));
        }
        assert!(queue.values.capacity() <= 8, "{}", queue.values.capacity());
    }
}
