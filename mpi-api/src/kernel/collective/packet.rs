//! The record of an eager message inside a collective.

use sim_core::SimTime;
use smallvec::SmallVec;

use crate::{
    call::{Mode, Payload, Site},
    kernel::transport::message::{Message, NONE, Phase, Sender, Vacate},
    object::signature::{Primitive, Signature},
    trace::Protocol,
};

/// Largest memory that the record of a message keeps for later messages, in bytes.
const KEPT_MAX: usize = 1 << 12;

/// An eager message inside a collective.
#[derive(Debug)]
pub(crate) struct Packet {
    pub(super) live: bool,
    /// Tag of the operation.
    pub(super) tag: i32,
    /// Number of the message in order of sending.
    pub(super) id: u64,
    /// World rank of the sender.
    pub(super) source: u32,
    /// World rank of the receiver.
    pub(super) target: u32,
    /// The sender's index among the members.
    pub(super) source_rank: u32,
    pub(super) context: u32,
    /// Position among the messages of this pair of ranks.
    pub(super) sequence: u32,
    /// The sender's part in the collective.
    pub(super) execution: u32,
    pub(super) posted: SimTime,
    pub(super) data: SmallVec<[u8; 16]>,
}

impl Vacate for Packet {
    #[inline]
    fn vacate(&mut self) {
        self.live = false;
        if self.data.capacity() > KEPT_MAX {
            self.data = SmallVec::new();
        }
    }

    fn is_live(&self) -> bool {
        self.live
    }
}

impl Packet {
    /// Creates a record without a message.
    pub(super) fn new() -> Self {
        Self {
            live: false,
            tag: 0,
            id: 0,
            source: 0,
            target: 0,
            source_rank: 0,
            context: 0,
            sequence: 0,
            execution: NONE,
            posted: SimTime::ZERO,
            data: SmallVec::new(),
        }
    }

    /// Sets the data. Most records carry data of one size again and again, for which there is
    /// nothing but the copy.
    #[inline]
    pub(super) fn load(&mut self, data: &[u8]) {
        if self.data.len() == data.len() {
            self.data.copy_from_slice(data);
        } else {
            self.data.clear();
            self.data.extend_from_slice(data);
        }
    }

    /// Returns the world rank of the receiver.
    pub(crate) fn target(&self) -> u32 {
        self.target
    }

    /// Returns the general message that arrives at `now`.
    pub(super) fn to_message(&self, now: SimTime) -> Message {
        Message {
            live: true,
            id: self.id,
            source: self.source,
            target: self.target,
            source_rank: self.source_rank,
            context: self.context,
            tag: self.tag,
            sequence: self.sequence,
            ordinal: 0,
            mode: Mode::Standard,
            phase: Phase::Travelling,
            protocol: Protocol::Eager,
            payload: Payload::from_slice(&self.data),
            signature: Signature::of(Primitive::Packed, self.data.len() as u64),
            sender: Sender::Gone,
            receive_request: NONE,
            pooled: false,
            attached: false,
            cancelled: false,
            in_line: false,
            next: NONE,
            log: 0,
            site: Site::NOWHERE,
            posted: self.posted,
            injected: now,
            arrived: now,
        }
    }
}
