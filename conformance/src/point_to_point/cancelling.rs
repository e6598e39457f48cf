//! A receive that is cancelled while its message may be in transit.

use mpi_api::api::{initialize, request::scope, traits::*};

use super::super::{Case, Expect, Row, declare};

pub(super) fn rows() -> Vec<Row> {
    let case = |when, reason, body| Case::new(&[2], when, reason, body);
    vec![Row::new(
        "B2.30",
        "MPI: The Complete Reference, example 2.30",
        "a receive that is cancelled, or was too late to be",
        vec![
            case(
                |_| Expect::safe().reaching(&["cancelled", "received"]),
                "the message may be there or not; it is received exactly once in either case",
                || cancel(When::Whenever),
            ),
            case(
                |_| Expect::safe().reaching(&["cancelled"]),
                "a receive whose message is not yet sent can be cancelled",
                || cancel(When::BeforeTheMessage),
            )
            .named("in-time"),
            case(
                |_| Expect::safe().reaching(&["received"]),
                "a receive that has matched can not be cancelled",
                || cancel(When::AfterTheMessage),
            )
            .named("too-late"),
        ],
    )]
}

/// When the receive is cancelled.
#[derive(Clone, Copy, PartialEq, Eq)]
enum When {
    Whenever,
    BeforeTheMessage,
    AfterTheMessage,
}

fn cancel(when: When) {
    let universe = initialize().expect("once");
    let world = universe.world();
    let meet_if = |moment| {
        if when == moment {
            world.barrier();
        }
    };
    if world.rank() == 1 {
        meet_if(When::BeforeTheMessage);
        world.process_at_rank(0).synchronous_send(&7);
        meet_if(When::AfterTheMessage);
        return;
    }
    let mut room = 0;
    let cancelled = scope(|scope| {
        let receive = world.process_at_rank(1).immediate_receive_into(scope, &mut room);
        meet_if(When::AfterTheMessage);
        receive.cancel();
        receive.wait().is_cancelled()
    });
    meet_if(When::BeforeTheMessage);
    if cancelled {
        world.process_at_rank(1).receive_into(&mut room);
    }
    assert_eq!(room, 7);
    declare(if cancelled { "cancelled" } else { "received" });
}
