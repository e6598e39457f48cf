//! `ugal-threshold`: minimal or over a random node, by credits, a weight of 2 and a threshold.

use std::sync::Arc;

use sim_core::{ChaCha8Rng, stream};

use super::{Decision, Hop, Queues, Routing, RoutingDescription, RoutingKind, valiant::Detours};
use crate::{network::NodeId, topology::Topology};

/// By how much the queue of the minimal path may be longer, in the unit of the model: flits or packets.
const THRESHOLD: u64 = 30;
/// What a detour costs for each unit of its queue: it is about two minimal paths.
const DETOUR: u64 = 2;

/// The routing `ugal-threshold`.
#[derive(Debug)]
pub(super) struct UgalThreshold;

impl RoutingKind for UgalThreshold {
    fn description(&self) -> RoutingDescription {
        RoutingDescription {
            name: "ugal-threshold",
            summary: "as valiant if the minimal path's first link has over 30 more under way than twice a \
                      detour's",
            channels: Detours::CHANNELS,
            source: "as in BookSim 2, Jiang et al. 2013",
        }
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
        Box::new(Threshold {
            detours: Detours::new(topology),
            last: self.classes(topology) - 1,
            random: stream(seed, "ugal-threshold", 0),
            detour: Vec::new(),
        })
    }
}

/// Minimal paths have the classes of the second part of a detour; within a group, the last of them,
/// in which packets from other groups arrive.
#[derive(Clone, Debug)]
struct Threshold {
    detours: Detours,
    /// The last class of virtual channels.
    last: u32,
    random: ChaCha8Rng,
    detour: Vec<Hop>,
}

impl Threshold {
    /// Returns whether two nodes are in one of several groups.
    fn are_together(&self, one: NodeId, other: NodeId) -> bool {
        self.detours.group(one).is_some_and(|group| self.detours.group(other) == Some(group))
    }

    /// Appends the minimal path.
    fn minimal(&mut self, source: NodeId, target: NodeId, path: &mut Vec<Hop>) {
        let begin = path.len();
        self.detours.direct(source, target, true, path);
        if self.are_together(source, target) {
            path[begin..].iter_mut().for_each(|hop| hop.class = self.last);
        }
    }

    /// Returns what was sent over the first link of a path behind the source's cable and is not known to
    /// be forwarded.
    fn under_way(&self, source: NodeId, path: &[Hop], queues: &dyn Queues) -> u64 {
        let first = self.detours.behind_cable(source, path).first();
        first.map_or(0, |hop| queues.queue(hop.link).saturating_sub(queues.waiting(hop.link)))
    }
}

impl Routing for Threshold {
    fn path(&mut self, source: NodeId, target: NodeId, queues: &dyn Queues, path: &mut Vec<Hop>) {
        let begin = path.len();
        self.minimal(source, target, path);
        let between = self.detours.draw(&mut self.random);
        if [target, between].iter().any(|node| self.are_together(source, *node)) {
            return;
        }
        let mut detour = std::mem::take(&mut self.detour);
        detour.clear();
        self.detours.path(source, between, target, &mut detour);
        let direct = self.under_way(source, &path[begin..], queues);
        let around = self.under_way(source, &detour, queues);
        if direct > DETOUR * around + THRESHOLD {
            path.truncate(begin);
            path.extend_from_slice(&detour);
        }
        self.detour = detour;
    }

    fn paths(&self, source: NodeId, target: NodeId, visit: &mut dyn FnMut(&[Hop])) {
        let mut own = self.clone();
        if own.are_together(source, target) {
            let mut path = Vec::new();
            own.minimal(source, target, &mut path);
            return visit(&path);
        }
        // Among them are the minimal ones: over the source and over the target.
        own.detours.paths(source, target, visit);
    }
}
