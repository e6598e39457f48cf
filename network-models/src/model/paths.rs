//! [`Choice`]: the routing of a model, if it is not the topology's own, and the [`Paths`] by it, with
//! virtual channels as [`ChannelPaths`].

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
    kind: Option<Arc<dyn RoutingKind>>,
    seed: u64,
}

impl Choice {
    /// Returns the seed of what is random.
    pub(super) fn seed(&self) -> u64 {
        self.seed
    }

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
                Decision::Twice => "decides again on the way",
                Decision::PerHop => "decides at each router",
            };
            let reason = format!("{reason}, which the model cannot follow; `flit` can");
            return Err(ModelMisfit::Routing { routing, reason });
        }
        kind.fits(topology).map_err(|reason| ModelMisfit::Routing { routing, reason })
    }

    /// Returns the same choice with another routing.
    pub(super) fn with(&self, routing: Arc<dyn RoutingKind>) -> Self {
        Self { kind: Some(routing), ..self.clone() }
    }

    /// Returns whether messages take the topology's own routes.
    pub(super) fn is_own(&self) -> bool {
        self.kind.is_none()
    }

    /// Prepares the paths on a topology.
    pub(super) fn on(&self, topology: &Arc<Topology>) -> Paths {
        Paths {
            topology: Arc::clone(topology),
            routing: self.kind.as_ref().map(|kind| kind.on(topology, self.seed)),
            hops: Vec::new(),
        }
    }

    /// Prepares the paths on a topology, and the virtual channels that they need. These may have to
    /// be searched for, so that models without virtual channels do not ask for them.
    pub(super) fn with_channels_on(&self, topology: &Arc<Topology>) -> ChannelPaths {
        let by_hop = self.is_own() && !topology.is_free_from_deadlock();
        ChannelPaths {
            paths: self.on(topology),
            channels: match &self.kind {
                Some(kind) => kind.classes(topology),
                None if by_hop => topology.longest_route(),
                None => topology.channels(),
            },
            by_hop,
        }
    }
}

/// The paths of messages on a topology.
#[derive(Debug)]
pub(super) struct Paths {
    topology: Arc<Topology>,
    /// `None` stands for the topology's own routes.
    routing: Option<Box<dyn Routing>>,
    hops: Vec<Hop>,
}

impl Paths {
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
}

/// The paths of messages on a topology, with virtual channels.
#[derive(Debug)]
pub(super) struct ChannelPaths {
    paths: Paths,
    channels: u32,
    /// Whether the virtual channel of a hop is its number.
    by_hop: bool,
}

impl ChannelPaths {
    /// Returns the number of virtual channels that the paths need.
    pub(super) fn channels(&self) -> u32 {
        self.channels
    }

    /// Returns the path of the next message between two nodes with its virtual channels. `links` is
    /// space for it.
    pub(super) fn hops(
        &mut self,
        (source, target): (NodeId, NodeId),
        queues: &dyn Queues,
        links: &mut Vec<LinkId>,
    ) -> &[Hop] {
        let Paths { topology, routing, hops } = &mut self.paths;
        hops.clear();
        match routing {
            Some(routing) => routing.path(source, target, queues, hops),
            None => {
                links.clear();
                topology.route(source, target, links);
                hops.extend((0..).zip(links.iter()).map(|(hop, link)| {
                    let at = topology.link_ends(*link).0;
                    let own = || topology.channel(source, at, target);
                    Hop { link: *link, class: if self.by_hop { hop } else { own() } }
                }));
            }
        }
        hops
    }
}

/// Queues of a model whose routings do not ask for them.
struct Unknown;

impl Queues for Unknown {
    fn waiting(&self, _: LinkId) -> u64 {
        0
    }

    fn queue(&self, _: LinkId) -> u64 {
        0
    }
}
