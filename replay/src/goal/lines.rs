//! Divides a schedule into statements and words, in one pass.

/// The meaning of a byte.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Word,
    Space,
    Colon,
    /// Begins a comment.
    Hash,
    /// Two of them begin a comment, and so does one in front of a star.
    Slash,
    /// Ends a statement after itself.
    Opening,
    /// Is a statement by itself.
    Closing,
    Newline,
}

impl Class {
    /// Returns whether a byte that is followed by `next` belongs to a word, in a statement that has had its label or not.
    #[inline(always)]
    fn is_of_word(self, next: Option<u8>, has_label: bool) -> bool {
        match self {
            Self::Word => true,
            Self::Colon => has_label,
            Self::Slash => !matches!(next, Some(b'/' | b'*')),
            Self::Space | Self::Hash | Self::Opening | Self::Closing | Self::Newline => false,
        }
    }
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
    classes[b'{' as usize] = Class::Opening;
    classes[b'}' as usize] = Class::Closing;
    classes[b'\n' as usize] = Class::Newline;
    classes
};

/// The statements of a text, one after the other. A line is one statement, unless it has braces.
pub(super) struct Lines<'a> {
    text: &'a str,
    /// Where the next statement begins.
    at: usize,
    /// The line in which it begins.
    number: u32,
    /// Whether it begins inside a comment that began in an earlier line.
    inside: bool,
    /// The words of the last statement, after its label.
    words: Vec<&'a [u8]>,
}

/// A statement without comments and the spaces around it; empty where a line has none.
pub(super) struct Line<'l, 'a> {
    /// The number of its line.
    pub(super) number: u32,
    /// All of it, with the label.
    pub(super) text: &'a [u8],
    /// What stands before the first colon.
    pub(super) label: Option<&'a [u8]>,
    /// The words of the rest.
    pub(super) words: &'l [&'a [u8]],
}

impl<'a> Lines<'a> {
    /// Begins at a text whose first line has this number.
    pub(super) fn new(text: &'a str, number: u32) -> Self {
        Self { text, at: 0, number, inside: false, words: Vec::new() }
    }

    /// Returns the number of the last line.
    pub(super) fn last(&self) -> u32 {
        let ended = self.text[..self.at].ends_with('\n');
        self.number - u32::from(ended && self.number > 1)
    }

    /// Returns whether the text ends inside a comment.
    pub(super) fn is_in_comment(&self) -> bool {
        self.inside
    }

    /// Returns the next statement; `None` at the end of the text.
    pub(super) fn next(&mut self) -> Option<Line<'_, 'a>> {
        let Self { text, words, .. } = self;
        let text = text.as_bytes();
        if self.at == text.len() {
            return None;
        }
        let number = self.number;
        if self.inside {
            (self.at, self.inside) = after_comment(text, self.at);
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
            if class.is_of_word(text.get(at + 1).copied(), label.is_some()) {
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
                Class::Opening => {
                    first = first.or(Some(at));
                    at += 1;
                    last = at;
                    words.push(&text[at - 1..at]);
                    break;
                }
                Class::Closing if first.is_some() => break,
                Class::Closing => {
                    first = Some(at);
                    at += 1;
                    last = at;
                    break;
                }
                Class::Slash if text[at + 1] == b'*' => {
                    (at, self.inside) = after_comment(text, at + 2);
                    begin = at;
                    continue;
                }
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
        self.at = at;
        if text.get(at) == Some(&b'\n') {
            self.at += 1;
            self.number += 1;
        }
        Some(Line { number, text: &text[first.unwrap_or(last)..last], label, words })
    }
}

/// Returns the place after a comment that is under way at `from`, or that of the end of the line and true if the
/// comment does not end there.
fn after_comment(text: &[u8], from: usize) -> (usize, bool) {
    let rest = &text[from..];
    let line = rest.iter().position(|it| *it == b'\n').unwrap_or(rest.len());
    match rest[..line].windows(2).position(|two| two == b"*/") {
        Some(end) => (from + end + 2, false),
        None => (from + line, true),
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

    #[test]
    fn braces_and_comments_divide_statements() {
        let text = "rank 0{ a: calc/* of\n two */ 5 /*/ */ } rank/**/1 {\n}//}\n/* not ended\n}";
        let mut lines = Lines::new(text, 1);
        let mut found = Vec::new();
        while let Some(line) = lines.next() {
            let words: Vec<String> = line.words.iter().map(|word| owned(word)).collect();
            if !line.text.is_empty() {
                found.push((line.number, line.label.map(owned), words.join(" ")));
            }
        }
        let label = || Some("a".to_owned());
        let expected = [
            (1, None, "rank 0 {"),
            (1, label(), "calc"),
            (2, None, "5"),
            (2, None, ""),
            (2, None, "rank 1 {"),
            (3, None, ""),
        ];
        assert_eq!(found, expected.map(|(line, label, words)| (line, label, words.to_owned())));
        assert!(lines.is_in_comment());
        assert_eq!(lines.last(), 5);
    }

    proptest! {
        #[test]
        fn words_are_those_between_spaces(
            parts in prop::collection::vec(
                prop::sample::select(
                    vec!["a", "l1", ":", " ", "\t", "\n", "\r\n", "#", "/", "//", "é", "8b", "send"],
                ),
                0..40,
            ),
        ) {
            let text = parts.concat();
            let mut lines = Lines::new(&text, 1);
            let mut found = Vec::new();
            while let Some(line) = lines.next() {
                let words = line.words.iter().map(|word| owned(word)).collect();
                found.push((owned(line.text), line.label.map(owned), words));
            }
            prop_assert_eq!(found, text.lines().map(plainly).collect::<Vec<_>>());
        }
    }
}
