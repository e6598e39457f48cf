//! Fingerprints of buffers, computed at the start and end of every nonblocking operation, and
//! therefore fast.

/// Number of words that are processed side by side.
const LANES: usize = 4;
const WORD: usize = 8;
/// An odd constant with well-spread bits, so that multiplication by it is reversible.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

/// Returns the fingerprint of the data with fingerprint `before`, followed by these bytes. Data
/// that differ in one word have different fingerprints, because every step is reversible.
#[inline(always)]
pub(super) fn extend(before: u64, bytes: &[u8]) -> u64 {
    // Single numbers, by far the most frequent buffers, need no loops.
    match <[u8; WORD]>::try_from(bytes) {
        Ok(word) => {
            let joined = [before, 1, 2, WORD as u64].into_iter().fold(0, step);
            step(joined, u64::from_le_bytes(word))
        }
        Err(_) => extend_by_any(before, bytes),
    }
}

#[inline(never)]
fn extend_by_any(before: u64, bytes: &[u8]) -> u64 {
    let (words, rest) = bytes.as_chunks();
    let sum = join((before, bytes.len()), words.len(), |at| u64::from_le_bytes(words[at]));
    if rest.is_empty() {
        return sum;
    }
    // A copy of so few bytes would be a call.
    let part = rest.iter().rev().fold(0, |part, byte| part << 8 | u64::from(*byte));
    step(sum, part)
}

/// Like [`extend`] from 0, for `count` words that are not contiguous: `word` returns them in order.
#[inline]
pub(super) fn of_words(count: usize, word: impl Fn(usize) -> u64) -> u64 {
    join((0, count * WORD), count, word)
}

/// Returns the fingerprint of the first `count` words of data of this many bytes.
#[inline]
fn join((before, bytes): (u64, usize), count: usize, word: impl Fn(usize) -> u64) -> u64 {
    let mut lanes = [before, 1, 2, bytes as u64];
    let whole = count - count % LANES;
    let mut at = 0;
    while at < whole {
        for (lane, sum) in lanes.iter_mut().enumerate() {
            *sum = step(*sum, word(at + lane));
        }
        at += LANES;
    }
    let joined = lanes.into_iter().fold(0, step);
    (whole..count).fold(joined, |sum, at| step(sum, word(at)))
}

#[inline]
fn step(sum: u64, word: u64) -> u64 {
    (sum.rotate_left(29) ^ word).wrapping_mul(SPREAD)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_change_of_a_byte_changes_it(
            mut bytes in prop::collection::vec(any::<u8>(), 1..200),
            place in any::<prop::sample::Index>(),
            change in 1..=255_u8,
        ) {
            let before = extend(0, &bytes);
            prop_assert_eq!(before, extend(0, &bytes.clone()));
            let place = place.index(bytes.len());
            bytes[place] ^= change;
            prop_assert_ne!(before, extend(0, &bytes));
        }
    }

    #[test]
    fn words_have_the_fingerprint_of_their_bytes() {
        for count in 0..20_u64 {
            let words: Vec<u64> = (0..count).map(|word| word.wrapping_mul(SPREAD)).collect();
            let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
            assert_eq!(of_words(words.len(), |at| words[at]), extend(0, &bytes));
        }
    }

    #[test]
    fn the_number_of_bytes_counts() {
        assert_ne!(extend(0, &[]), extend(0, &[0]));
        assert_ne!(extend(0, &[0; 8]), extend(0, &[0; 7]));
        assert_ne!(extend(extend(0, &[1]), &[2]), extend(extend(0, &[2]), &[1]));
    }
}
