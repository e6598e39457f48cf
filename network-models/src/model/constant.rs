//! `constant`: latency plus bytes over bandwidth (Hockney 1994).

use std::sync::Arc;

use sim_core::{SimDuration, SimTime};

use super::{Hardware, ModelDescription, ModelKind};
use crate::{
    network::{Delivery, LocalPath, Network, Transfer},
    topology::Topology,
    units::Bandwidth,
};

/// The model `constant`.
#[derive(Debug)]
pub(super) struct ConstantKind;

impl ModelKind for ConstantKind {
    fn description(&self) -> ModelDescription {
        ModelDescription {
            name: "constant",
            summary: "latency plus bytes over bandwidth, no contention",
            source: "Hockney 1994",
        }
    }

    fn shares(&self) -> bool {
        false
    }

    fn build(&self, hardware: &Hardware, _: &Arc<Topology>) -> Box<dyn Network> {
        Box::new(Constant::new(hardware.latency, Some(hardware.injection), hardware.local))
    }
}

/// Carries every message in a time that depends on its size alone.
///
/// # Validity
/// Ignores distance, gaps between messages and every kind of sharing. Other models are tested
/// against it where they must agree.
#[derive(Clone, Debug)]
pub struct Constant {
    remote: LocalPath,
    local: LocalPath,
}

impl Constant {
    /// Creates a network in which a transfer takes `latency + bytes / bandwidth`; `None` is an
    /// infinite bandwidth.
    pub fn new(latency: SimDuration, bandwidth: Option<Bandwidth>, local: LocalPath) -> Self {
        Self { remote: LocalPath { latency, bandwidth }, local }
    }
}

impl Network for Constant {
    fn inject(&mut self, now: SimTime, transfer: Transfer) -> Delivery {
        let path = if transfer.source == transfer.target { self.local } else { self.remote };
        path.carry(now, transfer.bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::{NodeId, TransferId};

    #[test]
    fn latency_plus_bytes_over_bandwidth() {
        let rate = Some(Bandwidth::from_bytes_per_sec(1_000_000_000));
        let local = LocalPath { latency: SimDuration::from_ns(10), bandwidth: None };
        let mut network = Constant::new(SimDuration::from_us(1), rate, local);
        let mut arrival = |target| {
            let transfer = Transfer {
                id: TransferId(0),
                source: NodeId(0),
                target: NodeId(target),
                bytes: 500,
            };
            network.inject(SimTime::from_ps(7), transfer).arrival().map(SimTime::as_ps)
        };
        assert_eq!(arrival(1), Some(7 + 1_000_000 + 500_000));
        assert_eq!(arrival(0), Some(7 + 10_000));
    }
}
