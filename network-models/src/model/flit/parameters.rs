//! [`FlitParameters`]: the numbers of the model `flit`.

use std::{num::NonZeroU32, sync::Arc};

use sim_core::SimDuration;

use super::{NUMBER_MAX, allocator::Allocation};
use crate::{
    model::ModelMisfit,
    routing::{RoutingKind, cycle_of_one},
    topology::{LinkId, Topology},
    units::Bandwidth,
};

/// The stages of a router, in cycles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stages {
    /// Route computation.
    pub route: u32,
    /// Allocation of a virtual channel; at least 1.
    pub vc: u32,
    /// Allocation of the switch; at least 1.
    pub switch: u32,
    /// Switch traversal.
    pub traversal: u32,
}

impl Default for Stages {
    fn default() -> Self {
        Self { route: 1, vc: 1, switch: 1, traversal: 1 }
    }
}

impl Stages {
    /// Returns the cycles that the head of a packet takes through an idle router.
    pub fn depth(self, speculation: bool) -> u32 {
        let Self { route, vc, switch, traversal } = self;
        route + if speculation { vc.max(switch) } else { vc + switch } + traversal
    }
}

/// Where virtual channels are divided into the classes of the routing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Classes {
    /// Nowhere: a packet uses any of them, and the network may deadlock.
    Ignored,
    /// On links between routers.
    Links,
    /// On the cables from switches to hosts, too. No routing needs that; it costs throughput where
    /// virtual channels are few.
    Everywhere,
}

impl Classes {
    /// Returns whether virtual channels are divided at all.
    pub(super) fn divide(self) -> bool {
        match self {
            Self::Ignored => false,
            Self::Links | Self::Everywhere => true,
        }
    }
}

/// The parameters of the model `flit`. A cycle is the time of a flit on a link.
#[derive(Clone, Debug)]
pub struct FlitParameters {
    /// Fixed time of a message, after its last flit has left the network.
    pub latency: SimDuration,
    /// Rate of each link in each direction.
    pub bandwidth: Bandwidth,
    /// Rate of a node's port in each direction, if it is lower than that of a link.
    pub injection: Option<Bandwidth>,
    /// Number of bytes of a flit.
    pub flit: NonZeroU32,
    /// Largest number of flits of a packet.
    pub packet: NonZeroU32,
    /// Number of virtual channels of each link.
    pub channels: NonZeroU32,
    /// Number of flits for which each virtual channel has space behind the link.
    pub buffer: NonZeroU32,
    /// The stages of a router.
    pub stages: Stages,
    /// Cycles of a flit or a credit on a link.
    pub wire: NonZeroU32,
    /// Cycles after which a credit that has arrived is used.
    pub credit: u32,
    /// Whether a packet asks for the switch while it asks for a virtual channel.
    pub speculation: bool,
    /// The algorithm of the allocators.
    pub allocation: Allocation,
    /// Whether the packets of older messages are granted first.
    pub oldest_first: bool,
    /// The routing.
    pub routing: Arc<dyn RoutingKind>,
    /// Where the virtual channels are divided into the classes of the routing.
    pub classes: Classes,
    /// Seed of routings that draw paths.
    pub seed: u64,
}

impl FlitParameters {
    /// Returns the cycles on a link: of one with a delay of its own what the stages leave of it.
    pub(super) fn wire_of(&self, topology: &Topology, link: LinkId) -> u32 {
        let Some(delay) = topology.numbers(link).delay else { return self.wire.get() };
        let period = self.bandwidth.time_for(self.flit.get().into()).as_ps().max(1);
        let cycles = delay.as_ps().div_ceil(period).min(NUMBER_MAX.into()) as u32;
        cycles.saturating_sub(self.stages.depth(self.speculation)).max(1)
    }

    /// Checks that all links have the same rate, that the routing fits the topology and that it has
    /// enough virtual channels.
    ///
    /// # Errors
    /// Returns what is missing.
    pub fn check(&self, topology: &Topology) -> Result<(), ModelMisfit> {
        let routing = self.routing.description().name;
        let name = || topology.name().to_owned();
        let rates = (0..topology.link_count())
            .map(|link| topology.link_bandwidth(LinkId(link), self.bandwidth).bytes_per_sec());
        if let Some(other) = rates.into_iter().find(|rate| *rate != self.bandwidth.bytes_per_sec())
        {
            let rates = (self.bandwidth.bytes_per_sec(), other);
            return Err(ModelMisfit::Rates { topology: name(), rates });
        }
        if let Err(reason) = self.routing.fits(topology) {
            return Err(ModelMisfit::Routing { routing, reason });
        }
        let needed = if self.classes.divide() { self.routing.classes(topology) } else { 1 };
        self.check_channels(needed, name).map_err(|mut misfit| {
            if let ModelMisfit::Channels { cycle, .. } = &mut misfit {
                *cycle = cycle_of_one(topology, &*self.routing);
            }
            misfit
        })
    }

    /// Checks that there is a virtual channel for each of `needed` classes.
    ///
    /// # Errors
    /// Returns both numbers.
    pub(super) fn check_channels(
        &self,
        needed: u32,
        topology: impl FnOnce() -> String,
    ) -> Result<(), ModelMisfit> {
        let given = self.channels.get();
        if given >= needed {
            return Ok(());
        }
        let routing = self.routing.description().name;
        Err(ModelMisfit::Channels { routing, topology: topology(), needed, given, cycle: None })
    }
}
