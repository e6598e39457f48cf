//! Numbers of processes.

/// The number of a process, from 0 in order of spawning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ProcessId(pub u32);
