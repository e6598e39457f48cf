//! The cost of a mapping of places to slots.

use super::pattern::{Edges, Pattern};
use crate::{
    network::NodeId,
    topology::{AxisMetric, LinkId, Topology},
};
use serde::{Deserialize, Serialize};

/// Most nodes of a table of distances between all of them.
const TABLE_MAX: u32 = 1 << 13;

/// The cost of one message along every edge of a pattern. Costs are compared by the first field,
/// then by the next ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Cost {
    /// Weight times hops, summed over the edges. If the model ignores distance, places on different
    /// nodes are one hop apart.
    pub hops: u64,
    /// Weight on the most loaded directed link; `None` without links.
    pub load: Option<u64>,
    /// Number of hops of the longest edge.
    pub longest: u32,
}

/// The slots for places, on the nodes of a network.
pub(super) struct Machine<'a> {
    /// Node of each slot.
    pub(super) nodes: &'a [NodeId],
    pub(super) topology: Option<&'a Topology>,
    metric: Metric,
}

/// The way to compute distances.
enum Metric {
    /// All other nodes are equally far.
    Even,
    /// From coordinates, which are stored for each slot.
    Grid { sizes: Vec<u32>, closed: bool, coordinates: Vec<u32> },
    /// From a table with a row for each node that has slots.
    Listed { row: Vec<u32>, rows: Vec<u16>, nodes: usize },
    /// From the topology's formula.
    Formula,
}

impl Metric {
    fn of(nodes: &[NodeId], topology: Option<&Topology>) -> Self {
        let Some(topology) = topology else { return Self::Even };
        if let Some(axes) = topology.axes()
            && axes.metric != AxisMetric::Levels
            && !axes.is_binary()
        {
            let coordinates = nodes.iter().flat_map(|node| axes.coordinates(node.0));
            let (coordinates, closed) = (coordinates.collect(), axes.metric == AxisMetric::Rings);
            return Self::Grid { sizes: axes.sizes, closed, coordinates };
        }
        if topology.has_hops_formula() || topology.nodes() > TABLE_MAX {
            return Self::Formula;
        }
        let used = distinct(nodes);
        let place = |node| used.binary_search(node).expect("it is among them") as u32;
        let row = nodes.iter().map(place).collect();
        let near = |node: &NodeId| topology.distances(node.0);
        let rows = used.iter().flat_map(near).map(|hops| hops as u16).collect();
        Self::Listed { row, rows, nodes: topology.nodes() as usize }
    }
}

/// Returns the distinct nodes in ascending order.
pub(super) fn distinct(nodes: &[NodeId]) -> Vec<NodeId> {
    let mut used = nodes.to_vec();
    used.sort_unstable();
    used.dedup();
    used
}

impl<'a> Machine<'a> {
    pub(super) fn new(nodes: &'a [NodeId], topology: Option<&'a Topology>) -> Self {
        Self { nodes, topology, metric: Metric::of(nodes, topology) }
    }

    /// Returns the number of hops between two slots.
    pub(super) fn apart(&self, a: u32, b: u32) -> u32 {
        let (a, b) = (a as usize, b as usize);
        match &self.metric {
            Metric::Even => u32::from(self.nodes[a] != self.nodes[b]),
            Metric::Grid { sizes, closed, coordinates } => {
                let at = |slot: usize| &coordinates[slot * sizes.len()..(slot + 1) * sizes.len()];
                let pairs = at(a).iter().zip(at(b)).zip(sizes);
                let along = pairs.map(|((a, b), size)| match (a.abs_diff(*b), closed) {
                    (apart, true) => apart.min(size - apart),
                    (apart, false) => apart,
                });
                along.sum()
            }
            Metric::Listed { row, rows, nodes } => {
                rows[row[a] as usize * nodes + self.nodes[b].0 as usize].into()
            }
            Metric::Formula => {
                self.topology.map_or(0, |topology| topology.hops(self.nodes[a], self.nodes[b]))
            }
        }
    }

    /// Returns whether all mappings cost the same because any two slots are equally far apart.
    pub(super) fn is_even(&self) -> bool {
        let even = self.nodes.len() < 3 || self.topology.is_none_or(Topology::is_equidistant);
        let used = distinct(self.nodes).len();
        used <= 1 || (even && used == self.nodes.len())
    }

    /// Returns a lower bound of the hops of any mapping.
    pub(super) fn floor(&self, pattern: &Pattern) -> u64 {
        if distinct(self.nodes).len() < self.nodes.len() {
            return 0;
        }
        let nearest = u128::from(self.nearest());
        total(pattern.edges.iter().map(|edge| u128::from(edge.2) * nearest))
    }

    /// Returns the smallest number of hops between different nodes.
    pub(super) fn nearest(&self) -> u32 {
        self.topology.map_or(1, Topology::nearest)
    }

    /// Returns the sum of hops and the longest edge if each place is on `slots[place]`.
    pub(super) fn hops(&self, edges: &Edges, slots: &[u32]) -> (u64, u32) {
        let mut longest = 0;
        let sum = total(edges.iter().map(|(from, to, weight)| {
            let apart = self.apart(slots[from as usize], slots[to as usize]);
            longest = longest.max(apart);
            u128::from(weight) * u128::from(apart)
        }));
        (sum, longest)
    }

    /// Returns the full cost of a mapping.
    pub(super) fn cost(&self, edges: &Edges, slots: &[u32]) -> Cost {
        let (hops, longest) = self.hops(edges, slots);
        Cost { hops, load: self.load(edges, slots), longest }
    }

    fn load(&self, edges: &Edges, slots: &[u32]) -> Option<u64> {
        let topology = self.topology?;
        let mut loads = vec![0u64; topology.link_count() as usize];
        let mut route: Vec<LinkId> = Vec::new();
        for (from, to, weight) in edges.iter() {
            let node = |place: u32| self.nodes[slots[place as usize] as usize];
            route.clear();
            topology.route(node(from), node(to), &mut route);
            for link in &route {
                loads[link.0 as usize] += u64::from(weight);
            }
        }
        loads.into_iter().max()
    }
}

fn total(parts: impl Iterator<Item = u128>) -> u64 {
    u64::try_from(parts.sum::<u128>()).unwrap_or(u64::MAX)
}
