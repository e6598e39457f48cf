//! The NICs of the nodes of a machine file.

use network_models::NodeNics;
use sim_core::SimDuration;

use super::{NodeNumbers, Quantity, duration};

impl NodeNumbers {
    fn nic_count(&self) -> u32 {
        self.nics.as_ref().map_or(1, |nics| nics.value as u32)
    }

    /// Returns pointer and reason of what is wrong with the NICs, given that each number by itself is
    /// allowed.
    pub(super) fn wrong_nics(&self) -> Option<(&'static str, String)> {
        if let Some(Quantity { value, .. }) =
            self.nics.as_ref().filter(|it| it.value.fract() != 0.0)
        {
            return Some(("/node/nics/value", format!("is {value}; allowed are whole numbers")));
        }
        let (sockets, nics) = (self.nic_sockets.as_ref()?, self.nic_count());
        if sockets.len() != nics as usize {
            let reason = format!("lists {}, and a node has {nics} NICs (`nics`)", sockets.len());
            return Some(("/node/nic_sockets", reason));
        }
        let most = self.sockets.value as u32 - 1;
        let wrong = sockets.iter().find(|socket| **socket > most)?;
        let reason = format!("names socket {wrong}; allowed is 0 to {most}");
        Some(("/node/nic_sockets", reason))
    }

    /// Returns the NICs of a node.
    pub(super) fn nics(&self) -> NodeNics {
        let divided = || NodeNics::divided(self.nic_count(), self.sockets.value as u32);
        let across = self.other_socket_nic_latency_ns.as_ref();
        NodeNics {
            sockets: self.nic_sockets.clone().unwrap_or_else(divided),
            across: across.map_or(SimDuration::ZERO, duration),
        }
    }
}
