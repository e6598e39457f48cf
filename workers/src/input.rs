//! Standard input for every process: each one reads all of it from the beginning.
//!
//! A file is opened again for each process. From a pipe or a terminal, bytes are read only when a
//! process waits for them, so that a program that reads nothing takes nothing from other readers of
//! the stream. The bytes are kept for later processes.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, Seek, SeekFrom},
    os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd},
};

use rustix::{
    fs::{FileType, OFlags, fcntl_getfl, fcntl_setfl, fstat},
    io::{read, write},
    pipe::{PipeFlags, pipe_with},
    process::Pid,
};

/// The kind of this process's standard input.
pub(crate) enum Input {
    /// A regular file, read from this position.
    File(u64),
    /// A pipe, a terminal or a socket.
    Stream(Stream),
    /// No standard input, or one without data: processes inherit it.
    Nothing,
}

/// The bytes read from a stream so far.
#[derive(Default)]
pub(crate) struct Stream {
    seen: Vec<u8>,
    ended: bool,
    /// Whether some process has waited for input.
    pub(crate) wanted: bool,
}

/// The standard input of one process.
pub(crate) enum Given {
    /// A descriptor that becomes its descriptor 0.
    Opened(OwnedFd),
    /// The read end of a pipe, which becomes its descriptor 0, and the write end in the parent.
    Fed(OwnedFd, Feed),
    /// The standard input of the parent, inherited.
    Inherited,
}

/// The parent's end of the pipe to a process's standard input.
pub(crate) struct Feed {
    pipe: OwnedFd,
    given: usize,
}

fn stdin() -> BorrowedFd<'static> {
    rustix::stdio::stdin()
}

impl Input {
    /// Determines the kind of standard input without reading from it.
    pub(crate) fn new() -> Self {
        let Ok(status) = fstat(stdin()) else { return Self::Nothing };
        match FileType::from_raw_mode(status.st_mode) {
            FileType::RegularFile => {
                let position = rustix::fs::seek(stdin(), rustix::fs::SeekFrom::Current(0));
                Self::File(position.unwrap_or(0))
            }
            FileType::Fifo | FileType::Socket => Self::Stream(Stream::default()),
            FileType::CharacterDevice if rustix::termios::isatty(stdin()) => {
                Self::Stream(Stream::default())
            }
            _ => Self::Nothing,
        }
    }

    /// Returns the standard input of one more process.
    pub(crate) fn give(&self) -> rustix::io::Result<Given> {
        match self {
            Self::Nothing => Ok(Given::Inherited),
            Self::File(position) => {
                let again = OpenOptions::new().read(true).open("/proc/self/fd/0");
                let placed = again.and_then(|mut file: File| {
                    file.seek(SeekFrom::Start(*position))?;
                    Ok(file)
                });
                Ok(placed.map_or(Given::Inherited, |file| Given::Opened(file.into())))
            }
            Self::Stream(_) => {
                let (end, pipe) = pipe_with(PipeFlags::CLOEXEC)?;
                fcntl_setfl(&pipe, fcntl_getfl(&pipe)? | OFlags::NONBLOCK)?;
                Ok(Given::Fed(end, Feed { pipe, given: 0 }))
            }
        }
    }

    /// Returns the stream, if standard input is one.
    pub(crate) fn stream(&mut self) -> Option<&mut Stream> {
        match self {
            Self::Stream(stream) => Some(stream),
            Self::File(_) | Self::Nothing => None,
        }
    }
}

impl Stream {
    /// Returns whether bytes should be read from standard input as soon as they are available.
    pub(crate) fn is_awaited(&self) -> bool {
        self.wanted && !self.ended
    }

    /// Reads the available bytes; standard input must be ready.
    pub(crate) fn fetch(&mut self) {
        let mut bytes = [0; 1 << 16];
        match read(stdin(), &mut bytes) {
            Ok(0) => self.ended = true,
            Ok(count) => self.seen.extend_from_slice(&bytes[..count]),
            Err(rustix::io::Errno::INTR | rustix::io::Errno::AGAIN) => {}
            Err(_) => self.ended = true,
        }
    }
}

impl Feed {
    /// Returns the number of the pipe's descriptor.
    pub(crate) fn descriptor(&self) -> i32 {
        self.pipe.as_raw_fd()
    }

    /// Returns the pipe if there are bytes to write to it now.
    pub(crate) fn pending(&self, stream: &Stream) -> Option<BorrowedFd<'_>> {
        (self.given < stream.seen.len()).then(|| self.pipe.as_fd())
    }

    /// Returns whether the process has received everything.
    pub(crate) fn is_over(&self, stream: &Stream) -> bool {
        stream.ended && self.given == stream.seen.len()
    }

    /// Writes as much as the pipe accepts. Returns false if its read end is closed.
    pub(crate) fn push(&mut self, stream: &Stream) -> bool {
        match write(&self.pipe, &stream.seen[self.given..]) {
            Ok(count) => self.given += count,
            Err(rustix::io::Errno::AGAIN | rustix::io::Errno::INTR) => {}
            Err(_) => return false,
        }
        true
    }
}

/// Returns what the system tells of the system call in which a process is suspended: its number, its arguments, and the place
/// of the call.
///
/// # Errors
/// Returns an error if the system does not tell.
pub(crate) fn system_call(process: Pid) -> io::Result<String> {
    fs::read_to_string(format!("/proc/{}/syscall", process.as_raw_nonzero()))
}

/// Returns whether a process is suspended in a read of its descriptor 0; also true if the system
/// does not say.
pub(crate) fn waits_for_input(process: Pid) -> bool {
    /// Numbers of the system calls `read`, `readv`, `pread64`, `poll`, `select`, `pselect6`, `ppoll`.
    const READS: [i64; 3] = [libc::SYS_read, libc::SYS_readv, libc::SYS_pread64];
    const WAITS: [i64; 2] = [libc::SYS_ppoll, libc::SYS_pselect6];
    let Ok(text) = system_call(process) else { return true };
    let mut words = text.split_whitespace();
    let Some(number) = words.next().and_then(|word| word.parse::<i64>().ok()) else {
        return false;
    };
    READS.contains(&number) && words.next() == Some("0x0") || WAITS.contains(&number)
}
