//! The one interface that every network model fits: pure, driven by its caller's clock.

use serde::{Deserialize, Serialize};
use sim_core::{SimDuration, SimTime};

use crate::{
    topology::{LinkId, Topology},
    units::Bandwidth,
};

/// A place where ranks live, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub u32);

/// The caller's number of a transfer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TransferId(pub u64);

/// Bytes to carry from one node to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transfer {
    /// Its number.
    pub id: TransferId,
    /// From.
    pub source: NodeId,
    /// To; may be the source itself.
    pub target: NodeId,
    /// How many.
    pub bytes: u64,
}

/// The rest of a transfer whose future is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flight {
    /// When the last byte has left the source: its buffer is free.
    pub released: SimTime,
    /// When the last byte is at the target.
    pub arrival: SimTime,
}

/// What the network says to a transfer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Delivery {
    /// When it begins to take the bytes: the sender's processor is free.
    pub accepted: SimTime,
    /// The rest, or `None` if [`Network::advance`] will tell.
    pub flight: Option<Flight>,
}

/// A transfer that has arrived.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrival {
    /// Which.
    pub id: TransferId,
    /// When its last byte had left the source.
    pub released: SimTime,
    /// When its last byte was at the target.
    pub time: SimTime,
}

/// How much one directed link was used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LinkUsage {
    /// Time it was reserved.
    pub busy: SimDuration,
    /// Bytes that crossed it.
    pub bytes: u64,
    /// Transfers that crossed it.
    pub messages: u64,
}

/// One reservation of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Occupancy {
    /// The link.
    pub link: LinkId,
    /// From.
    pub start: SimTime,
    /// To.
    pub end: SimTime,
    /// For which transfer.
    pub transfer: TransferId,
}

/// A network. Calls come in order of time; equal inputs give equal outputs.
pub trait Network {
    /// Takes a transfer at `now`.
    fn inject(&mut self, now: SimTime, transfer: Transfer) -> Delivery;

    /// When it wants [`Network::advance`] to be called, if at all.
    fn next_time(&self) -> Option<SimTime> {
        None
    }

    /// Moves its clock and tells what arrived; at a stale time it does nothing.
    fn advance(&mut self, _now: SimTime, _arrivals: &mut Vec<Arrival>) {}

    /// Usage of each directed link; empty for models without links.
    fn link_usage(&self) -> &[LinkUsage] {
        &[]
    }

    /// The topology whose distances count; `None` for models without distances.
    fn topology(&self) -> Option<&Topology> {
        None
    }

    /// The reservations since the last call, if they are recorded.
    fn drain_occupancy(&mut self, _out: &mut Vec<Occupancy>) {}
}

/// The way between ranks of one node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LocalPath {
    /// Fixed time.
    pub latency: SimDuration,
    /// Rate; `None` is infinite.
    pub bandwidth: Option<Bandwidth>,
}

impl LocalPath {
    /// A transfer that stays within its node.
    pub(crate) fn carry(self, now: SimTime, bytes: u64) -> Delivery {
        let copying = self.bandwidth.map_or(SimDuration::ZERO, |rate| rate.time_for(bytes));
        let released = now + copying;
        Delivery {
            accepted: now,
            flight: Some(Flight { released, arrival: released + self.latency }),
        }
    }
}
