//! [`carry`]: drives a network model through a list of transfers.

use sim_core::{SimTime, interrupt};

use crate::network::{Crowd, Delivery, Network, Report, Transfer};

/// What became of transfers.
#[derive(Debug, Default)]
pub(super) struct Carried {
    /// The answer to each transfer that was injected.
    pub deliveries: Vec<Delivery>,
    /// All reports, in order of time.
    pub reports: Vec<Report>,
    /// When the first transfer was not injected, since too many were under way.
    pub stopped: Option<SimTime>,
    /// Whether the simulations of this process were asked to stop before the end.
    pub interrupted: bool,
}

/// Injects transfers, which are in order of time, and advances the model until nothing is under
/// way. A transfer comes before events of the model at the same time.
///
/// Returns the answer to each transfer, and all reports in order of time.
#[cfg(test)]
pub(crate) fn carry(
    network: &mut dyn Network,
    transfers: impl IntoIterator<Item = (SimTime, Transfer)>,
) -> (Vec<Delivery>, Vec<Report>) {
    let Carried { deliveries, reports, .. } = carry_up_to(network, transfers, u32::MAX);
    (deliveries, reports)
}

/// Does what [`carry`] does, until the model is too slow for so many nodes or simulations are asked to stop.
pub(super) fn carry_up_to(
    network: &mut dyn Network,
    transfers: impl IntoIterator<Item = (SimTime, Transfer)>,
    nodes: u32,
) -> Carried {
    let mut carried = Carried::default();
    let most = |crowd: &Crowd| crowd.most_of_node.saturating_mul(nodes.into());
    for (time, transfer) in transfers {
        advance(network, |next| next < time, &mut carried.reports);
        if interrupt::requested() {
            break;
        }
        if network.crowd().is_some_and(|crowd| crowd.transfers >= most(&crowd)) {
            carried.stopped = Some(time);
            return carried;
        }
        carried.deliveries.push(network.inject_through_port(time, transfer));
    }
    advance(network, |_| true, &mut carried.reports);
    carried.interrupted = interrupt::requested();
    carried
}

fn advance(
    network: &mut dyn Network,
    goes_on: impl Fn(SimTime) -> bool,
    reports: &mut Vec<Report>,
) {
    let Some(model) = network.event_driven() else { return };
    while let Some(next) = model.next_time().filter(|next| goes_on(*next)) {
        if interrupt::requested() {
            return;
        }
        model.advance(next, reports);
    }
}
