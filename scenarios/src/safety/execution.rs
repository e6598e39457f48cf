//! The executions of a check: each in its own process, or all in this one.

use mpi_api::{
    check::{exit_code, limit_reached, signal},
    finding::Finding,
    outcome::{Ending, RunResult},
    settings::{Buffering, Matching, Races, Settings},
};
use workers::{Done, Failure, Work, Workers};

use super::{Policy, PolicyRun, buffering::Pair};
use crate::scenario::Scenario;

/// Most messages of an execution that may wait for their receives at once, and for many ranks the most for
/// each of them. A program that has more sends without end.
const UNRECEIVED_MAX: u32 = 1 << 18;
const UNRECEIVED_EACH: u32 = 1 << 12;

/// Runs one scenario under different settings.
pub(super) struct Executions<'a> {
    pub(super) scenario: &'a Scenario,
    pub(super) workers: &'a Workers,
}

impl Executions<'_> {
    /// Runs the scenario once for each policy and its settings.
    ///
    /// Order: as given. Executions that did not start before the deadline are left out.
    pub(super) fn run(&self, wanted: Vec<(Policy, Settings)>) -> Vec<PolicyRun> {
        let works = wanted.iter().map(|(policy, settings)| {
            let settings = Settings { races: Races::Causal, ..settings.clone() };
            Work {
                name: policy.to_string(),
                shown: *policy == Policy::ORDINARY,
                body: Box::new(move || self.once(settings)),
            }
        });
        let done = self.workers.run(works.collect());
        let runs = wanted.into_iter().zip(done).map(|((policy, settings), done)| {
            let Done { result, output } = done;
            let result = match result {
                Ok(result) => result,
                Err(Failure::Stopped) => return None,
                Err(failure) => {
                    RunResult::of_failure(self.scenario.request.ranks, broken_off(failure))
                }
            };
            Some(PolicyRun { policy, settings, result, output })
        });
        runs.flatten().collect()
    }

    /// Runs the scenario once. Returns `None` if the deadline has passed.
    pub(super) fn run_one(&self, policy: Policy, settings: Settings) -> Option<PolicyRun> {
        self.run(vec![(policy, settings)]).pop()
    }

    /// Returns whether an execution with these settings completes, or `None` if the deadline or the limit
    /// of memory was passed before that was known.
    pub(super) fn finishes(&self, settings: Settings) -> Option<bool> {
        let run = self.run_one(Policy::Search, settings)?;
        (!run.result.interrupted && !run.result.out_of_memory)
            .then(|| run.result.ending == Ending::Completed)
    }

    /// Returns which receive takes the message of which send with unlimited buffering and this
    /// match order.
    pub(super) fn pairs(&self, matching: &Matching) -> Vec<Pair> {
        let settings = Settings {
            buffering: Buffering::infinite(),
            matching: matching.clone(),
            ..self.scenario.settings()
        };
        let body = move || super::buffering::pairs(self.scenario, settings);
        let work = Work { name: "pairs".into(), shown: false, body: Box::new(body) };
        let done = self.workers.run(vec![work]).pop();
        done.and_then(|done| done.result.ok()).unwrap_or_default()
    }

    /// Runs the scenario once, and keeps only the results that a verdict needs.
    fn once(&self, mut settings: Settings) -> RunResult {
        let ranks = self.scenario.request.ranks;
        settings.unreceived_max = Some(UNRECEIVED_MAX.max(ranks.saturating_mul(UNRECEIVED_EACH)));
        let mut result = self.scenario.run_with(settings);
        result.links = Vec::new();
        result
    }
}

/// Returns the finding for an execution whose process ended without a result.
pub fn broken_off(failure: Failure) -> Finding {
    match failure {
        Failure::Exit(code, place) => exit_code::of_process(&place, code),
        Failure::Signal(signal) => signal::killed(signal),
        Failure::Refused(why) => limit_reached::refused(&why),
        Failure::Stopped => limit_reached::stopped(),
    }
}
