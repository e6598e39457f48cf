//! [`Protocols`]: messages of some sizes that take longer than latency and rate say.

use std::collections::BTreeMap;

use sim_core::{SimDuration, SimTime};

use crate::{
    network::{Delivery, EventDriven, Flight, Network, Progress, Report, Transfer, TransferId},
    units::ByteTime,
};

/// What messages from one size on to the next take in addition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Protocol {
    /// Smallest size, bytes.
    pub from: u64,
    /// Fixed time.
    pub latency: SimDuration,
    /// Time per byte.
    pub byte_time: ByteTime,
}

/// A network between whose nodes messages arrive later by a time that depends on their size: those of
/// MPI libraries with several protocols, as in LogGPS (Ino, Fujimoto and Hagihara 2001).
///
/// The time occupies neither processors nor links: messages that follow each other overlap in it.
/// Messages within a node are not concerned.
pub struct Protocols {
    network: Box<dyn Network>,
    /// In ascending order of their sizes.
    steps: Vec<Protocol>,
    /// What the transfers under way still have to wait after the network has delivered them.
    delays: BTreeMap<TransferId, SimDuration>,
    /// When the network wants to advance.
    alarm: Option<SimTime>,
}

impl Protocols {
    /// Adds protocols, in ascending order of their sizes, to a network on which nothing is under way.
    pub fn new(network: Box<dyn Network>, steps: Vec<Protocol>) -> Self {
        Self { network, steps, delays: BTreeMap::new(), alarm: None }
    }

    fn follow(&mut self) {
        self.alarm = self.network.event_driven().and_then(|model| model.next_time());
    }

    fn delay(&self, bytes: u64) -> SimDuration {
        let place = self.steps.partition_point(|step| step.from <= bytes);
        let step = place.checked_sub(1).map(|place| self.steps[place]);
        step.map_or(SimDuration::ZERO, |step| step.latency + step.byte_time.time_for(bytes))
    }

    /// Adds the delay of a transfer to its arrival, now or when it is reported.
    fn later(&mut self, transfer: Transfer, delivery: Delivery) -> Delivery {
        self.follow();
        let delay = self.delay(transfer.bytes);
        if transfer.source == transfer.target || delay == SimDuration::ZERO {
            return delivery;
        }
        let Some(Flight { released, arrival: Some(arrival) }) = delivery.flight else {
            self.delays.insert(transfer.id, delay);
            return delivery;
        };
        Delivery { flight: Some(Flight { released, arrival: Some(arrival + delay) }), ..delivery }
    }
}

impl Network for Protocols {
    fn inject(&mut self, now: SimTime, transfer: Transfer) -> Delivery {
        let delivery = self.network.inject(now, transfer);
        self.later(transfer, delivery)
    }

    fn inject_through_port(&mut self, now: SimTime, transfer: Transfer) -> Delivery {
        let delivery = self.network.inject_through_port(now, transfer);
        self.later(transfer, delivery)
    }

    fn inner(&self) -> Option<&dyn Network> {
        Some(&*self.network)
    }

    fn inner_mut(&mut self) -> Option<&mut dyn Network> {
        Some(&mut *self.network)
    }

    fn event_driven(&mut self) -> Option<&mut dyn EventDriven> {
        self.network.event_driven()?;
        Some(self)
    }
}

impl EventDriven for Protocols {
    fn next_time(&self) -> Option<SimTime> {
        self.alarm
    }

    fn advance(&mut self, now: SimTime, reports: &mut Vec<Report>) {
        let first = reports.len();
        if let Some(model) = self.network.event_driven() {
            model.advance(now, reports);
        }
        self.follow();
        for report in &mut reports[first..] {
            if report.progress == Progress::Arrived
                && let Some(delay) = self.delays.remove(&report.id)
            {
                report.time += delay;
            }
        }
        reports[first..].sort_by_key(|report| (report.time, report.id));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        catalog::Catalog,
        model::{flit_testing::topology, test_hardware},
        network::NodeId,
        traffic::carry,
    };

    #[test]
    fn messages_are_later_by_their_size_whatever_the_model() {
        let step = |from, latency, rate| Protocol {
            from,
            latency: SimDuration::from_ns(latency),
            byte_time: ByteTime::from_fs(rate),
        };
        // Nothing below 1,000 bytes, then 50 ns and 1 ns per byte, then 5,000 ns.
        let steps = vec![step(1000, 50, 1_000_000), step(4000, 5000, 0)];
        let topology = topology("ring:4");
        for model in ["constant", "loggp", "link", "fluid", "packet", "flit"] {
            let kind = Catalog::standard().model(model).expect("a model");
            let arrivals = |steps: Vec<Protocol>| {
                let network = kind.build(&test_hardware(100, 10), &topology);
                let mut network = Protocols::new(network, steps);
                let sizes = [999u64, 1000, 3999, 4000, 9000];
                let sent = (0..).zip(sizes).map(|(id, bytes)| {
                    let (source, target) = (NodeId(0), NodeId(if id == 4 { 0 } else { 1 }));
                    let now = SimTime::from_ps(20_000_000 * id);
                    (now, Transfer { id: TransferId(id), source, target, bytes })
                });
                let (deliveries, reports) = carry(&mut network, sent);
                let mut arrivals: Vec<Option<SimTime>> =
                    deliveries.iter().map(|delivery| delivery.arrival()).collect();
                for report in reports.iter().filter(|it| it.progress == Progress::Arrived) {
                    arrivals[report.id.0 as usize] = Some(report.time);
                }
                arrivals
            };
            let plain = arrivals(Vec::new());
            let late = arrivals(steps.clone());
            let later = |(late, plain): (&Option<SimTime>, &Option<SimTime>)| {
                late.expect("it arrives").since(plain.expect("it arrives")).as_ps() / 1000
            };
            let found: Vec<u64> = late.iter().zip(&plain).map(later).take(4).collect();
            assert_eq!(found, [0, 1050, 4049, 5000], "{model}");
        }
    }

    #[test]
    fn messages_overlap_in_the_time_of_their_protocol() {
        let kind = Catalog::standard().model("link").expect("a model");
        let network = kind.build(&test_hardware(100, 10), &topology("ring:4"));
        let latency = SimDuration::from_us(1);
        let steps = vec![Protocol { from: 1, latency, byte_time: ByteTime::from_fs(0) }];
        let mut network = Protocols::new(network, steps);
        let transfer = |id| {
            let (source, target) = (NodeId(0), NodeId(1));
            (SimTime::ZERO, Transfer { id: TransferId(id), source, target, bytes: 1000 })
        };
        let (deliveries, reports) = carry(&mut network, (0..3).map(transfer));
        let known = deliveries.iter().filter_map(|delivery| delivery.arrival());
        let told = reports.iter().filter(|it| it.progress == Progress::Arrived).map(|it| it.time);
        let times: Vec<u64> = known.chain(told).map(|time| time.as_ps() / 1000).collect();
        assert_eq!(times, [2110, 3110, 4110]);
    }
}
