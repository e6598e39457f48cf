//! [`Receivers`]: the ports at which messages wait to be received.

use super::LinkParameters;
use crate::{
    network::NodeId,
    topology::{LinkId, Timeline, Topology},
    units::Bandwidth,
};

/// The ports whose links together are faster than the port, so that messages may have to wait for it.
///
/// Such a port is one more link at the end of a route, with a number behind those of the links.
/// Elsewhere the port can receive whatever the links carry.
#[derive(Debug)]
pub(super) struct Receivers {
    /// For each port of each node, whether messages may wait for it; empty if there is none.
    bounded: Box<[bool]>,
    /// Rate of a port.
    pub(super) rate: Bandwidth,
}

impl Receivers {
    /// Finds the ports of a network with these parameters.
    pub(super) fn new(timeline: &Timeline, parameters: &LinkParameters) -> Self {
        let topology = timeline.base();
        let Some(port) = parameters.injection else {
            return Self { bounded: Box::default(), rate: parameters.bandwidth };
        };
        let mut rates = vec![0u128; topology.ports() as usize];
        for (link, port) in topology.links_to_ports() {
            let rate = |topology: &Topology| topology.link_bandwidth(link, parameters.bandwidth);
            let fastest = timeline.topologies().map(|topology| rate(topology)).max();
            rates[port as usize] += fastest.map_or(0, |rate| u128::from(rate.bytes_per_sec()));
        }
        let most = u128::from(port.bytes_per_sec());
        let bounded: Box<[bool]> = rates.iter().map(|rate| *rate > most).collect();
        let bounded = if bounded.contains(&true) { bounded } else { Box::default() };
        Self { bounded, rate: port }
    }

    /// Returns the port of `target` that a message on this route may have to wait for.
    #[inline]
    pub(super) fn of(
        &self,
        topology: &Topology,
        route: &[LinkId],
        target: NodeId,
    ) -> Option<LinkId> {
        if self.bounded.is_empty() {
            return None;
        }
        let port = topology.port(*route.last()?, target);
        self.bounded[port as usize].then(|| LinkId(topology.link_count() + port))
    }
}
