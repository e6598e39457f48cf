//! Private views of the working folder: each process sees its own changes only.
//!
//! A view is an overlay in a mount namespace of the process: relative and absolute paths below the
//! folder lead to it. If the system does not allow that, the process works in a copy of the folder,
//! to which it has to translate absolute paths itself ([`Substitute`]), and, if the folder is too
//! large to copy, in the folder itself.
//!
//! Along with it goes a private view of what processes share by name: shared memory and semaphores
//! (`/dev/shm`), message queues, and the objects of System V.

use std::{
    fs, io,
    os::unix::fs::{FileTypeExt, PermissionsExt, symlink},
    path::{Path, PathBuf},
};

use rustix::{
    mount::{MountFlags, MountPropagationFlags, mount, mount_change},
    process::{getgid, getuid},
    thread::{UnshareFlags, unshare_unsafe},
};

/// Largest size of a folder that is copied, in bytes.
const COPIED_BYTES: u64 = 256 << 20;
/// Largest number of entries of a folder that is copied.
const COPIED_ENTRIES: u64 = 20_000;

/// The folder that holds shared memory and semaphores with a name.
const SHARED_MEMORY: &str = "/dev/shm";

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
    scratch: tempfile::TempDir,
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
        let places = [std::env::temp_dir(), "/var/tmp".into(), "/dev/shm".into()];
        let place = places.into_iter().find(outside).unwrap_or_else(std::env::temp_dir);
        let scratch = tempfile::Builder::new().prefix("windtunnel-").tempdir_in(place)?;
        Ok(Self { folder, scratch })
    }

    fn place(&self, number: usize) -> PathBuf {
        self.scratch.path().join(number.to_string())
    }

    /// Moves this process, which has the given number, to its view. `substitute` is called with
    /// what the system does not do for it.
    pub(crate) fn enter(&self, number: usize, substitute: fn(Substitute<'_>)) -> View {
        let apart = separate().is_ok();
        if !apart || self.own_memory(number).is_err() {
            substitute(Substitute::SharedMemory { prefix: &prefix(std::process::id()) });
        }
        if self.folder == Path::new("/") || self.scratch.path().starts_with(&self.folder) {
            return View::Shared;
        }
        if apart && self.overlay(number).is_ok() {
            return View::Overlay;
        }
        if let Ok(copy) = self.copy(number) {
            substitute(Substitute::Folder { folder: &self.folder, copy: &copy });
            return View::Copy;
        }
        let _ = std::env::set_current_dir(&self.folder);
        View::Shared
    }

    fn overlay(&self, number: usize) -> io::Result<()> {
        let place = self.place(number);
        let (upper, work) = (place.join("upper"), place.join("work"));
        fs::create_dir_all(&upper)?;
        fs::create_dir_all(&work)?;
        fs::set_permissions(&upper, fs::metadata(&self.folder)?.permissions())?;
        mount_overlay(&self.folder, &upper, &work)?;
        std::env::set_current_dir(&self.folder)
    }

    /// Mounts a file system in memory over the folder of shared memory, which shows what was there
    /// before.
    fn own_memory(&self, number: usize) -> io::Result<()> {
        let shared = Path::new(SHARED_MEMORY);
        if self.folder.starts_with(shared) || self.scratch.path().starts_with(shared) {
            return Err(io::ErrorKind::Unsupported.into());
        }
        let place = self.place(number).join("memory");
        fs::create_dir_all(&place)?;
        mount("tmpfs", &place, "tmpfs", MountFlags::NOSUID | MountFlags::NODEV, c"mode=1777")?;
        let (upper, work) = (place.join("upper"), place.join("work"));
        fs::create_dir(&upper)?;
        fs::create_dir(&work)?;
        fs::set_permissions(&upper, fs::Permissions::from_mode(0o1777))?;
        mount_overlay(shared, &upper, &work)
    }

    fn copy(&self, number: usize) -> io::Result<PathBuf> {
        let place = self.place(number).join("copy");
        fs::create_dir_all(&place)?;
        let mut room = (COPIED_BYTES, COPIED_ENTRIES);
        copy_tree(&self.folder, &place, &mut room)?;
        std::env::set_current_dir(&place)?;
        Ok(place)
    }

    /// Removes the view of a process that has ended, after copying its changes to `kept`, and the
    /// shared memory that it has left.
    pub(crate) fn leave(&self, number: usize, process: u32, kept: Option<&Path>) {
        remove_shared_memory(&prefix(process));
        let place = self.place(number);
        if let Some(kept) = kept {
            let written = [place.join("upper"), place.join("copy")];
            for from in written.iter().filter(|from| from.is_dir()) {
                let done = fs::create_dir_all(kept)
                    .and_then(|()| copy_tree(from, kept, &mut (u64::MAX, u64::MAX)));
                if let Err(error) = done {
                    eprintln!("note: not all files are kept in {}: {error}", kept.display());
                }
            }
        }
        // The overlay creates its own work folder without any permissions.
        let inner = place.join("work").join("work");
        let _ = fs::set_permissions(&inner, fs::Permissions::from_mode(0o700));
        let _ = fs::remove_dir_all(&place);
    }
}

/// Mounts an overlay over a folder.
fn mount_overlay(folder: &Path, upper: &Path, work: &Path) -> io::Result<()> {
    let text = |path: &Path| escaped(path).ok_or(io::ErrorKind::InvalidInput);
    let (lower, upper, work) = (text(folder)?, text(upper)?, text(work)?);
    let plain = format!("lowerdir={lower},upperdir={upper},workdir={work}");
    // Without privileges the overlay stores its marks in extended attributes of the user namespace.
    let mounted = [format!("{plain},userxattr"), plain].iter().any(|options| {
        let options = std::ffi::CString::new(options.as_str()).unwrap_or_default();
        mount("overlay", folder, "overlay", MountFlags::empty(), options.as_c_str()).is_ok()
    });
    if mounted { Ok(()) } else { Err(io::Error::last_os_error()) }
}

/// Moves this process to namespaces of its own, for mounts and for objects that processes share by
/// name or number. Without privileges this needs a user namespace, in which the process keeps its
/// user and group.
fn separate() -> io::Result<()> {
    let own = UnshareFlags::NEWNS | UnshareFlags::NEWIPC;
    if unshare(own).is_err() && unshare(UnshareFlags::NEWNS).is_err() {
        let (user, group) = (getuid().as_raw(), getgid().as_raw());
        unshare(own | UnshareFlags::NEWUSER)
            .or_else(|_| unshare(UnshareFlags::NEWNS | UnshareFlags::NEWUSER))?;
        fs::write("/proc/self/setgroups", "deny")?;
        fs::write("/proc/self/uid_map", format!("{user} {user} 1"))?;
        fs::write("/proc/self/gid_map", format!("{group} {group} 1"))?;
    }
    mount_change("/", MountPropagationFlags::PRIVATE | MountPropagationFlags::REC)?;
    Ok(())
}

#[allow(unsafe_code, reason = "leaves the namespaces of the parent")]
fn unshare(flags: UnshareFlags) -> rustix::io::Result<()> {
    // SAFETY: the flags change which mounts and users this process sees; no descriptor is closed,
    // and there is no other thread.
    unsafe { unshare_unsafe(flags) }
}

/// Returns a path as an option of an overlay, or `None` if it cannot be one.
fn escaped(path: &Path) -> Option<String> {
    let text = path.to_str()?;
    Some(text.replace('\\', "\\\\").replace(',', "\\,").replace(':', "\\:"))
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
            let mode = rustix::fs::Mode::from_raw_mode(details.permissions().mode());
            rustix::fs::mkfifoat(rustix::fs::CWD, &target, mode)?;
        }
    }
    Ok(())
}
