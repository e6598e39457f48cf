//! `loggp` (Alexandrov, Ionescu, Schauser, Scheiman 1995): latency, a gap between messages of one
//! node, and a gap per byte. The overheads o and O are charged at the ranks.

use std::sync::Arc;

use sim_core::{SimDuration, SimTime};

use super::{Hardware, ModelDescription, ModelKind};
use crate::{
    network::{Delivery, Flight, LocalPath, Network, Transfer},
    topology::Topology,
    units::ByteTime,
};

/// The model `loggp`.
#[derive(Debug)]
pub(super) struct LogGpKind;

impl ModelKind for LogGpKind {
    fn description(&self) -> ModelDescription {
        ModelDescription {
            name: "loggp",
            summary: "latency, gap and gap per byte at the sending node",
            source: "LogGP 1995",
        }
    }

    fn build(&self, hardware: &Hardware, topology: &Arc<Topology>) -> Box<dyn Network> {
        let parameters = LogGpParameters {
            latency: hardware.latency,
            gap: hardware.gap,
            byte_time: hardware.byte_time,
            duplex_factor: hardware.duplex_factor,
        };
        Box::new(LogGp::new(parameters, topology.nodes(), hardware.local))
    }
}

/// The parameters of LogGP.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LogGpParameters {
    /// L: from the end of sending to the start of receiving.
    pub latency: SimDuration,
    /// g: least time between two injections of one node.
    pub gap: SimDuration,
    /// G: time per byte.
    pub byte_time: ByteTime,
    /// 2 where sending and receiving share the path (half duplex), else 1.
    pub duplex_factor: u64,
}

/// Carries n bytes in T = L + n G; the next injection of the node is not before max(g, n G).
///
/// # Validity
/// Ignores distance and the sharing of links; only the sending node's port is a resource.
#[derive(Clone, Debug)]
pub struct LogGp {
    parameters: LogGpParameters,
    free: Vec<SimTime>,
    local: LocalPath,
}

impl LogGp {
    /// Creates a network of `nodes` nodes whose ports are all free.
    pub fn new(parameters: LogGpParameters, nodes: u32, local: LocalPath) -> Self {
        Self { parameters, free: vec![SimTime::ZERO; nodes as usize], local }
    }
}

impl Network for LogGp {
    fn inject(&mut self, now: SimTime, transfer: Transfer) -> Delivery {
        if transfer.source == transfer.target {
            return self.local.carry(now, transfer.bytes);
        }
        let p = &self.parameters;
        let wire = p.byte_time.time_for(transfer.bytes);
        let free = &mut self.free[transfer.source.0 as usize];
        let accepted = now.max(*free);
        *free = accepted + wire.max(p.gap);
        let arrival = accepted + p.latency + wire * p.duplex_factor;
        Delivery {
            accepted,
            flight: Some(Flight { released: accepted + wire, arrival: Some(arrival) }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::{NodeId, TransferId};

    fn send(network: &mut LogGp, now: u64, bytes: u64) -> (u64, u64) {
        let transfer = Transfer { id: TransferId(0), source: NodeId(0), target: NodeId(1), bytes };
        let delivery = network.inject(SimTime::from_ps(now), transfer);
        (delivery.accepted.as_ps(), delivery.arrival().map_or(0, SimTime::as_ps))
    }

    #[test]
    fn closed_form_and_gap() {
        let local = LocalPath { latency: SimDuration::ZERO, bandwidth: None };
        let parameters = LogGpParameters {
            latency: SimDuration::from_ps(1000),
            gap: SimDuration::from_ps(300),
            byte_time: ByteTime::from_fs(2000),
            duplex_factor: 1,
        };
        let mut network = LogGp::new(parameters, 2, local);
        assert_eq!(send(&mut network, 50, 10), (50, 50 + 1000 + 20));
        assert_eq!(send(&mut network, 60, 10), (350, 350 + 1000 + 20), "held by g");
        assert_eq!(send(&mut network, 650, 1000), (650, 650 + 1000 + 2000));
        assert_eq!(send(&mut network, 700, 0), (2650, 3650), "held by n G");
    }

    #[test]
    fn ranks_of_one_node_share_its_port_and_have_their_own_way_inside() {
        let rate = Some(crate::units::Bandwidth::from_bytes_per_sec(4_000_000_000_000));
        let local = LocalPath { latency: SimDuration::from_ps(20), bandwidth: rate };
        let parameters = LogGpParameters {
            latency: SimDuration::from_ps(1000),
            gap: SimDuration::from_ps(300),
            byte_time: ByteTime::from_fs(2000),
            duplex_factor: 2,
        };
        let mut network = LogGp::new(parameters, 2, local);
        let mut inject = |target| {
            let target = NodeId(target);
            let transfer = Transfer { id: TransferId(0), source: NodeId(0), target, bytes: 400 };
            let delivery = network.inject(SimTime::from_ps(5), transfer);
            let (flight, arrival) = (delivery.flight?, delivery.arrival()?);
            Some((delivery.accepted.as_ps(), flight.released.as_ps(), arrival.as_ps()))
        };
        assert_eq!(inject(0), Some((5, 105, 125)), "inside the node");
        assert_eq!(inject(1), Some((5, 805, 5 + 1000 + 1600)), "half duplex: n G twice");
        assert_eq!(inject(1), Some((805, 1605, 805 + 1000 + 1600)), "another rank, the same port");
        assert_eq!(inject(0), Some((5, 105, 125)), "inside nothing waits for the port");
    }
}
