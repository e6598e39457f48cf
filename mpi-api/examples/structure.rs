//! A struct with gaps: its datatype names the fields, so that the gaps stay at home.
#![allow(unsafe_code, reason = "who implements Equivalence vouches for the layout")]

mod support;

use std::mem::offset_of;

use mpi_api::api::{
    self as mpi, Address,
    datatype::{UncommittedDatatypeRef, UncommittedUserDatatype, UserDatatype},
    traits::*,
};

#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
struct Particle {
    class: u8,
    place: [f64; 3],
    charge: i16,
}

// SAFETY: the datatype names every field at its offset; any bytes are good values of them.
unsafe impl Equivalence for Particle {
    type Out = UserDatatype;
    fn equivalent_datatype() -> UserDatatype {
        let place = UncommittedUserDatatype::contiguous(3, &f64::equivalent_datatype());
        let types: [UncommittedDatatypeRef<'_>; 3] =
            [u8::equivalent_datatype().into(), place.as_ref(), i16::equivalent_datatype().into()];
        let offsets = [offset_of!(Self, class), offset_of!(Self, place), offset_of!(Self, charge)];
        UserDatatype::structured(&[1, 1, 1], &offsets.map(|at| at as Address), &types)
    }
}

fn program() {
    let universe = mpi::initialize().unwrap();
    let world = universe.world();
    let particle = |n: u8| Particle { class: n, place: [f64::from(n); 3], charge: -i16::from(n) };
    if world.rank() == 0 {
        world.process_at_rank(1).send(&[particle(1), particle(2)][..]);
        world.process_at_rank(1).send(&(3u8, [1.5f64, 2.5]));
    } else {
        let (particles, status) = world.process_at_rank(0).receive_vec::<Particle>();
        assert_eq!(particles, [particle(1), particle(2)]);
        assert_eq!((status.bytes(), Particle::equivalent_datatype().extent()), (70 - 16, (0, 40)));
        let (pair, _) = world.process_at_rank(0).receive::<(u8, [f64; 2])>();
        assert_eq!(pair, (3, [1.5, 2.5]));
    }
}

pub(crate) fn main() {
    support::simulate(2, program);
}
