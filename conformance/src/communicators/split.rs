//! Communicators made by `MPI_Comm_split`.

use mpi_api::api::{initialize, topology::Color, traits::*};

use super::super::Row;

pub(super) fn rows() -> Vec<Row> {
    vec![Row::safe(
        "B5.7",
        "MPI: The Complete Reference, example 5.7",
        "ten processes split by colour, ordered by key",
        &[10],
        "equal keys keep the old order; without a colour there is no communicator",
        split,
    )]
}

const COLORS: [Option<i32>; 10] =
    [Some(0), None, Some(3), Some(0), Some(3), Some(0), Some(0), Some(5), Some(3), None];
const KEYS: [i32; 10] = [3, 1, 2, 5, 1, 1, 1, 2, 1, 0];

fn split() {
    let universe = initialize().expect("once");
    let world = universe.world();
    let rank = world.rank() as usize;
    let color = COLORS[rank].map_or(Color::undefined(), Color::with_value);
    let part = world.split_by_color_with_key(color, KEYS[rank]);
    let members = part.map(|part| {
        let ranks: Vec<i32> = (0..part.size()).collect();
        part.group().translate_ranks(&ranks, &world.group()).into_iter().flatten().collect()
    });
    let expected: Option<Vec<i32>> = match COLORS[rank] {
        Some(0) => Some(vec![5, 6, 0, 3]),
        Some(3) => Some(vec![4, 8, 2]),
        Some(_) => Some(vec![7]),
        None => None,
    };
    assert_eq!(members, expected);
}
