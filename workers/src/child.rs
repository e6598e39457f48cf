//! The forked process: sets up its surroundings, does its work, and answers through a pipe.
#![allow(unsafe_code, reason = "forks, and ends a forked process without the parent's handlers")]

use std::{
    io::{self, Write},
    os::fd::{AsFd, AsRawFd, OwnedFd},
    panic::{self, AssertUnwindSafe},
    ptr,
    sync::atomic::{AtomicI32, Ordering},
};

use rustix::{
    io::{FdFlags, fcntl_dupfd_cloexec, fcntl_setfd},
    process::{Pid, Signal, set_parent_process_death_signal},
    stdio::{dup2_stderr, dup2_stdin, dup2_stdout},
};

/// The kind of a frame in the pipe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Frame {
    /// The serialized value of the work.
    Value,
    /// A part of the work is done. Without contents.
    Part,
    /// The position of the program when it exited, as
    /// [`Settings::at_exit`](crate::Settings::at_exit) describes it.
    Exit,
    /// How the process sees the working folder, if not through an overlay.
    Folder,
}

impl Frame {
    fn byte(self) -> u8 {
        match self {
            Self::Value => b'V',
            Self::Part => b'P',
            Self::Exit => b'X',
            Self::Folder => b'F',
        }
    }

    fn of(byte: u8) -> Option<Self> {
        [Self::Value, Self::Part, Self::Exit, Self::Folder]
            .into_iter()
            .find(|frame| frame.byte() == byte)
    }
}

/// Bytes before the contents of a frame: kind and length.
pub(crate) const HEADER: usize = 9;

/// Returns the complete frames at the beginning of the bytes that a process has written.
pub(crate) fn frames(mut bytes: &[u8]) -> Vec<(Frame, &[u8])> {
    let mut found = Vec::new();
    while bytes.len() >= HEADER {
        let length = u64::from_le_bytes(bytes[1..HEADER].try_into().expect("eight bytes"));
        let end = usize::try_from(length).ok().and_then(|length| length.checked_add(HEADER));
        let (Some(kind), Some(end)) = (Frame::of(bytes[0]), end) else { break };
        let Some(contents) = bytes.get(HEADER..end) else { break };
        found.push((kind, contents));
        bytes = &bytes[end..];
    }
    found
}

/// The file descriptors of a process.
pub(crate) struct Ends {
    pub(crate) answer: OwnedFd,
    pub(crate) output: OwnedFd,
    pub(crate) input: Option<OwnedFd>,
}

/// Lowest number of the answer's file descriptor, since programs close low ones in loops.
pub(crate) const ANSWER_MIN: i32 = 1000;

/// Forks this process. Returns `None` in the child.
pub(crate) fn fork() -> io::Result<Option<Pid>> {
    // SAFETY: this process has only one thread (the contract of `Workers::forked`), so the child
    // inherits no lock that a missing thread holds.
    match unsafe { libc::fork() } {
        -1 => Err(io::Error::last_os_error()),
        number => Ok(Pid::from_raw(number)),
    }
}

/// File descriptor of the answer, for the handler of `exit`.
static ANSWER: AtomicI32 = AtomicI32::new(-1);

/// Returns whether this process is a worker.
pub(crate) fn is_child() -> bool {
    ANSWER.load(Ordering::Relaxed) >= 0
}

/// Function that describes the position of the program, for the handler of `exit`.
static AT_EXIT: std::sync::OnceLock<fn() -> String> = std::sync::OnceLock::new();

extern "C" fn on_exit() {
    let (answer, Some(place)) = (ANSWER.load(Ordering::Relaxed), AT_EXIT.get()) else { return };
    send(answer, Frame::Exit, place().as_bytes());
}

/// Tells the parent that a part of the work is done. Has no effect in other processes than workers.
pub(crate) fn tell_part() {
    let answer = ANSWER.load(Ordering::Relaxed);
    if answer >= 0 {
        send(answer, Frame::Part, &[]);
    }
}

/// Writes one frame to the pipe.
fn send(answer: i32, kind: Frame, contents: &[u8]) {
    let mut frame = Vec::with_capacity(HEADER + contents.len());
    frame.push(kind.byte());
    frame.extend_from_slice(&(contents.len() as u64).to_le_bytes());
    frame.extend_from_slice(contents);
    let mut rest = frame.as_slice();
    while !rest.is_empty() {
        // SAFETY: the bytes are valid for reads, and writing to a closed descriptor only returns an
        // error.
        let written = unsafe { libc::write(answer, rest.as_ptr().cast(), rest.len()) };
        match written {
            -1 if io::Error::last_os_error().kind() == io::ErrorKind::Interrupted => {}
            written if written > 0 => rest = &rest[written as usize..],
            _ => return,
        }
    }
}

/// Runs the body of a process that was just forked. Does not return.
pub(crate) fn live(
    ends: Ends,
    (prepare, at_exit): (fn(), fn() -> String),
    enter: impl FnOnce() -> io::Result<Option<&'static str>>,
    work: impl FnOnce() -> Vec<u8>,
) -> ! {
    let outcome = panic::catch_unwind(AssertUnwindSafe(|| {
        let answer = arrange(ends).unwrap_or_else(|error| {
            eprintln!("error: no descriptors for an execution: {error}");
            leave(101)
        });
        ANSWER.store(answer, Ordering::Relaxed);
        let _ = AT_EXIT.set(at_exit);
        // SAFETY: the handler is a function of this crate that exists as long as the process.
        unsafe { libc::atexit(on_exit) };
        match enter() {
            Ok(None) => {}
            Ok(Some(remark)) => send(answer, Frame::Folder, remark.as_bytes()),
            Err(error) => {
                eprintln!("error: no view of the working folder: {error}");
                leave(101)
            }
        }
        // A process that enters a user namespace loses it.
        let _ = set_parent_process_death_signal(Some(Signal::KILL));
        prepare();
        let value = work();
        let _ = io::stdout().flush();
        send(answer, Frame::Value, &value);
    }));
    leave(if outcome.is_ok() { 0 } else { 101 })
}

/// Ends this process without calling exit handlers, which belong to the parent.
pub(crate) fn leave(code: i32) -> ! {
    // SAFETY: ends the process.
    unsafe { libc::_exit(code) }
}

/// Moves the file descriptors to where programs expect them. Returns that of the answer, which
/// nothing closes from now on.
fn arrange(ends: Ends) -> io::Result<i32> {
    // The child ends if its parent is killed.
    set_parent_process_death_signal(Some(Signal::KILL))?;
    // SAFETY: restores default actions and an empty mask, as in a new process.
    unsafe {
        libc::signal(libc::SIGINT, libc::SIG_IGN);
        libc::sigprocmask(libc::SIG_SETMASK, &empty(), ptr::null_mut());
    }
    let answer = fcntl_dupfd_cloexec(&ends.answer, ANSWER_MIN)
        .or_else(|_| fcntl_dupfd_cloexec(&ends.answer, 3))?;
    dup2_stdout(ends.output.as_fd())?;
    dup2_stderr(ends.output.as_fd())?;
    if let Some(input) = &ends.input {
        dup2_stdin(input.as_fd())?;
        fcntl_setfd(rustix::stdio::stdin(), FdFlags::empty())?;
    }
    let number = answer.as_raw_fd();
    std::mem::forget(answer);
    Ok(number)
}

fn empty() -> libc::sigset_t {
    let mut set = std::mem::MaybeUninit::<libc::sigset_t>::zeroed();
    // SAFETY: initialises the signal set before its use.
    unsafe {
        libc::sigemptyset(set.as_mut_ptr());
        set.assume_init()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_are_read_as_far_as_they_are_complete() {
        let mut bytes = vec![b'F', 3, 0, 0, 0, 0, 0, 0, 0];
        bytes.extend_from_slice(b"abc");
        assert_eq!(frames(&bytes), [(Frame::Folder, &b"abc"[..])]);
        bytes.extend_from_slice(&[b'V', 2, 0, 0, 0, 0, 0, 0, 0, 7]);
        assert_eq!(frames(&bytes).len(), 1, "the value is cut short");
        bytes.push(8);
        assert_eq!(frames(&bytes)[1], (Frame::Value, &[7, 8][..]));
        assert!(frames(&[b'?'; 40]).is_empty());
        assert!(frames(&[b'V', 255, 255, 255, 255, 255, 255, 255, 255, 0]).is_empty());
    }
}
