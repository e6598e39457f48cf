//! Private views of the working folder: each process sees its own changes only.
//!
//! A view is an overlay in a mount namespace of the process: relative and absolute paths below the
//! folder lead to it. If the system does not allow that, the process works in a copy of the folder,
//! to which it has to translate absolute paths itself ([`Substitute`]), and, if the folder is too
//! large to copy, in the folder itself.
//!
//! Along with it go private views of `/tmp` and of what processes share by name: shared memory and semaphores
//! (`/dev/shm`), message queues, and the objects of System V.

use std::{
    cell::{Cell, RefCell},
    fs,
    io::{self, Write},
    os::unix::fs::{FileTypeExt, PermissionsExt, symlink},
    path::{Path, PathBuf},
};

use rustix::{
    fs::{CWD, Mode, mkfifoat},
    mount::{MountFlags, mount},
    thread::UnshareFlags,
};

use crate::{
    lane::Lane,
    overlay::{by_number, mount_overlay, open_place, separate},
};

/// Largest size of a folder that is copied, in bytes.
const COPIED_BYTES: u64 = 256 << 20;
/// Largest number of entries of a folder that is copied.
const COPIED_ENTRIES: u64 = 20_000;

/// The folder that holds shared memory and semaphores with a name.
const SHARED_MEMORY: &str = "/dev/shm";

/// The folder that holds temporary files of all programs.
const TEMPORARY: &str = "/tmp";

/// The folders of a view's place that take changes: of the working folder, of shared memory, and of temporary files.
pub(crate) const UPPER: [&str; 3] = ["upper", "memory/upper", "temporary/upper"];

/// What a process has to do itself to be apart from others, because the system does not do it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Substitute<'a> {
    /// The process works in a copy of the working folder: absolute paths below the folder have to
    /// lead to the copy.
    Folder {
        /// The working folder.
        folder: &'a Path,
        /// Its copy, the current directory of the process.
        copy: &'a Path,
    },
    /// Folders that were there before the process cannot be renamed: [`move_folder`] does it.
    Renames,
    /// The names of shared memory, semaphores and message queues have to begin with this prefix. What
    /// the process leaves is removed.
    SharedMemory {
        /// The prefix.
        prefix: &'a str,
    },
}

/// Returns what precedes the names of shared memory of a process.
fn prefix(process: u32) -> String {
    format!("windtunnel-{process}-")
}

/// Removes shared memory, semaphores and, where their folder is mounted, message queues whose names
/// begin with a prefix.
fn remove_shared_memory(prefix: &str) {
    let folders = [SHARED_MEMORY, "/dev/mqueue"].into_iter().filter_map(|at| fs::read_dir(at).ok());
    for entry in folders.flatten().flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        // The C library marks semaphores.
        if name.strip_prefix("sem.").unwrap_or(&name).starts_with(prefix) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// The place where views of the working folder are made.
pub(crate) struct Views {
    folder: PathBuf,
    /// The folder of temporary files, if there is one outside of the working folder and of the views' place.
    temporary: Option<PathBuf>,
    /// Views that wait for a process.
    free: RefCell<Vec<Lane>>,
    /// Number of lanes that may still be found changed before each process makes a view of its own.
    patience: Cell<u32>,
    /// Number of places used so far.
    places: Cell<usize>,
    scratch: tempfile::TempDir,
}

/// Number of processes in a row that may change files before no lanes are made any more: a program that
/// writes does so in most of its executions, and a lane costs more than a view for one process.
const PATIENCE: u32 = 2;

/// Where a process has its view.
pub(crate) enum Room {
    /// A view that others use later.
    Lane(Lane),
    /// A place for a view of its own.
    Place(PathBuf),
}

/// The kind of view that a process has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum View {
    /// An overlay over the folder.
    Overlay,
    /// A copy of the folder.
    Copy,
    /// The folder itself, shared with other processes.
    Shared,
}

impl Views {
    /// Creates a place for views of the current working folder.
    ///
    /// # Errors
    /// Returns an error if there is no place for the files that processes write.
    pub(crate) fn new() -> io::Result<Self> {
        let folder = std::env::current_dir()?;
        let outside = |place: &PathBuf| {
            place.canonicalize().is_ok_and(|place| !place.starts_with(&folder) && place.is_dir())
        };
        let mut places = [std::env::temp_dir(), "/var/tmp".into(), SHARED_MEMORY.into()];
        // No view of a folder can have its place in that folder.
        if places[0].starts_with(TEMPORARY) {
            places.swap(0, 1);
        }
        let make = |place| tempfile::Builder::new().prefix("windtunnel-").tempdir_in(place);
        let made = places.into_iter().filter(outside).find_map(|place| make(place).ok());
        let scratch = made.map_or_else(|| make(std::env::temp_dir()), Ok)?;
        let is_apart = |temporary: &PathBuf| {
            !temporary.starts_with(&folder) && !scratch.path().starts_with(temporary)
        };
        let temporary = Path::new(TEMPORARY).canonicalize().ok().filter(is_apart);
        Ok(Self {
            folder,
            temporary,
            free: RefCell::default(),
            patience: Cell::new(PATIENCE),
            places: Cell::new(0),
            scratch,
        })
    }

    fn place(&self) -> PathBuf {
        let number = self.places.get();
        self.places.set(number + 1);
        self.scratch.path().join(number.to_string())
    }

    /// Returns where the next process has its view.
    pub(crate) fn room(&self) -> Room {
        if let Some(lane) = self.free.borrow_mut().pop() {
            return Room::Lane(lane);
        }
        if self.patience.get() == 0 || !self.has_folder() {
            return Room::Place(self.place());
        }
        match Lane::make(self, self.place()) {
            Ok(lane) => Room::Lane(lane),
            Err(_) => {
                self.patience.set(0);
                Room::Place(self.place())
            }
        }
    }

    /// Returns whether a view of the working folder can be made at all.
    fn has_folder(&self) -> bool {
        self.folder != Path::new("/") && !self.scratch.path().starts_with(&self.folder)
    }

    /// Moves this process to a view with all that belongs to one.
    pub(crate) fn make_all(&self, place: &Path) -> io::Result<()> {
        separate(UnshareFlags::NEWNS | UnshareFlags::NEWIPC)?;
        self.own_memory(place)?;
        self.overlay(place)
    }

    /// Moves this process to its view. `substitute` is called with what the system does not do for it.
    ///
    /// # Errors
    /// Returns an error if the process is in a part of the view only.
    pub(crate) fn enter(&self, room: &Room, substitute: fn(Substitute<'_>)) -> io::Result<View> {
        let process = std::process::id().to_string();
        let view = match room {
            Room::Lane(lane) if lane.enter(&self.folder)? => View::Overlay,
            Room::Lane(lane) => self.enter_place(&lane.place().join(process), substitute),
            Room::Place(place) => self.enter_place(place, substitute),
        };
        if view == View::Overlay {
            substitute(Substitute::Renames);
        }
        Ok(view)
    }

    fn enter_place(&self, place: &Path, substitute: fn(Substitute<'_>)) -> View {
        let apart = separate(UnshareFlags::NEWNS | UnshareFlags::NEWIPC)
            .or_else(|_| separate(UnshareFlags::NEWNS))
            .is_ok();
        if !apart || self.own_memory(place).is_err() {
            substitute(Substitute::SharedMemory { prefix: &prefix(std::process::id()) });
        }
        if !self.has_folder() {
            return View::Shared;
        }
        if apart && self.overlay(place).is_ok() {
            return View::Overlay;
        }
        if let Ok(copy) = self.copy(place) {
            substitute(Substitute::Folder { folder: &self.folder, copy: &copy });
            return View::Copy;
        }
        let _ = std::env::set_current_dir(&self.folder);
        View::Shared
    }

    fn overlay(&self, place: &Path) -> io::Result<()> {
        // The view of temporary files may hide the folder.
        let folder = open_place(&self.folder)?;
        if let Some(temporary) = &self.temporary {
            // Without it, programs still have their working folder for themselves.
            let _ = mount_overlay(temporary, temporary, &place.join("temporary"));
        }
        mount_overlay(&self.folder, &by_number(&folder), place)?;
        std::env::set_current_dir(&self.folder)
    }

    /// Mounts a file system in memory over the folder of shared memory, which shows what was there
    /// before.
    fn own_memory(&self, place: &Path) -> io::Result<()> {
        let shared = Path::new(SHARED_MEMORY);
        if self.folder.starts_with(shared) || self.scratch.path().starts_with(shared) {
            return Err(io::ErrorKind::Unsupported.into());
        }
        let place = place.join("memory");
        fs::create_dir_all(&place)?;
        mount("tmpfs", &place, "tmpfs", MountFlags::NOSUID | MountFlags::NODEV, c"mode=1777")?;
        mount_overlay(shared, shared, &place)
    }

    fn copy(&self, place: &Path) -> io::Result<PathBuf> {
        let place = place.join("copy");
        fs::create_dir_all(&place)?;
        let mut room = (COPIED_BYTES, COPIED_ENTRIES);
        copy_tree(&self.folder, &place, &mut room)?;
        std::env::set_current_dir(&place)?;
        Ok(place)
    }

    /// Ends the use of a view by a process, after copying its changes to `kept`, and removes the shared
    /// memory that it has left. `quiet` says that nothing which the process has started is still there.
    pub(crate) fn leave(&self, room: Room, process: u32, quiet: bool, kept: Option<&Path>) {
        let place = match &room {
            Room::Lane(lane) => lane.place(),
            Room::Place(place) => {
                remove_shared_memory(&prefix(process));
                place
            }
        };
        if let Some(kept) = kept {
            keep(place, kept);
        }
        match room {
            Room::Lane(lane) if quiet && lane.is_clean() => {
                self.patience.set(PATIENCE);
                self.free.borrow_mut().push(lane);
            }
            // Dropping it removes the view.
            Room::Lane(_) => self.patience.set(self.patience.get().saturating_sub(1)),
            Room::Place(place) => remove_view(&place),
        }
    }
}

/// Copies the changes in a view to a folder, and those of temporary files to one beside it.
fn keep(place: &Path, kept: &Path) {
    let mut temporary = kept.as_os_str().to_owned();
    temporary.push("-tmp");
    let [folder, _, temporary_files] = UPPER;
    let written = [(folder, kept), ("copy", kept), (temporary_files, Path::new(&temporary))];
    for (from, to) in written {
        let from = place.join(from);
        let has_entries = fs::read_dir(&from).is_ok_and(|mut entries| entries.next().is_some());
        if !has_entries {
            continue;
        }
        let done =
            fs::create_dir_all(to).and_then(|()| copy_tree(&from, to, &mut (u64::MAX, u64::MAX)));
        if let Err(error) = done {
            // Standard error may be a pipe that nobody reads any more.
            let _ =
                writeln!(io::stderr(), "note: not all files are kept in {}: {error}", to.display());
        }
    }
}

/// Removes the files of a view.
pub(crate) fn remove_view(place: &Path) {
    for place in [place, &place.join("temporary")] {
        // The overlay creates its own work folder without any permissions.
        let inner = place.join("work").join("work");
        let _ = fs::set_permissions(&inner, fs::Permissions::from_mode(0o700));
    }
    let _ = fs::remove_dir_all(place);
}

/// Renames a folder by a copy. A folder at its new place is replaced if it is empty.
///
/// # Errors
/// Returns an error if there is anything else at the new place, or not all can be copied or removed.
pub fn move_folder(from: &Path, to: &Path) -> io::Result<()> {
    match fs::remove_dir(to) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        Ok(()) | Err(_) => fs::create_dir(to)?,
    }
    copy_tree(from, to, &mut (u64::MAX, u64::MAX))?;
    fs::set_permissions(to, fs::symlink_metadata(from)?.permissions())?;
    fs::remove_dir_all(from)
}

/// Copies the contents of a folder. `room` is the remaining budget, in bytes and entries.
fn copy_tree(from: &Path, to: &Path, room: &mut (u64, u64)) -> io::Result<()> {
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (source, target) = (entry.path(), to.join(entry.file_name()));
        let details = fs::symlink_metadata(&source)?;
        let kind = details.file_type();
        let taken = if kind.is_file() { details.len() } else { 0 };
        let left = room.0.checked_sub(taken).zip(room.1.checked_sub(1));
        *room = left.ok_or(io::ErrorKind::FileTooLarge)?;
        if kind.is_dir() {
            fs::create_dir_all(&target)?;
            copy_tree(&source, &target, room)?;
            fs::set_permissions(&target, details.permissions())?;
        } else if kind.is_symlink() {
            symlink(fs::read_link(&source)?, &target)?;
        } else if kind.is_file() {
            fs::copy(&source, &target)?;
        } else if kind.is_fifo() {
            mkfifoat(CWD, &target, Mode::from_raw_mode(details.permissions().mode()))?;
        }
    }
    Ok(())
}
