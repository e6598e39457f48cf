//! LogGP (Alexandrov, Ionescu, Schauser, Scheiman 1995): latency, a gap between messages of one
//! node, and a gap per byte. The overheads o and O are charged at the ranks.

use sim_core::{SimDuration, SimTime};

use crate::{
    network::{Delivery, Flight, LocalPath, Network, Transfer},
    units::ByteTime,
};

/// The parameters of one machine.
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

/// T = L + n G, and the next injection of the node not before max(g, n G).
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
    /// A network of `nodes` nodes.
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
        Delivery { accepted, flight: Some(Flight { released: accepted + wire, arrival }) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::{NodeId, TransferId};

    fn send(network: &mut LogGp, now: u64, bytes: u64) -> (u64, u64) {
        let transfer = Transfer { id: TransferId(0), source: NodeId(0), target: NodeId(1), bytes };
        let delivery = network.inject(SimTime::from_ps(now), transfer);
        (delivery.accepted.as_ps(), delivery.flight.map_or(0, |f| f.arrival.as_ps()))
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
}
