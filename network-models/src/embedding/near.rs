//! Slots near a slot.

use std::collections::VecDeque;

use super::measure::Machine;

/// Most vertices of the network that are visited for one answer.
const VISITS_MAX: usize = 256;

/// Finds slots by going outwards from a node.
pub(super) struct Near<'a> {
    machine: &'a Machine<'a>,
    /// Where the slots of each node begin in `slots`.
    first: Vec<u32>,
    slots: Vec<u32>,
    /// The last question that came by each vertex.
    visited: Vec<u32>,
    question: u32,
    queue: VecDeque<u32>,
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
            visited: vec![0; vertices as usize],
            question: 0,
            queue: VecDeque::new(),
        }
    }

    /// Up to `count` slots that are wanted, the nearest first; fewer if few are near.
    pub(super) fn of(&mut self, slot: u32, count: usize, wanted: impl Fn(u32) -> bool) -> Vec<u32> {
        self.question += 1;
        let mut found = Vec::with_capacity(count);
        let start = self.machine.nodes[slot as usize].0;
        self.visited[start as usize] = self.question;
        self.queue.clear();
        self.queue.push_back(start);
        let mut visits = 0;
        while let Some(vertex) = self.queue.pop_front() {
            let next = self.first.get(vertex as usize + 1);
            let here = next.map_or(0..0, |next| self.first[vertex as usize]..*next);
            let here = &self.slots[here.start as usize..here.end as usize];
            found.extend(here.iter().copied().filter(|slot| wanted(*slot)));
            visits += 1;
            if found.len() >= count || visits == VISITS_MAX {
                break;
            }
            for other in self.machine.topology.map_or(&[][..], |topology| topology.next_to(vertex))
            {
                if std::mem::replace(&mut self.visited[*other as usize], self.question)
                    != self.question
                {
                    self.queue.push_back(*other);
                }
            }
        }
        found.truncate(count);
        found
    }
}
