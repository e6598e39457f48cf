//! Standard streams: whole lines per rank.
//!
//! `stdout` and `stderr` of the host's libc become unbuffered streams whose bytes go to the rank
//! that runs, so that `printf`, C++ streams and direct writes meet in one place and in order.
#![allow(unsafe_code, reason = "speaks with stdio of the host's libc")]

use std::{
    ffi::{CStr, c_char, c_int, c_void},
    ptr,
    sync::OnceLock,
};

use super::{
    Replacement,
    rank::{Rank, Stream},
    system,
};
use crate::loader::host_symbol;

type File = *mut libc::FILE;

#[repr(C)]
struct CookieFunctions {
    read: Option<extern "C" fn(*mut c_void, *mut c_char, usize) -> isize>,
    write: Option<extern "C" fn(*mut c_void, *const c_char, usize) -> isize>,
    seek: usize,
    close: usize,
}

unsafe extern "C" {
    fn fopencookie(cookie: *mut c_void, mode: *const c_char, functions: CookieFunctions) -> File;
    fn fileno(file: File) -> c_int;
}

/// The streams of this process.
struct Files {
    output: usize,
    error: usize,
    /// What the host reads.
    input: usize,
    /// What every rank but the first reads: nothing.
    nothing: usize,
    /// Address of libc's variable `stdin`.
    stdin: usize,
}

static FILES: OnceLock<Files> = OnceLock::new();

/// Puts the streams in place, once, before any library looks at them.
pub(super) fn install() {
    FILES.get_or_init(|| {
        Files {
            output: replace("stdout", 0),
            error: replace("stderr", 1),
            input: open_input(),
            // SAFETY: both are C strings.
            nothing: unsafe { libc::fopen(c"/dev/null".as_ptr(), c"r".as_ptr()) } as usize,
            stdin: variable("stdin").map_or(0, |stdin| stdin as usize),
        }
    });
}

fn variable(name: &str) -> Option<*mut File> {
    host_symbol(name).map(|address| address as *mut File)
}

fn replace(name: &str, stream: usize) -> usize {
    let functions = CookieFunctions { read: None, write: Some(cookie_write), seek: 0, close: 0 };
    // SAFETY: the mode is a C string and the functions are of the kind asked for.
    let file = unsafe { fopencookie(stream as *mut c_void, c"w".as_ptr(), functions) };
    if let (Some(variable), false) = (variable(name), file.is_null()) {
        // SAFETY: a fresh stream; the variable is libc's and points to the stream in use.
        unsafe {
            libc::setvbuf(file, ptr::null_mut(), libc::_IONBF, 0);
            *variable = file;
        }
    }
    file as usize
}

/// A function of a stream that reads or writes.
type Moves = extern "C" fn(*mut c_void, *mut c_char, usize) -> isize;

/// A stream made of functions that read, write and close.
pub(super) fn stream_with(
    cookie: usize,
    mode: *const c_char,
    moves: [Moves; 2],
    close: extern "C" fn(*mut c_void) -> c_int,
) -> File {
    // SAFETY: writing does not change the bytes.
    let write = unsafe {
        std::mem::transmute::<Moves, extern "C" fn(*mut c_void, *const c_char, usize) -> isize>(
            moves[1],
        )
    };
    let close = close as *const () as usize;
    let functions = CookieFunctions { read: Some(moves[0]), write: Some(write), seek: 0, close };
    // SAFETY: the mode is a C string of the program, and the functions are of the kind asked for.
    unsafe { fopencookie(cookie as *mut c_void, mode, functions) }
}

/// A stream that reads what the process reads, and shows an unfinished prompt first.
fn open_input() -> usize {
    let functions = CookieFunctions { read: Some(cookie_read), write: None, seek: 0, close: 0 };
    // SAFETY: the mode is a C string and the function is of the kind asked for.
    unsafe { fopencookie(ptr::null_mut(), c"r".as_ptr(), functions) as usize }
}

extern "C" fn cookie_read(_: *mut c_void, bytes: *mut c_char, count: usize) -> isize {
    read(libc::STDIN_FILENO, bytes.cast(), count)
}

extern "C" fn cookie_write(cookie: *mut c_void, bytes: *const c_char, count: usize) -> isize {
    let stream = if cookie.is_null() { Stream::Output } else { Stream::Error };
    // SAFETY: stdio passes a buffer of that many bytes.
    let bytes = unsafe { std::slice::from_raw_parts(bytes.cast::<u8>(), count) };
    put(stream, bytes)
}

fn put(stream: Stream, bytes: &[u8]) -> isize {
    let redirected = Rank::current().map(|rank| (rank, rank.redirected[stream as usize].get()));
    match redirected {
        Some((rank, -1)) => {
            rank.write(stream, bytes);
            bytes.len() as isize
        }
        other => {
            let fd = other.map_or(stream as c_int + 1, |(_, fd)| fd);
            // SAFETY: the buffer is valid for its length.
            unsafe { libc::write(fd, bytes.as_ptr().cast(), bytes.len()) }
        }
    }
}

/// The stream that a rank reads as `stdin`.
pub(crate) fn input_of(rank: u32) -> File {
    let file = FILES.get().map_or(0, |files| if rank == 0 { files.input } else { files.nothing });
    file as File
}

/// What libc reads as `stdin` now.
pub(super) fn input() -> File {
    // SAFETY: libc's own variable.
    FILES.get().map_or(ptr::null_mut(), |files| unsafe { *(files.stdin as *const File) })
}

/// Lets libc read `file` as `stdin`.
pub(super) fn set_input(file: File) {
    if let Some(files) = FILES.get() {
        // SAFETY: libc's own variable; set between calls of the program only.
        unsafe { *(files.stdin as *mut File) = file };
    }
}

fn stream_of(file: File) -> Option<Stream> {
    let files = FILES.get()?;
    match file as usize {
        address if address == files.output => Some(Stream::Output),
        address if address == files.error => Some(Stream::Error),
        _ => None,
    }
}

fn stream_of_descriptor(fd: c_int) -> Option<Stream> {
    match fd {
        libc::STDOUT_FILENO => Some(Stream::Output),
        libc::STDERR_FILENO => Some(Stream::Error),
        _ => None,
    }
}

extern "C" fn write(fd: c_int, bytes: *const c_void, count: usize) -> isize {
    match stream_of_descriptor(fd) {
        Some(stream) if !bytes.is_null() => {
            // SAFETY: the program passes a buffer of that many bytes.
            put(stream, unsafe { std::slice::from_raw_parts(bytes.cast(), count) })
        }
        _ => system::write(fd, bytes, count),
    }
}

extern "C" fn writev(fd: c_int, parts: *const libc::iovec, count: c_int) -> isize {
    if stream_of_descriptor(fd).is_none() || parts.is_null() {
        // SAFETY: handed on as it came.
        return unsafe { libc::writev(fd, parts, count) };
    }
    // SAFETY: the program passes that many parts.
    let parts = unsafe { std::slice::from_raw_parts(parts, count.max(0) as usize) };
    let written = |part: &libc::iovec| write(fd, part.iov_base.cast_const(), part.iov_len);
    parts.iter().map(written).sum()
}

extern "C" fn read(fd: c_int, bytes: *mut c_void, count: usize) -> isize {
    if let (libc::STDIN_FILENO, Some(rank)) = (fd, Rank::current()) {
        if rank.number() > 0 {
            return 0;
        }
        rank.flush(Stream::Output);
    }
    system::read(fd, bytes, count)
}

extern "C" fn descriptor(file: File) -> c_int {
    let input =
        FILES.get().is_some_and(|files| [files.input, files.nothing].contains(&(file as usize)));
    match stream_of(file) {
        Some(stream) => stream as c_int + 1,
        None if input => libc::STDIN_FILENO,
        // SAFETY: handed on as it came.
        None => unsafe { fileno(file) },
    }
}

/// A standard stream stays open for the other ranks.
extern "C" fn fclose(file: File) -> c_int {
    match stream_of(file) {
        Some(_) => 0,
        // SAFETY: handed on as it came.
        None => unsafe { libc::fclose(file) },
    }
}

/// Standard output into a file: for this rank only.
extern "C" fn freopen(path: *const c_char, mode: *const c_char, file: File) -> File {
    let (Some(stream), Some(rank), false) = (stream_of(file), Rank::current(), path.is_null())
    else {
        // SAFETY: handed on as it came.
        return unsafe { libc::freopen(path, mode, file) };
    };
    // SAFETY: the program passes a C string.
    let appends = unsafe { CStr::from_ptr(mode) }.to_bytes().starts_with(b"a");
    let how = if appends { libc::O_APPEND } else { libc::O_TRUNC };
    // SAFETY: the program passes a C string.
    let fd = unsafe { libc::open(path, libc::O_WRONLY | libc::O_CREAT | how, 0o666) };
    if fd < 0 {
        return ptr::null_mut();
    }
    rank.flush(stream);
    rank.redirected[stream as usize].set(fd);
    file
}

/// Standard streams have no buffer to set.
extern "C" fn setvbuf(file: File, buffer: *mut c_char, mode: c_int, size: usize) -> c_int {
    match stream_of(file) {
        Some(_) => 0,
        // SAFETY: handed on as it came.
        None => unsafe { libc::setvbuf(file, buffer, mode, size) },
    }
}

extern "C" fn setbuf(file: File, buffer: *mut c_char) {
    let mode = if buffer.is_null() { libc::_IONBF } else { libc::_IOFBF };
    setvbuf(file, buffer, mode, libc::BUFSIZ as usize);
}

extern "C" fn setlinebuf(file: File) {
    setvbuf(file, ptr::null_mut(), libc::_IOLBF, 0);
}

pub(super) fn replacements() -> Vec<Replacement> {
    vec![
        ("write", write as *const () as usize),
        ("writev", writev as *const () as usize),
        ("read", read as *const () as usize),
        ("fileno", descriptor as *const () as usize),
        ("fileno_unlocked", descriptor as *const () as usize),
        ("fclose", fclose as *const () as usize),
        ("freopen", freopen as *const () as usize),
        ("freopen64", freopen as *const () as usize),
        ("setvbuf", setvbuf as *const () as usize),
        ("setbuf", setbuf as *const () as usize),
        ("setlinebuf", setlinebuf as *const () as usize),
    ]
}
