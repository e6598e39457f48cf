//! Finds the statements of calls in source files. Debug information places a call of Fortran on the last line of its
//! statement, and one of C or C++ on the first.

mod element;
mod macros;

use std::{cell::RefCell, collections::BTreeMap, fs};

pub(crate) use self::element::{Element, casts, element};

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

/// Reports whether a file is a Fortran source by the end of its name.
pub fn is_fortran(file: &str) -> bool {
    Form::of(file).is_some()
}

/// Returns the letters of a text with their places, apart from character literals.
fn outside_literals(text: &str) -> impl Iterator<Item = (usize, char)> {
    let mut quote = None;
    text.char_indices().filter(move |(_, letter)| match quote {
        None if matches!(letter, '\'' | '"') => {
            quote = Some(*letter);
            false
        }
        None => true,
        Some(open) => {
            quote = Some(open).filter(|open| open != letter);
            false
        }
    })
}

/// Returns the places of a letter in a line, apart from those inside character literals.
fn places_of(wanted: char, line: &str) -> impl DoubleEndedIterator<Item = usize> {
    let wanted = outside_literals(line).filter(|(_, letter)| *letter == wanted);
    wanted.map(|(place, _)| place).collect::<Vec<usize>>().into_iter()
}

/// Returns a free-form line without its trailing comment.
fn code(line: &str) -> &str {
    places_of('!', line).next().map_or(line, |place| &line[..place])
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

/// Passes on the lines of a source file; none if it cannot be read.
fn with_lines<T>(file: &'static str, body: impl FnOnce(&[String]) -> T) -> T {
    SOURCES.with_borrow_mut(|sources| {
        body(sources.entry(file).or_insert_with(|| {
            let text = fs::read(file).unwrap_or_default();
            String::from_utf8_lossy(&text).lines().map(str::to_string).collect()
        }))
    })
}

/// Like [`beginning`], but reads the source file. Also returns `None` if the file cannot be read or
/// is not Fortran.
pub(crate) fn start(file: &'static str, line: u32) -> Option<(u32, u32)> {
    let form = Form::of(file)?;
    with_lines(file, |lines| beginning(form, lines, line as usize))
}

/// Most lines of a statement that are looked at.
const STATEMENT_MAX: usize = 32;

/// Returns the place of the last line of the statement that has a part on the line at `here`; with `goes_on`, semicolons
/// there end others.
fn end(form: Option<Form>, lines: &[String], here: usize, goes_on: bool) -> usize {
    let later = here + 1..lines.len().min(here + STATEMENT_MAX);
    let Some(form) = form else {
        let mut places = here + usize::from(goes_on)..later.end;
        return places.find(|place| lines[*place].contains(';')).unwrap_or(here);
    };
    let mut last = here;
    for place in later.filter(|place| !form.is_comment(&lines[*place])) {
        if !form.continues(&lines[place], &lines[last]) {
            break;
        }
        last = place;
    }
    last
}

/// Returns where the statement at a column of a line, from 1, begins and ends there: after the semicolon before it, and
/// at the next one. `None` where the line has no such semicolon, or the column is 0, which is not known.
fn limits(text: &str, column: usize) -> (Option<usize>, Option<usize>) {
    let Some(here) = column.checked_sub(1) else { return (None, None) };
    // The column of a statement of Fortran may be that of the semicolon which ends it.
    let before = places_of(';', text).rev().find(|place| *place < here);
    let after = places_of(';', text).find(|place| *place >= here);
    (before.map(|place| place + 1), after)
}

/// The lines of a statement, and where it begins and ends on the line that it was looked for on.
struct Extent {
    first: usize,
    here: usize,
    last: usize,
    starts: Option<usize>,
    ends: Option<usize>,
}

impl Extent {
    /// Returns the extent of the statement at a line and a column, both from 1. Where the column is 0, other statements on the
    /// line belong to it.
    fn of(form: Option<Form>, lines: &[String], (line, column): (usize, usize)) -> Option<Self> {
        let here = line.checked_sub(1).filter(|place| *place < lines.len())?;
        let (starts, ends) = limits(code_of(form, &lines[here]), column);
        let first = form.and_then(|form| beginning(form, lines, line)).filter(|_| starts.is_none());
        let first = first.map_or(here, |(first, _)| first as usize - 1);
        let last = if ends.is_some() { here } else { end(form, lines, here, starts.is_some()) };
        Some(Self { first, here, last, starts, ends })
    }

    /// Returns what belongs to the statement of the line it was looked for on.
    fn part<'a>(&self, text: &'a str) -> &'a str {
        &text[self.starts.unwrap_or(0)..self.ends.unwrap_or(text.len())]
    }
}

/// Returns a line without its trailing comment, where the form says how one begins.
fn code_of(form: Option<Form>, line: &str) -> &str {
    match form {
        Some(Form::Free) => code(line),
        Some(Form::Fixed) | None => line,
    }
}

/// Reports whether the statement at a line and a column, both from 1, has a name in it. Where the column is 0, so may
/// other statements on the line.
fn names(form: Option<Form>, lines: &[String], at: (usize, usize), name: &str) -> bool {
    let Some(extent) = Extent::of(form, lines, at) else { return false };
    let Extent { first, here, last, .. } = extent;
    let part = extent.part(code_of(form, &lines[here]));
    let others = |range: std::ops::Range<usize>| lines[range].iter().map(String::as_str);
    let texts = others(first..here).chain([part]).chain(others(here + 1..last + 1));
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    texts.flat_map(|text| text.split(|letter| !is_part(letter))).any(|word| match form {
        Some(_) => word.eq_ignore_ascii_case(name),
        None => word == name,
    })
}

/// Reports whether the statement at a line and a column of a source file has a name in it; false if the file cannot be
/// read.
pub(crate) fn mentions(file: &'static str, (line, column): (u32, u32), name: &str) -> bool {
    with_lines(file, |lines| names(Form::of(file), lines, (line as usize, column as usize), name))
}

/// Columns of a line in fixed form; what follows is no part of the statement, unless an option of the compiler says so.
const FIXED_WIDTH: usize = 72;

/// Returns the Fortran statement at a line and a column, both from 1, in one line and without comments. `None` where it
/// depends on the preprocessor or on the length of lines what belongs to it.
fn text_of(form: Form, lines: &[String], (line, column): (usize, usize)) -> Option<String> {
    // In fixed form a call is found among all statements of its line.
    let column = if form == Form::Fixed { 0 } else { column };
    let extent = Extent::of(Some(form), lines, (line, column))?;
    let mut text = String::new();
    for (place, line) in lines.iter().enumerate().take(extent.last + 1).skip(extent.first) {
        if line.starts_with('#') {
            return None;
        }
        if form.is_comment(line) {
            continue;
        }
        match form {
            Form::Fixed if line.len() > FIXED_WIDTH || !line.is_ascii() => return None,
            Form::Fixed => {
                text.push_str(code(if place == extent.first { line } else { &line[6..] }))
            }
            Form::Free => {
                let code = code(line);
                let part = if place == extent.here { extent.part(code) } else { code };
                let part = part.trim().trim_start_matches('&');
                text.push_str(part.strip_suffix('&').unwrap_or(part));
            }
        }
    }
    Some(text)
}

/// Returns the parts of a list with commas between them, which begins behind its parenthesis, and the place of the
/// parenthesis at its end.
fn parts_of(list: &str) -> Option<(Vec<&str>, usize)> {
    let (mut depth, mut parts, mut start) = (0, Vec::new(), 0);
    for (at, letter) in outside_literals(list) {
        match letter {
            '(' | '[' => depth += 1,
            ')' if depth == 0 => {
                let last = list[start..at].trim();
                if !parts.is_empty() || !last.is_empty() {
                    parts.push(last);
                }
                return Some((parts, at));
            }
            ')' | ']' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(list[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    None
}

/// Reports whether a letter may be part of a name.
fn is_part(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_'
}

/// Returns the arguments, in lower case, of the only call of a procedure in a statement of Fortran.
fn arguments_in(text: &str, procedure: &str) -> Option<Vec<String>> {
    let lower = text.to_ascii_lowercase();
    let name = procedure.to_ascii_lowercase();
    let mut calls = lower.match_indices(&name).filter_map(|(at, _)| {
        let (before, after) = (&lower[..at], &lower[at + name.len()..]);
        let is_word = !before.ends_with(is_part) && !after.starts_with(is_part);
        (is_word && before.trim_end().ends_with("call")).then_some(after.trim_start())
    });
    let rest = calls.next().filter(|_| calls.next().is_none())?;
    let Some(list) = rest.strip_prefix('(') else { return Some(Vec::new()) };
    let (parts, _) = parts_of(list)?;
    Some(parts.into_iter().map(str::to_string).collect())
}

/// Reports whether an expression of Fortran has an arithmetic operator outside of parentheses.
fn has_operator(expression: &str) -> bool {
    let mut depth = 0;
    outside_literals(expression).any(|(_, letter)| {
        match letter {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            _ => {}
        }
        depth == 0 && "+-*/".contains(letter)
    })
}

/// Functions of the language whose values are numbers, in lower case; few programs have arrays of these names.
const FUNCTIONS: [&str; 22] = [
    "abs",
    "acos",
    "aimag",
    "asin",
    "atan",
    "cmplx",
    "conjg",
    "cos",
    "cosh",
    "cshift",
    "dble",
    "dot_product",
    "eoshift",
    "exp",
    "matmul",
    "nint",
    "reshape",
    "sin",
    "sqrt",
    "tan",
    "tanh",
    "transpose",
];

/// Reports whether an argument of a call in Fortran is certain to be no variable: it is an expression with operators or in
/// parentheses, the value of a function of the language, or a list of numbers selects the elements of an array. The
/// compiler passes a temporary in its place.
pub fn is_temporary(argument: &str) -> bool {
    if argument.starts_with('[') || has_operator(argument) {
        return true;
    }
    let Some((name, list)) = argument.split_once('(') else { return false };
    let Some((subscripts, end)) = parts_of(list) else { return false };
    if !list[end + 1..].trim().is_empty() || !name.trim().chars().all(is_part) {
        return false;
    }
    let is_list = |subscript: &str| subscript.starts_with('[') || subscript.starts_with("(/");
    name.trim().is_empty()
        || FUNCTIONS.contains(&name.trim())
        || subscripts.iter().any(|subscript| is_list(subscript))
}

/// Reports whether a line includes `mpif.h`.
fn includes_mpif(line: &str) -> bool {
    let line = line.trim_start().to_ascii_lowercase();
    (line.starts_with("include") || line.starts_with("#include")) && line.contains("mpif.h")
}

/// Reports whether a line uses the module `mpi_f08`.
fn uses_module(line: &str) -> bool {
    let line = line.trim_start().to_ascii_lowercase();
    line.starts_with("use") && line.contains("mpi_f08")
}

/// Returns the arguments, in lower case, that the call of a procedure at a line and a column of a Fortran source has, and
/// whether the file includes `mpif.h` and does not use `mpi_f08`. `None` where that is not certain: in other languages, and
/// where the preprocessor makes the statement.
pub fn arguments(
    file: &'static str,
    (line, column): (u32, u32),
    procedure: &str,
) -> Option<(Vec<String>, bool)> {
    let form = Form::of(file)?;
    with_lines(file, |lines| {
        let text = text_of(form, lines, (line as usize, column as usize))?;
        // A macro may be several arguments.
        if macros::may_be_in(file, lines, &text) {
            return None;
        }
        // A file may have procedures of both kinds, and the preprocessor may choose between them.
        let includes = lines.iter().any(|line| includes_mpif(line));
        let is_old = includes && !lines.iter().any(|line| uses_module(line));
        Some((arguments_in(&text, procedure)?, is_old))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_of_calls_are_counted() {
        let count = |text: &str| arguments_in(text, "MPI_Bcast").map(|list| list.len());
        assert_eq!(
            count("  if (me == 0) call mpi_bcast(a(1, :), n, 'x,)', f([1, 2]), 0)"),
            Some(5)
        );
        assert_eq!(count("call MPI_BCAST"), Some(0));
        assert_eq!(count("call MPI_BCAST ( )"), Some(0));
        assert_eq!(count("call mpi_bcast_all(a)"), None);
        assert_eq!(count("call mpi_bcast(a"), None, "its end is not there");
        assert_eq!(count("call mpi_bcast(a); call mpi_bcast(b, c)"), None, "which one?");
        let text = "call f(x); call g(a, & ! b, c\n  & b, &\n\n c); y = 1\n#if Z\n call g(a)\n";
        let all = lines(text);
        let count = |text: String| arguments_in(&text, "g").map(|list| list.len());
        let free = |at| text_of(Form::Free, &all, at).and_then(count);
        assert_eq!(free((1, 18)), Some(3));
        assert_eq!(free((6, 2)), Some(1));
        let text = "      CALL G(A,\nC  OLD, B,\n     &   B,\n     &   C)\n      Y = 1";
        let all = lines(text);
        let fixed = |at| text_of(Form::Fixed, &all, at).and_then(count);
        assert_eq!(fixed((4, 0)), Some(3));
        let wide = lines(&format!("      CALL G(A,{}B)", " ".repeat(60)));
        assert_eq!(text_of(Form::Fixed, &wide, (1, 0)), None);
    }

    #[test]
    fn only_statements_include_and_use() {
        for line in ["      include 'mpif.h'", "#include \"mpif.h\"", "INCLUDE \"MPIF.H\""] {
            assert!(includes_mpif(line), "{line}");
        }
        for line in [
            "! include 'mpif.h'",
            "print *, 'mpif.h'",
            "include 'other.h'",
            "c     include 'mpif.h'",
        ] {
            assert!(!includes_mpif(line), "{line}");
        }
        assert!(uses_module("  use, non_intrinsic :: mpi_f08, only: MPI_Init"));
        assert!(!uses_module("! use mpi_f08") && !uses_module("use mpi"));
    }

    #[test]
    fn expressions_and_vector_subscripts_are_no_variables() {
        for text in [
            "(x)",
            "( x(1:3) )",
            "(/ 1, 2 /)",
            "(1.0, 2.0)",
            "x([1, 3])",
            "x(2, (/ 1, 3 /))",
            "[1, 2]",
            "x + 1",
            "-x(2)",
            "(a) + (b)",
            "sqrt(x)",
            "transpose( x(1:3, :) )",
        ] {
            assert!(is_temporary(text), "{text}");
        }
        for text in [
            "x",
            "x(3)",
            "x(1:3, :)",
            "x((i))",
            "x(ix)",
            "x(size([1, 2]))",
            "buf=(x)",
            "a%b(3)",
            "x(i)%y",
            "'(x)'",
            "'a + b'",
            "x(i + 1)%y",
            "x(f([1, 2]) + 1)",
            "sqrt(x)%y",
        ] {
            assert!(!is_temporary(text), "{text}");
        }
    }

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
    fn a_statement_has_names_on_all_its_lines() {
        let text = "  CALL F(a, &\n    wide, &\n    c)\nfit = 2";
        let free = |line, name| names(Some(Form::Free), &lines(text), (line, 0), name);
        assert!(free(1, "c") && free(3, "A") && free(3, "wide") && free(4, "fit"));
        assert!(!free(1, "fit"));
        assert!(!free(3, "fit") && !free(3, "wid") && !free(99, "a"));
        let text = "int x;\nF(a,\n  wide->b,\n  c);\ny = 1;";
        let c = |line, name| names(None, &lines(text), (line, 0), name);
        assert!(c(2, "wide") && c(2, "c") && c(5, "y"));
        assert!(!c(2, "x") && !c(2, "y") && !c(2, "A") && !c(0, "a"));
    }

    #[test]
    fn one_of_several_statements_on_a_line_is_found_by_its_column() {
        let text = "call f(a, 'x;y', b); call g(c); d = 1 ! e;\ncall h(i, &\n  j); k = 2";
        let free = |line, column, name| names(Some(Form::Free), &lines(text), (line, column), name);
        // The column is that of the end.
        assert!(free(1, 20, "a") && free(1, 20, "b") && free(1, 31, "c") && free(1, 32, "d"));
        assert!(!free(1, 20, "c") && !free(1, 31, "a") && !free(1, 31, "d") && !free(1, 36, "e"));
        assert!(free(3, 4, "i") && free(3, 4, "j") && !free(3, 4, "k") && !free(3, 10, "i"));
        assert!(free(1, 0, "a") && free(1, 0, "d"), "the column is not known");
        let text = "int n; F(n,\n  wide); y = 1;";
        let c = |line, column, name| names(None, &lines(text), (line, column), name);
        assert!(c(1, 8, "n") && c(1, 8, "wide") && !c(1, 8, "int"));
    }

    #[test]
    fn other_languages_are_left_alone() {
        assert!(Form::of("a.c").is_none() && Form::of("Makefile").is_none());
        assert!(Form::of("a.F90") == Some(Form::Free) && Form::of("b.F") == Some(Form::Fixed));
    }
}
