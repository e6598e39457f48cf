//! Execution of pieces of work, each in its own process.
//!
//! A simulated program may do anything to its process: leave data in static variables, change
//! files, close descriptors, exit, crash. [`Workers::forked`] runs each piece of work in a fork of
//! this process, so that none sees what another one left, and a crash ends only one piece.
//! [`Workers::in_process`] runs them in this process, for callers that may not fork because they
//! have threads, such as test harnesses.
//!
//! Reading order: [`Workers`], `supervise` (the loop of the parent), `process`, `child`, `input`, `folder`, `lane`.
#![allow(clippy::disallowed_types, reason = "bounds the time of processes on this machine")]

mod child;
mod folder;
mod input;
mod lane;
mod overlay;
mod process;
mod supervise;
mod tail;

use std::{
    path::PathBuf,
    sync::atomic::{AtomicU32, Ordering},
    time::{Duration, Instant},
};

pub use self::folder::{Substitute, move_folder};

use rustix::{
    fs::{Mode, OFlags, open},
    io::read,
    time::{ClockId, Timespec, clock_gettime},
};
use serde::{Serialize, de::DeserializeOwned};

use self::supervise::Supervisor;

/// A piece of work.
pub struct Work<'a, T> {
    /// Name of the work, also of the folder in which its files are kept.
    pub name: String,
    /// Whether its standard output and error appear on the standard error of this process.
    pub shown: bool,
    /// Function that does the work. Only its value is returned to the parent.
    pub body: Box<dyn FnOnce() -> T + 'a>,
}

/// The outcome of a piece of work.
pub struct Done<T> {
    /// Value of the work, or why there is none.
    pub result: Result<T, Failure>,
    /// Last part of its standard output and error; empty for work in this process.
    pub output: String,
}

/// The reason why a piece of work has no value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The process was killed by this signal.
    Signal(i32),
    /// The process exited with this code before the work was done. The text is that of
    /// [`Settings::at_exit`].
    Exit(i32, String),
    /// The process waited for a lock that nothing would release, and was killed.
    Stuck,
    /// The time was over: the work did not start, or did not end when it was asked to.
    Stopped,
    /// The system refused a process, a pipe or memory.
    Refused(String),
}

/// The settings for work in forked processes.
pub struct Settings {
    /// Largest number of processes at once.
    pub parallel: usize,
    /// Time by which the work must end. Running processes are then asked to stop with `SIGTERM`.
    pub deadline: Option<Instant>,
    /// Whether each process gets a copy of this process's standard input, and a private view of the
    /// working folder whose changes disappear with it.
    pub surroundings: bool,
    /// Whether the output of work with [`Work::shown`] is shown.
    pub show: bool,
    /// Folder that keeps the files each process has changed, in a subfolder with its name.
    pub keep_files: Option<PathBuf>,
    /// Function that each process calls before its work.
    pub prepare: fn(),
    /// Function that a process calls, before its work, with what the system does not do to set it
    /// apart from others.
    pub substitute: fn(Substitute<'_>),
    /// Function that a process calls if it exits before its work is done; returns a description of
    /// its position.
    pub at_exit: fn() -> String,
    /// Function called regularly during the work, with the number of pieces done so far. A piece that calls
    /// [`part_is_done`] counts as that many, each from then on. The text is what [`Workers::tell`] was given last, at
    /// first none.
    pub tick: Box<dyn Fn(u64, &str)>,
}

/// Runs pieces of work, in this process or in forked ones.
pub struct Workers(Option<Supervisor>);

impl Workers {
    /// Creates workers that run in this process, one piece after the other.
    pub fn in_process() -> Self {
        Self(None)
    }

    /// Creates workers that run in forks of this process, which must have no other thread.
    ///
    /// From now on `SIGINT` and `SIGTERM` end the work instead of this process; a third signal
    /// ends it at once.
    pub fn forked(settings: Settings) -> Self {
        supervise::listen();
        Self(Some(Supervisor::new(settings)))
    }

    /// Returns the number of pieces that run at once.
    pub fn parallel(&self) -> usize {
        self.0.as_ref().map_or(1, Supervisor::parallel)
    }

    /// Reports whether each piece of work has a process of its own.
    pub fn are_processes(&self) -> bool {
        self.0.is_some()
    }

    /// Returns why the work was stopped early, if it was: the deadline has passed, or a signal
    /// arrived.
    pub fn stopped(&self) -> Option<Stop> {
        self.0.as_ref().and_then(Supervisor::stopped)
    }

    /// Says how far all the work has come, for [`Settings::tick`]. Has no effect with [`Workers::in_process`].
    pub fn tell(&self, progress: String) {
        if let Some(supervisor) = &self.0 {
            supervisor.tell(progress);
        }
    }

    /// Returns remarks for the user on how the work was done, without duplicates.
    pub fn remarks(&self) -> Vec<String> {
        self.0.as_ref().map(Supervisor::remarks).unwrap_or_default()
    }

    /// Runs all pieces of work.
    ///
    /// Order: results are in the order of the pieces, whichever finishes first.
    pub fn run<T>(&self, works: Vec<Work<'_, T>>) -> Vec<Done<T>>
    where
        T: Serialize + DeserializeOwned,
    {
        match &self.0 {
            Some(supervisor) => supervisor.run(works),
            None => works
                .into_iter()
                .map(|work| Done { result: Ok((work.body)()), output: String::new() })
                .collect(),
        }
    }
}

/// The reason why work was stopped early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The deadline has passed.
    Deadline,
    /// This process received `SIGINT` or `SIGTERM`.
    Signal,
}

/// Exit code of a process of [`Workers::forked`] that runs out of memory. Its work then fails with
/// [`Failure::Refused`].
pub const OUT_OF_MEMORY: i32 = 112;

/// Tells that a part of a piece of work is done, which counts in the place of the piece (see
/// [`Settings::tick`]). Has no effect outside of processes of [`Workers::forked`].
pub fn part_is_done() {
    child::tell_part();
}

/// Returns whether this is a process of [`Workers::forked`] that does a piece of work. Allocates no
/// memory.
pub fn is_worker() -> bool {
    child::is_child()
}

/// Returns the processor time that this process has taken since it began.
pub fn processor_time() -> Duration {
    let Timespec { tv_sec, tv_nsec } = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(tv_sec.cast_unsigned(), tv_nsec as u32)
}

/// Returns the number of pages of this process that are in memory; `None` if the system does not tell. Allocates
/// nothing, so that a signal handler may call it.
pub fn resident_pages() -> Option<u64> {
    let file = open(c"/proc/self/statm", OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty()).ok()?;
    let mut text = [0; 128];
    let length = read(&file, &mut text).ok()?;
    let pages = str::from_utf8(&text[..length]).ok()?;
    pages.split(' ').nth(1)?.parse().ok()
}

/// Number of times that `SIGINT` or `SIGTERM` was received.
static TIMES_TOLD_TO_END: AtomicU32 = AtomicU32::new(0);

fn told_to_end() -> bool {
    TIMES_TOLD_TO_END.load(Ordering::Relaxed) > 0
}
