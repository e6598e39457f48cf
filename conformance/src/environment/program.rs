//! Clocks, startup and shutdown of a program, error handlers.

use mpi_api::{
    api::{initialize, time, time_resolution, traits::*},
    error::ErrorHandler,
};

use super::super::{Case, Expect, Row, declare};

pub(super) fn rows() -> Vec<Row> {
    let mut rows = frame();
    rows.extend(tools());
    rows
}

fn frame() -> Vec<Row> {
    vec![
        Row::safe(
            "B7.t",
            "MPI: The Complete Reference, section 7.2",
            "the time a section takes",
            &[1, 3],
            "differences of the clock are simulated seconds; its resolution is a picosecond",
            timed,
        ),
        Row::safe(
            "B7.i",
            "MPI: The Complete Reference, section 7.3",
            "a program between init and finalize",
            &[1, 2],
            "a second init gives nothing; the first edition calls it an error, the policy \
                 second-init says which rule holds",
            || {
                let _universe = initialize().expect("once");
                assert!(initialize().is_none());
            },
        ),
        Row::new(
            "B7.p1",
            "MPI: The Complete Reference, section 7.5.1",
            "rank 0 alone reports",
            vec![Case::new(
                &[1, 2, 5],
                |_| Expect::safe().reaching(&["one line"]),
                "the others only begin and end",
                || {
                    let universe = initialize().expect("once");
                    if universe.world().rank() == 0 {
                        declare("one line");
                    }
                },
            )],
        ),
        Row::new(
            "B7.p2",
            "MPI: The Complete Reference, section 7.5.1",
            "every rank reports",
            vec![Case::new(
                &[3],
                |_| Expect::safe().reaching(&["rank 0; rank 1; rank 2"]),
                "all lines come; their order is nobody's promise, so the suite sorts them",
                || {
                    let universe = initialize().expect("once");
                    declare(format!("rank {}", universe.world().rank()));
                },
            )],
        ),
    ]
}

fn tools() -> Vec<Row> {
    vec![Row::safe(
        "B7.eh",
        "MPI: The Complete Reference, section 7.4.1",
        "a library sets its own error handler and restores its caller's",
        &[1, 2],
        "errors return inside the library; afterwards the caller's handler is there again",
        own_handler,
    )]
}

fn timed() {
    let universe = initialize().expect("once");
    let world = universe.world();
    assert_eq!(time_resolution(), 1e-12);
    let start = time();
    world.compute(2.5e-3);
    let elapsed = time() - start;
    assert!((elapsed - 2.5e-3).abs() < 1e-9, "{elapsed} seconds");
}

fn own_handler() {
    let universe = initialize().expect("once");
    let world = universe.world();
    let before = world.error_handler();
    assert_eq!(before, ErrorHandler::Fatal);
    world.set_error_handler(ErrorHandler::Return);
    world.process_at_rank(world.size()).send(&1);
    assert!(world.take_error().is_some(), "there is no such rank");
    world.set_error_handler(before);
    assert_eq!(world.error_handler(), ErrorHandler::Fatal);
}
