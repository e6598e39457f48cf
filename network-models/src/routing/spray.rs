//! `spray`: each packet takes one of the shortest paths at random (Dixit, Prakash, Hu and Kompella,
//! "On the impact of packet spraying in data center networks", 2013).

use std::sync::Arc;

use rand::RngExt;
use sim_core::{ChaCha8Rng, stream};

use super::{Decision, Hop, Queues, Routing, RoutingDescription, RoutingKind};
use crate::{
    network::NodeId,
    topology::{Distances, LinkId, Topology},
};

/// The routing `spray`.
#[derive(Debug)]
pub(super) struct Spray;

impl RoutingKind for Spray {
    fn description(&self) -> RoutingDescription {
        RoutingDescription {
            name: "spray",
            summary: "one of the shortest paths for each packet, at random",
            channels: "1 where shortest paths have no cycle of dependencies, as in trees; else one \
                       for each hop",
            source: "Dixit et al. 2013",
        }
    }

    fn classes(&self, topology: &Topology) -> u32 {
        if topology.has_free_shortest_paths() { 1 } else { topology.structure().diameter }
    }

    fn decides(&self) -> Decision {
        Decision::AtEntry
    }

    fn on(&self, topology: &Arc<Topology>, seed: u64) -> Box<dyn Routing> {
        Box::new(Random {
            by_hop: self.classes(topology) > 1,
            distances: topology.all_distances(),
            topology: Arc::clone(topology),
            random: stream(seed, "spray", 0),
            links: Vec::new(),
        })
    }
}

#[derive(Debug)]
struct Random {
    topology: Arc<Topology>,
    distances: Distances,
    /// Whether the class of a hop is its number.
    by_hop: bool,
    random: ChaCha8Rng,
    /// Links to choose from.
    links: Vec<LinkId>,
}

impl Random {
    /// Returns a hop of a path of which `before` hops are known.
    fn hop(&self, link: LinkId, before: usize) -> Hop {
        Hop { link, class: if self.by_hop { before as u32 } else { 0 } }
    }

    /// Calls `visit` with all shortest paths that begin with `path`, which leads to `at`.
    fn extend(&self, path: &mut Vec<Hop>, at: u32, target: u32, visit: &mut dyn FnMut(&[Hop])) {
        if at == target {
            return visit(path);
        }
        let mut links = Vec::new();
        self.distances.nearer(self.topology.graph(), at, target, |link| links.push(LinkId(link)));
        for link in links {
            path.push(self.hop(link, path.len()));
            self.extend(path, self.topology.link_ends(link).1.0, target, visit);
            path.pop();
        }
    }
}

impl Routing for Random {
    fn path(&mut self, source: NodeId, target: NodeId, _: &dyn Queues, path: &mut Vec<Hop>) {
        let (mut at, mut links) = (source.0, std::mem::take(&mut self.links));
        let begin = path.len();
        while at != target.0 {
            links.clear();
            let add = |link| links.push(LinkId(link));
            self.distances.nearer(self.topology.graph(), at, target.0, add);
            let link = match links.as_slice() {
                [only] => *only,
                several => several[self.random.random_range(0..several.len())],
            };
            path.push(self.hop(link, path.len() - begin));
            at = self.topology.link_ends(link).1.0;
        }
        self.links = links;
    }

    fn paths(&self, source: NodeId, target: NodeId, visit: &mut dyn FnMut(&[Hop])) {
        self.extend(&mut Vec::new(), source.0, target.0, visit);
    }
}
