//! Standard streams with separate lines per rank.
//!
//! `stdout` and `stderr` of the host's libc become unbuffered streams whose bytes go to descriptor
//! 1 or 2 of the running rank (`descriptor`), so that `printf`, C++ streams and direct writes are
//! merged in order. The program's variables `stdin`, `stdout` and `stderr` are its own; functions
//! that use them implicitly follow them (`implicit`).
#![allow(unsafe_code, reason = "speaks with stdio of the host's libc")]

mod called;
mod cxx_library;
mod descriptor;
mod duplicate;
mod implicit;
pub(crate) mod kept;
mod modelled;
mod open;
mod ready;
mod system;
mod timer;
mod wide;

use std::{
    cell::{Cell, RefCell},
    collections::BTreeSet,
    ffi::{CStr, c_char, c_int, c_void},
    mem, ptr,
    sync::OnceLock,
};

pub(crate) use descriptor::begin;
pub(super) use duplicate::{vdprintf, vdprintf_checked};
pub(super) use implicit::follow;
pub(super) use system::write as write_to;

use super::{cxx, host::Stream, rank::Rank};
use crate::{loader::symbol::host_symbol, replacement::Replacement};

type File = *mut libc::FILE;

#[repr(C)]
struct CookieFunctions {
    read: Option<unsafe extern "C" fn(*mut c_void, *mut c_char, usize) -> isize>,
    write: Option<unsafe extern "C" fn(*mut c_void, *const c_char, usize) -> isize>,
    seek: Option<unsafe extern "C" fn(*mut c_void, *mut libc::off64_t, c_int) -> c_int>,
    close: usize,
}

unsafe extern "C" {
    fn fopencookie(cookie: *mut c_void, mode: *const c_char, functions: CookieFunctions) -> File;
    fn fileno(file: File) -> c_int;
    fn __fpurge(file: File);
}

/// The streams that all ranks share: they are unbuffered and lead to the running rank.
struct Files {
    output: usize,
    error: usize,
    /// The empty input of every rank except the first.
    nothing: usize,
}

static FILES: OnceLock<Files> = OnceLock::new();

/// The streams of one rank.
#[derive(Default)]
struct Streams {
    /// Streams of the library that the program has opened.
    files: RefCell<BTreeSet<usize>>,
    /// Streams on descriptors that only the rank has, with their descriptors.
    own: RefCell<Vec<(usize, c_int)>>,
    /// The stream that is currently the rank's initial `stdin`.
    input: Cell<usize>,
}

/// Returns the streams of a rank.
fn streams(rank: &Rank) -> &Streams {
    rank.state()
}

/// Installs the streams once, before any library uses them.
pub(super) fn install() {
    FILES.get_or_init(|| {
        // SAFETY: both are C strings.
        let nothing = unsafe { libc::fopen(c"/dev/null".as_ptr(), c"r".as_ptr()) } as usize;
        Files { output: replace("stdout", 1), error: replace("stderr", 2), nothing }
    });
}

fn replace(name: &str, descriptor: c_int) -> usize {
    let file = on_descriptor(descriptor, c"w");
    if let (Some(variable), false) = (host_symbol(name), file.is_null()) {
        // SAFETY: a new stream; the variable is libc's and points to the current stream.
        unsafe {
            libc::setvbuf(file, ptr::null_mut(), libc::_IONBF, 0);
            *(variable as *mut File) = file;
        }
    }
    file as usize
}

/// Creates a stream on a descriptor of the running rank, which has no positions.
fn on_descriptor(descriptor: c_int, mode: &CStr) -> File {
    stream_of_ours(descriptor, mode, false)
}

/// Creates a stream on a descriptor of the running rank; `seeks` says whether it has positions.
fn stream_of_ours(descriptor: c_int, mode: &CStr, seeks: bool) -> File {
    let (read, write) = (Some(cookie_read as _), Some(cookie_write as _));
    let seek = seeks.then_some(cookie_seek as _);
    let functions = CookieFunctions { read, write, seek, close: 0 };
    // SAFETY: the mode is a C string, and the functions have the required types.
    unsafe { fopencookie(descriptor as usize as *mut c_void, mode.as_ptr(), functions) }
}

unsafe extern "C" fn cookie_read(cookie: *mut c_void, bytes: *mut c_char, count: usize) -> isize {
    modelled::in_stream(|| {
        // SAFETY: the program vouches for the arguments, which are passed on.
        unsafe { system::read(cookie as usize as c_int, bytes.cast(), count) }
    })
}

unsafe extern "C" fn cookie_seek(
    cookie: *mut c_void,
    place: *mut libc::off64_t,
    whence: c_int,
) -> c_int {
    // SAFETY: stdio passes the address of an offset.
    let reached = system::lseek(cookie as usize as c_int, unsafe { *place }, whence);
    if reached < 0 {
        return -1;
    }
    // SAFETY: as above.
    unsafe { *place = reached };
    0
}

/// Writes all bytes, because the library treats a short write as an error. Outside ranks nothing is
/// written.
unsafe extern "C" fn cookie_write(
    cookie: *mut c_void,
    bytes: *const c_char,
    count: usize,
) -> isize {
    if Rank::current().is_none() {
        return count as isize;
    }
    let mut done = 0;
    while done < count {
        // SAFETY: stdio passes a buffer of that many bytes.
        let rest = unsafe { bytes.add(done) };
        let written = modelled::in_stream(|| {
            // SAFETY: the program vouches for the arguments, which are passed on.
            unsafe { system::write(cookie as usize as c_int, rest.cast(), count - done) }
        });
        if written <= 0 {
            break;
        }
        done += written as usize;
    }
    done as isize
}

/// Writes what a stream has buffered, and the line that the program has begun on it.
unsafe extern "C" fn fflush(file: File) -> c_int {
    // SAFETY: the program passes a stream, or null for all.
    let result = unsafe { libc::fflush(file) };
    if let (Some(files), Some(rank)) = (FILES.get(), Rank::current()) {
        for (stream, known) in [(Stream::Output, files.output), (Stream::Error, files.error)] {
            if file.is_null() || file as usize == known {
                rank.flush_now(stream);
            }
        }
    }
    result
}

/// Writes to the rank's standard output or standard error, wherever that leads.
pub(super) fn put(stream: Stream, bytes: &[u8]) {
    let descriptor = stream as c_int + 1;
    // SAFETY: the program vouches for the arguments, which are passed on.
    unsafe { cookie_write(descriptor as usize as *mut c_void, bytes.as_ptr().cast(), bytes.len()) };
}

/// Returns the process descriptor from which the first rank reads its standard input. A caller that
/// feeds the process recognises by this number that it waits for input.
pub(crate) fn input_descriptor() -> c_int {
    libc::STDIN_FILENO
}

/// Returns a descriptor from which nothing can be read.
fn nothing_descriptor() -> c_int {
    // SAFETY: the stream is never closed.
    FILES.get().map_or(-1, |files| unsafe { fileno(files.nothing as File) })
}

/// Sets the stream variables of a rank that starts.
pub(super) fn begin_rank(rank: &Rank) {
    cxx_library::begin_rank();
    let Some(files) = FILES.get() else { return };
    let [_, output, error] = rank.c_variables.streams;
    // SAFETY: the cells of the rank.
    unsafe {
        *(output as *mut usize) = files.output;
        *(error as *mut usize) = files.error;
    }
    if rank.number() == 0 {
        own_input(rank);
    } else {
        show_input(rank, files.nothing);
    }
}

/// Returns the stream that the running program calls `stdin`.
fn shown_input() -> File {
    Rank::current().map_or(ptr::null_mut(), |rank| shown(rank, 0))
}

/// Returns the stream that the running program calls `stdout`.
fn shown_output() -> File {
    Rank::current().map_or(ptr::null_mut(), |rank| shown(rank, 1))
}

/// Returns the stream in one of the rank's variables.
fn shown(rank: &Rank, which: usize) -> File {
    // SAFETY: the cells of the rank.
    unsafe { *(rank.c_variables.streams[which] as *const File) }
}

fn show_input(rank: &Rank, file: usize) {
    cxx::read_from(rank, file);
    let [input, ..] = rank.c_variables.streams;
    // SAFETY: the cell of the rank.
    unsafe { *(input as *mut usize) = file };
}

/// Creates the rank's own input stream, unless it has one.
fn own_input(rank: &Rank) -> usize {
    if streams(rank).input.get() == 0 {
        let file = on_descriptor(libc::STDIN_FILENO, c"r") as usize;
        let shown = shown(rank, 0) as usize;
        if rank.number() == 0 || FILES.get().is_some_and(|files| files.nothing == shown) {
            show_input(rank, file);
        }
        streams(rank).own.borrow_mut().push((file, libc::STDIN_FILENO));
        streams(rank).input.set(file);
    }
    streams(rank).input.get()
}

/// Discards the read-ahead of the rank's input stream after its descriptor 0 has changed.
fn renew_input(rank: &Rank) {
    let file = own_input(rank) as File;
    // SAFETY: a stream of the rank.
    unsafe {
        __fpurge(file);
        libc::clearerr(file);
    }
}

/// Flushes and closes the program's streams at exit.
pub(super) fn close_files(rank: &Rank) {
    let files = mem::take(&mut *streams(rank).files.borrow_mut());
    let own: Vec<_> = streams(rank).own.borrow().iter().map(|(file, _)| *file).collect();
    for file in files {
        // SAFETY: the program has opened it and not closed it.
        unsafe { libc::fclose(file as File) };
    }
    for file in own {
        // SAFETY: as above.
        unsafe { libc::fflush(file as File) };
    }
}

/// Discards the streams of a program that has ended or was abandoned.
pub(super) fn end_rank(rank: &Rank) {
    for (file, _) in streams(rank).own.take() {
        // SAFETY: a stream of the rank that it has not closed. Data that exit has not flushed are
        // lost.
        unsafe {
            __fpurge(file as File);
            libc::fclose(file as File);
        }
    }
    // SAFETY: open streams.
    let files = streams(rank).files.borrow();
    let kept = files.iter().map(|file| unsafe { fileno(*file as File) }).collect();
    descriptor::end_rank(rank, &kept);
}

/// Returns the rank's descriptor of a stream, if the system does not know it.
fn descriptor_of(file: File) -> Option<c_int> {
    let file = file as usize;
    let files = FILES.get()?;
    if file == files.output {
        return Some(libc::STDOUT_FILENO);
    } else if file == files.error {
        return Some(libc::STDERR_FILENO);
    } else if file == files.nothing {
        return Some(libc::STDIN_FILENO);
    }
    let own = streams(Rank::current()?).own.borrow();
    own.iter().find(|(known, _)| *known == file).map(|(_, descriptor)| *descriptor)
}

/// Reports whether a stream is shared by all ranks.
fn is_shared(file: File) -> bool {
    let file = file as usize;
    FILES.get().is_some_and(|files| [files.output, files.error, files.nothing].contains(&file))
}

extern "C" fn number(file: File) -> c_int {
    // SAFETY: the arguments are passed on unchanged.
    let known = || descriptor::shown(unsafe { fileno(file) });
    descriptor_of(file).unwrap_or_else(known)
}

/// Implements `setvbuf`; shared streams have no buffer to set.
unsafe extern "C" fn setvbuf(file: File, buffer: *mut c_char, mode: c_int, size: usize) -> c_int {
    if is_shared(file) {
        return 0;
    }
    // SAFETY: the arguments are passed on unchanged.
    unsafe { libc::setvbuf(file, buffer, mode, size) }
}

unsafe extern "C" fn setbuf(file: File, buffer: *mut c_char) {
    let mode = if buffer.is_null() { libc::_IONBF } else { libc::_IOFBF };
    // SAFETY: the program vouches for the arguments, which are passed on.
    unsafe { setvbuf(file, buffer, mode, libc::BUFSIZ as usize) };
}

extern "C" fn setlinebuf(file: File) {
    // SAFETY: the program vouches for the arguments, which are passed on.
    unsafe { setvbuf(file, ptr::null_mut(), libc::_IOLBF, 0) };
}

/// Implements `ungetc`; the character belongs to the rank.
extern "C" fn ungetc(character: c_int, file: File) -> c_int {
    let nothing = FILES.get().is_some_and(|files| files.nothing == file as usize);
    let file = match Rank::current() {
        Some(rank) if nothing => own_input(rank) as File,
        _ => file,
    };
    // SAFETY: the arguments are passed on unchanged.
    unsafe { libc::ungetc(character, file) }
}

pub(super) fn replacements() -> Vec<Replacement> {
    let mut all = vec![
        ("fileno", number as *const () as usize),
        ("fileno_unlocked", number as *const () as usize),
        ("setvbuf", setvbuf as *const () as usize),
        ("setbuf", setbuf as *const () as usize),
        ("setlinebuf", setlinebuf as *const () as usize),
        ("ungetc", ungetc as *const () as usize),
        ("fflush", fflush as *const () as usize),
        ("fflush_unlocked", fflush as *const () as usize),
    ];
    all.extend(open::replacements());
    all.extend(ready::replacements());
    all.extend(timer::replacements());
    all.extend(system::replacements());
    all.extend(duplicate::replacements());
    all.extend(implicit::replacements());
    all
}

/// Functions of this module that may wait for other ranks, besides those for several descriptors.
const WAITING: [&str; 35] = [
    "__open64_2",
    "__open_2",
    "__read_chk",
    "close",
    "closefrom",
    "close_range",
    "creat",
    "creat64",
    "fclose",
    "fcntl",
    "fcntl64",
    "fdatasync",
    "fdopen",
    "fopen",
    "fopen64",
    "freopen",
    "freopen64",
    "fsync",
    "ftruncate",
    "ftruncate64",
    "mkstemp",
    "mkstemp64",
    "open",
    "open64",
    "openat",
    "openat64",
    "pread",
    "pread64",
    "pwrite",
    "pwrite64",
    "read",
    "readv",
    "write",
    "writev",
    "fcloseall",
];

/// Returns the functions that may wait and therefore need the place of their caller.
pub(super) fn waiting() -> Vec<Replacement> {
    let all = replacements().into_iter();
    let own = all.filter(|(name, _)| WAITING.contains(name));
    own.chain(ready::waiting()).chain(called::waiting()).chain(wide::waiting()).collect()
}
