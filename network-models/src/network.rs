//! [`Network`]: the interface of every network model. It is driven by its caller's clock.

use std::fmt;

use serde::{Deserialize, Serialize};
use sim_core::{SimDuration, SimTime};

use crate::{
    topology::{ChannelCycle, LinkId, Topology, VertexId},
    units::Bandwidth,
};

/// The number of a node, a place where ranks live, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub u32);

/// The caller's number of a transfer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TransferId(pub u64);

/// Bytes to carry from one node to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transfer {
    /// Number, larger than those of all earlier transfers.
    pub id: TransferId,
    /// Sending node.
    pub source: NodeId,
    /// Receiving node; may be the source itself.
    pub target: NodeId,
    /// Size; may be 0.
    pub bytes: u64,
}

/// When a transfer leaves its source and reaches its target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flight {
    /// When the last byte has left the source: its buffer is free.
    pub released: SimTime,
    /// When the last byte is at the target, not before `released`; or `None` if that depends on
    /// other transfers: then [`EventDriven::advance`] reports it.
    pub arrival: Option<SimTime>,
}

/// The answer of a network to a transfer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Delivery {
    /// When the network begins to take the bytes: the sender's processor is free.
    pub accepted: SimTime,
    /// Release and arrival, or `None` if both depend on other transfers: then
    /// [`EventDriven::advance`] reports them.
    pub flight: Option<Flight>,
}

impl Delivery {
    /// Returns the time of arrival, if it is known already.
    pub fn arrival(self) -> Option<SimTime> {
        self.flight?.arrival
    }

    /// Reports whether its times are in order, and none is before that of the injection.
    pub fn is_after(self, injected: SimTime) -> bool {
        let in_order = |Flight { released, arrival }: Flight| {
            injected <= released && arrival.is_none_or(|arrival| released <= arrival)
        };
        injected <= self.accepted && self.flight.is_none_or(in_order)
    }
}

/// Transfers each of which makes every event of a model take longer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Crowd {
    /// How many there are.
    pub transfers: u64,
    /// Mean number for each node from which on the model is too slow to be measured with synthetic
    /// traffic.
    pub most_of_node: u64,
}

/// A network model.
///
/// The caller injects transfers in order of simulated time. A model whose deliveries are all known
/// at once needs [`Network::inject`] alone; the other methods return what else it can do.
///
/// A network that adds something to another one returns that from [`Network::inner`] and
/// [`Network::inner_mut`]: it then has the abilities of the other one and defines those that it
/// changes.
///
/// Determinism: equal calls give equal answers.
pub trait Network {
    /// Accepts a transfer at `now`, which is not before the `now` of any earlier call.
    ///
    /// A transfer within a node must be carried, too; see [`LocalPath::carry`].
    fn inject(&mut self, now: SimTime, transfer: Transfer) -> Delivery;

    /// Accepts a transfer of synthetic traffic, which enters the network even if its target is its own
    /// node. The default carries such a transfer within the node, as [`Network::inject`] does; a
    /// network around another one must define both.
    fn inject_through_port(&mut self, now: SimTime, transfer: Transfer) -> Delivery {
        self.inject(now, transfer)
    }

    /// Returns the network that this one adds to; `None` if it is one by itself.
    fn inner(&self) -> Option<&dyn Network> {
        None
    }

    /// Returns the same network as [`Network::inner`].
    fn inner_mut(&mut self) -> Option<&mut dyn Network> {
        None
    }

    /// Returns the events of the model itself, if it has any. A model without them returns release
    /// and arrival of every transfer at once.
    fn event_driven(&mut self) -> Option<&mut dyn EventDriven> {
        self.inner_mut()?.event_driven()
    }

    /// Returns why transfers in progress never arrive, if they wait for each other or no path leads to
    /// their targets, and [`EventDriven::next_time`] is `None` for that reason.
    ///
    /// The default is `None`, for models in which every transfer arrives.
    fn deadlock(&self) -> Option<NetworkDeadlock> {
        self.inner()?.deadlock()
    }

    /// Returns the time of a cycle, if the model works in cycles. It rounds the time at which a
    /// transfer begins up to a whole cycle.
    fn cycle(&self) -> Option<SimDuration> {
        self.inner()?.cycle()
    }

    /// Returns the transfers that slow the model down, if each of its events takes time in proportion to
    /// them.
    fn crowd(&self) -> Option<Crowd> {
        self.inner()?.crowd()
    }

    /// Returns the links of the model, if it has any.
    fn links(&self) -> Option<LinkView<'_>> {
        self.inner()?.links()
    }

    /// Returns how much each link was used by the end of a run, at `end`, by its number: what has passed by then. The time
    /// is not before the last call. Nothing for models without links.
    ///
    /// The default is [`LinkView::usage`], for models that count what has passed.
    fn usage_until(&self, end: SimTime) -> Vec<LinkUsage> {
        match self.inner() {
            Some(inner) => inner.usage_until(end),
            None => self.links().map_or(Vec::new(), |links| links.until(end)),
        }
    }

    /// Returns what happened to packets so far, if the model drops packets.
    fn losses(&self) -> Option<PacketLosses> {
        self.inner()?.losses()
    }

    /// Returns the log of link reservations, if the model keeps one.
    fn link_log(&mut self) -> Option<&mut LinkLog> {
        self.inner_mut()?.link_log()
    }
}

/// The events of a network model in which later transfers change when earlier ones arrive.
///
/// The caller keeps one alarm:
///
/// 1. After every [`Network::inject`] and every [`EventDriven::advance`] it asks for
///    [`EventDriven::next_time`] and sets the alarm to it.
/// 2. When simulated time reaches the alarm it calls `advance`. Transfers that are injected at the
///    same time may come before it or after it.
///
/// The model reports exactly what it did not know when the transfer was injected: its release if
/// there was no [`Delivery::flight`], then its arrival. It makes a report no later than the reported
/// time, so that the caller can act at that time.
pub trait EventDriven {
    /// Returns when the model wants to advance; `None` if no transfer is in progress. The time is
    /// not before the `now` of the last call, and the call changes nothing.
    fn next_time(&self) -> Option<SimTime>;

    /// Advances the model to `now` and appends what has become known.
    ///
    /// An earlier alarm may go off at a time that the model no longer waits for: then it appends
    /// nothing.
    ///
    /// Order of the reports of one call: by time, then by number of the transfer.
    fn advance(&mut self, now: SimTime, reports: &mut Vec<Report>);
}

/// Transfers that never arrive, because they wait for each other inside a network or no path is left.
///
/// Display: the channels, each of which waits for the next one, or the nodes without a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NetworkDeadlock {
    /// Why they do not move.
    pub reason: Standstill,
    /// The transfers that do not arrive, in order of their numbers.
    pub transfers: Vec<TransferId>,
}

/// Why transfers never arrive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Standstill {
    /// Virtual channels wait for each other in a circle.
    Cycle(ChannelCycle),
    /// Links were cut, and no path is left between two nodes.
    NoPath {
        /// Name of the sending node.
        source: String,
        /// Name of the receiving node.
        target: String,
    },
}

impl Standstill {
    /// Names two nodes of a topology between which no path is left.
    pub(crate) fn no_path(topology: &Topology, source: NodeId, target: NodeId) -> Self {
        let name = |node: NodeId| topology.describe(VertexId(node.0));
        Self::NoPath { source: name(source), target: name(target) }
    }
}

impl fmt::Display for NetworkDeadlock {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.reason {
            Standstill::Cycle(cycle) => write!(out, "no packet can move: {cycle}"),
            Standstill::NoPath { source, target } => {
                write!(out, "the cut links leave no path from {source} to {target}")
            }
        }
    }
}

/// A change of a transfer that was not known when it was injected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Report {
    /// The transfer.
    pub id: TransferId,
    /// Change of its state.
    pub progress: Progress,
    /// Time of the change.
    pub time: SimTime,
}

/// A change of state of a transfer in progress.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Progress {
    /// Its last byte has left the source.
    Released,
    /// Its last byte is at the target.
    Arrived,
}

/// The links of a network model.
#[derive(Clone, Copy, Debug)]
pub struct LinkView<'a> {
    /// The topology that they belong to.
    pub topology: &'a Topology,
    /// How much each link was used, by its number; what a model has reserved ahead of time is included.
    pub usage: &'a [LinkUsage],
}

impl LinkView<'_> {
    /// Returns the usage in a run that ended at `end`, for models that reserve nothing ahead of time but the present
    /// packet or flit.
    fn until(&self, end: SimTime) -> Vec<LinkUsage> {
        let most = end.since(SimTime::ZERO);
        let clamp = |usage: &LinkUsage| LinkUsage { busy: usage.busy.min(most), ..*usage };
        self.usage.iter().map(clamp).collect()
    }
}

/// How much one directed link was used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LinkUsage {
    /// Time for which it carried data.
    pub busy: SimDuration,
    /// Bytes that crossed it.
    pub bytes: u64,
    /// Transfers that crossed it, to their last byte.
    pub messages: u64,
}

/// What happened to the packets of a network that drops some.
///
/// Once nothing is under way, `sent` is the sum of `delivered` and `dropped`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PacketLosses {
    /// Packets that left their nodes, those that were sent again included.
    pub sent: u64,
    /// Packets that reached their targets, some of them more than once.
    pub delivered: u64,
    /// Packets that were lost, because they found a queue full or their link was cut.
    pub dropped: u64,
    /// Those of the dropped packets whose link was cut.
    pub cut: u64,
    /// Packets that were sent again.
    pub retransmitted: u64,
    /// Time-outs after which a connection sent again.
    pub timeouts: u64,
}

impl std::ops::AddAssign for PacketLosses {
    fn add_assign(&mut self, other: Self) {
        self.sent += other.sent;
        self.delivered += other.delivered;
        self.dropped += other.dropped;
        self.cut += other.cut;
        self.retransmitted += other.retransmitted;
        self.timeouts += other.timeouts;
    }
}

/// One reservation of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Occupancy {
    /// The link.
    pub link: LinkId,
    /// When the reservation begins.
    pub start: SimTime,
    /// When it ends; after `start`.
    pub end: SimTime,
}

/// Reservations of links since the caller last took them. It is off until it is switched on, and
/// then the caller empties it after every call of the model.
#[derive(Clone, Debug, Default)]
pub struct LinkLog {
    on: bool,
    entries: Vec<Occupancy>,
}

impl LinkLog {
    /// Starts to keep reservations.
    pub fn switch_on(&mut self) {
        self.on = true;
    }

    /// Keeps a reservation, if the log is on and the reservation is not empty.
    pub fn add(&mut self, occupancy: Occupancy) {
        if self.on && occupancy.start < occupancy.end {
            self.entries.push(occupancy);
        }
    }

    /// Takes the reservations, in the order in which they were made.
    pub fn drain(&mut self) -> impl Iterator<Item = Occupancy> {
        self.entries.drain(..)
    }
}

/// The path between ranks of one node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LocalPath {
    /// Fixed time.
    pub latency: SimDuration,
    /// Rate; `None` is infinite.
    pub bandwidth: Option<Bandwidth>,
}

impl LocalPath {
    /// Returns how long bytes are copied.
    pub fn copies(&self, bytes: u64) -> SimDuration {
        self.bandwidth.map_or(SimDuration::ZERO, |rate| rate.time_for(bytes))
    }

    /// Carries bytes within a node: nothing is shared.
    // Not inlined, so that transfers between nodes need none of its registers.
    #[inline(never)]
    pub fn carry(&self, now: SimTime, bytes: u64) -> Delivery {
        let released = now + self.copies(bytes);
        Delivery {
            accepted: now,
            flight: Some(Flight { released, arrival: Some(released + self.latency) }),
        }
    }
}
