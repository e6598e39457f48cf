//! Packets and their flits.

use std::ops::Range;

use crate::{network::NodeId, topology::VertexId};

/// A step of a packet's path: the lanes of a channel that it may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) struct Step {
    pub(in super::super) first: u32,
    /// The lane after the last one.
    pub(in super::super) end: u32,
}

/// A packet under way.
#[derive(Clone, Debug)]
pub(in super::super) struct Packet {
    /// The number of its message.
    pub(in super::super) message: u32,
    /// The cycle in which the message was sent; 0 if its age does not count.
    pub(in super::super) born: u64,
    pub(in super::super) bytes: u64,
    pub(in super::super) flits: u32,
    /// Whether it is the last one of its message.
    pub(in super::super) last: bool,
    pub(in super::super) path: Vec<Step>,
    /// Index in the path of the channel that the head takes next.
    pub(in super::super) at: u32,
    pub(in super::super) target: NodeId,
    /// Index in the path from which on it is decided when the head is there.
    pub(in super::super) open: Option<u32>,
    /// The vertex where it took to the escape channels, if the routing decides at each router.
    pub(in super::super) escaped: Option<VertexId>,
}

/// A flit of a packet.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Flit {
    pub(in super::super) packet: u32,
    pub(in super::super) head: bool,
    pub(in super::super) tail: bool,
}

impl Step {
    /// No lane.
    pub(super) const NOWHERE: Self = Self { first: 0, end: 0 };

    pub(super) fn lanes(self) -> Range<u32> {
        self.first..self.end
    }
}
