//! Pipes, with names or without, and other objects that are read and written and have another end.
#![allow(unsafe_code, reason = "calls the system")]

use std::{
    ffi::{c_char, c_int, c_short, c_uint, c_void},
    mem::MaybeUninit,
    slice,
};

use super::{
    super::{
        descriptor_timers::timers,
        errno::{Outcome, fails, keeping},
        folder,
        rank::Rank,
    },
    wait::{Ended, EndedBy, until, until_answered, wait},
};
use crate::replacement::Replacement;

/// Most parts of a `writev`, as on Linux (`IOV_MAX`).
const PARTS_MAX: usize = 1024;

/// Returns the type of a descriptor's file, as in `st_mode`: zero for an object of the system that is no file, such as that
/// of `eventfd`.
fn file_type(file: c_int) -> Option<libc::mode_t> {
    let mut kind = MaybeUninit::<libc::stat>::uninit();
    // SAFETY: the structure is ours and is read only if the system has filled it.
    unsafe {
        (libc::fstat(file, kind.as_mut_ptr()) == 0)
            .then(|| kind.assume_init_ref().st_mode & libc::S_IFMT)
    }
}

/// Reports whether other ranks may be at the other end of a descriptor: of a pipe, a socket or an event counter.
pub(in crate::libc) fn has_other_end(file: c_int) -> bool {
    matches!(file_type(file), Some(0 | libc::S_IFIFO | libc::S_IFSOCK))
}

/// Reports whether reading or writing a descriptor may block until another rank uses the other end.
pub(super) fn may_block(file: c_int) -> bool {
    // SAFETY: reads the flags of a descriptor.
    has_other_end(file) && unsafe { libc::fcntl(file, libc::F_GETFL) } & libc::O_NONBLOCK == 0
}

/// Reports whether a call of the running rank may block. What blocks at descriptors 0 to 2 of the process is not of a rank.
fn waits(file: c_int) -> bool {
    file > libc::STDERR_FILENO && Rank::current().is_some() && may_block(file)
}

/// Waits until a descriptor is ready for an event. Returns false, with `errno` set, if a signal
/// came first.
pub(super) fn ready(call: &str, file: c_int, events: c_short) -> bool {
    let ended = wait(call, None, EndedBy::NotRestarting, || {
        let mut place = libc::pollfd { fd: file, events, revents: 0 };
        // SAFETY: one structure of ours.
        (unsafe { libc::poll(&raw mut place, 1, 0) } != 0).then_some(())
    });
    if ended == Err(Ended::Interrupted) {
        fails(libc::EINTR);
    }
    ended.is_ok()
}

/// Calls the system for a descriptor that would block, until it answers; other ranks run meanwhile.
fn patiently(call: &str, file: c_int, mut attempt: impl FnMut() -> isize) -> isize {
    until_answered((call, EndedBy::NotRestarting), &[libc::EAGAIN], || {
        // The descriptor is that of the program, which may ask for its flags: no other rank runs until they are back.
        // SAFETY: reads and sets the flags of a descriptor.
        let flags = unsafe {
            let flags = libc::fcntl(file, libc::F_GETFL);
            libc::fcntl(file, libc::F_SETFL, flags | libc::O_NONBLOCK);
            flags
        };
        let answer = attempt();
        // SAFETY: as above.
        keeping(|| unsafe { libc::fcntl(file, libc::F_SETFL, flags) });
        answer
    })
}

/// Reads from a descriptor without blocking other ranks; `attempt` calls the system.
fn reads(call: &str, file: c_int, mut attempt: impl FnMut() -> isize) -> isize {
    if waits(file) {
        return patiently(call, file, attempt);
    }
    if let Some(rank) = Rank::current() {
        timers(rank).look(rank);
    }
    attempt()
}

/// Implements `read` of the system, without blocking other ranks.
pub(in crate::libc) fn read(file: c_int, bytes: *mut c_void, count: usize) -> isize {
    // SAFETY: the arguments are passed on unchanged.
    reads("read", file, || unsafe { libc::read(file, bytes, count) })
}

/// Implements `readv` of the system, without blocking other ranks.
pub(in crate::libc) fn readv(file: c_int, parts: *const libc::iovec, count: c_int) -> isize {
    // SAFETY: the arguments are passed on unchanged.
    reads("readv", file, || unsafe { libc::readv(file, parts, count) })
}

/// Implements `write` of the system, without blocking other ranks: a pipe or a socket takes what it has room for, and
/// the rest when another rank has read.
pub(in crate::libc) fn write(file: c_int, bytes: *const c_void, count: usize) -> isize {
    if !waits(file) {
        // SAFETY: the arguments are passed on unchanged.
        return unsafe { libc::write(file, bytes, count) };
    }
    write_all("write", file, bytes, count)
}

fn write_all(call: &str, file: c_int, bytes: *const c_void, count: usize) -> isize {
    let is_counter = file_type(file) == Some(0);
    let mut done = 0;
    loop {
        // SAFETY: a part of the program's bytes.
        let attempt = || unsafe { libc::write(file, bytes.byte_add(done), count - done) };
        let written = patiently(call, file, attempt);
        if written < 0 {
            return if done > 0 { done as isize } else { written };
        }
        done += written as usize;
        if done >= count || written == 0 || is_counter {
            return done as isize;
        }
    }
}

/// Implements `writev` of the system, without blocking other ranks.
pub(in crate::libc) fn writev(file: c_int, parts: *const libc::iovec, count: c_int) -> isize {
    let number = usize::try_from(count).ok().filter(|number| *number <= PARTS_MAX);
    let (Some(number), false, true) = (number, parts.is_null(), waits(file)) else {
        // SAFETY: the arguments are passed on unchanged.
        return unsafe { libc::writev(file, parts, count) };
    };
    // One write: what others write does not come between the parts.
    // SAFETY: the program passes that many parts.
    let bytes = unsafe { joined(parts, number) };
    write_all("writev", file, bytes.as_ptr().cast(), bytes.len())
}

/// Returns the bytes of all parts.
///
/// # Safety
/// There are that many parts, each with as many bytes as it says.
pub(super) unsafe fn joined(parts: *const libc::iovec, number: usize) -> Vec<u8> {
    let mut bytes: Vec<u8> = Vec::new();
    for at in 0..number {
        // SAFETY: guaranteed by the caller.
        unsafe {
            let part = parts.add(at).read();
            if part.iov_len > 0 {
                bytes.extend_from_slice(slice::from_raw_parts(part.iov_base.cast(), part.iov_len));
            }
        }
    }
    bytes
}

/// Adds to an event counter (`eventfd_write`).
extern "C-unwind" fn add_events(file: c_int, value: u64) -> c_int {
    let written = write(file, (&raw const value).cast(), size_of::<u64>());
    if written == size_of::<u64>() as isize { 0 } else { -1 }
}

/// Takes the value of an event counter (`eventfd_read`).
unsafe extern "C-unwind" fn take_events(file: c_int, place: *mut u64) -> c_int {
    let got = read(file, place.cast(), size_of::<u64>());
    if got == size_of::<u64>() as isize { 0 } else { -1 }
}

pub(super) fn waiting() -> Vec<Replacement> {
    vec![
        ("eventfd_read", take_events as *const () as usize),
        ("eventfd_write", add_events as *const () as usize),
    ]
}

/// Calls a function with the path that a path of the program leads to, relative to a folder.
fn at<T: Outcome>(folder: c_int, path: *const c_char, body: impl FnOnce(*const c_char) -> T) -> T {
    if folder::is_elsewhere(folder, path) { body(path) } else { folder::with(path, body) }
}

/// Reports whether a path, relative to a folder, is a named pipe.
pub(in crate::libc) fn is_pipe(folder: c_int, path: *const c_char) -> bool {
    if path.is_null() {
        return false;
    }
    let mut kind = MaybeUninit::<libc::stat>::uninit();
    // SAFETY: the program passes a C string; the structure is read only if the system has filled
    // it.
    unsafe {
        at(folder, path, |path| libc::fstatat(folder, path, kind.as_mut_ptr(), 0)) == 0
            && kind.assume_init_ref().st_mode & libc::S_IFMT == libc::S_IFIFO
    }
}

/// Opens a named pipe, which waits for a process at the other end unless `flags` say otherwise.
pub(in crate::libc) fn open_pipe(
    folder: c_int,
    path: *const c_char,
    flags: c_int,
    mode: c_uint,
) -> c_int {
    let open = || {
        let flags = flags | libc::O_NONBLOCK;
        // SAFETY: the arguments are passed on unchanged, without blocking.
        at(folder, path, |path| unsafe { libc::openat(folder, path, flags, mode) })
    };
    let waits = flags & libc::O_NONBLOCK == 0;
    let file = match flags & libc::O_ACCMODE {
        libc::O_WRONLY if waits => {
            until_answered(("open", EndedBy::NotRestarting), &[libc::ENXIO], open)
        }
        libc::O_RDONLY if waits => {
            let file = open();
            if file >= 0 {
                until("open", || has_writer(file).then_some(()));
            }
            file
        }
        _ => open(),
    };
    if file >= 0 && waits {
        // SAFETY: the descriptor was opened just now.
        unsafe { libc::fcntl(file, libc::F_SETFL, flags & !libc::O_NONBLOCK) };
    }
    file
}

/// Reports whether a pipe has a writer or data, without reading from it.
fn has_writer(file: c_int) -> bool {
    let mut ends = [0; 2];
    // SAFETY: a pipe of ours, closed at once.
    unsafe {
        if libc::pipe(ends.as_mut_ptr()) != 0 {
            return true;
        }
        let copied = libc::tee(file, ends[1], 1, libc::SPLICE_F_NONBLOCK);
        ends.iter().for_each(|end| {
            libc::close(*end);
        });
        copied != 0
    }
}
