//! `check --watch`: the check is run again whenever a program has been built again.

use std::{
    collections::BTreeMap,
    env, fs, io,
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
    process::Command,
    thread,
    time::Duration,
};

use scenarios::error::Error;

use crate::command::line::without;

/// Time between two looks at the folder.
const PAUSE: Duration = Duration::from_millis(200);

/// Most folders in folders that are looked into.
const DEPTH_MAX: usize = 8;

/// When a file was changed, in seconds and nanoseconds, and its size in bytes.
type State = (i64, i64, u64);

/// The programs and libraries in a folder. Other files are left out: programs write them while they are
/// checked.
#[derive(PartialEq, Eq)]
struct Built(BTreeMap<PathBuf, State>);

impl Built {
    fn of(folder: &Path) -> Self {
        let mut found = BTreeMap::new();
        gather(folder, DEPTH_MAX, &mut found);
        Self(found)
    }
}

/// Adds what is built in a folder. Files that vanish meanwhile are left out.
fn gather(folder: &Path, depth: usize, found: &mut BTreeMap<PathBuf, State>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let path = entry.path();
        let Ok(data) = fs::metadata(&path) else { continue };
        let is_link = entry.file_type().is_ok_and(|kind| kind.is_symlink());
        if data.is_dir() && !is_link && depth > 0 {
            gather(&path, depth - 1, found);
        } else if data.is_file() && (data.mode() & 0o111 != 0 || is_library(&path)) {
            found.insert(path, (data.mtime(), data.mtime_nsec(), data.len()));
        }
    }
}

fn is_library(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.ends_with(".so") || name.contains(".so.")
}

/// Runs this command line without `--watch` now, and again whenever something has been built in the
/// folder, until the process is ended from outside.
///
/// # Errors
/// Returns an error if there is no such folder, or if this program cannot be started.
pub(super) fn watch(folder: &Path) -> Result<u8, Error> {
    if !folder.is_dir() {
        return Err(Error::BadValue {
            what: "--watch".into(),
            value: folder.display().to_string(),
            allowed: "a folder in which programs are built".into(),
        });
    }
    let failed = |error: io::Error| {
        let path = env::args().next().unwrap_or_default();
        Error::BadFile { path, reason: error.to_string() }
    };
    let own = env::current_exe().map_err(failed)?;
    let words = without(env::args_os().skip(1), "check", &["watch"]);
    loop {
        let before = Built::of(folder);
        Command::new(&own).args(&words).status().map_err(failed)?;
        eprintln!("note: waiting for something to be built in {}", folder.display());
        let mut last = before;
        // A linker writes for a while: what is built is complete once it has not changed for a pause.
        let mut has_changed = false;
        loop {
            thread::sleep(PAUSE);
            let now = Built::of(folder);
            if now != last {
                (last, has_changed) = (now, true);
            } else if has_changed {
                break;
            }
        }
    }
}
