//! `fluid`: transfers are flows that share links and ports.

mod kind;
mod limits;
mod places;
mod resource;
mod sharing;
#[cfg(test)]
mod tests;

use std::{cmp::Reverse, collections::BinaryHeap, sync::Arc};

use sim_core::{SimDuration, SimTime};

pub(super) use self::kind::FluidKind;
use self::sharing::{FlowId, Sharing};
use super::{
    Switching,
    paths::{Choice, Paths, Sent},
};
use crate::{
    network::{
        Crowd, Delivery, EventDriven, Flight, LinkUsage, LinkView, LocalPath, Network, NodeId,
        Progress, Report, Transfer, TransferId,
    },
    topology::{LinkId, Timeline, Topology},
    units::Bandwidth,
    usage::take_off,
};

/// Mean number of flows of a node with which a measurement with synthetic traffic ends.
const CROWD: u64 = 64;

/// The shares of the flows of one link.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Weights {
    /// Every flow has the same share: plain max-min fairness.
    #[default]
    Equal,
    /// The share of a flow is inversely proportional to its latency, as that of TCP connections
    /// roughly is (model CM02 of SimGrid; Casanova and Marchal 2002).
    Latency,
}

/// The parameters of the model `fluid`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FluidParameters {
    /// Fixed time of a message.
    pub latency: SimDuration,
    /// Time of a switch and its wire, for each hop.
    pub hop: SimDuration,
    /// Rate of each link in each direction.
    pub bandwidth: Bandwidth,
    /// Rate of a node's port in each direction; `None` is infinite.
    pub injection: Option<Bandwidth>,
    /// Whether sending and receiving share a node's port.
    pub half_duplex: bool,
    /// The way switches forward a message.
    pub switching: Switching,
    /// The shares of the flows of one link.
    pub weights: Weights,
    /// Largest number of bytes on the way: a flow's rate is at most `gamma / (2 latency)`.
    pub gamma: Option<u64>,
}

/// Carries messages as flows that share the links of their routes and the ports of their nodes
/// max-min fairly. The latency, latency + H hop for a route of H hops, passes first; then the flow
/// takes part with its whole size, and its rate changes whenever another flow starts or ends.
///
/// On an idle network a message of n bytes takes as long as in the model `link`. Both the release
/// and the arrival of a message are the end of its flow.
///
/// # Validity
/// Switches have no queues and no finite buffers; what shares a link shares it instantly and
/// perfectly. Good for bulk transfers, optimistic for bursts of short messages.
#[derive(Debug)]
pub struct Fluid {
    topology: Arc<Topology>,
    paths: Paths,
    /// When link rates change next.
    change: Option<SimTime>,
    parameters: FluidParameters,
    local: LocalPath,
    sharing: Sharing,
    /// Flows whose latency has not passed, by start and number.
    starts: BinaryHeap<Reverse<(SimTime, Start)>>,
    /// Flows under way, by their number in `sharing`.
    moving: Vec<Option<Moving>>,
    ends: BinaryHeap<Reverse<End>>,
    under_way: usize,
    usage: Vec<LinkUsage>,
    route: Vec<LinkId>,
    resources: Vec<u32>,
    changed: Vec<FlowId>,
    ended: Vec<TransferId>,
}

/// A flow that is to start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Start {
    id: TransferId,
    source: u32,
    target: u32,
    bytes: u64,
    latency: SimDuration,
    sent: Sent,
}

/// The end of a flow. It counts if the flow has not been rescheduled since.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct End {
    time: SimTime,
    id: TransferId,
    flow: FlowId,
    /// Number of ends of the flow up to this one.
    version: u32,
}

/// A flow under way.
#[derive(Clone, Copy, Debug)]
struct Moving {
    id: TransferId,
    /// Bytes that were left at `since`.
    left: f64,
    since: SimTime,
    /// Bytes per picosecond from then on.
    rate: f64,
    end: SimTime,
    /// Number of its ends that were scheduled.
    version: u32,
}

impl Moving {
    fn end(&self, flow: FlowId) -> End {
        End { time: self.end, id: self.id, flow, version: self.version }
    }
}

impl Fluid {
    /// Creates a network on which nothing is under way.
    pub fn new(topology: Arc<Topology>, parameters: FluidParameters, local: LocalPath) -> Self {
        let links = topology.link_count() as usize;
        let ports = topology.ports() as usize;
        let ports = match (parameters.injection, parameters.half_duplex) {
            (None, _) => 0,
            (Some(_), true) => ports,
            (Some(_), false) => 2 * ports,
        };
        let port = parameters.injection.map_or(f64::INFINITY, per_picosecond);
        let link =
            |link| per_picosecond(topology.link_bandwidth(LinkId(link), parameters.bandwidth));
        let capacities =
            (0..topology.link_count()).map(link).chain(std::iter::repeat_n(port, ports));
        Self {
            paths: Choice::default().on(&Timeline::constant(Arc::clone(&topology))),
            change: None,
            sharing: Sharing::new(capacities),
            parameters,
            local,
            starts: BinaryHeap::new(),
            moving: Vec::new(),
            ends: BinaryHeap::new(),
            under_way: 0,
            usage: vec![LinkUsage::default(); links],
            route: Vec::new(),
            resources: Vec::new(),
            changed: Vec::new(),
            ended: Vec::new(),
            topology,
        }
    }

    /// Returns the time that passes before a flow starts.
    fn latency(&mut self, now: SimTime, sent: Sent, transfer: Transfer) -> SimDuration {
        let Transfer { source, target, bytes, .. } = transfer;
        if !self.topology.is_uniform() || !self.paths.are_constant_own() {
            return self.latency_by_link(now, sent, transfer);
        }
        let hops = u64::from(self.topology.hops(source, target));
        let p = &self.parameters;
        let on_the_way = match p.switching {
            Switching::CutThrough => SimDuration::ZERO,
            // Every switch but the last receives the whole message before the next link does.
            Switching::StoreAndForward => p.bandwidth.time_for(bytes) * hops.saturating_sub(1),
        };
        p.latency + p.hop * hops + on_the_way
    }

    /// Returns the latency along the links of a path.
    fn latency_by_link(&mut self, now: SimTime, sent: Sent, transfer: Transfer) -> SimDuration {
        self.paths.links(sent, (transfer.source, transfer.target), &mut self.route);
        let topology = self.paths.timeline().at(now);
        let p = &self.parameters;
        let mut latency = p.latency;
        for (place, link) in self.route.iter().enumerate() {
            latency += topology.link_delay(*link, p.hop);
            if p.switching == Switching::StoreAndForward && place > 0 {
                let rate = topology.link_bandwidth(*link, p.bandwidth);
                latency += rate.time_for(transfer.bytes);
            }
        }
        latency
    }

    /// Starts a flow.
    fn start(&mut self, now: SimTime, start: Start) {
        let Start { id, source, target, bytes, latency, sent } = start;
        let (source, target) = (NodeId(source), NodeId(target));
        self.paths.links(sent, (source, target), &mut self.route);
        self.resources.clear();
        self.resources.extend(self.route.iter().map(|link| link.0));
        if self.parameters.injection.is_some() {
            let first = self.usage.len() as u32;
            let inward = if self.parameters.half_duplex { 0 } else { self.topology.ports() };
            let (out, into) = (self.route[0], self.route[self.route.len() - 1]);
            let (out, into) = (self.topology.port(out, source), self.topology.port(into, target));
            self.resources.extend([first + out, first + inward + into]);
        }
        for link in &self.route {
            let usage = &mut self.usage[link.0 as usize];
            let topology = self.paths.timeline().at(now);
            let rate = topology.link_bandwidth(*link, self.parameters.bandwidth);
            usage.busy += rate.time_for(bytes);
            usage.bytes += bytes;
            usage.messages += 1;
        }
        let latency = latency.as_ps().max(1) as f64;
        let weight = match self.parameters.weights {
            Weights::Equal => 1.0,
            Weights::Latency => 1.0 / latency,
        };
        let window = self.parameters.gamma.map(|bytes| bytes as f64 / (2.0 * latency));
        let flow = self.sharing.add(&self.resources, weight, window.unwrap_or(f64::INFINITY));
        let place = flow as usize;
        if place >= self.moving.len() {
            self.moving.resize(place + 1, None);
        }
        let left = bytes as f64;
        let (rate, end) = (0.0, SimTime::MAX);
        self.moving[place] = Some(Moving { id, left, since: now, rate, end, version: 0 });
        self.under_way += 1;
    }

    /// Gives the links the rates that hold at `now`, if they have changed.
    fn change(&mut self, now: SimTime) {
        if self.change.is_none_or(|change| change > now) {
            return;
        }
        let timeline = self.paths.timeline();
        let topology = timeline.at(now);
        for link in 0..topology.link_count() {
            let rate = topology.link_bandwidth(LinkId(link), self.parameters.bandwidth);
            self.sharing.set_capacity(link, per_picosecond(rate));
        }
        self.change = timeline.change_from(now + SimDuration::from_ps(1));
    }

    /// Ends and starts the flows that end or start at `now`, and shares the resources again.
    fn step(&mut self, now: SimTime, reports: &mut Vec<Report>) {
        self.change(now);
        while let Some(Reverse(end)) = self.ends.peek().copied() {
            if end.time > now {
                break;
            }
            self.ends.pop();
            if self.counts(end) {
                self.moving[end.flow as usize] = None;
                self.under_way -= 1;
                self.sharing.remove(end.flow);
                self.ended.push(end.id);
            }
        }
        self.ended.sort_unstable();
        for id in self.ended.drain(..) {
            let report = |progress| Report { id, progress, time: now };
            reports.extend([report(Progress::Released), report(Progress::Arrived)]);
        }
        while let Some(Reverse((time, start))) = self.starts.peek().copied() {
            if time > now {
                break;
            }
            self.starts.pop();
            self.start(now, start);
        }
        let mut changed = std::mem::take(&mut self.changed);
        self.sharing.solve(&mut changed);
        // If most ends have moved, a new heap is cheaper than the old ends in it.
        let most = 2 * changed.len() > self.under_way && 2 * self.under_way > self.moving.len();
        for flow in changed.drain(..) {
            let end = self.reschedule(now, flow);
            if !most {
                self.ends.extend(end.map(Reverse));
            }
        }
        self.changed = changed;
        if most {
            self.collect_ends();
        }
        self.forget_old_ends();
    }

    /// Sets the end of a flow whose rate may have changed, and returns it if it is another.
    fn reschedule(&mut self, now: SimTime, flow: FlowId) -> Option<End> {
        let rate = self.sharing.rate(flow);
        let moving = self.moving[flow as usize].as_mut().expect("it is under way");
        if moving.rate.to_bits() == rate.to_bits() {
            return None;
        }
        let passed = now.since(moving.since).as_ps() as f64;
        moving.left = (moving.left - moving.rate * passed).max(0.0);
        (moving.since, moving.rate) = (now, rate);
        let end =
            SimTime::from_ps(now.as_ps().saturating_add(whole_picoseconds(moving.left / rate)));
        if end == moving.end {
            return None;
        }
        moving.end = end;
        moving.version += 1;
        Some(moving.end(flow))
    }

    /// Builds the heap of ends from the present ends of all flows.
    fn collect_ends(&mut self) {
        let mut ends = std::mem::take(&mut self.ends).into_vec();
        ends.clear();
        let moving = (0..).zip(&self.moving);
        ends.extend(moving.filter_map(|(flow, moving)| Some(Reverse((*moving)?.end(flow)))));
        self.ends = ends.into();
    }

    fn counts(&self, end: End) -> bool {
        let moving = &self.moving[end.flow as usize];
        moving.is_some_and(|moving| (moving.id, moving.version) == (end.id, end.version))
    }

    /// Removes ends that no longer count: those in front, and all once they are the majority.
    fn forget_old_ends(&mut self) {
        if self.ends.len() > 4 * self.under_way + 64 {
            let mut ends = std::mem::take(&mut self.ends);
            ends.retain(|Reverse(end)| self.counts(*end));
            self.ends = ends;
        }
        while self.ends.peek().is_some_and(|Reverse(end)| !self.counts(*end)) {
            self.ends.pop();
        }
    }
}

impl Network for Fluid {
    fn inject(&mut self, now: SimTime, transfer: Transfer) -> Delivery {
        let Transfer { id, source, target, bytes } = transfer;
        if source == target {
            return self.local.carry(now, bytes);
        }
        let sent = self.paths.send(now, &transfer);
        let latency = self.latency(now, sent, transfer);
        if bytes == 0 {
            let flight = Flight { released: now, arrival: Some(now + latency) };
            return Delivery { accepted: now, flight: Some(flight) };
        }
        let (source, target) = (source.0, target.0);
        let start = Start { id, source, target, bytes, latency, sent };
        self.starts.push(Reverse((now + latency, start)));
        Delivery { accepted: now, flight: None }
    }

    fn event_driven(&mut self) -> Option<&mut dyn EventDriven> {
        Some(self)
    }

    fn crowd(&self) -> Option<Crowd> {
        Some(Crowd { transfers: self.under_way as u64, most_of_node: CROWD })
    }

    fn links(&self) -> Option<LinkView<'_>> {
        Some(LinkView { topology: &self.topology, usage: &self.usage })
    }

    fn usage_until(&self, end: SimTime) -> Vec<LinkUsage> {
        let mut usage = self.usage.clone();
        let topology = self.paths.timeline().at(end);
        for (flow, moving) in (0..).zip(&self.moving) {
            let Some(moving) = moving else { continue };
            let passed = moving.rate * end.since(moving.since).as_ps() as f64;
            let left = (moving.left - passed).ceil() as u64;
            if left == 0 {
                continue;
            }
            // Behind the links are the ports.
            for link in self.sharing.resources(flow) {
                let Some(usage) = usage.get_mut(*link as usize) else { continue };
                let rate = topology.link_bandwidth(LinkId(*link), self.parameters.bandwidth);
                take_off(usage, rate.time_for(left), left);
            }
        }
        usage
    }
}

impl EventDriven for Fluid {
    fn next_time(&self) -> Option<SimTime> {
        let start = self.starts.peek().map(|Reverse((time, _))| *time);
        let end = self.ends.peek().map(|Reverse(end)| end.time);
        // Flows under way have other ends after a change.
        let change = self.change.filter(|_| end.is_some());
        [start, end, change].into_iter().flatten().min()
    }

    fn advance(&mut self, now: SimTime, reports: &mut Vec<Report>) {
        while let Some(time) = self.next_time().filter(|time| *time <= now) {
            self.step(time, reports);
        }
    }
}

fn per_picosecond(rate: Bandwidth) -> f64 {
    rate.bytes_per_sec() as f64 / 1e12
}

/// Rounds a time up to whole picoseconds. A thousandth more than a whole number is taken as
/// rounding of the calculation, whose relative error is about 1e-15.
fn whole_picoseconds(time: f64) -> u64 {
    (time - 1e-3).ceil().max(0.0) as u64
}
