//! Maxima and minima with their locations (`MPI_MAXLOC`, `MPI_MINLOC`).

use mpi_api::api::{
    collective::SystemOperation,
    datatype::{DatatypeRef, Located, MutView, View},
    initialize,
    traits::*,
};
use mpi_api::object::signature::Primitive;

use super::super::Row;

pub(super) fn rows() -> Vec<Row> {
    vec![
        Row::safe(
            "B4.17",
            "MPI: The Complete Reference, example 4.17",
            "the largest of thirty numbers each, and who has it",
            &[1, 2, 4],
            "of equal values the lowest rank wins",
            largest,
        ),
        Row::safe(
            "B4.18",
            "MPI: The Complete Reference, example 4.18",
            "the same with the rank as a real number",
            &[1, 2, 4],
            "a pair of two reals compares the first and keeps the second",
            largest_as_reals,
        ),
        Row::safe(
            "B4.19",
            "MPI: The Complete Reference, example 4.19",
            "the smallest of all numbers, with rank and place in one index",
            &[1, 2, 4],
            "the lowest index wins: the lowest rank, and there the lowest place",
            smallest,
        ),
    ]
}

const COUNT: usize = 30;

/// Some values are shared by several ranks.
fn value(rank: i32, place: usize) -> f64 {
    ((rank as usize * 17 + place * 5) % 7) as f64
}

fn winner(size: i32, place: usize) -> (f64, i32) {
    (0..size).fold((f64::MIN, -1), |best, rank| {
        if value(rank, place) > best.0 { (value(rank, place), rank) } else { best }
    })
}

fn largest() {
    let universe = initialize().expect("once");
    let world = universe.world();
    let rank = world.rank();
    let mine: [Located<f64>; COUNT] =
        std::array::from_fn(|place| Located { value: value(rank, place), index: rank });
    let mut best = [Located { value: 0.0, index: -1 }; COUNT];
    let root = world.process_at_rank(0);
    if rank > 0 {
        return root.reduce_into(&mine[..], SystemOperation::max_location());
    }
    root.reduce_into_root(&mine[..], &mut best[..], SystemOperation::max_location());
    for (place, best) in best.iter().enumerate() {
        assert_eq!((best.value, best.index), winner(world.size(), place));
    }
}

#[allow(unsafe_code, reason = "pairs of reals seen as MPI_2DOUBLE_PRECISION")]
fn largest_as_reals() {
    const PAIR: DatatypeRef<'static> = DatatypeRef::system(Primitive::TwoDoublePrecision);
    let universe = initialize().expect("once");
    let world = universe.world();
    let rank = world.rank();
    let mine: Vec<f64> = (0..COUNT).flat_map(|at| [value(rank, at), f64::from(rank)]).collect();
    let mut best = vec![-1.0; 2 * COUNT];
    // SAFETY: as many pairs as the vectors hold.
    let (mine, mut into) = unsafe {
        let count = COUNT as i32;
        let mine = View::with_count_and_datatype(&mine[..], count, &PAIR);
        (mine, MutView::with_count_and_datatype(&mut best[..], count, &PAIR))
    };
    world.all_reduce_into(&mine, &mut into, SystemOperation::max_location());
    for (place, best) in best.chunks(2).enumerate() {
        let (value, rank) = winner(world.size(), place);
        assert_eq!(best, [value, f64::from(rank)]);
    }
}

fn smallest() {
    let universe = initialize().expect("once");
    let world = universe.world();
    let local = |rank: i32| {
        (0..COUNT).fold(Located { value: f32::MAX, index: -1 }, |best, place| {
            let value = value(rank, place) as f32;
            let index = rank * 1000 + place as i32;
            if value < best.value { Located { value, index } } else { best }
        })
    };
    let mut best = Located { value: 0.0, index: -1 };
    world.all_reduce_into(&local(world.rank()), &mut best, SystemOperation::min_location());
    let (rank, place) = (best.index / 1000, best.index % 1000);
    assert_eq!(value(rank, place as usize) as f32, best.value);
    for other in 0..world.size() {
        let other = local(other);
        assert!((best.value, best.index) <= (other.value, other.index));
    }
}
