//! Digests of what a scenario names: two files of one name may say different things.

use network_models::{Bandwidth, LinkId};
use sim_core::{Digest, SimDuration};

use super::Scenario;
use crate::machine::Machine;

impl Scenario {
    /// Returns a digest of all figures of the machine, its file system included, but not of its name and
    /// summary.
    pub fn machine_digest(&self) -> u64 {
        let figures =
            Machine { name: String::new(), summary: String::new(), ..self.machine.clone() };
        let text = serde_json::to_vec(&figures).expect("a machine is plain data");
        let mut digest = Digest::new();
        digest.mix_bytes(&text);
        digest.value()
    }

    /// Returns a digest of the nodes and switches of the topology and of its links: their ends, and the rates
    /// and delays that are not the machine's.
    pub fn topology_digest(&self) -> u64 {
        let topology = &self.topology;
        // The same for all, as it is the machine's where the topology gives none.
        let (rate, delay) = (Bandwidth::from_bytes_per_sec(1), SimDuration::ZERO);
        let mut digest = Digest::new();
        digest.mix(u64::from(topology.nodes()));
        digest.mix(u64::from(topology.vertices()));
        for link in (0..topology.link_count()).map(LinkId) {
            let (from, to) = topology.link_ends(link);
            digest.mix(u64::from(from.0) << 32 | u64::from(to.0));
            digest.mix(topology.link_bandwidth(link, rate).bytes_per_sec());
            digest.mix(topology.link_delay(link, delay).as_ps());
        }
        digest.value()
    }

    /// Returns a digest of the nodes on which the ranks are.
    pub fn placement_digest(&self) -> u64 {
        let mut digest = Digest::new();
        self.nodes.iter().for_each(|node| digest.mix(u64::from(node.0)));
        digest.value()
    }
}
