//! Named streams of random numbers: one for each use, so that uses do not affect each other.

use rand::SeedableRng;

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

/// Computes FNV-1a with 64 bits: a fixed hash, unlike the standard library's.
fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use rand::Rng;

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
}
