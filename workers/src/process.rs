//! A running process, and what it has said so far.
#![allow(unsafe_code, reason = "closes descriptors of another process in a fork")]

use std::{
    io::{self, Write},
    os::fd::OwnedFd,
    time::{Duration, Instant},
};

use rustix::{
    event::{PollFd, PollFlags, Timespec, poll},
    io::read,
    process::{Pid, Signal, WaitOptions, WaitStatus, kill_process, waitpid},
};

use crate::{
    child::{Frame, HEADER, frames},
    folder::Room,
    input::{Feed, system_call},
    tail::Tail,
};

/// Longest time that a process may wait for a lock.
const LOCKED_MAX: Duration = Duration::from_secs(2);

/// Returns the system call in which a process waits for a lock; `None` if it does something else, or the system does not
/// say.
fn lock_of(process: Pid) -> Option<String> {
    let text = system_call(process).ok()?;
    let number: i64 = text.split_whitespace().next()?.parse().ok()?;
    (number == libc::SYS_futex).then_some(text)
}

/// A running process.
pub(crate) struct Live {
    /// Index of its work.
    pub(crate) index: usize,
    /// Where it has its view of the working folder.
    pub(crate) room: Option<Room>,
    pub(crate) name: String,
    pub(crate) shown: bool,
    pub(crate) process: Pid,
    /// Readable once the process has ended; `None` on systems without such descriptors, where its
    /// end is seen after a nap.
    pub(crate) end: Option<OwnedFd>,
    pub(crate) answer: Option<OwnedFd>,
    pub(crate) output: Option<OwnedFd>,
    pub(crate) feed: Option<Feed>,
    pub(crate) bytes: Vec<u8>,
    /// Number of parts of its work that are done, and length of the answer in which they were counted.
    pub(crate) parts: u64,
    pub(crate) counted: usize,
    pub(crate) tail: Tail,
    /// Time at which the process was asked to stop.
    pub(crate) asked: Option<Instant>,
    /// What the process waits for, and since when, if that is a lock.
    pub(crate) locked: Option<(String, Instant)>,
    /// Whether it was killed because it waited for a lock.
    pub(crate) stuck: bool,
    pub(crate) ended: bool,
    /// Exit status, if the system reports it.
    pub(crate) status: Option<WaitStatus>,
}

impl Live {
    /// Reads the next part of the answer.
    pub(crate) fn hear(&mut self) {
        let mut part = [0; 1 << 16];
        let Some(answer) = &self.answer else { return };
        match read(answer, &mut part) {
            Ok(count) if count > 0 => {
                self.bytes.extend_from_slice(&part[..count]);
                for (kind, contents) in frames(&self.bytes[self.counted..]) {
                    self.parts += u64::from(kind == Frame::Part);
                    self.counted += HEADER + contents.len();
                }
            }
            Err(rustix::io::Errno::INTR) => {}
            Ok(_) | Err(_) => self.answer = None,
        }
    }

    /// Reads the next part of the output.
    pub(crate) fn overhear(&mut self) {
        let mut part = [0; 1 << 16];
        let Some(output) = &self.output else { return };
        match read(output, &mut part) {
            Ok(count) if count > 0 => {
                self.tail.push(&part[..count]);
                if self.shown {
                    let _ = io::stderr().write_all(&part[..count]);
                }
            }
            Err(rustix::io::Errno::INTR) => {}
            Ok(_) | Err(_) => self.output = None,
        }
    }

    /// Kills the process if it waits for a lock. It has one thread, so that nobody would ever release the lock: the program
    /// has damaged the memory of the process.
    pub(crate) fn kill_if_stuck(&mut self) {
        let Some(wait) = lock_of(self.process) else {
            self.locked = None;
            return;
        };
        match &self.locked {
            Some((known, since)) if *known == wait => {
                if since.elapsed() > LOCKED_MAX {
                    self.stuck = true;
                    let _ = kill_process(self.process, Signal::KILL);
                }
            }
            _ => self.locked = Some((wait, Instant::now())),
        }
    }

    /// Records the end of the process if it has ended.
    pub(crate) fn reap(&mut self) {
        match waitpid(Some(self.process), WaitOptions::NOHANG) {
            Ok(None) | Err(rustix::io::Errno::INTR) => {}
            Ok(Some((_, status))) => (self.ended, self.status) = (true, Some(status)),
            Err(_) => self.ended = true,
        }
    }

    /// Reads what is left in the pipes; processes that this one has started may keep them open.
    pub(crate) fn drain(&mut self) {
        let now = Timespec { tv_sec: 0, tv_nsec: 0 };
        loop {
            let is_ready = |descriptor: &Option<OwnedFd>| {
                descriptor.as_ref().is_some_and(|descriptor| {
                    let mut list = [PollFd::new(descriptor, PollFlags::IN)];
                    poll(&mut list, Some(&now)).is_ok_and(|count| count > 0)
                })
            };
            let (answer, output) = (is_ready(&self.answer), is_ready(&self.output));
            if answer {
                self.hear();
            }
            if output {
                self.overhear();
            }
            if !answer && !output {
                break;
            }
        }
    }

    /// Returns whether no process that this one has started holds its pipes open. To be called after
    /// [`drain`](Self::drain).
    pub(crate) fn is_quiet(&self) -> bool {
        self.answer.is_none() && self.output.is_none()
    }

    /// Closes, in another process, the descriptors that belong to this one.
    pub(crate) fn close_here(&self) {
        use std::os::fd::AsRawFd;
        let own =
            [&self.answer, &self.output, &self.end].into_iter().flatten().map(AsRawFd::as_raw_fd);
        for descriptor in own.chain(self.feed.as_ref().map(Feed::descriptor)) {
            // SAFETY: a fork has its own table of descriptors, and nothing in it uses these.
            unsafe { libc::close(descriptor) };
        }
    }
}
