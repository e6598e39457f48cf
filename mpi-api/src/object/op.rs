//! Reduction operations (MPI section 5.9).

use std::{fmt, rc::Rc};

use super::signature::Primitive;

/// `invec op inoutvec`, left in `inoutvec`.
pub type UserFunction = Rc<dyn Fn(&[u8], &mut [u8])>;

/// A reduction operation.
#[derive(Clone)]
#[allow(missing_docs, reason = "each is the MPI operation of that name")]
pub enum Op {
    Max,
    Min,
    Sum,
    Product,
    LogicalAnd,
    LogicalOr,
    LogicalXor,
    BitAnd,
    BitOr,
    BitXor,
    /// Made by the program.
    User {
        /// Whether operands may change places.
        commutative: bool,
        /// What it does.
        function: UserFunction,
    },
}

impl fmt::Debug for Op {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Max => "MPI_MAX",
            Self::Min => "MPI_MIN",
            Self::Sum => "MPI_SUM",
            Self::Product => "MPI_PROD",
            Self::LogicalAnd => "MPI_LAND",
            Self::LogicalOr => "MPI_LOR",
            Self::LogicalXor => "MPI_LXOR",
            Self::BitAnd => "MPI_BAND",
            Self::BitOr => "MPI_BOR",
            Self::BitXor => "MPI_BXOR",
            Self::User { .. } => "a user operation",
        })
    }
}

macro_rules! integers {
    ($op:expr, $left:expr, $right:expr, $t:ty) => {
        each($left, $right, |a: $t, b: $t| match $op {
            Op::Max => a.max(b),
            Op::Min => a.min(b),
            Op::Sum => a.wrapping_add(b),
            Op::Product => a.wrapping_mul(b),
            Op::LogicalAnd => <$t>::from(a != 0 && b != 0),
            Op::LogicalOr => <$t>::from(a != 0 || b != 0),
            Op::LogicalXor => <$t>::from((a != 0) != (b != 0)),
            Op::BitAnd => a & b,
            Op::BitOr => a | b,
            Op::BitXor | Op::User { .. } => a ^ b,
        })
    };
}

macro_rules! floats {
    ($op:expr, $left:expr, $right:expr, $t:ty) => {
        each($left, $right, |a: $t, b: $t| match $op {
            Op::Max => a.max(b),
            Op::Min => a.min(b),
            Op::Product => a * b,
            _ => a + b,
        })
    };
}

/// A number as bytes.
trait Word: Copy {
    fn read(bytes: &[u8]) -> Self;
    fn write(self, bytes: &mut [u8]);
    const SIZE: usize;
}

macro_rules! words {
    ($($t:ty),*) => {$(
        impl Word for $t {
            fn read(bytes: &[u8]) -> Self {
                Self::from_ne_bytes(bytes.try_into().expect("a chunk of its size"))
            }
            fn write(self, bytes: &mut [u8]) {
                bytes.copy_from_slice(&self.to_ne_bytes());
            }
            const SIZE: usize = size_of::<$t>();
        }
    )*};
}
words!(i8, i16, i32, i64, u8, u16, u32, u64, f32, f64);

fn each<T: Word>(left: &[u8], right: &mut [u8], combine: impl Fn(T, T) -> T) {
    for (a, b) in left.chunks_exact(T::SIZE).zip(right.chunks_exact_mut(T::SIZE)) {
        combine(T::read(a), T::read(b)).write(b);
    }
}

impl Op {
    /// Whether operands may change places.
    pub fn is_commutative(&self) -> bool {
        !matches!(self, Self::User { commutative: false, .. })
    }

    /// Whether the standard defines it for the type (MPI section 5.9.2).
    pub fn allowed(&self, primitive: Primitive) -> bool {
        match (self, primitive) {
            (Self::User { .. }, _) => true,
            (_, Primitive::Packed) => false,
            (_, Primitive::Float32 | Primitive::Float64) => {
                matches!(self, Self::Max | Self::Min | Self::Sum | Self::Product)
            }
            (_, Primitive::Bool) => {
                matches!(self, Self::LogicalAnd | Self::LogicalOr | Self::LogicalXor)
            }
            (_, Primitive::Byte) => matches!(self, Self::BitAnd | Self::BitOr | Self::BitXor),
            _ => true,
        }
    }

    /// `right = left op right`, element by element.
    pub fn apply(&self, primitive: Primitive, left: &[u8], right: &mut [u8]) {
        if let Self::User { function, .. } = self {
            function(left, right);
            return;
        }
        match primitive {
            Primitive::Int8 => integers!(self, left, right, i8),
            Primitive::Int16 => integers!(self, left, right, i16),
            Primitive::Int32 => integers!(self, left, right, i32),
            Primitive::Int64 => integers!(self, left, right, i64),
            Primitive::UInt8 | Primitive::Bool | Primitive::Byte | Primitive::Packed => {
                integers!(self, left, right, u8);
            }
            Primitive::UInt16 => integers!(self, left, right, u16),
            Primitive::UInt32 => integers!(self, left, right, u32),
            Primitive::UInt64 => integers!(self, left, right, u64),
            Primitive::Float32 => floats!(self, left, right, f32),
            Primitive::Float64 => floats!(self, left, right, f64),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elementwise_and_in_order() {
        let mut right = [3i32, 4].map(i32::to_ne_bytes).concat();
        Op::Sum.apply(Primitive::Int32, &[1i32, 2].map(i32::to_ne_bytes).concat(), &mut right);
        assert_eq!(right, [4i32, 6].map(i32::to_ne_bytes).concat());
        let first = Op::User {
            commutative: false,
            function: Rc::new(|left, right| right.copy_from_slice(left)),
        };
        let mut right = [9u8];
        first.apply(Primitive::UInt8, &[1], &mut right);
        assert_eq!(right, [1]);
        assert!(!Op::BitAnd.allowed(Primitive::Float32));
    }
}
