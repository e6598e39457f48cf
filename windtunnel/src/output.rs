//! Standard output, and files that appear complete or not at all.

use std::{
    fmt,
    fs::{self, File, OpenOptions},
    io::{self, BufWriter, Read, Write},
    path::{Path, PathBuf},
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

use scenarios::error::Error;

/// Replaces the macro of the standard library in this crate: that one panics if standard output is
/// full.
macro_rules! print {
    ($($text:tt)*) => { $crate::output::say(format_args!($($text)*), "") };
}

/// Like `print`, with a line end.
macro_rules! println {
    () => { $crate::output::say(format_args!(""), "\n") };
    ($($text:tt)*) => { $crate::output::say(format_args!($($text)*), "\n") };
}

/// Replaces the macro of the standard library in this crate: that one panics if nobody reads
/// standard error.
macro_rules! eprintln {
    ($($text:tt)*) => { $crate::output::note(format_args!($($text)*)) };
}

/// Whether files will be written after standard output.
static WRITES_FILES: AtomicBool = AtomicBool::new(false);

/// Writes to standard output. Ends the process with code 2 if that fails because it is full. If its
/// reader has closed early, the text is dropped where files are still to be written.
pub(crate) fn say(text: fmt::Arguments, end: &str) {
    let mut out = io::stdout().lock();
    let written = out.write_fmt(text).and_then(|()| out.write_all(end.as_bytes()));
    if let Err(error) = written
        && !(is_unread(&error) && WRITES_FILES.load(Ordering::Relaxed))
    {
        full(&error);
    }
}

/// Writes a line to standard error, if anybody reads it.
pub(crate) fn note(text: fmt::Arguments) {
    let _ = writeln!(io::stderr().lock(), "{text}");
}

/// Restores the default action of `SIGPIPE`: a reader that closes early, such as `head`, ends this
/// process silently, like any other. [`Destination::claim`] ends that.
#[allow(unsafe_code, reason = "sets the disposition of a signal")]
pub(crate) fn end_quietly_when_nobody_reads() {
    // SAFETY: no other thread has started yet.
    unsafe { libc::signal(libc::SIGPIPE, libc::SIG_DFL) };
}

/// Has this process go on when nobody reads its output any more, since it is to write files. The commands that
/// it starts get the default action back from [`std::process::Command`].
#[allow(unsafe_code, reason = "sets the disposition of a signal")]
fn go_on_when_nobody_reads() {
    if !WRITES_FILES.swap(true, Ordering::Relaxed) {
        // SAFETY: ignoring a signal calls no code.
        unsafe { libc::signal(libc::SIGPIPE, libc::SIG_IGN) };
    }
}

/// The exit code that shells give a process which `SIGPIPE` ended.
const NOBODY_READS: i32 = 128 + libc::SIGPIPE;

/// Ends the process because its output cannot be written, silently if its reader has closed early, such as `head`:
/// commands that supervise other processes ignore the signal.
pub(crate) fn full(error: &io::Error) -> ! {
    if is_unread(error) {
        std::process::exit(NOBODY_READS);
    }
    eprintln!("error: standard output cannot be written: {error}");
    std::process::exit(2)
}

fn is_unread(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::BrokenPipe
}

/// Endings of pictures in other formats than SVG.
const OTHER_PICTURES: [&str; 8] = ["png", "jpg", "jpeg", "gif", "webp", "pdf", "eps", "ps"];

/// The files that this process will write.
static CLAIMED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// A file that one output of this process has for itself, by the path that it really has, until this is dropped.
#[derive(Debug)]
pub(crate) struct Claim(PathBuf);

impl Claim {
    /// Claims the file at `path`, which need not be there.
    ///
    /// # Errors
    /// Returns an error if it is claimed already: what is written first would be lost.
    pub(crate) fn of(path: &Path) -> Result<Self, Error> {
        let real = real_path(path);
        let mut claimed = CLAIMED.lock().unwrap_or_else(PoisonError::into_inner);
        if claimed.contains(&real) {
            return Err(Error::BadValue {
                what: "an output".into(),
                value: path.display().to_string(),
                allowed: "a file of its own for each output".into(),
            });
        }
        claimed.push(real.clone());
        Ok(Self(real))
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        let mut claimed = CLAIMED.lock().unwrap_or_else(PoisonError::into_inner);
        claimed.retain(|path| *path != self.0);
    }
}

/// Returns the path of a file without symbolic links, also of a file that is not there yet.
fn real_path(path: &Path) -> PathBuf {
    let folder = || {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let real = fs::canonicalize(folder.unwrap_or(Path::new("."))).ok()?;
        Some(real.join(path.file_name()?))
    };
    fs::canonicalize(path).ok().or_else(folder).unwrap_or_else(|| path.to_path_buf())
}

/// A file that will be written. It is claimed before the work whose result it takes, so that an
/// unwritable path is reported at once. Nothing at the path changes until [`Destination::write`].
#[derive(Debug)]
pub(crate) struct Destination {
    path: PathBuf,
    /// Temporary file beside the path, renamed to it at the end, of a file that only this output has; `None` if the path
    /// is not a regular file and is written directly.
    partial: Option<(PathBuf, Claim)>,
}

impl Destination {
    /// Checks that `path` can be written. From now on this process goes on when nobody reads its output.
    ///
    /// # Errors
    /// Returns an error if it cannot, or is that of another output of this process.
    pub(crate) fn claim(path: &str) -> Result<Self, Error> {
        let fail = |error: std::io::Error| unwritable(path, &error);
        if path == "-" {
            let reason = "a file needs a name: standard output has the results (`./-` is a file of this name)";
            return Err(Error::BadFile { path: path.into(), reason: reason.into() });
        }
        go_on_when_nobody_reads();
        // A symbolic link is kept, and its target is written.
        let real = real_path(Path::new(path));
        if let Ok(there) = fs::metadata(&real) {
            // Opening fails for folders and for read-only files.
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
        // The temporary file is removed at once, so that a killed process leaves nothing behind.
        File::create_new(&partial).and_then(|_| fs::remove_file(&partial)).map_err(fail)?;
        let claim = Claim::of(Path::new(path))?;
        Ok(Self { path: real, partial: Some((partial, claim)) })
    }

    /// Like [`Destination::claim`], for a file that may replace only a file of the same kind,
    /// recognised by one of `beginnings`.
    ///
    /// # Errors
    /// Returns an error if the path cannot be written, or a file of another kind exists there.
    pub(crate) fn claim_of_kind(path: &str, beginnings: &[&[u8]]) -> Result<Self, Error> {
        let claimed = Self::claim(path)?;
        let mut start = Vec::new();
        if claimed.partial.is_some() && claimed.path.exists() {
            let file = File::open(&claimed.path).map_err(|error| unwritable(path, &error))?;
            file.take(64).read_to_end(&mut start).map_err(|error| unwritable(path, &error))?;
        }
        let same = |beginning: &&[u8]| start.starts_with(beginning);
        if start.is_empty() || beginnings.iter().any(same) {
            return Ok(claimed);
        }
        let reason = "is there already and is something else: it is not overwritten".into();
        Err(Error::BadFile { path: path.into(), reason })
    }

    /// Like [`Destination::claim_of_kind`], for a picture in SVG, if a path is given.
    ///
    /// # Errors
    /// The same as [`Destination::claim_of_kind`], and an error for a name with the ending of another format.
    pub(crate) fn claim_picture(path: Option<&str>) -> Result<Option<Self>, Error> {
        let ending = path.and_then(|path| Path::new(path).extension()?.to_str());
        let is_other =
            |ending: &str| OTHER_PICTURES.contains(&ending.to_ascii_lowercase().as_str());
        if let Some((path, _)) = path.zip(ending).filter(|(_, ending)| is_other(ending)) {
            let reason = "pictures are written as SVG: give it a name that ends in .svg".into();
            return Err(Error::BadFile { path: path.into(), reason });
        }
        Self::claim_if_asked(path, &[b"<svg", b"<?xml"])
    }

    /// Like [`Destination::claim_of_kind`], if a path is given.
    ///
    /// # Errors
    /// The same as [`Destination::claim_of_kind`].
    pub(crate) fn claim_if_asked(
        path: Option<&str>,
        beginnings: &[&[u8]],
    ) -> Result<Option<Self>, Error> {
        path.map(|path| Self::claim_of_kind(path, beginnings)).transpose()
    }

    /// Writes the file.
    ///
    /// # Errors
    /// Returns an error if writing fails, for example because the disk is full; the path is then
    /// unchanged.
    pub(crate) fn write(self, bytes: &[u8]) -> Result<(), Error> {
        self.write_with(|out| out.write_all(bytes))
    }

    /// Like [`Destination::write`], with what `fill` writes.
    ///
    /// # Errors
    /// The same as [`Destination::write`].
    pub(crate) fn write_with(
        self,
        fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Error> {
        let name = self.path.display().to_string();
        let target = self.partial.as_ref().map_or(&self.path, |(partial, _)| partial);
        let written = put(target, fill).and_then(|()| match &self.partial {
            Some((partial, _)) => fs::rename(partial, &self.path),
            None => Ok(()),
        });
        written.map_err(|error| unwritable(&name, &error))
    }
}

impl Drop for Destination {
    /// Removes an incomplete temporary file.
    fn drop(&mut self) {
        if let Some((partial, _)) = &self.partial {
            let _ = fs::remove_file(partial);
        }
    }
}

fn put(path: &Path, fill: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let file = OpenOptions::new().write(true).create(true).truncate(true).open(path)?;
    let mut file = BufWriter::new(file);
    fill(&mut file)?;
    file.flush()
}

fn unwritable(path: &str, error: &std::io::Error) -> Error {
    Error::BadFile { path: path.into(), reason: format!("cannot be written: {error}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_output_has_a_file_of_its_own() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("out");
        let name = |path: &Path| path.to_str().expect("UTF-8").to_owned();
        let link = folder.path().join("link");
        std::os::unix::fs::symlink(&path, &link).expect("a link");
        let first = Destination::claim(&name(&path)).expect("free");
        let around = folder.path().join(".").join("out");
        for again in [&path, &around] {
            assert!(Destination::claim(&name(again)).is_err(), "{again:?}");
        }
        first.write(b"first").expect("space");
        let by_link = Destination::claim(&name(&link)).expect("free again");
        assert!(Claim::of(&path).is_err());
        drop(by_link);
        assert!(Claim::of(&path).is_ok());
        for _ in 0..2 {
            let thrown_away = Destination::claim("/dev/null").expect("writable");
            thrown_away.write(b"text").expect("no end of space");
        }
    }

    #[test]
    fn a_file_appears_only_when_it_is_whole() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("a.html");
        let name = path.to_str().expect("text");
        let claimed = Destination::claim(name).expect("it can be written");
        assert_eq!(fs::read_dir(folder.path()).expect("readable").count(), 0);
        drop(claimed);
        fs::write(&path, "old and longer").expect("writable");
        let claimed = Destination::claim(name).expect("it can be written");
        assert_eq!(fs::read_to_string(&path).expect("it is there"), "old and longer");
        claimed.write(b"new").expect("it can be written");
        assert_eq!(fs::read_to_string(&path).expect("it is there"), "new");
        assert_eq!(fs::read_dir(folder.path()).expect("readable").count(), 1);
    }

    #[test]
    fn a_file_of_another_kind_stays() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("a");
        let name = path.to_str().expect("text");
        let claim = || Destination::claim_of_kind(name, &[b"<!DOCTYPE", b"["]);
        assert!(claim().is_ok());
        for (text, expected) in
            [("", true), ("<!DOCTYPE html>", true), ("[]", true), ("int", false)]
        {
            fs::write(&path, text).expect("writable");
            assert_eq!(claim().is_ok(), expected, "{text}");
        }
        assert!(claim_null().is_ok());
    }

    fn claim_null() -> Result<Destination, Error> {
        Destination::claim_of_kind("/dev/null", &[b"<"])
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
