//! The records of a run, packed: many millions of them, which a page reads a few times in order.

mod numbers;
mod stream;

use std::{cell::RefCell, rc::Rc};

use mpi_api::trace::{Record, SentMessage, TraceSink};
use serde::{Deserialize, Serialize};

pub(crate) use self::{numbers::Numbers, stream::Stream};

/// The records of a run that a page shows, about 15 bytes each.
///
/// Each kind is a sequence of its own, so that who reads one does not unpack the others; within a kind they keep
/// their order. What was matched with what ([`Record::Pair`]) is not kept, since no page shows it.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Records {
    intervals: Stream,
    messages: Stream,
    handshakes: Stream,
    links: Stream,
}

impl Records {
    /// Appends a record.
    pub fn push(&mut self, record: &Record) {
        match record {
            Record::Interval { .. } => self.intervals.push(record),
            Record::Message { .. } | Record::Undelivered { .. } => self.messages.push(record),
            Record::Handshake { .. } => self.handshakes.push(record),
            Record::Link { .. } => self.links.push(record),
            Record::Pair { .. } => {}
        }
    }

    /// Returns whether there are none.
    pub fn is_empty(&self) -> bool {
        let all = [&self.intervals, &self.messages, &self.handshakes, &self.links];
        all.into_iter().all(|stream| stream.len() == 0)
    }

    /// Returns the intervals of ranks, in order.
    pub(crate) fn intervals(&self) -> impl Iterator<Item = Record> + '_ {
        self.intervals.iter()
    }

    /// Returns the messages, also those that were never delivered, in order.
    pub(crate) fn messages(&self) -> impl Iterator<Item = Record> + '_ {
        self.messages.iter()
    }

    /// Returns what was sent by these messages.
    pub(crate) fn sent(&self) -> impl Iterator<Item = SentMessage> + '_ {
        self.messages().filter_map(|record| record.sent())
    }

    /// Returns the handshakes, in order.
    pub(crate) fn handshakes(&self) -> impl Iterator<Item = Record> + '_ {
        self.handshakes.iter()
    }

    /// Returns the intervals of links, in order.
    pub(crate) fn links(&self) -> impl Iterator<Item = Record> + '_ {
        self.links.iter()
    }
}

impl FromIterator<Record> for Records {
    fn from_iter<T: IntoIterator<Item = Record>>(records: T) -> Self {
        let mut all = Self::default();
        records.into_iter().for_each(|record| all.push(&record));
        all
    }
}

/// A sink that packs all records, and the end of a chain of sinks.
pub struct Packer(Rc<RefCell<Records>>);

/// Gives the records of a [`Packer`] after the run.
pub struct PackerHandle(Rc<RefCell<Records>>);

impl Packer {
    /// Creates a sink, and the handle that gives its records.
    pub fn new() -> (Self, PackerHandle) {
        let records = Rc::<RefCell<Records>>::default();
        (Self(Rc::clone(&records)), PackerHandle(records))
    }
}

impl PackerHandle {
    /// Returns the records. The sink starts again with none.
    pub fn finish(self) -> Records {
        self.0.take()
    }
}

impl TraceSink for Packer {
    fn record(&mut self, record: Record) {
        self.0.borrow_mut().push(&record);
    }

    fn finish(self: Box<Self>) -> Vec<Record> {
        Vec::new()
    }
}
