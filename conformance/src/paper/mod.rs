//! Libraries and message contexts (Walker, The design of a standard message passing interface,
//! Parallel Computing 20).

mod migration;
mod types;

use mpi_api::api::{initialize, point_to_point::send_receive_into, traits::*};

use super::{Case, Expect, Row, environment::around_a_library};

pub(super) fn rows() -> Vec<Row> {
    let mut rows = contexts();
    rows.extend(types::rows());
    rows.extend(migration::rows());
    rows
}

fn contexts() -> Vec<Row> {
    vec![
        Row::new(
            "W.2",
            "Walker, Parallel Computing 20 (1994), figure 2",
            "the user's receives from any source around a library's ring, well timed",
            vec![
                Case::new(
                    &[3],
                    |_| Expect::deadlock_in_one_order().reaching(&["user: 2; user: 2"]),
                    "the figure's run, in which both users' receives get what process 2 sends, is \
                     reached; so is the one of figure 3",
                    || around_a_library(false),
                ),
                Case::new(
                    &[3],
                    |_| Expect::safe().reaching(&["user: 2; user: 2"]),
                    "in a context of its own the library leaves no other run",
                    || around_a_library(true),
                )
                .named("separate"),
            ],
        ),
        Row::new(
            "W.3",
            "Walker, Parallel Computing 20 (1994), figure 3",
            "the same in one context, with the second send of process 2 delayed",
            vec![
                Case::new(
                    &[3],
                    |_| Expect::deadlock_in_one_order(),
                    "process 0 takes the library's message for the user's",
                    || around_a_library(false),
                ),
                Case::safe(
                    &[3],
                    "a context of the library's own puts its messages out of the user's reach",
                    || around_a_library(true),
                )
                .named("separate"),
            ],
        ),
        Row::new(
            "W.shift",
            "Walker, Parallel Computing 20 (1994), section 3.2",
            "a circular and an end-off shift",
            vec![
                Case::safe(
                    &[1, 2, 5],
                    "a shift names both partners, the null process beyond an edge",
                    || {
                        shift(true);
                    },
                ),
                Case::safe(&[1, 2, 5], "what falls off an edge is nobody's", || {
                    shift(false);
                })
                .named("end-off"),
            ],
        ),
    ]
}

fn shift(circular: bool) {
    let universe = initialize().expect("once");
    let world = universe.world();
    let size = world.size();
    let line = world.create_cartesian_communicator(&[size], &[circular], false);
    let line = line.expect("every rank has a place");
    let (source, dest) = line.shift(0, 1);
    let process = |rank: Option<i32>| rank.map_or(line.null_process(), |r| line.process_at_rank(r));
    let mut got = -1;
    send_receive_into(&line.rank(), &process(dest), &mut got, &process(source));
    let expected = if line.rank() > 0 || circular { (line.rank() + size - 1) % size } else { -1 };
    assert_eq!(got, expected);
}
