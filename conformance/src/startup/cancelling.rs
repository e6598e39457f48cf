//! Cancelled sends whose receiver calls finalize.

use mpi_api::api::{initialize, request::StaticScope, traits::*};

use super::super::Row;

pub(super) fn rows() -> Vec<Row> {
    vec![
        Row::safe(
            "D8.10",
            super::DRAFT,
            "a send is cancelled after the other side has probed for something else",
            &[2],
            "nothing matches the send, so the probe finds nothing and the cancel succeeds, in \
                 whatever order it and the other side's finalize come",
            cancelled_late,
        ),
        Row::safe(
            "D8.11",
            super::DRAFT,
            "a send is cancelled; the other side finalizes at once",
            &[2],
            "the send cannot complete normally, so the cancel must succeed",
            cancelled_at_once,
        ),
    ]
}

static VALUE: i32 = 3;

fn cancelled_late() {
    let universe = initialize().expect("once");
    let world = universe.world();
    if world.rank() == 0 {
        let request = world.process_at_rank(1).immediate_send_with_tag(StaticScope, &VALUE, 1);
        world.barrier();
        world.barrier();
        request.cancel();
        assert!(request.wait().is_cancelled());
    } else {
        world.barrier();
        assert!(world.process_at_rank(0).immediate_probe_with_tag(2).is_none());
        world.barrier();
    }
}

fn cancelled_at_once() {
    let universe = initialize().expect("once");
    let world = universe.world();
    if world.rank() == 0 {
        let request = world.process_at_rank(1).immediate_send(StaticScope, &VALUE);
        request.cancel();
        assert!(request.wait().is_cancelled());
    }
}
