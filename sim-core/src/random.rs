//! Named streams of random numbers: one for each use, so that uses do not affect each other.

use rand::{Rng, SeedableRng};

pub use rand_chacha::ChaCha8Rng;

/// Returns the random stream with the given name and index for a run with `seed`.
///
/// Determinism: depends on nothing but its arguments.
pub fn stream(seed: u64, name: &str, index: u64) -> ChaCha8Rng {
    let mut key = [0u8; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    key[8..16].copy_from_slice(&fnv1a(name.as_bytes()).to_le_bytes());
    key[16..24].copy_from_slice(&index.to_le_bytes());
    ChaCha8Rng::from_seed(key)
}

/// Shuffles a list (Fisher and Yates), from the last element to the second. `up_to(n)` draws a
/// number from 0 to n, n included.
///
/// Determinism: depends on nothing but the list and the numbers drawn, whatever the version of the
/// crate `rand`.
pub fn shuffle<T>(list: &mut [T], mut up_to: impl FnMut(usize) -> usize) {
    for last in (1..list.len()).rev() {
        list.swap(last, up_to(last));
    }
}

/// Draws an exponentially distributed number with this mean, rounded to a whole one.
///
/// Determinism: every machine draws the same.
pub fn exponential(random: &mut ChaCha8Rng, mean: f64) -> u64 {
    // From 2^-53 to 1.
    let uniform = ((random.next_u64() >> 11) + 1) as f64 / (1u64 << 53) as f64;
    (-natural_logarithm(uniform) * mean).round() as u64
}

/// Computes the natural logarithm of a positive normal number with basic operations only, so that
/// every machine has the same result: that of the standard library may differ in the last digit.
fn natural_logarithm(x: f64) -> f64 {
    let bits = x.to_bits();
    let mut exponent = (bits >> 52) as i64 - 1023;
    let mut mantissa = f64::from_bits((bits & ((1 << 52) - 1)) | (1023 << 52));
    if mantissa > std::f64::consts::SQRT_2 {
        mantissa /= 2.0;
        exponent += 1;
    }
    // ln m = 2 artanh((m - 1) / (m + 1)), whose argument is at most 0.172.
    let ratio = (mantissa - 1.0) / (mantissa + 1.0);
    let square = ratio * ratio;
    let mut sum = 0.0;
    for odd in (1..=21).rev().step_by(2) {
        sum = sum * square + 1.0 / f64::from(odd);
    }
    2.0 * ratio * sum + exponent as f64 * std::f64::consts::LN_2
}

/// Computes FNV-1a with 64 bits: a fixed hash, unlike the standard library's.
fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_are_independent_and_repeatable() {
        assert_eq!(stream(1, "a", 0).next_u64(), stream(1, "a", 0).next_u64());
        assert_ne!(stream(1, "a", 0).next_u64(), stream(1, "b", 0).next_u64());
        assert_ne!(stream(1, "a", 0).next_u64(), stream(1, "a", 1).next_u64());
    }

    #[test]
    fn a_shuffle_draws_from_the_last_element_on() {
        let mut list = [0, 1, 2, 3];
        let mut bounds = Vec::new();
        shuffle(&mut list, |last| {
            bounds.push(last);
            0
        });
        assert_eq!((list, bounds), ([1, 2, 3, 0], vec![3, 2, 1]));
    }

    #[test]
    fn logarithms_are_those_of_the_library() {
        for x in [1.0, 0.5, 0.1, 1e-16, 0.999_999, 0.7, 0.71] {
            let known = f64::ln(x);
            assert!((natural_logarithm(x) - known).abs() <= 1e-15 * known.abs().max(1.0), "{x}");
        }
    }
}
