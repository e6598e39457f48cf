//! Freedom from deadlock: the channel dependency graph of a routing (Dally and Seitz 1987).
//!
//! A packet that holds the buffer of one virtual channel waits for a buffer of the next one of its
//! route. Packets can wait for each other for ever only if these dependencies form a cycle.

use std::fmt;

use petgraph::{
    algo::{astar, toposort},
    graph::{DiGraph, NodeIndex},
};

use super::{Graph, LinkId, Topology};
use crate::network::NodeId;

/// Virtual channels of which each depends on the next one, and the last on the first: packets that
/// hold them can wait for each other for ever.
///
/// Display: the links with the names of their ends, and the virtual channels if there are several.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChannelCycle {
    channels: Vec<(LinkId, u32)>,
    text: String,
}

impl ChannelCycle {
    /// Returns the links and their virtual channels, in the order in which packets wait for them.
    pub fn channels(&self) -> &[(LinkId, u32)] {
        &self.channels
    }

    /// Returns a cycle among channels that packets hold while they wait for others: each pair is a channel that is held and
    /// one that is awaited. Each link has as many as there are `classes`. The cycle is empty if there is none.
    pub(crate) fn of_waits(
        topology: &Topology,
        classes: u32,
        waits: impl Iterator<Item = [(LinkId, u32); 2]>,
    ) -> Self {
        let mut dependencies = Dependencies::new(topology.graph(), classes);
        let links = topology.link_count();
        // What waits at a node, before its first link or behind its last one, is in no cycle.
        let waits = waits.filter(|wait| wait.iter().all(|(link, _)| link.0 < links));
        waits.for_each(|wait| dependencies.add(wait));
        dependencies.cycle(topology).unwrap_or_else(|| Self::new(topology, classes, Vec::new()))
    }

    /// Names channels of which each link has as many as there are `classes`.
    fn new(topology: &Topology, classes: u32, mut channels: Vec<(LinkId, u32)>) -> Self {
        // The same cycle is named from its lowest channel on, whichever member was found.
        if let Some(lowest) = (0..channels.len()).min_by_key(|place| channels[*place]) {
            channels.rotate_left(lowest);
        }
        let names = channels.iter().map(|(link, channel)| {
            let virtual_channel = if classes > 1 { format!(" [{channel}]") } else { String::new() };
            topology.describe_link(*link) + &virtual_channel
        });
        let text = names.collect::<Vec<_>>().join(", waits for ");
        Self { channels, text }
    }
}

impl fmt::Display for ChannelCycle {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        match self.channels.is_empty() {
            true => write!(out, "no cycle of channels is known"),
            false => write!(out, "{}, waits for the first", self.text),
        }
    }
}

impl Topology {
    /// Builds the channel dependency graph of the routes between all pairs of nodes and returns a
    /// cycle of it, or `None` if the routing is free from deadlock with its virtual channels.
    ///
    /// The buffers of sending and receiving nodes do not take part: messages that reach their
    /// target are consumed.
    ///
    /// Complexity: proportional to the total length of all routes.
    pub fn deadlock(&self) -> Option<ChannelCycle> {
        self.channel_dependencies().cycle(self)
    }

    /// Returns whether packets on the routes can be given buffers by the virtual channels of the
    /// routing alone, without waiting for each other for ever.
    ///
    /// The first call builds the graph of [`Topology::deadlock`]; of a topology with more than
    /// 2,048 nodes it does not, but relies on [`Shape::channels`](super::Shape::channels).
    pub fn is_free_from_deadlock(&self) -> bool {
        const CHECKED: u32 = 2048;
        let check = || {
            let known = self.shape().is_free_from_deadlock();
            known.unwrap_or_else(|| self.nodes() > CHECKED || self.deadlock().is_none())
        };
        *self.free_from_deadlock.get_or_init(check)
    }

    /// Returns the dependencies of all routes.
    fn channel_dependencies(&self) -> Dependencies {
        let mut dependencies = Dependencies::new(&self.graph, self.channels());
        let mut route = Vec::new();
        let nodes = (0..self.nodes()).map(NodeId);
        for (source, target) in
            nodes.clone().flat_map(|source| nodes.clone().map(move |target| (source, target)))
        {
            route.clear();
            self.route(source, target, &mut route);
            dependencies.add(
                (route.iter())
                    .map(|link| (*link, self.channel(source, self.link_ends(*link).0, target))),
            );
        }
        dependencies
    }
}

/// The channel dependency graph of a routing, in which each virtual channel leads to those that
/// follow it on a path.
#[derive(Debug)]
pub(crate) struct Dependencies {
    /// Number of virtual channels of a link.
    classes: u32,
    successors: Vec<Vec<u32>>,
}

impl Dependencies {
    /// Creates the graph without paths.
    pub(crate) fn new(graph: &Graph, classes: u32) -> Self {
        Self { classes, successors: vec![Vec::new(); (graph.link_count() * classes) as usize] }
    }

    /// Adds the dependency of a channel on another one.
    pub(super) fn depend(&mut self, channel: u32, next: u32) {
        let known = &mut self.successors[channel as usize];
        if !known.contains(&next) {
            known.push(next);
        }
    }

    /// Adds a path, as the links and their virtual channels.
    pub(crate) fn add(&mut self, path: impl IntoIterator<Item = (LinkId, u32)>) {
        let mut before: Option<u32> = None;
        for (link, class) in path {
            let channel = link.0 * self.classes + class;
            if let Some(before) = before {
                self.depend(before, channel);
            }
            before = Some(channel);
        }
    }

    /// Returns whether there is a cycle.
    pub(super) fn is_cyclic(&self) -> bool {
        toposort(&self.graph(), None).is_err()
    }

    fn graph(&self) -> DiGraph<(), ()> {
        let mut graph = DiGraph::with_capacity(self.successors.len(), 0);
        for _ in &self.successors {
            graph.add_node(());
        }
        for (from, next) in (0..).zip(&self.successors) {
            for to in next {
                graph.add_edge(NodeIndex::new(from), NodeIndex::new(*to as usize), ());
            }
        }
        graph
    }

    /// Returns a cycle, if there is one.
    pub(crate) fn cycle(&self, topology: &Topology) -> Option<ChannelCycle> {
        let graph = self.graph();
        let member = toposort(&graph, None).err()?.node_id();
        // The shortest way back from a successor of the member closes the cycle.
        let ways = graph
            .neighbors(member)
            .filter_map(|next| astar(&graph, next, |at| at == member, |_| 1u32, |_| 0));
        let (_, cycle) = ways.min_by_key(|(length, _)| *length)?;
        let channel = |place: &NodeIndex| {
            let place = place.index() as u32;
            (LinkId(place / self.classes), place % self.classes)
        };
        let channels = cycle.iter().map(channel).collect();
        Some(ChannelCycle::new(topology, self.classes, channels))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::topology::{Shape, testing::build};

    /// A topology without its virtual channels.
    #[derive(Debug)]
    struct OneChannel(Topology);

    impl Shape for OneChannel {
        fn nodes(&self) -> u32 {
            self.0.nodes()
        }

        fn vertices(&self) -> u32 {
            self.0.vertices()
        }

        fn neighbours(&self, vertex: u32) -> Vec<u32> {
            self.0.shape().neighbours(vertex)
        }

        fn next_hop(&self, at: u32, target: u32) -> u32 {
            self.0.shape().next_hop(at, target)
        }
    }

    fn one_channel(name: &str) -> Option<ChannelCycle> {
        Topology::new("one-channel", name, Arc::new(OneChannel(build(name)))).deadlock()
    }

    fn is_a_cycle(topology: &Topology, cycle: &ChannelCycle) -> bool {
        let next = cycle.channels().iter().cycle().skip(1);
        cycle
            .channels()
            .iter()
            .zip(next)
            .all(|((from, _), (to, _))| topology.link_ends(*from).1 == topology.link_ends(*to).0)
    }

    #[test]
    fn topologies_with_their_channels_are_free_from_deadlock() {
        for name in [
            "ring:1",
            "ring:3",
            "ring:4",
            "ring:8",
            "ring:9",
            "linear:1",
            "linear:6",
            "mesh:4x5",
            "mesh:3x3x3",
            "torus:2x2",
            "torus:4x4",
            "torus:5x6",
            "torus:3x8",
            "torus:4x4x4",
            "torus:2x3x4x5",
            "hypercube:0",
            "hypercube:3",
            "hypercube:6",
            "crossbar:9",
            "star:9",
            "tree:2x5",
            "tree:3x3",
            "fat-tree:2x4",
            "fat-tree:4x3",
            "fat-tree:4x3:2",
        ] {
            let topology = build(name);
            assert_eq!(topology.deadlock(), None, "{name}");
        }
    }

    #[test]
    fn only_rings_of_five_and_more_need_a_second_channel() {
        for (name, channels) in [
            ("ring:3", 1),
            ("ring:4", 1),
            ("ring:5", 2),
            ("ring:6", 2),
            ("torus:3x3", 1),
            ("torus:2x3x3", 1),
            ("torus:3x4", 1),
            ("torus:4x4x4", 1),
            ("torus:4x5", 2),
            ("mesh:8x8", 1),
            ("linear:9", 1),
            ("hypercube:5", 1),
            ("fat-tree:4x2", 1),
        ] {
            assert_eq!(build(name).channels(), channels, "{name}");
            assert_eq!(one_channel(name).is_some(), channels > 1, "{name} with one channel");
        }
    }

    #[test]
    fn the_packets_of_a_torus_with_one_channel_wait_in_a_circle() {
        let topology = build("torus:5x5");
        let cycle = one_channel("torus:5x5").expect("a cycle");
        assert!(is_a_cycle(&topology, &cycle), "{cycle}");
        assert_eq!(cycle.channels().len(), 5, "around one ring: {cycle}");
        assert!(cycle.channels().iter().all(|(_, channel)| *channel == 0));
    }

    #[test]
    fn packets_that_cross_the_wrap_around_link_have_a_channel_of_their_own() {
        let used = |name: &str, source: u32, target: u32| {
            let (topology, mut route) = (build(name), Vec::new());
            topology.route(NodeId(source), NodeId(target), &mut route);
            let channel =
                |link| topology.channel(NodeId(source), topology.link_ends(link).0, NodeId(target));
            route.into_iter().map(channel).collect::<Vec<_>>()
        };
        assert_eq!(used("ring:8", 6, 1), [1, 1, 1], "upwards");
        assert_eq!(used("ring:8", 1, 6), [1, 1, 1], "downwards");
        assert_eq!(used("ring:8", 1, 4), [0, 0, 0]);
        // From (7, 7) over (7, 0) to (7, 1), and down to (5, 1).
        assert_eq!(used("torus:8x8", 7 * 8 + 7, 5 * 8 + 1), [1, 1, 0, 0]);
    }
}
