//! [`Store`]: the file of results, to which each result is appended once.

use std::{
    collections::{BTreeMap, btree_map::Entry},
    ffi::OsStr,
    fs::{self, File, OpenOptions},
    io::{self, Read, Write},
    path::{Path, PathBuf},
};

use rustix::fs::{FlockOperation, flock};
use scenarios::error::Error;
use serde::Serialize;

use crate::{
    json::sweep::{Header, Row},
    output::Claim,
    spans::Share,
};

/// A file of results: a header, then one line for each configuration that has run. Lines are
/// appended, never changed. A line that a killed process left incomplete is removed when the file is
/// opened.
pub(super) struct Store {
    path: PathBuf,
    file: File,
    rows: BTreeMap<u64, Row>,
    _claim: Claim,
}

/// The beginning of every file of results.
const BEGINNING: &str = "{\"schema\":\"windtunnel.results/";

/// What a file of results holds.
struct Contents {
    rows: BTreeMap<u64, Row>,
    /// Number of bytes in complete lines.
    complete: u64,
}

impl Store {
    /// Opens a file of results and claims it, or creates it.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written, is that of another output, belongs to another study, is damaged, or
    /// another process adds to it.
    pub(super) fn open(path: &Path, header: &Header) -> Result<Self, Error> {
        let fail = |error: io::Error| bad(path, format!("cannot be written: {error}"));
        let claim = Claim::of(path)?;
        let file =
            OpenOptions::new().read(true).append(true).create(true).open(path).map_err(fail)?;
        if !file.metadata().map_err(fail)?.is_file() {
            return Err(bad(path, "keeps no results: it is no plain file".into()));
        }
        if flock(&file, FlockOperation::NonBlockingLockExclusive).is_err() {
            return Err(bad(path, "another process is adding results to it".into()));
        }
        let Contents { rows, complete } = read(path, header)?;
        file.set_len(complete).map_err(fail)?;
        if complete == 0 {
            write(&file, path, header)?;
        }
        Ok(Self { path: path.to_owned(), file, rows, _claim: claim })
    }

    /// Returns the results so far, by number.
    pub(super) fn rows(&self) -> &BTreeMap<u64, Row> {
        &self.rows
    }

    /// Appends a result. Processes of this one may do so, too: a line is written in one step.
    ///
    /// # Errors
    /// Returns an error if the file takes no more.
    pub(super) fn append(&self, row: &Row) -> Result<(), Error> {
        write(&self.file, &self.path, row)
    }

    /// Reads what was appended since.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read.
    pub(super) fn refresh(&mut self, header: &Header) -> Result<(), Error> {
        self.rows = read(&self.path, header)?.rows;
        Ok(())
    }

    /// Takes over the results of the shares of this study that other processes have run, or still run.
    ///
    /// # Errors
    /// Returns an error if one of their files is damaged.
    pub(super) fn gather(&mut self, header: &Header) -> Result<(), Error> {
        for share in shares(&self.path) {
            for row in read(&share, header)?.rows.into_values() {
                self.add(row)?;
            }
        }
        Ok(())
    }

    /// Appends a result, unless its configuration has one.
    ///
    /// # Errors
    /// Returns an error if the file takes no more.
    pub(super) fn add(&mut self, row: Row) -> Result<(), Error> {
        if let Entry::Vacant(place) = self.rows.entry(row.number) {
            write(&self.file, &self.path, &row)?;
            place.insert(row);
        }
        Ok(())
    }
}

/// Appends a line to a file of results, in one step.
fn write(mut file: &File, path: &Path, line: &impl Serialize) -> Result<(), Error> {
    let mut text = serde_json::to_string(line).expect("an object with string keys");
    text.push('\n');
    let written = file.write_all(text.as_bytes());
    written.map_err(|error| bad(path, format!("cannot be written: {error}")))
}

/// Returns the path of the results of one share.
pub(super) fn share_path(path: &Path, share: Share) -> PathBuf {
    let (number, of) = share.numbers();
    let mut name = path.as_os_str().to_owned();
    name.push(format!(".part-{number}-of-{of}"));
    name.into()
}

/// Returns the files of the shares of a file of results, in order of their names.
fn shares(path: &Path) -> Vec<PathBuf> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let Ok(entries) = fs::read_dir(folder.unwrap_or(Path::new("."))) else { return Vec::new() };
    let mut beginning = path.file_name().unwrap_or_default().to_owned();
    beginning.push(".part-");
    let is_share = |name: &OsStr| name.as_encoded_bytes().starts_with(beginning.as_encoded_bytes());
    let files = entries.flatten().filter(|entry| is_share(&entry.file_name()));
    let mut paths: Vec<PathBuf> = files.map(|entry| entry.path()).collect();
    paths.sort_unstable();
    paths
}

/// Reads the complete lines of a file of results.
///
/// # Errors
/// Returns an error if it cannot be read, belongs to another study or is damaged.
fn read(path: &Path, header: &Header) -> Result<Contents, Error> {
    let mut text = String::new();
    let read = File::open(path).and_then(|mut file| file.read_to_string(&mut text));
    read.map_err(|error| bad(path, format!("cannot be read: {error}")))?;
    let complete = text.rfind('\n').map_or(0, |end| end + 1);
    let mut contents = Contents { rows: BTreeMap::new(), complete: complete as u64 };
    let mut lines = text[..complete].lines();
    let Some(first) = lines.next() else {
        if text.starts_with(BEGINNING) || BEGINNING.starts_with(&text) {
            return Ok(contents);
        }
        return Err(bad(path, "is there already and is something else".into()));
    };
    let found: Header = serde_json::from_str(first)
        .map_err(|_| bad(path, "is there already and is something else".into()))?;
    if found != *header {
        let reason = "holds results of another study, or of another version of its program or of a file that \
                      it reads: name another file with --out, or remove it";
        return Err(bad(path, reason.into()));
    }
    for (number, line) in (2..).zip(lines) {
        let row: Row = serde_json::from_str(line)
            .map_err(|error| bad(path, format!("line {number} is damaged: {error}")))?;
        if row.number >= header.configurations {
            let (most, found) = (header.configurations, row.number);
            let reason = format!(
                "line {number} is damaged: the study has {most} configurations, none of number {found}"
            );
            return Err(bad(path, reason));
        }
        contents.rows.entry(row.number).or_insert(row);
    }
    Ok(contents)
}

fn bad(path: &Path, reason: String) -> Error {
    Error::BadFile { path: path.display().to_string(), reason }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::sweep::Ended;

    fn header(study: &str) -> Header {
        Header {
            schema: "windtunnel.results/1".into(),
            study: study.into(),
            code: None,
            files: None,
            program: "p".into(),
            axes: vec!["a".into()],
            configurations: 9,
        }
    }

    fn row(number: u64) -> Row {
        Row {
            number,
            settings: BTreeMap::from([("a".to_owned(), "1,\"2\"".to_owned())]),
            seed: 0,
            outcome: Ended::Completed,
            reason: None,
            makespan_ns: Some(0.1),
            compute_share: 1.0 / 3.0,
            overhead_share: 0.0,
            waiting_share: 0.0,
            messages: 1,
            bytes: 2,
            digest: "0".into(),
            findings: Vec::new(),
        }
    }

    #[test]
    fn an_incomplete_line_is_run_again() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("r.jsonl");
        let head = header("s");
        let store = Store::open(&path, &head).expect("new");
        store.append(&row(3)).expect("space");
        store.append(&row(1)).expect("space");
        assert!(Store::open(&path, &head).is_err(), "it is in use");
        drop(store);
        let whole = fs::read(&path).expect("there");
        fs::write(&path, &whole[..whole.len() - 5]).expect("writable");
        let store = Store::open(&path, &head).expect("the rest is whole");
        assert_eq!(store.rows().values().cloned().collect::<Vec<_>>(), [row(3)]);
        store.append(&row(1)).expect("space");
        drop(store);
        assert_eq!(fs::read(&path).expect("there"), whole);
        assert!(Store::open(&path, &header("t")).is_err(), "another study");
        fs::write(&path, &whole[..20]).expect("writable");
        let store = Store::open(&path, &head).expect("an incomplete header is written again");
        assert!(store.rows().is_empty());
    }

    #[test]
    fn what_is_something_else_stays() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("notes.txt");
        for text in ["one line", "a line\nand another\n"] {
            fs::write(&path, text).expect("writable");
            assert!(Store::open(&path, &header("s")).is_err());
            assert_eq!(fs::read_to_string(&path).expect("there"), text);
        }
    }

    #[test]
    fn results_of_shares_are_taken_over_once() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("r.jsonl");
        let head = header("s");
        for (share, numbers) in [("0/2", [0, 2]), ("1/2", [1, 2])] {
            let share = Share::parse(share).expect("a share");
            let store = Store::open(&share_path(&path, share), &head).expect("new");
            numbers.iter().for_each(|number| store.append(&row(*number)).expect("space"));
        }
        let mut store = Store::open(&path, &head).expect("new");
        store.append(&row(1)).expect("space");
        store.refresh(&head).expect("readable");
        store.gather(&head).expect("whole");
        assert_eq!(store.rows().keys().copied().collect::<Vec<_>>(), [0, 1, 2]);
        let lines = fs::read_to_string(&path).expect("there").lines().count();
        assert_eq!(lines, 4, "a header and three results");
    }
}
