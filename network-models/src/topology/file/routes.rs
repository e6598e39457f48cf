//! [`Cabled`]: all shortest routes over any graph.

use std::sync::OnceLock;

use petgraph::{
    algo::dinics,
    graph::{DiGraph, NodeIndex},
};

use super::draft::Cabling;
use crate::topology::{
    Dependencies, Distances, Graph, Labels, LinkId, LinkNumbers, Shape, graph::steps_from,
    shape::on_circle,
};

/// A graph from a file. The packets of a pair of nodes take one of its shortest routes, by a hash of
/// the pair.
#[derive(Debug)]
pub(super) struct Cabled {
    nodes: u32,
    names: Vec<String>,
    numbered: bool,
    nodes_forward: bool,
    graph: Graph,
    /// Rate and delay of each link.
    numbers: Vec<LinkNumbers>,
    distances: Distances,
    channels: OnceLock<u32>,
    /// Row and place in the row of each vertex in a drawing; empty for a circle.
    rows: Vec<(u32, f64)>,
}

impl Cabled {
    pub(super) fn new(cabling: &Cabling) -> Self {
        let graph = cabling.graph();
        let vertices = cabling.names.len() as u32;
        let mut numbers = Vec::with_capacity(graph.link_count() as usize);
        for from in 0..vertices {
            for to in graph.neighbours(from) {
                numbers.extend(&cabling.bundles[&(from.min(*to), from.max(*to))]);
            }
        }
        let distances = Distances::new(&graph, vertices, |vertex| cabling.forwards(vertex));
        Self {
            nodes: cabling.nodes,
            names: cabling.names.clone(),
            numbered: cabling.numbered,
            nodes_forward: cabling.nodes_forward,
            rows: rows(&graph, cabling.nodes, vertices),
            graph,
            numbers,
            distances,
            channels: OnceLock::new(),
        }
    }

    /// Returns the length of the longest route from a vertex to a node.
    fn longest(&self) -> u32 {
        let lengths = self.distances.ends(self.nodes).into_iter().flat_map(|(end, more)| {
            let to = (0..self.vertices()).map(move |at| self.distances.between(at, end));
            to.filter(|length| *length < u32::MAX).map(move |length| length + more)
        });
        lengths.max().unwrap_or(1).max(1)
    }
}

impl Shape for Cabled {
    fn nodes(&self) -> u32 {
        self.nodes
    }

    fn vertices(&self) -> u32 {
        self.names.len() as u32
    }

    fn neighbours(&self, vertex: u32) -> Vec<u32> {
        self.graph.neighbours(vertex).to_vec()
    }

    fn cables(&self, from: u32, to: u32) -> u32 {
        self.graph.cables(from, to).len() as u32
    }

    fn link_numbers(&self, from: u32, to: u32, cable: u32) -> LinkNumbers {
        self.numbers[(self.graph.link(from, to).0 + cable) as usize]
    }

    /// Each cable of a node that forwards nothing has a port of its own.
    fn rails(&self) -> u32 {
        if self.nodes_forward {
            return 1;
        }
        let cables = |node| self.graph.leaving(node).len() as u32;
        (0..self.nodes).map(cables).max().unwrap_or(1)
    }

    fn forwards(&self, vertex: u32) -> bool {
        self.nodes_forward || vertex >= self.nodes
    }

    fn next_hop(&self, at: u32, target: u32) -> u32 {
        self.graph.ends(self.next_link(&self.graph, at, at, target)).1.0
    }

    fn next_link(&self, graph: &Graph, source: u32, at: u32, target: u32) -> LinkId {
        let distance = |from| self.distances.between(from, target);
        let hop = distance(source).saturating_sub(distance(at));
        self.distances.spread(graph, 0, (source, target), (at, hop))
    }

    fn channels(&self) -> u32 {
        let free = || Dependencies::is_free(&self.graph, &self.distances, self.nodes);
        *self.channels.get_or_init(|| if free() { 1 } else { self.longest() })
    }

    fn channel(&self, source: u32, at: u32, target: u32) -> u32 {
        if self.channels() == 1 {
            return 0;
        }
        let distance = |from| self.distances.between(from, target);
        distance(source).saturating_sub(distance(at))
    }

    fn is_free_from_deadlock(&self) -> Option<bool> {
        // There are enough virtual channels for that.
        Some(true)
    }

    fn hops(&self, source: u32, target: u32) -> Option<u32> {
        Some(self.distances.between(source, target))
    }

    /// Cuts the fewest cables between the lower and the upper half of the node numbers, wherever the
    /// switches come to be (maximum flow; Dinitz 1970).
    fn halving(&self) -> Option<u64> {
        if self.nodes == self.vertices() {
            return None;
        }
        let mut flow: DiGraph<(), u64> = DiGraph::new();
        for _ in 0..self.vertices() + 2 {
            flow.add_node(());
        }
        let place = |vertex: u32| NodeIndex::new(vertex as usize);
        for (from, to) in self.graph.pairs() {
            flow.add_edge(place(from), place(to), 1);
        }
        let (source, sink) = (place(self.vertices()), place(self.vertices() + 1));
        for node in 0..self.nodes {
            let cables = self.graph.leaving(node).len() as u64;
            if node < self.nodes / 2 {
                flow.add_edge(source, place(node), cables);
            } else {
                flow.add_edge(place(node), sink, cables);
            }
        }
        Some(dinics(&flow, source, sink).0)
    }

    fn name(&self, vertex: u32) -> Option<&str> {
        let plain = self.numbered && vertex < self.nodes;
        (!plain).then(|| self.names[vertex as usize].as_str())
    }

    fn layout(&self, vertex: u32) -> (f64, f64) {
        match self.rows.get(vertex as usize) {
            Some((row, place)) => (*place, 3.0 * f64::from(*row)),
            None => on_circle(vertex, self.vertices()),
        }
    }

    fn labels(&self) -> Labels {
        if self.rows.is_empty() { Labels::Around } else { Labels::Below }
    }
}

/// Places nodes in the lowest row of a drawing, and each switch in the row of its distance from the
/// nearest node. A graph without switches has no rows.
fn rows(graph: &Graph, nodes: u32, vertices: u32) -> Vec<(u32, f64)> {
    if nodes == vertices {
        return Vec::new();
    }
    let mut row =
        steps_from(0..nodes, vertices as usize, |vertex| graph.neighbours(vertex), |_| true);
    // Switches that no cable joins to the rest are drawn beside the lowest ones.
    row.iter_mut().filter(|row| **row == u32::MAX).for_each(|row| *row = 1);
    let count = |wanted: u32| row.iter().filter(|row| **row == wanted).count();
    let highest = row.iter().copied().max().unwrap_or(0);
    let counts: Vec<usize> = (0..=highest).map(count).collect();
    let width = counts.iter().copied().max().unwrap_or(1) as f64;
    let mut placed = vec![0usize; counts.len()];
    row.iter()
        .map(|row| {
            let level = *row as usize;
            placed[level] += 1;
            let place = (placed[level] as f64 - 0.5) * width / counts[level] as f64;
            (*row, place)
        })
        .collect()
}
