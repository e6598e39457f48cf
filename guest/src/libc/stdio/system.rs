//! System functions that read, write, open, close and query descriptors.
#![allow(unsafe_code, reason = "calls the system for programs")]

use std::ffi::{c_char, c_int, c_ulong, c_void};

use super::{
    descriptor::{self, Target, descriptors, is_own, of_process, open_now, opened, printed},
    duplicate, modelled,
};
use crate::{
    libc::{
        device,
        errno::{fails, if_failed},
        folder,
        host::Stream,
        process,
        rank::Rank,
        system as shared,
        thread::parking,
    },
    replacement::Replacement,
};

/// Returns the target of a descriptor of the calling program.
fn target(descriptor: c_int) -> Target {
    Rank::current().map_or(Target::File(descriptor), |rank| descriptors(rank).target(descriptor))
}

/// Returns the process descriptor for queries about one of the calling program.
pub(super) fn asked(descriptor: c_int) -> c_int {
    Rank::current().map_or(descriptor, |rank| of_process(rank, descriptor))
}

pub(crate) unsafe extern "C" fn write(
    descriptor: c_int,
    bytes: *const c_void,
    count: usize,
) -> isize {
    match (target(descriptor), Rank::current()) {
        (Target::Standard(number), Some(rank)) => {
            let Some(stream) = printed(number) else { return fails(libc::EBADF) as isize };
            if count > 0 {
                // SAFETY: the program passes a buffer of that many bytes.
                rank.write(stream, unsafe { std::slice::from_raw_parts(bytes.cast(), count) });
            }
            count as isize
        }
        (Target::File(file), _) => {
            modelled::writes(file, None, count);
            shared::write(file, bytes, count)
        }
        _ => fails(libc::EBADF) as isize,
    }
}

pub(super) unsafe extern "C" fn read(descriptor: c_int, bytes: *mut c_void, count: usize) -> isize {
    let file = match (target(descriptor), Rank::current()) {
        (Target::File(file), _) => {
            modelled::reads(file, None, count);
            file
        }
        (Target::Standard(libc::STDIN_FILENO), Some(rank)) if rank.number() == 0 => {
            rank.flush(Stream::Output);
            super::input_descriptor()
        }
        (Target::Standard(libc::STDIN_FILENO), _) => return 0,
        _ => return fails(libc::EBADF) as isize,
    };
    shared::read(file, bytes, count)
}

/// Transfers parts one after another, until one of them is incomplete.
fn each(
    parts: *const libc::iovec,
    count: c_int,
    act: impl Fn(*mut c_void, usize) -> isize,
) -> isize {
    if count < 0 || (parts.is_null() && count > 0) {
        return fails(libc::EINVAL) as isize;
    }
    let mut sum = 0;
    for at in 0..count as usize {
        // SAFETY: the program passes that many parts.
        let part = unsafe { parts.add(at).read() };
        let done = act(part.iov_base, part.iov_len);
        if done < 0 {
            return if sum > 0 { sum } else { done };
        }
        sum += done;
        if (done as usize) < part.iov_len {
            break;
        }
    }
    sum
}

/// Returns the number of bytes of parts.
fn sum_of(parts: *const libc::iovec, count: c_int) -> usize {
    let Some(count) = usize::try_from(count).ok().filter(|_| !parts.is_null()) else { return 0 };
    // SAFETY: the program passes that many parts.
    (0..count).map(|at| unsafe { parts.add(at).read() }.iov_len).sum()
}

pub(super) unsafe extern "C" fn writev(
    descriptor: c_int,
    parts: *const libc::iovec,
    count: c_int,
) -> isize {
    match target(descriptor) {
        Target::File(file) => {
            modelled::writes(file, None, sum_of(parts, count));
            shared::writev(file, parts, count)
        }
        // SAFETY: the program vouches for the arguments, which are passed on.
        _ => each(parts, count, |bytes, count| unsafe {
            write(descriptor, bytes.cast_const(), count)
        }),
    }
}

/// Implements `__read_chk`, which code compiled with checks calls.
unsafe extern "C" fn read_checked(
    descriptor: c_int,
    bytes: *mut c_void,
    count: usize,
    room: usize,
) -> isize {
    if count > room {
        process::overflow_found();
    }
    // SAFETY: the program vouches for the arguments, which are passed on.
    unsafe { read(descriptor, bytes, count) }
}

unsafe extern "C" fn readv(descriptor: c_int, parts: *const libc::iovec, count: c_int) -> isize {
    match target(descriptor) {
        Target::File(file) => {
            modelled::reads(file, None, sum_of(parts, count));
            shared::readv(file, parts, count)
        }
        // SAFETY: the program vouches for the arguments, which are passed on.
        _ => each(parts, count, |bytes, count| unsafe { read(descriptor, bytes, count) }),
    }
}

unsafe extern "C" fn pwrite(
    descriptor: c_int,
    bytes: *const c_void,
    count: usize,
    offset: libc::off_t,
) -> isize {
    match target(descriptor) {
        Target::File(file) => {
            modelled::writes(file, Some(offset), count);
            // SAFETY: the arguments are passed on unchanged.
            unsafe { libc::pwrite(file, bytes, count, offset) }
        }
        Target::Standard(_) => fails(libc::ESPIPE) as isize,
        Target::Closed => fails(libc::EBADF) as isize,
    }
}

unsafe extern "C" fn pread(
    descriptor: c_int,
    bytes: *mut c_void,
    count: usize,
    offset: libc::off_t,
) -> isize {
    if let Target::File(file) = target(descriptor) {
        modelled::reads(file, Some(offset), count);
    }
    // SAFETY: the arguments are passed on unchanged.
    unsafe { libc::pread(asked(descriptor), bytes, count, offset) }
}

pub(super) extern "C" fn close(descriptor: c_int) -> c_int {
    let Some(rank) = Rank::current() else {
        // SAFETY: the arguments are passed on unchanged.
        return unsafe { libc::close(descriptor) };
    };
    let target = descriptors(rank).target(descriptor);
    if let Target::File(file) = target
        && is_own(rank, file)
    {
        modelled::closes(file);
    }
    if (0..3).contains(&descriptor) {
        descriptors(rank).lead(descriptor, Target::Closed);
    } else {
        descriptors(rank).remove_copy(descriptor);
    }
    let file = match target {
        Target::Closed => return fails(libc::EBADF),
        Target::Standard(_) if descriptor < 3 => return 0,
        Target::Standard(_) => descriptor,
        Target::File(file) => file,
    };
    if !is_own(rank, file) {
        return fails(libc::EBADF);
    }
    descriptor::forget(file);
    // SAFETY: a descriptor of the program.
    unsafe { libc::close(file) }
}

extern "C" fn close_range(first: u32, last: u32, flags: c_int) -> c_int {
    if first > last {
        return fails(libc::EINVAL);
    }
    let range = first..=last;
    // Flags such as close-on-exec make no difference here.
    let all = (0..3).chain(open_now()).filter(|_| flags == 0);
    all.filter(|number| range.contains(&(*number as u32))).for_each(|number| {
        close(number);
    });
    0
}

extern "C" fn closefrom(first: c_int) {
    close_range(first.max(0) as u32, u32::MAX, 0);
}

pub(super) unsafe extern "C" fn open(
    path: *const c_char,
    flags: c_int,
    mode: libc::mode_t,
) -> c_int {
    // SAFETY: the program vouches for the arguments, which are passed on.
    unsafe { openat(libc::AT_FDCWD, path, flags, mode) }
}

unsafe extern "C" fn openat(
    folder: c_int,
    path: *const c_char,
    flags: c_int,
    mode: libc::mode_t,
) -> c_int {
    if_failed(|| {
        if let (Some(rank), Some(known)) = (Rank::current(), duplicate::named(path)) {
            return duplicate::duplicate(rank, known, 0);
        }
        if shared::is_pipe(folder, path) {
            return opened(shared::open_pipe(folder, path, flags, mode));
        }
        // SAFETY: the arguments are passed on unchanged.
        let open = |path| unsafe { libc::openat(folder, path, flags, mode) };
        let made = opened(modelled::opened(match folder::is_elsewhere(folder, path) {
            true => open(path),
            false => device::with(path, open),
        }));
        if made >= 0 {
            parking::after_opening(flags);
        }
        made
    })
}

unsafe extern "C" fn creat(path: *const c_char, mode: libc::mode_t) -> c_int {
    // SAFETY: the program vouches for the arguments, which are passed on.
    unsafe { open(path, libc::O_CREAT | libc::O_WRONLY | libc::O_TRUNC, mode) }
}

unsafe extern "C" fn mkstemp(template: *mut c_char) -> c_int {
    // SAFETY: the arguments are passed on unchanged.
    let made = folder::from_template(template, |template| unsafe { libc::mkstemp(template) });
    opened(modelled::opened(made))
}

extern "C" fn socket(domain: c_int, kind: c_int, protocol: c_int) -> c_int {
    // SAFETY: a system call with integer arguments only.
    opened(unsafe { libc::socket(domain, kind, protocol) })
}

unsafe extern "C" fn pipe(ends: *mut c_int) -> c_int {
    // SAFETY: the program vouches for the arguments, which are passed on.
    unsafe { pipe_with(ends, 0) }
}

unsafe extern "C" fn pipe_with(ends: *mut c_int, flags: c_int) -> c_int {
    // SAFETY: the arguments are passed on unchanged; the program passes room for two numbers.
    unsafe {
        // A process that something else in this one starts would keep the ends open, so that no reader came to the end.
        let answer = libc::pipe2(ends, flags | libc::O_CLOEXEC);
        if answer == 0 {
            *ends = opened(*ends);
            *ends.add(1) = opened(*ends.add(1));
        }
        answer
    }
}

extern "C" fn isatty(descriptor: c_int) -> c_int {
    // SAFETY: a system call with an integer argument only.
    unsafe { libc::isatty(asked(descriptor)) }
}

unsafe extern "C" fn fstat(descriptor: c_int, place: *mut libc::stat) -> c_int {
    // SAFETY: the arguments are passed on unchanged.
    unsafe { libc::fstat(asked(descriptor), place) }
}

/// Implements `__fxstat`, which programs for glibc before 2.33 call.
unsafe extern "C" fn fstat_of_version(
    _version: c_int,
    descriptor: c_int,
    place: *mut libc::stat,
) -> c_int {
    // SAFETY: the program vouches for the arguments, which are passed on.
    unsafe { fstat(descriptor, place) }
}

pub(super) extern "C" fn lseek(
    descriptor: c_int,
    offset: libc::off_t,
    whence: c_int,
) -> libc::off_t {
    match target(descriptor) {
        Target::Standard(libc::STDOUT_FILENO | libc::STDERR_FILENO) => {
            libc::off_t::from(fails(libc::ESPIPE))
        }
        // SAFETY: a system call with integer arguments only.
        _ => unsafe { libc::lseek(asked(descriptor), offset, whence) },
    }
}

extern "C" fn ioctl(descriptor: c_int, request: c_ulong, argument: usize) -> c_int {
    // SAFETY: the arguments are passed on unchanged.
    unsafe { libc::ioctl(asked(descriptor), request, argument) }
}

extern "C" fn fsync(descriptor: c_int) -> c_int {
    if let Target::File(file) = target(descriptor) {
        modelled::stores(file);
    }
    // SAFETY: a system call with an integer argument only.
    unsafe { libc::fsync(asked(descriptor)) }
}

extern "C" fn ftruncate(descriptor: c_int, length: libc::off_t) -> c_int {
    match target(descriptor) {
        Target::Standard(_) => fails(libc::EINVAL),
        target => {
            if let Target::File(file) = target {
                modelled::resizes(file);
            }
            // SAFETY: a system call with integer arguments only.
            unsafe { libc::ftruncate(asked(descriptor), length) }
        }
    }
}

pub(super) fn replacements() -> Vec<Replacement> {
    vec![
        ("write", write as *const () as usize),
        ("read", read as *const () as usize),
        ("__read_chk", read_checked as *const () as usize),
        ("writev", writev as *const () as usize),
        ("readv", readv as *const () as usize),
        ("pwrite", pwrite as *const () as usize),
        ("pwrite64", pwrite as *const () as usize),
        ("pread", pread as *const () as usize),
        ("pread64", pread as *const () as usize),
        ("close", close as *const () as usize),
        ("close_range", close_range as *const () as usize),
        ("closefrom", closefrom as *const () as usize),
        ("open", open as *const () as usize),
        ("open64", open as *const () as usize),
        ("__open_2", open as *const () as usize),
        ("__open64_2", open as *const () as usize),
        ("openat", openat as *const () as usize),
        ("openat64", openat as *const () as usize),
        ("creat", creat as *const () as usize),
        ("creat64", creat as *const () as usize),
        ("mkstemp", mkstemp as *const () as usize),
        ("mkstemp64", mkstemp as *const () as usize),
        ("socket", socket as *const () as usize),
        ("pipe", pipe as *const () as usize),
        ("pipe2", pipe_with as *const () as usize),
        ("isatty", isatty as *const () as usize),
        ("fstat", fstat as *const () as usize),
        ("fstat64", fstat as *const () as usize),
        ("__fxstat", fstat_of_version as *const () as usize),
        ("__fxstat64", fstat_of_version as *const () as usize),
        ("lseek", lseek as *const () as usize),
        ("lseek64", lseek as *const () as usize),
        ("ioctl", ioctl as *const () as usize),
        ("fsync", fsync as *const () as usize),
        ("fdatasync", fsync as *const () as usize),
        ("ftruncate", ftruncate as *const () as usize),
        ("ftruncate64", ftruncate as *const () as usize),
    ]
}
