//! Files that appear whole or not at all.

use std::{
    fs::{self, File, OpenOptions},
    io::Write,
    path::{Path, PathBuf},
};

use scenarios::error::Error;

/// A file that will be written. It is claimed before the work whose result it takes, so that a
/// path that cannot be written is told at once; until [`Destination::write`] nothing at the path
/// changes.
#[derive(Debug)]
pub(crate) struct Destination {
    path: PathBuf,
    /// Beside the path, renamed over it at the end; `None` writes to what is no plain file.
    partial: Option<PathBuf>,
}

impl Destination {
    /// Makes sure that `path` can be written.
    ///
    /// # Errors
    /// If it cannot.
    pub(crate) fn claim(path: &str) -> Result<Self, Error> {
        let fail = |error: std::io::Error| unwritable(path, &error);
        // A link stays a link: what it leads to is written.
        let real = fs::canonicalize(path).unwrap_or_else(|_| PathBuf::from(path));
        if let Ok(there) = fs::metadata(&real) {
            // Opening tells of folders and of files that are read-only.
            OpenOptions::new().append(true).open(&real).map_err(fail)?;
            if !there.is_file() {
                return Ok(Self { path: real, partial: None });
            }
        }
        let mut name = real.file_name().unwrap_or_default().to_os_string();
        if name.is_empty() {
            return Err(unwritable(path, &std::io::ErrorKind::IsADirectory.into()));
        }
        name.push(format!(".{}.part", std::process::id()));
        let partial = real.with_file_name(name);
        File::create_new(&partial).map_err(fail)?;
        Ok(Self { path: real, partial: Some(partial) })
    }

    /// Writes the file.
    ///
    /// # Errors
    /// If the disk is full, say; the path is then as it was.
    pub(crate) fn write(self, bytes: &[u8]) -> Result<(), Error> {
        let name = self.path.display().to_string();
        let target = self.partial.as_deref().unwrap_or(&self.path);
        let written = put(target, bytes).and_then(|()| match &self.partial {
            Some(partial) => fs::rename(partial, &self.path),
            None => Ok(()),
        });
        written.map_err(|error| unwritable(&name, &error))
    }
}

impl Drop for Destination {
    /// Takes away what was not finished.
    fn drop(&mut self) {
        if let Some(partial) = &self.partial {
            let _ = fs::remove_file(partial);
        }
    }
}

fn put(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let mut file = OpenOptions::new().write(true).open(path)?;
    file.write_all(bytes)?;
    file.flush()
}

fn unwritable(path: &str, error: &std::io::Error) -> Error {
    Error::BadFile { path: path.into(), reason: format!("cannot be written: {error}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_appears_only_when_it_is_whole() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("a.html");
        let name = path.to_str().expect("text");
        drop(Destination::claim(name).expect("it can be written"));
        assert_eq!(fs::read_dir(folder.path()).expect("readable").count(), 0);
        fs::write(&path, "old and longer").expect("writable");
        let claimed = Destination::claim(name).expect("it can be written");
        assert_eq!(fs::read_to_string(&path).expect("it is there"), "old and longer");
        claimed.write(b"new").expect("it can be written");
        assert_eq!(fs::read_to_string(&path).expect("it is there"), "new");
        assert_eq!(fs::read_dir(folder.path()).expect("readable").count(), 1);
    }

    #[test]
    fn what_cannot_be_written_is_told_at_once() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let inside = |name: &str| folder.path().join(name).display().to_string();
        for path in [inside("no/a.html"), inside(""), "".to_string()] {
            assert!(Destination::claim(&path).is_err(), "{path}");
        }
        Destination::claim("/dev/null").expect("it takes all").write(b"a").expect("all");
        assert!(fs::metadata("/dev/null").is_ok_and(|there| !there.is_file()));
    }
}
