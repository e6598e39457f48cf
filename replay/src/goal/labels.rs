//! [`Labels`]: the names of the operations of a rank.

use rustc_hash::FxHashMap;

/// The longest label that is a number.
const SHORT: usize = size_of::<u64>();

/// The operations of a rank by their labels. A file has several labels in a line: short ones, as most
/// are, are compared as numbers.
#[derive(Default)]
pub(super) struct Labels<'a> {
    short: FxHashMap<(u64, usize), u32>,
    long: FxHashMap<&'a [u8], u32>,
}

impl<'a> Labels<'a> {
    /// Adds a label; false if it was there already.
    pub(super) fn insert(&mut self, label: &'a [u8], place: u32) -> bool {
        match short(label) {
            Some(key) => self.short.insert(key, place).is_none(),
            None => self.long.insert(label, place).is_none(),
        }
    }

    pub(super) fn get(&self, label: &[u8]) -> Option<u32> {
        match short(label) {
            Some(key) => self.short.get(&key).copied(),
            None => self.long.get(label).copied(),
        }
    }

    pub(super) fn clear(&mut self) {
        self.short.clear();
        self.long.clear();
    }
}

/// Returns the bytes and the length of a short label.
fn short(label: &[u8]) -> Option<(u64, usize)> {
    if label.len() > SHORT {
        return None;
    }
    let number = label.iter().fold(0, |number, byte| number << 8 | u64::from(*byte));
    Some((number, label.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_of_any_length_differ() {
        let all = ["", "\0", "a", "\0a", "a\0", "l1234567", "l12345678", "l123456789"];
        let mut labels = Labels::default();
        for (place, label) in (0..).zip(all) {
            assert!(labels.insert(label.as_bytes(), place));
        }
        for (place, label) in (0..).zip(all) {
            assert_eq!(labels.get(label.as_bytes()), Some(place), "{label:?}");
        }
        assert!(!labels.insert(b"a", 9));
        labels.clear();
        assert_eq!(labels.get(b"a"), None);
    }
}
