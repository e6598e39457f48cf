//! `MPI_Init`, and the operations that must complete before `MPI_Finalize`.

use mpi_api::{
    api::{
        environment::{finalized, initialized},
        initialize,
        request::StaticScope,
        traits::*,
    },
    finding::Code,
};

use super::super::{Case, Expect, Row};

pub(super) fn rows() -> Vec<Row> {
    let mut rows = beginnings();
    rows.extend(freed_requests());
    rows.extend(attached_buffers());
    rows
}

fn beginnings() -> Vec<Row> {
    vec![
        Row::safe(
            "D8.init",
            super::DRAFT,
            "init and finalize, without arguments",
            &[2, 1],
            "a second initialize gives nothing and has no effect",
            skeleton,
        ),
        Row::safe(
            "D8.3",
            super::DRAFT,
            "a send is received before finalize",
            &[2],
            "nothing is left over",
            received,
        ),
        Row::new(
            "D8.4",
            super::DRAFT,
            "a send without its receive",
            vec![
                Case::new(
                    &[2],
                    |_| Expect::wrong(Code::UnreceivedMessage),
                    "communication must be complete at finalize: nobody receives the message",
                    || never_received(false),
                ),
                Case::new(
                    &[2],
                    |_| Expect::wrong(Code::UnreceivedMessage),
                    "the same, when the attached buffer lets the sender come to finalize",
                    || never_received(true),
                )
                .named("buffered")
                .with(|request| {
                    request.policies.push("attached-buffer-at-finalize=detached".into());
                }),
            ],
        ),
    ]
}

fn freed_requests() -> Vec<Row> {
    vec![
        Row::safe(
            "D8.5",
            super::DRAFT,
            "a freed request, a barrier after the receive, finalize",
            &[2],
            "the barrier proves that the message was received",
            || freed_request(true),
        ),
        Row::new(
            "D8.6",
            super::DRAFT,
            "a freed request and finalize, no barrier",
            vec![Case::new(
                &[2],
                |_| Expect::wrong(Code::RequestLeak),
                "nothing proves that the send is complete before finalize",
                || freed_request(false),
            )],
        ),
        Row::new(
            "D8.7",
            super::DRAFT,
            "the program of D8.5 under the draft's new rule",
            vec![
                Case::new(
                    &[2],
                    |_| Expect::wrong(Code::RequestLeak),
                    "by this policy the program must complete every operation by a call",
                    || freed_request(true),
                )
                .with(|request| {
                    request.policies.push("freed-request-before-finalize=erroneous".into());
                }),
            ],
        ),
    ]
}

fn attached_buffers() -> Vec<Row> {
    vec![
        Row::new(
            "D8.8",
            super::DRAFT,
            "a buffered send, and finalize while the buffer is attached",
            vec![
                Case::safe(
                    &[2],
                    "by this policy finalize detaches the buffer; the message still leaves it",
                    still_attached,
                )
                .with(|request| {
                    request.policies.push("attached-buffer-at-finalize=detached".into());
                }),
            ],
        ),
        Row::new(
            "D8.9",
            super::DRAFT,
            "the program of D8.8 under the new rule",
            vec![Case::new(
                &[2],
                |_| Expect::wrong(Code::ResourceLeak),
                "the buffer must be detached before finalize",
                still_attached,
            )],
        ),
    ]
}

fn skeleton() {
    assert!(!initialized() && !finalized());
    let universe = initialize().expect("once");
    assert!(initialize().is_none());
    assert!(initialized() && !finalized());
    universe.world().barrier();
    drop(universe);
    assert!(initialized() && finalized());
    assert!(initialize().is_none());
}

fn received() {
    let universe = initialize().expect("once");
    let world = universe.world();
    match world.rank() {
        0 => world.process_at_rank(1).send(&1),
        _ => assert_eq!(world.process_at_rank(0).receive::<i32>().0, 1),
    }
}

fn never_received(buffered: bool) {
    let universe = initialize().expect("once");
    let world = universe.world();
    if world.rank() > 0 {
        return;
    }
    let other = world.process_at_rank(1);
    if buffered {
        universe.attach_buffer(100);
        other.buffered_send(&1);
    } else {
        other.send(&1);
    }
    universe.finalize();
}

fn freed_request(barrier: bool) {
    static VALUE: i32 = 5;
    let universe = initialize().expect("once");
    let world = universe.world();
    if world.rank() == 0 {
        world.process_at_rank(1).immediate_send(StaticScope, &VALUE).free();
    } else {
        assert_eq!(world.process_at_rank(0).receive::<i32>().0, 5);
    }
    if barrier {
        world.barrier();
    }
}

fn still_attached() {
    let universe = initialize().expect("once");
    let world = universe.world();
    if world.rank() == 0 {
        universe.attach_buffer(1000);
        world.process_at_rank(1).buffered_send(&[7; 10][..]);
    } else {
        assert_eq!(world.process_at_rank(0).receive_vec::<i32>().0, [7; 10]);
    }
    universe.finalize();
}
