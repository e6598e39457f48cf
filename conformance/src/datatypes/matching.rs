//! Datatype handles, matching type signatures, and counts of received elements.

use mpi_api::api::{
    UNDEFINED,
    datatype::{DatatypeRef, MutView, UserDatatype, View},
    initialize,
    traits::*,
};
use mpi_api::object::signature::Primitive;

use super::super::Row;

const REAL: DatatypeRef<'static> = DatatypeRef::system(Primitive::Float32);

pub(super) fn rows() -> Vec<Row> {
    vec![
        Row::safe(
            "B3.17",
            "MPI: The Complete Reference, example 3.17",
            "datatypes committed, copied and freed",
            &[2],
            "a copy and what was built from a type outlive it; a dangling handle can not be \
                 written in Rust, in C it is an invalid argument, tested in mpi-abi",
            handles,
        ),
        Row::safe(
            "B3.18",
            "MPI: The Complete Reference, example 3.18",
            "four ways to send four reals, four ways to receive them",
            &[2],
            "only the signature counts, not how it is nested",
            nestings,
        ),
        Row::safe(
            "B3.19",
            "MPI: The Complete Reference, example 3.19",
            "pairs received, counted whole and in elements",
            &[2],
            "three reals are no whole number of pairs",
            counts,
        ),
        Row::safe(
            "B3.20",
            "MPI: The Complete Reference, example 3.20",
            "the distance of two elements of a matrix",
            &[1],
            "nine columns of a hundred and nine elements",
            distance,
        ),
    ]
}

fn handles() {
    let universe = initialize().expect("once");
    let world = universe.world();
    let type1 = UserDatatype::contiguous(5, &REAL);
    let type2 = type1.clone();
    let type3 = UserDatatype::vector(3, 5, 4, &type1);
    drop(type1);
    assert_eq!(type2.size(), 20);
    assert_eq!(type3.size(), 300);
    let data = [world.rank() as f32; 5];
    if world.rank() == 0 {
        let out = View::checked(&data[..], 1, &type2).expect("five reals");
        world.process_at_rank(1).send(&out);
    } else {
        let mut room = [-1.0f32; 5];
        let mut view = MutView::checked(&mut room[..], 1, &type2).expect("five reals");
        world.process_at_rank(0).receive_into(&mut view);
        assert_eq!(room, [0.0; 5]);
    }
}

fn nestings() {
    let universe = initialize().expect("once");
    let world = universe.world();
    let four = UserDatatype::contiguous(1, &REAL);
    let two = UserDatatype::contiguous(2, &REAL);
    let two_of_two = UserDatatype::contiguous(2, &two);
    let ways = [(4, &four), (2, &two), (1, &two_of_two)];
    let data = [1.0f32, 2.0, 3.0, 4.0];
    let other = world.process_at_rank(1 - world.rank());
    for sending in 0..4 {
        for receiving in 0..4 {
            if world.rank() == 0 {
                match ways.get(sending) {
                    Some((count, datatype)) => {
                        let out = View::checked(&data[..], *count, *datatype).expect("four reals");
                        other.send(&out);
                    }
                    None => other.send(&data[..]),
                }
                continue;
            }
            let mut room = [0.0f32; 4];
            match ways.get(receiving) {
                Some((count, datatype)) => {
                    let view = MutView::checked(&mut room[..], *count, *datatype);
                    other.receive_into(&mut view.expect("four reals"));
                }
                None => _ = other.receive_into(&mut room[..]),
            }
            assert_eq!(room, data);
        }
    }
}

fn counts() {
    let universe = initialize().expect("once");
    let world = universe.world();
    if world.rank() == 0 {
        world.process_at_rank(1).send(&[1.0f32; 2][..]);
        world.process_at_rank(1).send(&[1.0f32; 3][..]);
        return;
    }
    let pair = UserDatatype::contiguous(2, &REAL);
    let mut room = [0.0f32; 4];
    for expected in [(1, 2), (UNDEFINED, 3)] {
        let mut view = MutView::checked(&mut room[..], 2, &pair).expect("four reals");
        let status = world.process_at_rank(0).receive_into(&mut view);
        assert_eq!((status.count(&pair), status.elements(&pair)), expected);
    }
}

fn distance() {
    let _universe = initialize().expect("once");
    let a = vec![0.0f32; 100 * 100];
    let at = |row: usize, column: usize| {
        mpi_api::api::datatype::address_of(&a[(row - 1) + 100 * (column - 1)])
    };
    assert_eq!(at(10, 10) - at(1, 1), 909 * 4);
}
