//! Identities of datatypes over random arguments; each has a row Q in the conformance suite.

use mpi_api::object::{datatype::Datatype, signature::Primitive};
use proptest::prelude::*;

fn old() -> impl Strategy<Value = Datatype> {
    let basic = prop::sample::select(vec![Primitive::Char, Primitive::Int32, Primitive::Float64]);
    (basic, 1..4_i64, 0..3_i64).prop_map(|(primitive, count, gap)| {
        let basic = Datatype::predefined(primitive);
        let size = basic.extent();
        let block = Datatype::contiguous(count, &basic).expect("a small type");
        block.resized(0, (count + gap) * size).expect("a small type")
    })
}

fn same(one: &Datatype, other: &Datatype) -> Result<(), TestCaseError> {
    prop_assert_eq!(one.type_map(), other.type_map());
    prop_assert_eq!(
        (one.lb(), one.extent(), one.size()),
        (other.lb(), other.extent(), other.size())
    );
    prop_assert!(one.signature().same(other.signature()));
    Ok(())
}

proptest! {
    /// Q.1.
    #[test]
    fn contiguous_is_a_vector(old in old(), count in 0..20_i64, stride in -9..9_i64) {
        let contiguous = Datatype::contiguous(count, &old).expect("small");
        same(&contiguous, &Datatype::vector(count, 1, 1, &old).expect("small"))?;
        same(&contiguous, &Datatype::vector(1, count, stride, &old).expect("small"))?;
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
    }

    /// Q.3.
    #[test]
    fn indexed_in_bytes_is_a_structure(
        old in old(), blocks in prop::collection::vec((0..4_i64, -99..99_i64), 0..6)
    ) {
        let (lengths, places): (Vec<i64>, Vec<i64>) = blocks.into_iter().unzip();
        let types = vec![old.clone(); lengths.len()];
        let indexed = Datatype::hindexed(&lengths, &places, &old).expect("small");
        let structure = Datatype::structure(&lengths, &places, &types).expect("small");
        prop_assert_eq!(indexed.type_map(), structure.type_map());
        prop_assert_eq!(indexed.size(), structure.size());
    }
}
