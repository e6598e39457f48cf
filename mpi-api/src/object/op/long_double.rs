//! Arithmetic of `long double`: the 80-bit extended format in 16 bytes, rounded to nearest even and
//! computed in software, so that every host gives the same bits.

use std::ops::{Add, Mul, Sub};

use rustc_apfloat::{
    Float, FloatConvert, Round, Status,
    ieee::{Double, X87DoubleExtended},
};

/// Number of bits of the format.
const BITS: u32 = 80;

/// A number in the 80-bit format.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub(super) struct Extended(X87DoubleExtended);

impl Extended {
    /// Reads a number; the six bytes after it have no meaning.
    pub(super) fn from_bytes(bytes: [u8; 16]) -> Self {
        let bits = u128::from_le_bytes(bytes) & ((1 << BITS) - 1);
        Self(X87DoubleExtended::from_bits(bits))
    }

    /// Returns the number, followed by six zeros.
    pub(super) fn to_bytes(self) -> [u8; 16] {
        self.0.to_bits().to_le_bytes()
    }

    /// Wraps a result. The processor's own NaN is negative and has no payload.
    fn of(value: X87DoubleExtended) -> Self {
        Self(if value.is_nan() { -X87DoubleExtended::NAN } else { value })
    }
}

impl Add for Extended {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self::of((self.0 + other.0).value)
    }
}

impl Sub for Extended {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self::of((self.0 - other.0).value)
    }
}

impl Mul for Extended {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        Self::of((self.0 * other.0).value)
    }
}

/// The reason why a number of the extended format cannot be a `double`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::object) enum Lost {
    /// The magnitude is too large.
    Overflow,
    /// The number is not 0 but would be rounded to 0.
    Underflow,
}

/// Rounds to the nearest number that a `double` can hold, in the extended format.
pub(in crate::object) fn to_binary64(bytes: [u8; 16]) -> Result<[u8; 16], Lost> {
    let given = Extended::from_bytes(bytes).0;
    if !given.is_finite_non_zero() {
        return Ok(bytes);
    }
    let mut inexact = false;
    let rounded = given.convert_r(Round::NearestTiesToEven, &mut inexact);
    let value: Double = rounded.value;
    if rounded.status.contains(Status::OVERFLOW) {
        return Err(Lost::Overflow);
    }
    if value.is_zero() {
        return Err(Lost::Underflow);
    }
    Ok(Extended(value.convert(&mut inexact).value).to_bytes())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    impl From<f64> for Extended {
        fn from(value: f64) -> Self {
            let mut inexact = false;
            let value = Double::from_bits(u128::from(value.to_bits()));
            Self::of(value.convert(&mut inexact).value)
        }
    }

    #[test]
    fn sums_products_and_specials() {
        let e = Extended::from;
        assert_eq!(e(1.5) + e(2.25), e(3.75));
        assert_eq!(e(1.5) - e(2.25), e(-0.75));
        assert_eq!(e(-1.5) * e(2.5), e(-3.75));
        assert_eq!((e(1.0) - e(1.0)).to_bytes(), [0; 16]);
        assert!(e(f64::INFINITY) - e(f64::INFINITY) != e(0.0));
        assert_eq!(e(f64::INFINITY) * e(-2.0), e(f64::NEG_INFINITY));
        assert!(e(-2.0) < e(-1.0) && e(-1.0) < e(0.0) && e(0.0) < e(1e-300));
        // One more than 2^63 needs 64 bits of mantissa.
        let big = e(9_223_372_036_854_775_808.0);
        assert_eq!((big + e(1.0)) - big, e(1.0));
        // A tie goes to the even neighbour.
        let bigger = big + big;
        assert_eq!((bigger + e(1.0)) - bigger, e(0.0));
        assert_eq!((bigger + e(3.0)) - bigger, e(4.0));
    }

    #[test]
    fn numbers_have_the_bytes_of_the_processor() {
        let bytes = |exponent: u16, mantissa: u64| {
            let mut bytes = [0; 16];
            bytes[..8].copy_from_slice(&mantissa.to_le_bytes());
            bytes[8..10].copy_from_slice(&exponent.to_le_bytes());
            bytes
        };
        assert_eq!(Extended::from(-1.5).to_bytes(), bytes(0xbfff, 3 << 62));
        let nan = Extended::from(f64::INFINITY) - Extended::from(f64::INFINITY);
        assert_eq!(nan.to_bytes(), bytes(0xffff, 3 << 62));
        let mut unclean = bytes(0x3fff, 1 << 63);
        unclean[10..].fill(0xaa);
        assert_eq!(Extended::from_bytes(unclean), Extended::from(1.0));
    }

    proptest! {
        /// Integers below 2^53 are exact in both formats.
        #[test]
        fn agrees_with_exact_integers(a in -(1i64 << 31)..1 << 31, b in -(1i64 << 31)..1 << 31) {
            let e = |n: i64| Extended::from(n as f64);
            prop_assert_eq!(e(a) + e(b), e(a + b));
            prop_assert_eq!(e(a) - e(b), e(a - b));
            prop_assert_eq!(e(a >> 6) * e(b >> 6), e((a >> 6) * (b >> 6)));
            prop_assert_eq!(e(a) < e(b), a < b);
        }
    }

    #[test]
    fn numbers_of_a_double_stay_and_others_are_rounded() {
        const BIAS: i32 = 16383;
        const TOP: u64 = 1 << 63;
        let bits = |exponent: i32, mantissa: u64| {
            let mut bytes = [0; 16];
            bytes[..8].copy_from_slice(&mantissa.to_le_bytes());
            bytes[8..10].copy_from_slice(&((exponent + BIAS) as u16 | 1 << 15).to_le_bytes());
            bytes
        };
        let nan = Extended::from(f64::NAN).to_bytes();
        for exact in [bits(0, TOP), bits(1023, TOP), bits(-1074, TOP), nan, [0; 16]] {
            assert_eq!(to_binary64(exact), Ok(exact));
        }
        // The last digit of a double is worth 2^11 here: half of it rounds to even.
        let halves = [(0x3ff, 0), (0x400, 0), (0x401, 0x800), (0xc00, 0x1000), (0xbff, 0x800)];
        for (given, expected) in halves {
            assert_eq!(to_binary64(bits(5, TOP | given)), Ok(bits(5, TOP | expected)), "{given}");
        }
        assert_eq!(to_binary64(bits(5, u64::MAX)), Ok(bits(6, TOP)));
        assert_eq!(to_binary64(bits(1023, u64::MAX)), Err(Lost::Overflow));
        assert_eq!(to_binary64(bits(1024, TOP)), Err(Lost::Overflow));
        assert_eq!(to_binary64(bits(-1075, TOP)), Err(Lost::Underflow));
        assert_eq!(to_binary64(bits(-1074, TOP | 1)), Ok(bits(-1074, TOP)));
    }
}
