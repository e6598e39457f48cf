//! [`Graph`]: the directed links of a topology and their numbers.

use std::iter;

use petgraph::{
    csr::Csr,
    visit::{Bfs, EdgeRef, VisitMap},
};

use super::{LinkId, VertexId};

/// The directed links of a topology, numbered by source vertex and then by target vertex.
#[derive(Clone, Debug)]
pub struct Graph {
    links: Csr<(), ()>,
    /// The source of each link; its target is the column of the matrix.
    sources: Vec<u32>,
}

impl Graph {
    /// Creates the graph in which `vertex` has a link to each of `neighbours(vertex)`.
    ///
    /// # Panics
    /// If a neighbour is not a vertex.
    pub(super) fn new(vertices: u32, neighbours: impl Fn(u32) -> Vec<u32>) -> Self {
        let mut pairs = Vec::new();
        for vertex in 0..vertices {
            let mut targets = neighbours(vertex);
            targets.sort_unstable();
            targets.dedup();
            if let Some(target) = targets.last().filter(|target| **target >= vertices) {
                panic!("vertex {vertex} is next to {target}, and there are {vertices} vertices");
            }
            pairs.extend(targets.into_iter().map(|target| (vertex, target)));
        }
        let mut links = Csr::from_sorted_edges(&pairs).expect("sorted above, each once");
        while links.node_count() < vertices as usize {
            links.add_node(());
        }
        Self { links, sources: pairs.into_iter().map(|(source, _)| source).collect() }
    }

    /// Returns the number of directed links.
    pub(super) fn link_count(&self) -> u32 {
        self.sources.len() as u32
    }

    /// Returns the link from a vertex to a neighbour of it.
    ///
    /// # Panics
    /// Panics if there is no such link.
    pub fn link(&self, from: u32, to: u32) -> LinkId {
        let targets = self.links.neighbors_slice(from);
        let place = if targets.len() <= 8 {
            targets.iter().position(|target| *target == to)
        } else {
            targets.binary_search(&to).ok()
        };
        let place = place.unwrap_or_else(|| panic!("no cable joins vertices {from} and {to}"));
        LinkId(self.first(from) + place as u32)
    }

    /// Returns the link from a vertex to the neighbour with index `place` among its neighbours,
    /// which are in ascending order.
    ///
    /// # Panics
    /// Panics if the vertex has no link.
    pub fn link_at(&self, from: u32, place: u32) -> LinkId {
        LinkId(self.first(from) + place)
    }

    /// Returns the source and the target of a link.
    ///
    /// # Panics
    /// Panics if there is no such link.
    pub(super) fn ends(&self, link: LinkId) -> (VertexId, VertexId) {
        let source = self.sources[link.0 as usize];
        let target = self.neighbours(source)[(link.0 - self.first(source)) as usize];
        (VertexId(source), VertexId(target))
    }

    /// Returns the vertices one link away, ascending.
    pub(crate) fn neighbours(&self, vertex: u32) -> &[u32] {
        self.links.neighbors_slice(vertex)
    }

    /// Returns the links as pairs of vertices, in order.
    pub(crate) fn pairs(&self) -> impl Iterator<Item = (u32, u32)> {
        (0..self.link_count()).map(|link| self.ends(LinkId(link))).map(|(a, b)| (a.0, b.0))
    }

    /// Returns the number of links from a vertex to each vertex; `u32::MAX` where no route leads.
    pub(super) fn distances(&self, source: u32) -> Vec<u32> {
        let mut distances = vec![u32::MAX; self.links.node_count()];
        let mut search = Bfs::new(&self.links, source);
        let mut distance = 0;
        // The queue holds exactly the vertices of one distance at the start of each turn.
        while !search.stack.is_empty() {
            for _ in 0..search.stack.len() {
                let vertex = search.next(&self.links).expect("the queue holds as many");
                distances[vertex as usize] = distance;
            }
            distance += 1;
        }
        distances
    }

    /// Returns the vertices that can be reached from `start`, in breadth-first order; neighbours
    /// in ascending order.
    pub(super) fn breadth_first(&self, start: u32) -> impl Iterator<Item = u32> {
        let mut search = Bfs::new(&self.links, start);
        iter::from_fn(move || search.next(&self.links))
    }

    /// Advances a breadth-first search by one vertex; neighbours in ascending order.
    pub(crate) fn advance<V: VisitMap<u32>>(&self, search: &mut Bfs<u32, V>) -> Option<u32> {
        search.next(&self.links)
    }

    fn first(&self, vertex: u32) -> u32 {
        self.links.edges(vertex).next().expect("a vertex with links").id() as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a path of four vertices, one of its ends joined to a fifth vertex.
    fn path() -> Graph {
        Graph::new(6, |vertex| match vertex {
            0 => vec![1, 4, 1],
            4 => vec![0],
            5 => vec![],
            3 => vec![2],
            middle => vec![middle + 1, middle - 1],
        })
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
        assert_eq!(path().distances(3), [3, 2, 1, 0, 4, u32::MAX]);
        assert_eq!(path().distances(5), [u32::MAX, u32::MAX, u32::MAX, u32::MAX, u32::MAX, 0]);
    }
}
