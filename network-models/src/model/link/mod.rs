//! `link`: each directed link carries one message at a time.

#[cfg(test)]
mod exchanges;
mod heads;
mod lookahead;
mod receivers;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use sim_core::{SimDuration, SimTime};
use slab::Slab;

use self::{
    heads::{Head, Heads},
    lookahead::Lookahead,
    receivers::Receivers,
};
use super::{
    BadOption, Changing, Hardware, ModelDescription, ModelKind, ModelMisfit, ModelOption, ROUTING,
    paths::{Choice, Follower, Paths},
};
use crate::{
    network::{
        Delivery, EventDriven, Flight, LinkLog, LinkUsage, LinkView, LocalPath, Network, Occupancy,
        Progress, Report, Transfer, TransferId,
    },
    routing::RoutingKind,
    topology::{LinkId, Timeline, Topology},
    units::Bandwidth,
    usage::Usage,
};

/// The model `link`.
#[derive(Clone, Debug, Default)]
pub(super) struct LinksKind {
    routing: Choice,
}

impl ModelKind for LinksKind {
    fn description(&self) -> ModelDescription {
        ModelDescription {
            name: "link",
            summary: "each directed link carries one message at a time, first come, first served",
            source: "virtual cut-through",
        }
    }

    fn options(&self) -> &'static [ModelOption] {
        &[ROUTING]
    }

    fn with_option(&self, name: &str, value: &str) -> Result<Arc<dyn ModelKind>, BadOption> {
        let mut kind = self.clone();
        if name == ROUTING.name && kind.routing.set(name, value) {
            return Ok(Arc::new(kind));
        }
        Err(BadOption)
    }

    fn with_routing(&self, routing: Arc<dyn RoutingKind>) -> Option<Arc<dyn ModelKind>> {
        Some(Arc::new(Self { routing: self.routing.with(routing) }))
    }

    fn with_seed(&self, seed: u64) -> Option<Arc<dyn ModelKind>> {
        Some(Arc::new(Self { routing: self.routing.in_run(seed) }))
    }

    fn check(&self, _: &Hardware, topology: &Topology) -> Result<(), ModelMisfit> {
        self.routing.check(topology, Follower::Link)
    }

    fn changing(&self) -> Option<&dyn Changing> {
        self.routing.is_own().then_some(self)
    }

    fn build(&self, hardware: &Hardware, topology: &Arc<Topology>) -> Box<dyn Network> {
        Changing::build(self, hardware, &Timeline::constant(Arc::clone(topology)))
    }
}

impl Changing for LinksKind {
    fn build(&self, hardware: &Hardware, timeline: &Timeline) -> Box<dyn Network> {
        let parameters = LinkParameters {
            latency: hardware.latency,
            hop: hardware.hop,
            bandwidth: hardware.link_bandwidth,
            injection: Some(hardware.injection),
            switching: hardware.switching,
        };
        Box::new(Links::on(self.routing.on(timeline), parameters, hardware.local))
    }
}

/// The way switches forward a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Switching {
    /// The head is forwarded at once (virtual cut-through): latency + H hop + n / bandwidth.
    CutThrough,
    /// Each switch receives the whole message first: latency + H (hop + n / bandwidth).
    StoreAndForward,
}

/// The parameters of the model `link`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LinkParameters {
    /// Fixed time before the first link.
    pub latency: SimDuration,
    /// Time of a switch and its wire, for each hop.
    pub hop: SimDuration,
    /// Rate of each link in each direction.
    pub bandwidth: Bandwidth,
    /// Rate of a node's port in each direction. With `None` a node sends at the rate of the link that a
    /// message takes first, and receives all that its links carry.
    pub injection: Option<Bandwidth>,
    /// The way switches forward a message.
    pub switching: Switching,
}

/// Carries messages over the links of their routes, each link one message at a time, in the order
/// in which their heads reach it; messages that reach it at the same time in the order of their
/// numbers. A node sends its messages one after the other at the rate of its port; if that is faster
/// than a link, the next message leaves while the one before is still on its first link.
///
/// Where the links of a node together are faster than its port, the port limits what the node receives:
/// a message of n bytes arrives no sooner than n / injection after the port has had time for all whose
/// heads were there before. A message that comes to an idle port is not delayed.
///
/// Messages without bytes, such as those that announce a long message or answer it, wait for no port and
/// no link: in a network they are sent between the packets of others.
///
/// Links of a topology may have rates and delays of their own. Where all are the machine's, a message
/// of n bytes over H hops of an idle network takes, with s = n / the slower of injection and link
/// rate and w = n / link rate, latency + H hop + s in cut-through and latency + H hop + s
/// + (H - 1) w in store-and-forward.
///
/// # Validity
/// Virtual cut-through with unlimited buffers in switches (Kermani and Kleinrock 1979): a message
/// that waits for a link holds none behind it, and no link is idle while a message waits for it. A
/// link serves whole messages one after the other: totals are right, the fairness of sharing is
/// coarse.
#[derive(Debug)]
pub struct Links {
    topology: Arc<Topology>,
    paths: Paths,
    parameters: LinkParameters,
    /// Whether rate and delay of every link are those of `parameters` at all times.
    even: bool,
    local: LocalPath,
    /// When each link has carried what has reached it; behind the links, when each port has had time to
    /// receive it.
    free: Vec<SimTime>,
    /// When each port of each node has sent what was injected.
    sending: Vec<SimTime>,
    receivers: Receivers,
    lookahead: Lookahead,
    heads: Heads,
    /// The messages of these heads.
    moving: Slab<Moving>,
    /// The route of each message in `moving`; kept for the next message of this number.
    routes: Vec<Vec<LinkId>>,
    /// Arrivals that are known and not yet reported.
    arrivals: Vec<Report>,
    /// The earliest of them.
    earliest: Option<SimTime>,
    usage: Usage,
    route: Vec<LinkId>,
    log: LinkLog,
}

/// A message that has links before it.
#[derive(Clone, Copy, Debug)]
struct Moving {
    bytes: u64,
    /// Time that a link of the machine takes for it.
    wire: SimDuration,
    /// When the last byte is at the next link.
    tail: SimTime,
    /// Number of links that it has passed.
    passed: u32,
    /// Number of links of its route.
    links: u32,
}

impl Links {
    /// Creates a network in which all links of `topology` are free.
    pub fn new(topology: Arc<Topology>, parameters: LinkParameters, local: LocalPath) -> Self {
        Self::on(Choice::default().on(&Timeline::constant(topology)), parameters, local)
    }

    /// Creates a network whose messages take these paths.
    fn on(paths: Paths, parameters: LinkParameters, local: LocalPath) -> Self {
        let topology = Arc::clone(paths.timeline().base());
        let links = topology.link_count() as usize;
        let ports = topology.ports() as usize;
        let receivers = Receivers::new(paths.timeline(), &parameters);
        Self {
            lookahead: Lookahead::new(paths.timeline(), parameters.latency, parameters.hop),
            receivers,
            even: paths.timeline().is_uniform(),
            paths,
            topology,
            parameters,
            local,
            free: vec![SimTime::ZERO; links + ports],
            sending: vec![SimTime::ZERO; ports],
            heads: Heads::default(),
            moving: Slab::new(),
            routes: Vec::new(),
            arrivals: Vec::new(),
            earliest: None,
            usage: Usage::new(links),
            route: Vec::new(),
            log: LinkLog::default(),
        }
    }

    /// Carries a message whose head is at `link` over it: from `head` on, or as soon as the link is
    /// free. Behind its links, lets the port of its target receive it. Returns when the head is at the
    /// next link, or at the port of the target.
    fn pass(&mut self, now: SimTime, message: &mut Moving, link: LinkId, head: SimTime) -> SimTime {
        let index = link.0 as usize;
        if message.passed == message.links {
            self.receive(message, index, head);
            return message.tail;
        }
        let waits = message.bytes > 0;
        let start = if waits { head.max(self.free[index]) } else { head };
        let (wire, hop) = self.times(start, link, message.bytes, message.wire);
        let end = start + wire;
        if waits {
            self.free[index] = end;
        }
        let occupancy = Occupancy { link, start, end };
        self.usage.add(now, occupancy, (message.bytes, true));
        self.log.add(occupancy);
        // The tail follows the head at the slower of the sender's and the links' rate, until the
        // message has waited so long for a link that all of it is in the switch: then it follows at
        // the link's rate.
        message.tail = end.max(message.tail) + hop;
        message.passed += 1;
        let is_stored = message.passed < message.links;
        match self.parameters.switching {
            Switching::StoreAndForward if is_stored => message.tail,
            Switching::StoreAndForward | Switching::CutThrough => start + hop,
        }
    }

    /// Receives a message whose head is at its port, which has this place in `free`, at `head`.
    fn receive(&mut self, message: &mut Moving, port: usize, head: SimTime) {
        let receiving = self.receivers.rate.time_for(message.bytes);
        let free = &mut self.free[port];
        message.tail = message.tail.max(*free + receiving);
        *free = head.max(*free) + receiving;
        message.passed += 1;
    }

    /// Returns the time that a link takes for a message which it begins to carry at `start`, and its
    /// delay. On links of the machine the time is `wire`.
    fn times(
        &self,
        start: SimTime,
        link: LinkId,
        bytes: u64,
        wire: SimDuration,
    ) -> (SimDuration, SimDuration) {
        let p = &self.parameters;
        if self.even {
            return (wire, p.hop);
        }
        let topology = self.paths.timeline().at(start);
        let rate = topology.link_bandwidth(link, p.bandwidth);
        (rate.time_for(bytes), topology.link_delay(link, p.hop))
    }

    /// Serves the heads whose order on their links is known at `now`, up to the first one of which it
    /// is not.
    fn serve(&mut self, now: SimTime) {
        while let Some(Head { time: head, id, place, link }) =
            self.heads.pop_if(|head| head.time <= self.lookahead.until(now, head.link))
        {
            let mut message = self.moving[place as usize];
            let next = self.pass(now, &mut message, link, head);
            if let Some(link) = self.routes[place as usize].get(message.passed as usize) {
                self.moving[place as usize] = message;
                let prompt = next == head + self.parameters.hop;
                self.heads.push(Head { time: next, id, place, link: *link }, prompt);
            } else {
                let time = message.tail;
                self.moving.remove(place as usize);
                self.arrivals.push(Report { id, progress: Progress::Arrived, time });
                self.earliest = Some(self.earliest.map_or(time, |earliest| earliest.min(time)));
            }
        }
    }

    /// Returns whether a message that is sent at `now`, whose head reaches `link` at `head`, is the
    /// next one on the link. Heads that are known to be before it have been served.
    fn is_next(&self, now: SimTime, link: LinkId, head: SimTime) -> bool {
        let until = self.lookahead.until(now, link);
        // A head elsewhere may be before it on this link, except on a link of its port.
        until == SimTime::MAX
            || head <= until && self.heads.first().is_none_or(|first| first.time > head)
    }

    /// Stores a message whose head is at its next link at `head`, and which waited for its port or not. The route is
    /// in `self.route`.
    fn defer(&mut self, id: TransferId, message: Moving, (head, waited): (SimTime, bool)) {
        let place = self.moving.insert(message);
        if place == self.routes.len() {
            self.routes.push(Vec::new());
        }
        std::mem::swap(&mut self.routes[place], &mut self.route);
        let link = self.routes[place][message.passed as usize];
        let prompt = message.passed > 0 && !waited;
        self.heads.push(Head { time: head, id, place: place as u32, link }, prompt);
    }
}

impl Network for Links {
    fn inject(&mut self, now: SimTime, transfer: Transfer) -> Delivery {
        if transfer.source == transfer.target {
            return self.local.carry(now, transfer.bytes);
        }
        let p = self.parameters;
        let wire = p.bandwidth.time_for(transfer.bytes);
        let sent = self.paths.send(now, &transfer);
        self.paths.links(sent, (transfer.source, transfer.target), &mut self.route);
        let links = self.route.len() as u32;
        let waits = transfer.bytes > 0;
        if waits && let Some(port) = self.receivers.of(&self.topology, &self.route, transfer.target)
        {
            self.route.push(port);
        }
        let port = self.topology.port(self.route[0], transfer.source) as usize;
        let accepted = if waits { now.max(self.sending[port]) } else { now };
        let (first, _) = self.times(accepted, self.route[0], transfer.bytes, wire);
        let sending = p.injection.map_or(first, |rate| rate.time_for(transfer.bytes));
        let released = accepted + sending;
        if waits {
            self.sending[port] = released;
        }
        let mut head = accepted + p.latency;
        let tail = head + sending;
        let mut message = Moving { bytes: transfer.bytes, wire, tail, passed: 0, links };
        // What happens while the order on its links is known is decided at once.
        self.serve(now);
        while let Some(link) = self.route.get(message.passed as usize).copied()
            && (!waits || self.is_next(now, link, head))
        {
            head = self.pass(now, &mut message, link, head);
        }
        let arrival = if message.passed as usize == self.route.len() {
            Some(message.tail)
        } else {
            self.defer(transfer.id, message, (head, accepted > now));
            None
        };
        Delivery { accepted, flight: Some(Flight { released, arrival }) }
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
}

impl EventDriven for Links {
    fn next_time(&self) -> Option<SimTime> {
        let head = self.heads.first().map(|head| head.time);
        match (head, self.earliest) {
            (Some(head), Some(arrival)) => Some(head.min(arrival)),
            (head, arrival) => head.or(arrival),
        }
    }

    fn advance(&mut self, now: SimTime, reports: &mut Vec<Report>) {
        // Transfers that are injected from now on reach their first link a latency later.
        self.serve(now);
        self.arrivals.sort_unstable_by_key(|report| (report.time, report.id));
        reports.append(&mut self.arrivals);
        self.earliest = None;
    }
}
