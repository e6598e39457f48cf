//! Bytes over time, rounded in one place.

use sim_core::SimDuration;

/// A data rate. Units: bytes per second.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Bandwidth(u64);

impl Bandwidth {
    /// Creates a rate from bytes per second; 0 is taken as 1.
    pub const fn from_bytes_per_sec(bytes: u64) -> Self {
        Self(if bytes == 0 { 1 } else { bytes })
    }

    /// Returns the rate in bytes per second.
    pub fn bytes_per_sec(self) -> u64 {
        self.0
    }

    /// Returns the time that `bytes` take, rounded up to the picosecond.
    pub fn time_for(self, bytes: u64) -> SimDuration {
        // 64 bits are enough for 18 MB, and a division of 128 bits is slow.
        if let Some(product) = bytes.checked_mul(1_000_000_000_000) {
            return SimDuration::from_ps(product.div_ceil(self.0));
        }
        let ps = (u128::from(bytes) * 1_000_000_000_000).div_ceil(u128::from(self.0));
        SimDuration::from_ps(u64::try_from(ps).unwrap_or(u64::MAX))
    }
}

/// Time per byte, such as the G of LogGP. Units: femtoseconds per byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ByteTime(u64);

impl ByteTime {
    /// Creates it from femtoseconds per byte.
    pub const fn from_fs(fs: u64) -> Self {
        Self(fs)
    }

    /// Returns the time that `bytes` take, rounded up to the picosecond.
    #[inline]
    pub fn time_for(self, bytes: u64) -> SimDuration {
        if self.0 == 0 {
            return SimDuration::ZERO;
        }
        // Rounded up by the sum, which takes half of the instructions of `div_ceil`.
        match bytes.checked_mul(self.0).and_then(|product| product.checked_add(999)) {
            Some(above) => SimDuration::from_ps(above / 1000),
            None => self.long_time_for(bytes),
        }
    }

    /// Like [`ByteTime::time_for`], for times of hours: the product is computed in parts.
    // A call, such as that of a division of 128 bits, would make each transfer save six registers.
    #[inline]
    fn long_time_for(self, bytes: u64) -> SimDuration {
        let (thousands, rest) = (bytes / 1000, bytes % 1000);
        let (whole, parts) = (self.0 / 1000, self.0 % 1000);
        let of_rest = rest.saturating_mul(whole).saturating_add((rest * parts).div_ceil(1000));
        SimDuration::from_ps(thousands.saturating_mul(self.0).saturating_add(of_rest))
    }
}

/// Units of a time and the picoseconds of one.
const TIMES: [(&str, f64); 5] = [("s", 1e12), ("ms", 1e9), ("us", 1e6), ("ns", 1e3), ("ps", 1.0)];

/// Reads a time such as `250ns`, which is not negative.
pub(crate) fn time(text: &str) -> Option<SimDuration> {
    let time = spaced(text, &TIMES).filter(|time| (0.0..=1e18).contains(time))?;
    Some(SimDuration::from_ps(time.round() as u64))
}

/// Reads a number with a unit directly behind it, as in `1.5us`. `units` has the names of units and what one
/// is; the result is the number multiplied by that.
pub fn scaled(text: &str, units: &[(&str, f64)]) -> Option<f64> {
    let (number, unit) = split(text);
    product(number, unit, units)
}

/// Like [`scaled`], where files may have spaces before the unit.
pub(crate) fn spaced(text: &str, units: &[(&str, f64)]) -> Option<f64> {
    let (number, unit) = split(text);
    product(number, unit.trim_start(), units)
}

/// Divides a text after its last digit or point.
fn split(text: &str) -> (&str, &str) {
    let end = text.rfind(|c: char| c.is_ascii_digit() || c == '.').map_or(0, |last| last + 1);
    text.split_at(end)
}

fn product(number: &str, unit: &str, units: &[(&str, f64)]) -> Option<f64> {
    let (_, scale) = units.iter().find(|(name, _)| *name == unit)?;
    let number: f64 = number.parse().ok()?;
    Some(number * scale)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn time_is_exact_as_far_as_it_can_be_represented(
            (bytes, fs) in (any::<u64>(), any::<u64>()),
            (less, lesser) in (0..64_u32, 0..64_u32),
        ) {
            let (bytes, fs) = (bytes >> less, fs >> lesser);
            let exact = (u128::from(bytes) * u128::from(fs)).div_ceil(1000);
            let expected = u64::try_from(exact).unwrap_or(u64::MAX);
            prop_assert_eq!(ByteTime::from_fs(fs).time_for(bytes).as_ps(), expected);
        }
    }

    #[test]
    fn time_is_rounded_up() {
        assert_eq!(Bandwidth::from_bytes_per_sec(3).time_for(1).as_ps(), 333_333_333_334);
        assert_eq!(ByteTime::from_fs(28_600_000).time_for(4).as_ps(), 114_400);
        assert_eq!(ByteTime::from_fs(1).time_for(1).as_ps(), 1);
        let gigabyte = Bandwidth::from_bytes_per_sec(1_000_000_000);
        for bytes in [18_000_000, 19_000_000, 1 << 40] {
            assert_eq!(gigabyte.time_for(bytes).as_ps(), bytes * 1000, "with 64 bits and more");
        }
        assert_eq!(
            ByteTime::from_fs(1 << 40).time_for(1 << 30).as_ps(),
            (1u128 << 70).div_ceil(1000) as u64
        );
    }
}
