//! Redirects output of ranks to files, as launchers do with `-outfile-pattern`.

use std::{
    collections::{BTreeMap, btree_map::Entry},
    fs::File,
    io::{self, Write},
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

use guest::libc::Stream;

/// A file name pattern with placeholders for rank, group and node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern(PathBuf);

/// The values of a rank that replace the placeholders of a [`Pattern`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Writer {
    /// Rank in its `MPI_COMM_WORLD`.
    pub(super) rank: u32,
    /// Number of its `MPI_COMM_WORLD`: 0 for the launcher's, then those of spawned programs in
    /// order.
    pub(super) group: u32,
    /// Number of its node.
    pub(super) node: u32,
}

impl Pattern {
    /// Parses a file name in which `%r` stands for the rank, `%g` for the group of processes
    /// started together, `%p` for the number of the node, `%h` for its name, and `%%` for a percent
    /// sign. Relative names are relative to the current working folder.
    ///
    /// # Errors
    /// If another letter follows a percent sign, or the text is empty. The error says so.
    pub fn new(text: &str) -> Result<Self, String> {
        if text.is_empty() {
            return Err("the name of a file".into());
        }
        let mut letters = text.chars();
        while let Some(letter) = letters.next() {
            if letter == '%' && !matches!(letters.next(), Some('r' | 'g' | 'p' | 'h' | '%')) {
                return Err("the name of a file with %r (rank), %g (group), %p (number of the \
                            node), %h (its name) or %%"
                    .into());
            }
        }
        // The path is made absolute, because ranks may change their working folder.
        let path = std::path::absolute(text).map_err(|error| error.to_string())?;
        Ok(Self(path))
    }

    /// Returns the file of all ranks, if the pattern has no placeholder.
    pub fn common(&self) -> Option<PathBuf> {
        let [one, other] =
            [0, 1].map(|number| self.path(Writer { rank: number, group: number, node: number }));
        (one == other).then_some(one)
    }

    fn path(&self, writer: Writer) -> PathBuf {
        let text = self.0.to_string_lossy();
        let mut parts = text.split('%');
        let mut name = parts.next().unwrap_or_default().to_string();
        while let Some(part) = parts.next() {
            match part.chars().next() {
                Some('r') => name.push_str(&writer.rank.to_string()),
                Some('g') => name.push_str(&writer.group.to_string()),
                Some('p') => name.push_str(&writer.node.to_string()),
                Some('h') => name.push_str(&format!("node{}", writer.node)),
                // A doubled percent sign: the text after it is literal.
                _ => {
                    name.push('%');
                    name.push_str(parts.next().unwrap_or_default());
                    continue;
                }
            }
            name.push_str(&part[1..]);
        }
        name.into()
    }
}

/// The files that replace standard output and standard error of the ranks.
#[derive(Debug, Default)]
pub struct OutputFiles {
    /// Files for standard output; `None` prints it.
    pub output: Option<Pattern>,
    /// Files for standard error; `None` prints it.
    pub error: Option<Pattern>,
    opened: Mutex<BTreeMap<PathBuf, File>>,
}

impl OutputFiles {
    /// Creates the redirection; a stream without a pattern is printed.
    pub fn new(output: Option<Pattern>, error: Option<Pattern>) -> Self {
        Self { output, error, opened: Mutex::default() }
    }

    /// Starts a run: existing files are overwritten.
    pub(super) fn begin(&self) {
        self.opened.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// Writes to the file of this rank and stream. `None` if the stream is printed instead.
    pub(super) fn write(
        &self,
        writer: Writer,
        stream: Stream,
        text: &[u8],
    ) -> Option<Result<(), String>> {
        let pattern = match stream {
            Stream::Output => self.output.as_ref(),
            Stream::Error => self.error.as_ref(),
        }?;
        let path = pattern.path(writer);
        let told = |error: io::Error| format!("{}: {error}", path.display());
        Some(self.append(&path, text).map_err(told))
    }

    fn append(&self, path: &Path, text: &[u8]) -> io::Result<()> {
        let mut opened = self.opened.lock().unwrap_or_else(PoisonError::into_inner);
        let file = match opened.entry(path.to_path_buf()) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(place) => place.insert(File::create(path)?),
        };
        file.write_all(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_name_a_file_for_each_rank() {
        let writer = Writer { rank: 3, group: 1, node: 12 };
        let named = |text: &str| Pattern::new(text).map(|pattern| pattern.path(writer));
        assert_eq!(named("/a/out.%g.%r"), Ok("/a/out.1.3".into()));
        assert_eq!(named("/a/%h-%p%r"), Ok("/a/node12-123".into()));
        assert_eq!(named("/a/100%%r%r%%"), Ok("/a/100%r3%".into()));
        assert_eq!(named("/a/plain"), Ok("/a/plain".into()));
        for wrong in ["", "%", "/a/%x", "/a/b%", "%%%"] {
            assert!(named(wrong).is_err(), "{wrong}");
        }
    }
}
