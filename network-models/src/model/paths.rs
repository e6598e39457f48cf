//! [`Choice`]: the routing of a model, if it is not the topology's own, and the [`Paths`] by it.

use std::sync::Arc;

use super::misfit::ModelMisfit;
use crate::{
    network::NodeId,
    routing::{Decision, Hop, Queues, Routing, RoutingKind, named},
    topology::{LinkId, Topology},
};

/// The routing that was chosen for a model; without one, the topology's own routes.
#[derive(Clone, Debug, Default)]
pub(super) struct Choice {
    pub(super) kind: Option<Arc<dyn RoutingKind>>,
    pub(super) seed: u64,
}

impl Choice {
    /// Sets the options `routing` and `seed`; returns whether it was one of them and well-formed.
    pub(super) fn set(&mut self, name: &str, value: &str) -> bool {
        match name {
            "routing" => {
                let Some(kind) = named(value) else { return false };
                self.kind = Some(kind);
                true
            }
            "seed" => value.parse().map(|seed| self.seed = seed).is_ok(),
            _ => false,
        }
    }

    /// Checks that the routing fits a topology and decides early enough for a model.
    pub(super) fn check(
        &self,
        topology: &Topology,
        follows: &[Decision],
    ) -> Result<(), ModelMisfit> {
        let Some(kind) = &self.kind else { return Ok(()) };
        let routing = kind.description().name;
        if !follows.contains(&kind.decides()) {
            let reason = match kind.decides() {
                Decision::ByPair => "has one path for each pair of nodes",
                Decision::AtEntry => "chooses a path for each packet, by chance or by queues",
                Decision::PerHop => "decides at each router",
            };
            let reason = format!("{reason}, which the model cannot follow; `flit` can");
            return Err(ModelMisfit::Routing { routing, reason });
        }
        kind.fits(topology).map_err(|reason| ModelMisfit::Routing { routing, reason })
    }

    /// Prepares the paths on a topology.
    pub(super) fn on(&self, topology: &Arc<Topology>) -> Paths {
        let by_hop = self.kind.is_none() && !topology.is_free_from_deadlock();
        Paths {
            topology: Arc::clone(topology),
            channels: match &self.kind {
                Some(kind) => kind.classes(topology),
                None if by_hop => topology.longest_route(),
                None => topology.channels(),
            },
            routing: self.kind.as_ref().map(|kind| kind.on(topology, self.seed)),
            by_hop,
            hops: Vec::new(),
        }
    }
}

/// The paths of messages on a topology.
#[derive(Debug)]
pub(super) struct Paths {
    topology: Arc<Topology>,
    /// `None` stands for the topology's own routes.
    routing: Option<Box<dyn Routing>>,
    channels: u32,
    /// Whether the virtual channel of a hop is its number.
    by_hop: bool,
    hops: Vec<Hop>,
}

impl Paths {
    /// Returns the number of virtual channels that the paths need.
    pub(super) fn channels(&self) -> u32 {
        self.channels
    }

    /// Returns whether the paths are the topology's own routes.
    pub(super) fn are_own(&self) -> bool {
        self.routing.is_none()
    }

    /// Sets `links` to the path of the next message between two nodes.
    pub(super) fn links(&mut self, source: NodeId, target: NodeId, links: &mut Vec<LinkId>) {
        links.clear();
        match &mut self.routing {
            None => self.topology.route(source, target, links),
            Some(routing) => {
                self.hops.clear();
                routing.path(source, target, &Unknown, &mut self.hops);
                links.extend(self.hops.iter().map(|hop| hop.link));
            }
        }
    }

    /// Returns the path of the next message between two nodes with its virtual channels. `links` is
    /// space for it.
    pub(super) fn hops(
        &mut self,
        (source, target): (NodeId, NodeId),
        queues: &dyn Queues,
        links: &mut Vec<LinkId>,
    ) -> &[Hop] {
        self.hops.clear();
        match &mut self.routing {
            Some(routing) => routing.path(source, target, queues, &mut self.hops),
            None => {
                links.clear();
                self.topology.route(source, target, links);
                self.hops.extend((0..).zip(links.iter()).map(|(hop, link)| {
                    let at = self.topology.link_ends(*link).0;
                    let own = || self.topology.channel(source, at, target);
                    Hop { link: *link, class: if self.by_hop { hop } else { own() } }
                }));
            }
        }
        &self.hops
    }
}

/// Queues of a model whose routings do not ask for them.
struct Unknown;

impl Queues for Unknown {
    fn queue(&self, _: LinkId) -> u64 {
        0
    }
}
