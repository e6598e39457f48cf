//! The rules of the standard, on small programs.
#![allow(clippy::duplicate_mod, reason = "every example brings its way to run")]

mod accounting;
mod agreement;
mod collective_costs;
mod copies;
mod error_handlers;
mod errors;
mod event_driven;
mod examples;
mod inquiries;
mod late;
mod long_polls;
mod neighbors;
mod one_sided;
mod persistent_collectives;
mod policies;
mod profile;
mod profile_names;
mod ranks;
mod representations;
mod short_ways;
mod spawn;
mod stalls;
mod threads;
mod untyped;
mod windows;

use std::sync::Arc;

use mpi_api::{
    api::{
        collective::{SystemOperation, UserOperation},
        initialize,
        point_to_point::send_receive_into,
        request::{StaticScope, multiple_scope, scope, wait_any},
        topology::Color,
        traits::*,
    },
    finding::Code,
    outcome::{Ending, RunResult},
    run::run,
    settings::{Buffering, Matching, Settings},
};
use network_models::{Constant, LocalPath, NodeId};
use sim_core::{Limits, SimDuration};

fn settings(ranks: u32, buffering: Buffering) -> Settings {
    Settings {
        limits: Limits { events: 1_000_000, ..Limits::standard() },
        ..Settings::free((0..ranks).map(NodeId).collect(), buffering)
    }
}

fn go(settings: Settings, program: impl Fn() + Send + Sync + 'static) -> RunResult {
    let local = LocalPath { latency: SimDuration::from_ns(1), bandwidth: None };
    let network = Constant::new(SimDuration::from_us(1), None, local);
    run(settings, Box::new(network), &(Arc::new(program) as _), None).0
}

/// Runs under both extremes of buffering; the program asserts its own answers.
fn holds(ranks: u32, program: fn()) {
    for buffering in [Buffering::zero(), Buffering::infinite()] {
        let result = go(settings(ranks, buffering), program);
        assert_eq!(result.ending, Ending::Completed, "{:?}", result.findings);
        assert!(result.findings.is_empty(), "{:?}", result.findings);
    }
}

#[test]
fn messages_do_not_overtake() {
    holds(2, || {
        let universe = initialize().expect("once");
        let world = universe.world();
        if world.rank() == 0 {
            (0..20).for_each(|i: i32| world.process_at_rank(1).send(&i));
        } else {
            (0..20).for_each(|i| assert_eq!(world.any_process().receive::<i32>().0, i));
        }
    });
}

#[test]
fn a_receive_matches_by_tag_past_an_earlier_message() {
    holds(2, || {
        let universe = initialize().expect("once");
        let world = universe.world();
        if world.rank() == 0 {
            let (a, b) = (1, 2);
            scope(|scope| {
                let first = world.process_at_rank(1).immediate_send_with_tag(scope, &a, 1);
                world.process_at_rank(1).send_with_tag(&b, 2);
                first.wait();
            });
        } else {
            let mut value = 0;
            let status = world.process_at_rank(0).receive_into_with_tag(&mut value, 2);
            assert_eq!((value, status.tag(), status.count(i32::equivalent_datatype())), (2, 2, 1));
            world.process_at_rank(0).receive_into_with_tag(&mut value, 1);
            assert_eq!(value, 1);
        }
    });
}

#[test]
fn the_null_process_leaves_the_buffer_alone() {
    holds(1, || {
        let universe = initialize().expect("once");
        let world = universe.world();
        let mut value = 7;
        let null = world.null_process();
        let status = send_receive_into(&1, &null, &mut value, &null);
        assert_eq!((value, status.count(i32::equivalent_datatype())), (7, 0));
        null.immediate_send(StaticScope, &7).wait();
    });
}

#[test]
fn polling_lets_time_advance() {
    holds(2, || {
        let universe = initialize().expect("once");
        let world = universe.world();
        if world.rank() == 0 {
            world.compute(1e-4);
            world.process_at_rank(1).send(&5u8);
        } else {
            while world.any_process().immediate_probe().is_none() {}
            assert!(world.wtime() >= 1e-4);
            assert_eq!(world.process_at_rank(0).receive::<u8>().0, 5);
        }
    });
}

#[test]
fn wait_any_takes_what_is_there() {
    holds(3, || {
        let universe = initialize().expect("once");
        let world = universe.world();
        if world.rank() == 0 {
            let (mut a, mut b) = (0, 0);
            let (one, two) = (world.process_at_rank(1), world.process_at_rank(2));
            scope(|scope| {
                let mut requests = vec![
                    one.immediate_receive_into(scope, &mut a),
                    two.immediate_receive_into(scope, &mut b),
                ];
                assert_eq!(wait_any(&mut requests).map(|(at, _)| at), Some(1));
                assert_eq!(wait_any(&mut requests).map(|(at, _)| at), Some(0));
                assert!(wait_any(&mut requests).is_none());
            });
            assert_eq!((a, b), (1, 2));
        } else {
            world.compute(if world.rank() == 1 { 1e-3 } else { 0.0 });
            world.process_at_rank(0).send(&world.rank());
        }
    });
}

#[test]
fn collectives_give_the_defined_results() {
    holds(6, || {
        let universe = initialize().expect("once");
        let world = universe.world();
        let (rank, size) = (world.rank(), world.size());
        let root = world.process_at_rank(2);
        let mut value = if rank == 2 { 42 } else { 0 };
        root.broadcast_into(&mut value);
        assert_eq!(value, 42);
        let mut all = vec![0; 6];
        world.all_gather_into(&rank, &mut all);
        assert_eq!(all, [0, 1, 2, 3, 4, 5]);
        let mut sum = 0;
        world.all_reduce_into(&rank, &mut sum, SystemOperation::sum());
        assert_eq!(sum, 15);
        let mut prefix = 0;
        world.scan_into(&rank, &mut prefix, SystemOperation::sum());
        assert_eq!(prefix, (0..=rank).sum());
        let mut gathered = [0; 6];
        let mut back = 0;
        if rank == 2 {
            root.gather_into_root(&(rank * 10), &mut gathered);
            root.scatter_into_root(&gathered, &mut back);
        } else {
            root.gather_into(&(rank * 10));
            root.scatter_into(&mut back);
        }
        assert_eq!(back, rank * 10);
        let out: Vec<i32> = (0..size).map(|to| rank * 100 + to).collect();
        let mut exchanged = vec![0; 6];
        world.all_to_all_into(&out, &mut exchanged);
        assert!((0..6).all(|from| exchanged[from as usize] == from * 100 + rank));
        let right = UserOperation::associative(|_, _| {});
        if rank == 2 {
            let mut last = 0;
            root.reduce_into_root(&rank, &mut last, &right);
            assert_eq!(last, 5);
        } else {
            root.reduce_into(&rank, &right);
        }
    });
}

#[test]
fn split_and_grids() {
    holds(6, || {
        let universe = initialize().expect("once");
        let world = universe.world();
        let half =
            world.split_by_color_with_key(Color::with_value(world.rank() % 2), -world.rank());
        let half = half.expect("a colour");
        assert_eq!((half.size(), half.rank()), (3, 2 - world.rank() / 2));
        let grid = world.create_cartesian_communicator(&[2, 3], &[false, true], false);
        let grid = grid.expect("a place");
        let (left, right) = grid.shift(1, 1);
        let (left, right) = (left.expect("a ring"), right.expect("a ring"));
        let (left, right) = (grid.process_at_rank(left), grid.process_at_rank(right));
        let mut got = -1;
        send_receive_into(&grid.rank(), &right, &mut got, &left);
        let row = grid.rank() / 3;
        assert_eq!(got, row * 3 + (grid.rank() + 2) % 3);
        let column = grid.subgroup(&[true, false]);
        assert_eq!((column.size(), column.rank()), (2, row));
        let copy = world.duplicate();
        copy.barrier();
    });
}

fn only_finding(ranks: u32, program: fn()) -> Code {
    let result = go(settings(ranks, Buffering::infinite()), program);
    result.findings.first().expect("a finding").code
}

#[test]
fn faults_are_named() {
    let mismatch = only_finding(2, || {
        let universe = initialize().expect("once");
        let world = universe.world();
        if world.rank() == 0 {
            world.process_at_rank(1).send(&1.5f32);
        } else {
            world.process_at_rank(0).receive::<i32>();
        }
    });
    assert_eq!(mismatch, Code::TypeMismatch);
    let truncation = only_finding(2, || {
        let universe = initialize().expect("once");
        let world = universe.world();
        if world.rank() == 0 {
            world.process_at_rank(1).send(&[1, 2, 3]);
        } else {
            world.process_at_rank(0).receive::<i32>();
        }
    });
    assert_eq!(truncation, Code::Truncation);
    let root = only_finding(2, || {
        let universe = initialize().expect("once");
        let world = universe.world();
        world.process_at_rank(world.rank()).broadcast_into(&mut 0);
    });
    assert_eq!(root, Code::RootMismatch);
    let rank = only_finding(2, || {
        let universe = initialize().expect("once");
        universe.world().process_at_rank(5).send(&0);
    });
    assert_eq!(rank, Code::InvalidArgument);
    let lost = only_finding(2, || {
        let universe = initialize().expect("once");
        let world = universe.world();
        if world.rank() == 0 {
            world.process_at_rank(1).send(&0);
        }
    });
    assert_eq!(lost, Code::UnreceivedMessage);
    let panicked = only_finding(2, || panic!("on purpose"));
    assert_eq!(panicked, Code::Panicked);
}

#[test]
fn exploration_sees_both_orders_of_a_wildcard() {
    let program = || {
        let universe = initialize().expect("once");
        let world = universe.world();
        if world.rank() == 0 {
            let first = world.any_process().receive::<i32>().1.source_rank();
            world.any_process().receive::<i32>();
            assert_eq!(first, 1, "rank 2 came first");
        } else {
            world.process_at_rank(0).send(&0);
        }
    };
    let explore = |list: Vec<u32>| Settings {
        matching: Matching::Explore(list),
        ..settings(3, Buffering::infinite())
    };
    let first = go(explore(Vec::new()), program);
    assert_eq!(first.choices.len(), 1);
    let endings = [first.ending, go(explore(vec![1]), program).ending];
    assert!(endings.contains(&Ending::Completed) && endings.contains(&Ending::Failed));
}

#[test]
fn exploration_sees_what_a_wait_for_some_may_give() {
    let program = || {
        let universe = initialize().expect("once");
        let world = universe.world();
        if world.rank() > 0 {
            world.process_at_rank(0).send(&world.rank());
            return;
        }
        let mut values = [0; 2];
        let [a, b] = &mut values;
        scope(|scope| {
            let mut seen = Vec::new();
            multiple_scope(2, |_, requests| {
                requests.add(world.process_at_rank(1).immediate_receive_into(scope, a));
                requests.add(world.process_at_rank(2).immediate_receive_into(scope, b));
                let mut done = Vec::new();
                while requests.incomplete() > 0 {
                    requests.wait_some(&mut done);
                    seen.push(done.iter().map(|(place, ..)| *place).collect::<Vec<_>>());
                }
            });
            assert_ne!(seen[0], [1], "the second alone came first");
        });
    };
    let go_with = |list: Vec<u32>| {
        let matching = Matching::Explore(list);
        go(Settings { matching, ..settings(3, Buffering::infinite()) }, program).ending
    };
    let endings: Vec<Ending> = (0..3).map(|first| go_with(vec![first])).collect();
    assert_eq!(endings, [Ending::Completed, Ending::Failed, Ending::Completed]);
}

#[test]
fn a_send_that_nobody_receives_can_be_cancelled_under_any_buffering() {
    static VALUE: i32 = 1;
    holds(2, || {
        let universe = initialize().expect("once");
        let world = universe.world();
        if world.rank() == 0 {
            let to = world.process_at_rank(1);
            let early = to.immediate_send_with_tag(StaticScope, &VALUE, 1);
            early.cancel();
            assert!(early.wait().is_cancelled());
            let late = to.immediate_send_with_tag(StaticScope, &VALUE, 2);
            world.barrier();
            late.cancel();
            assert!(late.wait().is_cancelled());
            let kept = to.immediate_send_with_tag(StaticScope, &VALUE, 3);
            world.barrier();
            kept.cancel();
            assert!(!kept.wait().is_cancelled());
        } else {
            let mut value = 0;
            world.barrier();
            assert!(world.process_at_rank(0).immediate_probe_with_tag(3).is_none());
            world.process_at_rank(0).receive_into_with_tag(&mut value, 3);
            world.barrier();
            assert_eq!(value, 1);
        }
        world.barrier();
    });
}

#[test]
fn a_panic_in_a_reduction_function_is_a_finding() {
    let result = go(settings(2, Buffering::infinite()), || {
        let universe = initialize().expect("once");
        let world = universe.world();
        let broken = UserOperation::commutative(|_, _| panic!("no such sum"));
        world.all_reduce_into(&world.rank(), &mut 0, &broken);
    });
    assert_eq!(result.ending, Ending::Failed);
    let finding = result.findings.first().expect("a finding");
    assert_eq!(finding.code, Code::Panicked);
    assert!(finding.message.contains("no such sum"), "{}", finding.message);
    assert!(finding.sites[0].site.expect("a place").file.ends_with("main.rs"));
}

#[test]
fn a_reduction_function_cannot_communicate() {
    let result = go(settings(2, Buffering::infinite()), || {
        let universe = initialize().expect("once");
        let world = universe.world();
        let greedy = UserOperation::commutative(|_, _| {
            mpi_api::api::environment::time();
        });
        world.all_reduce_into(&world.rank(), &mut 0, &greedy);
    });
    assert_eq!(result.findings.first().expect("a finding").code, Code::Panicked);
}
