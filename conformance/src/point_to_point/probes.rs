//! Probes: the message that a probe reports must be the one received.

use mpi_api::{
    api::{initialize, topology::SimpleCommunicator, traits::*},
    finding::Code,
};

use super::super::{Case, Expect, Row, declare};

pub(super) fn rows() -> Vec<Row> {
    vec![
        Row::new(
            "B2.28",
            "MPI: The Complete Reference, example 2.28",
            "a probe of any source, then a receive from the source it found",
            vec![Case::new(
                &[3],
                |_| Expect::safe().reaching(&["0 then 1", "1 then 0"]),
                "the first message of that source is the one that was probed",
                named_source,
            )],
        ),
        Row::new(
            "B2.29",
            "MPI: The Complete Reference, example 2.29",
            "a probe of any source, then a receive from any source",
            vec![Case::new(
                &[3],
                |_| Expect::wrong(Code::MessageRace),
                "the receive may take the other message, which is of another type",
                any_source,
            )],
        ),
    ]
}

/// Rank 0 sends an integer, rank 1 a real; the last rank goes on.
fn producers(world: &SimpleCommunicator) -> bool {
    match world.rank() {
        0 => world.process_at_rank(2).send(&5),
        1 => world.process_at_rank(2).send(&5.0f32),
        _ => return true,
    }
    false
}

fn named_source() {
    let universe = initialize().expect("once");
    let world = universe.world();
    if !producers(&world) {
        return;
    }
    let mut order = Vec::new();
    for _ in 0..2 {
        let source = world.any_process().probe().source_rank();
        let process = world.process_at_rank(source);
        if source == 0 {
            assert_eq!(process.receive::<i32>().0, 5);
        } else {
            assert_eq!(process.receive::<f32>().0, 5.0);
        }
        order.push(source.to_string());
    }
    declare(order.join(" then "));
}

fn any_source() {
    let universe = initialize().expect("once");
    let world = universe.world();
    if !producers(&world) {
        return;
    }
    for _ in 0..2 {
        if world.any_process().probe().source_rank() == 0 {
            let (_, _) = world.any_process().receive::<i32>();
        } else {
            let (_, _) = world.any_process().receive::<f32>();
        }
    }
}
