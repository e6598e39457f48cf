//! Traffic of others that a network cannot carry.

use network_models::{Loaded, PeakLoad, VertexId};

use super::Scenario;

/// Loads up to this multiple of what links carry are no overload: sums of shares are rounded.
const ROUNDING: f64 = 1.0 + 1e-9;

/// Gigabytes of a second.
fn gigabytes(rate: f64) -> String {
    match rate / 1e9 {
        rate if rate < 10.0 => format!("{rate:.2} GB/s"),
        rate if rate < 100.0 => format!("{rate:.1} GB/s"),
        rate => format!("{rate:.0} GB/s"),
    }
}

impl Scenario {
    /// Says that the traffic of others alone offers more to links than these carry, so that its messages pile up and
    /// runs take long; `None` if it does not. Ports and conflicts inside switches may carry less than the links.
    pub fn overload(&self) -> Option<String> {
        let plan = self.background.as_ref().filter(|_| !self.request.variation.ideal)?;
        let hardware = self.machine.hardware();
        // Models without links have nothing that others could fill but the ports of the senders.
        self.model.build(&hardware, &self.topology).links()?;
        let own_routes = self.model.changing().is_some();
        let rates = (plan.rate, hardware.link_bandwidth);
        let peak = PeakLoad::of(&plan.targets, &self.topology, rates, own_routes)?;
        let offered = plan.load * peak.offered;
        if offered <= peak.capacity * ROUNDING {
            return None;
        }
        let (place, carries) = match peak.place {
            Loaded::Link(link) => {
                (format!("link {}", self.topology.describe_link(link)), "carries")
            }
            Loaded::To(node) => {
                (format!("the links to {}", self.topology.describe(VertexId(node.0))), "carry")
            }
        };
        let background = self.request.background?;
        // Rounded down: the number can be given as it is told.
        let most = (peak.largest_load() * 1e4).floor() / 1e4;
        Some(format!(
            "the traffic of others ({background}) offers {} to {place}, which {carries} {}: its messages pile up, and the run may take long; the links carry a load of at most {most}",
            gigabytes(offered),
            gigabytes(peak.capacity),
        ))
    }
}
