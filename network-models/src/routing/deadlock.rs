//! Freedom from deadlock of a routing, by the channel dependency graph of all its paths.

use super::{Hop, Queues, Routing, RoutingKind};
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

/// Returns a cycle of the dependencies of a routing with one virtual channel, if it needs several
/// for that reason.
pub(crate) fn cycle_of_one(topology: &Topology, kind: &dyn RoutingKind) -> Option<String> {
    const CHECKED: u32 = 256;
    if topology.nodes() > CHECKED || kind.fits(topology).is_err() {
        return None;
    }
    let topology = Arc::new(topology.clone());
    let merged = Merged(kind.on(&topology, 0));
    cycle(&topology, &merged, 1).map(|cycle| cycle.to_string())
}

/// A routing without its classes of virtual channels.
#[derive(Debug)]
pub(super) struct Merged(pub(super) Box<dyn Routing>);

impl Routing for Merged {
    fn path(&mut self, from: NodeId, to: NodeId, queues: &dyn Queues, path: &mut Vec<Hop>) {
        self.0.path(from, to, queues, path);
        path.iter_mut().for_each(|hop| hop.class = 0);
    }

    fn paths(&self, from: NodeId, to: NodeId, visit: &mut dyn FnMut(&[Hop])) {
        self.0.paths(from, to, &mut |path| {
            let path: Vec<Hop> = path.iter().map(|hop| Hop { class: 0, ..*hop }).collect();
            visit(&path);
        });
    }
}
