//! The table of messages under way in a run.

use sim_core::SimTime;

use crate::{
    call::{Mode, Payload, Site},
    finding::CallSite,
    object::signature::Signature,
    trace::Protocol,
};

/// No index: the end of a list, or an absent request.
pub(crate) const NONE: u32 = u32::MAX;

/// The progress of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    /// The sender's processor prepares the message.
    Preparing,
    /// The envelope (with the data, if eager) is in the network.
    Travelling,
    /// The envelope is at the receiver; no receive has matched it.
    Unexpected,
    /// Matched; clear-to-send or data are in the network.
    Matched,
}

/// The part of the sender that waits for a message to leave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sender {
    /// None: nothing waits any more.
    Gone,
    /// A request of the sender.
    Request(u32),
    /// The sending rank itself, which is blocked in the send without a request (`direct.rs`).
    Rank,
    /// An execution of a collective.
    Execution(u32),
}

/// A message.
#[derive(Debug)]
pub(crate) struct Message {
    /// Whether the slot holds a message.
    pub(crate) live: bool,
    /// Number of the message in order of sending.
    pub(crate) id: u64,
    /// World rank of the sender.
    pub(crate) source: u32,
    /// World rank of the receiver.
    pub(crate) target: u32,
    /// Sender's rank in the communicator.
    pub(crate) source_rank: u32,
    /// Context: twice the communicator's number, plus one inside collectives.
    pub(crate) context: u32,
    /// Tag of the message.
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
    /// The part of the sender that waits for the network, or the receiver, to take the message.
    pub(crate) sender: Sender,
    /// Request of the receiver, once matched.
    pub(crate) receive_request: u32,
    /// Whether the message takes space in the sender's pool.
    pub(crate) pooled: bool,
    /// Whether an entry of the sender's attached buffer holds it.
    pub(crate) attached: bool,
    /// Whether it was cancelled before it was matched.
    pub(crate) cancelled: bool,
    /// Whether it waits for space in the sender's pool.
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
    /// Returns the tag that records have: -1 inside collectives.
    pub(crate) fn traced_tag(&self) -> i32 {
        if self.context % 2 == 1 { -1 } else { self.tag }
    }

    /// Returns the call that sent it.
    pub(crate) fn place(&self) -> CallSite {
        CallSite {
            rank: self.source,
            call: self.site.call_or("send"),
            site: self.site.known(),
            peer: Some(self.target),
            tag: Some(self.tag),
            bytes: Some(self.bytes()),
            message: Some(self.ordinal),
            label: String::new(),
        }
    }

    /// Returns the size of the data in bytes.
    pub(crate) fn bytes(&self) -> u64 {
        self.payload.bytes()
    }
}

impl Message {
    /// Returns a record that holds no message.
    pub(crate) fn vacant() -> Self {
        Self {
            live: false,
            id: 0,
            source: 0,
            target: 0,
            source_rank: 0,
            context: 0,
            tag: 0,
            sequence: 0,
            ordinal: 0,
            mode: Mode::Standard,
            phase: Phase::Preparing,
            protocol: Protocol::Eager,
            payload: Payload::EMPTY,
            signature: Signature::EMPTY,
            sender: Sender::Gone,
            receive_request: NONE,
            pooled: false,
            attached: false,
            cancelled: false,
            in_line: false,
            next: NONE,
            log: 0,
            site: Site::NOWHERE,
            posted: SimTime::ZERO,
            injected: SimTime::ZERO,
            arrived: SimTime::ZERO,
        }
    }
}

impl Vacate for Message {
    #[inline(always)]
    fn vacate(&mut self) {
        self.live = false;
        // Usually both own nothing by now, and there is nothing to write.
        if matches!(self.payload, Payload::Heap(_)) {
            self.payload = Payload::EMPTY;
        }
        if !matches!(self.signature, Signature::One(..)) {
            self.signature = Signature::EMPTY;
        }
    }

    #[inline(always)]
    fn is_live(&self) -> bool {
        self.live
    }
}

/// A record that stores itself whether its slot is in use, so that it can be vacated in place:
/// moving a record out to drop it costs more than the rest of its life.
pub(crate) trait Vacate {
    /// Drops everything that the record owns and marks it vacant.
    fn vacate(&mut self);
    /// Reports whether the record is in use.
    fn is_live(&self) -> bool;
}

/// A table of records with reusable slots, for records that are created and freed for each message.
///
/// Each record has memory of its own, which it keeps for later ones: records never move, and finding
/// one takes a third of the instructions that a table in chunks would take.
#[derive(Debug)]
pub(crate) struct Slab<T> {
    #[allow(clippy::vec_box, reason = "records stay where they are when the table grows")]
    records: Vec<Box<T>>,
    free: Vec<u32>,
}

impl<T> Default for Slab<T> {
    fn default() -> Self {
        Self { records: Vec::new(), free: Vec::new() }
    }
}

impl<T: Vacate> Slab<T> {
    pub(crate) fn new() -> Self {
        Self::default()
    }

    #[inline(never)]
    pub(crate) fn insert(&mut self, value: T) -> u32 {
        if let Some(index) = self.free.pop() {
            self[index] = value;
            return index;
        }
        self.records.push(Box::new(value));
        (self.records.len() - 1) as u32
    }

    /// Takes a vacant slot out of the table, if there is one. The caller overwrites the record in
    /// place: it owns nothing.
    #[inline]
    pub(crate) fn reuse(&mut self) -> Option<u32> {
        self.free.pop()
    }

    /// Returns a slot whose record the caller has vacated to the table.
    #[inline(always)]
    pub(crate) fn give_back(&mut self, index: u32) {
        debug_assert!(self.get(index).is_none(), "a vacant record");
        self.free.push(index);
    }

    pub(crate) fn prefetch(&self, index: u32) {
        if let Some(record) = self.records.get(index as usize) {
            sim_core::prefetch::<T>(record);
        }
    }

    /// Frees the slot of a live record.
    #[inline(always)]
    pub(crate) fn free(&mut self, index: u32) {
        self[index].vacate();
        self.free.push(index);
    }

    #[inline(always)]
    pub(crate) fn get(&self, index: u32) -> Option<&T> {
        self.records.get(index as usize).map(|record| &**record).filter(|record| record.is_live())
    }

    #[inline(always)]
    pub(crate) fn get_mut(&mut self, index: u32) -> Option<&mut T> {
        let record = self.records.get_mut(index as usize)?;
        record.is_live().then_some(record)
    }

    /// Returns the number of records in use.
    pub(crate) fn live(&self) -> usize {
        self.records.len() - self.free.len()
    }

    /// Returns all live records in slot order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (u32, &T)> {
        (0..)
            .zip(self.records.iter().map(|record| &**record))
            .filter(|(_, record)| record.is_live())
    }
}

impl<T: Vacate> std::ops::Index<u32> for Slab<T> {
    type Output = T;
    #[inline(always)]
    fn index(&self, index: u32) -> &T {
        let record = &self.records[index as usize];
        debug_assert!(record.is_live(), "a live record");
        record
    }
}

impl<T: Vacate> std::ops::IndexMut<u32> for Slab<T> {
    #[inline(always)]
    fn index_mut(&mut self, index: u32) -> &mut T {
        &mut self.records[index as usize]
    }
}

/// A table of values with reusable slots. Each value has memory of its own, so that removing it moves a
/// pointer.
#[derive(Debug)]
pub(crate) struct Table<T> {
    slots: Vec<Option<Box<T>>>,
    free: Vec<u32>,
}

impl<T> Table<T> {
    pub(crate) fn new() -> Self {
        Self { slots: Vec::new(), free: Vec::new() }
    }

    pub(crate) fn insert(&mut self, value: impl Into<Box<T>>) -> u32 {
        let value = Some(value.into());
        if let Some(index) = self.free.pop() {
            self.slots[index as usize] = value;
            return index;
        }
        self.slots.push(value);
        (self.slots.len() - 1) as u32
    }

    pub(crate) fn remove(&mut self, index: u32) -> Box<T> {
        let value = self.slots[index as usize].take().expect("a live slot");
        self.free.push(index);
        value
    }

    /// Returns all live values in slot order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (u32, &T)> {
        (0..).zip(&self.slots).filter_map(|(index, slot)| Some((index, slot.as_deref()?)))
    }
}

impl<T> std::ops::Index<u32> for Table<T> {
    type Output = T;
    #[inline(always)]
    fn index(&self, index: u32) -> &T {
        self.slots[index as usize].as_deref().expect("a live slot")
    }
}

impl<T> std::ops::IndexMut<u32> for Table<T> {
    #[inline(always)]
    fn index_mut(&mut self, index: u32) -> &mut T {
        self.slots[index as usize].as_deref_mut().expect("a live slot")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A record of a slab.
    struct Record(Option<u32>);

    impl Vacate for Record {
        fn vacate(&mut self) {
            self.0 = None;
        }

        fn is_live(&self) -> bool {
            self.0.is_some()
        }
    }

    #[test]
    fn a_slot_is_used_again_and_records_stay_where_they_are() {
        let mut slab = Slab::new();
        let many = 10_000;
        let slots: Vec<u32> = (0..many).map(|value| slab.insert(Record(Some(value)))).collect();
        assert_eq!(slots, (0..many).collect::<Vec<_>>());
        let place: *const Record = &raw const slab[many - 1];
        slab.free(5);
        slab.free(many / 2);
        assert!(slab.get(5).is_none() && slab.get_mut(many / 2).is_none());
        assert!(slab.get(many).is_none(), "there is no such slot");
        assert_eq!(slab.iter().count() as u32, many - 2);
        assert_eq!(slab.insert(Record(Some(7))), many / 2, "the slot freed last is used first");
        assert_eq!(slab.insert(Record(Some(8))), 5);
        assert_eq!(slab.insert(Record(Some(9))), many);
        assert!(std::ptr::eq(place, &raw const slab[many - 1]));
        assert_eq!(slab.iter().nth(5).map(|(slot, record)| (slot, record.0)), Some((5, Some(8))));
    }

    #[test]
    fn a_table_gives_back_what_it_held() {
        let mut table = Table::new();
        let (one, two) = (table.insert("one"), table.insert("two"));
        assert_eq!(*table.remove(one), "one");
        assert_eq!(table.insert("three"), one);
        table[two] = "other";
        assert_eq!(table.iter().collect::<Vec<_>>(), [(one, &"three"), (two, &"other")]);
    }
}
