//! Executions in which one rank starts late.
//!
//! A rank that starts only when its partners cannot progress without it reveals faults that a
//! simultaneous start hides: attached buffers that overflow, ready sends that come too early, and
//! the largest amount of buffered data.

use mpi_api::{outcome::Ending, settings::Settings};
use sim_core::SimDuration;

use super::{Policy, PolicyRun, Space, Variation, settings::settings_with};
use crate::scenario::Scenario;

/// Most runs with one late rank.
const RUNS_MAX: u64 = 64;
/// Most messages in all these runs together; at least one run is always made.
const MESSAGES_MAX: u64 = 1 << 20;

/// Returns the settings of runs with unlimited buffering in which one rank at a time starts late.
///
/// There are none if the ordinary execution does not complete: its end says no more of how long the program takes than of what
/// is at fault. The delay is twice the time of the whole program. If there are many ranks, evenly spaced ones
/// are chosen.
pub(super) fn late_runs(scenario: &Scenario, runs: &[PolicyRun]) -> Vec<(Policy, Settings)> {
    let ordinary = runs.iter().find(|run| run.policy == Policy::ORDINARY);
    let Some(free) = ordinary.filter(|run| run.result.ending == Ending::Completed) else {
        return Vec::new();
    };
    let delay = SimDuration::from_ps(free.result.makespan.as_ps().saturating_mul(2).max(1));
    // Started ranks count too: each has the same number in every run, or does not exist in it.
    let size = free.result.ranks.len() as u64;
    let affordable = MESSAGES_MAX / free.result.messages.max(1);
    let count = affordable.clamp(1, RUNS_MAX).min(size);
    let late = |index: u64, space: Space| {
        let rank = (index * size / count) as u32;
        let settings = Settings { late: Some((rank, delay)), ..settings_with(space, scenario) };
        (Policy::Varied(space, Variation::Late(rank)), settings)
    };
    let mut made: Vec<(Policy, Settings)> =
        (0..count).map(|index| late(index, Space::Infinite)).collect();
    // With unlimited buffering a send whose request was freed completes at once, which may hide
    // a fault: such programs also run with zero buffering.
    if free.result.freed {
        made.extend((0..count).map(|index| late(index, Space::Zero)));
    }
    made
}

/// Returns the most bytes that one rank's messages occupied at once in the runs with unlimited
/// buffering.
pub(super) fn peak(runs: &[PolicyRun]) -> u64 {
    let infinite = runs.iter().filter(|run| run.policy.space() == Some(Space::Infinite));
    infinite
        .flat_map(|run| run.result.ranks.iter().map(|rank| rank.peak_buffered))
        .max()
        .unwrap_or(0)
}
