//! Edge lists: a line for each cable.
//!
//! ```text
//! line        = [statement] ["#" comment]
//! statement   = "switch" name… | "node" name… | name name attribute… | attribute…
//! attribute   = "bandwidth=" rate | "latency=" time | "cables=" count
//! ```
//!
//! A line of attributes alone holds for the cables of the lines that follow it.

use super::{
    GraphFileError, attribute,
    draft::{Cable, Draft, Role, Undeclared},
    quantity,
};
use crate::nearest::suggested;

const EXPECTED: &str = "expected `a b` for a cable between two vertices, with `bandwidth=100Gb/s`, \
                        `latency=250ns` or `cables=2` behind it if need be, or `switch NAME…` or \
                        `node NAME…`";

/// Reads an edge list.
pub(super) fn read(text: &str) -> Result<Draft, GraphFileError> {
    let mut draft = Draft::new(Undeclared::Nodes);
    let mut defaults = Cable::default();
    for (number, line) in (1..).zip(text.lines()) {
        let words: Vec<&str> =
            line.split('#').next().unwrap_or_default().split_whitespace().collect();
        let bad = |reason: String| GraphFileError::at(number, reason);
        let role = match words[..] {
            [] => continue,
            ["switch", ..] => Some(Role::Switch),
            ["node", ..] => Some(Role::Node),
            _ => None,
        };
        if let Some(role) = role {
            if words.len() == 1 {
                return Err(bad(EXPECTED.into()));
            }
            for name in &words[1..] {
                let vertex = draft.vertex(number, &checked(number, name)?)?;
                draft.declare(number, vertex, role)?;
            }
            continue;
        }
        if let Some(meant) = keyword(words[0]).filter(|_| draft.known(words[0]).is_none()) {
            let reason = format!(
                "`{0}` begins the line; did you mean `{meant}`? If a vertex is called `{0}`, declare it in a line \
                 before, as in `node {0}`; {EXPECTED}",
                words[0]
            );
            return Err(bad(reason));
        }
        let ends = words.iter().take_while(|word| !word.contains('=')).count();
        let mut cable = defaults;
        for (at, word) in words.iter().enumerate().skip(ends) {
            set(&mut cable, word).map_err(bad)?;
            let name = |word: &str| word.split('=').next().unwrap_or_default().to_owned();
            if words[ends..at].iter().any(|other| name(other) == name(word)) {
                return Err(bad(format!("`{}` is given twice", name(word))));
            }
        }
        match &words[..ends] {
            [] => defaults = cable,
            [a, b] => {
                let a = draft.vertex(number, &checked(number, a)?)?;
                let b = draft.vertex(number, &checked(number, b)?)?;
                draft.join(number, a, b, cable)?;
            }
            _ => return Err(bad(EXPECTED.into())),
        }
    }
    Ok(draft)
}

/// Returns the keyword that a word is in other letters, in the plural or with a letter missing or in a wrong place.
/// `switch2` and `nodea` are none: vertices are often called like that.
fn keyword(word: &str) -> Option<&'static str> {
    let word = word.to_lowercase();
    let is_near = |keyword: &str| strsim::damerau_levenshtein(&word, keyword) <= 1;
    let is_turned = |keyword: &str| is_near(keyword) && letters(&word) == letters(keyword);
    match word.as_str() {
        "switch" | "switches" | "switchs" => Some("switch"),
        "node" | "nodes" | "host" | "hosts" => Some("node"),
        _ if !word.starts_with("switch") && (is_near("switch") || is_near("switches")) => {
            Some("switch")
        }
        _ if is_turned("node") || is_turned("nodes") => Some("node"),
        _ => None,
    }
}

/// Returns the letters of a word in alphabetic order.
fn letters(word: &str) -> Vec<char> {
    let mut letters: Vec<char> = word.chars().collect();
    letters.sort_unstable();
    letters
}

/// Checks the name of a vertex: a letter, a digit or `_`, and then also `-`, `.`, `/`, `:` and `@`.
/// Other characters are probably a file of another format.
fn checked(line: usize, name: &str) -> Result<String, GraphFileError> {
    let inside = |c: char| c.is_alphanumeric() || "_-./:@".contains(c);
    if name.starts_with(|c: char| c.is_alphanumeric() || c == '_') && name.chars().all(inside) {
        return Ok(name.to_owned());
    }
    Err(GraphFileError::at(line, format!("`{name}` is not the name of a vertex; {EXPECTED}")))
}

/// Sets an attribute of a cable.
fn set(cable: &mut Cable, word: &str) -> Result<(), String> {
    match word.split_once('=') {
        Some(("bandwidth", rate)) => cable.numbers.bandwidth = Some(quantity::bandwidth(rate)?),
        Some(("latency", time)) => cable.numbers.delay = Some(quantity::latency(time)?),
        Some(("cables", count)) => cable.count = quantity::cables(count)?,
        _ => {
            let name = word.split('=').next().unwrap_or_default();
            return Err(format!(
                "no cable has an attribute `{word}`{}; there are bandwidth=RATE, latency=TIME and \
                 cables=COUNT",
                suggested(attribute::of_cable(name))
            ));
        }
    }
    Ok(())
}
