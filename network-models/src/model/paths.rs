//! [`Choice`]: the routing of a model, if it is not the topology's own, and the [`Paths`] by it, with
//! virtual channels as [`ChannelPaths`].

use std::sync::Arc;

use sim_core::SimTime;

use super::{known::KnownRoutes, misfit::ModelMisfit};
use crate::{
    network::{NodeId, Transfer},
    routing::{Decision, Hop, Queues, Routing, RoutingKind, named},
    topology::{LinkId, Timeline, Topology},
};

/// A model other than `flit`, which follows all routings.
#[derive(Clone, Copy, Debug)]
pub(super) enum Follower {
    Link,
    Fluid,
    Packet,
    /// `packet` with drop-tail queues.
    DropTail,
}

impl Follower {
    /// Returns whether the model can follow routings that decide in a way.
    fn can_follow(self, decides: Decision, topology: &Topology) -> bool {
        match decides {
            Decision::ByPair => true,
            Decision::AtEntry => match self {
                Self::Link | Self::Fluid => false,
                // The port of a message is known when it is sent, and its path later.
                Self::Packet => topology.rails() == 1,
                // A connection has one path, so that its packets come in order.
                Self::DropTail => false,
            },
            Decision::Twice | Decision::PerHop => false,
        }
    }

    /// Returns the name of the model, and under which condition it is less than it could be.
    fn with_condition(self, topology: &Topology) -> &'static str {
        match self {
            Self::Link => "`link`",
            Self::Fluid => "`fluid`",
            Self::Packet if topology.rails() > 1 => "`packet` with several ports a node",
            Self::Packet => "`packet`",
            Self::DropTail => "`packet` with loss=drop-tail",
        }
    }
}

/// The routing that was chosen for a model; without one, the topology's own routes.
#[derive(Clone, Debug, Default)]
pub(super) struct Choice {
    kind: Option<Arc<dyn RoutingKind>>,
    seed: Seed,
}

/// The seed of what a network draws.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Seed {
    /// The option of the model.
    given: Option<u64>,
    /// That of the run, which counts if the model was given none.
    of_run: u64,
}

impl Seed {
    pub(super) fn value(self) -> u64 {
        self.given.unwrap_or(self.of_run)
    }

    /// Sets the option `seed`; returns whether it was well-formed.
    pub(super) fn set(&mut self, value: &str) -> bool {
        value.parse().map(|seed| self.given = Some(seed)).is_ok()
    }

    /// Returns the seed in a run that has this one.
    pub(super) fn in_run(self, of_run: u64) -> Self {
        Self { of_run, ..self }
    }
}

impl Choice {
    /// Returns the seed of what is random.
    pub(super) fn seed(&self) -> u64 {
        self.seed.value()
    }

    /// Returns the same choice in a run that has this seed.
    pub(super) fn in_run(&self, seed: u64) -> Self {
        Self { seed: self.seed.in_run(seed), ..self.clone() }
    }

    /// Sets the options `routing` and `seed`; returns whether it was one of them and well-formed.
    pub(super) fn set(&mut self, name: &str, value: &str) -> bool {
        match name {
            "routing" => {
                let Some(kind) = named(value) else { return false };
                self.kind = Some(kind).filter(|kind| !kind.is_own());
                true
            }
            "seed" => self.seed.set(value),
            _ => false,
        }
    }

    /// Checks that the routing fits a topology and that a model can follow it there.
    pub(super) fn check(&self, topology: &Topology, follower: Follower) -> Result<(), ModelMisfit> {
        let Some(kind) = &self.kind else { return Ok(()) };
        let routing = kind.description().name;
        let decides = kind.decides();
        if !follower.can_follow(decides, topology) {
            let how = match decides {
                Decision::ByPair => "has one path for each pair of nodes",
                Decision::AtEntry => "chooses a path for each packet, by chance or by queues",
                Decision::Twice => "decides again on the way",
                Decision::PerHop => "decides at each router",
            };
            let can = match (Follower::Packet.can_follow(decides, topology), follower) {
                (true, Follower::DropTail) => "`packet` without losses and `flit` can",
                (true, Follower::Link | Follower::Fluid | Follower::Packet) => {
                    "`packet` and `flit` can"
                }
                (false, _) => "`flit` can",
            };
            let cannot = follower.with_condition(topology);
            let reason = format!("{how}, which {cannot} cannot follow; {can}");
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

    /// Prepares the paths on a topology; only its own change with it.
    pub(super) fn on(&self, timeline: &Timeline) -> Paths {
        let topology = timeline.base();
        let takes_turns = self.is_own() && topology.turns() > 1;
        let is_same = self.is_own() && timeline.is_constant() && !takes_turns;
        Paths {
            // Where all nodes are around one switch, a route is computed as fast as it is looked up.
            known: (is_same && !topology.is_equidistant()).then(KnownRoutes::default),
            timeline: timeline.clone(),
            turns: if takes_turns { vec![0; topology.nodes() as usize] } else { Vec::new() },
            routing: self.kind.as_ref().map(|kind| kind.on(timeline.base(), self.seed())),
            hops: Vec::new(),
        }
    }

    /// Prepares the paths on a topology, and the virtual channels that they need. These may have to
    /// be searched for, so that models without virtual channels do not ask for them.
    pub(super) fn with_channels_on(&self, timeline: &Timeline) -> ChannelPaths {
        let is_free = |topology: &Arc<Topology>| topology.is_free_from_deadlock();
        // Paths before and after a change wait for each other, too: one channel for each hop is what
        // keeps all of them from a circle.
        let by_hop = self.is_own() && !timeline.topologies().all(is_free);
        let longest = timeline.topologies().map(|topology| topology.longest_route());
        ChannelPaths {
            paths: self.on(timeline),
            channels: match &self.kind {
                Some(kind) => kind.classes(timeline.base()),
                None if by_hop => longest.max().unwrap_or(1),
                None => timeline.base().channels(),
            },
            by_hop,
        }
    }
}

/// When a message was sent, and its turn among the routes of its node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Sent {
    at: SimTime,
    turn: u32,
}

/// The paths of messages on a topology.
#[derive(Debug)]
pub(super) struct Paths {
    timeline: Timeline,
    /// The turn of the next message of each node, if there are any.
    turns: Vec<u32>,
    /// `None` stands for the topology's own routes.
    routing: Option<Box<dyn Routing>>,
    /// Those own routes that are known, if all messages of a pair take the same.
    known: Option<KnownRoutes>,
    hops: Vec<Hop>,
}

impl Paths {
    /// Returns whether the paths are the topology's own routes as long as nothing changes.
    pub(super) fn are_constant_own(&self) -> bool {
        self.routing.is_none() && self.timeline.is_constant()
    }

    /// Returns the topology with its changes.
    pub(super) fn timeline(&self) -> &Timeline {
        &self.timeline
    }

    /// Decides about the next message of a node. A message without bytes uses the turn of the next one:
    /// it may announce it.
    pub(super) fn send(&mut self, now: SimTime, transfer: &Transfer) -> Sent {
        let mut turn = 0;
        if let Some(next) = self.turns.get_mut(transfer.source.0 as usize) {
            turn = *next;
            let passes = u32::from(transfer.bytes > 0);
            *next = (turn + passes) % self.timeline.base().turns();
        }
        Sent { at: now, turn }
    }

    /// Sets `links` to the path of a message between two nodes.
    pub(super) fn links(
        &mut self,
        sent: Sent,
        (source, target): (NodeId, NodeId),
        links: &mut Vec<LinkId>,
    ) {
        links.clear();
        match (&mut self.routing, &mut self.known) {
            (None, Some(known)) => known.append(self.timeline.base(), (source, target), links),
            (None, None) => {
                self.timeline.at(sent.at).route_in_turn(source, target, sent.turn, links);
            }
            (Some(routing), _) => {
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
    /// Returns the topology with its changes.
    pub(super) fn timeline(&self) -> &Timeline {
        self.paths.timeline()
    }

    /// Returns the number of virtual channels that the paths need.
    pub(super) fn channels(&self) -> u32 {
        self.channels
    }

    /// Decides about the next message of a node; see [`Paths::send`].
    pub(super) fn send(&mut self, now: SimTime, transfer: &Transfer) -> Sent {
        self.paths.send(now, transfer)
    }

    /// Returns the path of a message between two nodes with its virtual channels. `links` is space for
    /// it.
    pub(super) fn hops(
        &mut self,
        sent: Sent,
        (source, target): (NodeId, NodeId),
        queues: &dyn Queues,
        links: &mut Vec<LinkId>,
    ) -> &[Hop] {
        self.paths.hops.clear();
        if let Some(routing) = &mut self.paths.routing {
            routing.path(source, target, queues, &mut self.paths.hops);
        } else {
            self.paths.links(sent, (source, target), links);
            let topology = self.paths.timeline.at(sent.at);
            self.paths.hops.extend((0..).zip(links.iter()).map(|(hop, link)| {
                let at = topology.link_ends(*link).0;
                let own = || topology.channel(source, at, target);
                Hop { link: *link, class: if self.by_hop { hop } else { own() } }
            }));
        }
        &self.paths.hops
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
