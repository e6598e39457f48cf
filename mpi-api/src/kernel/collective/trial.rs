//! Tries the functions that programs combine by: with the operands exchanged, in another order of combinations, and with a
//! part of the elements.
//!
//! A program may declare its operation commutative (MPI section 6.9.5). Algorithms combine operands in rank
//! order nevertheless, here and in most libraries, so that a wrong declaration seldom shows in results. Nor do those here
//! split operands, as libraries do with large ones: a function has to combine each element for itself. Every operation is
//! taken to be associative: which ranks' operands are combined first depends on the algorithm.

use std::ops::Range;

use crate::object::{op::UserFunction, primitive::Kind, signature::Primitive};

/// Trials of a run: the first operands that differ show most mistakes.
pub(super) const TRIALS: u32 = 64;

/// Size of the largest operands that are tried, bytes.
pub(super) const LARGEST: usize = 1 << 16;

/// Most elements behind the first that are combined alone.
const ALONE: usize = 8;

/// Reports whether elements of a type can be compared: `long double` has a rounding of its own.
pub(super) fn can_compare(primitive: Primitive) -> bool {
    primitive.alignment() <= 8 && primitive.kind() != Kind::Opaque
}

/// How the results of an operation are compared.
#[derive(Clone, Copy)]
pub(super) struct Comparable {
    pub(super) element_bytes: usize,
    /// Whether its operands may be exchanged.
    pub(super) commutative: bool,
}

/// Two operands, and what a function has made of them, packed.
pub(super) struct Made {
    /// The left and the right operand, which the result replaces.
    operands: [Vec<u8>; 2],
    result: Vec<u8>,
    /// The results of the elements behind the first, or of some of them, if each is combined alone.
    alone: Vec<u8>,
}

/// What a function makes of two operands, and of them in other ways, packed.
pub(super) struct Trial {
    how: Comparable,
    pub(super) made: Made,
    /// The same with the operands exchanged.
    exchanged: Made,
    /// What was combined before, if one of the operands is its result, and the result if it is combined afterwards.
    regrouped: Option<(Made, Vec<u8>)>,
}

/// What is wrong with a function.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// The result of this element depends on the order of the operands.
    NotCommutative(usize),
    /// The result of this element depends on which of three operands are combined first.
    NotAssociative(usize),
    /// Only the first of so many elements was combined.
    OnlyFirst(usize),
    /// The result of this element depends on others.
    Coupled(usize),
}

/// Returns what a function makes of two operands.
fn called(function: &UserFunction, left: &[u8], right: &[u8]) -> Vec<u8> {
    let mut result = right.to_vec();
    function(left, &mut result);
    result
}

impl Made {
    /// Combines two operands.
    pub(super) fn new(function: &UserFunction, how: Comparable, operands: [Vec<u8>; 2]) -> Self {
        let result = called(function, &operands[0], &operands[1]);
        let [left, right] = [&operands[0], &operands[1]].map(|all| all.chunks(how.element_bytes));
        let alone = left.zip(right).skip(1).take(ALONE);
        let alone = alone.flat_map(|(left, right)| called(function, left, right)).collect();
        Self { operands, result, alone }
    }

    /// Returns the result.
    pub(super) fn result(&self) -> &[u8] {
        &self.result
    }

    /// Returns what a function makes of the operands of this result and another operand, which was combined with it, in the
    /// other order of combinations; `None` if it was not.
    fn regrouped(&self, function: &UserFunction, [left, right]: &[Vec<u8>; 2]) -> Option<Vec<u8>> {
        let call = |left: &[u8], right: &[u8]| called(function, left, right);
        let [first, second] = &self.operands;
        if *left == self.result {
            Some(call(first, &call(second, right)))
        } else if *right == self.result {
            Some(call(&call(left, first), second))
        } else {
            None
        }
    }
}

impl Trial {
    /// Calls a function that has made a result of two operands in other ways. `before` is what it has made before for the
    /// same collective operation of the same rank.
    pub(super) fn new(
        function: &UserFunction,
        how: Comparable,
        made: Made,
        before: Option<Made>,
    ) -> Self {
        let [left, right] = &made.operands;
        let exchanged = Made::new(function, how, [right.clone(), left.clone()]);
        let regrouped = before.and_then(|before| {
            let result = before.regrouped(function, &made.operands)?;
            Some((before, result))
        });
        Self { how, made, exchanged, regrouped }
    }

    /// Returns the first thing that is wrong with the function.
    pub(super) fn fault(&self) -> Option<Fault> {
        self.only_first()
            .or_else(|| self.not_commutative())
            .or_else(|| self.not_associative())
            .or_else(|| self.coupled())
    }

    fn only_first(&self) -> Option<Fault> {
        let bytes = self.how.element_bytes;
        let is_left =
            [&self.made, &self.exchanged].into_iter().any(|Made { operands, result, alone }| {
                let right = &operands[1];
                let Some((first, others)) = result.split_at_checked(bytes) else { return false };
                let is_first = *first != right[..bytes] && *others == right[bytes..];
                is_first && !right[bytes..].starts_with(alone)
            });
        is_left.then(|| Fault::OnlyFirst(self.made.result.len() / bytes))
    }

    fn not_commutative(&self) -> Option<Fault> {
        if !self.how.commutative {
            return None;
        }
        let [left, right] = &self.made.operands;
        let results = [&self.made, &self.exchanged].map(|made| made.result.as_slice());
        self.difference(results, &[left, right]).map(Fault::NotCommutative)
    }

    fn not_associative(&self) -> Option<Fault> {
        let (before, other) = self.regrouped.as_ref()?;
        let operands = self.made.operands.iter().chain(&before.operands).map(Vec::as_slice);
        let operands: Vec<&[u8]> = operands.collect();
        self.difference([&self.made.result, other], &operands).map(Fault::NotAssociative)
    }

    fn coupled(&self) -> Option<Fault> {
        let Made { result, alone, .. } = &self.made;
        let others = result.get(self.how.element_bytes..)?.get(..alone.len())?;
        // None of them may be chosen for another element's sake.
        let found = self.difference([others, alone], &[])?;
        Some(Fault::Coupled(found + 1))
    }

    /// Returns the index of the first element that differs in two results of some operands.
    fn difference(&self, results: [&[u8]; 2], operands: &[&[u8]]) -> Option<usize> {
        let (bytes, step) = (results[0].len(), self.how.element_bytes);
        (0..bytes.div_ceil(step)).find(|at| {
            let element = at * step..bytes.min((at + 1) * step);
            let of: Vec<&[u8]> = operands.iter().map(|all| &all[element.clone()]).collect();
            !is_alike(results.map(|all| &all[element.clone()]), &of)
        })
    }
}

/// Reports whether two results of one element are equal, but for the rounding of floating-point numbers and for bytes
/// that are those of one of the operands: an operation that chooses may return either of two equivalent operands, and what it
/// leaves alone, such as the padding of a structure, is that of one of them. Numbers may begin at any byte, as the
/// fields of a packed structure do; bytes count as a number only if its magnitude is usual.
fn is_alike([one, other]: [&[u8]; 2], operands: &[&[u8]]) -> bool {
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
    /// The same for the largest number of the element: what compensates for rounding is small beside it.
    compensation: f64,
}

const PRECISIONS: [Precision; 2] = [
    Precision {
        bytes: 8,
        read: |bytes| Some(f64::from_ne_bytes(bytes.try_into().ok()?)),
        usual: 1e-60..1e60,
        rounding: 1e-8,
        compensation: 1e-14,
    },
    Precision {
        bytes: 4,
        read: |bytes| Some(f32::from_ne_bytes(bytes.try_into().ok()?).into()),
        usual: 1e-20..1e20,
        rounding: 1e-3,
        compensation: 1e-6,
    },
];

impl Precision {
    /// Returns the end of the first number at or behind `from` that holds the byte at `at` and is equal in both results
    /// but for rounding.
    fn end_of_equal(
        &self,
        (from, at): (usize, usize),
        results: [&[u8]; 2],
        operands: &[&[u8]],
    ) -> Option<usize> {
        let first = (at + 1).saturating_sub(self.bytes).max(from);
        let last = at.min(results[0].len().checked_sub(self.bytes)?);
        let start = (first..=last).find(|start| {
            let [one, other] = results.map(|of| self.number(of, *start));
            let (Some(one), Some(other)) = (one, other) else { return false };
            let operands = operands.iter().filter_map(|of| self.number(of, *start));
            let scale = operands.chain([one, other]).map(f64::abs).fold(0.0, f64::max);
            let difference = (one - other).abs();
            difference <= self.rounding * scale
                || difference <= self.compensation * self.largest(results[0], start % self.bytes)
        });
        Some(start? + self.bytes)
    }

    /// Returns the largest magnitude of the numbers of an element that begin at a byte and at whole numbers of bytes behind.
    fn largest(&self, element: &[u8], first: usize) -> f64 {
        let last = element.len().saturating_sub(self.bytes);
        let numbers = (first..=last).step_by(self.bytes).filter_map(|at| self.number(element, at));
        numbers.map(f64::abs).fold(0.0, f64::max)
    }

    /// Returns the number at a place, if its magnitude is usual.
    fn number(&self, bytes: &[u8], start: usize) -> Option<f64> {
        let value = (self.read)(&bytes[start..start + self.bytes])?;
        (value == 0.0 || self.usual.contains(&value.abs())).then_some(value)
    }
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use super::*;

    fn bytes<T: Copy, const N: usize>(values: &[T], bytes: impl Fn(T) -> [u8; N]) -> Vec<u8> {
        values.iter().flat_map(|value| bytes(*value)).collect()
    }

    /// Returns what is wrong with a function of numbers.
    fn fault<T: Copy + 'static, const N: usize>(
        (left, right): (&[T], &[T]),
        element_bytes: usize,
        op: impl Fn(&[T], &[T]) -> Vec<T> + 'static,
        number: (fn(T) -> [u8; N], fn([u8; N]) -> T),
    ) -> Option<Fault> {
        let (write, read) = number;
        let numbers = move |bytes: &[u8]| -> Vec<T> {
            bytes.chunks(N).map(|bytes| read(bytes.try_into().expect("whole numbers"))).collect()
        };
        let function: UserFunction = Rc::new(move |left: &[u8], right: &mut [u8]| {
            let made = op(&numbers(left), &numbers(right));
            right.copy_from_slice(&bytes(&made, write));
        });
        let operands = [left, right].map(|values| bytes(values, write));
        let how = Comparable { element_bytes, commutative: true };
        Trial::new(&function, how, Made::new(&function, how, operands), None).fault()
    }

    const WHOLE: (fn(i32) -> [u8; 4], fn([u8; 4]) -> i32) = (i32::to_ne_bytes, i32::from_ne_bytes);
    const DOUBLE: (fn(f64) -> [u8; 8], fn([u8; 8]) -> f64) = (f64::to_ne_bytes, f64::from_ne_bytes);
    const SINGLE: (fn(f32) -> [u8; 4], fn([u8; 4]) -> f32) = (f32::to_ne_bytes, f32::from_ne_bytes);

    #[test]
    fn differences_count_by_element() {
        let minus = |a: &[i32], b: &[i32]| a.iter().zip(b).map(|(a, b)| a - b).collect();
        assert_eq!(
            fault((&[5, 7, 3], &[5, 7, 1]), 4, minus, WHOLE),
            Some(Fault::NotCommutative(2))
        );
        let plus = |a: &[i32], b: &[i32]| a.iter().zip(b).map(|(a, b)| a + b).collect();
        assert_eq!(fault((&[5, 7, 3], &[5, 7, 1]), 4, plus, WHOLE), None);
    }

    #[test]
    fn elements_are_combined_each_for_itself() {
        let first = |a: &[i32], b: &[i32]| [&[a[0].max(b[0])], &b[1..]].concat();
        assert_eq!(fault((&[5, 7, 3], &[4, 9, 1]), 4, first, WHOLE), Some(Fault::OnlyFirst(3)));
        // The first operand that is combined has nothing to change.
        assert_eq!(fault((&[4, 9, 0], &[5, 7, 1]), 4, first, WHOLE), Some(Fault::OnlyFirst(3)));
        assert_eq!(fault((&[5], &[4]), 4, first, WHOLE), None);
        // A value and what belongs to it, as two elements.
        let of_larger = |a: &[i32], b: &[i32]| if a[0] > b[0] { a.to_vec() } else { b.to_vec() };
        assert_eq!(fault((&[5, 1], &[4, 2]), 4, of_larger, WHOLE), Some(Fault::Coupled(1)));
        assert_eq!(fault((&[5, 1], &[4, 2]), 8, of_larger, WHOLE), None);
    }

    #[test]
    fn an_operation_may_choose_among_its_operands() {
        let larger = |a: &[i32], b: &[i32]| if a[0] >= b[0] { a.to_vec() } else { b.to_vec() };
        assert_eq!(fault((&[5, 0], &[5, 1]), 8, larger, WHOLE), None);
        // Without the structure of two integers, one of the elements is neither operand.
        let mixed = |a: &[i32], b: &[i32]| vec![a[0] + b[0], 2 * a[1]];
        assert_eq!(fault((&[5, 0], &[5, 1]), 8, mixed, WHOLE), Some(Fault::NotCommutative(0)));
    }

    #[test]
    fn rounding_is_no_difference() {
        // The same sum in two orders, which differ in the last bit.
        let sum = |a: &[f64], b: &[f64]| vec![(a[0] + 0.3) + b[0]];
        let (left, right) = ([0.1], [0.2]);
        assert_ne!(sum(&left, &right), sum(&right, &left));
        assert_eq!(fault((&left, &right), 8, sum, DOUBLE), None);
        // In single precision too, and where the terms cancel.
        let sum = |a: &[f32], b: &[f32]| vec![(a[0] + 0.3) + b[0]];
        assert_eq!(fault((&[0.1], &[-0.4]), 4, sum, SINGLE), None);
        // What a compensated sum carries along is nothing but rounding.
        let compensated = |a: &[f64], b: &[f64]| {
            let term = b[0] - a[1];
            let sum = a[0] + term;
            vec![sum, (sum - a[0]) - term + b[1]]
        };
        let (left, right) = ([0.1, 0.0], [0.7, 0.0]);
        assert_ne!(compensated(&left, &right), compensated(&right, &left));
        assert_eq!(fault((&left, &right), 16, compensated, DOUBLE), None);
        let minus = |a: &[f64], b: &[f64]| vec![a[0] - b[0]];
        let found = fault((&[0.1], &[0.2]), 8, minus, DOUBLE);
        assert_eq!(found, Some(Fault::NotCommutative(0)));
    }

    #[test]
    fn numbers_begin_at_any_byte_of_a_structure() {
        let structure =
            |count: i32, value: f64| [&count.to_ne_bytes()[..], &value.to_ne_bytes()].concat();
        let operands = [structure(1, 1.0), structure(2, 2.0)];
        let is_alike =
            |one: &[u8], other: &[u8]| is_alike([one, other], &[&operands[0], &operands[1]]);
        let (sum, rounded) = (structure(3, 0.3), structure(3, 0.1 + 0.2));
        assert!(is_alike(&sum, &rounded));
        assert!(!is_alike(&sum, &structure(4, 0.3)));
        assert!(!is_alike(&sum, &structure(3, 0.4)));
    }

    #[test]
    fn the_order_of_combinations_is_free() {
        let of_three = |combine: fn(f64, f64) -> f64, is_left: bool| {
            let function: UserFunction = Rc::new(move |left: &[u8], right: &mut [u8]| {
                let [a, b] = [left, right].map(|it| f64::from_ne_bytes(it.try_into().unwrap()));
                right.copy_from_slice(&combine(a, b).to_ne_bytes());
            });
            let [one, two, three] = [0.1, 0.2, 0.7].map(|value: f64| value.to_ne_bytes().to_vec());
            let how = Comparable { element_bytes: 8, commutative: false };
            let before = Made::new(&function, how, [one, two]);
            let partial = before.result.clone();
            let operands = if is_left { [partial, three] } else { [three, partial] };
            let made = Made::new(&function, how, operands);
            Trial::new(&function, how, made, Some(before)).fault()
        };
        for is_left in [true, false] {
            let average = of_three(f64::midpoint, is_left);
            assert_eq!(average, Some(Fault::NotAssociative(0)));
            assert_eq!(of_three(|a, b| a + b, is_left), None);
            assert_eq!(of_three(f64::max, is_left), None);
        }
        // Two operands that are no result of each other.
        let function: UserFunction = Rc::new(|left: &[u8], right: &mut [u8]| right[0] ^= left[0]);
        let how = Comparable { element_bytes: 1, commutative: false };
        let before = Made::new(&function, how, [vec![1], vec![9]]);
        let made = Made::new(&function, how, [vec![2], vec![9]]);
        let trial = Trial::new(&function, how, made, Some(before));
        assert_eq!(trial.fault(), None);
    }
}
