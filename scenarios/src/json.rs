//! JSON input files, read so that every error has its line, column and JSON pointer.

use std::{fs, io::Read};

use serde::de::DeserializeOwned;
use serde_json::error::Category;
use sim_core::text::without_mark;

use crate::error::{Error, nearest};

/// Largest file that is read, in bytes: machine and scenario files are small.
const FILE_MAX: u64 = 16 << 20;

/// Most characters of a text that is not JSON in a message.
const FIRST_WORD_MAX: usize = 20;

/// Returns whether a name is that of a JSON file and of nothing built in: it ends in `.json`.
pub fn is_file_name(name: &str) -> bool {
    name.ends_with(".json")
}

/// Returns the text of a file.
///
/// # Errors
/// Returns an error if the file cannot be read, is longer than 16 MiB or is not UTF-8.
pub fn text_of(path: &str) -> Result<String, Error> {
    text_up_to(path, FILE_MAX)
}

/// Returns the text of a file of at most `most` bytes, without the byte order mark that editors of other systems
/// put in front.
///
/// # Errors
/// Returns an error if the file cannot be read, is longer or is not UTF-8.
pub fn text_up_to(path: &str, most: u64) -> Result<String, Error> {
    let bad = |reason: String| Error::BadFile { path: path.into(), reason };
    let file = fs::File::open(path).map_err(|error| bad(error.to_string()))?;
    let mut bytes = Vec::new();
    let read = file.take(most + 1).read_to_end(&mut bytes);
    read.map_err(|error| bad(error.to_string()))?;
    if bytes.len() as u64 > most {
        return Err(bad(format!("longer than {most} bytes")));
    }
    let mark = bytes.len() - without_mark(&bytes).len();
    String::from_utf8(bytes.split_off(mark)).map_err(|error| bad(error.to_string()))
}

/// Parses a value, either any JSON or a type that is an object; `path` is for messages.
///
/// # Errors
/// Returns [`Error::Json`] if the text is not JSON or does not describe a `T`.
pub fn read<T: DeserializeOwned>(text: &str, path: &str) -> Result<T, Error> {
    serde_json::from_str(text).map_err(|error| {
        // serde takes an array for the members of an object in their order, of which one may be wrong.
        if error.is_data() && text.trim_start().starts_with('[') {
            let reason = "invalid type: array, expected an object".to_owned();
            return not_allowed(text, path, "", reason);
        }
        let (line, column) = (error.line(), error.column());
        let message = error.to_string();
        let place = format!(" at line {line} column {column}");
        let reason = message.strip_suffix(&place).unwrap_or(&message).to_string();
        let mut end = offset(text, line, column);
        if !reason.starts_with("missing field") {
            // serde reports a wrong value only at the bracket after it.
            end = text[..end].trim_end_matches([']', '}']).len();
        }
        let pointer = pointer_before(text, end);
        let nearest = nearest_of(&reason);
        let reason = match error.classify() {
            Category::Syntax | Category::Eof => not_json::<T>(text, &reason),
            Category::Data | Category::Io => in_json_words(reason),
        };
        Error::Json { path: path.into(), line, column, pointer, reason, nearest }
    })
}

/// Returns what is wrong with a text that is not JSON: `reason`, or, if it does not even begin as an object
/// does, what it begins with and what a `T` is.
fn not_json<T: DeserializeOwned>(text: &str, reason: &str) -> String {
    let first = text.split_whitespace().next().filter(|first| !first.starts_with(['{', '[']));
    let Some(first) = first else { return format!("not JSON: {reason}") };
    let first: String = first.chars().take(FIRST_WORD_MAX).collect();
    let mistaken = serde_json::from_str::<T>("0").err().map(|error| error.to_string());
    let wanted =
        mistaken.as_deref().and_then(|told| told.split_once("expected ")?.1.split_once(" at line"));
    let wanted = wanted.map_or("an object", |(wanted, _)| wanted);
    format!("not JSON: it begins with `{first}`, and {wanted} begins with `{{`")
}

/// Names of Rust types in serde's messages about wrong types, and what JSON calls them.
const WORDS: [(&str, &str); 9] = [
    ("invalid type: map, ", "invalid type: object, "),
    ("invalid type: sequence, ", "invalid type: array, "),
    ("invalid type: floating point ", "invalid type: number "),
    ("invalid type: integer ", "invalid type: number "),
    ("expected a sequence", "expected an array"),
    ("expected a map", "expected an object"),
    ("expected f64", "expected a number"),
    ("expected u32", "expected a whole number from 0 to 4294967295"),
    ("expected u64", "expected a whole number that is not negative"),
];

/// Returns a message of serde in the words of JSON.
fn in_json_words(reason: String) -> String {
    if !reason.starts_with("invalid ") {
        return reason;
    }
    // An array is taken for the members of an object in their order, and misses some.
    if let Some((length, expected)) = reason.split_once(", expected an object")
        && length.starts_with("invalid length ")
    {
        return format!("invalid type: array, expected an object{expected}");
    }
    WORDS.iter().fold(reason, |reason, (rust, json)| reason.replacen(rust, json, 1))
}

/// Creates the error for a value that is well-formed but not allowed, at `pointer` of a well-formed
/// text.
pub(crate) fn not_allowed(text: &str, path: &str, pointer: &str, reason: String) -> Error {
    let (line, column) = place(text, offset_of(text, pointer).unwrap_or(0));
    let pointer = pointer.to_string();
    Error::Json { path: path.into(), line, column, pointer, reason, nearest: None }
}

/// A JSON file, for messages about the values in it.
pub struct Document<'a> {
    path: &'a str,
    text: String,
}

impl<'a> Document<'a> {
    /// Reads a file.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read.
    pub fn read(path: &'a str) -> Result<Self, Error> {
        Ok(Self { path, text: text_of(path)? })
    }

    /// Returns the path of the file.
    pub fn path(&self) -> &str {
        self.path
    }

    /// Returns whether the file has a value at a JSON pointer.
    pub fn has(&self, pointer: &str) -> bool {
        offset_of(&self.text, pointer).is_some()
    }

    /// Returns the error of a setting with the place of the value at a JSON pointer; others, and that of a value that
    /// the file does not have, as they are.
    pub fn placed(&self, pointer: &str, error: Error) -> Error {
        match error.lacks_place() && self.has(pointer) {
            true => not_allowed(&self.text, self.path, pointer, error.to_string()),
            false => error,
        }
    }
}

/// Returns the most similar expected name. serde's message names the value it found first and then
/// the expected ones, each in backquotes.
fn nearest_of(reason: &str) -> Option<String> {
    if !reason.starts_with("unknown ") {
        return None;
    }
    let mut names = reason.split('`').skip(1).step_by(2);
    let found = names.next()?;
    nearest(found, names)
}

fn offset(text: &str, line: usize, column: usize) -> usize {
    let lines = text.split_inclusive('\n').take(line.saturating_sub(1));
    let before: usize = lines.map(str::len).sum();
    // The column counts bytes, and a character may have several.
    text.floor_char_boundary(before + column)
}

fn place(text: &str, offset: usize) -> (usize, usize) {
    let before = &text.as_bytes()[..offset.min(text.len())];
    let start = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    (before.iter().filter(|byte| **byte == b'\n').count() + 1, before.len() - start + 1)
}

/// One level of nesting at the position of the scan.
enum Step {
    Key(Option<String>),
    Index(usize),
}

fn pointer(steps: &[Step]) -> String {
    let mut text = String::new();
    for step in steps {
        match step {
            Step::Key(None) => {}
            Step::Key(Some(key)) => {
                text.push('/');
                text.push_str(&key.replace('~', "~0").replace('/', "~1"));
            }
            Step::Index(index) => text.push_str(&format!("/{index}")),
        }
    }
    text
}

/// Returns the pointer of the value that is being read at byte `end`, in a text that may be
/// malformed after it.
fn pointer_before(text: &str, end: usize) -> String {
    let mut found = String::new();
    walk(text, |at, steps| {
        let before = at < end;
        if before || found.is_empty() {
            found = pointer(steps);
        }
        before
    });
    found
}

/// Returns the byte offset at which the member or element of a pointer begins.
fn offset_of(text: &str, wanted: &str) -> Option<usize> {
    let mut found = None;
    walk(text, |at, steps| {
        if pointer(steps) == wanted {
            found = Some(at);
        }
        found.is_none()
    });
    found
}

/// Calls `visit` with the position of each key, value and end of an object or array, until it
/// returns false.
fn walk(text: &str, mut visit: impl FnMut(usize, &[Step]) -> bool) {
    let bytes = text.as_bytes();
    let mut steps: Vec<Step> = Vec::new();
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        let start = at;
        at += 1;
        match byte {
            b'{' | b'[' => {
                if !visit(start, &steps) {
                    return;
                }
                steps.push(if *byte == b'{' { Step::Key(None) } else { Step::Index(0) });
                continue;
            }
            b'}' | b']' => {
                steps.pop();
            }
            b',' => {
                match steps.last_mut() {
                    Some(Step::Key(key)) => *key = None,
                    Some(Step::Index(index)) => *index += 1,
                    None => {}
                }
                continue;
            }
            b'"' => {
                at = end_of_string(bytes, at);
                let closed = at > start + 1 && bytes[at - 1] == b'"';
                if let Some(Step::Key(key @ None)) = steps.last_mut().filter(|_| closed) {
                    *key = Some(text[start + 1..at - 1].to_string());
                }
            }
            byte if byte.is_ascii_whitespace() || *byte == b':' => continue,
            _ => {
                let rest = bytes[at..].iter();
                at += rest.take_while(|byte| !b",]} \t\r\n".contains(byte)).count();
            }
        }
        if !visit(start, &steps) {
            return;
        }
    }
}

/// Returns the offset of the byte after the closing quote, or the length of the text.
fn end_of_string(bytes: &[u8], mut at: usize) -> usize {
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'\\' => at += 2,
            b'"' => return at + 1,
            _ => at += 1,
        }
    }
    at.min(bytes.len())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde::Deserialize;

    use super::*;

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    #[allow(dead_code, reason = "only read")]
    struct Outer {
        name: String,
        inner: Inner,
        #[serde(default)]
        list: Vec<u32>,
    }

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    #[allow(dead_code, reason = "only read")]
    struct Inner {
        latency: f64,
    }

    #[test]
    fn a_byte_order_mark_is_no_part_of_a_text() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("marked.json");
        for (written, text) in [("\u{feff}{}", "{}"), ("{}", "{}"), ("\u{feff}", ""), ("", "")] {
            fs::write(&path, written).expect("written");
            assert_eq!(text_of(&path.display().to_string()).expect("a text"), text);
        }
    }

    fn check(text: &str, line: usize, pointer: &str, part: &str) {
        let error = read::<Outer>(text, "f.json").expect_err("it is wrong");
        let Error::Json { line: at, pointer: path, .. } = &error else { panic!("{error:?}") };
        assert_eq!((*at, path.as_str()), (line, pointer), "{error}");
        assert!(error.to_string().contains(part), "{error}");
    }

    #[test]
    fn places_are_told() {
        check("{\n\"name\": 1, \"inner\": {}}", 2, "/name", "expected a string");
        check("{\"name\": \"a\",\n\"inner\": {}\n}", 2, "/inner", "missing field `latency`");
        check(
            "{\"name\": \"a\",\n\"inner\": {\n\"latencies\": 1}}",
            3,
            "/inner/latencies",
            "did you mean `latency`",
        );
        check(
            "{\"name\": \"a\",\n\"inner\": {\n\"latency\": 1},\n\"list\":[1,-2]}",
            4,
            "/list/1",
            "",
        );
        check("{\"name\": \"a\",\n\"inner\": {\n\"laten", 3, "/inner", "not JSON: EOF");
        check("{\"name\": \"a\",\n\"inner\": {\n\"latency\": ", 3, "/inner/latency", "EOF");
        check("", 1, "", "not JSON: EOF");
        check("{\"name\" 1}", 1, "/name", "not JSON: expected `:`");
        let begins = "not JSON: it begins with `num_ranks`, and struct Outer begins with `{`";
        check("num_ranks 2\nrank 0 {", 1, "", begins);
        check("text", 1, "", "begins with `text`, and struct Outer");
        check("[", 1, "", "");
    }

    #[test]
    fn a_value_is_found() {
        let text = "{\"a\": {\"b\": [1,\n {\"c/d\": 7}]}}";
        assert_eq!(offset_of(text, "/a/b/1/c~1d").map(|at| &text[at..at + 5]), Some("\"c/d\""));
        assert_eq!(place(text, offset_of(text, "/a/b/1").expect("it is there")), (2, 2));
    }

    proptest! {
        #[test]
        fn no_text_breaks_it(text in "[\\[\\]{}\",:\\\\a1 \n€-]{0,60}") {
            let _ = read::<Outer>(&text, "f.json");
        }
    }
}
