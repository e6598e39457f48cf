//! The model `fluid` by name, with its options.

use std::sync::Arc;

use sim_core::SimTime;

use super::{Fluid, FluidParameters, Weights};
use crate::{
    model::{
        BadOption, Changing, Hardware, ModelDescription, ModelKind, ModelMisfit, ModelOption,
        ROUTING,
        paths::{Choice, Follower},
    },
    network::Network,
    routing::RoutingKind,
    size::size,
    topology::{Timeline, Topology},
};

/// The model `fluid`, with its options.
#[derive(Clone, Debug, Default)]
pub(in crate::model) struct FluidKind {
    weights: Weights,
    gamma: Option<u64>,
    routing: Choice,
}

impl ModelKind for FluidKind {
    fn description(&self) -> ModelDescription {
        ModelDescription {
            name: "fluid",
            summary: "flows share links and ports max-min fairly",
            source: "Bertsekas and Gallager 1992",
        }
    }

    fn options(&self) -> &'static [ModelOption] {
        &[
            ModelOption {
                name: "weights",
                form: "equal|latency",
                summary: "share of a flow: the same for all, or 1 / latency (SimGrid's CM02)",
            },
            ModelOption {
                name: "gamma",
                form: "BYTES",
                summary: "window of TCP: a flow's rate is at most BYTES / (2 latency)",
            },
            ROUTING,
        ]
    }

    fn with_option(&self, name: &str, value: &str) -> Result<Arc<dyn ModelKind>, BadOption> {
        let mut kind = self.clone();
        match (name, value) {
            ("weights", "equal") => kind.weights = Weights::Equal,
            ("weights", "latency") => kind.weights = Weights::Latency,
            ("gamma", bytes) => {
                let bytes = size(bytes).filter(|bytes| *bytes > 0);
                kind.gamma = Some(bytes.ok_or(BadOption)?);
            }
            (name, value) if name == ROUTING.name && kind.routing.set(name, value) => {}
            _ => return Err(BadOption),
        }
        Ok(Arc::new(kind))
    }

    fn with_routing(&self, routing: Arc<dyn RoutingKind>) -> Option<Arc<dyn ModelKind>> {
        Some(Arc::new(Self { routing: self.routing.with(routing), ..self.clone() }))
    }

    fn with_seed(&self, seed: u64) -> Option<Arc<dyn ModelKind>> {
        Some(Arc::new(Self { routing: self.routing.in_run(seed), ..self.clone() }))
    }

    fn check(&self, _: &Hardware, topology: &Topology) -> Result<(), ModelMisfit> {
        self.routing.check(topology, Follower::Fluid)
    }

    fn changing(&self) -> Option<&dyn Changing> {
        self.routing.is_own().then_some(self)
    }

    fn build(&self, hardware: &Hardware, topology: &Arc<Topology>) -> Box<dyn Network> {
        Changing::build(self, hardware, &Timeline::constant(Arc::clone(topology)))
    }
}

impl Changing for FluidKind {
    fn build(&self, hardware: &Hardware, timeline: &Timeline) -> Box<dyn Network> {
        let parameters = FluidParameters {
            latency: hardware.latency,
            hop: hardware.hop,
            bandwidth: hardware.link_bandwidth,
            injection: Some(hardware.injection),
            half_duplex: hardware.duplex_factor > 1,
            switching: hardware.switching,
            weights: self.weights,
            gamma: self.gamma,
        };
        let fluid = Fluid::new(Arc::clone(timeline.base()), parameters, hardware.local);
        let change = timeline.change_from(SimTime::ZERO);
        Box::new(Fluid { paths: self.routing.on(timeline), change, ..fluid })
    }
}
