//! Pipes, with names or without, and other objects that are read and written and have another end.
#![allow(unsafe_code, reason = "calls the system")]

use std::{
    ffi::{c_int, c_short, c_uint, c_void},
    mem::MaybeUninit,
};

use super::{
    super::{descriptor_timers::timers, errno::fails, folder, rank::Rank},
    wait::{Ended, EndedBy, until, until_answered, wait},
};

/// Reports whether other ranks may be at the other end of a descriptor, so that reading or writing
/// it may block: a pipe, a socket or an event counter.
pub(super) fn may_block(file: c_int) -> bool {
    let mut kind = MaybeUninit::<libc::stat>::uninit();
    // SAFETY: the structure is ours and is read only if the system has filled it.
    let mode = unsafe {
        if libc::fstat(file, kind.as_mut_ptr()) != 0 {
            return false;
        }
        kind.assume_init_ref().st_mode & libc::S_IFMT
    };
    // SAFETY: reads the flags of a descriptor.
    let flags = unsafe { libc::fcntl(file, libc::F_GETFL) };
    // A descriptor without a file type is an object of the system, such as that of `eventfd`.
    matches!(mode, 0 | libc::S_IFIFO | libc::S_IFSOCK) && flags & libc::O_NONBLOCK == 0
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

/// Implements `read` of the system, without blocking other ranks.
pub(in crate::libc) fn read(file: c_int, bytes: *mut c_void, count: usize) -> isize {
    let rank = Rank::current();
    let shared = file > libc::STDERR_FILENO && rank.is_some() && may_block(file);
    if let Some(rank) = rank.filter(|_| !shared) {
        timers(rank).look(rank);
    }
    if shared && !ready("read", file, libc::POLLIN) {
        return -1;
    }
    // SAFETY: the arguments are passed on unchanged.
    unsafe { libc::read(file, bytes, count) }
}

/// Implements `write` of the system, without blocking other ranks: in portions that a ready pipe
/// accepts.
pub(in crate::libc) fn write(file: c_int, bytes: *const c_void, count: usize) -> isize {
    let shared = file > libc::STDERR_FILENO && Rank::current().is_some() && may_block(file);
    if !shared {
        // SAFETY: the arguments are passed on unchanged.
        return unsafe { libc::write(file, bytes, count) };
    }
    let mut done = 0;
    loop {
        if !ready("write", file, libc::POLLOUT) {
            return if done > 0 { done as isize } else { -1 };
        }
        let part = (count - done).min(libc::PIPE_BUF);
        // SAFETY: a part of the program's bytes.
        let written = unsafe { libc::write(file, bytes.byte_add(done), part) };
        if written < 0 {
            return if done > 0 { done as isize } else { written };
        }
        done += written as usize;
        if done >= count {
            return done as isize;
        }
    }
}

/// Reports whether a path is a named pipe and opening it may block.
pub(in crate::libc) fn is_pipe(path: *const std::ffi::c_char, flags: c_int) -> bool {
    if path.is_null() || flags & libc::O_NONBLOCK != 0 || flags & libc::O_ACCMODE == libc::O_RDWR {
        return false;
    }
    let mut kind = MaybeUninit::<libc::stat>::uninit();
    // SAFETY: the program passes a C string; the structure is read only if the system has filled
    // it.
    unsafe {
        folder::with(path, |path| libc::stat(path, kind.as_mut_ptr())) == 0
            && kind.assume_init_ref().st_mode & libc::S_IFMT == libc::S_IFIFO
    }
}

/// Opens a named pipe, which waits for a process at the other end.
pub(in crate::libc) fn open_pipe(
    path: *const std::ffi::c_char,
    flags: c_int,
    mode: c_uint,
) -> c_int {
    // SAFETY: the arguments are passed on unchanged, without blocking.
    let open =
        || folder::with(path, |path| unsafe { libc::open(path, flags | libc::O_NONBLOCK, mode) });
    let file = if flags & libc::O_ACCMODE == libc::O_WRONLY {
        until_answered(("open", EndedBy::NotRestarting), &[libc::ENXIO], open)
    } else {
        let file = open();
        if file >= 0 {
            until("open", || has_writer(file).then_some(()));
        }
        file
    };
    if file >= 0 {
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
