//! Reduction operations (MPI section 6.9).

mod arithmetic;
mod binary;
pub(super) mod long_double;
mod user;

use std::fmt;

use serde::{Deserialize, Serialize};
use sim_core::Address;

pub(crate) use self::user::{Operator, forget};
pub use self::user::{UserFunction, UserReduction};
use super::signature::{Kind, Primitive};
use crate::{
    error::{ErrorClass, MpiError},
    policy::{Policies, Policy},
};

/// A function that applies an operation to all elements; the result replaces the right operand.
pub(crate) type Loop = fn(&Op, &[u8], &mut [u8]);

/// A reduction operation.
#[derive(Clone, Serialize, Deserialize)]
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
    MaxLoc,
    MinLoc,
    /// `MPI_REPLACE`: the later operand (one-sided communication).
    Replace,
    /// `MPI_NO_OP`: the earlier operand (one-sided communication).
    NoOp,
    /// An operation that the program has created.
    User {
        /// Whether the operation is commutative.
        commutative: bool,
        /// The function that combines operands.
        function: UserReduction,
        /// Where that function of a compiled program is, if it is known.
        place: Option<Address>,
    },
}

impl fmt::Debug for Op {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Returns the kind of a type as operations see it, which differs for some Fortran types.
fn kind_of(primitive: Primitive) -> Kind {
    match primitive {
        Primitive::Real2 | Primitive::Real16 => Kind::Float,
        Primitive::Complex4 | Primitive::Complex32 => Kind::Complex,
        Primitive::Logical16 => Kind::Logical,
        other => other.kind(),
    }
}

impl Op {
    /// Returns the standard's name; the program's own operations share one name.
    pub(crate) fn name(&self) -> &'static str {
        match self {
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
            Self::MaxLoc => "MPI_MAXLOC",
            Self::MinLoc => "MPI_MINLOC",
            Self::Replace => "MPI_REPLACE",
            Self::NoOp => "MPI_NO_OP",
            Self::User { .. } => "a user operation",
        }
    }

    /// Reports whether the operation is commutative.
    pub fn is_commutative(&self) -> bool {
        !matches!(self, Self::User { commutative: false, .. } | Self::Replace | Self::NoOp)
    }

    /// Reports whether exchanging operands leaves every bit of the result unchanged. (The maximum
    /// of 0 and -0 is the second operand, so that it is not symmetric.)
    pub(crate) fn is_symmetric(&self, primitive: Primitive) -> bool {
        match self {
            Self::Sum | Self::Product => true,
            Self::User { .. } | Self::Replace | Self::NoOp => false,
            Self::Max
            | Self::Min
            | Self::LogicalAnd
            | Self::LogicalOr
            | Self::LogicalXor
            | Self::BitAnd
            | Self::BitOr
            | Self::BitXor
            | Self::MaxLoc
            | Self::MinLoc => !matches!(kind_of(primitive), Kind::Float | Kind::Pair),
        }
    }

    /// Reports whether the standard defines it for the type (MPI sections 6.9.2 and 6.9.4).
    pub fn allowed(&self, primitive: Primitive) -> bool {
        let kind = kind_of(primitive);
        let integer = matches!(kind, Kind::Signed | Kind::Unsigned);
        let whole = integer || matches!(kind, Kind::FortranInteger | Kind::Address);
        match self {
            Self::User { .. } | Self::Replace | Self::NoOp => true,
            Self::Max | Self::Min => whole || kind == Kind::Float,
            Self::Sum | Self::Product => whole || matches!(kind, Kind::Float | Kind::Complex),
            Self::LogicalAnd | Self::LogicalOr | Self::LogicalXor => {
                integer || kind == Kind::Logical
            }
            Self::BitAnd | Self::BitOr | Self::BitXor => whole || kind == Kind::Byte,
            Self::MaxLoc | Self::MinLoc => kind == Kind::Pair,
        }
    }

    /// Returns the type in which it combines elements of this one, if it can: the type itself, or
    /// by policy the number type that represents characters or addresses.
    pub fn type_for(&self, primitive: Primitive, policies: &Policies) -> Option<Primitive> {
        let numbers = policies.differs(Policy::CharactersInReductions);
        let logical = matches!(self, Self::LogicalAnd | Self::LogicalOr | Self::LogicalXor)
            && policies.differs(Policy::LogicalOfAddresses);
        let taken = match primitive {
            Primitive::Char | Primitive::FortranCharacter if numbers => Primitive::SignedChar,
            Primitive::Aint | Primitive::Offset | Primitive::Count if logical => Primitive::Int64,
            _ => primitive,
        };
        self.allowed(taken).then_some(taken)
    }

    /// Like [`Op::type_for`], for elements of a datatype that may not be a basic type.
    ///
    /// # Errors
    ///
    /// `MPI_ERR_OP`, with the type for which the operation is not defined.
    pub fn defined_for(
        &self,
        primitive: Option<Primitive>,
        policies: &Policies,
    ) -> Result<Primitive, MpiError> {
        let taken = primitive.and_then(|primitive| self.type_for(primitive, policies));
        taken.ok_or_else(|| {
            let name = primitive.map_or("a derived datatype", Primitive::name);
            let hint = match primitive {
                Some(Primitive::Char) => "; MPI_SIGNED_CHAR and MPI_UNSIGNED_CHAR are numbers",
                _ => "",
            };
            let text = format!("{} is not defined for {name}{hint}", self.name());
            MpiError::new(ErrorClass::Op, text)
        })
    }

    /// Creates an operation of the program for one call.
    pub fn user(commutative: bool, function: UserFunction) -> Self {
        Self::user_at(commutative, function, None)
    }

    /// Like [`Op::user`], with the place of the function in a compiled program: ranks that give different ones disagree.
    pub fn user_at(commutative: bool, function: UserFunction, place: Option<Address>) -> Self {
        Self::User { commutative, function: UserReduction::new(function), place }
    }

    /// Gives an operation of the program a function for one more call.
    pub(crate) fn renew(&mut self, next: UserFunction) {
        if let Self::User { function, .. } = self {
            *function = UserReduction::new(next);
        }
    }

    /// Returns what ranks compare of it.
    pub(crate) fn operator(&self) -> Operator {
        match self {
            Self::User { commutative, place, .. } => Operator::Own(*commutative, *place),
            _ => Operator::Predefined(std::mem::discriminant(self), self.name()),
        }
    }

    /// Computes `right = left op right`, element by element. Combinations that [`Op::allowed`]
    /// excludes leave `right` unchanged. An operation of the program is used up.
    pub fn apply(&self, primitive: Primitive, left: &[u8], right: &mut [u8]) {
        match self {
            Self::User { function, .. } => {
                if let Some(function) = function.take() {
                    function(left, right);
                }
            }
            _ => self.loop_of(primitive)(self, left, right),
        }
    }

    /// Returns the function that [`Op::apply`] uses for a type, for callers that reduce many
    /// operands. Not for operations of the program.
    pub(crate) fn loop_of(&self, primitive: Primitive) -> Loop {
        match self {
            Self::NoOp => |_, left, right| right.copy_from_slice(left),
            Self::User { .. } | Self::Replace => |_, _, _| {},
            _ if !self.allowed(primitive) => |_, _, _| {},
            _ => arithmetic::loop_of(primitive),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use super::*;

    fn of<T: Copy, const N: usize>(values: &[T], bytes: impl Fn(T) -> [u8; N]) -> Vec<u8> {
        values.iter().flat_map(|value| bytes(*value)).collect()
    }

    #[test]
    fn elementwise_and_in_order() {
        let mut right = of(&[3, 4], i32::to_ne_bytes);
        Op::Sum.apply(Primitive::Int32, &of(&[1, 2], i32::to_ne_bytes), &mut right);
        assert_eq!(right, of(&[4, 6], i32::to_ne_bytes));
        let first = Op::user(false, Rc::new(|left, right| right.copy_from_slice(left)));
        let mut right = [9u8];
        first.apply(Primitive::UInt8, &[1], &mut right);
        assert_eq!(right, [1]);
    }

    #[test]
    fn the_table_of_allowed_types() {
        assert!(!Op::BitAnd.allowed(Primitive::Float32));
        assert!(!Op::Max.allowed(Primitive::DoubleComplex));
        assert!(Op::Product.allowed(Primitive::DoubleComplex));
        assert!(Op::LogicalOr.allowed(Primitive::Int) && Op::LogicalOr.allowed(Primitive::Bool));
        assert!(!Op::LogicalOr.allowed(Primitive::FortranInteger));
        assert!(Op::BitXor.allowed(Primitive::Byte) && !Op::Sum.allowed(Primitive::Byte));
        assert!(!Op::Sum.allowed(Primitive::Char) && Op::Sum.allowed(Primitive::SignedChar));
        assert!(Op::MinLoc.allowed(Primitive::TwoInt) && !Op::MinLoc.allowed(Primitive::Int));
    }

    #[test]
    fn libraries_take_characters_and_addresses_for_numbers() {
        let (standard, library) =
            (Policies::default(), Policies::of(crate::policy::Strictness::Library));
        assert_eq!(Op::Sum.type_for(Primitive::Char, &standard), None);
        assert_eq!(Op::Sum.type_for(Primitive::Char, &library), Some(Primitive::SignedChar));
        assert_eq!(Op::LogicalAnd.type_for(Primitive::Count, &standard), None);
        assert_eq!(Op::LogicalAnd.type_for(Primitive::Count, &library), Some(Primitive::Int64));
        assert_eq!(Op::Sum.type_for(Primitive::Count, &library), Some(Primitive::Count));
        assert_eq!(Op::LogicalAnd.type_for(Primitive::Float64, &library), None);
    }

    fn pair(value: f64, index: i32) -> Vec<u8> {
        [&value.to_ne_bytes()[..], &index.to_ne_bytes()].concat()
    }

    #[test]
    fn the_place_of_the_extreme_and_the_smaller_place_of_equals() {
        let result = |op: &Op, left: (f64, i32), right: (f64, i32)| {
            let mut bytes = pair(right.0, right.1);
            op.apply(Primitive::DoubleInt, &pair(left.0, left.1), &mut bytes);
            bytes
        };
        assert_eq!(result(&Op::MaxLoc, (2.0, 7), (1.0, 3)), pair(2.0, 7));
        assert_eq!(result(&Op::MinLoc, (2.0, 7), (1.0, 3)), pair(1.0, 3));
        assert_eq!(result(&Op::MaxLoc, (2.0, 7), (2.0, 3)), pair(2.0, 3));
        assert_eq!(result(&Op::MinLoc, (2.0, 1), (2.0, 3)), pair(2.0, 1));
    }

    #[test]
    fn complex_numbers_multiply() {
        let mut right = of(&[3.0, 4.0], f64::to_ne_bytes);
        let left = of(&[1.0, 2.0], f64::to_ne_bytes);
        Op::Product.apply(Primitive::DoubleComplex, &left, &mut right);
        assert_eq!(right, of(&[-5.0, 10.0], f64::to_ne_bytes));
    }

    #[test]
    fn half_and_quadruple_precision() {
        // 1 + 2^-10 in half precision and 1 + 2^-112 in quadruple precision, which differ from 1 in
        // the last bit.
        let half = |bits: u16| bits.to_ne_bytes();
        let mut right = half(0x1400);
        Op::Sum.apply(Primitive::Real2, &half(0x3c00), &mut right);
        assert_eq!(right, half(0x3c01));
        let quad =
            |exponent: u128, fraction: u128| ((16383 + exponent) << 112 | fraction).to_ne_bytes();
        let mut right = quad(0, 1);
        Op::Product.apply(Primitive::Real16, &quad(1, 0), &mut right);
        assert_eq!(right, quad(1, 1));
        Op::Max.apply(Primitive::Real16, &quad(2, 0), &mut right);
        assert_eq!(right, quad(2, 0));
        let i = [[0; 16], quad(0, 0)].concat();
        let mut right = i.clone();
        Op::Product.apply(Primitive::Complex32, &i, &mut right);
        assert_eq!(right[..16], ((16383u128 << 112) | 1 << 127).to_ne_bytes(), "i * i = -1");
        assert!(
            !Op::Max.allowed(Primitive::Complex4) && Op::LogicalXor.allowed(Primitive::Logical16)
        );
    }

    #[test]
    fn truth_values_of_any_width() {
        let mut right = of(&[5i64, 0, 0], i64::to_ne_bytes);
        Op::LogicalOr.apply(Primitive::Long, &of(&[0i64, 2, 0], i64::to_ne_bytes), &mut right);
        assert_eq!(right, of(&[1i64, 1, 0], i64::to_ne_bytes));
    }
}
