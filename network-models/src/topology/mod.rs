//! Topologies: nodes, switches and directed links, with coordinates and a routing rule.

mod fat_tree;
mod shape;
mod spec;

use std::collections::VecDeque;

use petgraph::{
    graph::{DiGraph, NodeIndex},
    visit::EdgeRef,
};
use serde::{Deserialize, Serialize};

pub use fat_tree::FatTree;
pub use shape::Shape;
pub use spec::{TopologyError, TopologySpec, topologies};

use crate::network::NodeId;

/// A directed link, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct LinkId(pub u32);

/// A node or a switch; vertex v below the number of nodes is node v.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VertexId(pub u32);

/// What a network costs and how far apart its nodes are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Structure {
    /// Places for ranks.
    pub nodes: u32,
    /// Vertices that are not nodes.
    pub switches: u32,
    /// Cables, each serving both directions.
    pub links: u64,
    /// Most cables at one vertex.
    pub degree: u32,
    /// Most hops between two nodes.
    pub diameter: u32,
    /// Mean hops over all pairs of different nodes.
    pub mean_hops: f64,
    /// Cables cut by the shape's natural halving.
    pub bisection: u64,
}

/// A network's graph and routing rule.
#[derive(Clone, Debug)]
pub struct Topology {
    name: String,
    shape: Shape,
    graph: DiGraph<(), ()>,
    /// The first link out of each vertex, and the number of links.
    first: Vec<u32>,
    /// Where each link leads; the links of a vertex lie together, sorted by this.
    targets: Vec<u32>,
}

impl Topology {
    pub(crate) fn new(name: String, shape: Shape) -> Self {
        let mut graph = DiGraph::new();
        for _ in 0..shape.vertices() {
            graph.add_node(());
        }
        let (mut first, mut targets) = (Vec::new(), Vec::new());
        for vertex in 0..shape.vertices() {
            let mut neighbours = shape.neighbours(vertex);
            neighbours.sort_unstable();
            neighbours.dedup();
            first.push(targets.len() as u32);
            for to in neighbours {
                graph.add_edge(NodeIndex::new(vertex as usize), NodeIndex::new(to as usize), ());
                targets.push(to);
            }
        }
        first.push(targets.len() as u32);
        Self { name, shape, graph, first, targets }
    }

    /// Kind and size, as in `mesh:8x8`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Places for ranks.
    pub fn nodes(&self) -> u32 {
        self.shape.nodes()
    }

    /// Nodes and switches.
    pub fn vertices(&self) -> u32 {
        self.shape.vertices()
    }

    /// Directed links.
    pub fn link_count(&self) -> u32 {
        self.graph.edge_count() as u32
    }

    /// From where to where a link leads.
    pub fn link_ends(&self, link: LinkId) -> (VertexId, VertexId) {
        let edge = petgraph::graph::EdgeIndex::new(link.0 as usize);
        let (from, to) = self.graph.edge_endpoints(edge).expect("a link of this topology");
        (VertexId(from.index() as u32), VertexId(to.index() as u32))
    }

    /// The links from one node to another, in order, appended to `route`.
    ///
    /// Order: the rule of the shape; nothing else decides.
    pub fn route(&self, source: NodeId, target: NodeId, route: &mut Vec<LinkId>) {
        if let Shape::Crossbar(switch) = self.shape {
            // The usual one: no search for what is where.
            if source != target {
                let (up, down) = (self.first[source.0 as usize], self.first[switch as usize]);
                route.extend([LinkId(up), LinkId(down + target.0)]);
            }
            return;
        }
        let mut at = source.0;
        self.shape.walk(source.0, target.0, |next| {
            route.push(self.link(at, next));
            at = next;
        });
    }

    /// Length of the route between two nodes; the same both ways, since routes are shortest.
    pub fn hops(&self, source: NodeId, target: NodeId) -> u32 {
        self.shape.hops(source.0, target.0)
    }

    pub(crate) fn shape(&self) -> &Shape {
        &self.shape
    }

    /// The vertices one link away, ascending.
    pub(crate) fn next_to(&self, vertex: u32) -> &[u32] {
        let range = self.first[vertex as usize]..self.first[vertex as usize + 1];
        &self.targets[range.start as usize..range.end as usize]
    }

    /// The link from a vertex to a neighbour of it.
    fn link(&self, from: u32, to: u32) -> LinkId {
        let first = self.first[from as usize];
        let targets = self.next_to(from);
        let place = if targets.len() <= 8 {
            targets.iter().position(|target| *target == to)
        } else {
            targets.binary_search(&to).ok()
        };
        LinkId(first + place.expect("a rule follows links") as u32)
    }

    /// Coordinates of a node.
    pub fn coordinates(&self, node: NodeId) -> Vec<u32> {
        self.shape.coordinates(node.0)
    }

    /// Where to draw a vertex, in units of the distance between neighbours.
    pub fn layout(&self, vertex: VertexId) -> (f64, f64) {
        self.shape.layout(vertex.0)
    }

    /// How a reader calls a vertex.
    pub fn describe(&self, vertex: VertexId) -> String {
        if vertex.0 >= self.nodes() {
            return format!("switch {}", vertex.0 - self.nodes());
        }
        let coordinates: Vec<String> =
            self.coordinates(NodeId(vertex.0)).iter().map(u32::to_string).collect();
        match coordinates.len() {
            1 => format!("node {}", vertex.0),
            _ => format!("node {} ({})", vertex.0, coordinates.join(",")),
        }
    }

    /// Whether it is a hypercube, and of which dimension.
    pub fn hypercube_dimension(&self) -> Option<u32> {
        match self.shape {
            Shape::Hypercube(dimension) => Some(dimension),
            _ => None,
        }
    }

    /// Cost and distances, by breadth-first search from up to 1,024 nodes spread evenly: exact
    /// up to that size, and close to it above.
    pub fn structure(&self) -> Structure {
        let sources = self.nodes().min(1024);
        let (mut diameter, mut hops, mut pairs) = (0, 0u64, 0u64);
        for number in 0..u64::from(sources) {
            let source = (number * u64::from(self.nodes()) / u64::from(sources)) as u32;
            for distance in self.distances(source).into_iter().take(self.nodes() as usize) {
                diameter = diameter.max(distance);
                hops += u64::from(distance);
                pairs += u64::from(distance > 0);
            }
        }
        Structure {
            nodes: self.nodes(),
            switches: self.vertices() - self.nodes(),
            links: u64::from(self.link_count()) / 2,
            degree: self.first.windows(2).map(|pair| pair[1] - pair[0]).max().unwrap_or(0),
            diameter,
            mean_hops: if pairs == 0 { 0.0 } else { hops as f64 / pairs as f64 },
            bisection: self.bisection(),
        }
    }

    /// Hops from a node to each node.
    pub(crate) fn hops_from(&self, source: NodeId) -> impl Iterator<Item = u32> {
        self.distances(source.0).into_iter().take(self.nodes() as usize)
    }

    fn distances(&self, source: u32) -> Vec<u32> {
        let mut distances = vec![u32::MAX; self.vertices() as usize];
        distances[source as usize] = 0;
        let mut queue = VecDeque::from([NodeIndex::new(source as usize)]);
        while let Some(vertex) = queue.pop_front() {
            for edge in self.graph.edges(vertex) {
                let to = edge.target().index();
                if distances[to] == u32::MAX {
                    distances[to] = distances[vertex.index()] + 1;
                    queue.push_back(edge.target());
                }
            }
        }
        distances
    }

    fn bisection(&self) -> u64 {
        if let Some(links) = self.shape.bisection() {
            return links;
        }
        let half = self.nodes() / 2;
        let crossing = self.graph.edge_references().filter(|edge| {
            (edge.source().index() as u32) < half && (edge.target().index() as u32) >= half
        });
        crossing.count() as u64
    }
}

#[cfg(test)]
mod structure_tests;

#[cfg(test)]
mod tests {
    use super::*;

    fn build(text: &str) -> Topology {
        text.parse::<TopologySpec>().expect("a topology").build(1).expect("it fits")
    }

    #[test]
    fn every_route_is_joined_and_minimal() {
        for name in [
            "ring:7",
            "ring:8",
            "linear:5",
            "mesh:3x4",
            "mesh:2x3x2",
            "torus:4x4",
            "torus:3x5",
            "torus:2x2",
            "hypercube:4",
            "crossbar:6",
            "star:5",
            "tree:2x4",
            "tree:3x3",
            "fat-tree:3x2",
            "fat-tree:2x4",
            "fat-tree:4x3:2",
            "fat-tree:6x2:3",
            "fat-tree:5x1",
        ] {
            let topology = build(name);
            for source in 0..topology.nodes() {
                let distances = topology.distances(source);
                for target in 0..topology.nodes() {
                    let mut route = Vec::new();
                    topology.route(NodeId(source), NodeId(target), &mut route);
                    let mut at = VertexId(source);
                    for link in &route {
                        let (from, to) = topology.link_ends(*link);
                        assert_eq!(from, at, "{name} {source} {target}");
                        at = to;
                    }
                    assert_eq!(at, VertexId(target), "{name}");
                    assert_eq!(route.len() as u32, distances[target as usize], "{name}");
                    let hops = topology.hops(NodeId(source), NodeId(target));
                    assert_eq!(hops, distances[target as usize], "{name} {source} {target}");
                }
            }
        }
    }

    #[test]
    fn exchange_loads_on_a_mesh() {
        // machines.md section 4: worst link load of the stages of a hypercube exchange.
        let load = |name: &str, bit: u32| {
            let topology = build(name);
            let mut loads = vec![0u32; topology.link_count() as usize];
            for node in 0..topology.nodes() {
                let mut route = Vec::new();
                topology.route(NodeId(node), NodeId(node ^ bit), &mut route);
                route.iter().for_each(|link| loads[link.0 as usize] += 1);
            }
            loads.into_iter().max()
        };
        assert_eq!([4, 2, 1].map(|bit| load("mesh:2x4", bit)), [Some(1), Some(2), Some(1)]);
        assert_eq!([16, 8, 4, 2, 1].map(|bit| load("mesh:4x8", bit).unwrap()), [2, 1, 4, 2, 1]);
        assert_eq!([16, 8, 4, 2, 1].map(|bit| load("hypercube:5", bit).unwrap()), [1; 5]);
    }
}
