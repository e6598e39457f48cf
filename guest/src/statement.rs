//! Finds the first line of a Fortran statement that spans several lines. Debug information places a
//! call on the last line of its statement.

use std::{cell::RefCell, collections::BTreeMap, fs};

/// File name extensions of fixed-form sources, in lower case; all other Fortran sources are free
/// form.
const FIXED: [&str; 4] = ["f", "for", "ftn", "f77"];
const FREE: [&str; 5] = ["f90", "f95", "f03", "f08", "f18"];

/// The source form, which decides how a statement continues on the next line.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Fixed,
    Free,
}

impl Form {
    fn of(file: &str) -> Option<Self> {
        let ending = file.rsplit_once('.')?.1.to_ascii_lowercase();
        match &*ending {
            ending if FIXED.contains(&ending) => Some(Self::Fixed),
            ending if FREE.contains(&ending) => Some(Self::Free),
            _ => None,
        }
    }

    /// Returns true for a line that holds no part of a statement.
    fn is_comment(self, line: &str) -> bool {
        let first = line.trim_start().chars().next();
        matches!(first, None | Some('!' | '#'))
            || self == Self::Fixed && matches!(line.as_bytes()[0], b'c' | b'C' | b'*' | b'd' | b'D')
    }

    /// Reports whether `line` continues the statement on the line `before`.
    fn continues(self, line: &str, before: &str) -> bool {
        match self {
            Self::Fixed => {
                let bytes = line.as_bytes();
                bytes.len() > 5
                    && bytes[..5].iter().all(|byte| *byte == b' ')
                    && !matches!(bytes[5], b' ' | b'0')
            }
            Self::Free => code(before).trim_end().ends_with('&'),
        }
    }
}

/// Returns a free-form line without its trailing comment. A `!` inside a character literal does not
/// start a comment.
fn code(line: &str) -> &str {
    let mut quote = None;
    for (place, letter) in line.char_indices() {
        match quote {
            None if letter == '!' => return &line[..place],
            None if letter == '\'' || letter == '"' => quote = Some(letter),
            Some(open) if letter == open => quote = None,
            _ => {}
        }
    }
    line
}

/// Returns the line and column, from 1, at which the statement containing line `line` begins;
/// `None` if it begins on that line.
fn beginning(form: Form, lines: &[String], line: usize) -> Option<(u32, u32)> {
    let mut here = line.checked_sub(1).filter(|place| *place < lines.len())?;
    loop {
        let earlier = (0..here).rev().find(|place| !form.is_comment(&lines[*place]));
        match earlier {
            Some(before) if form.continues(&lines[here], &lines[before]) => here = before,
            _ => break,
        }
    }
    let column = lines[here].len() - lines[here].trim_start().len() + 1;
    (here + 1 != line).then_some((here as u32 + 1, column as u32))
}

thread_local! {
    /// A cache of the lines of source files that were looked up.
    static SOURCES: RefCell<BTreeMap<&'static str, Vec<String>>> = const {
        RefCell::new(BTreeMap::new())
    };
}

/// Like [`beginning`], but reads the source file. Also returns `None` if the file cannot be read or
/// is not Fortran.
pub(crate) fn start(file: &'static str, line: u32) -> Option<(u32, u32)> {
    let form = Form::of(file)?;
    SOURCES.with_borrow_mut(|sources| {
        let lines = sources.entry(file).or_insert_with(|| {
            let text = fs::read(file).unwrap_or_default();
            String::from_utf8_lossy(&text).lines().map(str::to_string).collect()
        });
        beginning(form, lines, line as usize)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<String> {
        text.lines().map(str::to_string).collect()
    }

    #[test]
    fn free_form_goes_on_after_an_ampersand() {
        let text = "x = 1\n  call f(a, & ! one\n\n    ! two\n    'b ! c', &\n    d)\ny = 2";
        let lines = lines(text);
        assert_eq!(beginning(Form::Free, &lines, 6), Some((2, 3)));
        assert_eq!(beginning(Form::Free, &lines, 5), Some((2, 3)));
        assert_eq!(beginning(Form::Free, &lines, 2), None);
        assert_eq!(beginning(Form::Free, &lines, 7), None);
        assert_eq!(beginning(Form::Free, &lines, 99), None);
    }

    #[test]
    fn fixed_form_goes_on_in_column_six() {
        let text =
            "      X = 1\n      CALL F(A,\nC     A COMMENT\n     &  B,\n     1  C)\n10    Y = 2";
        let lines = lines(text);
        assert_eq!(beginning(Form::Fixed, &lines, 5), Some((2, 7)));
        assert_eq!(beginning(Form::Fixed, &lines, 6), None);
        assert_eq!(beginning(Form::Fixed, &lines, 1), None);
    }

    #[test]
    fn other_languages_are_left_alone() {
        assert!(Form::of("a.c").is_none() && Form::of("Makefile").is_none());
        assert!(Form::of("a.F90") == Some(Form::Free) && Form::of("b.F") == Some(Form::Fixed));
    }
}
