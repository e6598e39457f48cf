//! Graphs as virtual topologies (MPI section 8.5).

use std::rc::Rc;

use serde::{Deserialize, Serialize};
use sim_core::words::out_of_range;

use super::cart::Cart;

/// A directed edge between nodes of a graph: from, to, weight.
pub type WeightedEdge = (u32, u32, u32);

/// An edge of a distributed graph as a program gives it: from, to, weight.
pub type Edge = (i32, i32, i32);

/// Bytes of one edge in [`bytes_of_edges`].
pub const EDGE_BYTES: u64 = 12;

/// A graph that every rank knows completely, as passed to `MPI_Graph_create`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Graph {
    /// End of each node's edges in `edges`, in ascending order.
    pub index: Vec<i32>,
    /// Target nodes of all edges.
    pub edges: Vec<i32>,
}

/// The sources and destinations of a rank, with a weight for each if the graph is weighted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Adjacency {
    /// Ranks with an edge to this rank.
    pub sources: Vec<i32>,
    /// Weights of the edges from `sources`.
    pub source_weights: Option<Vec<i32>>,
    /// Ranks that this rank has an edge to.
    pub destinations: Vec<i32>,
    /// Weights of the edges to `destinations`.
    pub destination_weights: Option<Vec<i32>>,
}

/// The expected communication in a new communicator, by which ranks are reordered so that those
/// that communicate much are close (`reorder`, MPI section 8.5). All ranks pass the same variant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Reorder {
    /// Communication between neighbours of a grid.
    Grid(Cart),
    /// Communication along the edges of a graph with this many nodes; the edges of all ranks
    /// together form the graph.
    Graph(u32, Vec<WeightedEdge>),
    /// Communication along the edges of a distributed graph, which has a node for each rank; the
    /// edges of all ranks together form the graph.
    Distributed(Vec<WeightedEdge>),
    /// Communication in a distributed graph where each rank gives the neighbours of its current
    /// place; the reply contains those of its new place.
    Adjacent(Rc<Adjacency>),
}

impl Graph {
    /// Returns the nodes that a node has edges to, once for each edge.
    ///
    /// # Panics
    /// If there is no such node.
    #[track_caller]
    pub fn neighbors(&self, place: usize) -> &[i32] {
        let nodes = self.index.len() as u64;
        assert!((place as u64) < nodes, "{}", out_of_range(format_args!("rank {place}"), nodes));
        let start = place.checked_sub(1).map_or(0, |before| self.index[before] as usize);
        &self.edges[start..self.index[place] as usize]
    }

    /// Returns all edges, each with weight 1.
    pub fn weighted_edges(&self) -> Vec<WeightedEdge> {
        let of_place = |from: u32| {
            let neighbors = self.neighbors(from as usize).iter();
            neighbors.map(move |to| (from, *to as u32, 1))
        };
        (0..self.index.len() as u32).flat_map(of_place).collect()
    }
}

impl Reorder {
    /// Describes a graph, all edges of which one rank (`brings`) contributes.
    pub fn graph(graph: &Graph, brings: bool) -> Self {
        let edges = if brings { graph.weighted_edges() } else { Vec::new() };
        Self::Graph(graph.index.len() as u32, edges)
    }

    /// Describes a distributed graph with these edges of one rank; a negative weight counts as 0.
    pub fn distributed(edges: &[Edge], weighted: bool) -> Self {
        let weight = |edge: &Edge| if weighted { u32::try_from(edge.2).unwrap_or(0) } else { 1 };
        let edge = |edge: &Edge| (edge.0 as u32, edge.1 as u32, weight(edge));
        Self::Distributed(edges.iter().map(edge).collect())
    }

    /// Returns the name of the kind of topology.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Grid(_) => "grid",
            Self::Graph(..) => "graph",
            Self::Distributed(_) | Self::Adjacent(_) => "distributed graph",
        }
    }

    /// Returns how many of `ranks` ranks have a place.
    pub fn places(&self, ranks: u32) -> u32 {
        match self {
            Self::Grid(cart) => cart.size(),
            Self::Graph(places, _) => *places,
            Self::Distributed(_) | Self::Adjacent(_) => ranks,
        }
    }
}

impl Adjacency {
    /// Returns the neighbours of a rank in the graph of all these edges.
    pub fn of(rank: i32, all: &[Edge], weighted: bool) -> Self {
        let pick = |mine: fn(&Edge) -> i32, other: fn(&Edge) -> i32| {
            let of_rank = all.iter().filter(|edge| mine(edge) == rank);
            of_rank.map(|edge| (other(edge), edge.2)).unzip::<_, _, Vec<_>, Vec<_>>()
        };
        let (sources, into) = pick(|edge| edge.1, |edge| edge.0);
        let (destinations, out) = pick(|edge| edge.0, |edge| edge.1);
        Self {
            sources,
            source_weights: weighted.then_some(into),
            destinations,
            destination_weights: weighted.then_some(out),
        }
    }

    /// Returns the edges from rank `from` to its destinations. An edge without a weight has weight
    /// 1, a negative weight counts as 0.
    pub fn edges(&self, from: u32) -> impl Iterator<Item = WeightedEdge> {
        let weight = |at: usize| match &self.destination_weights {
            Some(weights) => u32::try_from(weights.get(at).copied().unwrap_or(1)).unwrap_or(0),
            None => 1,
        };
        let edge = move |(at, to): (usize, &i32)| (from, *to as u32, weight(at));
        self.destinations.iter().enumerate().map(edge)
    }
}

/// Encodes edges as ranks send them to each other.
pub fn bytes_of_edges(edges: &[Edge]) -> Vec<u8> {
    edges.iter().flat_map(|edge| [edge.0, edge.1, edge.2]).flat_map(i32::to_le_bytes).collect()
}

/// Decodes the edges that [`bytes_of_edges`] encoded.
pub fn edges_of_bytes(bytes: &[u8]) -> Vec<Edge> {
    let number = |bytes: &[u8]| i32::from_le_bytes(bytes.try_into().expect("4 bytes"));
    let edge = |edge: &[u8]| (number(&edge[..4]), number(&edge[4..8]), number(&edge[8..]));
    bytes.chunks_exact(EDGE_BYTES as usize).map(edge).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_graph_of_the_standard_has_its_edges() {
        let graph = Graph { index: vec![2, 3, 4, 6], edges: vec![1, 3, 0, 3, 0, 2] };
        let edges = graph.weighted_edges();
        let pairs: Vec<(u32, u32)> = edges.iter().map(|edge| (edge.0, edge.1)).collect();
        assert_eq!(pairs, [(0, 1), (0, 3), (1, 0), (2, 3), (3, 0), (3, 2)]);
    }

    #[test]
    fn weights_are_those_of_the_destinations() {
        let mut neighbors = Adjacency { destinations: vec![2, 0], ..Adjacency::default() };
        assert!(neighbors.edges(1).eq([(1, 2, 1), (1, 0, 1)]));
        neighbors.destination_weights = Some(vec![5, -1]);
        assert!(neighbors.edges(1).eq([(1, 2, 5), (1, 0, 0)]));
    }
}
