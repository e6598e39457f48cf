//! `par`: like `ugal-l`, and packets on minimal paths decide again at the second router of their group
//! (Jiang, Kim and Dally, "Indirect adaptive routing on large scale interconnection networks", 2009).

use std::sync::Arc;

use rand::RngExt;
use sim_core::{ChaCha8Rng, stream};

use super::{
    Decision, Hop, Progressive, Queues, Routing, RoutingDescription, RoutingKind, ugal::local_cost,
    valiant::Detours,
};
use crate::{
    network::NodeId,
    topology::{Topology, VertexId},
};

/// The routing `par`.
#[derive(Debug)]
pub(super) struct Par;

impl RoutingKind for Par {
    fn description(&self) -> RoutingDescription {
        RoutingDescription {
            name: "par",
            summary: "as ugal-l, and minimal packets decide again at the second router of the group",
            channels: "twice those of the topology, and 1",
            source: "Jiang, Kim and Dally 2009",
        }
    }

    fn classes(&self, topology: &Topology) -> u32 {
        Detours::classes(topology) + 1
    }

    fn fits(&self, topology: &Topology) -> Result<(), String> {
        Detours::fits(topology)
    }

    fn decides(&self) -> Decision {
        Decision::Twice
    }

    fn on(&self, topology: &Arc<Topology>, seed: u64) -> Box<dyn Routing> {
        Box::new(Twice::new(topology, stream(seed, "par", 0)))
    }
}

/// Class 0 is that of the link after which a packet decides again. Packets leave it there and never
/// come back, so that those of UGAL, which follow, remain free from circles.
#[derive(Clone, Debug)]
struct Twice {
    detours: Detours,
    topology: Arc<Topology>,
    random: ChaCha8Rng,
    /// A node of each vertex at which packets can turn.
    nodes: Vec<Option<NodeId>>,
    minimal: Vec<Hop>,
    detour: Vec<Hop>,
}

impl Twice {
    fn new(topology: &Arc<Topology>, random: ChaCha8Rng) -> Self {
        let mut nodes = vec![None; topology.vertices() as usize];
        for node in (0..topology.nodes()).map(NodeId) {
            let is_host = topology.is_host(node);
            let at = if is_host { topology.graph().neighbours(node.0)[0] } else { node.0 };
            nodes[at as usize].get_or_insert(node);
        }
        Self {
            detours: Detours::new(topology),
            topology: Arc::clone(topology),
            random,
            nodes,
            minimal: Vec::new(),
            detour: Vec::new(),
        }
    }

    /// Returns the node whose paths a minimal packet takes into account behind its first link; `None`
    /// if it does not decide again: behind that link is its target, or a switch without nodes or of
    /// another group.
    fn second(&self, source: NodeId, target: NodeId, minimal: &[Hop]) -> Option<NodeId> {
        // Without the last link, to the target, and the one before it, to the target's switch.
        let between = minimal.len().checked_sub(1 + self.detours.cables(target))?;
        let hop = minimal[..between].get(self.detours.cables(source))?;
        let at = self.topology.link_ends(hop.link).1;
        let node = self.nodes[at.0 as usize]?;
        (self.detours.group(node) == self.detours.group(source)).then_some(node)
    }

    /// Appends a path from the switch of a node, without the cable of that node, in the classes
    /// behind class 0. `between` is the node of a detour. A path from a node to itself is empty.
    fn append(
        &mut self,
        from: NodeId,
        between: Option<NodeId>,
        target: NodeId,
        second: bool,
        path: &mut Vec<Hop>,
    ) {
        let begin = path.len();
        match between {
            Some(between) => self.detours.path(from, between, target, path),
            None => self.detours.direct(from, target, second, path),
        }
        let cables = self.detours.cables(from).min(path.len() - begin);
        path.drain(begin..begin + cables);
        path[begin..].iter_mut().for_each(|hop| hop.class += 1);
    }

    /// Appends the path that seems faster from the switch of a node, and returns whether it is the
    /// minimal one.
    fn choose(
        &mut self,
        from: NodeId,
        target: NodeId,
        queues: &dyn Queues,
        path: &mut Vec<Hop>,
    ) -> bool {
        let (mut minimal, mut detour) =
            (std::mem::take(&mut self.minimal), std::mem::take(&mut self.detour));
        minimal.clear();
        detour.clear();
        let between = self.detours.draw(&mut self.random);
        let second = self.random.random();
        self.append(from, Some(between), target, second, &mut detour);
        self.append(from, None, target, second, &mut minimal);
        let is_minimal = local_cost(&minimal, queues) <= local_cost(&detour, queues);
        path.extend_from_slice(if is_minimal { &minimal } else { &detour });
        (self.minimal, self.detour) = (minimal, detour);
        is_minimal
    }

    /// Appends the cable of a host.
    fn begin(&mut self, source: NodeId, target: NodeId, path: &mut Vec<Hop>) {
        let from = path.len();
        self.detours.direct(source, target, false, path);
        path.truncate(from + self.detours.cables(source));
        path[from..].iter_mut().for_each(|hop| hop.class += 1);
    }
}

impl Routing for Twice {
    fn progressive(&self) -> Option<Box<dyn Progressive>> {
        Some(Box::new(self.clone()))
    }

    fn path(&mut self, source: NodeId, target: NodeId, queues: &dyn Queues, path: &mut Vec<Hop>) {
        let from = path.len();
        self.begin(source, target, path);
        let is_minimal = self.choose(source, target, queues, path);
        let second = self.second(source, target, &path[from..]).filter(|_| is_minimal);
        if let Some(node) = second {
            let first = from + self.detours.cables(source);
            path[first].class = 0;
            path.truncate(first + 1);
            let part = self.random.random();
            self.append(node, None, target, part, path);
        }
    }

    fn paths(&self, source: NodeId, target: NodeId, visit: &mut dyn FnMut(&[Hop])) {
        let mut own = self.clone();
        let nodes = self.topology.nodes();
        let mut path = Vec::new();
        for between in (0..nodes).map(NodeId) {
            path.clear();
            own.begin(source, target, &mut path);
            own.append(source, Some(between), target, false, &mut path);
            visit(&path);
        }
        path.clear();
        own.begin(source, target, &mut path);
        own.append(source, None, target, false, &mut path);
        let Some(node) = self.second(source, target, &path) else { return };
        let first = self.detours.cables(source);
        path[first].class = 0;
        for between in (0..nodes).map(NodeId) {
            path.truncate(first + 1);
            own.append(node, Some(between), target, false, &mut path);
            visit(&path);
        }
    }
}

impl Progressive for Twice {
    fn revise(&mut self, at: VertexId, target: NodeId, queues: &dyn Queues, rest: &mut Vec<Hop>) {
        if let Some(node) = self.nodes[at.0 as usize] {
            self.choose(node, target, queues, rest);
        }
    }
}
