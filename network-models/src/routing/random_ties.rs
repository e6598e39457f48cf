//! `random-ties`: dimension order, with a random way round where both are equally long.

use std::{cmp::Ordering, sync::Arc};

use rand::RngExt;
use sim_core::{ChaCha8Rng, stream};

use super::{Decision, Hop, Queues, Routing, RoutingDescription, RoutingKind, minimal_route};
use crate::{
    network::NodeId,
    topology::{AxisMetric, LinkId, Topology},
};

/// Fewest places of a ring whose longest routes can wait for each other all the way round.
const CIRCLE: u32 = 4;

/// The routing `random-ties`.
#[derive(Debug)]
pub(super) struct RandomTies;

impl RoutingKind for RandomTies {
    fn description(&self) -> RoutingDescription {
        RoutingDescription {
            name: "random-ties",
            summary: "the topology's own route; on rings and tori each packet goes a random way round \
                      where both are equally long",
            channels: "those of the topology; 2 on rings of four places",
            source: "Dally and Seitz 1987",
        }
    }

    fn classes(&self, topology: &Topology) -> u32 {
        match rings(topology).iter().any(|size| *size >= CIRCLE) {
            true => 2,
            false => topology.channels(),
        }
    }

    fn decides(&self) -> Decision {
        Decision::AtEntry
    }

    fn on(&self, topology: &Arc<Topology>, seed: u64) -> Box<dyn Routing> {
        Box::new(Ties {
            rings: rings(topology),
            topology: Arc::clone(topology),
            random: stream(seed, "ties", 0),
            links: Vec::new(),
        })
    }
}

/// Returns the sizes of the dimensions of a ring or torus; none of another topology.
fn rings(topology: &Topology) -> Vec<u32> {
    let axes = topology.axes().filter(|axes| axes.metric == AxisMetric::Rings);
    // The places of planes and of other networks around a torus are not its own.
    let is_plain = |sizes: &[u32]| sizes.iter().product::<u32>() == topology.vertices();
    axes.map(|axes| axes.sizes).filter(|sizes| is_plain(sizes)).unwrap_or_default()
}

#[derive(Debug)]
struct Ties {
    topology: Arc<Topology>,
    /// Sizes of the dimensions; empty if no routes are drawn.
    rings: Vec<u32>,
    random: ChaCha8Rng,
    links: Vec<LinkId>,
}

/// Appends the route from one node to another, from the last dimension to the first. `ascends` decides
/// where both ways are equally long.
fn walk(
    (topology, rings): (&Topology, &[u32]),
    (source, target): (NodeId, NodeId),
    mut ascends: impl FnMut() -> bool,
    path: &mut Vec<Hop>,
) {
    let (mut at, mut stride) = (source.0, 1);
    let (mut from, mut to) = (source.0, target.0);
    for size in rings.iter().rev() {
        let (mut here, there) = (from % size, to % size);
        (from, to) = (from / size, to / size);
        if here != there {
            let ahead = (there + size - here) % size;
            let up = match (2 * ahead).cmp(size) {
                Ordering::Less => true,
                Ordering::Greater => false,
                Ordering::Equal => ascends(),
            };
            // Packets that cross the wrap-around link have a channel of their own along the dimension.
            let class = u32::from(*size >= CIRCLE && up == (there < here));
            while here != there {
                let next = if up { (here + 1) % size } else { (here + size - 1) % size };
                let after = at - here * stride + next * stride;
                path.push(Hop { link: topology.graph().link(at, after), class });
                (here, at) = (next, after);
            }
        }
        stride *= size;
    }
}

impl Routing for Ties {
    fn path(&mut self, source: NodeId, target: NodeId, _: &dyn Queues, path: &mut Vec<Hop>) {
        if self.rings.is_empty() {
            return minimal_route(&self.topology, (source, target), 0, &mut self.links, path);
        }
        let draw = || self.random.random_range(0..2u32) == 0;
        walk((&self.topology, &self.rings), (source, target), draw, path);
    }

    fn paths(&self, source: NodeId, target: NodeId, visit: &mut dyn FnMut(&[Hop])) {
        let mut path = Vec::new();
        if self.rings.is_empty() {
            minimal_route(&self.topology, (source, target), 0, &mut Vec::new(), &mut path);
            return visit(&path);
        }
        // One bit for each tie.
        let mut ways = 1;
        for way in 0.. {
            if way == ways {
                break;
            }
            let mut ties = 0;
            path.clear();
            let ascends = || {
                ties += 1;
                way >> (ties - 1) & 1 == 0
            };
            walk((&self.topology, &self.rings), (source, target), ascends, &mut path);
            ways = 1u64 << ties;
            visit(&path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::routing::tests::{Empty, topology};

    #[test]
    fn both_ways_round_are_taken_alike() {
        let torus = topology("torus:4x6");
        let mut routing = RandomTies.on(&torus, 1);
        let mut counts = std::collections::BTreeMap::new();
        for _ in 0..4000 {
            let mut path = Vec::new();
            routing.path(NodeId(0), NodeId(2 * 6 + 3), &Empty, &mut path);
            *counts.entry(path).or_insert(0) += 1;
        }
        let alike = |count: &i32| (900..1100).contains(count);
        assert!(counts.len() == 4 && counts.values().all(alike), "{:?}", counts.values());
        let mut stated = 0;
        routing.paths(NodeId(0), NodeId(2 * 6 + 3), &mut |path| {
            assert!(counts.contains_key(path));
            stated += 1;
        });
        assert_eq!(stated, 4);
    }

    #[test]
    fn the_seed_alone_decides_the_ways() {
        let ring = topology("ring:8");
        let drawn = |seed| {
            let mut routing = RandomTies.on(&ring, seed);
            let mut path = Vec::new();
            (0..64).for_each(|_| routing.path(NodeId(1), NodeId(5), &Empty, &mut path));
            path
        };
        assert_eq!(drawn(7), drawn(7));
        assert_ne!(drawn(7), drawn(8));
    }

    #[test]
    fn shorter_ways_and_other_topologies_are_the_own_routes() {
        for (text, source, target) in [("torus:5x7", 3, 30), ("ring:9", 8, 1), ("mesh:4x4", 0, 15)]
        {
            let topology = topology(text);
            let mut path = Vec::new();
            RandomTies.on(&topology, 1).path(NodeId(source), NodeId(target), &Empty, &mut path);
            let mut own = Vec::new();
            let ends = (NodeId(source), NodeId(target));
            minimal_route(&topology, ends, 0, &mut Vec::new(), &mut own);
            assert_eq!(path, own, "{text}");
        }
    }
}
