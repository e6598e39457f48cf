//! Graphs as virtual topologies (MPI section 8.5).

use std::rc::Rc;

use super::cart::Cart;

/// A directed edge between places of a graph: from, to, weight.
pub type WeightedEdge = (u32, u32, u32);

/// Whom a rank receives from and sends to; a weight for each, if the graph has weights.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Adjacency {
    /// Ranks with an edge to this one.
    pub sources: Vec<i32>,
    /// Weights of those edges.
    pub source_weights: Option<Vec<i32>>,
    /// Ranks this one has an edge to.
    pub destinations: Vec<i32>,
    /// Weights of those edges.
    pub destination_weights: Option<Vec<i32>>,
}

/// What the ranks of a new communicator will say to each other: by this they are numbered so
/// that those with much to say are close (`reorder`, MPI section 8.5). All ranks bring the same
/// kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reorder {
    /// As on a grid.
    Grid(Cart),
    /// As on a graph of so many places. The edges that all ranks bring are the graph.
    Graph(u32, Vec<WeightedEdge>),
    /// As on a distributed graph, which has a place for each rank. The same holds for edges.
    Distributed(Vec<WeightedEdge>),
    /// As on a distributed graph of which each rank brings the neighbours of its present place;
    /// it is told those of its new place.
    Adjacent(Rc<Adjacency>),
}

impl Reorder {
    /// What has the places.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Grid(_) => "grid",
            Self::Graph(..) => "graph",
            Self::Distributed(_) | Self::Adjacent(_) => "distributed graph",
        }
    }

    /// How many of `ranks` ranks have a place.
    pub fn places(&self, ranks: u32) -> u32 {
        match self {
            Self::Grid(cart) => cart.size(),
            Self::Graph(places, _) => *places,
            Self::Distributed(_) | Self::Adjacent(_) => ranks,
        }
    }
}

impl Adjacency {
    /// The edges to the destinations of rank `from`. One without a weight weighs 1, one with a
    /// negative weight nothing.
    pub fn edges(&self, from: u32) -> impl Iterator<Item = WeightedEdge> {
        let weight = |at: usize| match &self.destination_weights {
            Some(weights) => u32::try_from(weights.get(at).copied().unwrap_or(1)).unwrap_or(0),
            None => 1,
        };
        let edge = move |(at, to): (usize, &i32)| (from, *to as u32, weight(at));
        self.destinations.iter().enumerate().map(edge)
    }
}

/// The edges of a graph as `MPI_Graph_create` takes it, each of weight 1: `index` rises and ends
/// with the number of `edges`.
pub fn weightless_edges(index: &[i32], edges: &[i32]) -> Vec<WeightedEdge> {
    let starts = [0].into_iter().chain(index.iter().copied());
    let places = (0..).zip(starts.zip(index));
    let of_place = |(from, (start, end)): (u32, (i32, &i32))| {
        edges[start as usize..*end as usize].iter().map(move |to| (from, *to as u32, 1))
    };
    places.flat_map(of_place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_graph_of_the_standard_has_its_edges() {
        let edges = weightless_edges(&[2, 3, 4, 6], &[1, 3, 0, 3, 0, 2]);
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
