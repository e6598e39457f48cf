//! Messages on their way, in one table per run.

use sim_core::SimTime;

use crate::{
    call::{Mode, Payload, Site},
    object::signature::Signature,
    trace::Protocol,
};

/// No index: the end of a list, or an absent request.
pub(crate) const NONE: u32 = u32::MAX;

/// How far a message has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    /// Its sender's processor prepares it.
    Preparing,
    /// The envelope (with the data, if eager) is in the network.
    Travelling,
    /// The envelope is at the receiver; no receive has matched it.
    Unexpected,
    /// Matched; clear-to-send or data are in the network.
    Matched,
}

/// One message.
#[derive(Debug)]
pub(crate) struct Message {
    /// Number in order of sending.
    pub(crate) id: u64,
    /// World rank of the sender.
    pub(crate) source: u32,
    /// World rank of the receiver.
    pub(crate) target: u32,
    /// Sender's rank in the communicator.
    pub(crate) source_rank: u32,
    /// Context: twice the communicator, plus one inside collectives.
    pub(crate) context: u32,
    /// Tag.
    pub(crate) tag: i32,
    /// Position among the messages of this pair of ranks.
    pub(crate) sequence: u32,
    /// Position among the messages that the sender's program sends.
    pub(crate) ordinal: u32,
    pub(crate) mode: Mode,
    pub(crate) phase: Phase,
    pub(crate) protocol: Protocol,
    pub(crate) payload: Payload,
    pub(crate) signature: Signature,
    /// Request of the sender, or `NONE` when nobody waits any more.
    pub(crate) send_request: u32,
    /// The collective that goes on when the network has taken this message of its own, or `NONE`.
    pub(crate) execution: u32,
    /// Request of the receiver once matched.
    pub(crate) receive_request: u32,
    /// Bytes held in the sender's pool.
    pub(crate) pooled: u64,
    /// Whether an entry of the sender's attached buffer holds it.
    pub(crate) attached: bool,
    /// Cancelled before it was matched.
    pub(crate) cancelled: bool,
    /// Waits in the sender's line for pool space.
    pub(crate) in_line: bool,
    /// Next message of the same key in the unexpected queue.
    pub(crate) next: u32,
    /// Position in the receiver's arrival log.
    pub(crate) log: u64,
    pub(crate) site: Site,
    pub(crate) posted: SimTime,
    pub(crate) injected: SimTime,
    pub(crate) arrived: SimTime,
}

impl Message {
    /// Size of the data.
    pub(crate) fn bytes(&self) -> u64 {
        self.payload.as_slice().len() as u64
    }
}

/// Slots in one chunk of a table, as a power of two.
const CHUNK: u32 = 12;

/// A table of values with reusable slots. It grows chunk by chunk: values stay where they are.
#[derive(Debug)]
pub(crate) struct Table<T> {
    chunks: Vec<Vec<Option<T>>>,
    free: Vec<u32>,
    used: u32,
}

fn place(index: u32) -> (usize, usize) {
    ((index >> CHUNK) as usize, (index & ((1 << CHUNK) - 1)) as usize)
}

impl<T> Table<T> {
    pub(crate) fn new() -> Self {
        Self { chunks: Vec::new(), free: Vec::new(), used: 0 }
    }

    #[inline(always)]
    pub(crate) fn insert(&mut self, value: T) -> u32 {
        if let Some(index) = self.free.pop() {
            let (chunk, slot) = place(index);
            self.chunks[chunk][slot] = Some(value);
            return index;
        }
        let (chunk, _) = place(self.used);
        if chunk == self.chunks.len() {
            // The first chunk grows by itself, so that small runs stay small.
            let capacity = if chunk == 0 { 0 } else { 1 << CHUNK };
            self.chunks.push(Vec::with_capacity(capacity));
        }
        self.chunks[chunk].push(Some(value));
        self.used += 1;
        self.used - 1
    }

    pub(crate) fn prefetch(&self, index: u32) {
        let (chunk, slot) = place(index);
        if let Some(slot) = self.chunks.get(chunk).and_then(|chunk| chunk.get(slot)) {
            sim_core::prefetch(slot);
        }
    }

    pub(crate) fn remove(&mut self, index: u32) -> T {
        let (chunk, slot) = place(index);
        let value = self.chunks[chunk][slot].take().expect("a live slot");
        self.free.push(index);
        value
    }

    /// Drops a value where it lies: cheaper than moving it out. (Assigning `None` copies all of a
    /// value that is no more.)
    pub(crate) fn free(&mut self, index: u32) {
        let (chunk, slot) = place(index);
        drop(self.chunks[chunk][slot].take());
        self.free.push(index);
    }

    pub(crate) fn get(&self, index: u32) -> Option<&T> {
        let (chunk, slot) = place(index);
        self.chunks.get(chunk)?.get(slot)?.as_ref()
    }

    pub(crate) fn get_mut(&mut self, index: u32) -> Option<&mut T> {
        let (chunk, slot) = place(index);
        self.chunks.get_mut(chunk)?.get_mut(slot)?.as_mut()
    }

    /// All live values in slot order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (u32, &T)> {
        let slots = self.chunks.iter().flatten().enumerate();
        slots.filter_map(|(i, slot)| Some((i as u32, slot.as_ref()?)))
    }
}

impl<T> std::ops::Index<u32> for Table<T> {
    type Output = T;
    fn index(&self, index: u32) -> &T {
        let (chunk, slot) = place(index);
        self.chunks[chunk][slot].as_ref().expect("a live slot")
    }
}

impl<T> std::ops::IndexMut<u32> for Table<T> {
    fn index_mut(&mut self, index: u32) -> &mut T {
        let (chunk, slot) = place(index);
        self.chunks[chunk][slot].as_mut().expect("a live slot")
    }
}
