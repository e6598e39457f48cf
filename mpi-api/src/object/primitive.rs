//! The predefined datatypes (MPI section 3.2.2 and 6.9.4): sizes of the x86-64 System V ABI.

use serde::{Deserialize, Serialize};

/// The contents of a predefined datatype, as far as reductions distinguish them (MPI section
/// 6.9.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// Signed integers in two's complement, of C or of fixed width.
    Signed,
    /// Unsigned integers.
    Unsigned,
    /// Fortran integers: like [`Kind::Signed`], but without logical operations.
    FortranInteger,
    /// `MPI_AINT`, `MPI_OFFSET`, `MPI_COUNT`.
    Address,
    /// IEEE binary numbers; `long double` is the 80-bit format in 16 bytes.
    Float,
    /// Complex numbers of two floats.
    Complex,
    /// Logical values.
    Logical,
    /// Uninterpreted bits.
    Byte,
    /// Printable characters: no arithmetic.
    Character,
    /// A value and its index, for `MPI_MINLOC` and `MPI_MAXLOC`.
    Pair,
    /// Fortran formats that can be sent but have no arithmetic here.
    Opaque,
    /// `MPI_PACKED`.
    Packed,
}

macro_rules! primitives {
    ($($variant:ident $name:literal $size:literal $alignment:literal $kind:ident;)*) => {
        /// A predefined datatype.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[allow(missing_docs, reason = "each is the MPI datatype that Primitive::name gives")]
        pub enum Primitive {
            $($variant,)*
        }

        impl Primitive {
            /// All predefined datatypes, in the order of declaration.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// Returns the bytes of data in one element, without gaps.
            // A table and not a match, which the compiler makes a function of its own.
            #[inline(always)]
            pub const fn size(self) -> usize {
                const SIZES: [u8; Primitive::ALL.len()] = [$($size,)*];
                SIZES[self as usize] as usize
            }

            /// Returns the alignment in bytes that the compiler uses.
            pub const fn alignment(self) -> usize {
                match self {
                    $(Self::$variant => $alignment,)*
                }
            }

            /// Returns the name of the standard's constant.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                }
            }

            /// Returns the kind of its contents.
            #[inline(always)]
            pub const fn kind(self) -> Kind {
                const KINDS: [Kind; Primitive::ALL.len()] = [$(Kind::$kind,)*];
                KINDS[self as usize]
            }
        }
    };
}

primitives! {
    Int8 "MPI_INT8_T" 1 1 Signed;
    Int16 "MPI_INT16_T" 2 2 Signed;
    Int32 "MPI_INT32_T" 4 4 Signed;
    Int64 "MPI_INT64_T" 8 8 Signed;
    UInt8 "MPI_UINT8_T" 1 1 Unsigned;
    UInt16 "MPI_UINT16_T" 2 2 Unsigned;
    UInt32 "MPI_UINT32_T" 4 4 Unsigned;
    UInt64 "MPI_UINT64_T" 8 8 Unsigned;
    Float32 "MPI_FLOAT" 4 4 Float;
    Float64 "MPI_DOUBLE" 8 8 Float;
    Bool "MPI_C_BOOL" 1 1 Logical;
    Byte "MPI_BYTE" 1 1 Byte;
    Packed "MPI_PACKED" 1 1 Packed;
    Char "MPI_CHAR" 1 1 Character;
    WideChar "MPI_WCHAR" 4 4 Character;
    SignedChar "MPI_SIGNED_CHAR" 1 1 Signed;
    UnsignedChar "MPI_UNSIGNED_CHAR" 1 1 Unsigned;
    Short "MPI_SHORT" 2 2 Signed;
    UnsignedShort "MPI_UNSIGNED_SHORT" 2 2 Unsigned;
    Int "MPI_INT" 4 4 Signed;
    Unsigned "MPI_UNSIGNED" 4 4 Unsigned;
    Long "MPI_LONG" 8 8 Signed;
    UnsignedLong "MPI_UNSIGNED_LONG" 8 8 Unsigned;
    LongLong "MPI_LONG_LONG_INT" 8 8 Signed;
    UnsignedLongLong "MPI_UNSIGNED_LONG_LONG" 8 8 Unsigned;
    LongDouble "MPI_LONG_DOUBLE" 16 16 Float;
    FloatComplex "MPI_C_COMPLEX" 8 4 Complex;
    DoubleComplex "MPI_C_DOUBLE_COMPLEX" 16 8 Complex;
    LongDoubleComplex "MPI_C_LONG_DOUBLE_COMPLEX" 32 16 Complex;
    Aint "MPI_AINT" 8 8 Address;
    Offset "MPI_OFFSET" 8 8 Address;
    Count "MPI_COUNT" 8 8 Address;
    CxxBool "MPI_CXX_BOOL" 1 1 Logical;
    CxxFloatComplex "MPI_CXX_FLOAT_COMPLEX" 8 4 Complex;
    CxxDoubleComplex "MPI_CXX_DOUBLE_COMPLEX" 16 8 Complex;
    CxxLongDoubleComplex "MPI_CXX_LONG_DOUBLE_COMPLEX" 32 16 Complex;
    FloatInt "MPI_FLOAT_INT" 8 4 Pair;
    DoubleInt "MPI_DOUBLE_INT" 12 8 Pair;
    LongInt "MPI_LONG_INT" 12 8 Pair;
    TwoInt "MPI_2INT" 8 4 Pair;
    ShortInt "MPI_SHORT_INT" 6 4 Pair;
    LongDoubleInt "MPI_LONG_DOUBLE_INT" 20 16 Pair;
    FortranInteger "MPI_INTEGER" 4 4 FortranInteger;
    FortranReal "MPI_REAL" 4 4 Float;
    DoublePrecision "MPI_DOUBLE_PRECISION" 8 8 Float;
    FortranComplex "MPI_COMPLEX" 8 4 Complex;
    FortranDoubleComplex "MPI_DOUBLE_COMPLEX" 16 8 Complex;
    FortranLogical "MPI_LOGICAL" 4 4 Logical;
    FortranCharacter "MPI_CHARACTER" 1 1 Character;
    Logical1 "MPI_LOGICAL1" 1 1 Logical;
    Logical2 "MPI_LOGICAL2" 2 2 Logical;
    Logical4 "MPI_LOGICAL4" 4 4 Logical;
    Logical8 "MPI_LOGICAL8" 8 8 Logical;
    Logical16 "MPI_LOGICAL16" 16 16 Opaque;
    Integer1 "MPI_INTEGER1" 1 1 FortranInteger;
    Integer2 "MPI_INTEGER2" 2 2 FortranInteger;
    Integer4 "MPI_INTEGER4" 4 4 FortranInteger;
    Integer8 "MPI_INTEGER8" 8 8 FortranInteger;
    Integer16 "MPI_INTEGER16" 16 16 FortranInteger;
    Real2 "MPI_REAL2" 2 2 Opaque;
    Real4 "MPI_REAL4" 4 4 Float;
    Real8 "MPI_REAL8" 8 8 Float;
    Real16 "MPI_REAL16" 16 16 Opaque;
    Complex4 "MPI_COMPLEX4" 4 2 Opaque;
    Complex8 "MPI_COMPLEX8" 8 4 Complex;
    Complex16 "MPI_COMPLEX16" 16 8 Complex;
    Complex32 "MPI_COMPLEX32" 32 16 Opaque;
    TwoReal "MPI_2REAL" 8 4 Pair;
    TwoDoublePrecision "MPI_2DOUBLE_PRECISION" 16 8 Pair;
    TwoInteger "MPI_2INTEGER" 8 4 Pair;
}

impl Primitive {
    /// Reports whether `MPI_Compare_and_swap` is defined for the type (MPI section 12.3.4).
    pub fn is_comparable(self) -> bool {
        matches!(
            self.kind(),
            Kind::Signed
                | Kind::Unsigned
                | Kind::FortranInteger
                | Kind::Address
                | Kind::Byte
                | Kind::Logical
        )
    }

    /// Returns one type for all that this machine represents alike under different names, such as
    /// `MPI_INT64_T` for `MPI_LONG`: integers of the same size and signedness, addresses, and
    /// one-byte types of bytes and characters.
    pub fn representation(self) -> Self {
        match (self.kind(), self.size()) {
            (Kind::Byte, _) | (Kind::Character, 1) => Self::Byte,
            (Kind::Signed | Kind::Unsigned | Kind::FortranInteger, 1) => Self::Byte,
            (Kind::Signed | Kind::FortranInteger, 2) => Self::Int16,
            (Kind::Signed | Kind::FortranInteger, 4) => Self::Int32,
            (Kind::Signed | Kind::FortranInteger | Kind::Address, 8) => Self::Int64,
            (Kind::Unsigned, 2) => Self::UInt16,
            (Kind::Unsigned, 4) => Self::UInt32,
            (Kind::Unsigned, 8) => Self::UInt64,
            (Kind::Float, 4) => Self::Float32,
            (Kind::Float, 8) => Self::Float64,
            (Kind::Complex, 8) => Self::FloatComplex,
            (Kind::Complex, 16) => Self::DoubleComplex,
            (Kind::Complex, 32) => Self::LongDoubleComplex,
            (Kind::Logical, 1) => Self::Bool,
            (Kind::Logical, 4) => Self::Logical4,
            _ => self,
        }
    }

    /// Returns the value type and the index type of a pair type; `None` for other types.
    pub const fn parts(self) -> Option<(Self, Self)> {
        Some(match self {
            Self::FloatInt => (Self::Float32, Self::Int),
            Self::DoubleInt => (Self::Float64, Self::Int),
            Self::LongInt => (Self::Long, Self::Int),
            Self::TwoInt => (Self::Int, Self::Int),
            Self::ShortInt => (Self::Short, Self::Int),
            Self::LongDoubleInt => (Self::LongDouble, Self::Int),
            Self::TwoReal => (Self::FortranReal, Self::FortranReal),
            Self::TwoDoublePrecision => (Self::DoublePrecision, Self::DoublePrecision),
            Self::TwoInteger => (Self::FortranInteger, Self::FortranInteger),
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pair_has_the_data_of_its_parts() {
        for primitive in Primitive::ALL {
            let parts = primitive.parts();
            assert_eq!(parts.is_some(), primitive.kind() == Kind::Pair);
            if let Some((value, index)) = parts {
                assert_eq!(primitive.size(), value.size() + index.size(), "{}", primitive.name());
            }
        }
    }

    #[test]
    fn types_of_one_representation_have_one_size() {
        for primitive in Primitive::ALL {
            let one = primitive.representation();
            assert_eq!(one.size(), primitive.size(), "{}", primitive.name());
            assert_eq!(one.representation(), one, "{}", primitive.name());
        }
        assert_eq!(Primitive::Long.representation(), Primitive::Int64.representation());
        assert_eq!(Primitive::FortranReal.representation(), Primitive::Real4.representation());
        assert_ne!(Primitive::Int.representation(), Primitive::Unsigned.representation());
        assert_ne!(Primitive::LongDouble.representation(), Primitive::Real16.representation());
    }

    #[test]
    fn names_are_distinct() {
        let mut names: Vec<_> = Primitive::ALL.iter().map(|primitive| primitive.name()).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), Primitive::ALL.len());
    }
}
