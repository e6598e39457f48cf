//! Ranks that do not exist: every call that names one says so, whatever the others wait for.

use mpi_api::{
    api::{
        collective::SystemOperation,
        initialize,
        request::{StaticScope, scope},
        topology::SimpleCommunicator,
        traits::*,
    },
    finding::Code,
    outcome::{Ending, RunResult},
    settings::Buffering,
};

use crate::{go, settings};

/// Rank 0 makes this call with a rank that does not exist; the others wait for rank 0.
fn with(program: fn(&SimpleCommunicator, i32), rank: i32) -> RunResult {
    go(settings(4, Buffering::zero()), move || {
        let universe = initialize().expect("once");
        let world = universe.world();
        if world.rank() == 0 {
            program(&world, rank);
        } else {
            world.process_at_rank(0).receive::<i32>();
        }
    })
}

/// Every way to name another rank.
const CALLS: [(&str, fn(&SimpleCommunicator, i32)); 17] = [
    ("send", |world, rank| world.process_at_rank(rank).send(&1)),
    ("immediate_send", |world, rank| {
        world.process_at_rank(rank).immediate_send(StaticScope, &1).wait();
    }),
    ("receive", |world, rank| {
        world.process_at_rank(rank).receive::<i32>();
    }),
    ("immediate_receive", |world, rank| {
        let mut value = 0;
        scope(|scope| {
            world.process_at_rank(rank).immediate_receive_into(scope, &mut value).wait();
        });
    }),
    ("probe", |world, rank| {
        world.process_at_rank(rank).probe();
    }),
    (
        "immediate_probe",
        |world, rank| {
            while world.process_at_rank(rank).immediate_probe().is_none() {}
        },
    ),
    ("matched_probe", |world, rank| drop(world.process_at_rank(rank).matched_probe())),
    ("send_init", |world, rank| world.process_at_rank(rank).send_init(&1, 0).free()),
    ("receive_init", |world, rank| world.process_at_rank(rank).receive_init(&1, 0).free()),
    ("broadcast", |world, rank| world.process_at_rank(rank).broadcast_into(&mut 1)),
    ("immediate_broadcast", |world, rank| {
        let mut value = 0;
        scope(|scope| {
            world.process_at_rank(rank).immediate_broadcast_into(scope, &mut value).wait();
        });
    }),
    ("broadcast_init", |world, rank| {
        world.process_at_rank(rank).broadcast_init(&mut 1).free();
    }),
    ("gather", |world, rank| world.process_at_rank(rank).gather_into(&1)),
    ("scatter", |world, rank| world.process_at_rank(rank).scatter_into(&mut 1)),
    ("reduce", |world, rank| {
        world.process_at_rank(rank).reduce_into(&1, SystemOperation::sum());
    }),
    ("leader", |world, rank| {
        drop(world.create_intercommunicator(rank, Some((world, 1)), 0));
    }),
    ("remote leader", |world, rank| {
        drop(world.create_intercommunicator(0, Some((world, rank)), 0));
    }),
];

#[test]
fn a_rank_that_does_not_exist_is_told() {
    for (call, program) in CALLS {
        for rank in [4, -2, i32::MAX, i32::MIN] {
            let result = with(program, rank);
            assert_eq!(result.ending, Ending::Failed, "{call} with {rank}");
            let codes: Vec<Code> = result.findings.iter().map(|finding| finding.code).collect();
            assert_eq!(codes, [Code::InvalidArgument], "{call} with {rank}");
            let text = &result.findings[0].message;
            assert!(text.contains(&format!(" {rank} is ")), "{call}: {text}");
        }
    }
}
