//! Faults: links that become slow or are cut at a simulated time.
//!
//! A model that follows them builds its network from a [`Timeline`] of topologies ([`Changing`](crate::Changing)): a message
//! takes the route that holds when it is sent, and links have the rate of the time at which they carry
//! it. So a failure loses nothing, and messages sent before and after it wait for each other. A network
//! that drops packets loses those on a cut link, and sends them again.
//! [`Faulty`] recognises messages to which no path is left.

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
    catalog::Catalog,
    model::{Hardware, ModelKind, ModelMisfit},
    nearest::{nearest, suggested},
    network::{
        Delivery, Flight, Network, NetworkDeadlock, NodeId, Standstill, Transfer, TransferId,
    },
    topology::{Timeline, Topology, VertexId},
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
    /// They carry this multiple of their rate, more than 0; 1 repairs them.
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
    #[error("there is no vertex `{vertex}` in {topology}{}; allowed are {allowed}", suggested(nearest.as_deref()))]
    NoVertex {
        /// The vertex as it is written.
        vertex: String,
        /// Name of the topology with its sizes.
        topology: String,
        /// The numbers of nodes and switches, and the names that they have.
        allowed: String,
        /// The most similar name.
        nearest: Option<String>,
    },
    /// The model has no links, or has routes of its own.
    #[error(
        "network model `{model}` does not follow faults of links as it is chosen; these do, with the topology's own routes: {}", allowed.join(", ")
    )]
    Model {
        /// Name of the model.
        model: &'static str,
        /// The models of the catalog that do.
        allowed: Vec<&'static str>,
    },
    /// The model with its options does not fit the topology with the links that are left.
    #[error("with these faults {0}")]
    Misfit(#[from] ModelMisfit),
}

/// Most names of vertices in a message.
const NAMES_MAX: usize = 12;

impl FaultMismatch {
    /// Returns that a topology does not have a vertex, which is given as it is written: `12`, `s3`, `leaf0`.
    pub fn no_vertex(vertex: &str, topology: &Topology) -> Self {
        let names: Vec<&str> = topology.vertex_names().collect();
        Self::NoVertex {
            vertex: vertex.to_owned(),
            topology: topology.name().to_owned(),
            allowed: vertices(topology) + &listed(&names),
            nearest: nearest(vertex, names),
        }
    }

    /// Checks that cables join two vertices.
    ///
    /// # Errors
    /// Returns an error if the topology does not have one of them, or none is joined to the other.
    pub fn unless_joined(from: VertexId, to: VertexId, topology: &Topology) -> Result<(), Self> {
        if let Some(unknown) = [from, to].into_iter().find(|end| end.0 >= topology.vertices()) {
            return Err(Self::no_vertex(&unknown.0.to_string(), topology));
        }
        let neighbours = topology.graph().neighbours(from.0);
        if neighbours.contains(&to.0) {
            return Ok(());
        }
        let name = |vertex: u32| topology.describe(VertexId(vertex));
        let joined: Vec<String> = neighbours.iter().map(|vertex| name(*vertex)).collect();
        Err(Self::NoLink {
            topology: topology.name().to_owned(),
            from: name(from.0),
            to: name(to.0),
            neighbours: joined.join(", "),
        })
    }
}

/// Returns the numbers of the vertices that there are.
fn vertices(topology: &Topology) -> String {
    let all = |count: u32, letter: &str| match count {
        1 => format!("{letter}0"),
        _ => format!("{letter}0 to {letter}{}", count - 1),
    };
    let nodes = topology.nodes();
    match topology.vertices() - nodes {
        0 => all(nodes, ""),
        switches => format!("{} and {}", all(nodes, ""), all(switches, "s")),
    }
}

/// Returns the names of vertices behind their numbers, the first ones if they are many.
fn listed(names: &[&str]) -> String {
    let (shown, left) = names.split_at(names.len().min(NAMES_MAX));
    match (shown, left) {
        ([], _) => String::new(),
        (_, []) => format!(", or the names {}", shown.join(", ")),
        _ => format!(", or the names {} and {} more", shown.join(", "), left.len()),
    }
}

/// A network whose links change at given times.
pub struct Faulty {
    network: Box<dyn Network>,
    timeline: Timeline,
    /// Whether messages wait until there is a path again.
    waits_for_repair: bool,
    /// Messages between nodes that no path joins.
    lost: Vec<(TransferId, NodeId, NodeId)>,
}

/// Applies faults to a topology whose links have the rate `machine` unless they have their own.
pub(crate) fn damaged(
    topology: &Arc<Topology>,
    machine: Bandwidth,
    faults: &[LinkFault],
) -> Timeline {
    let mut ordered = faults.to_vec();
    ordered.sort_by_key(|fault| fault.at);
    let mut timeline = Timeline::constant(Arc::clone(topology));
    let (mut cut, mut slow) = (BTreeSet::new(), BTreeMap::new());
    for group in ordered.chunk_by(|one, other| one.at == other.at) {
        for LinkFault { from, to, change, .. } in group {
            // Where cables carry one direction, there may be none back.
            let both = [(from.0, to.0), (to.0, from.0)].into_iter();
            let joined = |(a, b): &(u32, u32)| topology.graph().neighbours(*a).contains(b);
            for (a, b) in both.filter(joined) {
                match change {
                    LinkChange::Cut => {
                        cut.insert((a, b));
                    }
                    LinkChange::Rate(share) => {
                        cut.remove(&(a, b));
                        let link = topology.graph().link(a, b);
                        let rate = topology.link_bandwidth(link, machine);
                        slow.insert((a, b), scaled(rate, *share));
                    }
                }
            }
        }
        let (graph, cut, slow) = (topology.graph().clone(), cut.clone(), slow.clone());
        let shape = Arc::new(Damaged::new(topology.shape_of(), graph, cut, slow));
        timeline.add(group[0].at, Arc::new(topology.with_shape(shape)));
    }
    timeline
}

impl Faulty {
    /// Checks that faults can happen on a topology and a model; `catalog` has the models that an error names.
    ///
    /// # Errors
    /// Returns the first fault that cannot.
    pub fn check(
        (kind, catalog): (&dyn ModelKind, &Catalog),
        hardware: &Hardware,
        topology: &Arc<Topology>,
        faults: &[LinkFault],
    ) -> Result<(), FaultMismatch> {
        if faults.is_empty() {
            return Ok(());
        }
        let Some(changing) = kind.changing() else {
            let following = catalog.models().filter(|known| known.changing().is_some());
            return Err(FaultMismatch::Model {
                model: kind.description().name,
                allowed: following.map(|known| known.description().name).collect(),
            });
        };
        for LinkFault { from, to, .. } in faults {
            FaultMismatch::unless_joined(*from, *to, topology)?;
        }
        let timeline = damaged(topology, hardware.link_bandwidth, faults);
        Ok(changing.check(hardware, &timeline)?)
    }

    /// Creates a network on which no transfer is in progress.
    ///
    /// # Panics
    /// Panics if the model does not follow faults: see [`Faulty::check`].
    pub fn new(
        kind: &dyn ModelKind,
        hardware: &Hardware,
        topology: &Arc<Topology>,
        faults: &[LinkFault],
    ) -> Self {
        let changing = kind.changing().expect("the model follows faults");
        let timeline = damaged(topology, hardware.link_bandwidth, faults);
        Self {
            network: changing.build(hardware, &timeline),
            waits_for_repair: changing.waits_for_repair(),
            timeline,
            lost: Vec::new(),
        }
    }

    /// Passes a transfer on if there is a path or the network waits for one.
    fn carry(
        &mut self,
        now: SimTime,
        transfer: Transfer,
        inject: impl FnOnce(&mut dyn Network) -> Delivery,
    ) -> Delivery {
        let Transfer { id, source, target, .. } = transfer;
        if self.waits_for_repair || self.timeline.at(now).reaches(source, target) {
            return inject(&mut *self.network);
        }
        self.lost.push((id, source, target));
        // It leaves its sender and never arrives.
        Delivery { accepted: now, flight: Some(Flight { released: now, arrival: None }) }
    }
}

/// Returns a share of a rate, at least one byte per second.
fn scaled(rate: Bandwidth, share: f64) -> Bandwidth {
    Bandwidth::from_bytes_per_sec((rate.bytes_per_sec() as f64 * share).round() as u64)
}

impl Network for Faulty {
    fn inject(&mut self, now: SimTime, transfer: Transfer) -> Delivery {
        self.carry(now, transfer, |network| network.inject(now, transfer))
    }

    fn inject_through_port(&mut self, now: SimTime, transfer: Transfer) -> Delivery {
        self.carry(now, transfer, |network| network.inject_through_port(now, transfer))
    }

    fn inner(&self) -> Option<&dyn Network> {
        Some(&*self.network)
    }

    fn inner_mut(&mut self) -> Option<&mut dyn Network> {
        Some(&mut *self.network)
    }

    /// Names messages without a path before others that wait for each other.
    fn deadlock(&self) -> Option<NetworkDeadlock> {
        let inside = self.network.deadlock();
        let Some((_, source, target)) = self.lost.first() else { return inside };
        let reason = Standstill::no_path(self.timeline.base(), *source, *target);
        let mut transfers: Vec<TransferId> = self.lost.iter().map(|(id, ..)| *id).collect();
        transfers.extend(inside.into_iter().flat_map(|deadlock| deadlock.transfers));
        transfers.sort_unstable();
        Some(NetworkDeadlock { reason, transfers })
    }
}
