//! `dimension-order`: the topology's own route.

use std::sync::Arc;

use super::{Decision, Hop, Queues, Routing, RoutingDescription, RoutingKind, minimal_route};
use crate::{
    network::NodeId,
    topology::{LinkId, Topology},
};

/// The routing `dimension-order`.
#[derive(Debug)]
pub(super) struct DimensionOrder;

impl RoutingKind for DimensionOrder {
    fn description(&self) -> RoutingDescription {
        RoutingDescription {
            name: "dimension-order",
            summary: "the topology's own minimal route: dimension order, e-cube, D-mod-K, \
                      local-global-local",
            channels: "those of the topology",
            source: "Dally and Seitz 1987",
        }
    }

    fn classes(&self, topology: &Topology) -> u32 {
        topology.channels()
    }

    fn decides(&self) -> Decision {
        Decision::ByPair
    }

    fn is_own(&self) -> bool {
        true
    }

    fn on(&self, topology: &Arc<Topology>, _: u64) -> Box<dyn Routing> {
        Box::new(Minimal { topology: Arc::clone(topology), links: Vec::new() })
    }
}

#[derive(Debug)]
struct Minimal {
    topology: Arc<Topology>,
    links: Vec<LinkId>,
}

impl Routing for Minimal {
    fn path(&mut self, source: NodeId, target: NodeId, _: &dyn Queues, path: &mut Vec<Hop>) {
        minimal_route(&self.topology, (source, target), 0, &mut self.links, path);
    }

    fn paths(&self, source: NodeId, target: NodeId, visit: &mut dyn FnMut(&[Hop])) {
        let mut path = Vec::new();
        minimal_route(&self.topology, (source, target), 0, &mut Vec::new(), &mut path);
        visit(&path);
    }
}
