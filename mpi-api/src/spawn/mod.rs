//! Requests and results of process creation by a running program (MPI section 11.8).

use serde::{Deserialize, Serialize};

mod soft;

use std::rc::Rc;

pub use self::soft::Soft;
use crate::{call::CommInfo, error::MpiError, numbered::Table};

/// One command of a spawn: a number of processes that run the same program.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Launch {
    /// Largest number of processes.
    pub most: u32,
    /// Other acceptable numbers of processes; `None` if exactly `most` are required.
    pub soft: Option<Soft>,
    /// Node of the new processes; `None` for the nodes with the fewest ranks.
    pub node: Option<u32>,
    /// Number of processes that share an address space.
    pub ranks_per_process: u32,
    /// Body of each process, or the reason why it cannot be started.
    pub body: Result<RankBody, MpiError>,
}

impl Launch {
    /// Creates a request for exactly `most` processes on any nodes, each with its own address
    /// space.
    pub fn new(most: u32, body: Rc<dyn Fn()>) -> Self {
        Self { most, soft: None, node: None, ranks_per_process: 1, body: Ok(RankBody::new(body)) }
    }

    /// Creates a request that cannot be started.
    pub fn refused(most: u32, why: MpiError) -> Self {
        Self { most, soft: None, node: None, ranks_per_process: 1, body: Err(why) }
    }
}

/// The function that the processes of a command run, by its number on the side of the ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RankBody(u32);

thread_local! {
    static FUNCTIONS: Table<Rc<dyn Fn()>> = const { Table::new() };
}

impl RankBody {
    /// Stores the function until the processes are started.
    pub fn new(function: Rc<dyn Fn()>) -> Self {
        Self(FUNCTIONS.with(|functions| functions.keep(function)))
    }

    /// Takes the function out of the table; `None` if it was taken before.
    pub(crate) fn take(self) -> Option<Rc<dyn Fn()>> {
        FUNCTIONS.with(|functions| functions.take(self.0))
    }

    /// Drops the functions of processes that were never started.
    pub(crate) fn forget() {
        FUNCTIONS.with(Table::clear);
    }
}

/// The result of a spawn, as each parent rank receives it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Spawned {
    /// Communicator with the new processes, or the reason why there are none.
    pub made: Result<CommInfo, MpiError>,
    /// Number of processes requested and number started, for each command.
    pub counts: Vec<(u32, u32)>,
}

/// The address space of a rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AddressSpace {
    /// Number of the address space in the run.
    pub number: u32,
    /// Number of ranks in it.
    pub ranks: u32,
}
