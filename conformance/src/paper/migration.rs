//! Particles that leave their rank's part of the domain across its right edge.

use mpi_api::api::{
    Count,
    datatype::{DatatypeRef, UserDatatype},
    initialize,
    traits::*,
};
use mpi_api::object::signature::Primitive;

use super::super::{Case, Expect, Row};

pub(super) fn rows() -> Vec<Row> {
    vec![Row::new(
        "W.6",
        "Walker, Parallel Computing 20 (1994), figure 6",
        "particles sent to the right neighbour, all ranks sending first",
        vec![
            Case::new(
                &[2, 3, 5],
                |_| Expect::buffering(20 * LEAVING as u64, 1),
                "on a periodic domain the sends are a cycle, as in example 9.1 of the book",
                || migrate(true),
            ),
            Case::safe(&[2, 3, 5], "with an open end the last rank only receives", || {
                migrate(false)
            })
            .named("open"),
        ],
    )]
}

const LEAVING: usize = 3;

/// Two coordinates and a number: 20 bytes of data in 24.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
struct Particle {
    x: f64,
    y: f64,
    number: i32,
}

#[allow(unsafe_code, reason = "a struct of the program as an MPI datatype")]
// SAFETY: the fields at their places; the extent, rounded up to the alignment, is the size.
unsafe impl Equivalence for Particle {
    type Out = UserDatatype;

    #[track_caller]
    fn equivalent_datatype() -> UserDatatype {
        let types = [Primitive::Float64, Primitive::Int32].map(DatatypeRef::system);
        UserDatatype::structured(&[2, 1], &[0, 16], &types)
    }
}

fn migrate(periodic: bool) {
    let universe = initialize().expect("once");
    let world = universe.world();
    let datatype = Particle::equivalent_datatype();
    assert_eq!((datatype.size(), datatype.extent()), (20, (0, 24)));
    let line = world.create_cartesian_communicator(&[world.size()], &[periodic], false);
    let line = line.expect("every rank has a place");
    let (left, right) = line.shift(0, 1);
    let leaving = |rank: i32| {
        let particle = |at: usize| Particle { x: at as f64, y: 0.5, number: rank };
        (0..LEAVING).map(particle).collect::<Vec<_>>()
    };
    if let Some(right) = right {
        line.process_at_rank(right).send(&leaving(line.rank()));
    }
    if let Some(left) = left {
        let mut room = vec![Particle { x: 0.0, y: 0.0, number: -1 }; 100];
        let status = line.process_at_rank(left).receive_into(&mut room);
        assert_eq!(status.count(&datatype), LEAVING as Count);
        assert_eq!(room[..LEAVING], leaving(left));
    }
}
