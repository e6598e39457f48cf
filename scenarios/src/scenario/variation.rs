//! [`Variation`]: a machine that differs from its file, for questions of "what if".

use network_models::{
    Bandwidth, Constant, FaultMismatch, LinkChange, LinkFault, LocalPath, Network, Topology,
};
use sim_core::{SimDuration, SimTime};

use super::Scenario;
use crate::{
    machine::{Machine, Quantity},
    options::Cable,
};

/// What a factor of a [`Variation`] changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aspect {
    /// [`Variation::latency`].
    Latency,
    /// [`Variation::bandwidth`].
    Bandwidth,
    /// [`Variation::gap`].
    Gap,
    /// [`Variation::overhead`].
    Overhead,
}

/// What differs from the machine as its file describes it. The default is nothing.
#[derive(Clone, Debug, PartialEq)]
pub struct Variation {
    /// Factor of all latencies: between nodes, of each hop, within nodes, of protocols by size.
    pub latency: f64,
    /// Factor of all rates: of ports, links, memory and protocols by size. Links to which the topology
    /// gives rates of their own keep them.
    pub bandwidth: f64,
    /// Factor of the least time between two messages of a node.
    pub gap: f64,
    /// Factor of all processor times of calls, fixed ones and those per byte.
    pub overhead: f64,
    /// Factor of the rate of the cables between two vertices, both directions.
    pub link: Option<(Cable, f64)>,
    /// Whether every transfer takes no time. Processor times, buffering and algorithms stay what they
    /// are; faults and background traffic have no effect.
    pub ideal: bool,
}

impl Default for Variation {
    fn default() -> Self {
        let same = 1.0;
        Self { latency: same, bandwidth: same, gap: same, overhead: same, link: None, ideal: false }
    }
}

impl Variation {
    /// The network on which every transfer takes no time.
    pub fn ideal() -> Self {
        Self { ideal: true, ..Self::default() }
    }

    /// Multiplies one of the factors.
    pub fn scale(&mut self, aspect: Aspect, factor: f64) {
        let scaled = match aspect {
            Aspect::Latency => &mut self.latency,
            Aspect::Bandwidth => &mut self.bandwidth,
            Aspect::Gap => &mut self.gap,
            Aspect::Overhead => &mut self.overhead,
        };
        *scaled *= factor;
    }

    /// Returns the machine that differs from `machine` in this way.
    pub(super) fn of(&self, mut machine: Machine) -> Machine {
        if self.ideal {
            machine.network.protocols.clear();
        }
        let times = |quantity: &mut Quantity, factor: f64| quantity.value *= factor;
        let rates = |quantity: &mut Quantity, factor: f64| {
            quantity.value = (quantity.value * factor).max(1.0);
        };
        let network = &mut machine.network;
        for latency in
            [&mut network.latency_ns, &mut network.hop_ns, &mut network.in_node_latency_ns]
        {
            times(latency, self.latency);
        }
        times(&mut network.gap_ns, self.gap);
        times(&mut network.byte_time_ps, 1.0 / self.bandwidth);
        rates(&mut network.link_bandwidth_bytes_per_s, self.bandwidth);
        rates(&mut network.in_node_bandwidth_bytes_per_s, self.bandwidth);
        for protocol in &mut network.protocols {
            times(&mut protocol.latency_ns, self.latency);
            times(&mut protocol.per_byte_ps, 1.0 / self.bandwidth);
        }
        if let Some(node) = &mut machine.node {
            times(&mut node.other_socket_latency_ns, self.latency);
            rates(&mut node.other_socket_bandwidth_bytes_per_s, self.bandwidth);
            if let Some(memory) = &mut node.memory_bandwidth_bytes_per_s {
                rates(memory, self.bandwidth);
            }
        }
        for cost in machine.costs.times() {
            times(cost, self.overhead);
        }
        machine
    }

    /// Returns the faults of a run whose link is changed: the change as a fault that holds from the
    /// begin, and faults of the same cables as shares of the changed rate.
    ///
    /// # Errors
    /// Returns an error if the topology does not have an end of the link.
    pub(super) fn faults(
        &self,
        mut faults: Vec<LinkFault>,
        topology: &Topology,
    ) -> Result<Vec<LinkFault>, FaultMismatch> {
        let Some((cable, factor)) = &self.link else { return Ok(faults) };
        let (from, to) = cable.on(topology)?;
        for fault in &mut faults {
            let same = [(from, to), (to, from)].contains(&(fault.from, fault.to));
            if let (true, LinkChange::Rate(share)) = (same, &mut fault.change) {
                *share *= *factor;
            }
        }
        // Of faults at one time the last one holds.
        let change = LinkChange::Rate(*factor);
        faults.insert(0, LinkFault { from, to, at: SimTime::ZERO, change });
        Ok(faults)
    }
}

/// A path that takes no time.
const INSTANT: LocalPath = LocalPath { latency: SimDuration::ZERO, bandwidth: None };

impl Scenario {
    /// Returns the network of [`Variation::ideal`].
    pub(super) fn ideal_network() -> Box<dyn Network> {
        let unlimited: Option<Bandwidth> = None;
        Box::new(Constant::new(SimDuration::ZERO, unlimited, INSTANT))
    }

    /// Makes the sockets of a node part of the ideal network, if this is what is asked for.
    pub(super) fn idealise_sockets(&mut self) {
        if let (true, Some(sockets)) = (self.request.variation.ideal, &mut self.sockets) {
            sockets.shape.memory = None;
            (sockets.shape.within, sockets.shape.across) = (INSTANT, INSTANT);
        }
    }
}

#[cfg(test)]
mod tests {
    use network_models::VertexId;
    use sim_core::SimTime;

    use super::*;
    use crate::scenario::Request;

    #[test]
    fn a_changed_link_keeps_its_faults() {
        let scenario =
            Request { topology: Some("ring:4".into()), ..Request::new("allgather-ring", 4) };
        let topology = scenario.resolve().expect("it fits").topology;
        let cable = "1-0".parse().expect("a link");
        let variation = Variation { link: Some((cable, 2.0)), ..Variation::default() };
        let fault = |from, to, change| LinkFault {
            from: VertexId(from),
            to: VertexId(to),
            at: SimTime::ZERO,
            change,
        };
        let given = vec![
            fault(0, 1, LinkChange::Rate(0.5)),
            fault(1, 2, LinkChange::Rate(0.5)),
            fault(1, 0, LinkChange::Cut),
        ];
        let changed = variation.faults(given.clone(), &topology).expect("they fit");
        assert_eq!(changed[0], fault(1, 0, LinkChange::Rate(2.0)));
        assert_eq!(changed[1], fault(0, 1, LinkChange::Rate(1.0)));
        assert_eq!(changed[2..], given[1..]);
        assert_eq!(Variation::default().faults(given.clone(), &topology), Ok(given));
    }
}
