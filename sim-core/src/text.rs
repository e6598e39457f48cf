//! Texts that live as long as the process: source files and names of calls in results.

use std::{
    collections::BTreeSet,
    sync::{Mutex, PoisonError},
};

use serde::{Deserialize, Deserializer};

/// A text that lives as long as the process.
///
/// Fields of results have this type by name: `serde` would read a field of type `&str` from its
/// input without a copy, which then had to live as long.
pub type Text = &'static str;

/// What some editors write at the beginning of a text: U+FEFF in UTF-8.
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// Returns the bytes of a text without the byte order mark in front, if there is one.
pub fn without_mark(text: &[u8]) -> &[u8] {
    text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text)
}

/// Returns the one copy of `text` that lives as long as the process.
///
/// Equal texts share a copy, so the memory is bounded by the number of different texts.
pub fn intern(text: &str) -> Text {
    static TEXTS: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());
    let mut texts = TEXTS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = texts.get(text) {
        return known;
    }
    let kept: &'static str = Box::leak(text.to_string().into_boxed_str());
    texts.insert(kept);
    kept
}

/// Reads a text of a serialized result.
///
/// # Errors
/// If the input holds no text there.
pub fn interned<'de, D: Deserializer<'de>>(from: D) -> Result<Text, D::Error> {
    String::deserialize(from).map(|text| intern(&text))
}

#[cfg(test)]
mod tests {
    use super::without_mark;

    #[test]
    fn one_byte_order_mark_in_front_is_taken_away() {
        assert_eq!(without_mark("\u{feff}\u{feff}a".as_bytes()), "\u{feff}a".as_bytes());
        assert_eq!(without_mark("a\u{feff}".as_bytes()), "a\u{feff}".as_bytes());
        assert_eq!(without_mark(b""), b"");
    }
}
