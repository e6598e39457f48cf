//! Networks for tests: flits of 8 bytes in cycles of 1 ns.

use std::{num::NonZeroU32, sync::Arc};

use sim_core::SimDuration;

use super::{Allocation, Classes, FlitParameters, Flits, Stages};
use crate::{
    catalog::Catalog,
    network::LocalPath,
    routing::{self, RoutingKind},
    topology::Topology,
    traffic::{Targets, TrafficPattern, TrafficPlan, TrafficResult, measure},
    units::Bandwidth,
};

pub(crate) fn topology(text: &str) -> Arc<Topology> {
    let spec = Catalog::standard().topology(text).expect("a topology");
    Arc::new(spec.build(1).expect("it can be built"))
}

pub(crate) fn number(number: u32) -> NonZeroU32 {
    NonZeroU32::new(number).expect("it is not 0")
}

pub(crate) fn routing(name: &str) -> Arc<dyn RoutingKind> {
    routing::named(name).expect("a routing")
}

/// Cycles of 1 ns, four virtual channels with space for eight flits, wires of one cycle.
pub(crate) fn parameters() -> FlitParameters {
    FlitParameters {
        latency: SimDuration::ZERO,
        bandwidth: Bandwidth::from_bytes_per_sec(8_000_000_000),
        injection: None,
        flit: number(8),
        packet: number(1),
        channels: number(4),
        buffer: number(8),
        stages: Stages::default(),
        wire: number(1),
        credit: 1,
        speculation: false,
        allocation: Allocation::InputFirst,
        oldest_first: false,
        routing: routing("dimension-order"),
        classes: Classes::Links,
        seed: 1,
    }
}

pub(crate) fn network(topology: &Arc<Topology>, parameters: FlitParameters) -> Flits {
    let local = LocalPath { latency: SimDuration::ZERO, bandwidth: None };
    Flits::new(Arc::clone(topology), parameters, local)
}

/// Measures messages of one packet at a load of flits per node and cycle.
pub(crate) fn measured(
    topology: &Arc<Topology>,
    parameters: FlitParameters,
    pattern: TrafficPattern,
    load: f64,
) -> TrafficResult {
    let targets = pattern.on(topology, 1).expect("it fits");
    measured_with(topology, parameters, &targets, load)
}

/// Like [`measured`], with targets that are already known.
pub(crate) fn measured_with(
    topology: &Arc<Topology>,
    parameters: FlitParameters,
    targets: &Targets,
    load: f64,
) -> TrafficResult {
    let plan = TrafficPlan {
        bytes: 8 * u64::from(parameters.packet.get()),
        rate: parameters.bandwidth,
        load,
        warm_up: 1500,
        measured: 2500,
        seed: 1,
    };
    let mut network = network(topology, parameters);
    measure(&mut network, targets, topology.nodes(), &plan).expect("no deadlock")
}
