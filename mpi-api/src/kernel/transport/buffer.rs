//! Buffer space: the system's pool per sending rank, and the attached buffers of buffered mode.

use std::collections::VecDeque;

use crate::{
    call::{Buffer, Site},
    settings::Pool,
};

pub use crate::call::BSEND_OVERHEAD;

/// The system's buffer space for one sending rank.
#[derive(Debug, Default)]
pub(crate) struct SystemPool {
    used: u64,
    /// Maximum number of bytes of data held at once.
    pub(crate) peak: u64,
    /// Messages that wait for space, in order: slot and identity. A message that is matched while
    /// it waits stays in this queue although its slot may be reused.
    pub(crate) line: VecDeque<(u32, u64)>,
}

/// Returns the room that a message needs: its size, but at least one byte for its envelope.
pub(crate) fn room(bytes: u64) -> u64 {
    bytes.max(1)
}

fn limit(pool: &Pool, rank: u32) -> u64 {
    match pool {
        Pool::Unlimited => u64::MAX,
        Pool::Bytes(limit) => *limit,
        Pool::PerRank(limits) => limits.get(rank as usize).copied().unwrap_or(u64::MAX),
        Pool::ByChoice => 0,
    }
}

/// The space of a pool for one more message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Space {
    /// The pool has enough free space.
    Free,
    /// Other messages occupy the space.
    Taken,
    /// The message is larger than the whole pool.
    TooSmall,
}

impl SystemPool {
    /// Reports the space for a message of this size in the pool of a rank.
    pub(crate) fn space(&self, pool: &Pool, rank: u32, bytes: u64) -> Space {
        let limit = limit(pool, rank);
        if self.used.saturating_add(room(bytes)) <= limit {
            Space::Free
        } else if room(bytes) <= limit {
            Space::Taken
        } else {
            Space::TooSmall
        }
    }

    /// Returns the number of bytes of data that are held.
    pub(in crate::kernel) fn used(&self) -> u64 {
        self.used
    }

    /// Takes room for a message.
    pub(crate) fn take(&mut self, bytes: u64) {
        self.used += room(bytes);
        self.peak = self.peak.max(self.used);
    }

    /// Returns the room of one message to the pool.
    pub(crate) fn release(&mut self, bytes: u64) {
        self.used -= room(bytes);
    }
}

/// An attached buffer.
#[derive(Debug)]
pub(crate) struct Attached {
    pub(crate) buffer: Buffer,
    /// Place of the call that attached it.
    pub(crate) site: Site,
    /// The entries with the sizes of their data, which no library can do without.
    queue: Queue,
    /// The entries with the whole overhead that the program must reserve, where that is more.
    reserved: Queue,
}

/// The result of placing a message in an attached buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Placed {
    /// The message fits.
    Fits,
    /// The data fit, but not with the overhead.
    Barely,
    /// The message does not fit.
    Not,
}

/// The model allocator of MPI section 3.6.2: a circular queue of entries. Completed entries leave
/// only from the head; space is found after the tail or at the start.
#[derive(Debug, Default)]
struct Queue {
    entries: VecDeque<Entry>,
}

#[derive(Debug)]
struct Entry {
    message: u64,
    start: u64,
    length: u64,
    done: bool,
}

impl Queue {
    /// Places a message of `length` bytes in a buffer of `size` bytes; false when the buffer has no
    /// room for it.
    fn place(&mut self, message: u64, length: u64, size: u64) -> bool {
        while self.entries.front().is_some_and(|entry| entry.done) {
            self.entries.pop_front();
        }
        let Some(start) = self.find(length, size) else { return false };
        self.entries.push_back(Entry { message, start, length, done: false });
        true
    }

    fn find(&self, length: u64, size: u64) -> Option<u64> {
        let (Some(head), Some(tail)) = (self.entries.front(), self.entries.back()) else {
            return (length <= size).then_some(0);
        };
        let end = tail.start + tail.length;
        if tail.start >= head.start {
            if end + length <= size { Some(end) } else { (length <= head.start).then_some(0) }
        } else {
            (end + length <= head.start).then_some(end)
        }
    }

    /// Marks a message as transmitted.
    fn done(&mut self, message: u64) {
        for entry in &mut self.entries {
            if entry.message == message {
                entry.done = true;
            }
        }
    }
}

impl Attached {
    pub(crate) fn new(buffer: Buffer, site: Site) -> Self {
        Self { buffer, site, queue: Queue::default(), reserved: Queue::default() }
    }

    /// Places a message in the buffer.
    pub(crate) fn place(&mut self, message: u64, bytes: u64) -> Placed {
        let Buffer { bytes: size, overhead, .. } = self.buffer;
        if !self.queue.place(message, bytes, size) {
            return Placed::Not;
        }
        if overhead == 0 || self.reserved.place(message, bytes.saturating_add(overhead), size) {
            return Placed::Fits;
        }
        Placed::Barely
    }

    /// Marks a message as transmitted.
    pub(crate) fn done(&mut self, message: u64) {
        self.queue.done(message);
        self.reserved.done(message);
    }

    /// Reports whether all messages have been transmitted.
    pub(crate) fn is_idle(&self) -> bool {
        self.last_pending().is_none()
    }

    /// Returns the last message that has not been transmitted.
    pub(crate) fn last_pending(&self) -> Option<u64> {
        self.queue.entries.iter().rev().find(|entry| !entry.done).map(|entry| entry.message)
    }

    /// Reports whether every message up to this one has been transmitted.
    pub(crate) fn is_idle_up_to(&self, message: u64) -> bool {
        self.queue.entries.iter().all(|entry| entry.done || entry.message > message)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::call::BufferOwner;

    fn attached(bytes: u64, overhead: u64) -> Attached {
        let nowhere = Site::NOWHERE;
        Attached::new(Buffer { owner: BufferOwner::Process, bytes, overhead }, nowhere)
    }

    #[test]
    fn a_pool_holds_messages_until_they_are_matched() {
        let (pool, mut used) = (Pool::Bytes(10), SystemPool::default());
        assert_eq!(used.space(&pool, 0, 10), Space::Free);
        used.take(6);
        assert_eq!(used.space(&pool, 0, 4), Space::Free);
        assert_eq!(used.space(&pool, 0, 5), Space::Taken);
        assert_eq!(used.space(&pool, 0, 11), Space::TooSmall);
        used.release(6);
        assert_eq!((used.space(&pool, 0, 10), used.peak), (Space::Free, 6));
        used.take(u64::MAX - 1);
        assert_eq!(used.space(&Pool::Unlimited, 0, u64::MAX), Space::Free);
    }

    #[test]
    fn an_empty_message_takes_room_for_its_envelope() {
        let mut used = SystemPool::default();
        assert_eq!(used.space(&Pool::Bytes(0), 0, 0), Space::TooSmall);
        assert_eq!(used.space(&Pool::Bytes(1), 0, 0), Space::Free);
        used.take(0);
        assert_eq!(used.space(&Pool::Bytes(1), 0, 0), Space::Taken);
    }

    #[test]
    fn ranks_beyond_the_list_have_room_for_everything() {
        let (pool, used) = (Pool::PerRank([4, 0].into()), SystemPool::default());
        let spaces = [0, 1, 2].map(|rank| used.space(&pool, rank, 4));
        assert_eq!(spaces, [Space::Free, Space::TooSmall, Space::Free]);
    }

    #[test]
    fn a_message_needs_room_for_its_data() {
        assert_eq!(attached(1024, 512).place(1, 512), Placed::Fits);
        assert_eq!(attached(1023, 512).place(1, 512), Placed::Barely);
        assert_eq!(attached(512, 512).place(1, 512), Placed::Barely);
        assert_eq!(attached(511, 512).place(1, 512), Placed::Not);
        assert_eq!(attached(511, 0).place(1, 512), Placed::Not);
        assert_eq!(attached(512, 0).place(1, 512), Placed::Fits);
    }

    #[test]
    fn room_is_used_again_once_messages_have_left() {
        let mut buffer = attached(1099, 512);
        assert_eq!(buffer.place(1, 500), Placed::Fits);
        assert_eq!(buffer.place(2, 400), Placed::Barely);
        assert_eq!(buffer.place(3, 200), Placed::Not);
        buffer.done(1);
        assert_eq!(buffer.place(4, 500), Placed::Fits);
        assert!(!buffer.is_idle() && buffer.is_idle_up_to(1));
    }
}
