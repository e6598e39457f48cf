//! `packet`: messages are divided into packets that wait in finite buffers.

mod agenda;
mod drop_tail;
mod kind;
mod switches;
#[cfg(test)]
mod tests;

use std::{
    collections::VecDeque,
    num::{NonZeroU32, NonZeroU64},
    sync::Arc,
};

use sim_core::{SimDuration, SimTime};
use slab::Slab;

pub use self::drop_tail::{DropTail, DropTailParameters};
pub(super) use self::kind::PacketKind;
use self::switches::{Channel, Left, Server, Switches};
use super::{
    Switching,
    paths::{ChannelPaths, Choice, Sent},
};
use crate::{
    network::{
        Delivery, EventDriven, LinkLog, LinkUsage, LinkView, LocalPath, Network, NetworkDeadlock,
        Occupancy, Progress, Report, Standstill, Transfer, TransferId,
    },
    routing::Queues,
    topology::{ChannelCycle, LinkId, Timeline, Topology},
    units::Bandwidth,
};

/// The parameters of the model `packet`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PacketParameters {
    /// Fixed time between a node's port and its first link.
    pub latency: SimDuration,
    /// Time of a switch and its wire, for each hop; a credit takes as long on its way back.
    pub hop: SimDuration,
    /// Rate of each link in each direction.
    pub bandwidth: Bandwidth,
    /// Rate of a node's port in each direction; `None` is infinite.
    pub injection: Option<Bandwidth>,
    /// The way switches forward a packet.
    pub switching: Switching,
    /// Largest number of bytes of a packet.
    pub size: NonZeroU32,
    /// Number of packets of the largest size that a switch or a node stores for each incoming link and virtual
    /// channel, and of as many more shorter ones as take the same space; `None` is [`Self::BUFFERS`], and more
    /// where a link would have to wait for the credits of such packets.
    pub buffers: Option<NonZeroU32>,
}

impl PacketParameters {
    /// The usual number of largest packets that a switch stores for each incoming link and virtual channel.
    pub const BUFFERS: NonZeroU32 = NonZeroU32::new(8).unwrap();

    /// Returns the bytes of packets that can be stored behind a link.
    fn room(&self, rate: Bandwidth, delay: SimDuration) -> NonZeroU64 {
        self.space_of(self.buffers.unwrap_or_else(|| {
            let packet = rate.time_for(self.size.get().into()).as_ps().max(1);
            // A place is free again when a packet has come, has been sent on and its credit is back.
            let sent = match self.switching {
                Switching::CutThrough => 1,
                Switching::StoreAndForward => 2,
            };
            let round = (2 * delay.as_ps()).div_ceil(packet) + sent;
            let needed = u32::try_from(round).ok().and_then(NonZeroU32::new);
            Self::BUFFERS.max(needed.unwrap_or(NonZeroU32::MAX))
        }))
    }

    /// Returns the bytes of this many packets of the largest size.
    fn space_of(&self, packets: NonZeroU32) -> NonZeroU64 {
        NonZeroU64::from(packets).saturating_mul(self.size.into())
    }
}

/// Divides messages into packets, which travel from switch to switch.
///
/// A packet waits in the buffer of the link on which it came until the next link of its route is
/// free and the buffer behind that link has space for its bytes. Of the packets that can go a link carries
/// the one that was sent first. A full buffer holds back all packets that need it, whatever their
/// targets are, and congestion spreads. Nothing is lost. A node sends its messages one after the
/// other and receives through a port of the same rate. A message without bytes, such as the announcement of a
/// long one, goes before the next packet of the others.
///
/// On an idle network a message of n bytes over H hops takes latency + H hop + n / r, where r is
/// the lowest rate on the way, if the buffers hold what is sent until the first credit is back.
/// Store-and-forward of packets of p bytes takes (H - 1) p / bandwidth more, if ports are no slower
/// than links.
///
/// # Validity
/// A message takes one path, which is chosen when it begins to be sent.
///
/// Virtual channels are those of the routing; if the topology's own leave a cycle of dependencies,
/// there is one for each hop instead, so that packets cannot block each other for ever (Dally and
/// Seitz 1987). Those of another routing are as many as it says; if they are too few, the network stands still, and
/// [`Network::deadlock`] names the circle. Packets have no headers, switches no internal conflicts.
#[derive(Debug)]
pub struct Packets {
    topology: Arc<Topology>,
    parameters: PacketParameters,
    local: LocalPath,
    paths: ChannelPaths,
    /// When link rates change next.
    change: Option<SimTime>,
    switches: Switches,
    messages: Slab<Message>,
    sources: Vec<Source>,
    usage: Vec<LinkUsage>,
    log: LinkLog,
    links: Vec<LinkId>,
}

/// A message under way.
#[derive(Clone, Copy, Debug)]
struct Message {
    id: TransferId,
    /// Bytes that are not in packets yet; `None` once all packets are made.
    left: Option<u64>,
}

/// The messages with bytes that a port of a node has to send.
#[derive(Clone, Debug, Default)]
struct Source {
    /// Whether a packet of them waits for the port or leaves by it.
    handed: bool,
    /// The message of which it makes packets.
    begun: Option<u32>,
    waiting: VecDeque<(Sent, Transfer)>,
}

impl Packets {
    /// Creates a network on which nothing is under way. Messages take the topology's own routes.
    pub fn new(topology: Arc<Topology>, parameters: PacketParameters, local: LocalPath) -> Self {
        let timeline = Timeline::constant(topology);
        Self::routed(&timeline, parameters, local, &Choice::default())
    }

    fn routed(
        timeline: &Timeline,
        parameters: PacketParameters,
        local: LocalPath,
        routing: &Choice,
    ) -> Self {
        let topology = Arc::clone(timeline.base());
        let links = topology.link_count() as usize;
        let ports = topology.ports() as usize;
        let paths = routing.with_channels_on(timeline);
        let channels = paths.channels();
        let p = &parameters;
        let link = |link| {
            let delay = topology.link_delay(link, p.hop);
            let rate = topology.link_bandwidth(link, p.bandwidth);
            Server {
                rate: Some(rate),
                delay,
                credit_delay: delay,
                stores: p.switching == Switching::StoreAndForward,
                channels,
                room: Some(p.room(rate, delay)),
                reserves: true,
            }
        };
        // The latency of a node is that of its software and its adapter, in which packets hold no space.
        let outward = Server {
            rate: p.injection,
            delay: p.latency,
            credit_delay: SimDuration::ZERO,
            stores: false,
            channels: 1,
            room: Some(p.space_of(p.buffers.unwrap_or(PacketParameters::BUFFERS))),
            reserves: false,
        };
        let inward = Server { delay: SimDuration::ZERO, room: None, ..outward };
        let servers = (0..topology.link_count())
            .map(|number| link(LinkId(number)))
            .chain(std::iter::repeat_n(outward, ports))
            .chain(std::iter::repeat_n(inward, ports));
        Self {
            switches: Switches::new(servers),
            paths,
            change: timeline.change_from(SimTime::ZERO),
            parameters,
            local,
            messages: Slab::new(),
            sources: vec![Source::default(); ports],
            usage: vec![LinkUsage::default(); links],
            log: LinkLog::default(),
            links: Vec::new(),
            topology,
        }
    }

    /// Gives the links the rates that hold at `now`, if they have changed.
    fn follow_changes(&mut self, now: SimTime) {
        if self.change.is_none_or(|change| change > now) {
            return;
        }
        let timeline = self.paths.timeline();
        let topology = timeline.at(now);
        for link in (0..topology.link_count()).map(LinkId) {
            let rate = topology.link_bandwidth(link, self.parameters.bandwidth);
            self.switches.set_rate(link.0, rate);
        }
        self.change = timeline.change_from(now + SimDuration::from_ps(1));
    }

    /// Sets the ports and links of a message.
    fn route(&mut self, sent: Sent, number: u32, transfer: Transfer) {
        let Transfer { source, target, .. } = transfer;
        let links = self.topology.link_count();
        let port = |server| Channel { server, lane: 0 };
        let hops = self.paths.hops(sent, (source, target), &self.switches, &mut self.links);
        let out = self.topology.port(hops[0].link, source);
        let into = self.topology.port(hops[hops.len() - 1].link, target);
        let hops = hops.iter().map(|hop| Channel { server: hop.link.0, lane: hop.class });
        let route = self.switches.new_route(number);
        route.push(port(links + out));
        route.extend(hops);
        route.push(port(links + self.topology.ports() + into));
    }

    /// Returns the number of the port by which a message leaves its node. Only routings with one path
    /// for each pair of nodes are used where nodes have several ports.
    fn port(&mut self, sent: Sent, transfer: Transfer) -> u32 {
        let Transfer { source, target, .. } = transfer;
        if self.topology.rails() == 1 {
            return source.0;
        }
        let hops = self.paths.hops(sent, (source, target), &self.switches, &mut self.links);
        self.topology.port(hops[0].link, source)
    }

    /// Begins to send a message and returns its number.
    fn begin(&mut self, (sent, transfer): (Sent, Transfer)) -> u32 {
        let message = Message { id: transfer.id, left: Some(transfer.bytes) };
        let number = self.messages.insert(message) as u32;
        self.route(sent, number, transfer);
        number
    }

    /// Hands the next packet of a node to a port of it.
    fn feed(&mut self, port: usize, now: SimTime) {
        let begun = self.sources[port].begun;
        let next = || {
            let next = self.sources[port].waiting.pop_front()?;
            Some(self.begin(next))
        };
        let Some(number) = begun.or_else(next) else { return };
        let last = self.send(number, now);
        let source = &mut self.sources[port];
        source.handed = true;
        source.begun = (!last).then_some(number);
    }

    /// Sends the next packet of a message, and reports whether it is the last one.
    fn send(&mut self, number: u32, now: SimTime) -> bool {
        let message = &mut self.messages[number as usize];
        let left = message.left.expect("it has packets to make");
        let bytes = left.min(self.parameters.size.get().into());
        message.left = (left > bytes).then_some(left - bytes);
        let last = message.left.is_none();
        self.switches.send(now, number, bytes, last);
        last
    }

    /// Continues after a packet has left a link or a port.
    fn leave(&mut self, left: Left, reports: &mut Vec<Report>) {
        let Left { server, message, bytes, last, start, end } = left;
        let id = self.messages[message as usize].id;
        let report = |progress| Report { id, progress, time: end };
        let (links, ports) = (self.usage.len(), self.sources.len());
        let place = server as usize;
        if place < links {
            let usage = &mut self.usage[place];
            usage.busy += end.since(start);
            usage.bytes += bytes;
            usage.messages += u64::from(last);
            self.log.add(Occupancy { link: LinkId(server), start, end });
        } else if place < links + ports {
            if last {
                reports.push(report(Progress::Released));
            }
            if bytes > 0 {
                self.sources[place - links].handed = false;
                self.feed(place - links, end);
            }
        } else if last {
            reports.push(report(Progress::Arrived));
            self.messages.remove(message as usize);
        }
    }
}

impl Queues for Switches {
    fn waiting(&self, link: LinkId) -> u64 {
        self.queued(link.0)
    }

    fn queue(&self, link: LinkId) -> u64 {
        self.queued(link.0)
    }
}

impl Network for Packets {
    fn inject(&mut self, now: SimTime, transfer: Transfer) -> Delivery {
        if transfer.source == transfer.target {
            return self.local.carry(now, transfer.bytes);
        }
        self.follow_changes(now);
        let sent = self.paths.send(now, &transfer);
        if transfer.bytes == 0 {
            let number = self.begin((sent, transfer));
            self.send(number, now);
        } else {
            let port = self.port(sent, transfer) as usize;
            self.sources[port].waiting.push_back((sent, transfer));
            if !self.sources[port].handed {
                self.feed(port, now);
            }
        }
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

    fn deadlock(&self) -> Option<NetworkDeadlock> {
        if self.next_time().is_some() || self.messages.is_empty() {
            return None;
        }
        let link = |channel: Channel| (LinkId(channel.server), channel.lane);
        let waits = self.switches.waits().map(|wait| wait.map(link));
        let cycle = ChannelCycle::of_waits(&self.topology, self.paths.channels(), waits);
        let waiting = self.sources.iter().flat_map(|source| &source.waiting);
        let begun = self.messages.iter().map(|(_, message)| message.id);
        let mut transfers: Vec<TransferId> =
            begun.chain(waiting.map(|(_, transfer)| transfer.id)).collect();
        transfers.sort_unstable();
        Some(NetworkDeadlock { reason: Standstill::Cycle(cycle), transfers })
    }
}

impl EventDriven for Packets {
    fn next_time(&self) -> Option<SimTime> {
        self.switches.next_time()
    }

    fn advance(&mut self, now: SimTime, reports: &mut Vec<Report>) {
        let from = reports.len();
        while let Some(next) = self.next_time().filter(|next| *next <= now) {
            self.follow_changes(next);
            if let Some(left) = self.switches.step() {
                self.leave(left, reports);
            }
        }
        reports[from..].sort_by_key(|report| (report.time, report.id));
    }
}
