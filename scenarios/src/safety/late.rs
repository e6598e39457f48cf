//! Executions in which one rank begins late.
//!
//! A rank that keeps away until its partners have done all they can without it brings out what an
//! even start hides: attached buffers that overflow, ready sends that come too early, and the
//! most that buffers can fill.

use mpi_api::settings::{Buffering, Settings, Synchronisation};
use sim_core::SimDuration;

use super::PolicyRun;
use crate::scenario::Scenario;

/// Most runs with one late rank.
const RUNS_MAX: u64 = 64;
/// Most messages in all of these runs together; one run is always made.
const MESSAGES_MAX: u64 = 1 << 20;

/// Runs with unlimited buffering in which one rank at a time begins late.
///
/// Its delay is twice what the whole program takes. Of many ranks, evenly spaced ones are taken.
pub(super) fn late_runs(scenario: &Scenario, runs: &[PolicyRun]) -> Vec<(String, Settings)> {
    let Some(free) = runs.iter().find(|run| run.policy == "infinite") else { return Vec::new() };
    let delay = SimDuration::from_ps(free.result.makespan.as_ps().saturating_mul(2).max(1));
    // Ranks that the program starts have their numbers in every run, or are not there.
    let size = free.result.ranks.len() as u64;
    let affordable = MESSAGES_MAX / free.result.messages.max(1);
    let count = affordable.clamp(1, RUNS_MAX).min(size);
    let late = |index: u64, (name, buffering): (&str, Buffering)| {
        let rank = (index * size / count) as u32;
        let settings = Settings {
            buffering,
            synchronisation: Synchronisation::Least,
            late: Some((rank, delay)),
            ..scenario.settings()
        };
        (format!("{name}+late{rank}"), settings)
    };
    let mut made: Vec<(String, Settings)> =
        (0..count).map(|index| late(index, ("infinite", Buffering::infinite()))).collect();
    // What was freed is complete at once where all is buffered.
    if free.result.freed {
        made.extend((0..count).map(|index| late(index, ("zero", Buffering::zero()))));
    }
    made
}

/// Most that one rank's messages filled at once in the runs with unlimited buffering.
pub(super) fn peak(runs: &[PolicyRun]) -> u64 {
    let infinite = runs.iter().filter(|run| run.policy.starts_with("infinite"));
    infinite
        .flat_map(|run| run.result.ranks.iter().map(|rank| rank.peak_buffered))
        .max()
        .unwrap_or(0)
}
