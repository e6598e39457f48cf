//! Topologies: nodes, switches and directed links, with coordinates and a routing rule.
//!
//! Each topology is a file with a [`TopologyKind`], which parses the sizes, and a [`Shape`], which
//! is the graph and its routing rule. [`standard`] lists the built-in topologies.

mod bisection;
mod butterfly;
mod crossbar;
mod deadlock;
mod display;
mod distances;
mod dragonfly;
mod dragonfly_plus;
mod fat_tree;
mod field;
mod file;
mod graph;
mod grid;
mod groups;
mod halving;
mod hypercube;
mod hyperx;
mod kautz;
mod kind;
mod mesh;
mod omega;
mod planes;
mod ring;
mod shape;
mod shortest;
mod slim_fly;
mod spec;
mod stages;
mod star;
mod structure;
#[cfg(test)]
mod testing;
mod timeline;
mod tree;
mod verify;

use std::sync::{Arc, OnceLock};

use serde::{Deserialize, Serialize};
use sim_core::SimDuration;

pub use self::{
    deadlock::ChannelCycle,
    file::{GraphFile, GraphFileError},
    graph::Graph,
    kind::{BadSizes, NODES_MAX, Plan, Sizes, TopologyDescription, TopologyKind},
    planes::{PlaneRule, PlaneSet},
    shape::{Axes, AxisMetric, Labels, LinkNumbers, Shape, row_major},
    spec::{TopologyError, TopologySpec},
    structure::Structure,
    timeline::Timeline,
    verify::TopologyFault,
};
pub(crate) use self::{
    deadlock::Dependencies,
    distances::{Distances, spread_bits},
    file::FILE,
    graph::{spread_from, steps_from},
    planes::{PLANES, PlanesKind},
};
use crate::{network::NodeId, units::Bandwidth};

/// Returns the topologies that come with the library.
///
/// Order: as they are listed to users.
pub(crate) fn standard() -> Vec<Arc<dyn TopologyKind>> {
    vec![
        Arc::new(ring::Ring),
        Arc::new(ring::Linear),
        Arc::new(mesh::Mesh),
        Arc::new(mesh::Torus),
        Arc::new(hypercube::Hypercube),
        Arc::new(crossbar::Crossbar),
        Arc::new(star::Star),
        Arc::new(tree::Tree),
        Arc::new(fat_tree::FatTree),
        Arc::new(dragonfly::Dragonfly),
        Arc::new(dragonfly_plus::DragonflyPlus),
        Arc::new(hyperx::HyperX),
        Arc::new(slim_fly::SlimFly),
        Arc::new(butterfly::Butterfly),
        Arc::new(omega::Omega),
        Arc::new(kautz::Kautz),
    ]
}

/// The number of a directed link, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct LinkId(pub u32);

/// The number of a node or a switch; vertex v below the number of nodes is node v.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VertexId(pub u32);

/// A network's graph and routing rule.
#[derive(Clone, Debug)]
pub struct Topology {
    kind: &'static str,
    name: String,
    shape: Arc<dyn Shape>,
    graph: Graph,
    /// Rates and delays by link, if one of them is not the machine's.
    numbers: Option<Arc<[LinkNumbers]>>,
    /// Number of ports of a node.
    rails: u32,
    /// Number of nodes of the topology that are the NICs of one node of the machine.
    nics: u32,
    free_from_deadlock: OnceLock<bool>,
}

impl Topology {
    /// Builds the graph of a shape.
    pub(crate) fn new(kind: &'static str, sizes: &str, shape: Arc<dyn Shape>) -> Self {
        let graph = Graph::of(&*shape);
        let number = |link| {
            let (from, to) = graph.ends(LinkId(link));
            shape.link_numbers(from.0, to.0, link - graph.link(from.0, to.0).0)
        };
        let numbers: Arc<[LinkNumbers]> = (0..graph.link_count()).map(number).collect();
        let numbers = numbers.iter().any(|it| *it != LinkNumbers::default()).then_some(numbers);
        Self {
            kind,
            name: format!("{kind}:{sizes}"),
            rails: shape.rails().max(1),
            shape,
            graph,
            numbers,
            nics: 1,
            free_from_deadlock: OnceLock::new(),
        }
    }

    /// Returns the kind without sizes, as in `mesh`.
    pub fn kind(&self) -> &'static str {
        self.kind
    }

    /// Returns kind and sizes, as in `mesh:8x8`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the number of nodes.
    pub fn nodes(&self) -> u32 {
        self.shape.nodes()
    }

    /// Returns the number of vertices, nodes and switches together.
    pub fn vertices(&self) -> u32 {
        self.shape.vertices()
    }

    /// Returns the number of directed links.
    pub fn link_count(&self) -> u32 {
        self.graph.link_count()
    }

    /// Returns the source and the target of a link.
    ///
    /// # Panics
    /// Panics if there is no such link.
    pub fn link_ends(&self, link: LinkId) -> (VertexId, VertexId) {
        self.graph.ends(link)
    }

    /// Returns the rate of a link in its direction, on a machine whose links have the rate
    /// `machine`.
    pub fn link_bandwidth(&self, link: LinkId, machine: Bandwidth) -> Bandwidth {
        self.numbers(link).bandwidth.unwrap_or(machine)
    }

    /// Returns the time of the switch and the wire of a link, on a machine on which a hop takes
    /// `machine`.
    pub fn link_delay(&self, link: LinkId, machine: SimDuration) -> SimDuration {
        self.numbers(link).delay.unwrap_or(machine)
    }

    /// Returns whether a link carries nothing, because its cables are cut.
    pub(crate) fn is_cut(&self, link: LinkId) -> bool {
        let (from, to) = self.link_ends(link);
        self.shape.is_cut(from.0, to.0)
    }

    /// Returns whether a path leads from one node to another.
    pub(crate) fn reaches(&self, source: NodeId, target: NodeId) -> bool {
        self.shape.reaches(source.0, target.0)
    }

    /// Returns the number of ports of a node.
    pub fn rails(&self) -> u32 {
        self.rails
    }

    /// Returns the number of ports of all nodes.
    pub fn ports(&self) -> u32 {
        self.nodes() * self.rails
    }

    /// Returns the number, below [`Topology::ports`], of the port of a node that is an end of a link.
    #[inline]
    pub fn port(&self, link: LinkId, node: NodeId) -> u32 {
        node.0 * self.rails + self.rail(link, node)
    }

    /// Returns the links that end at nodes, each with the number of its port.
    pub(crate) fn links_to_ports(&self) -> impl Iterator<Item = (LinkId, u32)> {
        (0..self.link_count()).map(LinkId).filter_map(|link| {
            let node = self.link_ends(link).1.0;
            (node < self.nodes()).then(|| (link, self.port(link, NodeId(node))))
        })
    }

    /// Returns the port, below [`Topology::rails`], of a node that is an end of a link.
    pub fn rail(&self, link: LinkId, node: NodeId) -> u32 {
        if self.rails == 1 {
            return 0;
        }
        let (from, to) = self.link_ends(link);
        let other = if from.0 == node.0 { to.0 } else { from.0 };
        let cable = link.0 - self.graph.link(from.0, to.0).0;
        if other < self.nodes() {
            return cable % self.rails;
        }
        let own = self.graph.leaving(node.0).start;
        // Of a network whose cables carry one direction the ports are numbered as their switches.
        let first = if from.0 == node.0 || !self.shape.is_one_way() {
            self.graph.link(node.0, other).0 - own
        } else {
            (other - self.nodes()) / ((self.vertices() - self.nodes()) / self.rails)
        };
        (first + cable) % self.rails
    }

    /// Returns whether rate and delay of every link are the machine's.
    pub(crate) fn is_uniform(&self) -> bool {
        self.numbers.is_none()
    }

    /// Returns rate and delay of a link, as far as they are not the machine's.
    pub(crate) fn numbers(&self, link: LinkId) -> LinkNumbers {
        self.numbers.as_ref().map_or(LinkNumbers::default(), |numbers| numbers[link.0 as usize])
    }

    /// Appends the links from one node to another to `route`, in order.
    ///
    /// Determinism: the shape's rule alone decides.
    pub fn route(&self, source: NodeId, target: NodeId, route: &mut Vec<LinkId>) {
        self.shape.route(&self.graph, source.0, target.0, route);
    }

    /// Returns the number of routes between which the messages of a node take turns.
    pub fn turns(&self) -> u32 {
        self.shape.turns().max(1)
    }

    /// Appends the links of the route of a message from one node to another whose turn, below
    /// [`Topology::turns`], is `turn`.
    pub(crate) fn route_in_turn(
        &self,
        source: NodeId,
        target: NodeId,
        turn: u32,
        route: &mut Vec<LinkId>,
    ) {
        self.shape.route_in_turn(&self.graph, (source.0, target.0), turn, route);
    }

    /// Returns the number of virtual channels of each link that the routing needs to be free from
    /// deadlock.
    pub fn channels(&self) -> u32 {
        self.shape.channels()
    }

    /// Returns the virtual channel, from 0, that a packet on its route from `source` to `target`
    /// uses on the link that leaves the vertex `at`, which is not `target`.
    pub fn channel(&self, source: NodeId, at: VertexId, target: NodeId) -> u32 {
        self.shape.channel(source.0, at.0, target.0)
    }

    /// Returns the next link on the route from the vertex `at`, which is not `target`, and its
    /// virtual channel for a packet whose route began at the vertex `source`.
    pub(crate) fn next(&self, source: VertexId, at: VertexId, target: NodeId) -> (LinkId, u32) {
        let link = self.shape.next_link(&self.graph, source.0, at.0, target.0);
        let channel = self.shape.channel(source.0, at.0, target.0);
        (link, channel)
    }

    /// Returns the length of the route between two nodes.
    pub fn hops(&self, source: NodeId, target: NodeId) -> u32 {
        self.shape.hops(source.0, target.0).unwrap_or_else(|| {
            let (mut at, mut hops) = (source.0, 0);
            while at != target.0 {
                at = self.shape.next_hop(at, target.0);
                hops += 1;
            }
            hops
        })
    }

    /// Returns the length of the longest route between two nodes, which may be longer than the diameter of the graph.
    pub(crate) fn longest_route(&self) -> u32 {
        let nodes = || (0..self.nodes()).map(NodeId);
        let longest_from = |source| nodes().map(|target| self.hops(source, target)).max();
        let longest = || nodes().filter_map(longest_from).max().unwrap_or(0);
        self.shape.longest_route().unwrap_or_else(longest)
    }

    /// Returns the same topology with another shape on the same graph.
    pub(crate) fn with_shape(&self, shape: Arc<dyn Shape>) -> Self {
        let sizes = self.name.split_once(':').map_or("", |(_, sizes)| sizes);
        Self::new(self.kind, sizes, shape).with_nics(self.nics)
    }

    /// Returns the same topology whose nodes are the NICs of a machine's nodes, this many of each.
    pub fn with_nics(self, nics: u32) -> Self {
        Self { nics: nics.max(1), ..self }
    }

    /// Returns the number of nodes of the topology that are the NICs of one node of the machine.
    pub fn nics(&self) -> u32 {
        self.nics
    }

    /// Returns the number of nodes of the machine, each of which has its NICs.
    pub fn machine_nodes(&self) -> u32 {
        self.nodes() / self.nics
    }

    /// Returns the shape.
    pub(crate) fn shape_of(&self) -> Arc<dyn Shape> {
        Arc::clone(&self.shape)
    }

    /// Returns whether a node has one cable, to a switch: it forwards no packets.
    pub fn is_host(&self, node: NodeId) -> bool {
        matches!(self.graph.neighbours(node.0), [switch] if *switch >= self.nodes())
            && self.graph.leaving(node.0).len() == 1
    }

    /// Returns whether a vertex forwards packets of others: routes lead through it.
    pub fn forwards(&self, vertex: VertexId) -> bool {
        self.shape.forwards(vertex.0)
    }

    /// Returns the coordinates of a node.
    pub fn coordinates(&self, node: NodeId) -> Vec<u32> {
        self.shape.coordinates(node.0)
    }

    /// Returns the axes that distances between nodes follow, if the shape is that regular.
    pub fn axes(&self) -> Option<Axes> {
        self.shape.axes()
    }

    /// Returns the number of groups of equally many nodes, if nodes form groups.
    pub fn groups(&self) -> Option<u32> {
        self.shape.groups()
    }

    /// Returns whether any two different nodes are equally far apart.
    pub(crate) fn is_equidistant(&self) -> bool {
        self.shape.is_equidistant()
    }

    /// Returns whether distances have a closed form.
    pub(crate) fn has_hops_formula(&self) -> bool {
        self.nodes() == 0 || self.shape.hops(0, 0).is_some()
    }

    /// Returns a lower bound of the hops between different nodes: 1 if two nodes are neighbours.
    pub(crate) fn nearest(&self) -> u32 {
        let nodes = 0..self.nodes();
        let beside = |node| self.graph.neighbours(node).iter().any(|other| *other < self.nodes());
        if nodes.clone().any(beside) { 1 } else { 2 }
    }

    /// Returns the number of links from a node to each node.
    pub(crate) fn distances(&self, source: u32) -> impl Iterator<Item = u32> {
        let forwards = |vertex| self.shape.forwards(vertex);
        self.graph.distances(source, forwards).into_iter().take(self.nodes() as usize)
    }

    pub(crate) fn graph(&self) -> &Graph {
        &self.graph
    }

    fn shape(&self) -> &dyn Shape {
        &*self.shape
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn summaries_name_the_virtual_channels() {
        for kind in standard() {
            let description = kind.description();
            let spec = TopologySpec::new(Arc::clone(&kind), None).expect("sizes may be left out");
            let channels = spec.build(64).expect("it fits").channels();
            let named = description.summary.contains("virtual channels");
            assert_eq!(named, channels > 1, "{}: {channels}", description.name);
        }
    }
}
