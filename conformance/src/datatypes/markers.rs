//! Datatypes with explicit lower and upper bounds.

use mpi_api::api::{initialize, traits::*};
use mpi_api::object::{datatype::Datatype as Layout, signature::Primitive};

use super::super::Row;
use super::particle::Particle;

pub(super) fn rows() -> Vec<Row> {
    vec![
        Row::safe(
            "B3.22",
            "MPI: The Complete Reference, example 3.22",
            "an integer between a lower and an upper bound",
            &[1],
            "the markers have no size, and copies keep their distance",
            between_markers,
        ),
        Row::safe(
            "B3.23",
            "MPI: The Complete Reference, example 3.23",
            "an upper bound where the next particle begins",
            &[1],
            "the extent is the size of the structure whatever the alignment",
            next_particle,
        ),
    ]
}

/// The markers of MPI-1, which the standard has since replaced by `MPI_Type_create_resized`.
fn between_markers() {
    let _universe = initialize().expect("once");
    let integer = Layout::predefined(Primitive::Int);
    let types = [Layout::lower_bound(), integer.clone(), Layout::upper_bound()];
    let marked = Layout::structure(&[1, 1, 1], &[-3, 0, 6], &types).expect("a structure");
    assert_eq!((marked.lb(), marked.ub(), marked.extent(), marked.size()), (-3, 6, 9, 4));
    let two = Layout::contiguous(2, &marked).expect("two of them");
    assert_eq!((two.lb(), two.ub(), two.extent()), (-3, 15, 18));
    assert_eq!(two.type_map(), [(Primitive::Int, 0), (Primitive::Int, 9)]);
    let resized = integer.resized(-3, 9).expect("a resized integer");
    assert_eq!((resized.lb(), resized.extent()), (-3, 9));
}

fn next_particle() {
    let _universe = initialize().expect("once");
    let two = [Particle::new(0), Particle::new(1)];
    let base = std::ptr::from_ref(&two[0]).addr() as i64;
    let places = [
        std::ptr::from_ref(&two[0].class).addr() as i64 - base,
        std::ptr::from_ref(&two[0].d).addr() as i64 - base,
        std::ptr::from_ref(&two[0].b).addr() as i64 - base,
        std::ptr::from_ref(&two[1]).addr() as i64 - base,
    ];
    let [byte, real] = [Primitive::UnsignedChar, Primitive::Float64].map(Layout::predefined);
    let types = [byte.clone(), real, byte, Layout::upper_bound()];
    let marked = Layout::structure(&[1, 6, 7, 1], &places, &types).expect("a structure");
    assert_eq!(marked.extent(), size_of::<Particle>() as i64);
    assert_eq!(Particle::equivalent_datatype().extent(), (0, size_of::<Particle>() as isize));
}
