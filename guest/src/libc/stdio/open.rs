//! Functions that open, redirect and close streams.
#![allow(unsafe_code, reason = "speaks with stdio of the host's libc")]

use std::{
    ffi::{CStr, c_char, c_int},
    ptr,
};

use super::{
    File, close_files, descriptor, descriptor_of, duplicate, fileno, is_shared, modelled,
    on_descriptor, own_input, renew_input, stream_of_ours, streams, system,
};
use crate::{
    libc::{
        device,
        errno::{fails, if_failed},
        folder,
        rank::Rank,
        system as shared,
        thread::parking,
    },
    replacement::Replacement,
};

/// Records a stream that the library has opened for the program.
fn opened(file: File) -> File {
    if let (Some(rank), false) = (Rank::current(), file.is_null()) {
        streams(rank).files.borrow_mut().insert(file as usize);
        // SAFETY: an open stream.
        descriptor::adopt(unsafe { fileno(file) });
    }
    file
}

/// Creates a stream on a descriptor of the rank.
fn opened_on(rank: &Rank, descriptor: c_int, mode: *const c_char) -> File {
    // SAFETY: the program passes a C string.
    let file = on_descriptor(descriptor, unsafe { CStr::from_ptr(mode) });
    if !file.is_null() {
        streams(rank).own.borrow_mut().push((file as usize, descriptor));
    }
    file
}

/// Creates a stream on a new descriptor: one of ours if its file takes simulated time.
fn stream_on(rank: &Rank, number: c_int, mode: *const c_char) -> File {
    if number < 0 {
        return ptr::null_mut();
    }
    let of_process = system::asked(number);
    if of_process == number && modelled::modelled(of_process).is_none() {
        // SAFETY: the program passes a C string.
        return opened(unsafe { libc::fdopen(number, mode) });
    }
    // SAFETY: as above.
    let file = stream_of_ours(number, unsafe { CStr::from_ptr(mode) }, true);
    if file.is_null() {
        system::close(number);
    } else {
        streams(rank).own.borrow_mut().push((file as usize, number));
    }
    file
}

pub(super) unsafe extern "C" fn fopen(path: *const c_char, mode: *const c_char) -> File {
    // SAFETY: the arguments are passed on.
    if_failed(|| unsafe { open_stream(path, mode) })
}

/// Opens a file for the running rank.
///
/// # Safety
/// Both are C strings.
unsafe fn open_stream(path: *const c_char, mode: *const c_char) -> File {
    if let (Some(rank), Some(known)) = (Rank::current(), duplicate::named(path)) {
        let descriptor = duplicate::duplicate(rank, known, 0);
        return if descriptor < 0 { ptr::null_mut() } else { opened_on(rank, descriptor, mode) };
    }
    // SAFETY: the program passes a C string.
    let flags = flags(unsafe { CStr::from_ptr(mode) }.to_bytes());
    if let (Some(rank), true) = (Rank::current(), shared::is_pipe(libc::AT_FDCWD, path)) {
        let descriptor = descriptor::opened(shared::open_pipe(libc::AT_FDCWD, path, flags, 0));
        return if descriptor < 0 { ptr::null_mut() } else { opened_on(rank, descriptor, mode) };
    }
    // SAFETY: as above.
    let known = matches!(unsafe { mode.read() } as u8, b'r' | b'w' | b'a');
    if let Some(rank) = Rank::current().filter(|rank| known && modelled::is_on(rank)) {
        // SAFETY: the program vouches for the path.
        let descriptor = unsafe { system::open(path, flags, 0o666) };
        return stream_on(rank, descriptor, mode);
    }
    // SAFETY: the arguments are passed on unchanged.
    let file = opened(device::with(path, |path| unsafe { libc::fopen(path, mode) }));
    if !file.is_null() {
        parking::after_opening(flags);
    }
    file
}

extern "C" fn tmpfile() -> File {
    // SAFETY: a call without arguments.
    opened(unsafe { libc::tmpfile() })
}

/// Reports whether a descriptor of the process may be used as a mode of `fdopen` says.
fn allows(descriptor: c_int, mode: *const c_char) -> bool {
    // SAFETY: the program passes a C string.
    let wanted = flags(unsafe { CStr::from_ptr(mode) }.to_bytes()) & libc::O_ACCMODE;
    // SAFETY: reads the flags of a descriptor.
    let access = unsafe { libc::fcntl(descriptor, libc::F_GETFL) } & libc::O_ACCMODE;
    access == libc::O_RDWR || access == wanted
}

pub(super) unsafe extern "C" fn fdopen(descriptor: c_int, mode: *const c_char) -> File {
    match Rank::current() {
        Some(rank) if !descriptor::descriptors(rank).is_the_systems(descriptor) => {
            if descriptor::descriptors(rank).is_closed(descriptor) {
                fails(libc::EBADF);
                return ptr::null_mut();
            }
            opened_on(rank, descriptor, mode)
        }
        Some(rank) if modelled::modelled(descriptor).is_some() => stream_on(rank, descriptor, mode),
        // A stream of the library would wait in it for the other end, and so would all ranks.
        Some(rank) if shared::has_other_end(descriptor) => {
            if !allows(descriptor, mode) {
                fails(libc::EINVAL);
                return ptr::null_mut();
            }
            opened_on(rank, descriptor, mode)
        }
        // SAFETY: the arguments are passed on unchanged.
        _ => opened(unsafe { libc::fdopen(descriptor, mode) }),
    }
}

/// Implements `fclose`; a stream that other ranks share stays open for them.
pub(super) extern "C" fn fclose(file: File) -> c_int {
    let Some(descriptor) = descriptor_of(file) else {
        if let Some(rank) = Rank::current() {
            streams(rank).files.borrow_mut().remove(&(file as usize));
        }
        // SAFETY: the arguments are passed on unchanged.
        unsafe {
            descriptor::forget(fileno(file));
            return libc::fclose(file);
        }
    };
    modelled::at_once(|| close_own(file, descriptor))
}

/// Closes a stream on a descriptor that only the rank has, or that ranks share.
fn close_own(file: File, descriptor: c_int) -> c_int {
    // The program may still refer to its initial stream and gets a valid answer.
    let goes = |rank: &&Rank| !is_shared(file) && streams(rank).input.get() != file as usize;
    let flushed = match Rank::current().filter(goes) {
        Some(rank) => {
            streams(rank).own.borrow_mut().retain(|(known, _)| *known != file as usize);
            // SAFETY: the program no longer uses the stream, which does not close its descriptor.
            unsafe { libc::fclose(file) }
        }
        // SAFETY: an open stream.
        None => unsafe { libc::fflush(file) },
    };
    let closed = system::close(descriptor);
    if flushed == 0 && closed == 0 { 0 } else { libc::EOF }
}

extern "C" fn fcloseall() -> c_int {
    if let Some(rank) = Rank::current() {
        close_files(rank);
    }
    0
}

/// Returns the flags of `open` for a mode of `fopen`.
fn flags(mode: &[u8]) -> c_int {
    let both = mode.contains(&b'+');
    let access = match mode.first() {
        _ if both => libc::O_RDWR,
        Some(b'r') => libc::O_RDONLY,
        _ => libc::O_WRONLY,
    };
    let how = match mode.first() {
        Some(b'r') => 0,
        Some(b'a') => libc::O_CREAT | libc::O_APPEND,
        _ => libc::O_CREAT | libc::O_TRUNC,
    };
    let only_new = if mode.contains(&b'x') { libc::O_EXCL } else { 0 };
    access | how | only_new
}

/// Implements `freopen`; a standard stream is redirected for this rank only.
unsafe extern "C" fn freopen(path: *const c_char, mode: *const c_char, file: File) -> File {
    let (Some(number), Some(rank)) = (descriptor_of(file), Rank::current()) else {
        // SAFETY: the arguments are passed on unchanged.
        return folder::with(path, |path| unsafe { libc::freopen(path, mode, file) });
    };
    // SAFETY: an open stream.
    unsafe { libc::fflush(file) };
    if path.is_null() {
        return file;
    }
    system::close(number);
    // SAFETY: the program passes two C strings.
    let flags = flags(unsafe { CStr::from_ptr(mode) }.to_bytes());
    let opened = match shared::is_pipe(libc::AT_FDCWD, path) {
        true => shared::open_pipe(libc::AT_FDCWD, path, flags, 0),
        // SAFETY: as above.
        false => folder::with(path, |path| unsafe { libc::open(path, flags, 0o666) }),
    };
    if opened < 0 {
        return ptr::null_mut();
    }
    if number > libc::STDERR_FILENO {
        // SAFETY: system calls with integer arguments only; the number was closed just now.
        unsafe {
            libc::dup2(opened, number);
            libc::close(opened);
        }
        descriptor::adopt(number);
        // What was read ahead belongs to the file before.
        // SAFETY: an open stream.
        unsafe {
            super::__fpurge(file);
            libc::clearerr(file);
        }
        return file;
    }
    descriptor::descriptors(rank).lead_to_file(number, opened);
    if number == libc::STDIN_FILENO {
        renew_input(rank);
        return if is_shared(file) { own_input(rank) as File } else { file };
    }
    file
}

pub(super) fn replacements() -> Vec<Replacement> {
    vec![
        ("fopen", fopen as *const () as usize),
        ("fopen64", fopen as *const () as usize),
        ("tmpfile", tmpfile as *const () as usize),
        ("tmpfile64", tmpfile as *const () as usize),
        ("fdopen", fdopen as *const () as usize),
        ("fclose", fclose as *const () as usize),
        ("fcloseall", fcloseall as *const () as usize),
        ("freopen", freopen as *const () as usize),
        ("freopen64", freopen as *const () as usize),
    ]
}
