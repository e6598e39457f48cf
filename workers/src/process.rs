//! A running process, and what it has said so far.
#![allow(unsafe_code, reason = "closes descriptors of another process in a fork")]

use std::{
    io::{self, Write},
    os::fd::OwnedFd,
    time::Instant,
};

use rustix::{
    event::{PollFd, PollFlags, Timespec, poll},
    io::read,
    process::{Pid, WaitOptions, WaitStatus, waitpid},
};

use crate::{
    child::{Frame, HEADER, frames},
    folder::Room,
    input::Feed,
    tail::Tail,
};

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
