//! [`carry`]: drives a network model through a list of transfers.

use sim_core::SimTime;

use crate::network::{Delivery, Network, Report, Transfer};

/// Injects transfers, which are in order of time, and advances the model until nothing is under
/// way. Events of the model come before a transfer that is injected at the same time.
///
/// Returns the answer to each transfer, and all reports in order of time.
pub(crate) fn carry(
    network: &mut dyn Network,
    transfers: impl IntoIterator<Item = (SimTime, Transfer)>,
) -> (Vec<Delivery>, Vec<Report>) {
    let (mut deliveries, mut reports) = (Vec::new(), Vec::new());
    for (time, transfer) in transfers {
        advance(network, time, &mut reports);
        deliveries.push(network.inject(time, transfer));
    }
    advance(network, SimTime::MAX, &mut reports);
    (deliveries, reports)
}

fn advance(network: &mut dyn Network, until: SimTime, reports: &mut Vec<Report>) {
    let Some(model) = network.event_driven() else { return };
    while let Some(next) = model.next_time().filter(|next| *next <= until) {
        model.advance(next, reports);
    }
}
