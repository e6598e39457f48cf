//! [`Population`]: the ranks of a run as they come, meet and go.

use super::{aborts::Aborts, exit::Exit, ports::Ports, table::Processes};
use crate::kernel::thread::threads::Further;

/// The processes of a run, where groups of them meet, and how they ended.
pub(crate) struct Population {
    pub(in crate::kernel) processes: Processes<Further>,
    pub(in crate::kernel) aborts: Aborts,
    pub(in crate::kernel) exits: Vec<Exit>,
    pub(super) ports: Ports,
    /// Number of ranks that have ended before the first one that has not.
    pub(super) ended: usize,
}

impl Population {
    /// Creates the population of a run that begins with this number of ranks.
    pub(in crate::kernel) fn new(ranks: u32, ranks_per_process: u32) -> Self {
        Self {
            processes: Processes::new(ranks, ranks_per_process),
            aborts: Aborts::default(),
            exits: Vec::new(),
            ports: Ports::default(),
            ended: 0,
        }
    }
}
