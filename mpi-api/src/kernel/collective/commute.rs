//! Compares what an operation of the program makes of two operands with what it makes of them exchanged.
//!
//! A program may declare its operation commutative (MPI section 6.9.5). Algorithms combine operands in rank
//! order nevertheless, here and in most libraries, so that a wrong declaration seldom shows in results.

use std::ops::Range;

use crate::object::{primitive::Kind, signature::Primitive};

/// Comparisons of a run: the first operands that differ show most mistakes.
pub(super) const COMPARISONS: u32 = 64;

/// Size of the largest operands that are compared, bytes.
pub(super) const LARGEST: usize = 1 << 16;

/// Reports whether elements of a type can be compared: `long double` has a rounding of its own.
pub(super) fn can_compare(primitive: Primitive) -> bool {
    primitive.alignment() <= 8 && primitive.kind() != Kind::Opaque
}

/// One combination of two operands and the same with the operands exchanged, packed.
pub(super) struct Exchanged {
    pub(super) element_bytes: usize,
    /// The left and the right operand.
    pub(super) operands: [Vec<u8>; 2],
    /// The results of left and right, and of right and left.
    pub(super) results: [Vec<u8>; 2],
}

impl Exchanged {
    /// Returns the index of the first element whose results differ.
    pub(super) fn difference(&self) -> Option<usize> {
        let Self { element_bytes, operands: [left, right], results: [one, other] } = self;
        let [left, right, one, other] =
            [left, right, one, other].map(|bytes| bytes.chunks((*element_bytes).max(1)));
        let mut elements = left.zip(right).zip(one.zip(other));
        elements.position(|((left, right), (one, other))| !is_alike([one, other], [left, right]))
    }
}

/// Reports whether two results of one element are equal, but for the rounding of floating-point numbers and for bytes
/// that are those of an operand: an operation that chooses may return either of two equivalent operands, and what it
/// leaves alone, such as the padding of a structure, is that of one of them. Numbers may begin at any byte, as the
/// fields of a packed structure do; bytes count as a number only if its magnitude is usual.
fn is_alike([one, other]: [&[u8]; 2], operands: [&[u8]; 2]) -> bool {
    let is_chosen = |at: usize| {
        [one, other].iter().all(|result| operands.iter().any(|operand| operand[at] == result[at]))
    };
    let differs = |at: &usize| one[*at] != other[*at] && !is_chosen(*at);
    let mut from = 0;
    while let Some(at) = (from..one.len()).find(differs) {
        let mut ends =
            PRECISIONS.iter().filter_map(|it| it.end_of_equal((from, at), [one, other], operands));
        let Some(end) = ends.next() else { return false };
        from = end;
    }
    true
}

/// How floating-point numbers are represented, and how far rounding can change them.
struct Precision {
    bytes: usize,
    read: fn(&[u8]) -> Option<f64>,
    /// The usual magnitudes, besides 0.
    usual: Range<f64>,
    /// By which part of the largest of the results and operands two results may differ.
    rounding: f64,
}

const PRECISIONS: [Precision; 2] = [
    Precision {
        bytes: 8,
        read: |bytes| Some(f64::from_ne_bytes(bytes.try_into().ok()?)),
        usual: 1e-60..1e60,
        rounding: 1e-8,
    },
    Precision {
        bytes: 4,
        read: |bytes| Some(f32::from_ne_bytes(bytes.try_into().ok()?).into()),
        usual: 1e-20..1e20,
        rounding: 1e-3,
    },
];

impl Precision {
    /// Returns the end of the first number at or behind `from` that holds the byte at `at` and is equal in both results
    /// but for rounding.
    fn end_of_equal(
        &self,
        (from, at): (usize, usize),
        results: [&[u8]; 2],
        operands: [&[u8]; 2],
    ) -> Option<usize> {
        let first = (at + 1).saturating_sub(self.bytes).max(from);
        let last = at.min(results[0].len().checked_sub(self.bytes)?);
        let start = (first..=last).find(|start| {
            let [one, other] = results.map(|of| self.number(of, *start));
            let (Some(one), Some(other)) = (one, other) else { return false };
            let operands = operands.iter().filter_map(|of| self.number(of, *start));
            let scale = operands.chain([one, other]).map(f64::abs).fold(0.0, f64::max);
            (one - other).abs() <= self.rounding * scale
        });
        Some(start? + self.bytes)
    }

    /// Returns the number at a place, if its magnitude is usual.
    fn number(&self, bytes: &[u8], start: usize) -> Option<f64> {
        let value = (self.read)(&bytes[start..start + self.bytes])?;
        (value == 0.0 || self.usual.contains(&value.abs())).then_some(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes<T: Copy, const N: usize>(values: &[T], bytes: impl Fn(T) -> [u8; N]) -> Vec<u8> {
        values.iter().flat_map(|value| bytes(*value)).collect()
    }

    fn difference<T: Copy, const N: usize>(
        (left, right): (&[T], &[T]),
        element: usize,
        op: impl Fn(&[T], &[T]) -> Vec<T>,
        number: impl Fn(T) -> [u8; N] + Copy,
    ) -> Option<usize> {
        let exchanged = Exchanged {
            element_bytes: element,
            operands: [left, right].map(|values| bytes(values, number)),
            results: [op(left, right), op(right, left)].map(|values| bytes(&values, number)),
        };
        exchanged.difference()
    }

    #[test]
    fn differences_count_by_element() {
        let minus = |a: &[i32], b: &[i32]| a.iter().zip(b).map(|(a, b)| a - b).collect();
        assert_eq!(difference((&[5, 7, 3], &[5, 7, 1]), 4, minus, i32::to_ne_bytes), Some(2));
        let plus = |a: &[i32], b: &[i32]| a.iter().zip(b).map(|(a, b)| a + b).collect();
        assert_eq!(difference((&[5, 7, 3], &[5, 7, 1]), 4, plus, i32::to_ne_bytes), None);
    }

    #[test]
    fn an_operation_may_choose_among_its_operands() {
        let larger = |a: &[i32], b: &[i32]| if a[0] >= b[0] { a.to_vec() } else { b.to_vec() };
        assert_eq!(difference((&[5, 0], &[5, 1]), 8, larger, i32::to_ne_bytes), None);
        // Without the structure of two integers, one of the elements is neither operand.
        let mixed = |a: &[i32], b: &[i32]| vec![a[0] + b[0], 2 * a[1]];
        assert_eq!(difference((&[5, 0], &[5, 1]), 8, mixed, i32::to_ne_bytes), Some(0));
    }

    #[test]
    fn rounding_is_no_difference() {
        // The same sum in two orders, which differ in the last bit.
        let sum = |a: &[f64], b: &[f64]| vec![(a[0] + 0.3) + b[0]];
        let (left, right) = ([0.1], [0.2]);
        assert_ne!(sum(&left, &right), sum(&right, &left));
        assert_eq!(difference((&left, &right), 8, sum, f64::to_ne_bytes), None);
        // In single precision too, and where the terms cancel.
        let sum = |a: &[f32], b: &[f32]| vec![(a[0] + 0.3) + b[0]];
        assert_eq!(difference((&[0.1], &[-0.4]), 4, sum, f32::to_ne_bytes), None);
        let minus = |a: &[f64], b: &[f64]| vec![a[0] - b[0]];
        assert_eq!(difference((&[0.1], &[0.2]), 8, minus, f64::to_ne_bytes), Some(0));
    }

    #[test]
    fn numbers_begin_at_any_byte_of_a_structure() {
        let structure =
            |count: i32, value: f64| [&count.to_ne_bytes()[..], &value.to_ne_bytes()].concat();
        let exchanged = |one: Vec<u8>, other: Vec<u8>| Exchanged {
            element_bytes: 12,
            operands: [structure(1, 1.0), structure(2, 2.0)],
            results: [one, other],
        };
        let (sum, rounded) = (structure(3, 0.3), structure(3, 0.1 + 0.2));
        assert_eq!(exchanged(sum.clone(), rounded).difference(), None);
        assert_eq!(exchanged(sum.clone(), structure(4, 0.3)).difference(), Some(0));
        assert_eq!(exchanged(sum, structure(3, 0.4)).difference(), Some(0));
    }
}
