//! Tests against numbers derived from the definitions, and of identities between constructors.

use proptest::prelude::*;

use super::*;
use crate::error::{ErrorClass, MpiError};

fn basic(primitive: Primitive) -> Datatype {
    Datatype::predefined(primitive)
}

fn double_char() -> Datatype {
    let types = [basic(Primitive::Float64), basic(Primitive::Char)];
    Datatype::structure(&[1, 1], &[0, 8], &types).unwrap()
}

/// Returns the displacements of the basic elements, in order.
fn places(datatype: &Datatype) -> Vec<i64> {
    let mut places = Vec::new();
    let mut runs = datatype.signature().runs().flat_map(|(p, n)| (0..n).map(move |_| p.size()));
    for (at, length) in datatype.blocks() {
        let (mut at, end) = (at, at + length as i64);
        while at < end {
            places.push(at);
            at += runs.next().unwrap() as i64;
        }
    }
    places
}

#[test]
fn extent_is_padded_and_size_is_not() {
    let pair = double_char();
    assert_eq!((pair.extent(), pair.size(), pair.true_extent()), (16, 9, 9));
    let other_way = [basic(Primitive::Char), basic(Primitive::Float64)];
    assert_eq!(Datatype::structure(&[1, 1], &[0, 8], &other_way).unwrap().extent(), 16);
    let tight = Datatype::structure(&[1, 1], &[0, 1], &other_way).unwrap();
    assert_eq!(tight.extent(), 16);
}

#[test]
fn displacements_of_the_constructors() {
    let pair = double_char();
    assert_eq!(places(&Datatype::contiguous(3, &pair).unwrap()), [0, 8, 16, 24, 32, 40]);
    let vector = Datatype::vector(2, 3, 4, &pair).unwrap();
    assert_eq!(places(&vector), [0, 8, 16, 24, 32, 40, 64, 72, 80, 88, 96, 104]);
    let back = Datatype::vector(3, 1, -2, &pair).unwrap();
    assert_eq!(places(&back), [0, 8, -32, -24, -64, -56]);
    assert_eq!((back.lb(), back.extent()), (-64, 80));
    let indexed = Datatype::indexed(&[3, 1], &[4, 0], &pair).unwrap();
    assert_eq!(places(&indexed), [64, 72, 80, 88, 96, 104, 0, 8]);
    let hindexed = Datatype::hindexed(&[3, 1], &[4, 0], &pair).unwrap();
    assert_eq!(places(&hindexed), [4, 12, 20, 28, 36, 44, 0, 8]);
    assert!(hindexed.overlaps(1) && !indexed.overlaps(1));
    let float = basic(Primitive::Float32);
    let types = [float, pair, basic(Primitive::Char)];
    let mixed = Datatype::structure(&[2, 1, 3], &[0, 16, 26], &types).unwrap();
    assert_eq!(places(&mixed), [0, 4, 16, 24, 26, 27, 28]);
}

#[test]
fn upper_triangle_of_a_matrix() {
    let lengths: Vec<i64> = (0..100).map(|row| 100 - row).collect();
    let starts: Vec<i64> = (0..100).map(|row| 101 * row).collect();
    let upper = Datatype::indexed(&lengths, &starts, &basic(Primitive::Float64)).unwrap();
    assert_eq!((upper.elements(), upper.size(), upper.extent()), (5050, 40400, 80000));
    assert!(!upper.overlaps(3));
}

#[test]
fn particles_are_padded_to_their_doubles() {
    let types = [Primitive::Int32, Primitive::Float64, Primitive::Char].map(basic);
    let particle = Datatype::structure(&[1, 6, 7], &[0, 8, 56], &types).unwrap();
    assert_eq!((particle.size(), particle.extent()), (59, 64));
    let locations = Datatype::hvector(1000, 3, 64, &types[1]).unwrap();
    assert_eq!((locations.elements(), locations.size()), (3000, 24000));
}

#[test]
fn markers_are_kept_by_replication() {
    let types = [Datatype::lower_bound(), basic(Primitive::Int), Datatype::upper_bound()];
    let marked = Datatype::structure(&[1, 1, 1], &[-3, 0, 6], &types).unwrap();
    assert_eq!((marked.extent(), marked.size(), marked.lb()), (9, 4, -3));
    let twice = Datatype::contiguous(2, &marked).unwrap();
    assert_eq!((twice.extent(), twice.lb(), twice.ub()), (18, -3, 15));
    assert_eq!(places(&twice), [0, 9]);
    assert_eq!(places(&marked.dup()), [0]);
    let resized = basic(Primitive::Int).resized(-4, 12).unwrap();
    assert_eq!((resized.lb(), resized.extent(), resized.true_extent()), (-4, 12, 4));
}

#[test]
fn counts_of_what_arrived() {
    let pair = Datatype::contiguous(2, &basic(Primitive::Float32)).unwrap();
    assert_eq!((pair.count_in(8), pair.basic_elements(8)), (Some(1), Some(2)));
    assert_eq!((pair.count_in(12), pair.basic_elements(12)), (None, Some(3)));
    assert_eq!(pair.basic_elements(13), None);
    let empty = Datatype::contiguous(0, &pair).unwrap();
    assert_eq!((empty.count_in(0), empty.count_in(4)), (Some(0), None));
}

#[test]
fn pair_types_have_their_gaps() {
    let extents = |p| (basic(p).size(), basic(p).extent());
    assert_eq!(extents(Primitive::DoubleInt), (12, 16));
    assert_eq!(extents(Primitive::ShortInt), (6, 8));
    assert_eq!(extents(Primitive::LongDoubleInt), (20, 32));
    assert_eq!(extents(Primitive::FloatInt), (8, 8));
    assert_eq!(basic(Primitive::ShortInt).blocks(), [(0, 2), (4, 4)]);
}

#[test]
fn wrong_arguments_have_their_class() {
    let int = basic(Primitive::Int32);
    let class = |result: Result<Datatype, MpiError>| result.unwrap_err().class;
    assert_eq!(class(Datatype::contiguous(-1, &int)), ErrorClass::Count);
    assert_eq!(class(Datatype::vector(1, -1, 1, &int)), ErrorClass::Count);
    assert_eq!(class(Datatype::indexed(&[1, -2], &[0, 1], &int)), ErrorClass::Count);
    assert_eq!(
        class(Datatype::structure(&[1], &[0, 1], std::slice::from_ref(&int))),
        ErrorClass::Arg
    );
    assert_eq!(class(Datatype::contiguous(i64::MAX, &int)), ErrorClass::Count);
    assert_eq!(class(Datatype::subarray(&[4], &[3], &[2], Order::C, &int)), ErrorClass::Arg);
}

#[test]
fn subarrays_in_both_orders() {
    let byte = basic(Primitive::Byte);
    let c = Datatype::subarray(&[4, 5], &[2, 3], &[1, 2], Order::C, &byte).unwrap();
    assert_eq!(c.blocks(), [(7, 3), (12, 3)]);
    assert_eq!((c.lb(), c.extent(), c.true_lb()), (0, 20, 7));
    let fortran = Datatype::subarray(&[5, 4], &[3, 2], &[2, 1], Order::Fortran, &byte).unwrap();
    assert_eq!(fortran.blocks(), c.blocks());
}

#[test]
fn the_parts_of_a_distributed_array_make_it_up() {
    let byte = basic(Primitive::Byte);
    for (distribution, block) in [
        (Distribution::Block, None),
        (Distribution::Block, Some(4)),
        (Distribution::Cyclic, None),
        (Distribution::Cyclic, Some(2)),
    ] {
        let rows = Dimension { size: 7, distribution, block, processes: 2 };
        let columns = Dimension { size: 9, processes: 3, ..rows };
        let mut held = vec![0; 63];
        for rank in 0..6 {
            let part = Datatype::darray(6, rank, &[rows, columns], Order::C, &byte).unwrap();
            assert_eq!(part.extent(), 63);
            part.blocks().iter().for_each(|(at, length)| {
                held[*at as usize..*at as usize + *length as usize]
                    .iter_mut()
                    .for_each(|n| *n += 1);
            });
        }
        assert_eq!(held, [1; 63], "{distribution:?} {block:?}");
    }
}

#[test]
fn transposing_by_strided_rows() {
    let double = basic(Primitive::Float64);
    let column = Datatype::vector(100, 1, 100, &double).unwrap().resized(0, 8).unwrap();
    assert!(!column.overlaps(100));
    let matrix: Vec<u8> = (0..10_000u32).flat_map(|n| f64::from(n).to_ne_bytes()).collect();
    let mut columns = Vec::new();
    column.pack_slice(&matrix, 0, 100, &mut columns).unwrap();
    let value = |n: usize| f64::from_ne_bytes(columns[8 * n..8 * n + 8].try_into().unwrap());
    assert_eq!((value(1), value(100), value(205)), (100.0, 1.0, 502.0));
}

#[test]
fn huge_counts_cost_nothing() {
    let huge = Datatype::vector(1 << 40, 3, 5, &double_char()).unwrap();
    assert_eq!(huge.size(), 27 << 40);
    assert!(!huge.overlaps(1));
    assert_eq!(huge.basic_elements(27 + 8), Some(7));
}

fn any_type() -> impl Strategy<Value = Datatype> {
    let leaf = prop::sample::select(vec![
        Primitive::Byte,
        Primitive::Int16,
        Primitive::Float64,
        Primitive::ShortInt,
    ])
    .prop_map(basic);
    leaf.prop_recursive(3, 16, 3, |inner| {
        prop_oneof![
            (0i64..4, inner.clone()).prop_map(|(n, t)| Datatype::contiguous(n, &t).unwrap()),
            (0i64..4, 0i64..4, -5i64..6, inner.clone())
                .prop_map(|(n, b, s, t)| Datatype::vector(n, b, s, &t).unwrap()),
            (prop::collection::vec((0i64..3, -4i64..5), 0..4), inner.clone()).prop_map(
                |(blocks, t)| {
                    let (lengths, places): (Vec<_>, Vec<_>) = blocks.into_iter().unzip();
                    Datatype::indexed(&lengths, &places, &t).unwrap()
                }
            ),
            (inner.clone(), inner, 0i64..80).prop_map(|(a, b, at)| {
                Datatype::structure(&[1, 2], &[0, at], &[a, b]).unwrap()
            }),
        ]
    })
}

/// Returns the displacements of all bytes of `count` elements.
fn bytes_of(t: &Datatype, count: usize) -> Vec<i64> {
    let mut bytes = Vec::new();
    for element in 0..count as i64 {
        for (at, length) in t.blocks() {
            let first = at + element * t.extent();
            bytes.extend(first..first + length as i64);
        }
    }
    bytes
}

/// Reports whether type maps and bounds are equal.
fn same_map(a: &Datatype, b: &Datatype) -> bool {
    places(a) == places(b) && a.lb() == b.lb() && a.ub() == b.ub() && a.signature() == b.signature()
}

proptest! {
    #[test]
    fn contiguous_is_a_vector(count in 0i64..5, t in any_type(), stride in -9i64..9) {
        let contiguous = Datatype::contiguous(count, &t).unwrap();
        prop_assert!(same_map(&contiguous, &Datatype::vector(count, 1, 1, &t).unwrap()));
        prop_assert!(same_map(&contiguous, &Datatype::vector(1, count, stride, &t).unwrap()));
    }

    #[test]
    fn a_vector_is_indexed(count in 0i64..5, length in 0i64..4, stride in -9i64..9, t in any_type()) {
        let vector = Datatype::vector(count, length, stride, &t).unwrap();
        let starts: Vec<i64> = (0..count).map(|block| block * stride).collect();
        let lengths = vec![length; count as usize];
        prop_assert!(same_map(&vector, &Datatype::indexed(&lengths, &starts, &t).unwrap()));
        prop_assert!(same_map(&vector, &Datatype::indexed_block(length, &starts, &t).unwrap()));
        let bytes: Vec<i64> = starts.iter().map(|at| at * t.extent()).collect();
        prop_assert!(same_map(&vector, &Datatype::hindexed(&lengths, &bytes, &t).unwrap()));
        prop_assert!(same_map(&vector, &Datatype::hindexed_block(length, &bytes, &t).unwrap()));
        let types = vec![t.clone(); count as usize];
        prop_assert!(same_map(&vector, &Datatype::structure(&lengths, &bytes, &types).unwrap()));
    }

    #[test]
    fn unpacking_undoes_packing(t in any_type(), count in 0usize..4, seed in 0u8..200, cut in 0usize..60) {
        let span = t.span(count);
        let (origin, length) = ((-span.start).max(0) as usize, span.end.max(0) as usize);
        let memory: Vec<u8> = (0..origin + length).map(|n| (n as u8).wrapping_mul(7) ^ seed).collect();
        let mut dense = Vec::new();
        t.pack_slice(&memory, origin, count, &mut dense).unwrap();
        prop_assert_eq!(dense.len() as u64, t.size() * count as u64);
        let slow: Vec<u8> =
            bytes_of(&t, count).iter().map(|at| memory[(at + origin as i64) as usize]).collect();

        prop_assert_eq!(&slow, &dense);
        let part = &dense[..cut.min(dense.len())];
        let mut back = vec![0; memory.len()];
        prop_assert_eq!(t.unpack_slice(part, &mut back, origin, count).unwrap(), part.len());
        let mut again = Vec::new();
        t.pack_slice(&back, origin, count, &mut again).unwrap();
        if !t.overlaps(count as u64) {
            prop_assert_eq!(&again[..part.len()], part);
            prop_assert!(again[part.len()..].iter().all(|byte| *byte == 0));
        }
    }

    #[test]
    fn overlap_is_a_byte_named_twice(t in any_type(), count in 0usize..4) {
        let mut bytes: Vec<i64> = bytes_of(&t, count);
        let named = bytes.len();
        bytes.sort_unstable();
        bytes.dedup();
        prop_assert_eq!(t.overlaps(count as u64), bytes.len() < named);
    }
}
