//! The particle of the examples: a structure with a class, six coordinates and seven bytes.

use std::mem::offset_of;

use mpi_api::api::{
    datatype::{DatatypeRef, UserDatatype},
    traits::*,
};
use mpi_api::object::signature::Primitive;

/// 56 bytes of data in 64.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in super::super) struct Particle {
    pub(in super::super) class: u8,
    pub(in super::super) d: [f64; 6],
    pub(in super::super) b: [u8; 7],
}

const BYTE: DatatypeRef<'static> = DatatypeRef::system(Primitive::UnsignedChar);
const REAL: DatatypeRef<'static> = DatatypeRef::system(Primitive::Float64);

impl Particle {
    /// Returns a particle that differs from its neighbours.
    pub(in super::super) fn new(number: usize) -> Self {
        let d = std::array::from_fn(|axis| (10 * number + axis) as f64);
        Self { class: (number % 3) as u8, d, b: [number as u8; 7] }
    }

    /// None at all: what stays where nothing is received.
    pub(in super::super) const NONE: Self = Self { class: 255, d: [-1.0; 6], b: [255; 7] };

    /// Its datatype, from displacements that a caller found in its own way.
    pub(in super::super) fn datatype(displacements: &[isize]) -> UserDatatype {
        UserDatatype::structured(&[1, 6, 7], displacements, &[BYTE, REAL, BYTE])
    }
}

#[allow(unsafe_code, reason = "a struct of the program as an MPI datatype")]
// SAFETY: the datatype names the fields and nothing between them; its extent, rounded up to the
// alignment, is the size; every bytes of them are a particle.
unsafe impl Equivalence for Particle {
    type Out = UserDatatype;

    #[track_caller]
    fn equivalent_datatype() -> UserDatatype {
        let places = [offset_of!(Self, class), offset_of!(Self, d), offset_of!(Self, b)];
        Self::datatype(&places.map(|place| place as isize))
    }
}
