//! What a run tells while it goes: [`Record`]s pushed into a [`TraceSink`].

use network_models::LinkId;
use serde::{Deserialize, Serialize};
use sim_core::SimTime;

use crate::{
    call::Site,
    text::{Text, interned},
};

/// How a message was carried.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Protocol {
    /// Data travelled with the envelope.
    Eager,
    /// Envelope, clear-to-send, then data.
    Rendezvous,
}

/// What a rank was doing in an interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Activity {
    /// Outside MPI.
    Compute,
    /// Processor time inside MPI.
    Overhead,
    /// Blocked.
    Waiting,
}

/// One fact about a run. Times are simulated.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Record {
    /// A rank spent an interval on one thing.
    Interval {
        /// World rank.
        rank: u32,
        /// What it did.
        activity: Activity,
        /// Call it was in (MPI name in the api's spelling, "compute" outside MPI).
        #[serde(deserialize_with = "interned")]
        call: Text,
        /// Where in the program.
        site: Option<Site>,
        /// From.
        start: SimTime,
        /// To.
        end: SimTime,
    },
    /// A message was delivered to its receive.
    Message {
        /// Number of the message, in order of sending.
        id: u64,
        /// World rank of the sender.
        source: u32,
        /// World rank of the receiver.
        target: u32,
        /// Tag; -1 for messages inside collectives.
        tag: i32,
        /// Size of the data.
        bytes: u64,
        /// How it was carried.
        protocol: Protocol,
        /// When the send call began.
        posted: SimTime,
        /// When its data entered the network.
        injected: SimTime,
        /// When the data arrived.
        arrived: SimTime,
        /// When it was matched with a receive and the data were there.
        matched: SimTime,
    },
    /// A message was sent and never delivered.
    Undelivered {
        /// World rank of the sender.
        source: u32,
        /// World rank of the receiver.
        target: u32,
        /// Size of the data.
        bytes: u64,
    },
    /// A message by rendezvous met its receive, whose rank then asked for the data.
    Handshake {
        /// Number of the message.
        id: u64,
        /// When its envelope entered the network.
        sent: SimTime,
        /// When its envelope arrived.
        arrived: SimTime,
        /// When receive and envelope were both there, and the clear-to-send left the receiver.
        ready: SimTime,
    },
    /// A message and a receive of the program belong together from here on.
    Pair {
        /// World rank of the sender.
        source: u32,
        /// World rank of the receiver.
        target: u32,
        /// Which of the messages of the sender's program it is, from 0.
        ordinal: u32,
        /// Where it was sent.
        send: Site,
        /// The call that receives it.
        #[serde(deserialize_with = "interned")]
        call: Text,
        /// Where that is.
        receive: Site,
    },
    /// A directed link was busy with one message.
    Link {
        /// The link.
        link: LinkId,
        /// From.
        start: SimTime,
        /// To.
        end: SimTime,
    },
}

/// Where records go.
pub trait TraceSink {
    /// Takes one record. Records come in the order the kernel learns of them, which is fixed.
    fn record(&mut self, record: Record);

    /// Gives back what it kept, if it keeps anything.
    fn finish(self: Box<Self>) -> Vec<Record>;
}

/// Keeps every record.
#[derive(Debug, Default)]
pub struct Recording {
    /// The records in order.
    pub records: Vec<Record>,
}

impl TraceSink for Recording {
    fn record(&mut self, record: Record) {
        self.records.push(record);
    }

    fn finish(self: Box<Self>) -> Vec<Record> {
        self.records
    }
}
