//! Queues of waiting threads of a rank, by the address of the object they wait for.

use std::collections::{BTreeMap, VecDeque};

/// The threads that wait at each address, the longest waiting first.
#[derive(Default)]
pub(super) struct Lot(BTreeMap<usize, VecDeque<u32>>);

impl Lot {
    /// Adds a thread to the queue at an address.
    pub(super) fn enter(&mut self, key: usize, thread: u32) {
        self.0.entry(key).or_default().push_back(thread);
    }

    /// Returns the threads that wait at an address.
    pub(super) fn at(&self, key: usize) -> impl Iterator<Item = u32> {
        self.0.get(&key).into_iter().flatten().copied()
    }

    /// Removes a thread from the queue at an address. Returns false if it was not there.
    pub(super) fn remove(&mut self, key: usize, thread: u32) -> bool {
        let Some(queue) = self.0.get_mut(&key) else { return false };
        let before = queue.len();
        queue.retain(|waiting| *waiting != thread);
        let found = queue.len() < before;
        if queue.is_empty() {
            self.0.remove(&key);
        }
        found
    }

    /// Removes at most `most` threads from the queue at an address.
    pub(super) fn take(&mut self, key: usize, most: usize) -> Vec<u32> {
        let Some(queue) = self.0.get_mut(&key) else { return Vec::new() };
        let taken = queue.drain(..most.min(queue.len())).collect();
        if queue.is_empty() {
            self.0.remove(&key);
        }
        taken
    }
}
