//! `ugal-l` and `ugal-g`: each packet takes the minimal path or one over a random node, whichever
//! seems faster (Singh, "Load-balanced routing in interconnection networks", 2005).

use std::sync::Arc;

use rand::RngExt;
use sim_core::{ChaCha8Rng, stream};

use super::{Decision, Hop, Queues, Routing, RoutingDescription, RoutingKind, valiant::Detours};
use crate::{network::NodeId, topology::Topology};

/// The routings `ugal-l` and `ugal-g`: the queues that a decision is based on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum UgalKind {
    /// That of the first link between switches.
    Local,
    /// Those of all links of the path.
    Global,
}

impl RoutingKind for UgalKind {
    fn description(&self) -> RoutingDescription {
        let (name, summary) = match self {
            Self::Local => {
                ("ugal-l", "minimal or as valiant, by queue and hops where the packet enters")
            }
            Self::Global => ("ugal-g", "minimal or as valiant, by the queues along both paths"),
        };
        RoutingDescription { name, summary, channels: Detours::CHANNELS, source: "Singh 2005" }
    }

    fn classes(&self, topology: &Topology) -> u32 {
        Detours::classes(topology)
    }

    fn fits(&self, topology: &Topology) -> Result<(), String> {
        Detours::fits(topology)
    }

    fn decides(&self) -> Decision {
        Decision::AtEntry
    }

    fn on(&self, topology: &Arc<Topology>, seed: u64) -> Box<dyn Routing> {
        Box::new(Ugal {
            detours: Detours::new(topology),
            random: stream(seed, "ugal", 0),
            kind: *self,
            minimal: Vec::new(),
        })
    }
}

/// Returns the time that a path seems to take by its first queue. It begins at a switch.
pub(super) fn local_cost(path: &[Hop], queues: &dyn Queues) -> u64 {
    path.first().map_or(0, |hop| queues.queue(hop.link)) * path.len() as u64
}

#[derive(Debug)]
struct Ugal {
    detours: Detours,
    random: ChaCha8Rng,
    kind: UgalKind,
    minimal: Vec<Hop>,
}

impl Ugal {
    /// Returns the time that a path seems to take.
    fn cost(&self, source: NodeId, path: &[Hop], queues: &dyn Queues) -> u64 {
        let inside = self.detours.behind_cable(source, path);
        match self.kind {
            UgalKind::Local => local_cost(inside, queues),
            // What was sent over one link waits for the next, and must not count twice.
            UgalKind::Global => inside.iter().map(|hop| queues.waiting(hop.link)).sum(),
        }
    }
}

impl Routing for Ugal {
    fn path(&mut self, source: NodeId, target: NodeId, queues: &dyn Queues, path: &mut Vec<Hop>) {
        let from = path.len();
        let between = self.detours.draw(&mut self.random);
        self.detours.path(source, between, target, path);
        // Packets on minimal paths use the channels of both parts, each packet those of one.
        let second = self.random.random();
        let mut minimal = std::mem::take(&mut self.minimal);
        minimal.clear();
        self.detours.direct(source, target, second, &mut minimal);
        if self.cost(source, &minimal, queues) <= self.cost(source, &path[from..], queues) {
            path.truncate(from);
            path.extend_from_slice(&minimal);
        }
        self.minimal = minimal;
    }

    fn paths(&self, source: NodeId, target: NodeId, visit: &mut dyn FnMut(&[Hop])) {
        // Among them are the minimal ones: over the source and over the target.
        self.detours.clone().paths(source, target, visit);
    }
}
