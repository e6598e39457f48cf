//! Search for slots near a given slot.

use std::{collections::VecDeque, mem};

use petgraph::visit::{Bfs, VisitMap};

use super::measure::Machine;

/// Most vertices of the network that one search visits.
const VISITS_MAX: usize = 256;

/// Finds slots by searching outwards from a node.
pub(super) struct Near<'a> {
    machine: &'a Machine<'a>,
    /// Index in `slots` of the first slot of each node.
    first: Vec<u32>,
    slots: Vec<u32>,
    search: Bfs<u32, Visits>,
}

/// The vertices visited by the current search. Starting another search takes constant time.
struct Visits {
    /// Number of the last search that visited each vertex.
    last: Vec<u32>,
    search: u32,
}

impl VisitMap<u32> for Visits {
    fn visit(&mut self, vertex: u32) -> bool {
        mem::replace(&mut self.last[vertex as usize], self.search) != self.search
    }

    fn is_visited(&self, vertex: &u32) -> bool {
        self.last[*vertex as usize] == self.search
    }

    fn unvisit(&mut self, vertex: u32) -> bool {
        mem::take(&mut self.last[vertex as usize]) == self.search
    }
}

impl<'a> Near<'a> {
    pub(super) fn new(machine: &'a Machine<'a>) -> Self {
        let last = machine.nodes.iter().map(|node| node.0 + 1).max().unwrap_or(0);
        let nodes = machine.topology.map_or(last, |topology| topology.nodes());
        let mut first = vec![0; nodes as usize + 1];
        for node in machine.nodes {
            first[node.0 as usize + 1] += 1;
        }
        for node in 0..nodes as usize {
            first[node + 1] += first[node];
        }
        let mut slots: Vec<u32> = (0..machine.nodes.len() as u32).collect();
        slots.sort_by_key(|slot| machine.nodes[*slot as usize]);
        let vertices = machine.topology.map_or(nodes, |topology| topology.vertices());
        Self {
            machine,
            first,
            slots,
            search: Bfs {
                stack: VecDeque::new(),
                discovered: Visits { last: vec![0; vertices as usize], search: 0 },
            },
        }
    }

    /// Returns up to `count` slots that `wanted` accepts, the nearest first; fewer if few are near.
    pub(super) fn of(&mut self, slot: u32, count: usize, wanted: impl Fn(u32) -> bool) -> Vec<u32> {
        let start = self.machine.nodes[slot as usize].0;
        self.search.discovered.search += 1;
        self.search.discovered.visit(start);
        self.search.stack.clear();
        self.search.stack.push_back(start);
        let mut found = Vec::with_capacity(count);
        for _ in 0..VISITS_MAX {
            let Some(vertex) = self.next_vertex() else { break };
            let next = self.first.get(vertex as usize + 1);
            let here = next.map_or(0..0, |next| self.first[vertex as usize]..*next);
            let here = &self.slots[here.start as usize..here.end as usize];
            found.extend(here.iter().copied().filter(|slot| wanted(*slot)));
            if found.len() >= count {
                break;
            }
        }
        found.truncate(count);
        found
    }

    /// Returns the next vertex of the search. Without a topology no vertices are adjacent.
    fn next_vertex(&mut self) -> Option<u32> {
        match self.machine.topology {
            Some(topology) => topology.graph().advance(&mut self.search),
            None => self.search.stack.pop_front(),
        }
    }
}
