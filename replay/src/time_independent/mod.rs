//! SimGrid's time-independent traces (Desprez, Markomanolis, Quinson and Suter, "Assessing the
//! performance of MPI applications through time-independent trace replay", PSTI 2011), as
//! `smpirun -trace-ti` writes them.
//!
//! A trace is one file whose lines begin with the number of a rank, or a list of such files. What
//! it does not contain is filled in: reductions are sums, all communicators are `MPI_COMM_WORLD`,
//! `waitAny` ends with whatever completes first in the replay, and `finalize` waits for requests
//! that the trace only tests. Computation is in floating-point operations; the caller gives their
//! rate.

mod action;
mod rank;
#[cfg(test)]
mod tests;

use std::{
    collections::BTreeMap,
    fs::{self, File},
    io::{self, Read},
    path::{Path, PathBuf},
};

use sim_core::{Site, intern, text::without_mark};
use thiserror::Error;

use self::{
    action::{Action, Needs},
    rank::RankTrace,
};
use crate::{
    goal::Problem,
    recording::{Origin, Recording},
};

/// A trace that cannot be read.
#[derive(Debug, Error)]
pub enum TraceError {
    /// A file of the trace cannot be read.
    #[error("{path}: {error}")]
    Io {
        /// The file.
        path: String,
        /// Why.
        error: std::io::Error,
    },
    /// A line is not understood.
    #[error("{path}: {problem}")]
    Line {
        /// The file.
        path: String,
        /// The line and what is wrong with it.
        problem: Problem,
    },
}

/// Returns whether a file that begins with `start` is a trace: with the number of a rank and an
/// action.
pub fn is_one(start: &[u8]) -> bool {
    let start = String::from_utf8_lossy(start);
    let mut words = first_line(&start).split_whitespace();
    let rank = words.next().is_some_and(|word| word.parse::<u32>().is_ok());
    rank && words.next().is_some_and(|word| Action::named(word).is_some())
}

/// Returns whether a file that begins with `start` is a list of traces: its first line names one.
pub fn is_list(path: &Path, start: &[u8]) -> bool {
    let start = String::from_utf8_lossy(start);
    let first = place(path, first_line(&start));
    first.is_some_and(|first| beginning(&first).is_ok_and(|first| is_one(&first)))
}

/// Returns the first bytes of a file: enough to tell its kind.
///
/// # Errors
/// Returns an error if the file cannot be read.
pub(crate) fn beginning(path: &Path) -> io::Result<Vec<u8>> {
    let mut start = Vec::new();
    File::open(path)?.take(4096).read_to_end(&mut start)?;
    Ok(without_mark(&start).to_vec())
}

/// Reads a text; what is not UTF-8 in it is replaced.
///
/// # Errors
/// Returns an error if the file cannot be read.
pub(crate) fn text(path: &Path) -> io::Result<String> {
    let bytes = fs::read(path)?;
    Ok(String::from_utf8_lossy(without_mark(&bytes)).into_owned())
}

/// Returns the first line with contents; an empty one if there is none.
fn first_line(text: &str) -> &str {
    text.lines().map(str::trim).find(|line| is_content(line)).unwrap_or_default()
}

fn is_content(line: &str) -> bool {
    !line.is_empty() && !line.starts_with('#')
}

/// Returns the file that a list of traces names. The name is as it is written, or relative to the
/// list: traces are moved together with it.
fn place(list: &Path, name: &str) -> Option<PathBuf> {
    let beside = list.parent().unwrap_or(Path::new("")).join(name);
    [PathBuf::from(name), beside].into_iter().find(|place| place.is_file())
}

/// Reads a trace, or the traces that a file lists. `flops_per_s` is the rate of floating-point
/// operations.
///
/// # Errors
/// Returns an error if a file cannot be read, or the first line that is not understood.
pub fn read(path: &Path, flops_per_s: f64) -> Result<Recording, TraceError> {
    let load = |path: &Path| {
        let error = |error| TraceError::Io { path: path.display().to_string(), error };
        text(path).map_err(error)
    };
    let text = load(path)?;
    let mut reader = Reader { flops_per_s, ..Reader::default() };
    let own = path.display().to_string();
    if !is_list(path, text.as_bytes()) {
        reader.file(&own, &text)?;
        return reader.recording();
    }
    for (line, name) in (1..).zip(text.lines().map(str::trim)) {
        if is_content(name) {
            let missing = || {
                let problem = Problem { line, what: format!("there is no file `{name}`") };
                TraceError::Line { path: own.clone(), problem }
            };
            let place = place(path, name).ok_or_else(missing)?;
            reader.file(name, &load(&place)?)?;
        }
    }
    reader.recording()
}

#[derive(Default)]
struct Reader {
    flops_per_s: f64,
    sites: Vec<Site>,
    ranks: BTreeMap<u32, RankTrace>,
    /// What the actions need, with the numbers of their places.
    needs: Vec<(Needs, usize)>,
}

impl Reader {
    fn file(&mut self, name: &str, text: &str) -> Result<(), TraceError> {
        let file = intern(name);
        for (number, line) in (1..).zip(text.lines().map(str::trim)) {
            if !is_content(line) {
                continue;
            }
            self.sites.push(Site::at(file, number, 1));
            let needs = self.line(line).map_err(|what| {
                let problem = Problem { line: number, what };
                TraceError::Line { path: name.to_owned(), problem }
            })?;
            if needs != Needs::default() && self.needs.last().is_none_or(|last| last.0 != needs) {
                self.needs.push((needs, self.sites.len() - 1));
            }
        }
        Ok(())
    }

    fn line(&mut self, line: &str) -> Result<Needs, String> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let rank = words[0].parse::<u32>().ok().filter(|rank| *rank < mpi_api::run::RANKS_MAX);
        let rank = rank.ok_or_else(|| format!("`{}` is no number of a rank", words[0]))?;
        let action = words.get(1).copied().unwrap_or("");
        let site = self.sites.len() as u32 - 1;
        let trace = self.ranks.entry(rank).or_insert_with(|| RankTrace::new(rank));
        trace.act(action, &words[words.len().min(2)..], self.flops_per_s, site)
    }

    /// Ends the trace.
    ///
    /// # Errors
    /// Returns the first action that names a rank that is not there.
    fn recording(self) -> Result<Recording, TraceError> {
        let count = self.ranks.keys().next_back().map_or(0, |last| last + 1);
        for (needs, site) in self.needs {
            if let Some(what) = needs.lack(count) {
                let Site { file, line, .. } = self.sites[site];
                let problem = Problem { line, what };
                return Err(TraceError::Line { path: file.to_string(), problem });
            }
        }
        let mut traces = self.ranks;
        let calls = |rank: u32| traces.remove(&rank).map(RankTrace::finish).unwrap_or_default();
        let ranks = (0..count).map(calls).collect();
        Ok(Recording { origin: Origin::default(), sites: self.sites, ranks })
    }
}
