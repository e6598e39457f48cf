//! Type maps that the datatype constructors produce.

use mpi_api::{
    api::{
        datatype::{DatatypeRef, MutView, UserDatatype},
        initialize,
        traits::*,
    },
    finding::Code,
    object::signature::Primitive,
};

use super::super::{Case, Expect, Row};

const CHAR: DatatypeRef<'static> = DatatypeRef::system(Primitive::Char);
const DOUBLE: DatatypeRef<'static> = DatatypeRef::system(Primitive::Float64);
const FLOAT: DatatypeRef<'static> = DatatypeRef::system(Primitive::Float32);

pub(super) fn rows() -> Vec<Row> {
    let mut rows = small();
    rows.extend(vectors());
    rows.extend(indexed());
    rows
}

fn small() -> Vec<Row> {
    vec![
        Row::safe(
            "B3.1",
            "MPI: The Complete Reference, example 3.1",
            "the upper triangle of a matrix",
            &[1],
            "row i begins at 101 i and has 100 - i elements; the last ends at element 9,999",
            triangle,
        ),
        Row::safe(
            "B3.2",
            "MPI: The Complete Reference, example 3.2",
            "the extent of a double and a character",
            &[1],
            "rounded up to the alignment of a double, whichever of the two comes first",
            extents,
        ),
        Row::safe(
            "B3.3",
            "MPI: The Complete Reference, example 3.3",
            "extent and size",
            &[1],
            "the size counts the data, the extent also the gap",
            || {
                let _universe = initialize().expect("once");
                let pair = double_char();
                assert_eq!((pair.extent(), pair.size()), ((0, 16), 9));
            },
        ),
        Row::safe(
            "B3.4",
            "MPI: The Complete Reference, example 3.4",
            "three in a row",
            &[1],
            "copies are an extent apart",
            || {
                let _universe = initialize().expect("once");
                let three = UserDatatype::contiguous(3, &double_char());
                assert_eq!(places(&three), [0, 8, 16, 24, 32, 40]);
            },
        ),
    ]
}

fn vectors() -> Vec<Row> {
    vec![
        Row::safe(
            "B3.5",
            "MPI: The Complete Reference, example 3.5",
            "blocks of three with a stride of four",
            &[1],
            "the stride counts extents",
            || {
                let _universe = initialize().expect("once");
                let blocks = UserDatatype::vector(2, 3, 4, &double_char());
                let expected = [0, 8, 16, 24, 32, 40, 64, 72, 80, 88, 96, 104];
                assert_eq!(places(&blocks), expected);
            },
        ),
        Row::safe(
            "B3.6",
            "MPI: The Complete Reference, example 3.6",
            "a stride backwards",
            &[1],
            "a negative stride goes down from the first block",
            || {
                let _universe = initialize().expect("once");
                let blocks = UserDatatype::vector(3, 1, -2, &double_char());
                assert_eq!(places(&blocks), [0, 8, -32, -24, -64, -56]);
            },
        ),
        Row::new(
            "B3.7",
            "MPI: The Complete Reference, example 3.7",
            "a stride in bytes",
            vec![
                Case::safe(
                    &[1],
                    "the stride counts bytes: four make the blocks overlap",
                    byte_stride,
                ),
                overlapping(|| {
                    receive(|| UserDatatype::heterogeneous_vector(2, 3, 4, &double_char()));
                }),
            ],
        ),
        Row::safe(
            "B3.10",
            "MPI: The Complete Reference, example 3.10",
            "the locations of a thousand particles",
            &[1],
            "three of the six numbers of each, a structure apart",
            locations,
        ),
    ]
}

fn indexed() -> Vec<Row> {
    vec![
        Row::safe(
            "B3.11",
            "MPI: The Complete Reference, example 3.11",
            "blocks of three and one at displacements of four and none",
            &[1],
            "displacements count extents, and blocks keep their order",
            || {
                let _universe = initialize().expect("once");
                let blocks = UserDatatype::indexed(&[3, 1], &[4, 0], &double_char());
                assert_eq!(places(&blocks), [64, 72, 80, 88, 96, 104, 0, 8]);
            },
        ),
        Row::new(
            "B3.12",
            "MPI: The Complete Reference, example 3.12",
            "the same with displacements in bytes",
            vec![
                Case::safe(
                    &[1],
                    "displacements count bytes; 64 in place of 4 repairs it",
                    byte_displacements,
                ),
                overlapping(|| {
                    receive(|| {
                        UserDatatype::heterogeneous_indexed(&[3, 1], &[4, 0], &double_char())
                    });
                }),
            ],
        ),
        Row::safe(
            "B3.13",
            "MPI: The Complete Reference, example 3.13",
            "floats, a pair and characters",
            &[1],
            "each block has its own type",
            structure,
        ),
    ]
}

/// Returns a double and a character: the old type of most examples.
fn double_char() -> UserDatatype {
    UserDatatype::structured(&[1, 1], &[0, 8], &[DOUBLE, CHAR])
}

fn places<D: UncommittedDatatype>(datatype: &D) -> Vec<isize> {
    datatype.type_map().into_iter().map(|(_, place)| place).collect()
}

fn triangle() {
    let _universe = initialize().expect("once");
    let lengths: Vec<i32> = (0..100).map(|row| 100 - row).collect();
    let displacements: Vec<i32> = (0..100).map(|row| 101 * row).collect();
    let upper = UserDatatype::indexed(&lengths, &displacements, &DOUBLE);
    assert_eq!((upper.size(), upper.extent()), (40_400, (0, 80_000)));
    let map = upper.type_map();
    assert_eq!(map.len(), 5050);
    assert_eq!(map[100], (Primitive::Float64, 101 * 8), "the second row begins on the diagonal");
}

fn extents() {
    let _universe = initialize().expect("once");
    assert_eq!(double_char().extent(), (0, 16));
    let char_double = UserDatatype::structured(&[1, 1], &[0, 1], &[CHAR, DOUBLE]);
    assert_eq!(char_double.extent(), (0, 16));
}

fn byte_stride() {
    let _universe = initialize().expect("once");
    let blocks = UserDatatype::heterogeneous_vector(2, 3, 4, &double_char());
    assert_eq!(places(&blocks), [0, 8, 16, 24, 32, 40, 4, 12, 20, 28, 36, 44]);
    let far = UserDatatype::heterogeneous_vector(2, 3, 64, &double_char());
    assert_eq!(far.type_map(), UserDatatype::vector(2, 3, 4, &double_char()).type_map());
}

fn locations() {
    let _universe = initialize().expect("once");
    let size = size_of::<super::particle::Particle>() as isize;
    let locations = UserDatatype::heterogeneous_vector(1000, 3, size, &DOUBLE);
    let map = locations.type_map();
    assert_eq!(map.len(), 3000);
    assert_eq!(map[3..6].iter().map(|(_, at)| *at).collect::<Vec<_>>(), [64, 72, 80]);
}

fn byte_displacements() {
    let _universe = initialize().expect("once");
    let blocks = UserDatatype::heterogeneous_indexed(&[3, 1], &[4, 0], &double_char());
    assert_eq!(places(&blocks), [4, 12, 20, 28, 36, 44, 0, 8]);
    let apart = UserDatatype::heterogeneous_indexed(&[3, 1], &[64, 0], &double_char());
    assert_eq!(places(&apart), [64, 72, 80, 88, 96, 104, 0, 8]);
}

fn structure() {
    let _universe = initialize().expect("once");
    let pair = double_char();
    let types = [FLOAT, pair.as_ref(), CHAR];
    let all = UserDatatype::structured(&[2, 1, 3], &[0, 16, 26], &types);
    use Primitive::{Char, Float32, Float64};
    let expected =
        [(Float32, 0), (Float32, 4), (Float64, 16), (Char, 24), (Char, 26), (Char, 27), (Char, 28)];
    assert_eq!(all.type_map(), expected);
}

/// Returns the variant that receives into a type that contains some bytes twice.
fn overlapping(body: fn()) -> Case {
    let reason = "a receive may not store into one place twice";
    Case::new(&[1], |_| Expect::wrong(Code::InvalidArgument), reason, body).named("received")
}

#[allow(unsafe_code, reason = "a datatype over raw bytes")]
fn receive(make: fn() -> UserDatatype) {
    let universe = initialize().expect("once");
    let world = universe.world();
    let blocks = make();
    let mut memory = [0.0f64; 16];
    // SAFETY: both types stay below 60 of the 128 bytes.
    let mut room = unsafe { MutView::with_count_and_datatype(&mut memory[..], 1, &blocks) };
    world.this_process().receive_into(&mut room);
}
