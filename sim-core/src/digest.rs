//! Run digests: a running hash over everything that happened in a run.

/// A running hash, cheap enough for every event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Digest(u64);

impl Default for Digest {
    fn default() -> Self {
        Self::new()
    }
}

impl Digest {
    /// Creates the hash of an empty sequence.
    pub const fn new() -> Self {
        Self(0x9e37_79b9_7f4a_7c15)
    }

    /// Mixes one word into the hash.
    pub fn mix(&mut self, word: u64) {
        let product = u128::from(self.0 ^ word) * u128::from(0xd6e8_feb8_6659_fd93_u64);
        self.0 = (product as u64) ^ ((product >> 64) as u64).wrapping_add(self.0.rotate_left(23));
    }

    /// Mixes the number of bytes and the bytes into the hash.
    pub fn mix_bytes(&mut self, bytes: &[u8]) {
        self.mix(bytes.len() as u64);
        let (words, rest) = bytes.as_chunks();
        words.iter().for_each(|word| self.mix(u64::from_le_bytes(*word)));
        rest.iter().for_each(|byte| self.mix(u64::from(*byte)));
    }

    /// Returns the hash of all words mixed in so far.
    pub const fn value(self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_matters() {
        let of = |words: &[u64]| {
            let mut digest = Digest::new();
            words.iter().for_each(|word| digest.mix(*word));
            digest.value()
        };
        assert_eq!(of(&[1, 2]), of(&[1, 2]));
        assert_ne!(of(&[1, 2]), of(&[2, 1]));
    }
}
