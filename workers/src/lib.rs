//! Pieces of work in processes of their own.
//!
//! A simulated program may do anything to its process: leave data in static variables, change
//! files, close descriptors, exit, crash. [`Workers::forked`] runs each piece of work in a fork of
//! this process, so that none sees what another left and a crash ends one piece only.
//! [`Workers::in_process`] runs them here, for callers that may not fork because they have
//! threads, such as test harnesses.
//!
//! Reading order: [`Workers`], `supervise` (the loop of the parent), `child`, `input`, `folder`.
#![allow(clippy::disallowed_types, reason = "bounds the time of processes on this machine")]

mod child;
mod folder;
mod input;
mod supervise;
mod tail;

use std::{
    path::PathBuf,
    sync::atomic::{AtomicBool, Ordering},
    time::Instant,
};

use serde::{Serialize, de::DeserializeOwned};

use self::supervise::Supervisor;

/// A piece of work.
pub struct Work<'a, T> {
    /// Name, for the folder in which its files are kept.
    pub name: String,
    /// Whether its standard output and error appear on this process's standard error.
    pub shown: bool,
    /// What is done. Nothing but the value comes back.
    pub body: Box<dyn FnOnce() -> T + 'a>,
}

/// What became of a piece of work.
pub struct Done<T> {
    /// Its value, or why there is none.
    pub result: Result<T, Failure>,
    /// The end of what it wrote to its standard output and error; empty for work in this process.
    pub output: String,
}

/// Why a piece of work has no value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// Its process was killed by this signal.
    Signal(i32),
    /// Its process exited with this code before it was done; what [`Settings::at_exit`] said.
    Exit(i32, String),
    /// There was no time for it: it was not begun, or did not end when it was asked to.
    Stopped,
    /// The system refused a process, a pipe or memory.
    Refused(String),
}

/// How pieces of work are run in forked processes.
pub struct Settings {
    /// Most processes at once.
    pub parallel: usize,
    /// When the work has to be over. What is under way then is asked to stop with `SIGTERM`.
    pub deadline: Option<Instant>,
    /// Whether each process gets all of this process's standard input, and a view of the working
    /// folder of its own, whose changes vanish with it.
    pub surroundings: bool,
    /// Whether output is shown of the work that is to be shown.
    pub show: bool,
    /// Where files that a process has changed are kept: a folder for each, by its name.
    pub keep_files: Option<PathBuf>,
    /// Called in each process before its work.
    pub prepare: fn(),
    /// Called in a process that exits before its work is done; says where it was.
    pub at_exit: fn() -> String,
    /// Called from time to time while there is work, with the number of pieces done so far.
    pub tick: Box<dyn Fn(u64)>,
}

/// Runs pieces of work, here or in forked processes.
pub struct Workers(Option<Supervisor>);

impl Workers {
    /// Work is done in this process, one piece after the other.
    pub fn in_process() -> Self {
        Self(None)
    }

    /// Work is done in forks of this process, which must have no other thread.
    ///
    /// From now on `SIGINT` and `SIGTERM` end the work instead of this process; the second one
    /// ends it at once.
    pub fn forked(settings: Settings) -> Self {
        supervise::listen();
        Self(Some(Supervisor::new(settings)))
    }

    /// How many pieces are done at once.
    pub fn parallel(&self) -> usize {
        self.0.as_ref().map_or(1, Supervisor::parallel)
    }

    /// Whether the work had to be broken off: the deadline has passed, or a signal came.
    pub fn stopped(&self) -> Option<Stop> {
        self.0.as_ref().and_then(Supervisor::stopped)
    }

    /// What the caller should know of how the work was done, each remark once.
    pub fn remarks(&self) -> Vec<String> {
        self.0.as_ref().map(Supervisor::remarks).unwrap_or_default()
    }

    /// Does all pieces of work.
    ///
    /// Order: results are in the order of the pieces, whichever is done first.
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

/// Why work was broken off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The deadline has passed.
    Deadline,
    /// This process was told to end.
    Signal,
}

/// The exit code of a process of [`Workers::forked`] that found no memory left. Its work is then refused
/// as by the system, with [`Failure::Refused`].
pub const OUT_OF_MEMORY: i32 = 112;

/// Whether this is a process of [`Workers::forked`] that does a piece of work. Needs no memory.
pub fn is_worker() -> bool {
    child::is_child()
}

/// Set by `SIGINT` and `SIGTERM`.
static TOLD_TO_END: AtomicBool = AtomicBool::new(false);

fn told_to_end() -> bool {
    TOLD_TO_END.load(Ordering::Relaxed)
}
