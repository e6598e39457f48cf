//! Arithmetic of `long double`: the 80-bit extended format in 16 bytes, rounded to nearest even and
//! computed in integers, so that every host gives the same bits.

use std::{
    cmp::Ordering,
    ops::{Add, Mul, Sub},
};

/// A number in the 80-bit format.
#[derive(Clone, Copy, Debug)]
pub(super) struct Extended(pub(super) [u8; 16]);

const TOP: u64 = 1 << 63;
const EXPONENT_MAX: i32 = 0x7fff;
const BIAS: i32 = 16383;

/// The value `sign * mantissa * 2^(exponent - BIAS - 63)`.
#[derive(Clone, Copy)]
struct Parts {
    negative: bool,
    exponent: i32,
    mantissa: u64,
}

impl Extended {
    fn parts(self) -> Parts {
        let (mut mantissa, mut head) = ([0; 8], [0; 2]);
        mantissa.copy_from_slice(&self.0[..8]);
        head.copy_from_slice(&self.0[8..10]);
        let head = u16::from_le_bytes(head);
        Parts {
            negative: head >> 15 == 1,
            exponent: i32::from(head & 0x7fff),
            mantissa: u64::from_le_bytes(mantissa),
        }
    }

    fn of(parts: Parts) -> Self {
        let mut bytes = [0; 16];
        bytes[..8].copy_from_slice(&parts.mantissa.to_le_bytes());
        let head = parts.exponent as u16 | u16::from(parts.negative) << 15;
        bytes[8..10].copy_from_slice(&head.to_le_bytes());
        Self(bytes)
    }

    fn infinity(negative: bool) -> Self {
        Self::of(Parts { negative, exponent: EXPONENT_MAX, mantissa: TOP })
    }

    fn nan() -> Self {
        Self::of(Parts { negative: true, exponent: EXPONENT_MAX, mantissa: TOP | TOP >> 1 })
    }
}

impl Parts {
    fn is_nan(self) -> bool {
        self.exponent == EXPONENT_MAX && self.mantissa << 1 != 0
    }

    fn is_infinite(self) -> bool {
        self.exponent == EXPONENT_MAX && self.mantissa << 1 == 0
    }

    /// Returns the exponent of the mantissa's scale: subnormal numbers have that of the smallest
    /// normal ones.
    fn scale(self) -> i32 {
        self.exponent.max(1)
    }

    /// Returns a key that orders magnitudes.
    fn magnitude(self) -> (i32, u64) {
        (self.scale(), self.mantissa)
    }
}

/// Shifts right; lost bits are recorded in the lowest bit (sticky bit).
fn shift_sticky(value: u128, by: u32) -> u128 {
    match by {
        0 => value,
        1..=127 => value >> by | u128::from(value << (128 - by) != 0),
        _ => u128::from(value != 0),
    }
}

/// Returns the number nearest to `value * 2^(exponent - BIAS - 63 - 63)`.
fn rounded(negative: bool, mut exponent: i32, value: u128) -> Extended {
    if value == 0 {
        return Extended::of(Parts { negative, exponent: 0, mantissa: 0 });
    }
    let mut value = value;
    // The leading one belongs on bit 126, unless the number is too small for that.
    let lead = value.leading_zeros() as i32;
    let up = (lead - 1).min(exponent - 1);
    if up >= 0 {
        value <<= up;
    } else {
        value = shift_sticky(value, up.unsigned_abs());
    }
    exponent -= up;
    let (kept, rest) = ((value >> 63) as u64, value & (u128::from(TOP) - 1));
    let half = u128::from(TOP >> 1);
    let carry = rest > half || (rest == half && kept & 1 == 1);
    let (mut mantissa, overflow) = kept.overflowing_add(u64::from(carry));
    if overflow {
        mantissa = TOP;
        exponent += 1;
    }
    if exponent >= EXPONENT_MAX {
        return Extended::infinity(negative);
    }
    let exponent = if mantissa & TOP == 0 { 0 } else { exponent };
    Extended::of(Parts { negative, exponent, mantissa })
}

impl Add for Extended {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        let (a, b) = (self.parts(), other.parts());
        if a.is_nan()
            || b.is_nan()
            || (a.is_infinite() && b.is_infinite() && a.negative != b.negative)
        {
            return Self::nan();
        }
        if a.is_infinite() || b.is_infinite() {
            return if a.is_infinite() { self } else { other };
        }
        let (large, small) = if a.magnitude() >= b.magnitude() { (a, b) } else { (b, a) };
        let apart = (large.scale() - small.scale()) as u32;
        // Two bits of room above the mantissas, 62 of precision below.
        let upper = u128::from(large.mantissa) << 62;
        let lower = shift_sticky(u128::from(small.mantissa) << 62, apart);
        let same = large.negative == small.negative;
        let value = if same { upper + lower } else { upper - lower };
        let negative = if value == 0 { same && large.negative } else { large.negative };
        rounded(negative, large.scale() + 1, value)
    }
}

impl Sub for Extended {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        let parts = other.parts();
        self + Self::of(Parts { negative: !parts.negative, ..parts })
    }
}

impl Mul for Extended {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        let (a, b) = (self.parts(), other.parts());
        let negative = a.negative != b.negative;
        let zero = a.mantissa == 0 || b.mantissa == 0;
        if a.is_nan() || b.is_nan() || ((a.is_infinite() || b.is_infinite()) && zero) {
            return Self::nan();
        }
        if a.is_infinite() || b.is_infinite() {
            return Self::infinity(negative);
        }
        let product = u128::from(a.mantissa) * u128::from(b.mantissa);
        // The product has 126 bits below its unit, as `rounded` expects, once it fits in 127 bits.
        let exponent = a.scale() + b.scale() - BIAS;
        rounded(negative, exponent + 1, shift_sticky(product, 1))
    }
}

impl PartialEq for Extended {
    fn eq(&self, other: &Self) -> bool {
        self.partial_cmp(other) == Some(Ordering::Equal)
    }
}

impl PartialOrd for Extended {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        let (a, b) = (self.parts(), other.parts());
        if a.is_nan() || b.is_nan() {
            return None;
        }
        let signed = |parts: Parts| {
            let (scale, mantissa) = parts.magnitude();
            let size = i128::from(scale) << 64 | i128::from(mantissa);
            match (parts.mantissa, parts.negative) {
                (0, _) => 0,
                (_, true) => -size,
                (_, false) => size,
            }
        };
        Some(signed(a).cmp(&signed(b)))
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
    let mut parts = Extended(bytes).parts();
    if parts.exponent == EXPONENT_MAX || parts.mantissa == 0 {
        return Ok(bytes);
    }
    let power = parts.exponent - BIAS;
    // Below 2^-1022 a double has one digit less for every power of two.
    let digits = 53 - (-1022 - power).max(0);
    if digits < 1 {
        return Err(Lost::Underflow);
    }
    let unit = 1u128 << (64 - digits);
    let wide = u128::from(parts.mantissa);
    let (low, rest) = (wide / unit * unit, wide % unit);
    let up = rest > unit / 2 || (rest == unit / 2 && low / unit % 2 == 1);
    let rounded = low + if up { unit } else { 0 };
    match u64::try_from(rounded) {
        Ok(mantissa) => parts.mantissa = mantissa,
        Err(_) => {
            parts.mantissa = TOP;
            parts.exponent += 1;
        }
    }
    if parts.exponent - BIAS > 1023 {
        return Err(Lost::Overflow);
    }
    Ok(Extended::of(parts).0)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    impl From<f64> for Extended {
        fn from(value: f64) -> Self {
            let bits = value.to_bits();
            let (negative, exponent) = (bits >> 63 == 1, (bits >> 52 & 0x7ff) as i32);
            let fraction = bits << 12;
            match exponent {
                0x7ff if fraction != 0 => Self::nan(),
                0x7ff => Self::infinity(negative),
                0 => Self::of(Parts { negative, exponent: 0, mantissa: 0 }),
                _ => {
                    let exponent = exponent - 1023 + BIAS;
                    Self::of(Parts { negative, exponent, mantissa: TOP | fraction >> 1 })
                }
            }
        }
    }

    #[test]
    fn sums_products_and_specials() {
        let e = Extended::from;
        assert_eq!((e(1.5) + e(2.25)).0, e(3.75).0);
        assert_eq!((e(1.5) - e(2.25)).0, e(-0.75).0);
        assert_eq!((e(-1.5) * e(2.5)).0, e(-3.75).0);
        assert_eq!((e(1.0) - e(1.0)).0, e(0.0).0);
        assert!(e(f64::INFINITY) - e(f64::INFINITY) != e(0.0));
        assert_eq!((e(f64::INFINITY) * e(-2.0)).0, e(f64::NEG_INFINITY).0);
        assert!(e(-2.0) < e(-1.0) && e(-1.0) < e(0.0) && e(0.0) < e(1e-300));
        // One more than 2^63 needs 64 bits of mantissa.
        let big = e(9_223_372_036_854_775_808.0);
        assert_eq!(((big + e(1.0)) - big).0, e(1.0).0);
        // A tie goes to the even neighbour.
        let bigger = big + big;
        assert_eq!(((bigger + e(1.0)) - bigger).0, e(0.0).0);
        assert_eq!(((bigger + e(3.0)) - bigger).0, e(4.0).0);
    }

    proptest! {
        /// Integers below 2^53 are exact in both formats.
        #[test]
        fn agrees_with_exact_integers(a in -(1i64 << 31)..1 << 31, b in -(1i64 << 31)..1 << 31) {
            let e = |n: i64| Extended::from(n as f64);
            prop_assert_eq!(e(a) + e(b), e(a + b));
            prop_assert_eq!(e(a) - e(b), e(a - b));
            prop_assert!((e(a) * e(b)) == e(a) * e(b));
            prop_assert_eq!(e(a >> 6) * e(b >> 6), e((a >> 6) * (b >> 6)));
            prop_assert_eq!(e(a) < e(b), a < b);
        }
    }

    #[test]
    fn numbers_of_a_double_stay_and_others_are_rounded() {
        let bits = |exponent: i32, mantissa: u64| {
            Extended::of(Parts { negative: true, exponent: exponent + BIAS, mantissa }).0
        };
        for exact in [bits(0, TOP), bits(1023, TOP), bits(-1074, TOP), Extended::nan().0, [0; 16]] {
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
