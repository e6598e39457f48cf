//! What a program relies on that not every library of MPI provides.

use mpi_api::{
    check::portability::{ignored_level, read_while_sent, synchronising_collectives},
    finding::{Code, Finding},
    policy::Policy as Edition,
    settings::{Environment, Settings, Watched},
};
use workers::Workers;

use super::{Executions, Policy, PolicyRun, Report, Space, Variation, settings::settings_with};
use crate::scenario::Scenario;

/// Runs the program under conditions that only less common libraries have, and returns notes on what it relies
/// on: [`Code::Portability`]. They have no part in the verdict of `report`, which is that of the same scenario.
pub fn portability(scenario: &Scenario, workers: &Workers, report: &Report) -> Vec<Finding> {
    let executions = Executions::new(scenario, workers);
    let usual = scenario.settings().environment;
    let mut notes = found(
        &executions,
        Environment { notes_portability: true, ..usual.clone() },
        Code::Portability,
    );
    let mut single = usual.clone();
    single.policies.differ_in(Edition::ThreadLevels);
    let ignored = found(&executions, single, Code::ThreadMisuse);
    notes.extend(unlike(ignored, report).map(ignored_level));
    // The memory that one-sided accesses only read was never theirs alone.
    let sends = report.runs.iter().all(|run| !run.result.one_sided);
    if sends && report.runs.iter().any(|run| run.result.owns) {
        let alone = Environment { watched: Watched::OwnedAlone, ..usual };
        let read = found(&executions, alone, Code::BufferConflict);
        notes.extend(unlike(read, report).map(read_while_sent));
    }
    notes.extend(needs_synchronisation(&report.runs));
    notes
}

/// Runs the program in an environment and returns the findings with a code.
fn found(executions: &Executions<'_>, environment: Environment, code: Code) -> Vec<Finding> {
    let settings = Settings { environment, ..settings_with(Space::Infinite, executions.scenario) };
    let run = executions.run_one(Policy::Watched(Space::Infinite, Variation::Plain), settings);
    let findings = run.map_or_else(Vec::new, |run| run.result.findings);
    findings.into_iter().filter(|finding| finding.code == code).collect()
}

/// Returns the findings that are not faults, which the report has with the same code.
fn unlike(findings: Vec<Finding>, report: &Report) -> impl Iterator<Item = Finding> {
    let known = |found: &Finding| report.findings.iter().any(|known| known.code == found.code);
    findings.into_iter().filter(move |found| !known(found)).collect::<Vec<_>>().into_iter()
}

/// Returns the note that the program fails where collective operations synchronise as little as they may, and
/// only there.
fn needs_synchronisation(runs: &[PolicyRun]) -> Option<Finding> {
    let of = |variation| runs.iter().filter(move |run| run.policy.varies(variation));
    let mut full = of(Variation::Synchronising);
    let is_clean = |run: &PolicyRun| run.is_clean();
    if of(Variation::Synchronising).next().is_none() || !full.all(is_clean) {
        return None;
    }
    let failed = of(Variation::Plain).find(|run| !run.is_clean())?;
    failed.result.findings.first().map(synchronising_collectives)
}
