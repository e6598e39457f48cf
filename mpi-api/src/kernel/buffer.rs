//! Buffer space: the system's pool per sending rank, and the attached buffer of buffered mode.

use std::collections::VecDeque;

use crate::{
    call::{Buffer, Site},
    settings::Pool,
};

/// Space a buffered message takes beside its data (`MPI_BSEND_OVERHEAD` of the Rust API).
pub const BSEND_OVERHEAD: u64 = 32;

/// The system's buffer space for one sending rank.
#[derive(Debug, Default)]
pub(crate) struct SystemPool {
    used: u64,
    /// Most bytes of data held at once.
    pub(crate) peak: u64,
    /// Messages that wait for space, in order: slot and identity, since a message that is matched
    /// meanwhile stays in line while its slot is used again.
    pub(crate) line: VecDeque<(u32, u64)>,
}

/// Room a message needs: its size, but at least one byte for its envelope.
pub(crate) fn room(bytes: u64) -> u64 {
    bytes.max(1)
}

fn limit(pool: &Pool, rank: u32) -> u64 {
    match pool {
        Pool::Unlimited => u64::MAX,
        Pool::Bytes(limit) => *limit,
        Pool::PerRank(limits) => limits.get(rank as usize).copied().unwrap_or(u64::MAX),
    }
}

/// Space of a pool for one more message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Space {
    /// There is enough.
    Free,
    /// Other messages hold it.
    Taken,
    /// The whole pool is smaller than the message.
    TooSmall,
}

impl SystemPool {
    /// What space there is for a message of this size in the pool of a rank.
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

    /// Takes room for a message.
    pub(crate) fn take(&mut self, bytes: u64) {
        self.used += room(bytes);
        self.peak = self.peak.max(self.used);
    }

    /// Gives the room of one message back.
    pub(crate) fn release(&mut self, bytes: u64) {
        self.used -= room(bytes);
    }
}

/// The attached buffer with the model allocator of MPI section 3.6.2: a circular queue of
/// entries; completed entries leave only from the head, space is found after the tail or at the
/// start.
#[derive(Debug)]
pub(crate) struct Attached {
    pub(crate) buffer: Buffer,
    /// Where it was attached.
    pub(crate) site: Site,
    entries: VecDeque<Entry>,
}

#[derive(Debug)]
struct Entry {
    message: u64,
    start: u64,
    length: u64,
    done: bool,
}

impl Attached {
    pub(crate) fn new(buffer: Buffer, site: Site) -> Self {
        Self { buffer, site, entries: VecDeque::new() }
    }

    /// Places a message; false when the model runs out of space.
    pub(crate) fn place(&mut self, message: u64, bytes: u64) -> bool {
        while self.entries.front().is_some_and(|entry| entry.done) {
            self.entries.pop_front();
        }
        let length = bytes + self.buffer.overhead;
        let Some(start) = self.find(length) else { return false };
        self.entries.push_back(Entry { message, start, length, done: false });
        true
    }

    fn find(&self, length: u64) -> Option<u64> {
        let size = self.buffer.bytes;
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
    pub(crate) fn done(&mut self, message: u64) {
        for entry in &mut self.entries {
            if entry.message == message {
                entry.done = true;
            }
        }
    }

    /// Whether nothing is pending.
    pub(crate) fn is_idle(&self) -> bool {
        self.last_pending().is_none()
    }

    /// The last message that has not been transmitted.
    pub(crate) fn last_pending(&self) -> Option<u64> {
        self.entries.iter().rev().find(|entry| !entry.done).map(|entry| entry.message)
    }

    /// Whether every message up to this one has been transmitted.
    pub(crate) fn is_idle_up_to(&self, message: u64) -> bool {
        self.entries.iter().all(|entry| entry.done || entry.message > message)
    }
}
