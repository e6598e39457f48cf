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
    words: Vec<&'a str>,
}

/// A line without its comment and the spaces around it.
pub(super) struct Line<'l, 'a> {
    /// All of it, with the label.
    pub(super) text: &'a str,
    /// What stands before the first colon.
    pub(super) label: Option<&'a str>,
    /// The words of the rest.
    pub(super) words: &'l [&'a str],
}

impl<'a> Lines<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { text, at: 0, words: Vec::new() }
    }

    /// Returns the next line; `None` at the end of the text.
    pub(super) fn next(&mut self) -> Option<Line<'_, 'a>> {
        let Self { text, words, .. } = self;
        let bytes = text.as_bytes();
        let mut at = self.at;
        if at == bytes.len() {
            return None;
        }
        words.clear();
        let class = |at: usize| bytes.get(at).map_or(Class::Newline, |it| CLASSES[*it as usize]);
        let comments = |at: usize| match class(at) {
            Class::Hash => true,
            Class::Slash => bytes.get(at + 1) == Some(&b'/'),
            Class::Word | Class::Space | Class::Colon | Class::Newline => false,
        };
        let mut label = None;
        // Where the first word begins, and where the last one ends.
        let (mut first, mut last) = (None, at);
        loop {
            while class(at) == Class::Space {
                at += 1;
            }
            let begin = at;
            loop {
                // Nearly all bytes are passed here.
                let rest = &bytes[at..];
                let end = rest.iter().position(|it| CLASSES[*it as usize] != Class::Word);
                at += end.unwrap_or(rest.len());
                match class(at) {
                    Class::Colon if label.is_some() => at += 1,
                    Class::Slash if !comments(at) => at += 1,
                    Class::Word
                    | Class::Space
                    | Class::Colon
                    | Class::Hash
                    | Class::Slash
                    | Class::Newline => break,
                }
            }
            if at > begin {
                first = first.or(Some(begin));
                last = at;
                words.push(&text[begin..at]);
            }
            match class(at) {
                Class::Word | Class::Space => {}
                Class::Colon => {
                    label = Some(&text[first.unwrap_or(at)..last.max(first.unwrap_or(at))]);
                    words.clear();
                    first = first.or(Some(at));
                    at += 1;
                    last = at;
                }
                Class::Hash | Class::Slash | Class::Newline => break,
            }
        }
        if class(at) != Class::Newline {
            at += bytes[at..].iter().position(|it| *it == b'\n').unwrap_or(bytes.len() - at);
        }
        self.at = (at + 1).min(bytes.len());
        Some(Line { text: &text[first.unwrap_or(last)..last], label, words })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::goal::parse::without_comment;

    /// The same by the functions of strings.
    fn plainly(line: &str) -> (String, Option<String>, Vec<String>) {
        let text = without_comment(line);
        let (label, rest) = match text.split_once(':') {
            Some((label, rest)) => (Some(label.trim_ascii().to_owned()), rest),
            None => (None, text),
        };
        (text.into(), label, rest.split_ascii_whitespace().map(Into::into).collect())
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
                let words: Vec<String> = line.words.iter().map(|word| (*word).into()).collect();
                found.push((line.text.to_owned(), line.label.map(Into::into), words));
            }
            prop_assert_eq!(found, text.lines().map(plainly).collect::<Vec<_>>());
        }
    }
}
