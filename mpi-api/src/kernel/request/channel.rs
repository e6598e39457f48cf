//! [`Channels`]: the pairs of partitioned sends and receives.

use std::collections::{BTreeMap, VecDeque};

use crate::call::{Partitioned, Payload};
use crate::kernel::transport::message::Table;
use crate::trace::{Protocol, Record};

/// Communicator, world ranks of sender and receiver, tag.
pub(in crate::kernel) type Key = (u32, u32, u32, i32);

/// All channels of a run, and the requests that wait for their match.
#[derive(Debug)]
pub(crate) struct Channels {
    pub(in crate::kernel) table: Table<Channel>,
    /// Channels with only a sender or only a receiver, in the order made.
    pub(super) unmatched: BTreeMap<Key, VecDeque<u32>>,
    pub(super) parcels: Table<Parcel>,
}

/// One end of a channel: its request and the arguments of its call.
#[derive(Debug)]
pub(in crate::kernel) struct End {
    pub(in crate::kernel) request: u32,
    pub(super) given: Partitioned,
}

#[derive(Debug)]
pub(in crate::kernel) struct Channel {
    pub(in crate::kernel) key: Key,
    /// Sender's rank in the communicator.
    pub(super) source_rank: u32,
    pub(in crate::kernel) sender: Option<End>,
    pub(in crate::kernel) receiver: Option<End>,
    /// Bytes of all partitions of the sender, kept because its request may be freed before its data
    /// arrive.
    pub(super) sent: Option<u64>,
    /// Whether the sender knows that the receiver has started.
    pub(super) open: bool,
    /// Partitions that are ready and wait for that: offset in the message in bytes, and data.
    pub(super) waiting: Vec<(u64, Payload)>,
    /// Number of partitions that the sender has still to declare ready.
    pub(in crate::kernel) missing: u64,
    /// Byte ranges of the message that have arrived.
    pub(super) arrived: Vec<(u64, u64)>,
    pub(super) data: Vec<u8>,
}

/// Partition data under way in the network.
#[derive(Debug)]
pub(super) struct Parcel {
    pub(super) channel: u32,
    pub(super) place: u64,
    pub(super) payload: Payload,
    pub(super) posted: sim_core::SimTime,
}

impl Default for Channels {
    fn default() -> Self {
        Self { table: Table::new(), unmatched: BTreeMap::new(), parcels: Table::new() }
    }
}

impl Channels {
    /// Returns the records of the partition data that have not arrived.
    pub(crate) fn under_way(&self) -> impl Iterator<Item = Record> {
        self.parcels.iter().map(|(_, parcel)| {
            let (_, source, target, tag) = self.table[parcel.channel].key;
            let (bytes, protocol) = (parcel.payload.bytes(), Protocol::Rendezvous);
            Record::Undelivered { source, target, tag, bytes, protocol }
        })
    }
}

impl End {
    /// Returns the number of bytes of all its partitions.
    pub(super) fn bytes(&self) -> u64 {
        self.given.partitions * self.given.bytes
    }
}

impl Channel {
    pub(super) fn new(key: Key, source_rank: u32) -> Self {
        Self {
            key,
            source_rank,
            sender: None,
            receiver: None,
            sent: None,
            open: false,
            waiting: Vec::new(),
            missing: 0,
            arrived: Vec::new(),
            data: Vec::new(),
        }
    }

    /// Returns the number of bytes that the receiver has room for.
    pub(super) fn room(&self) -> u64 {
        self.receiver.as_ref().map_or(0, End::bytes)
    }

    /// Returns the number of bytes of a whole message, which may be fewer than the receiver's room;
    /// equal to the room until the sender is known.
    pub(super) fn total(&self) -> u64 {
        self.sent.unwrap_or_else(|| self.room())
    }

    /// Reports whether all data that are sent into a byte range have arrived; if none are sent
    /// there, whether the whole message has.
    pub(super) fn has(&self, start: u64, end: u64) -> bool {
        let total = self.total();
        let (start, end) = if start < total { (start, end.min(total)) } else { (0, total) };
        self.covered(start, end) == end - start
    }

    /// Returns the number of bytes of a range that have arrived.
    fn covered(&self, start: u64, end: u64) -> u64 {
        let inside = |(from, to): &(u64, u64)| (*to).min(end).saturating_sub((*from).max(start));
        self.arrived.iter().map(inside).sum()
    }
}
