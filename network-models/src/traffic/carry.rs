//! [`carry`]: drives a network model through a list of transfers.

use sim_core::SimTime;

use crate::network::{Delivery, Network, Progress, Report, Transfer};

/// What became of transfers.
#[derive(Debug, Default)]
pub(super) struct Carried {
    /// The answer to each transfer that was injected.
    pub deliveries: Vec<Delivery>,
    /// All reports, in order of time.
    pub reports: Vec<Report>,
    /// When the first transfer was not injected, since too many were under way.
    pub stopped: Option<SimTime>,
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
    let Carried { deliveries, reports, .. } = carry_up_to(network, transfers, u64::MAX);
    (deliveries, reports)
}

/// Does what [`carry`] does, until more than `most` transfers are under way.
pub(super) fn carry_up_to(
    network: &mut dyn Network,
    transfers: impl IntoIterator<Item = (SimTime, Transfer)>,
    most: u64,
) -> Carried {
    let mut carried = Carried::default();
    let (mut under_way, mut read) = (0, 0);
    for (time, transfer) in transfers {
        advance(network, |next| next < time, &mut carried.reports);
        let arrived = |report: &&Report| report.progress == Progress::Arrived;
        under_way -= carried.reports[read..].iter().filter(arrived).count() as u64;
        read = carried.reports.len();
        if under_way >= most {
            carried.stopped = Some(time);
            return carried;
        }
        let delivery = network.inject_through_port(time, transfer);
        under_way += u64::from(delivery.arrival().is_none());
        carried.deliveries.push(delivery);
    }
    advance(network, |_| true, &mut carried.reports);
    carried
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
