//! Where time goes and what becomes of messages, as results and traces tell it.

use std::sync::Arc;

use mpi_api::{
    api::{collective::SystemOperation, initialize, request::scope, traits::*},
    cost::Costs,
    outcome::{Ending, RunResult},
    run::run,
    settings::{Buffering, Matching, Settings},
    trace::{Record, Recording},
};
use network_models::{Constant, LocalPath};
use sim_core::SimDuration;

use crate::{go, settings};

fn priced() -> Settings {
    let costs =
        Costs { send: SimDuration::from_us(1), receive: SimDuration::from_us(2), ..Costs::free() };
    Settings { costs, ..settings(4, Buffering::infinite()) }
}

fn adds_up(result: &RunResult) {
    assert_eq!(result.ending, Ending::Completed, "{:?}", result.findings);
    for rank in &result.ranks {
        let sum = rank.compute + rank.overhead + rank.waiting;
        assert_eq!(sum.as_ps(), rank.finish.as_ps());
    }
}

#[test]
fn processors_work_in_collectives() {
    let blocking = go(priced(), || {
        let universe = initialize().expect("once");
        let mut sum = 0;
        universe.world().all_reduce_into(&1, &mut sum, SystemOperation::sum());
        assert_eq!(sum, 4);
    });
    adds_up(&blocking);
    let nonblocking = go(priced(), || {
        let universe = initialize().expect("once");
        let (one, mut sum) = (1, 0);
        scope(|scope| {
            let add = SystemOperation::sum();
            universe.world().immediate_all_reduce_into(scope, &one, &mut sum, add).wait();
        });
    });
    adds_up(&nonblocking);
    for result in [blocking, nonblocking] {
        // Recursive doubling: two rounds, each with a send and a receive.
        for rank in &result.ranks {
            assert_eq!(rank.overhead, SimDuration::from_us(6));
            assert_eq!(rank.waiting, SimDuration::from_us(2), "two rounds of latency");
        }
    }
}

/// How many messages a trace tells of, delivered and not.
fn told(program: fn(), buffering: Buffering) -> (RunResult, u64, u64) {
    let local = LocalPath { latency: SimDuration::from_ns(1), bandwidth: None };
    let network = Constant::new(SimDuration::from_us(1), None, local);
    let sink = Box::<Recording>::default();
    let program = Arc::new(program) as _;
    let (result, sink) = run(settings(4, buffering), Box::new(network), &program, Some(sink));
    let records = sink.map(|sink| sink.finish()).unwrap_or_default();
    let count = |is: fn(&Record) -> bool| records.iter().filter(|record| is(record)).count() as u64;
    let delivered = count(|record| matches!(record, Record::Message { .. }));
    let lost = count(|record| matches!(record, Record::Undelivered { .. }));
    (result, delivered, lost)
}

#[test]
fn every_message_of_a_stalled_run_is_in_its_trace() {
    let program = || {
        let universe = initialize().expect("once");
        let world = universe.world();
        let (next, previous) = ((world.rank() + 1) % 4, (world.rank() + 3) % 4);
        world.process_at_rank(next).send(&1);
        world.process_at_rank(previous).receive::<i32>();
        world.process_at_rank(next).synchronous_send(&2);
    };
    let (result, delivered, lost) = told(program, Buffering::infinite());
    assert_eq!(result.ending, Ending::Stalled);
    assert_eq!((result.messages, delivered, lost), (8, 4, 4));
}

#[test]
fn a_choice_names_the_message_that_was_taken() {
    let program = || {
        let universe = initialize().expect("once");
        let world = universe.world();
        if world.rank() == 0 {
            for _ in 0..2 {
                world.any_process().receive::<i32>();
            }
        } else if world.rank() < 3 {
            world.process_at_rank(0).send_with_tag(&1, world.rank());
        }
    };
    let matching = Matching::Explore(vec![1]);
    let result = go(Settings { matching, ..settings(3, Buffering::infinite()) }, program);
    let choice = result.choices.iter().find(|choice| choice.alternatives == 2).expect("a choice");
    let took = choice.took.expect("a message was chosen");
    assert_eq!((took.source, took.tag), (2, 2));
}
