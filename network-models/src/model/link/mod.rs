//! `link`: each directed link carries one message at a time.

#[cfg(test)]
mod exchanges;
mod heads;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use sim_core::{SimDuration, SimTime};
use slab::Slab;

use self::heads::{Head, Heads};
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
        let links = Links::new(Arc::clone(timeline.base()), parameters, hardware.local);
        Box::new(Links { paths: self.routing.on(timeline), ..links })
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
    /// Rate of a node's port; `None` is that of the link that a message takes first.
    pub injection: Option<Bandwidth>,
    /// The way switches forward a message.
    pub switching: Switching,
}

/// Carries messages over the links of their routes, each link one message at a time, in the order
/// in which their heads reach it; messages that reach it at the same time in the order of their
/// numbers. A node sends its messages one after the other at the rate of its port; if that is faster
/// than a link, the next message leaves while the one before is still on its first link.
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
/// coarse. Nodes receive without limit.
#[derive(Debug)]
pub struct Links {
    topology: Arc<Topology>,
    paths: Paths,
    parameters: LinkParameters,
    local: LocalPath,
    /// When each link has carried what has reached it.
    free: Vec<SimTime>,
    /// When each port of each node has sent what was injected.
    sending: Vec<SimTime>,
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
}

impl Links {
    /// Creates a network in which all links of `topology` are free.
    pub fn new(topology: Arc<Topology>, parameters: LinkParameters, local: LocalPath) -> Self {
        let links = topology.link_count() as usize;
        let ports = (topology.nodes() * topology.rails()) as usize;
        Self {
            paths: Choice::default().on(&Timeline::constant(Arc::clone(&topology))),
            topology,
            parameters,
            local,
            free: vec![SimTime::ZERO; links],
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
    /// free. Returns when the head is at the next link.
    fn pass(&mut self, now: SimTime, message: &mut Moving, link: LinkId, head: SimTime) -> SimTime {
        let index = link.0 as usize;
        let start = head.max(self.free[index]);
        let (wire, hop) = self.times(start, link, message.bytes, message.wire);
        let end = start + wire;
        self.free[index] = end;
        let occupancy = Occupancy { link, start, end };
        self.usage.add(now, occupancy, (message.bytes, true));
        self.log.add(occupancy);
        // The tail follows the head at the slower of the sender's and the links' rate, until the
        // message has waited so long for a link that all of it is in the switch: then it follows at
        // the link's rate.
        message.tail = end.max(message.tail) + hop;
        message.passed += 1;
        match self.parameters.switching {
            Switching::CutThrough => start + hop,
            Switching::StoreAndForward => message.tail,
        }
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
        let topology = self.paths.timeline().at(start);
        if topology.is_uniform() {
            return (wire, p.hop);
        }
        let rate = topology.link_bandwidth(link, p.bandwidth);
        (rate.time_for(bytes), topology.link_delay(link, p.hop))
    }

    /// Serves the heads that reach their links within a latency from `now` on.
    fn serve(&mut self, now: SimTime) {
        let horizon = now + self.parameters.latency;
        while let Some(Head { time: head, id, place }) = self.heads.pop(horizon) {
            let mut message = self.moving[place as usize];
            let route = &self.routes[place as usize];
            let (link, links) = (route[message.passed as usize], route.len());
            let next = self.pass(now, &mut message, link, head);
            if message.passed as usize == links {
                let time = message.tail;
                self.moving.remove(place as usize);
                self.arrivals.push(Report { id, progress: Progress::Arrived, time });
                self.earliest = Some(self.earliest.map_or(time, |earliest| earliest.min(time)));
            } else {
                self.moving[place as usize] = message;
                let prompt = next == head + self.parameters.hop;
                self.heads.push(Head { time: next, id, place }, prompt);
            }
        }
    }

    /// Stores a message whose head is at its next link at `head`. The route is in `self.route`.
    fn defer(&mut self, id: TransferId, message: Moving, head: SimTime) {
        let place = self.moving.insert(message);
        if place == self.routes.len() {
            self.routes.push(Vec::new());
        }
        std::mem::swap(&mut self.routes[place], &mut self.route);
        let prompt = message.passed > 0;
        self.heads.push(Head { time: head, id, place: place as u32 }, prompt);
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
        let rail = self.topology.rail(self.route[0], transfer.source);
        let port = (transfer.source.0 * self.topology.rails() + rail) as usize;
        let accepted = now.max(self.sending[port]);
        let (first, _) = self.times(accepted, self.route[0], transfer.bytes, wire);
        let sending = p.injection.map_or(first, |rate| rate.time_for(transfer.bytes));
        let released = accepted + sending;
        self.sending[port] = released;
        let mut head = accepted + p.latency;
        let tail = head + sending;
        let mut message = Moving { bytes: transfer.bytes, wire, tail, passed: 0 };
        // No head of a later transfer reaches a link before the horizon, and at the horizon it is
        // served after this one: what happens until then is decided.
        let horizon = now + p.latency;
        if head <= horizon {
            self.serve(now);
        }
        while head <= horizon && (message.passed as usize) < self.route.len() {
            let link = self.route[message.passed as usize];
            head = self.pass(now, &mut message, link, head);
        }
        let arrival = if message.passed as usize == self.route.len() {
            Some(message.tail)
        } else {
            self.defer(transfer.id, message, head);
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
