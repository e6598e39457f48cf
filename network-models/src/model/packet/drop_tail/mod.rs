//! [`DropTail`]: packets in queues of a number of bytes, which drop what they cannot hold, and
//! connections that send again what was dropped.

mod carrying;
mod connection;
mod course;
mod queue;
mod receiver;
mod sender;
mod sending;
#[cfg(test)]
mod tests;

use std::{
    collections::{BTreeMap, BTreeSet},
    num::NonZeroU32,
    sync::Arc,
};

use sim_core::{ChaCha8Rng, SimDuration, SimTime, stream};
use slab::Slab;

use self::{
    connection::{Connection, Segment},
    course::Course,
    queue::Queue,
};
use super::agenda::{Agenda, Classed};
use crate::{
    model::{
        Switching,
        paths::{Choice, Paths},
    },
    network::{
        Delivery, EventDriven, LinkLog, LinkUsage, LinkView, LocalPath, Network, NetworkDeadlock,
        NodeId, PacketLosses, Progress, Report, Standstill, Transfer, TransferId,
    },
    topology::{LinkId, Timeline, Topology},
    units::Bandwidth,
    usage::Usage,
};

/// The parameters of [`DropTail`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DropTailParameters {
    /// Fixed time between a node's port and its first link.
    pub latency: SimDuration,
    /// Time of a switch and its wire, for each hop.
    pub hop: SimDuration,
    /// Rate of each link in each direction.
    pub bandwidth: Bandwidth,
    /// Rate of a node's port in each direction; `None` is infinite.
    pub injection: Option<Bandwidth>,
    /// The way switches forward a packet.
    pub switching: Switching,
    /// Largest number of bytes of a packet.
    pub size: NonZeroU32,
    /// Bytes that a switch stores for each outgoing link.
    pub queue: NonZeroU32,
    /// Shortest time after which a packet that is not acknowledged is sent again.
    pub least_timeout: SimDuration,
    /// Packets that a connection sends before the first acknowledgement.
    pub window: NonZeroU32,
    /// Whether acknowledgements name the packets that have arrived behind a missing one (SACK).
    pub selective: bool,
    /// Seed of the delays of packets within their nodes.
    pub seed: u64,
}

/// Divides messages into packets, which switches drop if the queue of the next link is full. The
/// packets from one node to another are a connection, which sends them again.
///
/// A switch has a queue of a number of bytes for each outgoing link and serves it in the order in
/// which packets come (drop-tail). A packet takes space from the moment at which its head comes until
/// it has been sent; an empty queue takes a packet of any size. The ports of nodes and the cables
/// of nodes that forward nothing have queues without limit, in the memory of the node.
///
/// Connections follow TCP: slow start, congestion avoidance, fast retransmit after three duplicate
/// acknowledgements and fast recovery (RFC 5681, NewReno of RFC 6582), time-outs with doubling (RFC
/// 6298), and the first window again after a time-out's pause. They are open from the begin on,
/// each has measured the round trip of the idle network, and they stay between messages. A window
/// counts packets, and grows only if it is used up. Each packet is acknowledged at once;
/// acknowledgements take the idle network's time back, no rate of any link, and are never lost. The
/// time-out of a packet begins when it has left its node. A message is released when its last packet
/// has left its node for the first time, and arrives in order with the others of its connection. With
/// selective acknowledgements (RFC 2018) the sender knows every packet that has arrived: it replaces
/// all that are missing within a round trip (RFC 6675), and after a time-out only those.
///
/// Where links change ([`Timeline`]), a packet takes the route that holds when it leaves its node, and
/// links have the rate of the time at which they begin to carry it. A connection without a path sends again
/// after each time-out, and gives up if no later change brings a path; [`Network::deadlock`] then names
/// its nodes.
///
/// From the first loss on, each packet takes longer between the port and the first link, by a random
/// part of its time on a link. Without that, packets that come in step with the service of a full
/// queue always find space and those of another node never do, which no real network keeps up
/// (phase effects; Floyd and Jacobson 1992). Packets of a port stay in order.
///
/// On an idle network a message whose window never waits takes as long as in
/// [`Packets`](super::Packets).
///
/// # Validity
/// Packets have no headers and are not joined (Nagle). There is no pause frame, no explicit congestion
/// notification. All packets of a connection take one path until links change. A packet whose link
/// is cut before all of it has crossed is lost, on the wire and in the queue alike; acknowledgements
/// on their way are not.
///
/// Determinism: at equal times packets reach their targets, then acknowledgements their sources, then
/// packets their queues, in the order of their causes, and then time-outs in the order of their
/// connections.
#[derive(Debug)]
pub struct DropTail {
    topology: Arc<Topology>,
    paths: Paths,
    parameters: DropTailParameters,
    local: LocalPath,
    /// Links, then the ports of nodes outwards, then inwards.
    queues: Vec<Queue>,
    connections: Vec<Connection>,
    numbers: BTreeMap<(NodeId, NodeId), u32>,
    packets: Slab<Packet>,
    events: Agenda<Event>,
    timers: BTreeSet<(SimTime, u32)>,
    /// The random delays of each port, and when the head of its last packet was at the first link.
    delays: Vec<(ChaCha8Rng, SimTime)>,
    losses: PacketLosses,
    usage: Usage,
    log: LinkLog,
    links: Vec<LinkId>,
    /// Connections that wait for an acknowledgement and have no path any more.
    given_up: BTreeSet<u32>,
}

/// A packet on its way.
#[derive(Clone, Copy, Debug)]
struct Packet {
    connection: u32,
    /// The route of the connection that it takes.
    route: u32,
    number: u64,
    bytes: u64,
    /// Whether it is the last one of its message.
    last: bool,
    /// Index of the next queue in the route.
    step: u32,
    /// When all of it is there.
    complete: SimTime,
}

#[derive(Clone, Copy, Debug)]
enum Event {
    /// The last byte of a message has left its node.
    Released(TransferId),
    /// A packet is at its target.
    Arrived(u32),
    /// A connection learns which packet is missing first, from the arrival of another one.
    Acknowledged { connection: u32, missing: u64, arrived: u64 },
    /// The head of a packet is at the next queue of its route.
    Queued(u32),
}

impl Classed for Event {
    fn class(&self) -> usize {
        match self {
            Self::Released(_) => 0,
            Self::Arrived(_) => 1,
            Self::Acknowledged { .. } => 2,
            Self::Queued(_) => 3,
        }
    }
}

impl DropTail {
    /// Creates a network on which nothing is under way. Messages take the topology's own routes.
    pub fn new(topology: Arc<Topology>, parameters: DropTailParameters, local: LocalPath) -> Self {
        Self::routed(&Timeline::constant(topology), parameters, local, &Choice::default())
    }

    pub(super) fn routed(
        timeline: &Timeline,
        parameters: DropTailParameters,
        local: LocalPath,
        routing: &Choice,
    ) -> Self {
        let topology = Arc::clone(timeline.base());
        let p = &parameters;
        let links = topology.link_count();
        let ports = topology.ports() as usize;
        let stores = p.switching == Switching::StoreAndForward;
        let link = |link| {
            let from = topology.link_ends(link).0;
            let in_node = from.0 < topology.nodes() && topology.is_host(NodeId(from.0));
            let space = (!in_node).then_some(p.queue.get().into());
            let delay = topology.link_delay(link, p.hop);
            Queue::new(Some(topology.link_bandwidth(link, p.bandwidth)), delay, stores, space)
                .changing(Course::of(timeline, link, p.bandwidth))
        };
        let port = |delay| Queue::new(p.injection, delay, false, None);
        let queues = (0..links)
            .map(|number| link(LinkId(number)))
            .chain(std::iter::repeat_n(port(p.latency), ports))
            .chain(std::iter::repeat_n(port(SimDuration::ZERO), ports));
        Self {
            queues: queues.collect(),
            paths: routing.on(timeline),
            parameters,
            local,
            connections: Vec::new(),
            numbers: BTreeMap::new(),
            packets: Slab::new(),
            events: Agenda::new(),
            timers: BTreeSet::new(),
            delays: (0..ports)
                .map(|port| (stream(parameters.seed, "drop-tail", port as u64), SimTime::ZERO))
                .collect(),
            losses: PacketLosses::default(),
            usage: Usage::new(links as usize),
            log: LinkLog::default(),
            links: Vec::new(),
            given_up: BTreeSet::new(),
            topology,
        }
    }
}

impl Network for DropTail {
    fn inject(&mut self, now: SimTime, transfer: Transfer) -> Delivery {
        let Transfer { id, source, target, bytes } = transfer;
        if source == target {
            return self.local.carry(now, bytes);
        }
        let connection = self.connection(now, source, target);
        let place = &mut self.connections[connection as usize];
        if place.sender.is_idle() && place.active + place.sender.timeout() < now {
            place.sender.restart();
        }
        let size = u64::from(self.parameters.size.get());
        let packets = bytes.div_ceil(size).max(1);
        place.segments.extend((1..=packets).map(|number| Segment {
            bytes: size.min(bytes - (number - 1) * size),
            ends: (number == packets).then_some(id),
            left: None,
            again: false,
        }));
        place.sender.add(packets);
        self.send(now, connection);
        Delivery { accepted: now, flight: None }
    }

    fn event_driven(&mut self) -> Option<&mut dyn EventDriven> {
        Some(self)
    }

    fn links(&self) -> Option<LinkView<'_>> {
        Some(LinkView { topology: &self.topology, usage: self.usage.reserved() })
    }

    fn usage_until(&self, end: SimTime) -> Vec<LinkUsage> {
        self.usage.until(end)
    }

    fn link_log(&mut self) -> Option<&mut LinkLog> {
        Some(&mut self.log)
    }

    fn deadlock(&self) -> Option<NetworkDeadlock> {
        let waiting = |number: &u32| &self.connections[*number as usize];
        let stuck: Vec<&Connection> = self.given_up.iter().map(waiting).collect();
        let mut transfers: Vec<TransferId> = stuck.iter().flat_map(|it| it.missing()).collect();
        transfers.sort_unstable();
        let first = stuck.iter().find(|it| it.missing().next() == transfers.first().copied())?;
        let (source, target) = first.ends;
        let reason = Standstill::no_path(&self.topology, source, target);
        (!transfers.is_empty()).then_some(NetworkDeadlock { reason, transfers })
    }

    fn losses(&self) -> Option<PacketLosses> {
        Some(self.losses)
    }
}

impl EventDriven for DropTail {
    fn next_time(&self) -> Option<SimTime> {
        let timer = self.timers.first().map(|(time, _)| *time);
        self.events.next_time().into_iter().chain(timer).min()
    }

    fn advance(&mut self, now: SimTime, reports: &mut Vec<Report>) {
        let from = reports.len();
        while let Some(time) = self.next_time().filter(|time| *time <= now) {
            if self.events.next_time() != Some(time) {
                if let Some((_, connection)) = self.timers.pop_first() {
                    self.time_out(time, connection);
                }
                continue;
            }
            match self.events.pop().map(|(_, event)| event) {
                Some(Event::Released(id)) => {
                    reports.push(Report { id, progress: Progress::Released, time });
                }
                Some(Event::Arrived(packet)) => self.arrive(time, packet, reports),
                Some(Event::Acknowledged { connection, missing, arrived }) => {
                    self.acknowledge(time, connection, missing, arrived);
                }
                Some(Event::Queued(packet)) => self.join(time, packet),
                None => return,
            }
        }
        reports[from..].sort_by_key(|report| (report.time, report.id));
    }
}
