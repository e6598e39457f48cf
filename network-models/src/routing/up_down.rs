//! `up-down`: the links of any graph lead up or down, and no path goes up again (Schroeder et al.,
//! "Autonet: a high-speed, self-configuring local area network using point-to-point links", 1991).

use std::{collections::BTreeMap, sync::Arc};

use super::{Decision, Hop, Queues, Routing, RoutingDescription, RoutingKind, valiant::needs};
use crate::{
    network::NodeId,
    topology::{LinkId, Topology, VertexId, spread_bits, steps_from},
};

/// Most switches with nodes, times links, for which it is tested whether several roots suffice.
const WORK_MAX: u64 = 1 << 26;

/// Most ends of paths to which the distance from a root counts.
const CENTRED_MAX: usize = 64;

/// Marks vertices from which no path leads.
const NONE: u32 = u32::MAX;

/// The routing `up-down`.
#[derive(Debug)]
pub(super) struct UpDown;

impl RoutingKind for UpDown {
    fn description(&self) -> RoutingDescription {
        RoutingDescription {
            name: "up-down",
            summary: "on any graph the shortest paths that never lead up again after they led down, \
                      one for each pair of nodes by a hash; up is towards the switches farthest from \
                      nodes",
            channels: "1",
            source: "Schroeder et al. 1991",
        }
    }

    fn classes(&self, _: &Topology) -> u32 {
        1
    }

    fn fits(&self, topology: &Topology) -> Result<(), String> {
        let graph = topology.graph();
        match graph.pairs().all(|(from, to)| graph.neighbours(to).contains(&from)) {
            true => Ok(()),
            false => Err(needs(topology, "cables that carry both directions")),
        }
    }

    fn decides(&self) -> Decision {
        Decision::ByPair
    }

    fn on(&self, topology: &Arc<Topology>, seed: u64) -> Box<dyn Routing> {
        Box::new(Levelled::new(topology, seed))
    }
}

#[derive(Debug)]
struct Levelled {
    topology: Arc<Topology>,
    seed: u64,
    /// Number of links to the nearest root.
    levels: Vec<u32>,
    /// By the vertices at which paths to nodes end or, if a node is a host, its switch.
    rows: BTreeMap<u32, Row>,
}

/// The lengths of the paths to a node from each vertex.
#[derive(Clone, Debug)]
struct Row {
    /// Of those that only lead down.
    down: Vec<u32>,
    /// Of all that never lead up again.
    any: Vec<u32>,
}

impl Levelled {
    fn new(topology: &Arc<Topology>, seed: u64) -> Self {
        let mut levelled = Self {
            topology: Arc::clone(topology),
            seed,
            levels: Vec::new(),
            rows: BTreeMap::new(),
        };
        // The switches farthest from nodes are the tops of a tree. Where some pair of nodes has no
        // path below them, a single root has one.
        let heights = levelled.levels_from(0..topology.nodes());
        let forwards = |vertex: &u32| topology.forwards(VertexId(*vertex));
        let all = || (0..topology.vertices()).filter(forwards);
        let height = |vertex: &u32| Some(heights[*vertex as usize]).filter(|it| *it != NONE);
        let top = all().filter_map(|vertex| height(&vertex)).max().unwrap_or(0);
        let tops = all().filter(|vertex| height(vertex) == Some(top));
        levelled.levels = levelled.levels_from(tops);
        if !levelled.joins_all() {
            let root = levelled.centre();
            levelled.levels = levelled.levels_from([root]);
        }
        levelled
    }

    /// Returns the number of links from each vertex to the nearest one of `roots`.
    fn levels_from(&self, roots: impl IntoIterator<Item = u32>) -> Vec<u32> {
        let neighbours = |vertex| self.topology.graph().neighbours(vertex);
        let forwards = |vertex| self.topology.forwards(VertexId(vertex));
        steps_from(roots, self.topology.vertices() as usize, neighbours, forwards)
    }

    /// Returns the vertex whose farthest node is nearest, the first one of several. Of more than 64
    /// nodes and switches with nodes the first 64 count.
    fn centre(&self) -> u32 {
        let distances = self.topology.all_distances();
        let ends: Vec<u32> =
            distances.ends(self.topology.nodes()).into_keys().take(CENTRED_MAX).collect();
        let forwards = |vertex: &u32| self.topology.forwards(VertexId(*vertex));
        let farthest = |vertex: &u32| ends.iter().map(|end| distances.between(*vertex, *end)).max();
        (0..self.topology.vertices()).filter(forwards).min_by_key(farthest).unwrap_or(0)
    }

    /// Returns whether there is a path between any two nodes; `false` if there is too much to look
    /// at.
    fn joins_all(&self) -> bool {
        let ends = self.topology.all_distances().ends(self.topology.nodes());
        if ends.len() as u64 * u64::from(self.topology.link_count()) > WORK_MAX {
            return false;
        }
        ends.keys().all(|end| {
            let row = self.row(*end);
            ends.keys().all(|from| row.any[*from as usize] != NONE)
        })
    }

    /// Returns whether a link leads up: towards a root, between equals to the lower number.
    fn is_up(&self, from: u32, to: u32) -> bool {
        let key = |vertex: u32| (self.levels[vertex as usize], vertex);
        key(to) < key(from)
    }

    /// Searches backwards from a vertex, breadth first: first for paths down, then, from all vertices
    /// that have one, for those that lead up before.
    fn row(&self, target: u32) -> Row {
        let graph = self.topology.graph();
        let forwards = |vertex: u32| vertex == target || self.topology.forwards(VertexId(vertex));
        let mut down = vec![NONE; self.topology.vertices() as usize];
        down[target as usize] = 0;
        let mut order = vec![target];
        let mut place = 0;
        while let Some(at) = order.get(place).copied() {
            place += 1;
            for before in graph.neighbours(at) {
                if forwards(at) && !self.is_up(*before, at) && down[*before as usize] == NONE {
                    down[*before as usize] = down[at as usize] + 1;
                    order.push(*before);
                }
            }
        }
        // Lengths rise along the order; vertices that are reached upwards are merged into it.
        let mut any = down.clone();
        let mut by_length: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        order.iter().for_each(|at| by_length.entry(down[*at as usize]).or_default().push(*at));
        while let Some((length, vertices)) = by_length.pop_first() {
            for at in vertices {
                if any[at as usize] != length || !forwards(at) {
                    continue;
                }
                for before in graph.neighbours(at) {
                    if self.is_up(*before, at) && any[*before as usize] > length + 1 {
                        any[*before as usize] = length + 1;
                        by_length.entry(length + 1).or_default().push(*before);
                    }
                }
            }
        }
        Row { down, any }
    }

    /// Returns the vertex whose row gives the paths to a node: its switch, if it is a host, since the
    /// cable from there leads down.
    fn end(&self, target: NodeId) -> u32 {
        if self.topology.is_host(target) {
            return self.topology.graph().neighbours(target.0)[0];
        }
        target.0
    }

    /// Appends the path of a pair of nodes, given the row of the target's end.
    fn follow(&self, row: &Row, source: NodeId, target: NodeId, path: &mut Vec<Hop>) {
        let (graph, end) = (self.topology.graph(), self.end(target));
        let (mut at, mut falls, mut choices) = (source.0, false, Vec::new());
        while at != target.0 {
            choices.clear();
            if at == end {
                choices.extend(graph.cables(at, target.0));
            }
            let passes =
                |next: &&u32| **next == target.0 || self.topology.forwards(VertexId(**next));
            for next in graph.neighbours(at).iter().filter(passes) {
                let up = self.is_up(at, *next);
                let left = if falls { row.down[at as usize] } else { row.any[at as usize] };
                let then = if up { row.any[*next as usize] } else { row.down[*next as usize] };
                if at != end && !(up && falls) && then != NONE && then + 1 == left {
                    choices.extend(graph.cables(at, *next));
                }
            }
            let pair = spread_bits(self.seed ^ u64::from(source.0)) ^ u64::from(target.0);
            let hash = spread_bits(spread_bits(pair) ^ u64::from(at));
            let link = LinkId(choices[(hash % choices.len() as u64) as usize]);
            path.push(Hop { link, class: 0 });
            let (_, to) = self.topology.link_ends(link);
            falls = !self.is_up(at, to.0);
            at = to.0;
        }
    }
}

impl Routing for Levelled {
    fn path(&mut self, source: NodeId, target: NodeId, _: &dyn Queues, path: &mut Vec<Hop>) {
        let end = self.end(target);
        if !self.rows.contains_key(&end) {
            self.rows.insert(end, self.row(end));
        }
        self.follow(&self.rows[&end], source, target, path);
    }

    fn paths(&self, source: NodeId, target: NodeId, visit: &mut dyn FnMut(&[Hop])) {
        let mut path = Vec::new();
        self.follow(&self.row(self.end(target)), source, target, &mut path);
        visit(&path);
    }
}
