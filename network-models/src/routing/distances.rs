//! [`Distances`]: the number of links from every vertex to a node.

use std::collections::BTreeMap;

use crate::topology::Topology;

/// Distances to the nodes that were asked for.
#[derive(Clone, Debug, Default)]
pub(super) struct Distances {
    /// The vertices with a link to each vertex.
    before: Vec<Vec<u32>>,
    known: BTreeMap<u32, Vec<u32>>,
}

impl Distances {
    pub(super) fn new(topology: &Topology) -> Self {
        let mut before = vec![Vec::new(); topology.vertices() as usize];
        for (from, to) in topology.graph().pairs() {
            before[to as usize].push(from);
        }
        Self { before, known: BTreeMap::new() }
    }

    /// Returns the number of links from each vertex to a node; `u32::MAX` where no path leads.
    pub(super) fn to(&mut self, target: u32) -> &[u32] {
        let before = &self.before;
        self.known.entry(target).or_insert_with(|| search(before, target))
    }
}

/// Searches backwards from a vertex, breadth first.
fn search(before: &[Vec<u32>], target: u32) -> Vec<u32> {
    let mut distances = vec![u32::MAX; before.len()];
    distances[target as usize] = 0;
    let mut reached = vec![target];
    let mut place = 0;
    while let Some(vertex) = reached.get(place).copied() {
        place += 1;
        for before in &before[vertex as usize] {
            if distances[*before as usize] == u32::MAX {
                distances[*before as usize] = distances[vertex as usize] + 1;
                reached.push(*before);
            }
        }
    }
    distances
}
