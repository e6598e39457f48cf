//! Tests of the networks around other networks: each has all abilities of the one inside.

use std::sync::Arc;

use sim_core::{SimDuration, SimTime};

use crate::{
    background::{Background, BackgroundPlan},
    catalog::Catalog,
    faults::{Faulty, LinkChange, LinkFault},
    model::{Changing, Hardware, ModelDescription, ModelKind, test_hardware},
    network::{
        Delivery, EventDriven, Flight, LinkLog, LinkUsage, LinkView, Network, NetworkDeadlock,
        NodeId, Occupancy, PacketLosses, Progress, Report, Standstill, Transfer, TransferId,
    },
    protocols::Protocols,
    topology::{LinkId, Timeline, Topology, VertexId},
    traffic::TrafficPattern,
};

/// A network with every ability that there is. Transfers take 1 ns, through a port 2 ns, and are only
/// then known to have arrived.
struct Able {
    topology: Arc<Topology>,
    usage: Vec<LinkUsage>,
    log: LinkLog,
    arriving: Vec<Report>,
}

impl Able {
    fn carry(&mut self, now: SimTime, id: TransferId, ns: u64) -> Delivery {
        let time = now + SimDuration::from_ns(ns);
        self.arriving.push(Report { id, progress: Progress::Arrived, time });
        Delivery { accepted: now, flight: Some(Flight { released: now, arrival: None }) }
    }
}

impl Network for Able {
    fn inject(&mut self, now: SimTime, transfer: Transfer) -> Delivery {
        self.carry(now, transfer.id, 1)
    }

    fn inject_through_port(&mut self, now: SimTime, transfer: Transfer) -> Delivery {
        self.carry(now, transfer.id, 2)
    }

    fn event_driven(&mut self) -> Option<&mut dyn EventDriven> {
        Some(self)
    }

    fn deadlock(&self) -> Option<NetworkDeadlock> {
        let reason = Standstill::NoPath { source: "here".to_owned(), target: "there".to_owned() };
        Some(NetworkDeadlock { reason, transfers: Vec::new() })
    }

    fn cycle(&self) -> Option<SimDuration> {
        Some(SimDuration::from_ns(7))
    }

    fn links(&self) -> Option<LinkView<'_>> {
        Some(LinkView { topology: &self.topology, usage: &self.usage })
    }

    fn losses(&self) -> Option<PacketLosses> {
        Some(PacketLosses { dropped: 5, ..PacketLosses::default() })
    }

    fn link_log(&mut self) -> Option<&mut LinkLog> {
        Some(&mut self.log)
    }
}

impl EventDriven for Able {
    fn next_time(&self) -> Option<SimTime> {
        self.arriving.iter().map(|report| report.time).min()
    }

    fn advance(&mut self, now: SimTime, reports: &mut Vec<Report>) {
        reports.extend(self.arriving.extract_if(.., |report| report.time <= now));
    }
}

/// The model of [`Able`].
#[derive(Debug)]
struct AbleKind;

impl ModelKind for AbleKind {
    fn description(&self) -> ModelDescription {
        ModelDescription { name: "able", summary: "", source: "" }
    }

    fn changing(&self) -> Option<&dyn Changing> {
        Some(self)
    }

    fn build(&self, _: &Hardware, topology: &Arc<Topology>) -> Box<dyn Network> {
        let usage = vec![LinkUsage { messages: 3, ..LinkUsage::default() }];
        let (topology, log) = (Arc::clone(topology), LinkLog::default());
        Box::new(Able { topology, usage, log, arriving: Vec::new() })
    }
}

impl Changing for AbleKind {
    fn build(&self, hardware: &Hardware, timeline: &Timeline) -> Box<dyn Network> {
        ModelKind::build(self, hardware, timeline.base())
    }
}

fn ring() -> Arc<Topology> {
    let spec = Catalog::standard().topology("ring:4").expect("a topology");
    Arc::new(spec.build(4).expect("it can be built"))
}

fn able() -> Box<dyn Network> {
    ModelKind::build(&AbleKind, &test_hardware(100, 10), &ring())
}

/// Each network that wraps another one, around [`Able`].
fn wrapped() -> Vec<(&'static str, Box<dyn Network>)> {
    let (topology, hardware) = (ring(), test_hardware(100, 10));
    let plan = BackgroundPlan {
        targets: TrafficPattern::Uniform.on(&topology, 0).expect("it fits"),
        nodes: 4,
        // A message time is 10 us, so that nobody sends in the nanoseconds of the test; chances of many cycles are
        // drawn one by one.
        bytes: hardware.injection.bytes_per_sec() / 100_000,
        rate: hardware.injection,
        load: 0.5,
        seed: 0,
    };
    let (from, to) = (VertexId(0), VertexId(1));
    let fault = LinkFault { from, to, at: SimTime::MAX, change: LinkChange::Cut };
    vec![
        ("Background", Box::new(Background::new(able(), plan))),
        ("Protocols", Box::new(Protocols::new(able(), Vec::new()))),
        ("Faulty", Box::new(Faulty::new(&AbleKind, &hardware, &topology, &[fault]))),
    ]
}

#[test]
fn a_network_around_another_one_has_its_abilities() {
    for (name, mut network) in wrapped() {
        let found = (
            network.cycle().map(SimDuration::as_ps),
            network
                .links()
                .map(|links| (links.topology.name().to_owned(), links.usage[0].messages)),
            network.losses().map(|losses| losses.dropped),
            network.deadlock().map(|deadlock| deadlock.to_string()),
        );
        let links = ("ring:4".to_owned(), 3);
        let none = "the cut links leave no path from here to there".to_owned();
        assert_eq!(found, (Some(7000), Some(links), Some(5), Some(none)), "{name}");
        let occupancy = Occupancy {
            link: LinkId(2),
            start: SimTime::ZERO,
            end: SimTime::ZERO + SimDuration::from_ns(1),
        };
        let log = network.link_log().expect(name);
        log.switch_on();
        log.add(occupancy);
        let again = network.link_log().expect(name);
        assert_eq!(again.drain().collect::<Vec<_>>(), [occupancy], "{name}");
    }
}

#[test]
fn a_network_around_another_one_passes_transfers_and_reports_on() {
    for (name, mut network) in wrapped() {
        let transfer =
            |id| Transfer { id: TransferId(id), source: NodeId(0), target: NodeId(1), bytes: 8 };
        network.inject(SimTime::ZERO, transfer(0));
        network.inject_through_port(SimTime::ZERO, transfer(1));
        let model = network.event_driven().expect(name);
        let mut reports = Vec::new();
        while let Some(next) = model.next_time() {
            model.advance(next, &mut reports);
        }
        let found: Vec<(u64, u64)> =
            reports.iter().map(|report| (report.id.0, report.time.as_ps())).collect();
        assert_eq!(found, [(0, 1000), (1, 2000)], "{name}");
    }
}
