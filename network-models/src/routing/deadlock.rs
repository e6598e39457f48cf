//! Freedom from deadlock of a routing, by the channel dependency graph of all its paths.

use super::{Hop, Routing, RoutingKind};
use crate::{
    network::NodeId,
    topology::{ChannelCycle, Dependencies, Topology},
};
use std::sync::Arc;

impl dyn RoutingKind {
    /// Builds the channel dependency graph of all paths on a topology and returns a cycle of it, or
    /// `None` if the routing is free from deadlock with its virtual channels (Dally and Seitz 1987).
    ///
    /// Complexity: proportional to the total length of all paths, of which `valiant` has one for
    /// any three nodes.
    pub fn deadlock(&self, topology: &Arc<Topology>) -> Option<ChannelCycle> {
        cycle(topology, &*self.on(topology, 0), self.classes(topology))
    }
}

/// Returns a cycle of the dependencies of a routing.
pub(super) fn cycle(
    topology: &Topology,
    routing: &dyn Routing,
    classes: u32,
) -> Option<ChannelCycle> {
    let mut dependencies = Dependencies::new(topology.graph(), classes);
    let nodes = || (0..topology.nodes()).map(NodeId);
    for (source, target) in nodes().flat_map(|source| nodes().map(move |target| (source, target))) {
        if source != target {
            routing.paths(source, target, &mut |path| {
                dependencies.add(path.iter().map(|Hop { link, class }| (*link, *class)));
            });
        }
    }
    dependencies.cycle(topology)
}
