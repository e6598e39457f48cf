//! Baseline files: findings that are already known, so that only new ones count.
//!
//! A finding matches an entry of the file by file and line or, if lines have moved, by the source
//! text of the line or the surrounding function. Each entry accepts one finding.

use std::{
    env, fs,
    io::{self, Read},
    path::Path,
};

use mpi_api::finding::Finding;
use scenarios::error::Error;
use serde::{Deserialize, Serialize};

use crate::{diagnostic::line_of, output::Destination};

/// Name and version of the file format, the value of its `schema` key.
const SCHEMA: &str = "windtunnel.baseline/1";

/// Largest baseline file that is read, in bytes.
const BYTES_MAX: u64 = 16 << 20;

/// Contents of a baseline file.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    schema: String,
    findings: Vec<Entry>,
}

/// One known finding.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Entry {
    code: String,
    file: String,
    line: u32,
    function: String,
    call: String,
    /// Text of the source line, without indentation.
    text: String,
}

/// A baseline that was read, or the destination of one that will be written.
pub(super) enum Baseline {
    Known { path: String, entries: Vec<Entry> },
    New { path: String, destination: Destination },
}

impl Entry {
    fn of(finding: &Finding) -> Self {
        let first = finding.sites.first();
        let site = first.and_then(|call| call.site);
        let line = site.and_then(|site| site.with_line());
        Self {
            code: finding.code.name(),
            file: line.map_or_else(String::new, |site| relative(site.file)),
            line: line.map_or(0, |site| site.line),
            function: site.map_or("", |site| site.function()).into(),
            call: first.map_or("", |call| call.call).into(),
            text: line.and_then(|site| line_of(site.file, site.line)).unwrap_or_default(),
        }
    }

    /// Returns whether `other` is the same finding at another line: the source line has the same
    /// text, or both are in the same function.
    fn has_moved_to(&self, other: &Self) -> bool {
        let same = (&self.code, &self.file, &self.call) == (&other.code, &other.file, &other.call);
        let text = !self.text.is_empty() && self.text == other.text;
        let function = !self.function.is_empty() && self.function == other.function;
        same && (text || function || self.line == 0 && other.line == 0)
    }
}

/// Returns `file` relative to the current folder if it is inside it, so that a baseline can be used
/// on other machines.
fn relative(file: &str) -> String {
    let here = env::current_dir().unwrap_or_default();
    let below = Path::new(file).strip_prefix(here).map(|path| path.display().to_string());
    below.unwrap_or_else(|_| file.trim_start_matches("./").to_string())
}

impl Baseline {
    /// Reads a baseline file or, if there is none, checks that it can be written.
    ///
    /// # Errors
    /// Returns an error if the file is not a valid baseline, or cannot be written.
    pub(super) fn open(path: &str) -> Result<Self, Error> {
        let bad = |reason: String| Error::BadFile { path: path.into(), reason };
        let mut text = String::new();
        let read = |file: fs::File| file.take(BYTES_MAX + 1).read_to_string(&mut text);
        match fs::File::open(path).and_then(read) {
            Ok(bytes) if bytes as u64 > BYTES_MAX => {
                return Err(bad(format!("is no baseline: longer than {BYTES_MAX} bytes")));
            }
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let destination = Destination::claim(path)?;
                return Ok(Self::New { path: path.into(), destination });
            }
            Err(error) => return Err(bad(error.to_string())),
        }
        let file: File = serde_json::from_str(&text)
            .map_err(|error| bad(format!("is no baseline of findings: {error}")))?;
        if file.schema != SCHEMA {
            return Err(bad(format!("the schema is `{}`, not `{SCHEMA}`", file.schema)));
        }
        Ok(Self::Known { path: path.into(), entries: file.findings })
    }

    /// Returns, for each finding, why it is accepted, or `None`. Writes the file if there was none.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written.
    pub(super) fn accept(self, findings: &[Finding]) -> Result<Vec<Option<String>>, Error> {
        let found: Vec<Entry> = findings.iter().map(Entry::of).collect();
        match self {
            Self::Known { path, entries } => {
                let (accepted, gone) = known(&found, entries);
                if gone > 0 {
                    let what = if gone == 1 { "finding of" } else { "findings of" };
                    let were = if gone == 1 { "was" } else { "were" };
                    eprintln!("note: {gone} {what} {path} {were} not found any more");
                }
                let reason = format!("--baseline {path}");
                Ok(accepted.into_iter().map(|known| known.then(|| reason.clone())).collect())
            }
            Self::New { path, destination } => {
                let count = found.len();
                destination.write(text(found).as_bytes())?;
                let what = if count == 1 { "finding is" } else { "findings are" };
                eprintln!("note: {path} was written: {count} {what} accepted from now on");
                Ok(vec![Some(format!("--baseline {path}")); count])
            }
        }
    }
}

fn text(mut findings: Vec<Entry>) -> String {
    findings.sort();
    let file = File { schema: SCHEMA.into(), findings };
    format!("{:#}\n", serde_json::to_value(file).expect("texts and numbers"))
}

/// Returns which findings are known, and the number of unused entries. Entries whose line has not
/// moved are matched first, so that a new finding cannot use up the entry of an old one.
fn known(found: &[Entry], mut entries: Vec<Entry>) -> (Vec<bool>, usize) {
    let mut accepted = vec![false; found.len()];
    let same: [fn(&Entry, &Entry) -> bool; 2] = [Entry::eq, Entry::has_moved_to];
    for same in same {
        for (finding, accepted) in found.iter().zip(&mut accepted).filter(|(_, known)| !**known) {
            if let Some(at) = entries.iter().position(|entry| same(entry, finding)) {
                entries.swap_remove(at);
                *accepted = true;
            }
        }
    }
    (accepted, entries.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(line: u32, function: &str, text: &str) -> Entry {
        Entry {
            code: "WT0017".into(),
            file: "a.c".into(),
            line,
            function: function.into(),
            call: "MPI_Comm_dup".into(),
            text: text.into(),
        }
    }

    #[test]
    fn a_finding_is_known_when_its_line_moves() {
        let old = vec![entry(5, "f", "dup(a);"), entry(9, "", "dup(b);")];
        let moved = [entry(15, "f", "dup( a );"), entry(19, "", "dup(b);")];
        assert_eq!(known(&moved, old), (vec![true, true], 0));
    }

    #[test]
    fn one_entry_accepts_one_finding() {
        let old = vec![entry(5, "f", "dup(a);")];
        let found = [entry(4, "f", "dup(c);"), entry(5, "f", "dup(a);")];
        assert_eq!(known(&found, old.clone()), (vec![false, true], 0));
        assert_eq!(known(&[], old.clone()), (vec![], 1));
        let mut other = entry(5, "f", "dup(a);");
        other.code = "WT0012".into();
        assert_eq!(known(&[other], old), (vec![false], 1));
    }
}
