//! Network models that report arrivals later: a run does not depend on when an arrival is known.

use std::{mem, sync::Arc};

use mpi_api::{
    api::{collective::SystemOperation, initialize, request::scope, traits::*},
    outcome::{Ending, RunResult},
    run::run,
    settings::Buffering,
};
use network_models::{
    Bandwidth, ByteTime, Delivery, EventDriven, LocalPath, LogGp, LogGpParameters, Network,
    Progress, Report, Transfer,
};
use sim_core::{SimDuration, SimTime};

/// LogGP with bytes that take time, so that release and arrival differ.
fn loggp() -> LogGp {
    let parameters = LogGpParameters {
        latency: SimDuration::from_us(1),
        gap: SimDuration::from_ns(50),
        byte_time: ByteTime::from_fs(3_000_000),
        duplex_factor: 2,
    };
    let rate = Bandwidth::from_bytes_per_sec(10_000_000_000);
    let local = LocalPath { latency: SimDuration::from_ns(7), bandwidth: Some(rate) };
    LogGp::new(parameters, 8, local)
}

/// LogGP that tells a release or an arrival no sooner than it happens.
struct Withheld {
    model: LogGp,
    reports: Vec<Report>,
}

impl Network for Withheld {
    fn inject(&mut self, now: SimTime, transfer: Transfer) -> Delivery {
        let known = self.model.inject(now, transfer);
        let flight = known.flight.expect("LogGP knows every flight");
        let arrival = flight.arrival.expect("LogGP knows every arrival");
        for (progress, time) in
            [(Progress::Released, flight.released), (Progress::Arrived, arrival)]
        {
            self.reports.push(Report { id: transfer.id, progress, time });
        }
        Delivery { flight: None, ..known }
    }

    fn event_driven(&mut self) -> Option<&mut dyn EventDriven> {
        Some(self)
    }
}

impl EventDriven for Withheld {
    fn next_time(&self) -> Option<SimTime> {
        self.reports.iter().map(|report| report.time).min()
    }

    fn advance(&mut self, now: SimTime, reports: &mut Vec<Report>) {
        let (mut known, rest): (Vec<Report>, Vec<Report>) =
            mem::take(&mut self.reports).into_iter().partition(|report| report.time <= now);
        self.reports = rest;
        known.sort_by_key(|report| (report.time, report.id, report.progress));
        reports.append(&mut known);
    }
}

/// Every kind of transfer: eager and rendezvous, blocking and not, collectives, parts.
fn program() {
    let universe = initialize().expect("once");
    let world = universe.world();
    let (rank, size) = (world.rank(), world.size());
    let (right, left) = ((rank + 1) % size, (rank + size - 1) % size);
    let (right, left) = (world.process_at_rank(right), world.process_at_rank(left));
    for length in [1, 5_000, 100_000] {
        let (data, mut got) = (vec![rank; length], vec![0; length]);
        scope(|scope| {
            let receive = left.immediate_receive_into(scope, &mut got[..]);
            right.send(&data[..]);
            receive.wait();
        });
        assert!(got.iter().all(|value| *value == (rank + size - 1) % size));
        scope(|scope| {
            let send = right.immediate_send(scope, &data[..]);
            let urgent = right.immediate_synchronous_send(scope, &data[..]);
            world.compute(2e-6);
            left.receive_into(&mut got[..]);
            left.receive_into(&mut got[..]);
            send.wait();
            urgent.wait();
        });
        scope(|scope| {
            let local = world.this_process().immediate_send(scope, &rank);
            assert_eq!(world.this_process().receive::<i32>().0, rank);
            local.wait();
        });
    }
    let mut sum = 0;
    world.all_reduce_into(&rank, &mut sum, SystemOperation::sum());
    assert_eq!(sum, size * (size - 1) / 2);
    world.barrier();
}

fn go(buffering: Buffering, network: Box<dyn Network>) -> RunResult {
    let mut settings = super::settings(8, buffering);
    settings.costs.send = SimDuration::from_ns(300);
    let result = run(settings, network, &(Arc::new(program) as _), None).0;
    assert_eq!(result.ending, Ending::Completed, "{:?}", result.findings);
    result
}

#[test]
fn a_run_does_not_depend_on_when_arrivals_are_known() {
    let system = Buffering { eager_limit: 30_000, ..Buffering::infinite() };
    for buffering in [Buffering::zero(), system, Buffering::infinite()] {
        let known = go(buffering.clone(), Box::new(loggp()));
        let withheld = go(buffering, Box::new(Withheld { model: loggp(), reports: Vec::new() }));
        assert_eq!(withheld.makespan, known.makespan);
        assert_eq!(format!("{:?}", withheld.ranks), format!("{:?}", known.ranks));
        assert_eq!((withheld.messages, withheld.bytes), (known.messages, known.bytes));
        assert!(withheld.events > known.events, "the model had events of its own");
    }
}
