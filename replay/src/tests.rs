//! Runs that are recorded and replayed, on the same machine and on others.

use std::{rc::Rc, sync::Arc};

use mpi_api::{
    api::{
        collective::{SystemOperation, UserOperation},
        initialize,
        request::{multiple_scope, scope, wait_any},
        topology::Color,
        traits::*,
    },
    cost::Costs,
    outcome::{Ending, RunResult},
    run::{Program, run},
    settings::{Buffering, Environment, Recorder as Tapped, Settings},
};
use network_models::{Constant, LocalPath, NodeId};
use sim_core::{Limits, SimDuration};

use super::*;
use crate::goal::Schedule;

fn settings(ranks: u32, buffering: Buffering, recorder: Option<Rc<Recorder>>) -> Settings {
    Settings {
        costs: Costs { send: SimDuration::from_ns(300), ..Costs::free() },
        limits: Limits { events: 1_000_000, ..Limits::standard() },
        environment: Environment {
            recorder: recorder.map(|recorder| Tapped(recorder)),
            ..Environment::default()
        },
        ..Settings::free((0..ranks).map(NodeId).collect(), buffering)
    }
}

fn go(settings: Settings, latency: u64, program: &Program) -> RunResult {
    let local = LocalPath { latency: SimDuration::from_ns(1), bandwidth: None };
    let network = Constant::new(SimDuration::from_ns(latency), None, local);
    run(settings, Box::new(network), program, None).0
}

/// Records a program with small messages eager and large ones not, and checks that the replay is the
/// same run on the same machine, and completes on others with the same messages.
fn replays(ranks: u32, program: fn()) -> RunResult {
    replays_program(ranks, &(Arc::new(program) as Program))
}

fn replays_program(ranks: u32, program: &Program) -> RunResult {
    let buffering = || Buffering { eager_limit: 64, ..Buffering::infinite() };
    let recorder = Rc::new(Recorder::new(ranks));
    let first = go(settings(ranks, buffering(), None), 1000, program);
    let recorded = go(settings(ranks, buffering(), Some(Rc::clone(&recorder))), 1000, program);
    assert_eq!(recorded.ending, Ending::Completed, "{:?}", recorded.findings);
    assert_eq!(recorded.digest, first.digest, "recording changes nothing");
    let recording = recorder.finish(Origin::default()).expect("nothing unusual");
    let bytes = recording.to_bytes();
    let read = Recording::from_bytes(&bytes).expect("what was written");
    assert_eq!(read.to_bytes(), bytes);
    let replay: Program = Arc::new(Recorded::new(read));
    let same = go(settings(ranks, buffering(), None), 1000, &replay);
    assert_eq!(same.ending, Ending::Completed, "{:?}", same.findings);
    assert_eq!((same.makespan, same.digest), (recorded.makespan, recorded.digest));
    assert_eq!((same.messages, same.bytes), (recorded.messages, recorded.bytes));
    for (latency, buffering) in
        [(10, buffering()), (100_000, buffering()), (1000, Buffering::zero())]
    {
        let other = go(settings(ranks, buffering, None), latency, &replay);
        assert_eq!(other.ending, Ending::Completed, "{:?}", other.findings);
        assert_eq!((other.messages, other.bytes), (recorded.messages, recorded.bytes));
    }
    same
}

#[test]
fn blocking_and_collective_calls() {
    replays(6, || {
        let universe = initialize().expect("once");
        let world = universe.world();
        let (rank, size) = (world.rank(), world.size());
        let right = world.process_at_rank((rank + 1) % size);
        let left = world.process_at_rank((rank + size - 1) % size);
        for length in [1, 100] {
            let mut into = vec![0; length];
            let data = vec![rank; length];
            mpi_api::api::point_to_point::send_receive_into(&data, &right, &mut into, &left);
            let mut sums = vec![0; length];
            world.all_reduce_into(&data, &mut sums, SystemOperation::sum());
            world.process_at_rank(2).broadcast_into(&mut sums);
        }
        let largest = UserOperation::commutative(|left, right| {
            let (left, right) = (left.downcast::<i32>().unwrap(), right.downcast::<i32>().unwrap());
            right.iter_mut().zip(left).for_each(|(to, from)| *to = (*from).max(*to));
        });
        let mut most = 0;
        world.all_reduce_into(&rank, &mut most, &largest);
        assert_eq!(most, size - 1);
        let half = world.split_by_color(Color::with_value(rank % 2)).expect("two halves");
        let mut all = vec![0; half.size() as usize];
        half.all_gather_into(&rank, &mut all);
        half.duplicate().barrier();
    });
}

#[test]
fn nonblocking_calls_that_complete_in_another_order() {
    replays(4, || {
        let universe = initialize().expect("once");
        let world = universe.world();
        if world.rank() > 0 {
            for round in 0..5 {
                let length = (world.rank() * (round + 3)) as usize % 40 + 1;
                world.process_at_rank(0).send_with_tag(&vec![1_i64; length], round);
            }
            return;
        }
        for round in 0..5 {
            let mut buffers = [[0_i64; 64]; 3];
            multiple_scope(3, |scope, requests| {
                for buffer in &mut buffers {
                    let any = world.any_process();
                    requests.add(any.immediate_receive_into_with_tag(scope, buffer, round));
                }
                let mut seen = 0;
                while requests.wait_any().is_some() {
                    seen += 1;
                }
                assert_eq!(seen, 3);
            });
        }
    });
}

#[test]
fn polling_for_messages_and_requests() {
    replays(2, || {
        let universe = initialize().expect("once");
        let world = universe.world();
        let other = world.process_at_rank(1 - world.rank());
        let data = [world.rank(); 40];
        scope(|scope| {
            let mut send = other.immediate_send(scope, &data[..]);
            let status = loop {
                if let Some(status) = world.any_process().immediate_probe() {
                    break status;
                }
            };
            assert_eq!(status.source_rank(), 1 - world.rank());
            let mut into = [0; 40];
            other.receive_into(&mut into[..]);
            loop {
                match send.test() {
                    Ok(_) => break,
                    Err(again) => send = again,
                }
            }
        });
        scope(|scope| {
            let send = other.immediate_synchronous_send(scope, &data[..]);
            let (message, _) = world.any_process().matched_probe();
            let mut into = [0; 40];
            message.matched_receive_into(&mut into[..]);
            let _ = wait_any(&mut vec![send]);
        });
    });
}

#[test]
fn recordings_that_are_damaged_are_refused() {
    let recorder = Rc::new(Recorder::new(1));
    let program: Program = Arc::new(|| {
        initialize().expect("once").world().barrier();
    });
    go(settings(1, Buffering::zero(), Some(Rc::clone(&recorder))), 1, &program);
    let bytes = recorder.finish(Origin::default()).expect("nothing unusual").to_bytes();
    assert!(matches!(Recording::from_bytes(b"{}"), Err(FileError::Unknown)));
    for length in MAGIC.len()..bytes.len() {
        assert!(Recording::from_bytes(&bytes[..length]).is_err(), "{length} bytes");
    }
    for place in MAGIC.len()..bytes.len() {
        let mut other = bytes.clone();
        other[place] ^= 0x55;
        let read = Recording::from_bytes(&other);
        assert!(matches!(read, Err(FileError::Damaged(_))), "byte {place}");
    }
}

/// Sends on which nothing depends have requests on some machines only.
#[test]
fn schedules_are_recorded_too() {
    let rank = |rank: u32| {
        let (right, left) = ((rank + 1) % 4, (rank + 3) % 4);
        let small = format!("a: send 8b to {right}\nb: recv 8b from {left}\n");
        let large = format!("c: send 9000b to {left} tag 1\nd: recv 9000b from {right} tag 1\n");
        format!("rank {rank} {{\n{small}{large}e: calc 900\nc requires b\ne requires d\n}}\n")
    };
    let text = (0..4).map(rank).collect::<String>();
    let schedule = Schedule::parse("s", &format!("num_ranks 4\n{text}")).expect("a schedule");
    let run = replays_program(4, &(Arc::new(schedule) as Program));
    assert_eq!(run.messages, 8);
}
