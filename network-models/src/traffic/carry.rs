//! [`carry`]: drives a network model through a list of transfers.

use sim_core::SimTime;

use crate::network::{Delivery, Network, Report, Transfer};

/// Injects transfers, which are in order of time, and advances the model until nothing is under
/// way. A transfer comes before events of the model at the same time.
///
/// Returns the answer to each transfer, and all reports in order of time.
pub(crate) fn carry(
    network: &mut dyn Network,
    transfers: impl IntoIterator<Item = (SimTime, Transfer)>,
) -> (Vec<Delivery>, Vec<Report>) {
    let (mut deliveries, mut reports) = (Vec::new(), Vec::new());
    for (time, transfer) in transfers {
        advance(network, |next| next < time, &mut reports);
        deliveries.push(network.inject_through_port(time, transfer));
    }
    advance(network, |_| true, &mut reports);
    (deliveries, reports)
}

fn advance(
    network: &mut dyn Network,
    goes_on: impl Fn(SimTime) -> bool,
    reports: &mut Vec<Report>,
) {
    let Some(model) = network.event_driven() else { return };
    while let Some(next) = model.next_time().filter(|next| goes_on(*next)) {
        model.advance(next, reports);
    }
}
