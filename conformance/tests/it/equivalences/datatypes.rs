//! Identities of datatype constructors.

use mpi_api::object::{
    datatype::{Datatype, Order},
    signature::Primitive,
};
use proptest::prelude::*;

/// A type to make others of: with gaps, with several basic types, with a lower bound of its own.
pub(super) fn old() -> impl Strategy<Value = Datatype> {
    let basic = prop::sample::select(vec![Primitive::Char, Primitive::Int32, Primitive::Float64]);
    (basic, 1..4_i64, 0..3_i64, any::<bool>()).prop_map(|(primitive, count, gap, pair)| {
        let basic = Datatype::predefined(primitive);
        let size = basic.extent();
        let block = Datatype::contiguous(count, &basic).expect("a small type");
        let block = block.resized(0, (count + gap) * size).expect("a small type");
        if !pair {
            return block;
        }
        let places = [block.extent() + 3, 0];
        let byte = Datatype::predefined(Primitive::Byte);
        let pair = Datatype::structure(&[1, 1], &places, &[byte, block]).expect("a small type");
        pair.resized(-gap, pair.extent() + 2 * gap).expect("a small type")
    })
}

/// Both name the same values in the same order.
fn same_map(one: &Datatype, other: &Datatype) -> Result<(), TestCaseError> {
    prop_assert_eq!(one.type_map(), other.type_map());
    prop_assert_eq!(one.size(), other.size());
    prop_assert!(one.signature().same(other.signature()));
    same_copies(one, other, 1)
}

/// They also mean the same when there are several of them.
fn same(one: &Datatype, other: &Datatype) -> Result<(), TestCaseError> {
    prop_assert_eq!((one.lb(), one.extent()), (other.lb(), other.extent()));
    same_map(one, other)?;
    same_copies(one, other, 2)
}

/// What one packs the other packs and unpacks.
fn same_copies(one: &Datatype, other: &Datatype, count: usize) -> Result<(), TestCaseError> {
    let reach = [one, other].map(|datatype| datatype.span(count));
    let start = reach.iter().map(|span| span.start).min().unwrap_or(0).min(0);
    let end = reach.iter().map(|span| span.end).max().unwrap_or(0).max(0);
    let origin = -start as usize;
    let memory: Vec<u8> = (0..end - start).map(|at| (at * 7 + 1) as u8).collect();
    let [mine, theirs] = [one, other].map(|datatype| {
        let mut packed = Vec::new();
        datatype.pack_slice(&memory, origin, count, &mut packed).expect("inside");
        packed
    });
    prop_assert_eq!(&mine, &theirs);
    let [here, there] = [one, other].map(|datatype| {
        let mut room = vec![0; memory.len()];
        datatype.unpack_slice(&mine, &mut room, origin, count).expect("inside");
        room
    });
    prop_assert_eq!(here, there);
    Ok(())
}

fn blocks() -> impl Strategy<Value = (Vec<i64>, Vec<i64>)> {
    prop::collection::vec((0..4_i64, -99..99_i64), 0..6)
        .prop_map(|blocks| blocks.into_iter().unzip())
}

proptest! {
    /// Q.1.
    #[test]
    fn contiguous_is_a_vector(old in old(), count in 0..20_i64, stride in -9..9_i64) {
        let contiguous = Datatype::contiguous(count, &old).expect("small");
        same(&contiguous, &Datatype::vector(count, 1, 1, &old).expect("small"))?;
        same(&contiguous, &Datatype::vector(1, count, stride, &old).expect("small"))?;
        same(&contiguous, &Datatype::hvector(count, 1, old.extent(), &old).expect("small"))?;
    }

    /// Q.1, with the other constructors.
    #[test]
    fn contiguous_is_one_block(old in old(), count in 1..20_i64) {
        let contiguous = Datatype::contiguous(count, &old).expect("small");
        same(&contiguous, &Datatype::indexed(&[count], &[0], &old).expect("small"))?;
        same(&contiguous, &Datatype::indexed_block(count, &[0], &old).expect("small"))?;
        let structure = Datatype::structure(&[count], &[0], &[old]).expect("small");
        same_map(&contiguous, &structure)?;
    }

    /// Rows of rows are one row.
    #[test]
    fn contiguous_of_contiguous(old in old(), rows in 0..5_i64, columns in 0..5_i64) {
        let row = Datatype::contiguous(columns, &old).expect("small");
        let nested = Datatype::contiguous(rows, &row).expect("small");
        same_map(&nested, &Datatype::contiguous(rows * columns, &old).expect("small"))?;
    }

    /// Q.2.
    #[test]
    fn a_vector_is_indexed(
        old in old(), count in 0..9_i64, length in 0..5_i64, stride in -9..9_i64
    ) {
        let places: Vec<i64> = (0..count).map(|block| block * stride).collect();
        let vector = Datatype::vector(count, length, stride, &old).expect("small");
        let lengths = vec![length; count as usize];
        same(&vector, &Datatype::indexed(&lengths, &places, &old).expect("small"))?;
        same(&vector, &Datatype::indexed_block(length, &places, &old).expect("small"))?;
        let in_bytes = Datatype::hvector(count, length, stride * old.extent(), &old);
        same(&vector, &in_bytes.expect("small"))?;
    }

    /// Displacements in elements are displacements in bytes.
    #[test]
    fn indexed_is_indexed_in_bytes(old in old(), (lengths, places) in blocks()) {
        let bytes: Vec<i64> = places.iter().map(|place| place * old.extent()).collect();
        let indexed = Datatype::indexed(&lengths, &places, &old).expect("small");
        same(&indexed, &Datatype::hindexed(&lengths, &bytes, &old).expect("small"))?;
    }

    /// Q.3.
    #[test]
    fn indexed_in_bytes_is_a_structure(old in old(), (lengths, places) in blocks()) {
        let types = vec![old.clone(); lengths.len()];
        let indexed = Datatype::hindexed(&lengths, &places, &old).expect("small");
        let structure = Datatype::structure(&lengths, &places, &types).expect("small");
        same_map(&indexed, &structure)?;
    }

    /// A structure of any types is what its members are, one after the other.
    #[test]
    fn a_structure_is_its_members(
        members in prop::collection::vec((old(), 0..4_i64, -99..99_i64), 0..5)
    ) {
        let types: Vec<Datatype> = members.iter().map(|(old, ..)| old.clone()).collect();
        let (lengths, places): (Vec<i64>, Vec<i64>) =
            members.iter().map(|(_, length, place)| (*length, *place)).unzip();
        let whole = Datatype::structure(&lengths, &places, &types).expect("small");
        let parts = members.iter().flat_map(|(old, length, place)| {
            let part = Datatype::hindexed(&[*length], &[*place], old).expect("small");
            part.type_map()
        });
        prop_assert_eq!(whole.type_map(), parts.collect::<Vec<_>>());
    }

    /// A box of a matrix is its rows; in Fortran's order the dimensions are turned round.
    #[test]
    fn a_subarray_is_indexed(
        old in old(), (rows, row, height) in within(6), (columns, column, width) in within(6)
    ) {
        let make = |sizes: [i64; 2], boxes: [i64; 2], starts: [i64; 2], order| {
            Datatype::subarray(&sizes, &boxes, &starts, order, &old).expect("inside")
        };
        let part = make([rows, columns], [height, width], [row, column], Order::C);
        let turned = make([columns, rows], [width, height], [column, row], Order::Fortran);
        same(&part, &turned)?;
        let places: Vec<i64> = (row..row + height).map(|row| row * columns + column).collect();
        let indexed = Datatype::indexed_block(width, &places, &old).expect("small");
        same(&part, &indexed.resized(0, rows * columns * old.extent()).expect("small"))?;
    }

    /// A copy, and a type that is given the bounds it has.
    #[test]
    fn copies_are_the_same(old in old()) {
        same(&old, &old.dup())?;
        same(&old, &old.resized(old.lb(), old.extent()).expect("small"))?;
    }

    /// Q.4, of memory: several elements are one element of a contiguous type.
    #[test]
    fn several_are_one(old in old(), count in 1..6_usize) {
        let one = Datatype::contiguous(count as i64, &old).expect("small");
        let (several, whole) = (old.span(count), one.span(1));
        prop_assert_eq!(&several, &whole);
        let origin = (-several.start).max(0) as usize;
        let memory: Vec<u8> = (0..several.end + origin as i64).map(|at| at as u8).collect();
        let (mut out, mut at_once) = (Vec::new(), Vec::new());
        old.pack_slice(&memory, origin, count, &mut out).expect("inside");
        one.pack_slice(&memory, origin, 1, &mut at_once).expect("inside");
        prop_assert_eq!(out, at_once);
        prop_assert!(old.signature_of(count as u64).same(one.signature()));
    }
}

/// A number of places, and this many of them from one on.
fn within(most: i64) -> impl Strategy<Value = (i64, i64, i64)> {
    (1..=most)
        .prop_flat_map(|size| (Just(size), 0..size))
        .prop_flat_map(|(size, start)| (Just(size), Just(start), 1..=size - start))
}
