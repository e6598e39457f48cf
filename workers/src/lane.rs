//! Views that processes use one after the other.
//!
//! To make a view costs more than a short execution: namespaces, mounts, folders on a disk. Most executions
//! leave it as it was. A lane keeps the namespaces of a view after the process that made it has ended; a new
//! process enters them as long as nothing was changed, and a lane in which something was is removed.

use std::{
    ffi::CStr,
    fs, io,
    os::{
        fd::{AsFd, OwnedFd},
        unix::fs::MetadataExt,
    },
    path::{Path, PathBuf},
};

use rustix::{
    fs::{CWD, Dir, Mode, OFlags, Stat, fstat, openat},
    io::{fcntl_dupfd_cloexec, read, write},
    mount::{MountFlags, mount},
    pipe::{PipeFlags, pipe_with},
    process::{Pid, WaitOptions, waitpid},
    thread::{LinkNameSpaceType, UnshareFlags, move_into_link_name_space},
};

use crate::{
    child::{ANSWER_MIN, fork, leave},
    folder::{UPPER, Views, remove_view},
    overlay::unshare,
};

/// Namespaces of a view. The user namespace comes first: it gives the right to enter the others.
const NAMESPACES: [(&str, LinkNameSpaceType); 3] = [
    ("user", LinkNameSpaceType::User),
    ("mnt", LinkNameSpaceType::Mount),
    ("ipc", LinkNameSpaceType::InterProcessCommunication),
];

/// The tables of objects of System V.
const TABLES: [&str; 3] = ["/proc/sysvipc/shm", "/proc/sysvipc/sem", "/proc/sysvipc/msg"];

/// A view without changes. Dropping it removes its files.
pub(crate) struct Lane {
    place: PathBuf,
    namespaces: Vec<(LinkNameSpaceType, OwnedFd)>,
    /// The folders that take changes, as they were.
    upper: Vec<(OwnedFd, Times)>,
}

/// What changes with the contents of a folder.
#[derive(PartialEq, Eq)]
struct Times {
    mode: u32,
    modified: (i64, u64),
    changed: (i64, u64),
}

impl Times {
    #[allow(clippy::unnecessary_cast, reason = "types differ between processors")]
    fn of(stat: &Stat) -> Self {
        Self {
            mode: stat.st_mode as u32,
            modified: (stat.st_mtime as i64, stat.st_mtime_nsec as u64),
            changed: (stat.st_ctime as i64, stat.st_ctime_nsec as u64),
        }
    }
}

impl Lane {
    /// Creates a view in `place`, an absolute path, by a process that ends afterwards.
    ///
    /// # Errors
    /// Returns an error if the system does not allow all that belongs to a view, or does not let it outlive
    /// the process.
    pub(crate) fn make(views: &Views, place: PathBuf) -> io::Result<Self> {
        let (ready, readies) = pipe_with(PipeFlags::CLOEXEC)?;
        let (holds, hold) = pipe_with(PipeFlags::CLOEXEC)?;
        let Some(process) = fork()? else {
            drop((ready, hold));
            let made = views.make_all(&place).and_then(|()| mount_queues(&place));
            let _ = write(&readies, &[u8::from(made.is_ok())]);
            // Until the parent has what it needs, or is gone.
            let _ = read(&holds, &mut [0; 1]);
            leave(0);
        };
        drop((readies, holds));
        let mut made = [0];
        let is_made = read(&ready, &mut made).is_ok() && made == [1];
        // Removes the files of a view that is of no use.
        let mut lane = Self { place, namespaces: Vec::new(), upper: Vec::new() };
        let kept =
            if is_made { lane.keep(process) } else { Err(io::ErrorKind::Unsupported.into()) };
        drop(hold);
        while let Err(rustix::io::Errno::INTR) = waitpid(Some(process), WaitOptions::empty()) {}
        kept.map(|()| lane)
    }

    /// Opens the namespaces of the process that has made the view, and its folders.
    fn keep(&mut self, process: Pid) -> io::Result<()> {
        let root = PathBuf::from(format!("/proc/{}", process.as_raw_nonzero()));
        for (name, kind) in NAMESPACES {
            let own = fs::metadata(Path::new("/proc/self/ns").join(name))?;
            let path = root.join("ns").join(name);
            if fs::metadata(&path)?.ino() != own.ino() {
                self.namespaces
                    .push((kind, high(&openat(CWD, &path, OFlags::RDONLY, Mode::empty())?)?));
            }
        }
        let inside =
            |path: PathBuf| root.join("root").join(path.strip_prefix("/").unwrap_or(&path));
        let folders = UPPER.map(|folder| inside(self.place.join(folder)));
        // There may be none for temporary files.
        for folder in folders.iter().filter(|folder| folder.exists()) {
            let flags = OFlags::RDONLY | OFlags::DIRECTORY;
            let folder = high(&openat(CWD, folder, flags, Mode::empty())?)?;
            let times = Times::of(&fstat(&folder)?);
            self.upper.push((folder, times));
        }
        Ok(())
    }

    /// Returns the place of the view's files.
    pub(crate) fn place(&self) -> &Path {
        &self.place
    }

    /// Moves this process to the view; `folder` is the working folder. Returns `false` if the system does not
    /// let a process enter namespaces.
    ///
    /// # Errors
    /// Returns an error if the process is in a part of the view only.
    pub(crate) fn enter(&self, folder: &Path) -> io::Result<bool> {
        for (place, (kind, namespace)) in self.namespaces.iter().enumerate() {
            match move_into_link_name_space(namespace.as_fd(), Some(*kind)) {
                Err(_) if place == 0 => return Ok(false),
                moved => moved?,
            }
        }
        if self.has_objects() {
            unshare(UnshareFlags::NEWIPC)?;
        }
        std::env::set_current_dir(folder)?;
        Ok(true)
    }

    /// Returns whether earlier processes have left objects of System V or message queues.
    fn has_objects(&self) -> bool {
        // Each table has a title.
        let is_empty =
            |table| fs::read_to_string(table).is_ok_and(|text| text.lines().count() == 1);
        let queues = fs::read_dir(queues(&self.place)).map(|mut queues| queues.next().is_none());
        !TABLES.into_iter().all(is_empty) || !queues.unwrap_or(false)
    }

    /// Returns whether no process has changed a file.
    pub(crate) fn is_clean(&self) -> bool {
        let is_clean = |(folder, times): &(OwnedFd, Times)| {
            let dots: [&CStr; 2] = [c".", c".."];
            let entry = |entry: rustix::io::Result<rustix::fs::DirEntry>| {
                entry.is_ok_and(|entry| dots.contains(&entry.file_name()))
            };
            fstat(folder).is_ok_and(|stat| Times::of(&stat) == *times)
                && Dir::read_from(folder).is_ok_and(|mut entries| entries.all(entry))
        };
        self.upper.iter().all(is_clean)
    }
}

impl Drop for Lane {
    fn drop(&mut self) {
        // The mounts end with the last descriptor.
        self.upper.clear();
        self.namespaces.clear();
        remove_view(&self.place);
    }
}

fn queues(place: &Path) -> PathBuf {
    place.join("queues")
}

/// Makes the message queues of this process's namespace visible as files.
fn mount_queues(place: &Path) -> io::Result<()> {
    let queues = queues(place);
    fs::create_dir_all(&queues)?;
    Ok(mount("mqueue", &queues, "mqueue", MountFlags::empty(), None::<&CStr>)?)
}

/// Returns a copy of a descriptor above those that programs use.
fn high(descriptor: &OwnedFd) -> io::Result<OwnedFd> {
    Ok(fcntl_dupfd_cloexec(descriptor, ANSWER_MIN)?)
}
