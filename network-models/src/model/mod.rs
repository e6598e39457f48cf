//! Network models, one file each, and the registry of those that come with the library.

mod constant;
mod flit;
mod fluid;
mod known;
mod link;
mod loggp;
mod misfit;
mod packet;
mod paths;

#[cfg(test)]
pub(crate) use self::flit::testing as flit_testing;

use std::{
    fmt::{self, Debug},
    sync::Arc,
};

use sim_core::SimDuration;

pub use self::{
    constant::Constant,
    flit::{Allocation, Classes, FlitParameters, Flits, Stages},
    fluid::{Fluid, FluidParameters, Weights},
    link::{LinkParameters, Links, Switching},
    loggp::{LogGp, LogGpParameters},
    misfit::ModelMisfit,
    packet::{DropTail, DropTailParameters, PacketParameters, Packets},
};
use crate::{
    network::{LocalPath, Network},
    routing::RoutingKind,
    topology::{Timeline, Topology},
    units::{Bandwidth, ByteTime},
};

/// Returns a machine for tests: 1 GB/s at links and ports, and the nanoseconds of a message and a hop.
#[cfg(test)]
pub(crate) fn test_hardware(latency: u64, hop: u64) -> Hardware {
    let rate = Bandwidth::from_bytes_per_sec(1_000_000_000);
    Hardware {
        latency: SimDuration::from_ns(latency),
        gap: SimDuration::ZERO,
        byte_time: ByteTime::from_fs(1_000_000),
        injection: rate,
        duplex_factor: 1,
        hop: SimDuration::from_ns(hop),
        link_bandwidth: rate,
        switching: Switching::CutThrough,
        local: LocalPath { latency: SimDuration::ZERO, bandwidth: None },
    }
}

/// Returns the network models that come with the library.
///
/// Order: as they are listed to users.
pub(crate) fn standard() -> Vec<Arc<dyn ModelKind>> {
    vec![
        Arc::new(constant::ConstantKind),
        Arc::new(loggp::LogGpKind),
        Arc::new(link::LinksKind::default()),
        Arc::new(fluid::FluidKind::default()),
        Arc::new(packet::PacketKind::default()),
        Arc::new(flit::FlitKind::default()),
    ]
}

/// A network model as users name it.
pub trait ModelKind: Debug + Send + Sync {
    /// Returns name, summary and source.
    fn description(&self) -> ModelDescription;

    /// Returns the options that can follow the name, as in `fluid:weights=latency`.
    ///
    /// The default is none.
    fn options(&self) -> &'static [ModelOption] {
        &[]
    }

    /// Returns the model with one option set; the others keep their values.
    ///
    /// # Errors
    /// Returns an error if there is no such option or the value is not of its form.
    fn with_option(&self, name: &str, value: &str) -> Result<Arc<dyn ModelKind>, BadOption> {
        let _ = (name, value);
        Err(BadOption)
    }

    /// Returns the model with a routing, such as one that was read from a file.
    ///
    /// The default is `None`: the model has no routing.
    fn with_routing(&self, routing: Arc<dyn RoutingKind>) -> Option<Arc<dyn ModelKind>> {
        let _ = routing;
        None
    }

    /// Returns the model with the seed of what it draws, which its own option `seed` overrides.
    ///
    /// The default is `None`: the model draws nothing.
    fn with_seed(&self, seed: u64) -> Option<Arc<dyn ModelKind>> {
        let _ = seed;
        None
    }

    /// Checks that the model with its options fits a machine and a topology.
    ///
    /// The default accepts everything.
    ///
    /// # Errors
    /// Returns an error that names what does not fit.
    fn check(&self, hardware: &Hardware, topology: &Topology) -> Result<(), ModelMisfit> {
        let _ = (hardware, topology);
        Ok(())
    }

    /// Reports whether messages delay each other anywhere. In a model where they do not, traffic of other programs
    /// ([`Background`](crate::Background)) has no effect.
    ///
    /// The default is `true`.
    fn shares(&self) -> bool {
        true
    }

    /// Returns what builds a network whose links fail during a run, if the model carries each message on
    /// the route and at the link rates of the topology; not if another routing was chosen.
    ///
    /// The default is `None`.
    fn changing(&self) -> Option<&dyn Changing> {
        None
    }

    /// Creates the network of one run, with no transfer in progress. [`ModelKind::check`] accepts
    /// the topology.
    fn build(&self, hardware: &Hardware, topology: &Arc<Topology>) -> Box<dyn Network>;
}

/// A network model whose links may fail during a run.
pub trait Changing {
    /// Checks that the model with its options fits a machine and a topology that changes.
    ///
    /// The default accepts everything.
    ///
    /// # Errors
    /// Returns an error that names what does not fit.
    fn check(&self, hardware: &Hardware, timeline: &Timeline) -> Result<(), ModelMisfit> {
        let _ = (hardware, timeline);
        Ok(())
    }

    /// Returns whether the network takes messages to which no path is left, sends them until there is one
    /// again, and explains with [`Network::deadlock`] those that never arrive.
    ///
    /// The default is `false`: such a message never arrives.
    fn waits_for_repair(&self) -> bool {
        false
    }

    /// Creates the network of one run, with no transfer in progress. [`Changing::check`] accepts the
    /// topology.
    fn build(&self, hardware: &Hardware, timeline: &Timeline) -> Box<dyn Network>;
}

/// Name, summary and source of a network model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ModelDescription {
    /// The name, as in `--network link`.
    pub name: &'static str,
    /// One line about what it captures.
    pub summary: &'static str,
    /// The source: a paper, or an author.
    pub source: &'static str,
}

/// The option `routing` of the models whose messages take one path for each pair of nodes.
pub(crate) const ROUTING: ModelOption = ModelOption {
    name: "routing",
    form: "dimension-order|ecmp|up-down|table:PATH",
    summary: "see `windtunnel list routings` (the topology's own)",
};

/// An option of a network model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ModelOption {
    /// The name, as in `--network NAME:option=value`.
    pub name: &'static str,
    /// The form of the value, as in `BYTES`.
    pub form: &'static str,
    /// One line about its meaning.
    pub summary: &'static str,
}

impl fmt::Display for ModelOption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.name, self.form)
    }
}

/// A network model does not have an option, or its value is not of the option's form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BadOption;

/// The numbers of a machine's network. A model uses those that it needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hardware {
    /// Fixed time of a message between nodes.
    pub latency: SimDuration,
    /// Least time between two injections of a node (g of LogGP).
    pub gap: SimDuration,
    /// Time per byte at a node's port (G of LogGP).
    pub byte_time: ByteTime,
    /// The rate of `byte_time`.
    pub injection: Bandwidth,
    /// 2 where sending and receiving share a node's port (half duplex), else 1.
    pub duplex_factor: u64,
    /// Time of a switch and its wire, for each hop.
    pub hop: SimDuration,
    /// Rate of each link in each direction.
    pub link_bandwidth: Bandwidth,
    /// The way switches forward a message.
    pub switching: Switching,
    /// The path between ranks of one node.
    pub local: LocalPath,
}
