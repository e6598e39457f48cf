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

use std::{collections::BTreeMap, fs, path::Path};

use sim_core::{Site, intern};
use thiserror::Error;

use self::{action::Needs, rank::RankTrace};
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

/// Returns whether a text begins as a trace does: with the number of a rank and an action.
pub fn is_one(text: &[u8]) -> bool {
    let start = String::from_utf8_lossy(&text[..text.len().min(4096)]);
    let Some(first) = start.lines().map(str::trim).find(|line| is_content(line)) else {
        return false;
    };
    let mut words = first.split_whitespace();
    let rank = words.next().is_some_and(|word| word.parse::<u32>().is_ok());
    rank && words.next().is_some_and(action::is_known)
}

fn is_content(line: &str) -> bool {
    !line.is_empty() && !line.starts_with('#')
}

/// Returns the files of a text that lists traces, if it is such a list beside this path: each line
/// names a file that is there.
fn listed<'a>(path: &Path, text: &'a str) -> Option<Vec<(&'a str, std::path::PathBuf)>> {
    let folder = path.parent().unwrap_or(Path::new(""));
    let place = |name: &'a str| {
        // As it is written, or beside the list: traces are moved together.
        let places = [Path::new(name).to_path_buf(), folder.join(name)];
        let found = places.into_iter().find(|place| place.is_file())?;
        Some((name, found))
    };
    let lines = text.lines().map(str::trim).filter(|line| is_content(line));
    let files: Option<Vec<_>> = lines.map(place).collect();
    files.filter(|files| !files.is_empty())
}

/// Returns whether a file is a list of traces.
pub fn is_list(path: &Path, text: &[u8]) -> bool {
    let text = String::from_utf8_lossy(&text[..text.len().min(1 << 20)]);
    listed(path, &text).is_some_and(|files| fs::read(&files[0].1).is_ok_and(|first| is_one(&first)))
}

/// Reads a trace, or the traces that a file lists. `flops_per_s` is the rate of floating-point
/// operations.
///
/// # Errors
/// Returns an error if a file cannot be read, or the first line that is not understood.
pub fn read(path: &Path, flops_per_s: f64) -> Result<Recording, TraceError> {
    let load = |path: &Path| {
        let error = |error| TraceError::Io { path: path.display().to_string(), error };
        fs::read(path).map_err(error).map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
    };
    let text = load(path)?;
    let mut reader = Reader { flops_per_s, ..Reader::default() };
    match listed(path, &text) {
        Some(files) => {
            for (name, place) in files {
                reader.file(name, &load(&place)?)?;
            }
        }
        None => reader.file(&path.display().to_string(), &text)?,
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
