//! User-defined reduction operations.

use mpi_api::api::{collective::UserOperation, initialize, traits::*};

use super::super::{Case, Row};

pub(super) fn rows() -> Vec<Row> {
    vec![
        Row::safe("B4.22", "MPI: The Complete Reference, example 4.22", "the products of a hundred complex numbers of each rank", &[1, 2, 4], "the operation commutes: any order is right up to rounding", complex_product),
        Row::new(
            "B4.23",
            "MPI: The Complete Reference, example 4.23",
            "a scan that starts again where a segment does",
            vec![Case::safe(&[8], "the printed operation is not associative: the values are those of the order from \
                 left to right, which the linear algorithm keeps", segmented_scan)
            .with(|request| request.collectives = vec!["scan=linear".into()])],
        ),
    ]
}

type Complex = (f64, f64);

fn times(a: Complex, b: Complex) -> Complex {
    (a.0 * b.0 - a.1 * b.1, a.0 * b.1 + a.1 * b.0)
}

fn complex_product() {
    let universe = initialize().expect("once");
    let world = universe.world();
    let value = |rank: i32, place: usize| (1.0 + f64::from(rank) / 8.0, place as f64 / 64.0);
    let mine: Vec<Complex> = (0..100).map(|place| value(world.rank(), place)).collect();
    let mut product = vec![(0.0, 0.0); 100];
    let op = UserOperation::commutative(|x, y| {
        let (x, y) = (x.downcast::<Complex>(), y.downcast::<Complex>());
        let (x, y) = (x.expect("complex numbers"), y.expect("complex numbers"));
        for (x, y) in x.iter().zip(y) {
            *y = times(*x, *y);
        }
    });
    let root = world.process_at_rank(0);
    if world.rank() > 0 {
        return root.reduce_into(&mine, &op);
    }
    root.reduce_into_root(&mine, &mut product, &op);
    for (place, product) in product.iter().enumerate() {
        let all = (0..world.size()).map(|rank| value(rank, place)).fold((1.0, 0.0), times);
        assert!((product.0 - all.0).abs() < 1e-9 && (product.1 - all.1).abs() < 1e-9);
    }
}

/// A value and the segment it is in.
type Segmented = (f64, i32);

fn segmented_scan() {
    let universe = initialize().expect("once");
    let world = universe.world();
    let rank = world.rank() as usize;
    let segment = [0, 0, 1, 1, 1, 0, 0, 1];
    let value = |rank: usize| (1 << rank) as f64;
    let op = UserOperation::associative(|x, y| {
        let (x, y) = (x.downcast::<Segmented>(), y.downcast::<Segmented>());
        for (x, y) in x.expect("pairs").iter().zip(y.expect("pairs")) {
            if x.1 == y.1 {
                y.0 += x.0;
            }
        }
    });
    let mut result: Segmented = (0.0, -1);
    world.scan_into(&(value(rank), segment[rank]), &mut result, &op);
    let begin = (0..=rank).rev().take_while(|at| segment[*at] == segment[rank]).last();
    let begin = begin.expect("its own place at least");
    assert_eq!(result, ((begin..=rank).map(value).sum(), segment[rank]));
}
