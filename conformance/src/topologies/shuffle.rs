//! Shuffle-exchange networks.

use mpi_api::{
    api::{environment, initialize, point_to_point::send_receive_replace_into, traits::*},
    policy::Policy,
};

use super::{super::declare, Case, Expect, Row};

pub(super) fn rows() -> Vec<Row> {
    let cases = || {
        vec![Case::new(
            &[2, 4, 8],
            |ranks| Expect::safe().reaching(&[if ranks == 8 { "2, 4" } else { "the same" }]),
            "the shuffle and its inverse cancel: what is left is the exchange; which of them is \
             called the shuffle is the policy shuffle-names",
            permutations,
        )]
    };
    vec![
        Row::new(
            "B6.5",
            "MPI: The Complete Reference, example 6.5",
            "exchange, shuffle and unshuffle over a graph",
            cases(),
        ),
        Row::new(
            "T7.6",
            "MPI draft, example 7.6",
            "exchange, shuffle and unshuffle over a graph",
            cases(),
        ),
    ]
}

/// The neighbours of a place: across the last bit, rotated left, rotated right.
fn neighbors(place: i32, size: i32) -> [i32; 3] {
    let high = size / 2;
    let left = (place * 2) % size + place / high;
    let right = place / 2 + (place % 2) * high;
    [place ^ 1, left, right]
}

fn permutations() {
    let universe = initialize().expect("once");
    let size = universe.world().size();
    let edges: Vec<i32> = (0..size).flat_map(|place| neighbors(place, size)).collect();
    let index: Vec<i32> = (1..=size).map(|place| 3 * place).collect();
    let graph = universe.world().create_graph_communicator(&index, &edges, false);
    let graph = graph.expect("every rank has a place");
    if size == 8 {
        let table: Vec<&[i32]> = edges.chunks(3).collect();
        assert_eq!(table[..4], [[1, 0, 0], [0, 2, 4], [3, 4, 1], [2, 6, 5]]);
    }
    let [exchange, left, right] = neighbors(graph.rank(), size);
    assert_eq!(graph.neighbors(graph.rank()), [exchange, left, right]);
    // The data of both editions are the same; they swap the names of the two columns.
    let swapped = environment::policies().differs(Policy::ShuffleNames);
    let (shuffle, unshuffle) = if swapped { (right, left) } else { (left, right) };
    if graph.rank() == 1 {
        let same = shuffle == unshuffle;
        declare(if same { "the same".into() } else { format!("{shuffle}, {unshuffle}") });
    }
    let mut a = graph.rank();
    let process = |rank: i32| graph.process_at_rank(rank);
    send_receive_replace_into(&mut a, &process(exchange), &process(exchange));
    send_receive_replace_into(&mut a, &process(shuffle), &process(unshuffle));
    send_receive_replace_into(&mut a, &process(unshuffle), &process(shuffle));
    assert_eq!(a, graph.rank() ^ 1);
}
