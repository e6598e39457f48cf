//! Half and quadruple precision, `real(2)` and `real(16)` of Fortran, for which Rust has no types.

use std::ops::{Add, Mul, Sub};

use rustc_apfloat::{Float, ieee};

use super::arithmetic::Word;

macro_rules! formats {
    ($($(#[$doc:meta])* $name:ident $format:ty, $bits:ty;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, PartialOrd)]
        pub(super) struct $name($format);

        impl Word for $name {
            const SIZE: usize = size_of::<$bits>();
            fn read(bytes: &[u8]) -> Self {
                Self(<$format>::from_bits(u128::from(<$bits>::read(bytes))))
            }
            fn write(self, bytes: &mut [u8]) {
                (self.0.to_bits() as $bits).write(bytes);
            }
        }

        impl Add for $name {
            type Output = Self;
            fn add(self, other: Self) -> Self {
                Self((self.0 + other.0).value)
            }
        }

        impl Sub for $name {
            type Output = Self;
            fn sub(self, other: Self) -> Self {
                Self((self.0 - other.0).value)
            }
        }

        impl Mul for $name {
            type Output = Self;
            fn mul(self, other: Self) -> Self {
                Self((self.0 * other.0).value)
            }
        }
    )*};
}

formats! {
    /// The format IEEE binary16.
    Half ieee::Half, u16;
    /// The format IEEE binary128.
    Quad ieee::Quad, u128;
}
