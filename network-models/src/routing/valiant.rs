//! `valiant`: every packet visits a random node (Valiant and Brebner, "Universal schemes for
//! parallel communication", 1981).

use std::sync::Arc;

use rand::RngExt;
use sim_core::{ChaCha8Rng, stream};

use super::{Decision, Hop, Queues, Routing, RoutingDescription, RoutingKind, minimal_route};
use crate::{
    network::NodeId,
    topology::{LinkId, Topology},
};

/// The routing `valiant`.
#[derive(Debug)]
pub(super) struct Valiant;

impl RoutingKind for Valiant {
    fn description(&self) -> RoutingDescription {
        RoutingDescription {
            name: "valiant",
            summary: "minimal to the switch of a random node, and from there minimal to the target",
            channels: Detours::CHANNELS,
            source: "Valiant and Brebner 1981",
        }
    }

    fn classes(&self, topology: &Topology) -> u32 {
        Detours::classes(topology)
    }

    fn fits(&self, topology: &Topology) -> Result<(), String> {
        Detours::fits(topology)
    }

    fn decides(&self) -> Decision {
        Decision::AtEntry
    }

    fn on(&self, topology: &Arc<Topology>, seed: u64) -> Box<dyn Routing> {
        Box::new(Random { detours: Detours::new(topology), random: stream(seed, "valiant", 0) })
    }
}

#[derive(Debug)]
struct Random {
    detours: Detours,
    random: ChaCha8Rng,
}

impl Routing for Random {
    fn path(&mut self, source: NodeId, target: NodeId, _: &dyn Queues, path: &mut Vec<Hop>) {
        let between = self.detours.draw(&mut self.random);
        self.detours.path(source, between, target, path);
    }

    fn paths(&self, source: NodeId, target: NodeId, visit: &mut dyn FnMut(&[Hop])) {
        self.detours.clone().paths(source, target, visit);
    }
}

/// Returns why a routing does not fit a topology that lacks something.
pub(super) fn needs(topology: &Topology, what: &str) -> String {
    format!("needs {what}, which {} does not have", topology.name())
}

/// Paths over a node in between: the first part has the classes of the topology's own routing, the
/// second part as many others, so that no packet of the second part waits for one of the first.
#[derive(Clone, Debug)]
pub(super) struct Detours {
    topology: Arc<Topology>,
    links: Vec<LinkId>,
}

impl Detours {
    /// The classes of virtual channels, as routings describe them.
    pub(super) const CHANNELS: &str = "twice those of the topology";

    /// Returns the number of classes of virtual channels of both parts.
    pub(super) fn classes(topology: &Topology) -> u32 {
        2 * topology.channels()
    }

    /// Checks that a packet can leave the switch of any node by which it came, without the node itself.
    pub(super) fn fits(topology: &Topology) -> Result<(), String> {
        let turns = |node: &NodeId| {
            let graph = topology.graph();
            !topology.is_host(*node)
                || graph.neighbours(graph.neighbours(node.0)[0]).contains(&node.0)
        };
        if (0..topology.nodes()).map(NodeId).all(|node| turns(&node)) {
            Ok(())
        } else {
            Err(needs(topology, "switches that a packet can leave by the cable by which it came"))
        }
    }

    pub(super) fn new(topology: &Arc<Topology>) -> Self {
        Self { topology: Arc::clone(topology), links: Vec::new() }
    }

    /// Returns a random node.
    pub(super) fn draw(&self, random: &mut ChaCha8Rng) -> NodeId {
        NodeId(random.random_range(0..self.topology.nodes()))
    }

    /// Returns the number of links between a node and its switch, which is the node itself if it
    /// forwards packets.
    pub(super) fn cables(&self, node: NodeId) -> usize {
        usize::from(self.topology.is_host(node))
    }

    /// Returns a path without the cable of its source. All packets of a host cross that, and the queue of
    /// the sending node says nothing about paths.
    pub(super) fn behind_cable<'a>(&self, source: NodeId, path: &'a [Hop]) -> &'a [Hop] {
        &path[self.cables(source).min(path.len())..]
    }

    /// Returns the group of a node, if the topology has several.
    pub(super) fn group(&self, node: NodeId) -> Option<u32> {
        let groups = self.topology.groups().filter(|groups| *groups > 1)?;
        Some(node.0 / (self.topology.nodes() / groups))
    }

    /// Appends the minimal path, in the classes of the first part or of the second.
    pub(super) fn direct(
        &mut self,
        source: NodeId,
        target: NodeId,
        second: bool,
        path: &mut Vec<Hop>,
    ) {
        let first = if second { self.topology.channels() } else { 0 };
        minimal_route(&self.topology, (source, target), first, &mut self.links, path);
    }

    /// Appends the path over the switch of the node `between`; over that node itself if it forwards
    /// packets. It is the minimal path if `between` is an end of it.
    pub(super) fn path(
        &mut self,
        source: NodeId,
        between: NodeId,
        target: NodeId,
        path: &mut Vec<Hop>,
    ) {
        if between == source || between == target {
            return self.direct(source, target, between == source, path);
        }
        self.direct(source, between, false, path);
        let join = path.len();
        self.direct(between, target, true, path);
        if self.topology.is_host(between) {
            // Down to the host and up again.
            path.drain(join - 1..=join);
        }
    }

    /// Calls `visit` with the paths over every node.
    pub(super) fn paths(&mut self, source: NodeId, target: NodeId, visit: &mut dyn FnMut(&[Hop])) {
        let mut path = Vec::new();
        for between in (0..self.topology.nodes()).map(NodeId) {
            path.clear();
            self.path(source, between, target, &mut path);
            visit(&path);
        }
    }
}
