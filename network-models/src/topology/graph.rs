//! [`Graph`]: the directed links of a topology and their numbers.

use std::{collections::BTreeSet, ops::Range};

use petgraph::{
    csr::Csr,
    visit::{Bfs, VisitMap},
};

use super::{LinkId, Shape, VertexId};

/// The directed links of a topology, numbered by source vertex and then by target vertex. Parallel
/// cables between two vertices have consecutive numbers.
#[derive(Clone, Debug)]
pub struct Graph {
    /// Neighbours, with the numbers of the first link and of the one after the last.
    joined: Csr<(), (u32, u32)>,
    /// The source and the target of each link.
    ends: Vec<(u32, u32)>,
}

impl Graph {
    /// Creates the graph of a shape.
    pub(super) fn of(shape: &dyn Shape) -> Self {
        let neighbours = |vertex| shape.neighbours(vertex);
        Self::new(shape.vertices(), neighbours, |from, to| shape.cables(from, to))
    }

    /// Creates the graph in which `vertex` has `cables(vertex, neighbour)` links to each of
    /// `neighbours(vertex)`.
    ///
    /// # Panics
    /// If a neighbour is not a vertex.
    pub(super) fn new(
        vertices: u32,
        neighbours: impl Fn(u32) -> Vec<u32>,
        cables: impl Fn(u32, u32) -> u32,
    ) -> Self {
        let (mut pairs, mut ends) = (Vec::new(), Vec::new());
        for vertex in 0..vertices {
            let mut targets = neighbours(vertex);
            targets.sort_unstable();
            targets.dedup();
            if let Some(target) = targets.last().filter(|target| **target >= vertices) {
                panic!("vertex {vertex} is next to {target}, and there are {vertices} vertices");
            }
            for target in targets {
                let first = ends.len() as u32;
                let count = cables(vertex, target).max(1);
                ends.extend(std::iter::repeat_n((vertex, target), count as usize));
                pairs.push((vertex, target, (first, first + count)));
            }
        }
        let mut joined = Csr::from_sorted_edges(&pairs).expect("sorted above, each once");
        while joined.node_count() < vertices as usize {
            joined.add_node(());
        }
        Self { joined, ends }
    }

    /// Returns the graph without the links between some pairs of vertices. Its links have other
    /// numbers.
    pub(crate) fn without(&self, vertices: u32, cut: &BTreeSet<(u32, u32)>) -> Self {
        let left = |vertex: u32| {
            let stays = |target: &u32| !cut.contains(&(vertex, *target));
            self.neighbours(vertex).iter().copied().filter(stays).collect()
        };
        Self::new(vertices, left, |_, _| 1)
    }

    /// Returns the number of directed links.
    pub(super) fn link_count(&self) -> u32 {
        self.ends.len() as u32
    }

    /// Returns the link from a vertex to a neighbour of it, the first one of several.
    ///
    /// # Panics
    /// Panics if there is no such link.
    pub fn link(&self, from: u32, to: u32) -> LinkId {
        LinkId(self.cables(from, to).start)
    }

    /// Returns the numbers of all links from a vertex to a neighbour of it.
    ///
    /// # Panics
    /// Panics if there is no such link.
    pub(crate) fn cables(&self, from: u32, to: u32) -> Range<u32> {
        let Some((first, end)) = self.find(from, to) else {
            panic!("no cable joins vertices {from} and {to}");
        };
        first..end
    }

    fn find(&self, from: u32, to: u32) -> Option<(u32, u32)> {
        let targets = self.joined.neighbors_slice(from);
        let place = if targets.len() <= 8 {
            targets.iter().position(|target| *target == to)
        } else {
            targets.binary_search(&to).ok()
        };
        place.map(|place| self.joined.edges_slice(from)[place])
    }

    /// Returns the link from a vertex to the neighbour with index `place` among its neighbours,
    /// which are in ascending order; the first one of several.
    ///
    /// # Panics
    /// Panics if the vertex has no such neighbour.
    pub fn link_at(&self, from: u32, place: u32) -> LinkId {
        LinkId(self.joined.edges_slice(from)[place as usize].0)
    }

    /// Returns the numbers of all links that leave a vertex.
    pub(crate) fn leaving(&self, vertex: u32) -> Range<u32> {
        match self.joined.edges_slice(vertex) {
            [(first, _), .., (_, end)] | [(first, end)] => *first..*end,
            [] => 0..0,
        }
    }

    /// Returns the source and the target of a link.
    ///
    /// # Panics
    /// Panics if there is no such link.
    pub(crate) fn ends(&self, link: LinkId) -> (VertexId, VertexId) {
        let (source, target) = self.ends[link.0 as usize];
        (VertexId(source), VertexId(target))
    }

    /// Returns the vertices one link away, ascending.
    pub(crate) fn neighbours(&self, vertex: u32) -> &[u32] {
        self.joined.neighbors_slice(vertex)
    }

    /// Returns the links as pairs of vertices, in order.
    pub(crate) fn pairs(&self) -> impl Iterator<Item = (u32, u32)> {
        self.ends.iter().copied()
    }

    /// Returns the number of links from a vertex to each vertex on paths whose inner vertices
    /// `passes` accepts; `u32::MAX` where none leads.
    pub(super) fn distances(&self, source: u32, passes: impl Fn(u32) -> bool) -> Vec<u32> {
        steps_from([source], self.joined.node_count(), |vertex| self.neighbours(vertex), passes)
    }

    /// Advances a breadth-first search by one vertex; neighbours in ascending order.
    pub(crate) fn advance<V: VisitMap<u32>>(&self, search: &mut Bfs<u32, V>) -> Option<u32> {
        search.next(&self.joined)
    }
}

/// Returns the number of steps to each of `vertices` vertices from the nearest one of `sources`, on
/// paths whose inner vertices `passes` accepts; `u32::MAX` where none leads. `next` returns the
/// vertices that are one step away from a vertex.
pub(crate) fn steps_from<'a>(
    sources: impl IntoIterator<Item = u32>,
    vertices: usize,
    next: impl Fn(u32) -> &'a [u32],
    passes: impl Fn(u32) -> bool,
) -> Vec<u32> {
    let sources = sources.into_iter().map(|source| (source, 0));
    spread_from(sources, vertices, next, |steps| steps + 1, passes)
}

/// Gives each of `vertices` vertices the value of the nearest of `sources`, to which `step` is applied for each
/// step from there; otherwise as [`steps_from`].
///
/// Ties: the source whose value reaches the vertex first in a breadth-first search.
pub(crate) fn spread_from<'a>(
    sources: impl IntoIterator<Item = (u32, u32)>,
    vertices: usize,
    next: impl Fn(u32) -> &'a [u32],
    step: impl Fn(u32) -> u32,
    passes: impl Fn(u32) -> bool,
) -> Vec<u32> {
    let mut values = vec![u32::MAX; vertices];
    let mut reached: Vec<u32> = Vec::new();
    for (source, value) in sources {
        values[source as usize] = value;
        reached.push(source);
    }
    let sources = reached.len();
    let mut place = 0;
    while let Some(vertex) = reached.get(place).copied() {
        let is_source = place < sources;
        place += 1;
        if !is_source && !passes(vertex) {
            continue;
        }
        let value = step(values[vertex as usize]);
        for vertex in next(vertex) {
            if values[*vertex as usize] == u32::MAX {
                values[*vertex as usize] = value;
                reached.push(*vertex);
            }
        }
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a path of four vertices, one of its ends joined to a fifth vertex.
    fn path() -> Graph {
        path_of(|_, _| 1)
    }

    fn path_of(cables: impl Fn(u32, u32) -> u32) -> Graph {
        let neighbours = |vertex| match vertex {
            0 => vec![1, 4, 1],
            4 => vec![0],
            5 => vec![],
            3 => vec![2],
            middle => vec![middle + 1, middle - 1],
        };
        Graph::new(6, neighbours, cables)
    }

    #[test]
    fn links_are_numbered_by_source_and_target() {
        let graph = path();
        let pairs = [(0, 1), (0, 4), (1, 0), (1, 2), (2, 1), (2, 3), (3, 2), (4, 0)];
        assert!(graph.pairs().eq(pairs));
        for (number, (from, to)) in (0..).zip(pairs) {
            assert_eq!(graph.link(from, to), LinkId(number));
            assert_eq!(graph.ends(LinkId(number)), (VertexId(from), VertexId(to)));
        }
        assert_eq!(graph.link_at(1, 1), graph.link(1, 2));
    }

    #[test]
    fn distances_count_links() {
        let all = |_| true;
        assert_eq!(path().distances(3, all), [3, 2, 1, 0, 4, u32::MAX]);
        assert_eq!(path().distances(5, all), [u32::MAX, u32::MAX, u32::MAX, u32::MAX, u32::MAX, 0]);
        let none = u32::MAX;
        assert_eq!(path().distances(3, |vertex| vertex != 1), [none, 2, 1, 0, none, none]);
    }

    #[test]
    fn parallel_cables_are_links_of_their_own() {
        let graph = path_of(|from, to| if from + to == 3 { 3 } else { 1 });
        assert_eq!((graph.link_count(), graph.cables(1, 2), graph.cables(2, 1)), (12, 3..6, 6..9));
        assert_eq!([graph.link(2, 3), graph.link_at(2, 1)], [LinkId(9), LinkId(9)]);
        assert_eq!(graph.ends(LinkId(5)), (VertexId(1), VertexId(2)));
        assert_eq!((graph.leaving(1), graph.leaving(5), graph.leaving(3)), (2..6, 0..0, 10..11));
        assert_eq!(graph.neighbours(1), [0, 2]);
    }
}
