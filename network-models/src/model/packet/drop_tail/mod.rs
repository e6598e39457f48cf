//! [`DropTail`]: packets in queues of a number of bytes, which drop what they cannot hold, and
//! connections that send again what was dropped.

mod queue;
mod receiver;
mod sender;
#[cfg(test)]
mod tests;

use std::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    num::NonZeroU32,
    sync::Arc,
};

use rand::RngExt;
use sim_core::{ChaCha8Rng, SimDuration, SimTime, stream};
use slab::Slab;

use self::{
    queue::Queue,
    receiver::Receiver,
    sender::{Control, Sender},
};
use super::agenda::{Agenda, Classed};
use crate::{
    model::{
        Switching,
        paths::{Choice, Paths},
    },
    network::{
        Delivery, EventDriven, LinkLog, LinkUsage, LinkView, LocalPath, Network, NodeId, Occupancy,
        PacketLosses, Progress, Report, Transfer, TransferId,
    },
    topology::{LinkId, Timeline, Topology},
    units::Bandwidth,
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
/// has left its node for the first time, and arrives in order with the others of its connection.
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
/// notification, no selective acknowledgement. All packets of a connection take one path.
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
    usage: Vec<LinkUsage>,
    log: LinkLog,
    links: Vec<LinkId>,
}

/// The packets from one node to another.
#[derive(Debug)]
struct Connection {
    /// The queues on the way.
    route: Vec<u32>,
    /// Time of an acknowledgement.
    back: SimDuration,
    sender: Sender,
    receiver: Receiver,
    /// The packets that are not acknowledged, from [`Sender::first`] on.
    segments: VecDeque<Segment>,
    timer: Option<SimTime>,
    /// When it sent or received something last.
    active: SimTime,
}

impl Connection {
    fn segment(&self, number: u64) -> Segment {
        self.segments[(number - self.sender.first()) as usize]
    }
}

/// A packet that is not acknowledged.
#[derive(Clone, Copy, Debug)]
struct Segment {
    bytes: u64,
    /// The message of which it is the last packet.
    ends: Option<TransferId>,
    /// When it left its node last, from its first byte to its last.
    left: Option<(SimTime, SimTime)>,
    /// Whether it was sent several times.
    again: bool,
}

/// A packet on its way.
#[derive(Clone, Copy, Debug)]
struct Packet {
    connection: u32,
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
    /// A connection learns which packet is missing first.
    Acknowledged { connection: u32, missing: u64 },
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
        Self::routed(topology, parameters, local, &Choice::default())
    }

    pub(super) fn routed(
        topology: Arc<Topology>,
        parameters: DropTailParameters,
        local: LocalPath,
        routing: &Choice,
    ) -> Self {
        let p = &parameters;
        let links = topology.link_count();
        let ports = (topology.nodes() * topology.rails()) as usize;
        let stores = p.switching == Switching::StoreAndForward;
        let link = |link| {
            let from = topology.link_ends(link).0;
            let in_node = from.0 < topology.nodes() && topology.is_host(NodeId(from.0));
            let space = (!in_node).then_some(p.queue.get().into());
            let delay = topology.link_delay(link, p.hop);
            Queue::new(Some(topology.link_bandwidth(link, p.bandwidth)), delay, stores, space)
        };
        let port = |delay| Queue::new(p.injection, delay, false, None);
        let queues = (0..links)
            .map(|number| link(LinkId(number)))
            .chain(std::iter::repeat_n(port(p.latency), ports))
            .chain(std::iter::repeat_n(port(SimDuration::ZERO), ports));
        Self {
            queues: queues.collect(),
            paths: routing.on(&Timeline::constant(Arc::clone(&topology))),
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
            usage: vec![LinkUsage::default(); links as usize],
            log: LinkLog::default(),
            links: Vec::new(),
            topology,
        }
    }

    /// Returns the connection from one node to another.
    fn connection(&mut self, source: NodeId, target: NodeId) -> u32 {
        if let Some(number) = self.numbers.get(&(source, target)) {
            return *number;
        }
        let number = self.connections.len() as u32;
        let back = self.idle_time(target, source, 0);
        let whole = self.idle_time(source, target, self.parameters.size.get().into());
        let route = self.route(source, target);
        let control =
            Control { least: self.parameters.least_timeout, window: self.parameters.window.get() };
        self.connections.push(Connection {
            route,
            back,
            sender: Sender::new(control, whole + back),
            receiver: Receiver::default(),
            segments: VecDeque::new(),
            timer: None,
            active: SimTime::ZERO,
        });
        self.numbers.insert((source, target), number);
        number
    }

    /// Returns the queues from one node to another. Those of the links are in `links`, too.
    fn route(&mut self, source: NodeId, target: NodeId) -> Vec<u32> {
        let (links, rails) = (self.topology.link_count(), self.topology.rails());
        let nodes = self.topology.nodes();
        // The first route of a node, if it has several that take turns.
        let message = Transfer { id: TransferId(0), source, target, bytes: 0 };
        let sent = self.paths.send(SimTime::ZERO, &message);
        self.paths.links(sent, (source, target), &mut self.links);
        let rail = |link, node| self.topology.rail(link, node);
        let path = &self.links;
        let (out, into) = (rail(path[0], source), rail(path[path.len() - 1], target));
        let mut route = vec![links + source.0 * rails + out];
        route.extend(path.iter().map(|link| link.0));
        route.push(links + (nodes + target.0) * rails + into);
        route
    }

    /// Returns the time of a packet on an idle network.
    fn idle_time(&mut self, source: NodeId, target: NodeId, bytes: u64) -> SimDuration {
        let (mut head, mut complete) = (SimDuration::ZERO, SimDuration::ZERO);
        let route = self.route(source, target);
        for (place, number) in route.iter().enumerate() {
            let Queue { rate, delay, stores, .. } = self.queues[*number as usize];
            let time = rate.map_or(SimDuration::ZERO, |rate| rate.time_for(bytes));
            complete = complete.max(head + time);
            let next = route.get(place + 1).is_some_and(|next| self.queues[*next as usize].stores);
            head = if stores && next { complete } else { head } + delay;
            complete += delay;
        }
        complete
    }

    /// Sends what the window of a connection allows.
    fn send(&mut self, now: SimTime, connection: u32) {
        while let Some(number) = self.connections[connection as usize].sender.next() {
            self.transmit(now, connection, number);
        }
        self.set_timer(now, connection, false);
    }

    /// Hands a packet to the port of its node.
    fn transmit(&mut self, now: SimTime, connection: u32, number: u64) {
        let place = &mut self.connections[connection as usize];
        let Segment { bytes, ends, left, .. } = place.segment(number);
        let port = &mut self.queues[place.route[0] as usize];
        let Some((start, end)) = port.take(now, bytes, now) else { return };
        let index = (number - place.sender.first()) as usize;
        let again = left.is_some();
        place.segments[index].left = Some((start, end));
        place.segments[index].again = again;
        place.active = end;
        self.losses.sent += 1;
        self.losses.retransmitted += u64::from(again);
        if let Some(id) = ends.filter(|_| !again) {
            self.events.schedule(end, Event::Released(id));
        }
        let (port, last) = (place.route[0], ends.is_some());
        let head = self.leave_node(port, start, bytes);
        let complete = head + end.since(start);
        let packet = Packet { connection, number, bytes, last, step: 1, complete };
        let packet = self.packets.insert(packet) as u32;
        self.events.schedule(head, Event::Queued(packet));
    }

    /// Returns when the head of a packet that a port sends from `start` on is at the first link.
    fn leave_node(&mut self, port: u32, start: SimTime, bytes: u64) -> SimTime {
        let (random, last) = &mut self.delays[(port - self.topology.link_count()) as usize];
        let mut head = start + self.queues[port as usize].delay;
        if self.losses.dropped > 0 {
            let most = self.parameters.bandwidth.time_for(bytes).as_ps();
            head = (head + SimDuration::from_ps(random.random_range(0..=most))).max(*last);
            *last = head;
        }
        head
    }

    /// Sets the timer of a connection, if packets are not acknowledged; again, if it is set.
    fn set_timer(&mut self, now: SimTime, connection: u32, again: bool) {
        let place = &mut self.connections[connection as usize];
        if place.timer.is_some() && !again {
            return;
        }
        if let Some(old) = place.timer.take() {
            self.timers.remove(&(old, connection));
        }
        if place.sender.has_outstanding() {
            let left = place.segment(place.sender.first()).left;
            let from = left.map_or(now, |(_, end)| now.max(end));
            let time = from + place.sender.timeout();
            place.timer = Some(time);
            self.timers.insert((time, connection));
        }
    }

    /// Lets a packet join the next queue of its route.
    fn join(&mut self, now: SimTime, number: u32) {
        let packet = self.packets[number as usize];
        let Packet { bytes, step, complete, last, .. } = packet;
        let route = &self.connections[packet.connection as usize].route;
        let server = route[step as usize];
        let next = route.get(step as usize + 1).copied();
        let queue = &mut self.queues[server as usize];
        let Some((start, end)) = queue.take(now, bytes, complete) else {
            self.losses.dropped += 1;
            self.packets.remove(number as usize);
            return;
        };
        let (delay, stores) = (queue.delay, queue.stores);
        if let Some(usage) = self.usage.get_mut(server as usize) {
            usage.busy += end.since(start);
            usage.bytes += bytes;
            usage.messages += u64::from(last);
            self.log.add(Occupancy { link: LinkId(server), start, end });
        }
        let Some(next) = next else {
            self.events.schedule(end, Event::Arrived(number));
            return;
        };
        let stored = stores && self.queues[next as usize].stores;
        self.packets[number as usize].step += 1;
        self.packets[number as usize].complete = end + delay;
        let from = if stored { end } else { start };
        self.events.schedule(from + delay, Event::Queued(number));
    }

    /// Ends the way of a packet and acknowledges it.
    fn arrive(&mut self, now: SimTime, packet: u32, reports: &mut Vec<Report>) {
        let Packet { connection, number, .. } = self.packets.remove(packet as usize);
        self.losses.delivered += 1;
        let place = &mut self.connections[connection as usize];
        let before = place.receiver.next();
        let missing = place.receiver.take(number);
        for number in before..missing {
            if let Some(id) = place.segment(number).ends {
                reports.push(Report { id, progress: Progress::Arrived, time: now });
            }
        }
        self.events.schedule(now + place.back, Event::Acknowledged { connection, missing });
    }

    /// Takes an acknowledgement and sends what it allows.
    fn acknowledge(&mut self, now: SimTime, connection: u32, missing: u64) {
        let place = &mut self.connections[connection as usize];
        place.active = place.active.max(now);
        let before = place.sender.first();
        let arrived = missing.saturating_sub(before) as usize;
        let known: Vec<Segment> = place.segments.drain(..arrived).collect();
        let again = known.iter().any(|segment| segment.again);
        let left = known.last().filter(|_| !again).and_then(|segment| segment.left);
        let sample = left.map(|(start, _)| now.since(start));
        let lost = place.sender.acknowledge(missing, sample);
        if let Some(number) = lost {
            self.transmit(now, connection, number);
        }
        if arrived > 0 || lost.is_some() {
            self.set_timer(now, connection, true);
        }
        self.send(now, connection);
    }

    /// Sends the packets of a connection again from the first that is not acknowledged on.
    fn time_out(&mut self, now: SimTime, connection: u32) {
        let place = &mut self.connections[connection as usize];
        place.timer = None;
        place.sender.time_out();
        self.losses.timeouts += 1;
        self.send(now, connection);
    }
}

impl Network for DropTail {
    fn inject(&mut self, now: SimTime, transfer: Transfer) -> Delivery {
        let Transfer { id, source, target, bytes } = transfer;
        if source == target {
            return self.local.carry(now, bytes);
        }
        let connection = self.connection(source, target);
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
        Some(LinkView { topology: &self.topology, usage: &self.usage })
    }

    fn link_log(&mut self) -> Option<&mut LinkLog> {
        Some(&mut self.log)
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
                Some(Event::Acknowledged { connection, missing }) => {
                    self.acknowledge(time, connection, missing);
                }
                Some(Event::Queued(packet)) => self.join(time, packet),
                None => return,
            }
        }
        reports[from..].sort_by_key(|report| (report.time, report.id));
    }
}
