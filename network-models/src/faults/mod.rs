//! Faults: links that become slow or are cut at a simulated time.
//!
//! [`Faulty`] carries each message on the network as it is when the message is sent. What is under
//! way when a link fails arrives as if it had not, and messages sent before and after a fault do not
//! wait for each other: a failure delays the traffic after it, and loses nothing.

mod damaged;
#[cfg(test)]
mod tests;

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use sim_core::SimTime;

use self::damaged::Damaged;
use crate::{
    model::{Hardware, ModelKind},
    network::{
        Delivery, EventDriven, Flight, LinkLog, LinkUsage, LinkView, Network, NetworkDeadlock,
        NodeId, PacketLosses, Report, Standstill, Transfer, TransferId,
    },
    topology::{LinkId, Topology, VertexId},
    units::Bandwidth,
};

/// A change of all cables between two vertices, in both directions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LinkFault {
    /// One end of the cables.
    pub from: VertexId,
    /// The other end.
    pub to: VertexId,
    /// When the change takes effect.
    pub at: SimTime,
    /// The change.
    pub change: LinkChange,
}

/// How cables change.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LinkChange {
    /// Nothing crosses them any more.
    Cut,
    /// They carry this share of their rate, more than 0 and at most 1; 1 repairs them.
    Rate(f64),
}

/// Why a fault cannot happen on a topology.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FaultMismatch {
    /// There is no such cable.
    #[error(
        "there is no link between {from} and {to} in {topology}; {from} is joined to {neighbours}"
    )]
    NoLink {
        /// Name of the topology with its sizes.
        topology: String,
        /// One end.
        from: String,
        /// The other end.
        to: String,
        /// The vertices that `from` is joined to.
        neighbours: String,
    },
    /// There is no such vertex.
    #[error(
        "{topology} has {nodes} nodes and {switches} switches; allowed are 0 to the last node and s0 to the last switch"
    )]
    NoVertex {
        /// Name of the topology with its sizes.
        topology: String,
        /// Number of nodes.
        nodes: u32,
        /// Number of switches.
        switches: u32,
    },
    /// The model has no links, or routes of its own.
    #[error(
        "network model `{model}` does not follow faults of links; `link`, `fluid` and `packet` do with the topology's own routes"
    )]
    Model {
        /// Name of the model.
        model: &'static str,
    },
}

/// The network from one fault to the next.
#[derive(Debug)]
struct Epoch {
    from: SimTime,
    topology: Arc<Topology>,
    /// The damage, if there is any.
    shape: Option<Arc<Damaged>>,
}

/// A network whose links change at given times.
pub struct Faulty {
    base: Arc<Topology>,
    rate: Bandwidth,
    epochs: Vec<Epoch>,
    networks: Vec<Box<dyn Network>>,
    /// When each network wants to advance.
    alarms: Vec<Option<SimTime>>,
    current: usize,
    usage: Vec<LinkUsage>,
    log: LinkLog,
    is_logging: bool,
    route: Vec<LinkId>,
    /// Messages between nodes that no path joins.
    lost: Vec<(TransferId, NodeId, NodeId)>,
}

impl Faulty {
    /// Checks that faults can happen on a topology and a model.
    ///
    /// # Errors
    /// Returns the first fault that cannot.
    pub fn check(
        kind: &dyn ModelKind,
        topology: &Topology,
        faults: &[LinkFault],
    ) -> Result<(), FaultMismatch> {
        if !faults.is_empty() && !kind.follows_faults() {
            return Err(FaultMismatch::Model { model: kind.description().name });
        }
        for LinkFault { from, to, .. } in faults {
            let known = |vertex: VertexId| vertex.0 < topology.vertices();
            if !(known(*from) && known(*to)) {
                return Err(FaultMismatch::NoVertex {
                    topology: topology.name().to_owned(),
                    nodes: topology.nodes(),
                    switches: topology.vertices() - topology.nodes(),
                });
            }
            let neighbours = topology.graph().neighbours(from.0);
            if !neighbours.contains(&to.0) {
                let name = |vertex: u32| topology.describe(VertexId(vertex));
                let joined: Vec<String> = neighbours.iter().map(|vertex| name(*vertex)).collect();
                return Err(FaultMismatch::NoLink {
                    topology: topology.name().to_owned(),
                    from: name(from.0),
                    to: name(to.0),
                    neighbours: joined.join(", "),
                });
            }
        }
        Ok(())
    }

    /// Creates a network on which no transfer is in progress. [`Faulty::check`] accepts the faults.
    pub fn new(
        kind: &dyn ModelKind,
        hardware: &Hardware,
        topology: &Arc<Topology>,
        faults: &[LinkFault],
    ) -> Self {
        let mut ordered = faults.to_vec();
        ordered.sort_by_key(|fault| fault.at);
        let whole = Epoch { from: SimTime::ZERO, topology: Arc::clone(topology), shape: None };
        let mut epochs = vec![whole];
        let (mut cut, mut slow) = (BTreeSet::new(), BTreeMap::new());
        for group in ordered.chunk_by(|one, other| one.at == other.at) {
            for LinkFault { from, to, change, .. } in group {
                for (a, b) in [(from.0, to.0), (to.0, from.0)] {
                    match change {
                        LinkChange::Cut => {
                            cut.insert((a, b));
                        }
                        LinkChange::Rate(share) => {
                            cut.remove(&(a, b));
                            let link = topology.graph().link(a, b);
                            let rate = topology.link_bandwidth(link, hardware.link_bandwidth);
                            slow.insert((a, b), scaled(rate, *share));
                        }
                    }
                }
            }
            let shape = Damaged::new(
                topology.shape_of(),
                topology.graph().clone(),
                cut.clone(),
                slow.clone(),
            );
            let shape = Arc::new(shape);
            let damaged = Arc::new(topology.with_shape(Arc::clone(&shape) as _));
            let epoch = Epoch { from: group[0].at, topology: damaged, shape: Some(shape) };
            match epochs.last_mut() {
                Some(last) if last.from == epoch.from => *last = epoch,
                _ => epochs.push(epoch),
            }
        }
        let networks: Vec<Box<dyn Network>> =
            epochs.iter().map(|epoch| kind.build(hardware, &epoch.topology)).collect();
        Self {
            usage: vec![LinkUsage::default(); topology.link_count() as usize],
            base: Arc::clone(topology),
            rate: hardware.link_bandwidth,
            epochs,
            alarms: vec![None; networks.len()],
            networks,
            current: 0,
            log: LinkLog::default(),
            is_logging: false,
            route: Vec::new(),
            lost: Vec::new(),
        }
    }

    /// Counts a message on the links of its route.
    fn count(&mut self, transfer: Transfer) {
        let topology = &self.epochs[self.current].topology;
        self.route.clear();
        topology.route(transfer.source, transfer.target, &mut self.route);
        for link in &self.route {
            let usage = &mut self.usage[link.0 as usize];
            usage.busy += topology.link_bandwidth(*link, self.rate).time_for(transfer.bytes);
            usage.bytes += transfer.bytes;
            usage.messages += 1;
        }
    }

    /// Passes the reservations of one network on, and asks for its next event.
    fn follow(&mut self, place: usize) {
        let network = &mut self.networks[place];
        if let Some(log) = network.link_log() {
            log.drain().for_each(|occupancy| self.log.add(occupancy));
        }
        self.alarms[place] = network.event_driven().and_then(|model| model.next_time());
    }
}

/// Returns a share of a rate, at least one byte per second.
fn scaled(rate: Bandwidth, share: f64) -> Bandwidth {
    Bandwidth::from_bytes_per_sec((rate.bytes_per_sec() as f64 * share).round() as u64)
}

impl Network for Faulty {
    fn inject(&mut self, now: SimTime, transfer: Transfer) -> Delivery {
        while self.epochs.get(self.current + 1).is_some_and(|epoch| epoch.from <= now) {
            self.current += 1;
        }
        let Transfer { id, source, target, .. } = transfer;
        let shape = self.epochs[self.current].shape.as_ref();
        if shape.is_some_and(|shape| !shape.reaches(source.0, target.0)) {
            self.lost.push((id, source, target));
            // It leaves its sender and never arrives.
            return Delivery {
                accepted: now,
                flight: Some(Flight { released: now, arrival: None }),
            };
        }
        if source != target {
            self.count(transfer);
        }
        if self.log.is_on() && !self.is_logging {
            self.is_logging = true;
            let logs = self.networks.iter_mut().filter_map(|network| network.link_log());
            logs.for_each(LinkLog::switch_on);
        }
        let delivery = self.networks[self.current].inject(now, transfer);
        self.follow(self.current);
        delivery
    }

    fn event_driven(&mut self) -> Option<&mut dyn EventDriven> {
        Some(self)
    }

    fn deadlock(&self) -> Option<NetworkDeadlock> {
        let (_, source, target) = self.lost.first()?;
        let name = |node: &NodeId| self.base.describe(VertexId(node.0));
        let no_path = Standstill::NoPath { source: name(source), target: name(target) };
        let transfers = self.lost.iter().map(|(id, ..)| *id).collect();
        Some(NetworkDeadlock { reason: no_path, transfers })
    }

    fn links(&self) -> Option<LinkView<'_>> {
        Some(LinkView { topology: &self.base, usage: &self.usage })
    }

    fn losses(&self) -> Option<PacketLosses> {
        let mut total = None;
        for losses in self.networks.iter().filter_map(|network| network.losses()) {
            *total.get_or_insert_default() += losses;
        }
        total
    }

    fn link_log(&mut self) -> Option<&mut LinkLog> {
        Some(&mut self.log)
    }
}

impl EventDriven for Faulty {
    fn next_time(&self) -> Option<SimTime> {
        self.alarms.iter().flatten().min().copied()
    }

    fn advance(&mut self, now: SimTime, reports: &mut Vec<Report>) {
        let first = reports.len();
        for place in 0..self.networks.len() {
            if self.alarms[place].is_none_or(|time| time > now) {
                continue;
            }
            if let Some(model) = self.networks[place].event_driven() {
                model.advance(now, reports);
            }
            self.follow(place);
        }
        reports[first..].sort_by_key(|report| (report.time, report.id));
    }
}
