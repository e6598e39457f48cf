//! The internal control variables of OpenMP (OpenMP 5.2, section 2).

use super::schedule::{Kind, Schedule};

/// Largest number of threads that `omp_get_thread_limit` returns if none is set.
pub(super) const NO_LIMIT: u32 = i32::MAX as u32;

/// The variables of which each task has its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Controls {
    /// Threads of the next region.
    pub(super) threads: u32,
    pub(super) dynamic: bool,
    /// Largest number of nested regions with several threads.
    pub(super) levels: u32,
    pub(super) schedule: Schedule,
    /// Largest number of threads at once.
    pub(super) limit: u32,
    pub(super) device: i32,
}

/// How much of the settings is shown when a program begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Show {
    Nothing,
    Standard,
    All,
}

/// The variables of a rank, as its environment sets them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Settings {
    /// What the first task of the program begins with.
    pub(super) common: Controls,
    /// Threads by nesting level; empty if they are not set.
    pub(super) threads: Vec<u32>,
    /// Bytes of a thread's stack.
    pub(super) stack: usize,
    pub(super) cancellation: bool,
    /// The largest priority of a task that has an effect.
    pub(super) priorities: u32,
    /// Number of teams and threads of each; 0 if they are not set.
    pub(super) teams: (u32, u32),
    pub(super) show: Show,
}

impl Default for Settings {
    fn default() -> Self {
        let schedule = Schedule::of(Kind::Dynamic, 1);
        let common = Controls {
            threads: 1,
            dynamic: false,
            levels: 1,
            schedule,
            limit: NO_LIMIT,
            device: 0,
        };
        Self {
            common,
            threads: Vec::new(),
            stack: 8 << 20,
            cancellation: false,
            priorities: 0,
            teams: (0, 0),
            show: Show::Nothing,
        }
    }
}
