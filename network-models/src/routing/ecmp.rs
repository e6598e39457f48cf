//! `ecmp`: the packets of a pair of nodes take one of its shortest paths, by a hash of the pair
//! (Hopps, RFC 2992, 2000).

use std::sync::Arc;

use super::{Decision, Hop, Queues, Routing, RoutingDescription, RoutingKind, deadlock};
use crate::{
    network::NodeId,
    topology::{Distances, Topology},
};

/// Most nodes of a topology whose paths are checked for a cycle of dependencies.
const CHECKED: u32 = 1024;

/// The routing `ecmp`.
#[derive(Debug)]
pub(super) struct Ecmp;

impl RoutingKind for Ecmp {
    fn description(&self) -> RoutingDescription {
        RoutingDescription {
            name: "ecmp",
            summary: "one of the shortest paths for each pair of nodes, by a hash of the pair",
            channels: "1 where its paths have no cycle of dependencies, as in trees; else one for \
                       each hop",
            source: "RFC 2992",
        }
    }

    fn classes(&self, topology: &Topology) -> u32 {
        if topology.has_free_shortest_paths() {
            return 1;
        }
        let single = Hashed { by_hop: false, ..Hashed::new(&Arc::new(topology.clone()), 0) };
        if topology.nodes() <= CHECKED && deadlock::cycle(topology, &single, 1).is_none() {
            return 1;
        }
        topology.structure().diameter
    }

    fn decides(&self) -> Decision {
        Decision::ByPair
    }

    fn on(&self, topology: &Arc<Topology>, seed: u64) -> Box<dyn Routing> {
        let by_hop = self.classes(topology) > 1;
        Box::new(Hashed { by_hop, ..Hashed::new(topology, seed) })
    }
}

#[derive(Debug)]
struct Hashed {
    topology: Arc<Topology>,
    seed: u64,
    /// Whether the class of a hop is its number.
    by_hop: bool,
    distances: Distances,
}

impl Hashed {
    fn new(topology: &Arc<Topology>, seed: u64) -> Self {
        Self {
            topology: Arc::clone(topology),
            seed,
            by_hop: false,
            distances: topology.all_distances(),
        }
    }

    /// Appends the path of a pair of nodes.
    fn follow(&self, source: NodeId, target: NodeId, path: &mut Vec<Hop>) {
        let (mut at, mut hop) = (source.0, 0);
        while at != target.0 {
            let (graph, pair) = (self.topology.graph(), (source.0, target.0));
            let link = self.distances.spread(graph, self.seed, pair, (at, hop));
            path.push(Hop { link, class: if self.by_hop { hop } else { 0 } });
            (at, hop) = (self.topology.link_ends(link).1.0, hop + 1);
        }
    }
}

impl Routing for Hashed {
    fn path(&mut self, source: NodeId, target: NodeId, _: &dyn Queues, path: &mut Vec<Hop>) {
        self.follow(source, target, path);
    }

    fn paths(&self, source: NodeId, target: NodeId, visit: &mut dyn FnMut(&[Hop])) {
        let mut path = Vec::new();
        self.follow(source, target, &mut path);
        visit(&path);
    }
}
