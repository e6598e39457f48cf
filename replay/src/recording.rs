//! [`Recording`]: the calls of all ranks of a run.

use serde::{Deserialize, Serialize};
use sim_core::{SimDuration, SimTime, Site};

use crate::step::{Outcome, Step};
use mpi_api::call::{ClockCall, Operation};

/// The calls of all ranks of a program, in the order in which each made them.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Recording {
    /// What was recorded.
    pub origin: Origin,
    /// The places of calls, by number.
    pub(crate) sites: Vec<Site>,
    pub(crate) ranks: Vec<Calls>,
}

/// Where a recording comes from.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    /// Name of the program.
    pub program: String,
    /// Name of the machine.
    pub machine: String,
    /// When the last rank ended.
    pub makespan: Option<SimTime>,
}

/// The calls of one rank.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Calls {
    /// The steps, encoded one after the other: they take a tenth of the memory then.
    pub(crate) steps: Vec<u8>,
    /// Number of steps.
    pub(crate) count: u64,
    /// For each nonblocking receive with a wildcard, in order, the source and tag of its message;
    /// `None` if it received none.
    pub(crate) matched: Vec<Option<(u32, i32)>>,
}

impl Calls {
    /// Appends a step.
    pub(crate) fn push(&mut self, step: &Step) {
        let before = std::mem::take(&mut self.steps);
        self.steps = postcard::to_extend(step, before).expect("a step is plain data");
        self.count += 1;
    }

    /// Appends time to compute.
    pub(crate) fn compute(&mut self, time: SimDuration, site: u32) {
        if time > SimDuration::ZERO {
            let operation = Operation::Clock(ClockCall::Compute(time));
            self.push(&Step { site, operation, outcome: Outcome::Nothing });
        }
    }
}

impl Recording {
    /// Returns the number of ranks.
    pub fn ranks(&self) -> u32 {
        self.ranks.len() as u32
    }

    /// Returns the number of calls of all ranks.
    pub fn calls(&self) -> u64 {
        self.ranks.iter().map(|calls| calls.count).sum()
    }
}
