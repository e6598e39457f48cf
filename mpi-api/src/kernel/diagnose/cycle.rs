//! Cycles of the wait-for graph.

use std::collections::{BTreeMap, VecDeque};

use petgraph::graph::{DiGraph, NodeIndex};

use super::Waiting;

/// Returns the shortest cycle of the wait-for graph of processes, from its lowest one; if
/// `only_all`, only among processes that need all of their partners. Ties go to the lowest process.
/// A process that waits for a rank waits for every thread of it that is left.
pub(super) fn shortest_cycle(waiting: &[Waiting], only_all: bool) -> Option<Vec<u32>> {
    let mut graph: DiGraph<u32, ()> = DiGraph::new();
    let nodes: BTreeMap<u32, NodeIndex> = waiting
        .iter()
        .filter(|w| w.all || !only_all)
        .map(|w| (w.process, graph.add_node(w.process)))
        .collect();
    let mut threads: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for w in waiting {
        threads.entry(w.rank).or_default().push(w.process);
    }
    for w in waiting {
        let Some(from) = nodes.get(&w.process) else { continue };
        let of_ranks = w.partners.iter().filter(|_| w.joined.is_none());
        let partners = of_ranks.filter_map(|rank| threads.get(rank)).flatten().chain(&w.joined);
        // A thread that waits for its own rank waits for the rank's other threads.
        let itself = |to: &u32| w.threaded && w.joined.is_none() && *to == w.process;
        let others = partners.filter(|to| !itself(to));
        for to in others.filter_map(|process| nodes.get(process)) {
            graph.update_edge(*from, *to, ());
        }
    }
    let mut best: Option<Vec<u32>> = None;
    for start in nodes.values().take(1024) {
        let cycle = cycle_through(&graph, *start);
        if let Some(cycle) = cycle
            && best.as_ref().is_none_or(|b| cycle.len() < b.len())
        {
            let short = cycle.len() <= 2;
            best = Some(cycle);
            if short {
                break;
            }
        }
    }
    best
}

fn cycle_through(graph: &DiGraph<u32, ()>, start: NodeIndex) -> Option<Vec<u32>> {
    let mut before: BTreeMap<NodeIndex, NodeIndex> = BTreeMap::new();
    let mut queue = VecDeque::from([start]);
    while let Some(node) = queue.pop_front() {
        let mut next: Vec<NodeIndex> = graph.neighbors(node).collect();
        next.sort_unstable();
        for to in next {
            if to == start {
                let mut cycle = vec![graph[node]];
                let mut at = node;
                while at != start {
                    at = before[&at];
                    cycle.push(graph[at]);
                }
                cycle.reverse();
                return Some(cycle);
            }
            if let std::collections::btree_map::Entry::Vacant(entry) = before.entry(to) {
                entry.insert(node);
                queue.push_back(to);
            }
        }
    }
    None
}
