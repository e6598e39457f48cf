//! [`Background`]: traffic of others on the network of a program.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BinaryHeap},
};

use sim_core::SimTime;

use crate::{
    network::{
        Delivery, EventDriven, Network, NetworkDeadlock, NodeId, Progress, Report, Transfer,
        TransferId,
    },
    traffic::{Process, Source, Targets},
    units::Bandwidth,
};

/// Message times before a program's transfer from which on background traffic is simulated, if the
/// program had nothing on the network until then.
const WARM_UP: u64 = 256;

/// The traffic of others beside a program.
#[derive(Clone, Debug)]
pub struct BackgroundPlan {
    /// Who sends to whom.
    pub targets: Targets,
    /// Number of nodes.
    pub nodes: u32,
    /// Size of each message.
    pub bytes: u64,
    /// Rate that is the load 1 of a node.
    pub rate: Bandwidth,
    /// Load of each node, as a share of the rate; above 0 and at most 1.
    pub load: f64,
    /// Seed of what is random.
    pub seed: u64,
}

/// A network that carries messages of others beside those of the program.
///
/// Each node creates messages as in [`measure`](crate::measure), at the mean rate of `load` in a message
/// time; a message time is that of `bytes` at `rate`. Nobody waits for these messages. They are
/// simulated while the program has transfers under way, and for 256 message times before: a network
/// that was left alone for longer is as busy as after that time. So a run ends with the program, and one
/// that stalls is recognised.
///
/// Determinism: the messages depend on the seed (each node has a random stream of its own) and on the
/// times at which the program uses the network.
pub struct Background {
    network: Box<dyn Network>,
    plan: BackgroundPlan,
    /// Picoseconds of a message time.
    slot: u64,
    process: Process,
    sources: Vec<Source>,
    /// The next message of each node.
    next: BinaryHeap<Reverse<(SimTime, u32)>>,
    /// Transfers so far, of both kinds: the numbers of the network.
    transfers: u64,
    /// The program's transfers that have not arrived, by the number of the network.
    program: BTreeMap<u64, TransferId>,
    /// Reports of the network that have not been passed on.
    reports: Vec<Report>,
    /// When the network wants to advance.
    alarm: Option<SimTime>,
    /// The time up to which everything is simulated.
    now: SimTime,
}

impl Background {
    /// Adds the traffic of others to a network on which nothing is under way.
    pub fn new(network: Box<dyn Network>, plan: BackgroundPlan) -> Self {
        let slot = plan.rate.time_for(plan.bytes).as_ps().max(1);
        let source = |node| Source::new(plan.seed, "background", NodeId(node));
        let mut background = Self {
            slot,
            process: Process::new(plan.load, slot, network.cycle()),
            network,
            sources: (0..plan.nodes).map(source).collect(),
            next: BinaryHeap::new(),
            transfers: 0,
            program: BTreeMap::new(),
            reports: Vec::new(),
            alarm: None,
            now: SimTime::ZERO,
            plan,
        };
        (0..background.plan.nodes).for_each(|node| background.draw(node));
        background
    }

    /// Draws the next message of a node.
    fn draw(&mut self, node: u32) {
        let time = self.sources[node as usize].draw(&self.process, SimTime::MAX);
        self.next.extend(time.map(|time| Reverse((time, node))));
    }

    fn number(&mut self) -> TransferId {
        self.transfers += 1;
        TransferId(self.transfers - 1)
    }

    /// Leaves out the messages that are due long before `now`.
    fn skip_to(&mut self, now: SimTime) {
        let begin = now.as_ps().saturating_sub(WARM_UP.saturating_mul(self.slot));
        let begin = SimTime::from_ps(begin);
        while let Some(Reverse((time, node))) = self.next.peek().copied()
            && time < begin
        {
            self.next.pop();
            self.sources[node as usize].skip_to(begin);
            self.draw(node);
        }
    }

    /// Creates the next message of the background.
    fn create(&mut self) {
        let Some(Reverse((time, node))) = self.next.pop() else { return };
        let target = self.sources[node as usize].target(&self.plan.targets);
        self.draw(node);
        if let Some(target) = target {
            let (id, bytes) = (self.number(), self.plan.bytes);
            let transfer = Transfer { id, source: NodeId(node), target, bytes };
            let _ = self.network.inject(time, transfer);
        }
    }

    fn next_event(&mut self) -> Option<SimTime> {
        self.network.event_driven().and_then(|model| model.next_time())
    }

    /// Returns whether none of the program's transfers can arrive any more.
    fn is_stuck(&self) -> bool {
        let waits = |deadlock: &NetworkDeadlock| {
            self.program.keys().all(|id| deadlock.transfers.contains(&TransferId(*id)))
        };
        self.network.deadlock().as_ref().is_some_and(waits)
    }

    /// Creates messages and lets the network advance up to `now`, in order of time; a message comes
    /// before events of the network at the same time.
    fn catch_up(&mut self, now: SimTime) {
        self.now = now;
        if self.program.is_empty() {
            self.skip_to(now);
        }
        loop {
            let created = self.next.peek().map_or(SimTime::MAX, |next| next.0.0);
            let event = self.next_event();
            if created <= now && event.is_none_or(|event| created <= event) {
                self.create();
            } else if let Some(event) = event.filter(|event| *event <= now)
                && let Some(model) = self.network.event_driven()
            {
                model.advance(event, &mut self.reports);
            } else {
                return;
            }
        }
    }

    /// Carries a transfer of the program, after what is due before it.
    fn carry(
        &mut self,
        now: SimTime,
        transfer: Transfer,
        inject: impl FnOnce(&mut dyn Network, Transfer) -> Delivery,
    ) -> Delivery {
        self.catch_up(now);
        let id = self.number();
        let delivery = inject(&mut *self.network, Transfer { id, ..transfer });
        if delivery.arrival().is_none() {
            self.program.insert(id.0, transfer.id);
        }
        self.alarm = self.next_event();
        delivery
    }
}

impl Network for Background {
    fn inject(&mut self, now: SimTime, transfer: Transfer) -> Delivery {
        self.carry(now, transfer, |network, transfer| network.inject(now, transfer))
    }

    fn inject_through_port(&mut self, now: SimTime, transfer: Transfer) -> Delivery {
        self.carry(now, transfer, |network, transfer| network.inject_through_port(now, transfer))
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

    fn deadlock(&self) -> Option<NetworkDeadlock> {
        let mut deadlock = self.network.deadlock()?;
        deadlock.transfers =
            deadlock.transfers.iter().filter_map(|id| self.program.get(&id.0).copied()).collect();
        Some(deadlock)
    }
}

impl EventDriven for Background {
    /// Returns `None` if the program has nothing under way that can arrive: others alone do not
    /// prolong a run.
    fn next_time(&self) -> Option<SimTime> {
        if !self.reports.is_empty() {
            return Some(self.now);
        }
        if self.program.is_empty() || self.is_stuck() {
            return None;
        }
        let created = self.next.peek().map(|next| next.0.0);
        [created, self.alarm].into_iter().flatten().min()
    }

    fn advance(&mut self, now: SimTime, reports: &mut Vec<Report>) {
        self.catch_up(now);
        self.alarm = self.next_event();
        let first = reports.len();
        for report in self.reports.drain(..) {
            let known = match report.progress {
                Progress::Released => self.program.get(&report.id.0).copied(),
                Progress::Arrived => self.program.remove(&report.id.0),
            };
            reports.extend(known.map(|id| Report { id, ..report }));
        }
        reports[first..].sort_by_key(|report| (report.time, report.id));
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use sim_core::SimDuration;

    use super::*;
    use crate::{
        catalog::Catalog,
        model::{Hardware, test_hardware},
        traffic::TrafficPattern,
    };

    fn hardware() -> Hardware {
        test_hardware(100, 10)
    }

    fn network(model: &str, load: Option<f64>, seed: u64) -> Box<dyn Network> {
        let catalog = Catalog::standard();
        let spec = catalog.topology("torus:4x4").expect("a topology");
        let topology = Arc::new(spec.build(16).expect("it can be built"));
        let network = catalog.model(model).expect("a model").build(&hardware(), &topology);
        let Some(load) = load else { return network };
        let targets = TrafficPattern::Uniform.on(&topology, seed).expect("it fits");
        let rate = hardware().injection;
        let plan = BackgroundPlan { targets, nodes: 16, bytes: 1000, rate, load, seed };
        Box::new(Background::new(network, plan))
    }

    /// Sends messages of 10 kB from node 0 to node 10, one after the other with 5 us between them,
    /// and returns the nanoseconds that each takes.
    fn times(network: &mut dyn Network, begin: u64) -> Vec<u64> {
        let mut now = SimTime::ZERO + SimDuration::from_ns(begin);
        let mut times = Vec::new();
        for id in (0..20).map(TransferId) {
            let sent = now;
            let transfer = Transfer { id, source: NodeId(0), target: NodeId(10), bytes: 10_000 };
            let delivery = network.inject(now, transfer);
            let mut arrival = delivery.arrival();
            while arrival.is_none() {
                let model = network.event_driven().expect("it reports");
                now = model.next_time().expect("something is under way");
                let mut reports = Vec::new();
                model.advance(now, &mut reports);
                assert!(reports.iter().all(|report| report.id == id && report.time >= now));
                let arrived = |report: &&Report| report.progress == Progress::Arrived;
                arrival = reports.iter().find(arrived).map(|report| report.time);
            }
            now = arrival.expect("it arrives");
            times.push(now.since(sent).as_ps() / 1000);
            now += SimDuration::from_ns(5000);
        }
        times
    }

    #[test]
    fn others_slow_the_program_down_and_the_seed_decides_how() {
        for model in ["loggp", "link", "fluid", "packet", "flit"] {
            let alone = times(&mut *network(model, None, 0), 0);
            let beside = |seed| times(&mut *network(model, Some(0.5), seed), 0);
            let (one, other) = (beside(1), beside(2));
            let sum = |times: &[u64]| times.iter().sum::<u64>();
            assert!(sum(&one) > sum(&alone) * 102 / 100, "{model}: {one:?} and {alone:?}");
            assert_eq!(one, beside(1), "{model}");
            assert_ne!(one, other, "{model}");
        }
    }

    #[test]
    fn a_program_that_left_the_network_alone_finds_it_as_busy() {
        let alone = times(&mut *network("link", None, 0), 0).iter().sum::<u64>();
        // An hour later, of which the last message times are simulated.
        let late = times(&mut *network("link", Some(0.5), 1), 3_600_000_000_000);
        assert!(late.iter().sum::<u64>() > alone * 102 / 100, "{late:?}");
    }

    #[test]
    fn a_program_waits_for_others_as_long_as_queueing_theory_says() {
        let catalog = Catalog::standard();
        let spec = catalog.topology("crossbar:2").expect("a topology");
        let topology = Arc::new(spec.build(2).expect("it can be built"));
        let targets = TrafficPattern::Neighbor.on(&topology, 1).expect("it fits");
        let rate = hardware().injection;
        let model = || catalog.model("loggp").expect("a model").build(&hardware(), &topology);
        let plan = BackgroundPlan { targets, nodes: 2, bytes: 1000, rate, load: 0.5, seed: 1 };
        let time = |network: &mut dyn Network, now: SimTime| {
            let (source, target) = (NodeId(0), NodeId(1));
            let transfer = Transfer { id: TransferId(0), source, target, bytes: 1 };
            let arrival = network.inject(now, transfer).arrival().expect("it is known");
            arrival.since(now).as_ns_f64()
        };
        let alone = time(&mut *model(), SimTime::ZERO);
        // Pauses longer than what is simulated, and shorter ones.
        for pause in [300, 40].map(SimDuration::from_us) {
            let mut network = Background::new(model(), plan.clone());
            let mut now = SimTime::ZERO;
            let mut waited = 0.0;
            for _ in 0..4000 {
                now += pause;
                waited += time(&mut network, now) - alone;
            }
            // Of a queue M/D/1 at half of the load: half of the time of a message.
            let mean = waited / 4000.0;
            assert!((mean / 500.0 - 1.0).abs() < 0.06, "{pause:?}: {mean}");
        }
    }

    #[test]
    fn others_alone_do_not_prolong_a_run() {
        let mut network = network("packet", Some(0.9), 1);
        assert_eq!(network.event_driven().expect("it reports").next_time(), None);
        times(&mut *network, 0);
        assert_eq!(network.event_driven().expect("it reports").next_time(), None);
    }
}
