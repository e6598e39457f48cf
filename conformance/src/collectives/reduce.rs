//! Sum reductions, and the buffering on which a naive one depends.

use mpi_api::api::{collective::SystemOperation, initialize, traits::*};

use super::super::{Case, Expect, Row};

/// Elements of each rank.
const M: usize = 6;
/// Columns of the matrix.
const N: usize = 4;

pub(super) fn rows() -> Vec<Row> {
    vec![
        Row::safe(
            "B4.15",
            "MPI: The Complete Reference, example 4.15",
            "a scalar product",
            &[1, 2, 4],
            "the sum of all parts at the root",
            dot_product,
        ),
        Row::safe(
            "B4.16",
            "MPI: The Complete Reference, example 4.16",
            "a vector times a matrix",
            &[1, 2, 4],
            "the sums at the root; the others have no result",
            || vector_times_matrix(false),
        ),
        Row::safe(
            "B4.20",
            "MPI: The Complete Reference, example 4.20",
            "the same with the result everywhere",
            &[1, 2, 4],
            "bit for bit the same on every rank",
            || vector_times_matrix(true),
        ),
        Row::safe(
            "B4.21",
            "MPI: The Complete Reference, example 4.21",
            "the same with the result in parts",
            &[1, 2, 4],
            "rank i has the part whose size it told",
            in_parts,
        ),
        Row::new(
            "B4.red",
            "MPI: The Complete Reference, section 4.12",
            "a reduction along a chain, sent to the root by the last rank",
            vec![
                Case::safe(
                    &[2, 3, 4],
                    "the root is not the last rank: it receives what that sends",
                    || chain(0),
                ),
                Case::new(
                    &[1, 2, 4],
                    |_| Expect::buffering(8 * N as u64, 1),
                    "the last rank sends to itself before it receives",
                    || chain(-1),
                )
                .named("root-is-last"),
            ],
        ),
    ]
}

fn vector(rank: i32) -> [f64; M] {
    std::array::from_fn(|place| f64::from(rank) + place as f64 / 8.0)
}

fn dot_product() {
    let universe = initialize().expect("once");
    let world = universe.world();
    let part = |rank: i32| vector(rank).iter().map(|value| value * value).sum::<f64>();
    let (mine, root) = (part(world.rank()), world.process_at_rank(0));
    if world.rank() == 0 {
        let mut sum = 0.0;
        root.reduce_into_root(&mine, &mut sum, SystemOperation::sum());
        let expected: f64 = (0..world.size()).map(part).sum();
        assert!((sum - expected).abs() < 1e-9 * expected.max(1.0));
    } else {
        root.reduce_into(&mine, SystemOperation::sum());
    }
}

/// Returns a rank's part of a vector times its rows of a matrix; eighths are exact in any order.
fn product(rank: i32) -> [f64; N] {
    std::array::from_fn(|column| {
        vector(rank).iter().enumerate().map(|(row, value)| value * (row * N + column) as f64).sum()
    })
}

fn expected(size: i32) -> [f64; N] {
    std::array::from_fn(|column| (0..size).map(|rank| product(rank)[column]).sum())
}

fn vector_times_matrix(everywhere: bool) {
    let universe = initialize().expect("once");
    let world = universe.world();
    let (mine, root) = (product(world.rank()), world.process_at_rank(0));
    let mut c = [-1.0; N];
    if everywhere {
        world.all_reduce_into(&mine[..], &mut c[..], SystemOperation::sum());
    } else if world.rank() == 0 {
        root.reduce_into_root(&mine[..], &mut c[..], SystemOperation::sum());
    } else {
        root.reduce_into(&mine[..], SystemOperation::sum());
        assert_eq!(c, [-1.0; N]);
        return;
    }
    assert_eq!(c, expected(world.size()));
}

fn in_parts() {
    let universe = initialize().expect("once");
    let world = universe.world();
    let (rank, size) = (world.rank(), world.size());
    let own = (N as i32 + size - 1 - rank) / size;
    let mut counts = vec![0; size as usize];
    world.all_gather_into(&own, &mut counts);
    assert_eq!(counts.iter().sum::<i32>(), N as i32);
    let before: i32 = counts[..rank as usize].iter().sum();
    let mut c = vec![-1.0; own as usize];
    world.reduce_scatter_into(&product(rank)[..], &counts, &mut c, SystemOperation::sum());
    assert_eq!(c, expected(size)[before as usize..][..own as usize]);
}

/// A negative root counts from the end.
fn chain(root: i32) {
    let universe = initialize().expect("once");
    let world = universe.world();
    let (rank, size) = (world.rank(), world.size());
    let root = root.rem_euclid(size);
    let mut sum = product(rank);
    if rank > 0 {
        let mut before = [0.0; N];
        world.process_at_rank(rank - 1).receive_into(&mut before[..]);
        for (sum, before) in sum.iter_mut().zip(before) {
            *sum += before;
        }
    }
    let next = if rank < size - 1 { rank + 1 } else { root };
    let tag = i32::from(rank == size - 1);
    world.process_at_rank(next).send_with_tag(&sum[..], tag);
    if rank == root {
        world.process_at_rank(size - 1).receive_into_with_tag(&mut sum[..], 1);
        assert_eq!(sum, expected(size));
    }
}
