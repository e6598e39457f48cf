//! The predefined reduction operations on bytes.

use std::ops::{Add, Mul, Sub};

use super::{
    Loop, Op,
    binary::{Half, Quad},
    long_double::Extended,
};
use crate::object::signature::{Kind, Primitive};

/// A number that can be read from and written to bytes.
pub(super) trait Word: Copy {
    const SIZE: usize;
    fn read(bytes: &[u8]) -> Self;
    fn write(self, bytes: &mut [u8]);
}

/// A number type with predefined operations.
trait Number: Word + PartialOrd {
    fn combine(op: &Op, left: Self, right: Self) -> Self;
}

/// A number type whose complex numbers support arithmetic.
trait Field: Number + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> {}

impl<T: Number + Add<Output = T> + Sub<Output = T> + Mul<Output = T>> Field for T {}

macro_rules! words {
    ($($t:ty),*) => {$(
        impl Word for $t {
            const SIZE: usize = size_of::<$t>();
            fn read(bytes: &[u8]) -> Self {
                Self::from_ne_bytes(bytes.try_into().expect("a chunk of its size"))
            }
            fn write(self, bytes: &mut [u8]) {
                bytes.copy_from_slice(&self.to_ne_bytes());
            }
        }
    )*};
}
words!(i8, i16, i32, i64, i128, u8, u16, u32, u64, u128, f32, f64);

impl Word for Extended {
    const SIZE: usize = 16;
    fn read(bytes: &[u8]) -> Self {
        Self::from_bytes(bytes.try_into().expect("a chunk of its size"))
    }
    fn write(self, bytes: &mut [u8]) {
        bytes.copy_from_slice(&self.to_bytes());
    }
}

macro_rules! integers {
    ($($t:ty),*) => {$(
        impl Number for $t {
            #[inline(always)]
            fn combine(op: &Op, a: Self, b: Self) -> Self {
                match op {
                    Op::Max => a.max(b),
                    Op::Min => a.min(b),
                    Op::Sum => a.wrapping_add(b),
                    Op::Product => a.wrapping_mul(b),
                    Op::LogicalAnd => Self::from(a != 0 && b != 0),
                    Op::LogicalOr => Self::from(a != 0 || b != 0),
                    Op::LogicalXor => Self::from((a != 0) != (b != 0)),
                    Op::BitAnd => a & b,
                    Op::BitOr => a | b,
                    Op::BitXor => a ^ b,
                    // They combine no numbers.
                    Op::MaxLoc | Op::MinLoc | Op::Replace | Op::NoOp | Op::User { .. } => b,
                }
            }
        }
    )*};
}
integers!(i8, i16, i32, i64, i128, u8, u16, u32, u64, u128);

macro_rules! floats {
    ($($t:ty),*) => {$(
        impl Number for $t {
            #[inline(always)]
            fn combine(op: &Op, a: Self, b: Self) -> Self {
                match op {
                    Op::Max => if a > b { a } else { b },
                    Op::Min => if a < b { a } else { b },
                    Op::Sum => a + b,
                    Op::Product => a * b,
                    // They are not defined for floating-point numbers.
                    Op::LogicalAnd | Op::LogicalOr | Op::LogicalXor => b,
                    Op::BitAnd | Op::BitOr | Op::BitXor => b,
                    Op::MaxLoc | Op::MinLoc | Op::Replace | Op::NoOp | Op::User { .. } => b,
                }
            }
        }
    )*};
}
floats!(f32, f64, Extended, Half, Quad);

fn each<T: Number>(op: &Op, left: &[u8], right: &mut [u8]) {
    // A separate loop for each common operation, so that the compiler can vectorise it.
    match op {
        Op::Sum => in_pairs(left, right, |a, b| T::combine(&Op::Sum, a, b)),
        Op::Product => in_pairs(left, right, |a, b| T::combine(&Op::Product, a, b)),
        Op::Max => in_pairs(left, right, |a, b| T::combine(&Op::Max, a, b)),
        Op::Min => in_pairs(left, right, |a, b| T::combine(&Op::Min, a, b)),
        Op::LogicalAnd
        | Op::LogicalOr
        | Op::LogicalXor
        | Op::BitAnd
        | Op::BitOr
        | Op::BitXor
        | Op::MaxLoc
        | Op::MinLoc
        | Op::Replace
        | Op::NoOp
        | Op::User { .. } => in_pairs(left, right, |a, b| T::combine(op, a, b)),
    }
}

fn in_pairs<T: Number>(left: &[u8], right: &mut [u8], combine: impl Fn(T, T) -> T) {
    for (a, b) in left.chunks_exact(T::SIZE).zip(right.chunks_exact_mut(T::SIZE)) {
        combine(T::read(a), T::read(b)).write(b);
    }
}

fn complex<T: Field>(op: &Op, left: &[u8], right: &mut [u8]) {
    let two = 2 * T::SIZE;
    for (a, b) in left.chunks_exact(two).zip(right.chunks_exact_mut(two)) {
        let (x, y) = (T::read(&a[..T::SIZE]), T::read(&a[T::SIZE..]));
        let (u, v) = (T::read(&b[..T::SIZE]), T::read(&b[T::SIZE..]));
        // Sums and products alone are defined.
        let (real, imaginary) = match matches!(op, Op::Product) {
            true => (x * u - y * v, x * v + y * u),
            false => (x + u, y + v),
        };
        real.write(&mut b[..T::SIZE]);
        imaginary.write(&mut b[T::SIZE..]);
    }
}

/// Among equal values the smaller index wins (MPI section 6.9.4).
fn located<V: Number, I: Number>(op: &Op, left: &[u8], right: &mut [u8]) {
    let size = V::SIZE + I::SIZE;
    for (a, b) in left.chunks_exact(size).zip(right.chunks_exact_mut(size)) {
        let (value, other) = (V::read(&a[..V::SIZE]), V::read(&b[..V::SIZE]));
        // `Op::MaxLoc` and `Op::MinLoc` alone are defined.
        let wins = if matches!(op, Op::MaxLoc) { value > other } else { value < other };
        let earlier = value == other && I::read(&a[V::SIZE..]) < I::read(&b[V::SIZE..]);
        if wins || earlier {
            b.copy_from_slice(a);
        }
    }
}

pub(super) fn loop_of(primitive: Primitive) -> Loop {
    match primitive {
        Primitive::Real2 => each::<Half>,
        Primitive::Real16 => each::<Quad>,
        Primitive::Complex4 => complex::<Half>,
        Primitive::Complex32 => complex::<Quad>,
        Primitive::Logical16 => each::<u128>,
        _ => of_kind(primitive),
    }
}

/// Returns the loop for types whose kind and size determine their representation.
fn of_kind(primitive: Primitive) -> Loop {
    match (primitive.kind(), primitive.size()) {
        (Kind::Unsigned | Kind::Logical | Kind::Byte, 1) => each::<u8>,
        (Kind::Unsigned | Kind::Logical, 2) => each::<u16>,
        (Kind::Unsigned | Kind::Logical, 4) => each::<u32>,
        (Kind::Unsigned | Kind::Logical, 8) => each::<u64>,
        (Kind::Signed | Kind::FortranInteger, 1) => each::<i8>,
        (Kind::Signed | Kind::FortranInteger, 2) => each::<i16>,
        (Kind::Signed | Kind::FortranInteger, 4) => each::<i32>,
        (Kind::Signed | Kind::FortranInteger | Kind::Address, 8) => each::<i64>,
        (Kind::FortranInteger, 16) => each::<i128>,
        (Kind::Float, 4) => each::<f32>,
        (Kind::Float, 8) => each::<f64>,
        (Kind::Float, 16) => each::<Extended>,
        (Kind::Complex, 8) => complex::<f32>,
        (Kind::Complex, 16) => complex::<f64>,
        (Kind::Complex, 32) => complex::<Extended>,
        (Kind::Pair, _) => pair(primitive),
        // No operation is defined for characters, nor a type of another size.
        _ => |_: &Op, _: &[u8], _: &mut [u8]| {},
    }
}

fn pair(primitive: Primitive) -> Loop {
    match primitive {
        Primitive::FloatInt => located::<f32, i32>,
        Primitive::DoubleInt => located::<f64, i32>,
        Primitive::LongInt => located::<i64, i32>,
        Primitive::ShortInt => located::<i16, i32>,
        Primitive::LongDoubleInt => located::<Extended, i32>,
        Primitive::TwoReal => located::<f32, f32>,
        Primitive::TwoDoublePrecision => located::<f64, f64>,
        _ => located::<i32, i32>,
    }
}
