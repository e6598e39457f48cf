//! Traces: [`Record`]s that a run passes to a [`TraceSink`] while it goes on.

use network_models::LinkId;
use serde::{Deserialize, Serialize};
use sim_core::SimTime;

use crate::{
    call::Site,
    observation::Observation,
    text::{Text, interned},
};

/// How a message was carried.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Protocol {
    /// The data travelled with the envelope.
    Eager,
    /// Envelope, clear-to-send, then the data.
    Rendezvous,
}

/// The activity of a rank in an interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Activity {
    /// Computing outside MPI.
    Compute,
    /// Processor time inside MPI.
    Overhead,
    /// Blocked in MPI.
    Waiting,
}

/// One fact about a run. Times are simulated.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Record {
    /// A rank spent an interval on one activity.
    Interval {
        /// World rank.
        rank: u32,
        /// The activity.
        activity: Activity,
        /// Name of the call in the spelling of the api; "compute" outside MPI.
        #[serde(deserialize_with = "interned")]
        call: Text,
        /// Place of the call in the program.
        site: Option<Site>,
        /// Beginning of the interval.
        start: SimTime,
        /// End of the interval.
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
        /// Tag; -1 for messages inside collective operations and for one-sided accesses.
        tag: i32,
        /// Size of the data, bytes.
        bytes: u64,
        /// The protocol that carried it.
        protocol: Protocol,
        /// Time at which the send call began.
        posted: SimTime,
        /// Time at which its data entered the network.
        injected: SimTime,
        /// Time at which the data arrived.
        arrived: SimTime,
        /// Time at which it had been matched with a receive and its data had arrived.
        matched: SimTime,
    },
    /// A message was sent and never delivered.
    Undelivered {
        /// World rank of the sender.
        source: u32,
        /// World rank of the receiver.
        target: u32,
        /// Tag; -1 for messages inside collective operations and for one-sided accesses.
        tag: i32,
        /// Size of the data, bytes.
        bytes: u64,
        /// The protocol that was to carry it.
        protocol: Protocol,
    },
    /// A rendezvous message met its receive, whose rank then sent the clear-to-send.
    Handshake {
        /// Number of the message.
        id: u64,
        /// Time at which its envelope entered the network.
        sent: SimTime,
        /// Time at which its envelope arrived.
        arrived: SimTime,
        /// Time at which receive and envelope were both there, and the clear-to-send left the
        /// receiver.
        ready: SimTime,
    },
    /// A message and a receive of the program were matched.
    Pair {
        /// World rank of the sender.
        source: u32,
        /// World rank of the receiver.
        target: u32,
        /// Index of the message among those sent by the sender's program, from 0.
        ordinal: u32,
        /// Place of the send.
        send: Site,
        /// The call that receives it.
        #[serde(deserialize_with = "interned")]
        call: Text,
        /// Place of that call.
        receive: Site,
    },
    /// A directed link was busy with one message.
    Link {
        /// The link.
        link: LinkId,
        /// Beginning of the interval.
        start: SimTime,
        /// End of the interval.
        end: SimTime,
    },
}

/// A message as the counts of a run have it: every one that was sent, whether it was delivered or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SentMessage {
    /// World rank of the sender.
    pub source: u32,
    /// World rank of the receiver.
    pub target: u32,
    /// Tag; -1 for messages inside collective operations and for one-sided accesses.
    pub tag: i32,
    /// Size of the data, bytes.
    pub bytes: u64,
    /// The protocol.
    pub protocol: Protocol,
}

impl Record {
    /// Returns the message that was sent, if the record is that of one. Whatever counts messages asks this, so that
    /// all counts of a run that was cut or stalled are the same.
    pub fn sent(&self) -> Option<SentMessage> {
        match *self {
            Self::Message { source, target, tag, bytes, protocol, .. }
            | Self::Undelivered { source, target, tag, bytes, protocol } => {
                Some(SentMessage { source, target, tag, bytes, protocol })
            }
            Self::Interval { .. }
            | Self::Handshake { .. }
            | Self::Pair { .. }
            | Self::Link { .. } => None,
        }
    }
}

/// A consumer of trace records.
pub trait TraceSink {
    /// Takes one record. Records come in the order in which the kernel learns of them, which is
    /// deterministic.
    fn record(&mut self, record: Record);

    /// Takes an observation of a call, which no trace keeps. The default does nothing.
    fn observe(&mut self, observation: Observation) {
        let _ = observation;
    }

    /// Returns the records that the sink kept, if it keeps any.
    fn finish(self: Box<Self>) -> Vec<Record>;
}

/// A sink that keeps every record in memory.
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
