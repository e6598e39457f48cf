//! Reductions: predefined operations, the place of an extreme, and operations of one's own.

mod support;

use mpi_api::api::{
    self as mpi,
    collective::{SystemOperation, UserOperation, reduce_local_into},
    datatype::Located,
    traits::*,
};

fn program() {
    let universe = mpi::initialize().unwrap();
    let world = universe.world();
    let (rank, size) = (world.rank(), world.size());

    let mut product = 0;
    world.all_reduce_into(&(rank + 1), &mut product, SystemOperation::product());
    assert_eq!(product, 720);

    let height = Located { value: f64::from((rank * 5) % size), index: rank };
    let mut top = Located::default();
    world.all_reduce_into(&height, &mut top, SystemOperation::max_location());
    assert_eq!(top, Located { value: 5.0, index: 1 });

    // Matrices do not commute: the order of the ranks is kept.
    let times = UserOperation::associative(|x, y| {
        let (x, y) = (x.downcast::<[i64; 4]>().unwrap(), y.downcast::<[i64; 4]>().unwrap());
        for (a, b) in x.iter().zip(y) {
            let ([a, c, e, g], [s, t, u, v]) = (*a, *b);
            *b = [a * s + c * u, a * t + c * v, e * s + g * u, e * t + g * v];
        }
    });
    let step: [i64; 4] = if rank % 2 == 0 { [1, 1, 0, 1] } else { [1, 0, 1, 1] };
    let root = world.process_at_rank(2);
    if root.is_self() {
        let mut path = [0i64; 4];
        root.reduce_into_root(&step, &mut path, &times);
        assert_eq!(path, [13, 8, 8, 5], "Fibonacci's numbers");
    } else {
        root.reduce_into(&step, &times);
    }

    let mut before = 0;
    world.exclusive_scan_into(&rank, &mut before, SystemOperation::sum());
    reduce_local_into(&rank, &mut before, SystemOperation::sum());
    assert_eq!(before, rank * (rank + 1) / 2);
    let mut mine = 0;
    let all: Vec<i32> = (0..size).collect();
    world.reduce_scatter_block_into(&all[..], &mut mine, SystemOperation::sum());
    assert_eq!(mine, rank * size);
}

pub(crate) fn main() {
    support::simulate(6, program);
}
