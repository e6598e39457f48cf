//! `ecmp`: the packets of a pair of nodes take one of its shortest paths, by a hash of the pair
//! (Hopps, RFC 2992, 2000).

use std::sync::Arc;

use super::{
    Hop, Queues, Routing, RoutingDescription, RoutingKind, deadlock, distances::Distances,
};
use crate::{network::NodeId, topology::Topology};

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
        let single = Hashed { by_hop: false, ..Hashed::new(&Arc::new(topology.clone()), 0) };
        if topology.nodes() <= CHECKED && deadlock::cycle(topology, &single, 1).is_none() {
            return 1;
        }
        topology.structure().diameter
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
            distances: Distances::new(topology),
        }
    }

    /// Appends the path, given the links from each vertex to the target.
    fn follow(&self, distances: &[u32], source: NodeId, target: NodeId, path: &mut Vec<Hop>) {
        let (mut at, mut hop) = (source.0, 0);
        while at != target.0 {
            let nearer = |next: &&u32| distances[**next as usize] < distances[at as usize];
            let neighbours = self.topology.graph().neighbours(at);
            let count = neighbours.iter().filter(nearer).count() as u64;
            let hash = mix(mix(mix(self.seed ^ u64::from(source.0)) ^ u64::from(target.0)) ^ hop);
            let choice = (hash % count) as usize;
            let next = *neighbours.iter().filter(nearer).nth(choice).expect("below their number");
            let class = if self.by_hop { hop as u32 } else { 0 };
            path.push(Hop { link: self.topology.graph().link(at, next), class });
            (at, hop) = (next, hop + 1);
        }
    }
}

/// Spreads the bits of a number (the finalizer of SplitMix64; Steele, Lea and Flood 2014).
fn mix(number: u64) -> u64 {
    let mut mixed = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

impl Routing for Hashed {
    fn path(&mut self, source: NodeId, target: NodeId, _: &dyn Queues, path: &mut Vec<Hop>) {
        let mut distances = std::mem::take(&mut self.distances);
        self.follow(distances.to(target.0), source, target, path);
        self.distances = distances;
    }

    fn paths(&self, source: NodeId, target: NodeId, visit: &mut dyn FnMut(&[Hop])) {
        let mut path = Vec::new();
        self.follow(self.distances.clone().to(target.0), source, target, &mut path);
        visit(&path);
    }
}
