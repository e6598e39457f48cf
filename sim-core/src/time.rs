//! Simulated time: integer picoseconds, so that sums never round.

use std::{
    fmt,
    iter::Sum,
    ops::{Add, AddAssign, Mul, Sub},
};

use serde::{Deserialize, Serialize};

/// A moment of simulated time. Units: picoseconds since the start. Arithmetic saturates.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub struct SimTime(u64);

/// A length of simulated time. Units: picoseconds. Arithmetic saturates.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub struct SimDuration(u64);

impl SimTime {
    /// The start of the simulation.
    pub const ZERO: Self = Self(0);
    /// The largest time, beyond every limit (213 days).
    pub const MAX: Self = Self(u64::MAX);

    /// Creates a time from picoseconds since the start.
    pub const fn from_ps(ps: u64) -> Self {
        Self(ps)
    }

    /// Returns the picoseconds since the start.
    pub const fn as_ps(self) -> u64 {
        self.0
    }

    /// Returns the time from `earlier` to this; zero if this is not after `earlier`.
    pub const fn since(self, earlier: Self) -> SimDuration {
        SimDuration(self.0.saturating_sub(earlier.0))
    }

    /// Returns the time in nanoseconds, for reports.
    pub fn as_ns_f64(self) -> f64 {
        self.0 as f64 / 1e3
    }

    /// Returns the time in seconds, for reports.
    pub fn as_secs_f64(self) -> f64 {
        self.0 as f64 / 1e12
    }
}

impl SimDuration {
    /// A duration of zero.
    pub const ZERO: Self = Self(0);
    /// The largest duration, beyond every limit.
    pub const MAX: Self = Self(u64::MAX);

    /// Creates a duration from picoseconds.
    pub const fn from_ps(ps: u64) -> Self {
        Self(ps)
    }

    /// Creates a duration from nanoseconds.
    pub const fn from_ns(ns: u64) -> Self {
        Self(ns.saturating_mul(1_000))
    }

    /// Creates a duration from microseconds.
    pub const fn from_us(us: u64) -> Self {
        Self(us.saturating_mul(1_000_000))
    }

    /// Creates a duration from milliseconds.
    pub const fn from_ms(ms: u64) -> Self {
        Self(ms.saturating_mul(1_000_000_000))
    }

    /// Creates a duration from seconds.
    pub const fn from_secs(secs: u64) -> Self {
        Self(secs.saturating_mul(1_000_000_000_000))
    }

    /// Returns the duration in picoseconds.
    pub const fn as_ps(self) -> u64 {
        self.0
    }

    /// Returns the duration in nanoseconds, for reports.
    pub fn as_ns_f64(self) -> f64 {
        self.0 as f64 / 1e3
    }

    /// Returns the duration in seconds, for reports.
    pub fn as_secs_f64(self) -> f64 {
        self.0 as f64 / 1e12
    }
}

impl Add<SimDuration> for SimTime {
    type Output = Self;
    fn add(self, rhs: SimDuration) -> Self {
        Self(self.0.saturating_add(rhs.0))
    }
}

impl AddAssign<SimDuration> for SimTime {
    fn add_assign(&mut self, rhs: SimDuration) {
        *self = *self + rhs;
    }
}

impl Add for SimDuration {
    type Output = Self;
    fn add(self, rhs: Self) -> Self {
        Self(self.0.saturating_add(rhs.0))
    }
}

impl AddAssign for SimDuration {
    fn add_assign(&mut self, rhs: Self) {
        *self = *self + rhs;
    }
}

impl Sub for SimDuration {
    type Output = Self;
    fn sub(self, rhs: Self) -> Self {
        Self(self.0.saturating_sub(rhs.0))
    }
}

impl Mul<u64> for SimDuration {
    type Output = Self;
    fn mul(self, rhs: u64) -> Self {
        Self(self.0.saturating_mul(rhs))
    }
}

impl Sum for SimDuration {
    fn sum<I: Iterator<Item = Self>>(iter: I) -> Self {
        iter.fold(Self::ZERO, Add::add)
    }
}

/// Writes picoseconds with three significant digits in the unit that fits.
fn write_ps(ps: u64, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    const UNITS: [(u64, &str); 4] =
        [(1_000_000_000_000, "s"), (1_000_000_000, "ms"), (1_000_000, "us"), (1_000, "ns")];
    for (scale, unit) in UNITS {
        // What is rounded to a whole unit, or to one more digit, has that unit or digit.
        if ps >= scale - scale / 2000 {
            let value = ps as f64 / scale as f64;
            let digits = if value >= 99.95 {
                0
            } else if value >= 9.995 {
                1
            } else {
                2
            };
            return write!(f, "{value:.digits$} {unit}");
        }
    }
    write!(f, "{ps} ps")
}

impl fmt::Display for SimTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_ps(self.0, f)
    }
}

impl fmt::Display for SimDuration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_ps(self.0, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_unit_that_fits() {
        let cases = [
            (0, "0 ps"),
            (850_000, "850 ns"),
            (12_400_000, "12.4 us"),
            (3_200_000_000, "3.20 ms"),
            (999_400_000, "999 us"),
            (999_960_000, "1.00 ms"),
            (99_960_000, "100 us"),
            (9_996_000, "10.0 us"),
        ];
        for (ps, text) in cases {
            assert_eq!(SimDuration::from_ps(ps).to_string(), text);
        }
    }

    #[test]
    fn arithmetic_saturates() {
        assert_eq!(SimTime::MAX + SimDuration::from_ps(1), SimTime::MAX);
        assert_eq!(SimTime::ZERO.since(SimTime::MAX), SimDuration::ZERO);
    }
}
