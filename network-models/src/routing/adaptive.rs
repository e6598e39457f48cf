//! `minimal-adaptive`: at each router the shortest way with the shortest queue, and the topology's
//! own route as an escape (Duato, "A new theory of deadlock-free adaptive routing", 1993).

use std::sync::Arc;

use super::{Decision, Hop, PerHop, Queues, Routing, RoutingDescription, RoutingKind};
use crate::{
    network::NodeId,
    topology::{Distances, LinkId, Topology, VertexId},
};

/// The routing `minimal-adaptive`.
#[derive(Debug)]
pub(super) struct MinimalAdaptive;

impl RoutingKind for MinimalAdaptive {
    fn description(&self) -> RoutingDescription {
        RoutingDescription {
            name: "minimal-adaptive",
            summary: "at each router the link of a shortest path with the shortest queue; upwards in \
                      a fat tree any",
            channels: "those of the topology as an escape, and 1",
            source: "Duato 1993",
        }
    }

    fn classes(&self, topology: &Topology) -> u32 {
        topology.channels() + 1
    }

    fn decides(&self) -> Decision {
        Decision::PerHop
    }

    fn on(&self, topology: &Arc<Topology>, _: u64) -> Box<dyn Routing> {
        let distances = topology.all_distances();
        Box::new(Adaptive { topology: Arc::clone(topology), distances })
    }
}

#[derive(Clone, Debug)]
struct Adaptive {
    topology: Arc<Topology>,
    distances: Distances,
}

impl Adaptive {
    /// Returns the next hop of a packet that took to the escape channels at `entered`.
    fn escape(&self, entered: VertexId, at: VertexId, target: NodeId) -> Hop {
        let (link, class) = self.topology.next(entered, at, target);
        Hop { link, class }
    }

    /// Appends the way along the escape channels from a vertex.
    fn escape_from(&self, entered: VertexId, target: NodeId, path: &mut Vec<Hop>) {
        let mut at = entered;
        while at.0 != target.0 {
            let hop = self.escape(entered, at, target);
            path.push(hop);
            at = self.topology.link_ends(hop.link).1;
        }
    }

    /// Returns the switches on the shortest paths from all nodes to one, in ascending order.
    fn switches_before(&self, target: NodeId) -> Vec<u32> {
        let graph = self.topology.graph();
        let mut is_known = vec![false; self.topology.vertices() as usize];
        let mut open: Vec<u32> = (0..self.topology.nodes()).filter(|at| *at != target.0).collect();
        while let Some(at) = open.pop() {
            self.distances.nearer(graph, at, target.0, |link| {
                let next = self.topology.link_ends(LinkId(link)).1.0;
                if next != target.0 && !std::mem::replace(&mut is_known[next as usize], true) {
                    open.push(next);
                }
            });
        }
        let switches = self.topology.nodes()..self.topology.vertices();
        switches.filter(|at| is_known[*at as usize]).collect()
    }
}

impl Routing for Adaptive {
    fn per_hop(&self) -> Option<Box<dyn PerHop>> {
        Some(Box::new(self.clone()))
    }

    fn path(&mut self, source: NodeId, target: NodeId, _: &dyn Queues, path: &mut Vec<Hop>) {
        self.escape_from(VertexId(source.0), target, path);
    }

    /// A packet waits for the escape channels, among others, wherever it is, and stays in them: so
    /// only their dependencies count, from every vertex that it may come to.
    fn paths(&self, source: NodeId, target: NodeId, visit: &mut dyn FnMut(&[Hop])) {
        let first = source.0 == u32::from(target.0 == 0);
        let others = if first { self.switches_before(target) } else { Vec::new() };
        let mut path = Vec::new();
        for entered in std::iter::once(source.0).chain(others) {
            path.clear();
            self.escape_from(VertexId(entered), target, &mut path);
            visit(&path);
        }
    }
}

impl PerHop for Adaptive {
    fn escape(&self, entered: VertexId, at: VertexId, target: NodeId) -> Hop {
        Adaptive::escape(self, entered, at, target)
    }

    fn choices(&mut self, at: VertexId, target: NodeId, choices: &mut Vec<LinkId>) -> u32 {
        let graph = self.topology.graph();
        self.distances.nearer(graph, at.0, target.0, |link| choices.push(LinkId(link)));
        self.topology.channels()
    }
}
