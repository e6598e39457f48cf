//! [`PolicyRun`]: one execution of a check, with what it varied and its result.

use mpi_api::{
    finding::Code,
    outcome::{Ending, RunResult},
    settings::{Settings, Watched},
};

use super::{Policy, Schedule};

/// One of the executions behind a verdict.
pub struct PolicyRun {
    /// What was varied.
    pub policy: Policy,
    /// Settings of the execution.
    pub settings: Settings,
    /// Result of the execution.
    pub result: RunResult,
    /// The last part of what the process printed; empty if executions share a process.
    pub output: String,
}

impl PolicyRun {
    /// Returns whether the run reached a state without further progress: all ranks blocked, or
    /// polling forever.
    pub(super) fn is_stuck(&self) -> bool {
        self.result.ending == Ending::Stalled
            || self.result.findings.iter().any(|finding| finding.code == Code::Livelock)
    }
}

impl PolicyRun {
    /// Returns whether the run completed without findings.
    pub(super) fn is_clean(&self) -> bool {
        self.result.ending == Ending::Completed && self.result.findings.is_empty()
    }

    /// Returns the schedule that makes the execution again; `None` if it was one of a search.
    pub fn schedule(&self) -> Option<Schedule> {
        self.policy.again().map(|space| Schedule::of(space, &self.settings))
    }

    /// Returns whether the run only looks for accesses of the program to watched memory, or only compares buffers.
    pub fn watches(&self) -> bool {
        matches!(self.policy, Policy::Watched(..))
    }

    /// Returns whether the run watches memory.
    pub fn watches_memory(&self) -> bool {
        self.settings.environment.watched != Watched::Nothing
    }

    /// Returns whether the run had a choice between several matches.
    pub fn chose(&self) -> bool {
        self.result.choices.iter().any(|choice| choice.alternatives > 1)
    }

    /// Returns whether this run shows that `failed` need not have failed: it completed, or got
    /// stuck at another place although only orders were different.
    pub(super) fn shows_another_way(&self, failed: &Self) -> bool {
        self.result.ending == Ending::Completed
            || self.is_stuck()
                && self.settings.buffering == failed.settings.buffering
                && self.settings.synchronisation == failed.settings.synchronisation
    }
}

/// The smallest buffering that is enough.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Minimum {
    /// Bytes per rank if all ranks have the same amount.
    pub bytes_per_rank: u64,
    /// Bytes summed over ranks if each rank has its own amount.
    pub total_bytes: u64,
    /// Number of ranks that need any buffering.
    pub ranks: u32,
    /// Most bytes that one sending rank occupied when space was unlimited, over the runs behind the
    /// verdict and runs in which one rank starts only when the others cannot progress. Observed in
    /// an execution, so never larger than the true worst case.
    pub peak_bytes: u64,
}

/// Returns the largest number of ranks of a run, since a program may start some.
pub(super) fn most_ranks(runs: &[PolicyRun]) -> usize {
    runs.iter().map(|run| run.result.ranks.len()).max().unwrap_or(0)
}
