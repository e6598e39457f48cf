//! The Poisson solver in its three versions, and the order in which its messages are posted.

use mpi_api::api::{initialize, request::scope, traits::*};

use super::{Expect, Row};
use crate::Case;
use scenarios::program::by_name;

const RANKS: &[u32] = &[1, 2, 4, 6];

pub(super) fn rows() -> Vec<Row> {
    vec![
        Row::safe(
            "T7.11a",
            "MPI draft, figures 7.2 and 7.3",
            "halos copied and exchanged with all neighbours",
            RANKS,
            "each halo is the neighbour's edge; compared with one field",
            || {
                by_name("jacobi-neighbor");
            },
        ),
        Row::new(
            "T7.11b",
            "MPI draft, figure 7.3",
            "pairs of messages with equal tags",
            vec![
                Case::safe(
                    &[1, 2, 3],
                    "receives from below and above, sends above and below: they pair off",
                    || pairs([1, 0]),
                ),
                Case::safe(&[3], "with three ranks or more the order does not matter", || {
                    pairs([0, 1])
                })
                .named("same-order"),
                Case::new(
                    &[1, 2],
                    |_| Expect::verdict(mpi_api::finding::Verdict::Error),
                    "in the order of the receives, halos of one or two ranks change sides",
                    || pairs([0, 1]),
                )
                .named("swapped"),
            ],
        ),
        Row::safe(
            "T7.11c",
            "MPI draft, figure 7.4",
            "halos exchanged where they lie",
            RANKS,
            "columns travel as vectors; what is sent and received is disjoint",
            || {
                by_name("jacobi-neighborw");
            },
        ),
        Row::safe(
            "T7.11d",
            "MPI draft, figure 7.5",
            "the exchange made once and started again and again",
            RANKS,
            "inner points are updated meanwhile, edges afterwards",
            || {
                by_name("jacobi-neighborw-persistent");
            },
        ),
    ]
}

/// One dimension of a torus; the sides are sent in the given order.
fn pairs(order: [usize; 2]) {
    let universe = initialize().expect("once");
    let world = universe.world();
    let (rank, size) = (world.rank(), world.size());
    let sides = [(rank + size - 1) % size, (rank + 1) % size];
    let edges = [10 * rank, 10 * rank + 1];
    let (mut low, mut high) = (-1, -1);
    scope(|scope| {
        let process = |side: usize| world.process_at_rank(sides[side]);
        let receives = [
            process(0).immediate_receive_into(scope, &mut low),
            process(1).immediate_receive_into(scope, &mut high),
        ];
        let sends = order.map(|side| process(side).immediate_send(scope, &edges[side]));
        receives.into_iter().for_each(|receive| _ = receive.wait());
        sends.into_iter().for_each(|send| _ = send.wait());
    });
    assert_eq!((low, high), (10 * sides[0] + 1, 10 * sides[1]), "the halos");
}
