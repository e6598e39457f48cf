//! [`PeakLoad`]: what a pattern asks of the place of a network that it loads most.

use super::{Targets, pattern::Rule};
use crate::{
    network::NodeId,
    topology::{LinkId, Topology, VertexId},
    units::Bandwidth,
};

/// Most routes that are followed to add up the loads of links; of more pairs of nodes only the links at nodes are
/// looked at.
const ROUTES_MAX: u64 = 1 << 20;

/// Links of a topology that a pattern loads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loaded {
    /// One link.
    Link(LinkId),
    /// All links that lead to a node, whatever the routes are.
    To(NodeId),
}

/// What a pattern offers to the links that it loads most, against what these carry.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PeakLoad {
    /// The links.
    pub place: Loaded,
    /// Bytes per second that they get if every node sends at its full rate.
    pub offered: f64,
    /// Bytes per second that they carry.
    pub capacity: f64,
}

impl PeakLoad {
    /// Returns the largest load of all nodes, as a share of their rate, that these links carry.
    pub fn largest_load(&self) -> f64 {
        self.capacity / self.offered
    }

    /// Finds the links with the largest share of offered bytes in what they carry, if every node sends at `rate`.
    /// `own_routes`: messages take the routes of the topology. `machine` is the rate of links that the topology gives none.
    ///
    /// Ties: the link with the lowest number.
    pub fn of(
        targets: &Targets,
        topology: &Topology,
        (rate, machine): (Bandwidth, Bandwidth),
        own_routes: bool,
    ) -> Option<Self> {
        let per_second = |rate: Bandwidth| rate.bytes_per_sec() as f64;
        let capacity = |link| per_second(topology.link_bandwidth(link, machine));
        let rate = per_second(rate);
        let routes = targets.pairs().saturating_mul(topology.turns().into());
        let follows = own_routes && routes <= ROUTES_MAX;
        let loads = if follows { of_links(targets, topology) } else { Vec::new() };
        let links = (0..).map(LinkId).zip(loads).map(|(link, share)| Self {
            place: Loaded::Link(link),
            offered: share * rate,
            capacity: capacity(link),
        });
        let mut inward = vec![0.0; topology.nodes() as usize];
        for link in (0..topology.link_count()).map(LinkId) {
            let (_, VertexId(to)) = topology.link_ends(link);
            if let Some(inward) = inward.get_mut(to as usize) {
                *inward += capacity(link);
            }
        }
        let received = targets.received().into_iter().zip(inward);
        let nodes = (0..).map(NodeId).zip(received).map(|(node, (share, capacity))| Self {
            place: Loaded::To(node),
            offered: share * rate,
            capacity,
        });
        let all = links.chain(nodes).filter(|one| one.offered > 0.0);
        all.reduce(|most, next| if next.largest_load() < most.largest_load() { next } else { most })
    }
}

/// Returns the load of each link, in messages of one node.
fn of_links(targets: &Targets, topology: &Topology) -> Vec<f64> {
    let mut loads = vec![0.0; topology.link_count() as usize];
    let mut route = Vec::new();
    let turns = topology.turns();
    for source in (0..topology.nodes()).map(NodeId) {
        targets.shares(source, &mut |target, share| {
            for turn in 0..turns {
                route.clear();
                topology.route_in_turn(source, target, turn, &mut route);
                for link in &route {
                    loads[link.0 as usize] += share / f64::from(turns);
                }
            }
        });
    }
    loads
}

impl Targets {
    /// Returns an upper bound of the number of pairs of nodes that exchange messages.
    fn pairs(&self) -> u64 {
        let nodes = u64::from(self.nodes);
        match &self.rule {
            Rule::Uniform | Rule::Hotspot => nodes * nodes,
            Rule::NextGroup(size) => nodes * u64::from(*size),
            Rule::Fixed(_) => nodes,
        }
    }

    /// Calls `visit` with the other nodes that get messages of a node, and the share of its messages that each gets.
    fn shares(&self, NodeId(source): NodeId, visit: &mut dyn FnMut(NodeId, f64)) {
        let others = f64::from(self.nodes.saturating_sub(1).max(1));
        let (spread, to_first) = match &self.rule {
            Rule::Uniform => (1.0 / others, 0.0),
            Rule::Hotspot => (0.5 / others, 0.5),
            Rule::NextGroup(size) => {
                let first = source / size * size + size;
                let each = 1.0 / f64::from(*size);
                (first..first + size).for_each(|to| visit(NodeId(to % self.nodes), each));
                return;
            }
            Rule::Fixed(targets) => {
                let target = targets[source as usize];
                if target != source {
                    visit(NodeId(target), 1.0);
                }
                return;
            }
        };
        for target in (0..self.nodes).filter(|target| *target != source) {
            visit(NodeId(target), if target == 0 { spread + to_first } else { spread });
        }
    }

    /// Returns what each node gets from the others, in messages of one node.
    fn received(&self) -> Vec<f64> {
        let nodes = self.nodes as usize;
        match &self.rule {
            Rule::Uniform | Rule::NextGroup(_) => vec![1.0; nodes],
            Rule::Hotspot => {
                let mut received = vec![0.5; nodes];
                received[0] += 0.5 * f64::from(self.nodes.saturating_sub(1));
                received
            }
            Rule::Fixed(targets) => {
                let mut received = vec![0.0; nodes];
                let others = (0_u32..).zip(targets).filter(|(source, target)| source != *target);
                others.for_each(|(_, target)| received[*target as usize] += 1.0);
                received
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{catalog::Catalog, traffic::TrafficPattern};

    fn peak(pattern: TrafficPattern, text: &str, own_routes: bool) -> PeakLoad {
        let spec = Catalog::standard().topology(text).expect("a topology");
        let topology = spec.build(1).expect("it can be built");
        let targets = pattern.on(&topology, 1).expect("it fits");
        let rate = Bandwidth::from_bytes_per_sec(1000);
        PeakLoad::of(&targets, &topology, (rate, rate), own_routes).expect("somebody sends")
    }

    #[test]
    fn loads_are_those_of_the_textbook() {
        // A message crosses 64/63 of two links in each dimension on average, half of them in each direction.
        let uniform = peak(TrafficPattern::Uniform, "torus:8x8", true);
        assert!((uniform.largest_load() - 63.0 / 64.0).abs() < 1e-9, "{uniform:?}");
        // Half round but one, all in one direction.
        let tornado = peak(TrafficPattern::Tornado, "ring:9", true);
        assert!((tornado.largest_load() - 1.0 / 4.0).abs() < 1e-9, "{tornado:?}");
        let neighbor = peak(TrafficPattern::Neighbor, "ring:9", true);
        assert!((neighbor.largest_load() - 1.0).abs() < 1e-9, "{neighbor:?}");
    }

    #[test]
    fn a_hotspot_is_as_hot_as_the_links_to_its_node() {
        // Node 0 gets half of the messages of 255 others, and their share of the rest.
        let hot = peak(TrafficPattern::Hotspot, "crossbar:256", true);
        assert!((hot.offered - 1000.0 * 128.0).abs() < 1e-6, "{hot:?}");
        assert!((hot.largest_load() - 1.0 / 128.0).abs() < 1e-9, "{hot:?}");
        for (routes, most) in [(true, 1.0 / 32.0), (false, 4.0 / 128.0)] {
            let hot = peak(TrafficPattern::Hotspot, "torus:16x16", routes);
            assert!(hot.largest_load() <= most + 1e-9, "{hot:?}");
        }
        let other = peak(TrafficPattern::Hotspot, "torus:16x16", false);
        assert_eq!(other.place, Loaded::To(NodeId(0)));
    }

    #[test]
    fn shares_of_a_node_add_up_to_what_others_get() {
        for pattern in TrafficPattern::ALL {
            let text = match pattern {
                TrafficPattern::NextGroup => "dragonfly:2x4x2x9",
                _ => "torus:4x4",
            };
            let spec = Catalog::standard().topology(text).expect("a topology");
            let topology = spec.build(1).expect("it can be built");
            let targets = pattern.on(&topology, 1).expect("it fits");
            let mut received = vec![0.0; topology.nodes() as usize];
            for source in (0..topology.nodes()).map(NodeId) {
                targets.shares(source, &mut |target, share| received[target.0 as usize] += share);
            }
            for (one, other) in received.iter().zip(targets.received()) {
                assert!((one - other).abs() < 1e-9, "{pattern}: {one} and {other}");
            }
        }
    }
}
