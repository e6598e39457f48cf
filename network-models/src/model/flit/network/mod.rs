//! [`Flits`]: messages as packets of flits on the routers of a topology.

mod driven;

use std::{collections::VecDeque, ops::Range, sync::Arc};

use sim_core::{SimDuration, SimTime};
use slab::Slab;

use super::{
    bits::Bits,
    fabric::Fabric,
    parameters::{Classes, FlitParameters},
    router::{Activity, Choosers, Crossing, Flit, Layout, Pace, Packet, Routers, Step},
};
use crate::{
    model::paths::{ChannelPaths, Choice, Sent},
    network::{LinkLog, LinkUsage, LocalPath, NodeId, Occupancy, Progress, Report, Transfer},
    routing::{Hop, Queues, Routing},
    topology::{LinkId, Timeline, Topology},
};

/// Flits that travel from router to router, one on each channel in each cycle.
///
/// A message is divided into packets and these into flits. The head of a packet allocates a virtual
/// channel of each link on its way, which the packet holds until its tail has left it; a flit moves
/// when the switch is granted to it and the next buffer has space (wormhole routing; Dally and
/// Towles, chapters 16 to 19). A node sends the packets of its messages one after the other.
///
/// On an idle network a message of F flits over links of W cycles arrives after
/// N·(R + VA + SA + ST) + (N − 1)·W + E + F cycles and the latency of the machine, where N is the
/// number of routers on the way and E that of cycles to the first router and from the last: 2 if
/// nodes have routers, 2·W if they are hosts of switches. With speculation VA + SA is the larger of
/// both. Time is rounded up to a cycle where a message enters the network.
///
/// # Validity
/// Buffers must hold the flits of a credit's round trip, or a packet alone cannot fill a link.
/// Packets have no headers: a message of no bytes is one flit.
#[derive(Debug)]
pub struct Flits {
    topology: Arc<Topology>,
    parameters: FlitParameters,
    local: LocalPath,
    routing: Box<dyn Routing>,
    /// The topology's own routes, if they change.
    changing: Option<ChannelPaths>,
    /// When link rates change next.
    change: Option<SimTime>,
    routers: Routers,
    messages: Slab<Message>,
    sources: Vec<Source>,
    /// Nodes that have something to send.
    sending: Bits,
    /// Picoseconds of a cycle.
    period: u64,
    /// The cycle that is simulated next; `None` if nothing can change before a message is sent.
    due: Option<u64>,
    /// The first cycle that has not been simulated.
    first: u64,
    usage: Vec<LinkUsage>,
    log: LinkLog,
    complete: Vec<u32>,
    hops: Vec<Hop>,
    links: Vec<LinkId>,
}

/// A message under way.
#[derive(Clone, Copy, Debug)]
struct Message {
    transfer: Transfer,
    /// Bytes that are not in packets yet; `None` once all packets are made.
    left: Option<u64>,
    /// Packets that have not arrived.
    packets: u32,
    /// The cycle in which it was sent.
    born: u64,
    /// What decides about its path, if paths change.
    sent: Option<Sent>,
}

/// The messages that a node has to send.
#[derive(Clone, Debug, Default)]
struct Source {
    waiting: VecDeque<u32>,
    /// The packet that it sends now.
    sending: Option<Sending>,
    /// The virtual channel of its last packet.
    last: u32,
}

/// A packet of which a part has been sent.
#[derive(Clone, Copy, Debug)]
struct Sending {
    packet: u32,
    lane: u32,
    sent: u32,
}

impl Queues for Routers {
    fn waiting(&self, link: LinkId) -> u64 {
        self.waiting(link.0)
    }

    fn queue(&self, link: LinkId) -> u64 {
        self.waiting(link.0) + self.queued(link.0)
    }
}

impl Flits {
    /// Creates a network on which nothing is under way.
    ///
    /// # Panics
    /// Panics if the routing does not fit the topology or needs more virtual channels than there
    /// are: see [`FlitParameters::check`].
    pub fn new(topology: Arc<Topology>, parameters: FlitParameters, local: LocalPath) -> Self {
        let classes = parameters.routing.classes(&topology);
        Self::with_classes(topology, parameters, local, classes)
    }

    /// Creates a network whose routes are the topology's own and change with it.
    pub(super) fn changing(
        timeline: &Timeline,
        parameters: FlitParameters,
        local: LocalPath,
    ) -> Self {
        let paths = Choice::default().with_channels_on(timeline);
        let base = Arc::clone(timeline.base());
        let flits = Self::with_classes(base, parameters, local, paths.channels());
        let change = timeline.change_from(SimTime::ZERO);
        Self { changing: Some(paths), change, ..flits }
    }

    fn with_classes(
        topology: Arc<Topology>,
        parameters: FlitParameters,
        local: LocalPath,
        classes: u32,
    ) -> Self {
        let p = &parameters;
        if let Err(why) = p.check(&topology) {
            panic!("{why}");
        }
        let kind = &p.routing;
        let flit = u64::from(p.flit.get());
        let period = p.bandwidth.time_for(flit).as_ps().max(1);
        let gap = p.injection.map_or(0, |rate| rate.time_for(flit).as_ps());
        let layout = Layout {
            channels: p.channels.get(),
            classes: if p.classes.divide() { classes } else { 1 },
            exits: p.classes == Classes::Everywhere,
            buffer: p.buffer.get(),
            stages: p.stages,
            credit: p.credit,
            speculation: p.speculation,
            allocation: p.allocation,
            pace: Pace { period, gap: gap.max(period) },
        };
        let nodes = topology.nodes() as usize;
        let routing = kind.on(&topology, p.seed);
        let fabric = Fabric::new(&topology, |link| p.wire_of(&topology, link));
        Self {
            routers: Routers::new(
                fabric,
                layout,
                Choosers { per_hop: routing.per_hop(), progressive: routing.progressive() },
            ),
            routing,
            changing: None,
            change: None,
            links: Vec::new(),
            messages: Slab::new(),
            sources: vec![Source::default(); nodes],
            sending: Bits::new(topology.nodes()),
            period,
            due: None,
            first: 0,
            usage: vec![LinkUsage::default(); topology.link_count() as usize],
            log: LinkLog::default(),
            complete: Vec::new(),
            hops: Vec::new(),
            parameters,
            local,
            topology,
        }
    }

    /// Returns whether nothing is under way, and all buffers and virtual channels are free.
    #[cfg(test)]
    pub(super) fn is_idle(&self) -> bool {
        self.messages.is_empty() && self.sending.is_empty() && self.routers.is_idle()
    }

    fn time(&self, cycle: u64) -> SimTime {
        SimTime::from_ps(cycle.saturating_mul(self.period))
    }

    /// Gives the links the rates that hold in a cycle, if they have changed.
    fn follow_changes(&mut self, cycle: u64) {
        let now = self.time(cycle);
        let Some(paths) =
            self.changing.as_ref().filter(|_| self.change.is_some_and(|at| at <= now))
        else {
            return;
        };
        let topology = paths.timeline().at(now);
        let flit = self.parameters.flit.get().into();
        for link in (0..topology.link_count()).map(LinkId) {
            let rate = topology.link_bandwidth(link, self.parameters.bandwidth);
            self.routers.slow_down(link, rate.time_for(flit).as_ps());
        }
        self.change = paths.timeline().change_from(now + SimDuration::from_ps(1));
    }

    /// Simulates one cycle.
    fn simulate(&mut self, cycle: u64, reports: &mut Vec<Report>) {
        self.follow_changes(cycle);
        self.first = cycle + 1;
        let mut complete = std::mem::take(&mut self.complete);
        self.routers.receive(cycle, &mut complete);
        for packet in complete.drain(..) {
            self.arrive(packet, cycle, reports);
        }
        self.complete = complete;
        let mut activity = Activity::default();
        let mut node = self.sending.next(0);
        while let Some(number) = node {
            self.send(number, cycle, &mut activity, reports);
            node = self.sending.next(number + 1);
        }
        let inside = self.routers.allocate(cycle);
        self.account();
        let goes_on = activity.moved || activity.timed || inside.moved || inside.timed;
        let next = if goes_on { Some(cycle + 1) } else { self.routers.next_arrival(cycle) };
        self.due = next;
    }

    /// Ends a packet whose tail has arrived.
    fn arrive(&mut self, packet: u32, cycle: u64, reports: &mut Vec<Report>) {
        let number = self.routers.packets.remove(packet as usize).message;
        let message = &mut self.messages[number as usize];
        message.packets -= 1;
        if message.packets == 0 && message.left.is_none() {
            let id = message.transfer.id;
            let time = self.time(cycle + 1) + self.parameters.latency;
            reports.push(Report { id, progress: Progress::Arrived, time });
            self.messages.remove(number as usize);
        }
    }

    /// Lets a node send its next flit.
    fn send(&mut self, node: u32, cycle: u64, activity: &mut Activity, reports: &mut Vec<Report>) {
        let entry = self.routers.fabric.entries[node as usize];
        if !self.routers.is_free(entry, cycle) {
            activity.timed = true;
            return;
        }
        let source = &self.sources[node as usize];
        let lanes = self.routers.lanes(entry);
        let sending = match source.sending {
            Some(sending) => Some(sending).filter(|sending| self.routers.has_space(sending.lane)),
            None => self.lane_for(source, lanes).map(|lane| {
                let packet = self.new_packet(node);
                Sending { packet, lane, sent: 0 }
            }),
        };
        let Some(Sending { packet, lane, sent }) = sending else { return };
        activity.moved = true;
        let made = &self.routers.packets[packet as usize];
        let (tail, last, message) = (sent + 1 == made.flits, made.last, made.message);
        self.routers.enter(lane, Flit { packet, head: sent == 0, tail }, cycle);
        let source = &mut self.sources[node as usize];
        source.last = lane;
        source.sending = (!tail).then_some(Sending { packet, lane, sent: sent + 1 });
        if tail && last {
            let id = self.messages[message as usize].transfer.id;
            let time = self.time(cycle + 1);
            reports.push(Report { id, progress: Progress::Released, time });
        }
        let source = &self.sources[node as usize];
        if source.sending.is_none() && source.waiting.is_empty() {
            self.sending.remove(node);
        }
    }

    /// Returns the lane for the next packet of a node: the next one in turn that has space.
    fn lane_for(&self, source: &Source, lanes: Range<u32>) -> Option<u32> {
        let count = lanes.end - lanes.start;
        let after = source.last + 1;
        let turns = (0..count).map(|turn| lanes.start + (after + turn) % count);
        turns.into_iter().find(|lane| self.routers.has_space(*lane))
    }

    /// Makes the next packet of a node and chooses its path.
    fn new_packet(&mut self, node: u32) -> u32 {
        let source = &mut self.sources[node as usize];
        let number = *source.waiting.front().expect("a node that sends");
        let message = &mut self.messages[number as usize];
        let left = message.left.expect("it has packets to make");
        let most = u64::from(self.parameters.packet.get()) * u64::from(self.parameters.flit.get());
        let bytes = left.min(most);
        message.left = (left > bytes).then_some(left - bytes);
        message.packets += 1;
        let last = message.left.is_none();
        let born = if self.parameters.oldest_first { message.born } else { 0 };
        if last {
            source.waiting.pop_front();
        }
        let Transfer { source, target, .. } = message.transfer;
        let sent = message.sent;
        let (path, open) = self.path(sent, source, target);
        let flits = bytes.div_ceil(self.parameters.flit.get().into()).max(1) as u32;
        let packet = Packet {
            message: number,
            born,
            bytes,
            flits,
            last,
            path,
            at: 0,
            target,
            open,
            escaped: None,
        };
        self.routers.packets.insert(packet) as u32
    }

    /// Chooses the path of a packet; only its entry, if the routing decides at each router. Returns the
    /// index from which on the path may change, too.
    fn path(
        &mut self,
        sent: Option<Sent>,
        source: NodeId,
        target: NodeId,
    ) -> (Vec<Step>, Option<u32>) {
        let fabric = &self.routers.fabric;
        let entry = fabric.entries[source.0 as usize];
        let exit = fabric.exits[target.0 as usize];
        if self.routers.decides() {
            return (vec![self.routers.any_lane(entry)], None);
        }
        self.hops.clear();
        match self.changing.as_mut().zip(sent) {
            Some((paths, sent)) => {
                let pair = (source, target);
                self.hops.extend(paths.hops(sent, pair, &self.routers, &mut self.links));
            }
            None => self.routing.path(source, target, &self.routers, &mut self.hops),
        }
        let mut path = Vec::with_capacity(self.hops.len() + 2);
        let is_host = self.topology.is_host(source);
        if is_host && source == target {
            // To the switch and back. Where cables carry one direction it is another switch.
            let back = |link: &LinkId| self.topology.link_ends(*link).1.0 == source.0;
            let back = (0..self.topology.link_count()).map(LinkId).find(back).expect("a cable");
            path.extend([entry, back.0].map(|channel| self.routers.any_lane(channel)));
            return (path, None);
        }
        if !is_host {
            path.push(self.routers.any_lane(entry));
        }
        let provisional = self.hops.iter().position(|hop| hop.class == 0);
        let open = provisional.filter(|_| self.routers.revises());
        let open = open.map(|place| (path.len() + place + 1) as u32);
        path.extend(self.hops.iter().map(|hop| self.routers.step(hop.link, hop.class)));
        path.extend(exit.map(|exit| self.routers.any_lane(exit)));
        (path, open)
    }

    /// Adds the flits that were sent to the usage of the links.
    fn account(&mut self) {
        let links = self.usage.len() as u32;
        let crossings = std::mem::take(&mut self.routers.crossings);
        for Crossing { channel, packet, tail, leaves } in crossings.iter().copied() {
            if channel >= links {
                continue;
            }
            let Packet { bytes, flits, last, .. } = self.routers.packets[packet as usize];
            let usage = &mut self.usage[channel as usize];
            let time = SimDuration::from_ps(self.routers.gap(channel).max(self.period));
            usage.busy += time;
            let whole = u64::from(self.parameters.flit.get());
            usage.bytes += if tail { bytes - u64::from(flits - 1) * whole } else { whole };
            usage.messages += u64::from(tail && last);
            let start = self.time(leaves);
            self.log.add(Occupancy { link: LinkId(channel), start, end: start + time });
        }
        self.routers.crossings = crossings;
        self.routers.crossings.clear();
    }
}
