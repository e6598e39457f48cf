//! Divides a schedule into lines and words, in one pass.

/// The meaning of a byte.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Word,
    Space,
    Colon,
    /// Begins a comment.
    Hash,
    /// Two of them begin a comment.
    Slash,
    Newline,
}

const CLASSES: [Class; 256] = {
    let mut classes = [Class::Word; 256];
    let spaces = b" \t\r\x0c";
    let mut at = 0;
    while at < spaces.len() {
        classes[spaces[at] as usize] = Class::Space;
        at += 1;
    }
    classes[b':' as usize] = Class::Colon;
    classes[b'#' as usize] = Class::Hash;
    classes[b'/' as usize] = Class::Slash;
    classes[b'\n' as usize] = Class::Newline;
    classes
};

/// The lines of a text, one after the other.
pub(super) struct Lines<'a> {
    text: &'a str,
    /// Where the next line begins.
    at: usize,
    /// The words of the last line, after its label.
    words: Vec<&'a [u8]>,
}

/// A line without its comment and the spaces around it.
pub(super) struct Line<'l, 'a> {
    /// All of it, with the label.
    pub(super) text: &'a [u8],
    /// What stands before the first colon.
    pub(super) label: Option<&'a [u8]>,
    /// The words of the rest.
    pub(super) words: &'l [&'a [u8]],
}

impl<'a> Lines<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { text, at: 0, words: Vec::new() }
    }

    /// Returns what follows the lines so far.
    pub(super) fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// Returns the next line; `None` at the end of the text.
    pub(super) fn next(&mut self) -> Option<Line<'_, 'a>> {
        let Self { text, words, .. } = self;
        let text = text.as_bytes();
        if self.at == text.len() {
            return None;
        }
        words.clear();
        let mut label = None;
        // Where the first word begins, where the last one ends, and where the present one begins.
        let (mut first, mut last, mut begin) = (None, self.at, self.at);
        let mut at = self.at;
        loop {
            // Nearly all bytes are passed here.
            let rest = &text[at..];
            let word = rest.iter().position(|it| CLASSES[usize::from(*it)] != Class::Word);
            at += word.unwrap_or(rest.len());
            let class = text.get(at).map_or(Class::Newline, |it| CLASSES[usize::from(*it)]);
            if match class {
                Class::Word => true,
                Class::Colon => label.is_some(),
                Class::Slash => text.get(at + 1) != Some(&b'/'),
                Class::Space | Class::Hash | Class::Newline => false,
            } {
                at += 1;
                continue;
            }
            if at > begin {
                first = first.or(Some(begin));
                last = at;
                words.push(&text[begin..at]);
            }
            match class {
                Class::Word | Class::Space => {}
                Class::Colon => {
                    label = Some(&text[first.unwrap_or(last)..last]);
                    words.clear();
                    first = first.or(Some(at));
                    last = at + 1;
                }
                Class::Newline => break,
                Class::Hash | Class::Slash => {
                    let rest = &text[at..];
                    at += rest.iter().position(|it| *it == b'\n').unwrap_or(rest.len());
                    break;
                }
            }
            at += 1;
            begin = at;
        }
        self.at = (at + 1).min(text.len());
        Some(Line { text: &text[first.unwrap_or(last)..last], label, words })
    }
}

/// Returns the number that a word is.
pub(super) fn number(word: &[u8]) -> Option<u64> {
    let digit = |sum: u64, digit: &u8| {
        let digit = digit.wrapping_sub(b'0');
        (digit < 10).then_some(())?;
        sum.checked_mul(10)?.checked_add(u64::from(digit))
    };
    if word.is_empty() { None } else { word.iter().try_fold(0, digit) }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn owned(word: &[u8]) -> String {
        String::from_utf8(word.to_vec()).expect("a part of a text between bytes of ASCII")
    }

    /// The same by the functions of strings.
    fn plainly(line: &str) -> (String, Option<String>, Vec<String>) {
        let end = ["#", "//"].iter().filter_map(|sign| line.find(sign)).min();
        let text = line[..end.unwrap_or(line.len())].trim_ascii();
        let (label, rest) = match text.split_once(':') {
            Some((label, rest)) => (Some(label.trim_ascii().to_owned()), rest),
            None => (None, text),
        };
        (text.into(), label, rest.split_ascii_whitespace().map(Into::into).collect())
    }

    #[test]
    fn numbers_have_digits_only_and_end_at_64_bits() {
        for (word, value) in [
            ("0", Some(0)),
            ("007", Some(7)),
            ("18446744073709551615", Some(u64::MAX)),
            ("18446744073709551616", None),
            ("", None),
            ("-1", None),
            ("1e3", None),
        ] {
            assert_eq!(number(word.as_bytes()), value, "{word}");
        }
    }

    proptest! {
        #[test]
        fn words_are_those_between_spaces(
            parts in prop::collection::vec(
                prop::sample::select(
                    vec!["a", "l1", ":", " ", "\t", "\n", "\r\n", "#", "/", "//", "é", "}", "8b", "send"],
                ),
                0..40,
            ),
        ) {
            let text = parts.concat();
            let mut lines = Lines::new(&text);
            let mut found = Vec::new();
            while let Some(line) = lines.next() {
                let words = line.words.iter().map(|word| owned(word)).collect();
                found.push((owned(line.text), line.label.map(owned), words));
            }
            prop_assert_eq!(found, text.lines().map(plainly).collect::<Vec<_>>());
        }
    }
}
