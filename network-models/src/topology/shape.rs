//! [`Shape`]: the graph and the routing rule of a topology of one size.

use std::{f64::consts::TAU, fmt::Debug};

use sim_core::SimDuration;

use super::{Graph, LinkId};
use crate::units::Bandwidth;

/// The graph and the routing rule of a topology of one size.
///
/// Vertices are numbered from 0: first the nodes, where ranks live, then the switches. Three
/// methods are required; the others have defaults that fit any shape and are overridden where a
/// formula is faster or a drawing better. [`Topology::verify`] checks that an implementation agrees
/// with itself.
///
/// Determinism: every method is a pure function of the shape and its arguments.
///
/// [`Topology::verify`]: super::Topology::verify
pub trait Shape: Debug + Send + Sync {
    /// Returns the number of nodes.
    fn nodes(&self) -> u32;

    /// Returns the number of vertices, nodes and switches together.
    fn vertices(&self) -> u32 {
        self.nodes()
    }

    /// Returns the vertices one cable away from `vertex`, in any order. Duplicates are ignored.
    ///
    /// Each cable carries both directions: if a is next to b, b is next to a. Only if
    /// [`Shape::is_one_way`], these are the vertices that `vertex` can send to.
    fn neighbours(&self, vertex: u32) -> Vec<u32>;

    /// Returns the number of parallel cables to a neighbour, or of those that carry this direction.
    /// The default is 1.
    fn cables(&self, from: u32, to: u32) -> u32 {
        let _ = (from, to);
        1
    }

    /// Returns rate and delay of a link, where they are not the machine's. The links of parallel
    /// cables are numbered from 0 by `cable`. The default is the machine's.
    fn link_numbers(&self, from: u32, to: u32, cable: u32) -> LinkNumbers {
        let _ = (from, to, cable);
        LinkNumbers::default()
    }

    /// Returns whether a link carries nothing, because its cables are cut. The default is `false`;
    /// routes between nodes that [`Shape::reaches`] joins lead over no such link.
    fn is_cut(&self, from: u32, to: u32) -> bool {
        let _ = (from, to);
        false
    }

    /// Returns whether a path leads from one vertex to another. The default is `true`.
    fn reaches(&self, from: u32, to: u32) -> bool {
        let _ = (from, to);
        true
    }

    /// Returns the number of ports of a node, each of which sends and receives at the rate of the
    /// machine's port. The cables of a node are divided among them. The default is 1.
    fn rails(&self) -> u32 {
        1
    }

    /// Returns the number of routes between which the messages of a node take turns. The default is 1:
    /// all of a pair take the same.
    fn turns(&self) -> u32 {
        1
    }

    /// Appends the links of the route of a message whose turn, below [`Shape::turns`], is `turn`. The
    /// default is the route of [`Shape::route`].
    fn route_in_turn(
        &self,
        graph: &Graph,
        (source, target): (u32, u32),
        turn: u32,
        route: &mut Vec<LinkId>,
    ) {
        let _ = turn;
        self.route(graph, source, target, route);
    }

    /// Returns whether a vertex forwards packets of others. The default is `true`; routes do not
    /// lead through vertices that do not.
    fn forwards(&self, vertex: u32) -> bool {
        let _ = vertex;
        true
    }

    /// Returns whether each cable carries one direction, away from the vertex whose neighbour the
    /// other one is. The default is `false`.
    ///
    /// A route must lead from each node to each other one all the same.
    fn is_one_way(&self) -> bool {
        false
    }

    /// Returns the vertex that follows `at` on the route to the node `target`, which is not `at`.
    fn next_hop(&self, at: u32, target: u32) -> u32;

    /// Returns the link that follows `at` on the route to the node `target`, which is not `at`, of
    /// a packet whose route began at the vertex `source`.
    ///
    /// The default leads to [`Shape::next_hop`] by the first of parallel cables. A shape that uses
    /// several routes between two nodes, all equally long, overrides it; its `next_hop` is then that
    /// of any of them.
    fn next_link(&self, graph: &Graph, source: u32, at: u32, target: u32) -> LinkId {
        let _ = source;
        graph.link(at, self.next_hop(at, target))
    }

    /// Appends the links of the route between two nodes.
    ///
    /// The default follows [`Shape::next_link`]; an implementation that overrides it must give the
    /// same links.
    ///
    /// # Panics
    /// The default panics if [`Shape::next_link`] leads back to where it was, so that the route never ends.
    fn route(&self, graph: &Graph, source: u32, target: u32, route: &mut Vec<LinkId>) {
        let mut at = source;
        let longest = route.len() + graph.link_count() as usize;
        while at != target {
            let link = self.next_link(graph, source, at, target);
            route.push(link);
            at = graph.ends(link).1.0;
            assert!(
                route.len() <= longest,
                "the route from {source} to {target} never ends: the next hops of the topology are wrong"
            );
        }
    }

    /// Returns the number of virtual channels of each link that the routing needs to be free from
    /// deadlock when packets hold finite buffers (Dally and Seitz 1987). The default is 1.
    ///
    /// [`Topology::deadlock`] checks it.
    ///
    /// [`Topology::deadlock`]: super::Topology::deadlock
    fn channels(&self) -> u32 {
        1
    }

    /// Returns the virtual channel, from 0, that a packet from the node `source` to the node
    /// `target` uses on the next link of its route, the link that leaves the vertex `at`.
    ///
    /// The default is 0. The packet is on its route, and `at` is not `target`.
    fn channel(&self, source: u32, at: u32, target: u32) -> u32 {
        let _ = (source, at, target);
        0
    }

    /// Returns whether packets on the routes can wait for each other for ever, if the shape knows.
    ///
    /// The default is `None`: [`Topology::is_free_from_deadlock`] finds out.
    ///
    /// [`Topology::is_free_from_deadlock`]: super::Topology::is_free_from_deadlock
    fn is_free_from_deadlock(&self) -> Option<bool> {
        None
    }

    /// Returns the length of the longest route, if the shape knows it.
    ///
    /// The default is `None`: the routes between all nodes are followed where it is needed.
    fn longest_route(&self) -> Option<u32> {
        None
    }

    /// Returns the length of the route between two nodes, if there is a closed form.
    ///
    /// The default is `None`: the route is followed to count its links.
    fn hops(&self, source: u32, target: u32) -> Option<u32> {
        let _ = (source, target);
        None
    }

    /// Returns the name of a vertex for display, if it has one of its own. The default is `None`.
    fn name(&self, vertex: u32) -> Option<&str> {
        let _ = vertex;
        None
    }

    /// Returns the coordinates of a node for display. The default is its number.
    fn coordinates(&self, node: u32) -> Vec<u32> {
        vec![node]
    }

    /// Returns the axes that distances between nodes follow, if the shape is that regular.
    ///
    /// Process mappings (`reorder`, MPI section 8.4) use them; without axes they search.
    fn axes(&self) -> Option<Axes> {
        None
    }

    /// Returns the number of groups of equally many nodes with consecutive numbers, if nodes form
    /// groups whose cables between each other are few.
    fn groups(&self) -> Option<u32> {
        None
    }

    /// Returns whether any two different nodes are equally far apart, so that the placement of
    /// ranks makes no difference.
    fn is_equidistant(&self) -> bool {
        false
    }

    /// Returns the fewest cables between two halves that differ by one node at most, wherever switches
    /// come to be, if there is a formula. The cables of nodes count.
    ///
    /// The default is `None`: halves with few cables between them are searched for.
    fn bisection(&self) -> Option<u64> {
        None
    }

    /// Returns the number of cables cut by a natural halving of the nodes: an upper bound of the
    /// bisection, below which the search for halves may find others.
    ///
    /// The default is `None`.
    fn halving(&self) -> Option<u64> {
        None
    }

    /// Returns where to draw a vertex. Units: distances between neighbours; y grows upwards.
    fn layout(&self, vertex: u32) -> (f64, f64) {
        on_circle(vertex, self.vertices())
    }

    /// Returns where to write node numbers that do not fit into the drawn nodes.
    fn labels(&self) -> Labels {
        Labels::Around
    }

    /// Returns whether the cable between two vertices leaves the drawing at one side and enters it
    /// at the other; it is drawn as two stubs.
    fn wraps(&self, from: u32, to: u32) -> bool {
        let _ = (from, to);
        false
    }
}

/// Rate and delay of a link; `None` stands for those of the machine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LinkNumbers {
    /// Rate in this direction.
    pub bandwidth: Option<Bandwidth>,
    /// Time of the switch and the wire.
    pub delay: Option<SimDuration>,
}

/// The coordinates that determine distances between nodes. Nodes are numbered row-major.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Axes {
    /// The number of coordinates along each axis; their product is the number of nodes.
    pub sizes: Vec<u32>,
    /// How coordinates give the distance.
    pub metric: AxisMetric,
}

impl Axes {
    /// Returns the coordinates of a node along these axes.
    pub fn coordinates(&self, node: u32) -> Vec<u32> {
        row_major(node, &self.sizes)
    }

    /// Returns the distance of two nodes, if the axes give it in full: the levels of a tree do not.
    pub fn distance(&self, a: u32, b: u32) -> Option<u32> {
        let (a, b) = (self.coordinates(a), self.coordinates(b));
        let apart = a.iter().zip(&b).map(|(a, b)| a.abs_diff(*b)).zip(&self.sizes);
        match self.metric {
            AxisMetric::Lines => Some(apart.map(|(apart, _)| apart).sum()),
            AxisMetric::Rings => Some(apart.map(|(apart, size)| apart.min(size - apart)).sum()),
            AxisMetric::Levels => None,
        }
    }

    /// Returns whether the nodes form a binary hypercube.
    pub fn is_binary(&self) -> bool {
        self.metric != AxisMetric::Levels && self.sizes.iter().all(|size| *size == 2)
    }
}

/// The rule that turns the coordinates of two nodes into their distance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AxisMetric {
    /// The sum of the differences along each axis.
    Lines,
    /// The sum of the shorter ways round along each axis.
    Rings,
    /// The coordinates are digits of a leaf's position in a tree, from the root down; the distance
    /// depends on the first digit that differs.
    Levels,
}

/// The position in a drawing of node numbers that do not fit into the drawn nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Labels {
    /// Outside the circle of nodes.
    Around,
    /// Below the nodes.
    Below,
    /// Numbers are not drawn, since there is no space.
    Nowhere,
}

/// Returns the coordinates of a place in a box of these sizes whose places are numbered row-major: the last coordinate
/// changes fastest.
pub fn row_major(number: u32, sizes: &[u32]) -> Vec<u32> {
    let mut rest = number;
    let mut coordinates: Vec<u32> = sizes
        .iter()
        .rev()
        .map(|size| {
            let coordinate = rest % size;
            rest /= size;
            coordinate
        })
        .collect();
    coordinates.reverse();
    coordinates
}

/// Returns a place on a circle of `count` vertices, one unit apart.
pub(super) fn on_circle(vertex: u32, count: u32) -> (f64, f64) {
    let radius = f64::from(count.max(3)) / TAU;
    let angle = TAU * f64::from(vertex) / f64::from(count.max(1));
    (radius * angle.sin(), radius * angle.cos())
}
