//! `bus`: a network model of one cable for all nodes, which carries one message at a time.

use std::sync::Arc;

use windtunnel::{
    SimTime,
    network::{
        Delivery, Flight, Hardware, ModelDescription, ModelKind, Network, Topology, Transfer,
    },
};

/// The network model `bus`: one cable for all nodes, one message at a time.
#[derive(Debug)]
pub struct BusKind;

impl ModelKind for BusKind {
    fn description(&self) -> ModelDescription {
        ModelDescription {
            name: "bus",
            summary: "one cable for all nodes, one message at a time",
            source: "Metcalfe and Boggs 1976, without collisions",
        }
    }

    fn build(&self, hardware: &Hardware, _: &Arc<Topology>) -> Box<dyn Network> {
        Box::new(Bus { hardware: *hardware, free: SimTime::ZERO })
    }
}

/// Messages use the cable in the order in which they are injected; each takes `latency + n /
/// bandwidth` from the time at which the cable is free.
struct Bus {
    hardware: Hardware,
    free: SimTime,
}

impl Network for Bus {
    fn inject(&mut self, now: SimTime, transfer: Transfer) -> Delivery {
        if transfer.source == transfer.target {
            return self.hardware.local.carry(now, transfer.bytes);
        }
        let accepted = now.max(self.free);
        self.free = accepted + self.hardware.link_bandwidth.time_for(transfer.bytes);
        let flight =
            Flight { released: self.free, arrival: Some(self.free + self.hardware.latency) };
        Delivery { accepted, flight: Some(flight) }
    }
}
