//! Processes that a running program starts (MPI section 11.8): what is asked for, and what came
//! of it.

mod soft;

use std::{fmt, rc::Rc};

pub use self::soft::Soft;
use crate::{call::CommInfo, error::MpiError};

/// One command of a spawn: some processes that run the same.
#[derive(Clone)]
pub struct Launch {
    /// Most processes.
    pub most: u32,
    /// How many it may be as well; without that, exactly as many.
    pub soft: Option<Soft>,
    /// The node they are to be on; without that, those with the fewest ranks.
    pub node: Option<u32>,
    /// How many of them share an address space.
    pub ranks_per_process: u32,
    /// What each of them runs, or why it cannot be started.
    pub body: Result<Rc<dyn Fn()>, MpiError>,
}

impl Launch {
    /// Exactly so many processes, anywhere, each alone in its address space.
    pub fn new(most: u32, body: Rc<dyn Fn()>) -> Self {
        Self { most, soft: None, node: None, ranks_per_process: 1, body: Ok(body) }
    }

    /// One that cannot be started.
    pub fn refused(most: u32, why: MpiError) -> Self {
        Self { most, soft: None, node: None, ranks_per_process: 1, body: Err(why) }
    }
}

impl fmt::Debug for Launch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Launch of {}", self.most)
    }
}

/// What a spawn comes to, as each rank of the parents hears it.
#[derive(Clone, Debug)]
pub struct Spawned {
    /// The communicator with the new processes, or why there are none.
    pub made: Result<CommInfo, MpiError>,
    /// Of each command, how many processes were asked for and how many there are.
    pub counts: Vec<(u32, u32)>,
}

/// The address space of a rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AddressSpace {
    /// Its number in the run.
    pub number: u32,
    /// How many ranks are in it.
    pub ranks: u32,
}
