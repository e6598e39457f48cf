//! Arrays of structures, sent as a whole and in part.

use std::{mem::offset_of, os::raw::c_void};

use mpi_api::api::{
    Count,
    datatype::{UserDatatype, View, address_of},
    initialize,
    traits::*,
};

use super::super::Row;
use super::particle::Particle;

const COUNT: usize = 1000;

pub(super) fn rows() -> Vec<Row> {
    vec![
        Row::safe(
            "B3.14",
            "MPI: The Complete Reference, example 3.14",
            "a thousand particles",
            &[2],
            "56 bytes of data each, 64 apart; the displacements are 0, 8 and 56",
            whole,
        ),
        Row::safe(
            "B3.15",
            "MPI: The Complete Reference, example 3.15",
            "the particles of class 0, received side by side",
            &[2],
            "an indexed type names them; the receiver learns their number from the status",
            || class_zero(ones),
        ),
        Row::safe(
            "B3.16",
            "MPI: The Complete Reference, example 3.16",
            "the same with neighbours joined to blocks",
            &[2],
            "the signature is the same, so the message is",
            || class_zero(joined),
        ),
        Row::safe(
            "B3.21",
            "MPI: The Complete Reference, example 3.21",
            "displacements from addresses",
            &[2],
            "differences of addresses are the displacements",
            addresses,
        ),
        Row::safe(
            "B3.24",
            "MPI: The Complete Reference, example 3.24",
            "absolute addresses from the bottom of memory",
            &[2],
            "a displacement may be an address when the buffer begins at address 0",
            from_bottom,
        ),
    ]
}

fn particles() -> Vec<Particle> {
    (0..COUNT).map(Particle::new).collect()
}

fn whole() {
    let universe = initialize().expect("once");
    let world = universe.world();
    let datatype = Particle::equivalent_datatype();
    assert_eq!((datatype.size(), datatype.extent()), (56, (0, 64)));
    if world.rank() == 0 {
        world.process_at_rank(1).send(&particles());
    } else {
        let mut got = vec![Particle::NONE; COUNT];
        let status = world.process_at_rank(0).receive_into(&mut got);
        assert_eq!((status.bytes(), status.count(&datatype)), (56_000, 1000));
        assert!(got == particles());
    }
}

/// Blocks of one particle each.
fn ones(places: &[i32], particle: &UserDatatype) -> UserDatatype {
    UserDatatype::indexed(&vec![1; places.len()], places, particle)
}

/// Neighbours in one block.
fn joined(places: &[i32], particle: &UserDatatype) -> UserDatatype {
    let mut blocks: Vec<(i32, i32)> = Vec::new();
    for place in places {
        match blocks.last_mut() {
            Some((start, length)) if *start + *length == *place => *length += 1,
            _ => blocks.push((*place, 1)),
        }
    }
    let (starts, lengths): (Vec<i32>, Vec<i32>) = blocks.into_iter().unzip();
    assert!(starts.len() < places.len(), "some are neighbours");
    UserDatatype::indexed(&lengths, &starts, particle)
}

#[allow(unsafe_code, reason = "a datatype over an array of structures")]
fn class_zero(make: fn(&[i32], &UserDatatype) -> UserDatatype) {
    let universe = initialize().expect("once");
    let world = universe.world();
    let class = |number: usize| u8::from(!(number / 2).is_multiple_of(3));
    let all: Vec<Particle> = (0..COUNT)
        .map(|number| Particle { class: class(number), ..Particle::new(number) })
        .collect();
    let places: Vec<i32> =
        (0..COUNT).filter(|number| class(*number) == 0).map(|number| number as i32).collect();
    if world.rank() == 0 {
        let chosen = make(&places, &Particle::equivalent_datatype());
        // SAFETY: every place is inside the array.
        let out = unsafe { View::with_count_and_datatype(&all[..], 1, &chosen) };
        world.process_at_rank(1).send(&out);
        return;
    }
    let mut got = vec![Particle::NONE; COUNT];
    let status = world.process_at_rank(0).receive_into(&mut got);
    assert_eq!(status.count(Particle::equivalent_datatype()) as usize, places.len());
    for (got, place) in got.iter().zip(&places) {
        assert_eq!(*got, all[*place as usize]);
    }
    assert_eq!(got[places.len()], Particle::NONE);
}

fn addresses() {
    let universe = initialize().expect("once");
    let _world = universe.world();
    let one = Particle::new(0);
    let base = address_of(&one.class);
    let found = [base, address_of(&one.d), address_of(&one.b)].map(|address| address - base);
    let made = Particle::datatype(&found);
    assert_eq!(found, [0, 8, 56]);
    assert_eq!(made.type_map(), Particle::equivalent_datatype().type_map());
}

/// `MPI_BOTTOM` with as many elements of a datatype of absolute addresses.
struct Bottom<'d>(&'d UserDatatype, Count);

#[allow(unsafe_code, reason = "a buffer known by absolute addresses")]
mod bottom {
    use super::*;

    // SAFETY: whoever made the datatype took its addresses from memory that is still borrowed.
    unsafe impl<'d> AsDatatype for Bottom<'d> {
        type Out = &'d UserDatatype;
        fn as_datatype(&self) -> Self::Out {
            self.0
        }
    }
    // SAFETY: as above.
    unsafe impl Collection for Bottom<'_> {
        fn count(&self) -> Count {
            self.1
        }
    }
    // SAFETY: as above.
    unsafe impl Pointer for Bottom<'_> {
        fn pointer(&self) -> *const c_void {
            std::ptr::null()
        }
    }
    // SAFETY: as above.
    unsafe impl Buffer for Bottom<'_> {}
}

fn from_bottom() {
    let universe = initialize().expect("once");
    let world = universe.world();
    let all = particles();
    if world.rank() == 0 {
        let base = std::ptr::from_ref(&all[0]).expose_provenance() as isize;
        let places =
            [offset_of!(Particle, class), offset_of!(Particle, d), offset_of!(Particle, b)];
        let datatype = Particle::datatype(&places.map(|place| base + place as isize));
        world.process_at_rank(1).send(&Bottom(&datatype, COUNT as Count));
    } else {
        let mut got = vec![Particle::NONE; COUNT];
        world.process_at_rank(0).receive_into(&mut got);
        assert!(got == all);
    }
}
