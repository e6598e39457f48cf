//! Compares what an operation of the program makes of two operands with what it makes of them exchanged.
//!
//! A program may declare its operation commutative (MPI section 6.9.5). Algorithms combine operands in rank
//! order nevertheless, here and in most libraries, so that a wrong declaration seldom shows in results.

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
    /// The left and the right operand.
    pub(super) operands: [Vec<u8>; 2],
    /// The results of left and right, and of right and left.
    pub(super) results: [Vec<u8>; 2],
}

impl Exchanged {
    /// Returns the index of the first element whose results differ.
    pub(super) fn difference(&self, element_bytes: usize) -> Option<usize> {
        let Self { operands: [left, right], results: [one, other] } = self;
        let [left, right, one, other] =
            [left, right, one, other].map(|bytes| bytes.chunks(element_bytes.max(1)));
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
        let number_around = |size: usize, read: fn(&[u8]) -> Option<f64>, part: f64| {
            let first = (at + 1).saturating_sub(size).max(from);
            let starts = first..=at.min(one.len().checked_sub(size)?);
            let close = |start: &usize| {
                let value = |of: &[u8]| read(&of[*start..*start + size]);
                let (Some(a), Some(b)) = (value(one), value(other)) else { return false };
                let operand = |of: &&[u8]| value(of).map_or(0.0, f64::abs);
                let scale = operands.iter().map(operand).fold(a.abs().max(b.abs()), f64::max);
                (a - b).abs() <= part * scale
            };
            starts.into_iter().find(close).map(|start| start + size)
        };
        let end = number_around(8, double, 1e-8).or_else(|| number_around(4, single, 1e-3));
        let Some(end) = end else { return false };
        from = end;
    }
    true
}

fn double(bytes: &[u8]) -> Option<f64> {
    let value = f64::from_ne_bytes(bytes.try_into().ok()?);
    (value == 0.0 || (1e-60..1e60).contains(&value.abs())).then_some(value)
}

fn single(bytes: &[u8]) -> Option<f64> {
    let value = f64::from(f32::from_ne_bytes(bytes.try_into().ok()?));
    (value == 0.0 || (1e-20..1e20).contains(&value.abs())).then_some(value)
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
            operands: [left, right].map(|values| bytes(values, number)),
            results: [op(left, right), op(right, left)].map(|values| bytes(&values, number)),
        };
        exchanged.difference(element)
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
            operands: [structure(1, 1.0), structure(2, 2.0)],
            results: [one, other],
        };
        let (sum, rounded) = (structure(3, 0.3), structure(3, 0.1 + 0.2));
        assert_eq!(exchanged(sum.clone(), rounded).difference(12), None);
        assert_eq!(exchanged(sum.clone(), structure(4, 0.3)).difference(12), Some(0));
        assert_eq!(exchanged(sum, structure(3, 0.4)).difference(12), Some(0));
    }
}
