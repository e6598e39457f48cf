//! [`Distances`]: the number of links from every vertex to a node, found on demand.

use std::{
    cmp::Reverse,
    collections::BTreeMap,
    sync::{Arc, OnceLock},
};

use super::{Graph, LinkId, Topology, VertexId, graph::steps_from};

impl Topology {
    /// Prepares the lengths of the shortest paths between all vertices.
    pub(crate) fn all_distances(&self) -> Distances {
        Distances::new(self.graph(), self.vertices(), |vertex| self.forwards(VertexId(vertex)))
    }
}

/// The lengths of the shortest paths to each node, and the choice among such paths.
///
/// A row of distances is built by one breadth-first search backwards when it is first needed. A node
/// with one cable has none: its distances are those of the vertex at the other end, and 1. So a
/// network of hosts has rows for its switches only. Clones share the rows.
#[derive(Clone, Debug)]
pub(crate) struct Distances {
    /// For each vertex whose only cable leads there: the vertex at its other end.
    anchors: Arc<[Option<u32>]>,
    /// The vertices with a link to each vertex.
    before: Arc<[Vec<u32>]>,
    /// Whether paths lead through each vertex.
    forwards: Arc<[bool]>,
    rows: Arc<[OnceLock<Box<[u32]>>]>,
}

impl Distances {
    /// Prepares the distances of a graph in which paths lead through the vertices that `forwards`
    /// accepts.
    pub(crate) fn new(graph: &Graph, vertices: u32, forwards: impl Fn(u32) -> bool) -> Self {
        let mut before = vec![Vec::new(); vertices as usize];
        for (from, to) in graph.pairs() {
            // Links between two vertices follow each other.
            if before[to as usize].last() != Some(&from) {
                before[to as usize].push(from);
            }
        }
        let anchor = |vertex: u32| match graph.neighbours(vertex) {
            [only] if before[vertex as usize] == [*only] => Some(*only),
            _ => None,
        };
        Self {
            anchors: (0..vertices).map(anchor).collect(),
            forwards: (0..vertices).map(forwards).collect(),
            rows: (0..vertices).map(|_| OnceLock::new()).collect(),
            before: before.into(),
        }
    }

    /// Returns the number of links on a shortest path; a number above those of all paths if there
    /// is none.
    pub(crate) fn between(&self, from: u32, target: u32) -> u32 {
        if from == target {
            return 0;
        }
        let (to, more) = match self.anchors[target as usize] {
            Some(anchor) => (anchor, 1),
            None => (target, 0),
        };
        self.row(to)[from as usize].saturating_add(more)
    }

    /// Returns the vertices whose rows give the distances to all nodes, in ascending order, each with
    /// the most links that lead on from there to one of these nodes: 0 or 1.
    pub(crate) fn ends(&self, nodes: u32) -> BTreeMap<u32, u32> {
        let mut ends = BTreeMap::new();
        for node in 0..nodes {
            let (end, more) = self.anchors[node as usize].map_or((node, 0), |anchor| (anchor, 1));
            let most = ends.entry(end).or_insert(more);
            *most = more.max(*most);
        }
        ends
    }

    /// Returns the vertices that packets of nodes can visit on shortest paths to `target`, the
    /// farthest first, without `target`.
    pub(crate) fn visited(&self, graph: &Graph, nodes: u32, target: u32) -> Vec<u32> {
        let row = self.row(target);
        let mut order: Vec<u32> =
            (0..row.len() as u32).filter(|at| row[*at as usize] < u32::MAX).collect();
        order.sort_by_key(|at| Reverse(row[*at as usize]));
        let mut visited: Vec<bool> = (0..row.len()).map(|at| at < nodes as usize).collect();
        visited[target as usize] = false;
        order.retain(|at| {
            let here = visited[*at as usize];
            for next in graph.neighbours(*at) {
                if here && *next != target && self.is_on_shortest(*at, *next, target) {
                    visited[*next as usize] = true;
                }
            }
            here
        });
        order
    }

    fn row(&self, target: u32) -> &[u32] {
        self.rows[target as usize].get_or_init(|| self.search(target))
    }

    /// Searches backwards from a vertex, breadth first.
    fn search(&self, target: u32) -> Box<[u32]> {
        let before = |vertex: u32| self.before[vertex as usize].as_slice();
        let forwards = |vertex: u32| self.forwards[vertex as usize];
        steps_from([target], self.before.len(), before, forwards).into_boxed_slice()
    }

    /// Returns whether the link between two neighbours is on a shortest path to `target`.
    pub(crate) fn is_on_shortest(&self, from: u32, to: u32, target: u32) -> bool {
        let passes = to == target || self.forwards[to as usize];
        passes && self.between(to, target) < self.between(from, target)
    }

    /// Calls `visit` with the links that leave `at` on a shortest path to `target`, in order.
    pub(crate) fn nearer(&self, graph: &Graph, at: u32, target: u32, mut visit: impl FnMut(u32)) {
        for next in graph.neighbours(at) {
            if self.is_on_shortest(at, *next, target) {
                graph.cables(at, *next).for_each(&mut visit);
            }
        }
    }

    /// Returns the link that follows `at` on the shortest path that a hash chooses for the packets of
    /// a pair of vertices. `hop` is the number of links before it (Hopps, RFC 2992, 2000).
    ///
    /// # Panics
    /// Panics if no path leads to the target.
    pub(crate) fn spread(
        &self,
        graph: &Graph,
        seed: u64,
        (source, target): (u32, u32),
        (at, hop): (u32, u32),
    ) -> LinkId {
        let mut count = 0;
        self.nearer(graph, at, target, |_| count += 1);
        let pair = spread_bits(spread_bits(seed ^ u64::from(source)) ^ u64::from(target));
        let choice = spread_bits(pair ^ u64::from(hop)) % count;
        let (mut place, mut chosen) = (0, None);
        self.nearer(graph, at, target, |link| {
            if place == choice {
                chosen = Some(LinkId(link));
            }
            place += 1;
        });
        chosen.expect("the choice is below their number")
    }
}

/// Spreads the bits of a number (the finalizer of SplitMix64; Steele, Lea and Flood 2014).
pub(crate) fn spread_bits(number: u64) -> u64 {
    let mut mixed = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}
