//! `ugal-l` and `ugal-g`: each packet takes the minimal path or one over a random node, whichever
//! seems faster (Singh, "Load-balanced routing in interconnection networks", 2005).

use std::sync::Arc;

use rand::RngExt;
use sim_core::{ChaCha8Rng, stream};

use super::{
    Decision, Hop, Queues, Routing, RoutingDescription, RoutingKind,
    valiant::{Detours, turn_at_switches},
};
use crate::{network::NodeId, topology::Topology};

/// The routing `ugal-l`.
#[derive(Debug)]
pub(super) struct UgalL;

/// The routing `ugal-g`.
#[derive(Debug)]
pub(super) struct UgalG;

impl RoutingKind for UgalL {
    fn description(&self) -> RoutingDescription {
        RoutingDescription {
            name: "ugal-l",
            summary: "minimal or as valiant, by queue and hops where the packet enters",
            channels: "twice those of the topology",
            source: "Singh 2005",
        }
    }

    fn classes(&self, topology: &Topology) -> u32 {
        2 * topology.channels()
    }

    fn fits(&self, topology: &Topology) -> Result<(), String> {
        turn_at_switches(topology)
    }

    fn decides(&self) -> Decision {
        Decision::AtEntry
    }

    fn on(&self, topology: &Arc<Topology>, seed: u64) -> Box<dyn Routing> {
        Box::new(Ugal::new(topology, seed, Knowledge::Local))
    }
}

impl RoutingKind for UgalG {
    fn description(&self) -> RoutingDescription {
        RoutingDescription {
            name: "ugal-g",
            summary: "minimal or as valiant, by the queues along both paths",
            channels: "twice those of the topology",
            source: "Singh 2005",
        }
    }

    fn classes(&self, topology: &Topology) -> u32 {
        2 * topology.channels()
    }

    fn fits(&self, topology: &Topology) -> Result<(), String> {
        turn_at_switches(topology)
    }

    fn decides(&self) -> Decision {
        Decision::AtEntry
    }

    fn on(&self, topology: &Arc<Topology>, seed: u64) -> Box<dyn Routing> {
        Box::new(Ugal::new(topology, seed, Knowledge::Global))
    }
}

/// The queues that a decision is based on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Knowledge {
    /// That of the first link between switches.
    Local,
    /// Those of all links of the path.
    Global,
}

/// Returns the time that a path seems to take by its first queue. It begins at a switch.
pub(super) fn local_cost(path: &[Hop], queues: &dyn Queues) -> u64 {
    path.first().map_or(0, |hop| queues.queue(hop.link)) * path.len() as u64
}

#[derive(Debug)]
struct Ugal {
    detours: Detours,
    topology: Arc<Topology>,
    random: ChaCha8Rng,
    knowledge: Knowledge,
    minimal: Vec<Hop>,
}

impl Ugal {
    fn new(topology: &Arc<Topology>, seed: u64, knowledge: Knowledge) -> Self {
        Self {
            detours: Detours::new(topology),
            topology: Arc::clone(topology),
            random: stream(seed, "ugal", 0),
            knowledge,
            minimal: Vec::new(),
        }
    }

    /// Returns the time that a path seems to take.
    fn cost(&self, source: NodeId, path: &[Hop], queues: &dyn Queues) -> u64 {
        // All packets of a host cross its cable, and the queue of the sending node tells nothing.
        let inside = &path[usize::from(self.topology.is_host(source)).min(path.len())..];
        match self.knowledge {
            Knowledge::Local => local_cost(inside, queues),
            // What was sent over one link waits for the next, and must not count twice.
            Knowledge::Global => inside.iter().map(|hop| queues.waiting(hop.link)).sum(),
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
