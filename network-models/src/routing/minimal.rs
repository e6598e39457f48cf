//! `dimension-order`: the topology's own route.

use std::sync::Arc;

use super::{Decision, Hop, Queues, Routing, RoutingDescription, RoutingKind};
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
        Box::new(Minimal {
            topology: Arc::clone(topology),
            turns: vec![0; topology.nodes() as usize],
            links: Vec::new(),
        })
    }
}

#[derive(Debug)]
struct Minimal {
    topology: Arc<Topology>,
    /// The turn of the next packet of each node.
    turns: Vec<u32>,
    links: Vec<LinkId>,
}

impl Routing for Minimal {
    fn path(&mut self, source: NodeId, target: NodeId, _: &dyn Queues, path: &mut Vec<Hop>) {
        let next = &mut self.turns[source.0 as usize];
        let turn = *next;
        *next = (turn + 1) % self.topology.turns();
        route_in_turn(&self.topology, (source, target), turn, &mut self.links, path);
    }

    fn paths(&self, source: NodeId, target: NodeId, visit: &mut dyn FnMut(&[Hop])) {
        let (mut path, mut links) = (Vec::new(), Vec::new());
        for turn in 0..self.topology.turns() {
            path.clear();
            route_in_turn(&self.topology, (source, target), turn, &mut links, &mut path);
            visit(&path);
        }
    }
}

/// Appends the topology's own route of a packet whose turn is `turn`.
fn route_in_turn(
    topology: &Topology,
    (source, target): (NodeId, NodeId),
    turn: u32,
    links: &mut Vec<LinkId>,
    path: &mut Vec<Hop>,
) {
    links.clear();
    topology.route_in_turn(source, target, turn, links);
    path.extend(links.iter().map(|link| {
        let (at, _) = topology.link_ends(*link);
        Hop { link: *link, class: topology.channel(source, at, target) }
    }));
}
