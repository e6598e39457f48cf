//! The simulated time of reading and writing files: where the simulator models it
//! ([`Host::models_files`](crate::libc::Host::models_files)), it is told of what a program does with regular files, before the
//! system does it. Nothing else of the C library knows of this.
//!
//! Streams on regular files are then streams of ours, since those of the C library read and write inside of it
//! (`open`).
#![allow(unsafe_code, reason = "asks the system about descriptors")]

use std::{
    cell::{Cell, RefCell},
    collections::BTreeMap,
    ffi::c_int,
    mem::MaybeUninit,
};

use sim_core::Site;

use crate::{
    libc::{host::FileUse, rank::Rank},
    site,
};

/// What files are called that are no files of a file system.
const OTHERS: [&str; 4] = ["/proc/", "/sys/", "/dev/", "/memfd:"];

/// The files that a rank has used.
#[derive(Default)]
struct Used {
    /// By descriptor, with what tells one file from another.
    numbers: RefCell<BTreeMap<c_int, (Identity, Option<u32>)>>,
    /// The place of the call of a stream, whose reads and writes are made inside of the C library.
    place: Cell<Option<Site>>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
struct Identity {
    device: libc::dev_t,
    inode: libc::ino_t,
}

/// A regular file of the running rank whose use takes time.
pub(super) struct Modelled<'a> {
    rank: &'a Rank,
    /// The place of the call: while the rank waits, others make calls.
    site: Site,
    file: c_int,
    number: u32,
    size: u64,
}

/// Reports whether files of a rank take time.
pub(super) fn is_on(rank: &Rank) -> bool {
    rank.host().models_files(rank.number())
}

/// Returns a regular file, if its use takes time.
pub(super) fn modelled<'a>(file: c_int) -> Option<Modelled<'a>> {
    let rank = Rank::current().filter(|rank| is_on(rank))?;
    let mut kind = MaybeUninit::<libc::stat>::uninit();
    // SAFETY: the structure is ours and is read only if the system has filled it.
    let kind = unsafe {
        if libc::fstat(file, kind.as_mut_ptr()) != 0 {
            return None;
        }
        kind.assume_init()
    };
    if kind.st_mode & libc::S_IFMT != libc::S_IFREG {
        return None;
    }
    let identity = Identity { device: kind.st_dev, inode: kind.st_ino };
    let site = rank.state::<Used>().place.get().unwrap_or_else(site::caller);
    let number = number(rank, (file, site), identity)?;
    Some(Modelled { rank, site, file, number, size: u64::try_from(kind.st_size).unwrap_or(0) })
}

/// Returns the number of a file; `None` if it is none of a file system.
fn number(rank: &Rank, (file, site): (c_int, Site), identity: Identity) -> Option<u32> {
    let used: &Used = rank.state();
    let known = used.numbers.borrow().get(&file).copied();
    if let Some((_, number)) = known.filter(|(known, _)| *known == identity) {
        return number;
    }
    let name = std::fs::read_link(format!("/proc/self/fd/{file}")).ok()?;
    let name = name.to_string_lossy();
    let stored = !OTHERS.iter().any(|other| name.starts_with(other));
    let asked = || rank.host().use_file(rank.number(), site, FileUse::Number(&name));
    let number = if stored { asked() } else { None };
    used.numbers.borrow_mut().insert(file, (identity, number));
    number
}

/// Runs what a stream of ours does, in a function of the C library that is not ours: the place of the call is not
/// known, unless it was told ([`at_once`]).
pub(super) fn in_stream<T>(body: impl FnOnce() -> T) -> T {
    placed(|| Site::NOWHERE, body)
}

/// Runs what a function of ours does, of which several steps may take time: all of them in its call.
pub(super) fn at_once<T>(body: impl FnOnce() -> T) -> T {
    placed(site::caller, body)
}

fn placed<T>(place: impl FnOnce() -> Site, body: impl FnOnce() -> T) -> T {
    let Some(rank) = Rank::current().filter(|rank| is_on(rank)) else { return body() };
    let used: &Used = rank.state();
    let before = used.place.get();
    used.place.set(Some(before.unwrap_or_else(place)));
    let done = body();
    used.place.set(before);
    done
}

/// Lets the time pass for a descriptor that was opened; returns it.
pub(super) fn opened(file: c_int) -> c_int {
    if file >= 0
        && let Some(one) = modelled(file)
    {
        one.tell(FileUse::Open);
    }
    file
}

/// Lets the time pass for a descriptor that is about to be closed: the file is stored then.
pub(super) fn closes(file: c_int) {
    let Some(one) = modelled(file) else { return };
    one.tell(FileUse::Close(one.number));
    one.rank.state::<Used>().numbers.borrow_mut().remove(&file);
}

/// Lets the time pass until a file is stored.
pub(super) fn stores(file: c_int) {
    if let Some(one) = modelled(file) {
        one.tell(FileUse::Sync(one.number));
    }
}

/// Lets the time pass for setting the size of a file.
pub(super) fn resizes(file: c_int) {
    if let Some(one) = modelled(file) {
        one.tell(FileUse::Resize);
    }
}

/// Lets the time pass for reading at a place, or at the position of the descriptor. A read takes what is there.
pub(super) fn reads(file: c_int, at: Option<libc::off_t>, bytes: usize) {
    let Some(one) = modelled(file) else { return };
    let Some(at) = at.or_else(|| one.position()).and_then(|at| u64::try_from(at).ok()) else {
        return;
    };
    let bytes = one.size.saturating_sub(at).min(bytes as u64);
    one.access(false, at, bytes);
}

/// Lets the time pass for writing at a place, or at the position of the descriptor.
pub(super) fn writes(file: c_int, at: Option<libc::off_t>, bytes: usize) {
    let Some(one) = modelled(file) else { return };
    // SAFETY: reads the flags of a descriptor.
    let flags = unsafe { libc::fcntl(file, libc::F_GETFL) };
    if flags & libc::O_ACCMODE == libc::O_RDONLY {
        return;
    }
    let at = if flags & libc::O_APPEND != 0 {
        Some(one.size)
    } else {
        at.or_else(|| one.position()).and_then(|at| u64::try_from(at).ok())
    };
    if let Some(at) = at {
        one.access(true, at, bytes as u64);
    }
}

impl Modelled<'_> {
    /// Tells the simulator what the program does.
    fn tell(&self, what: FileUse<'_>) {
        // Only a question has an answer.
        let _ = self.rank.host().use_file(self.rank.number(), self.site, what);
    }

    fn position(&self) -> Option<libc::off_t> {
        // SAFETY: a system call with integer arguments only.
        let at = unsafe { libc::lseek(self.file, 0, libc::SEEK_CUR) };
        (at >= 0).then_some(at)
    }

    fn access(&self, writes: bool, at: u64, bytes: u64) {
        if bytes > 0 {
            self.tell(FileUse::Access { file: self.number, writes, at, bytes });
        }
    }
}
