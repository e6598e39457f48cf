//! Wildcard receives around a library that communicates (figures 9.5 and 9.6; the same as figures 2
//! and 3 of Walker's paper).

use mpi_api::api::{initialize, topology::SimpleCommunicator, traits::*};

use super::super::{Case, Expect, Row, declare};

pub(super) fn rows() -> Vec<Row> {
    vec![Row::new(
        "B9.F5",
        "MPI: The Complete Reference, figures 9.5 and 9.6",
        "the user's receives from any source, a library's ring, one communicator",
        vec![
            Case::new(
                &[3],
                |_| Expect::deadlock_in_one_order(),
                "when process 2 is late, the user's receive takes the library's message",
                || around_a_library(false),
            ),
            Case::safe(
                &[3],
                "in a communicator of its own the library's messages are out of reach",
                || around_a_library(true),
            )
            .named("separate"),
        ],
    )]
}

/// Ranks 0 and 1 receive from any source what rank 2 sends; in between the library passes a value
/// from 2 to 1, from 1 to 0 and from 0 to 2.
pub(in super::super) fn around_a_library(separate: bool) {
    let universe = initialize().expect("once");
    let world = universe.world();
    let own = separate.then(|| world.duplicate());
    let library = own.as_ref().unwrap_or(&world);
    match world.rank() {
        2 => {
            world.process_at_rank(1).send(&1);
            world.compute(1e-3);
            world.process_at_rank(0).send(&1);
        }
        _ => {
            let (_, status) = world.any_process().receive::<i32>();
            declare(format!("user: {}", status.source_rank()));
        }
    }
    ring(library);
}

fn ring(comm: &SimpleCommunicator) {
    let (to, from) = (comm.process_at_rank((comm.rank() + 2) % 3), (comm.rank() + 1) % 3);
    if comm.rank() == 0 {
        let (_, _) = comm.process_at_rank(from).receive::<i32>();
        to.send(&0);
    } else {
        to.send(&0);
        let (_, _) = comm.process_at_rank(from).receive::<i32>();
    }
}
