//! What the page of a check shows beside the timeline of one execution.

use mpi_api::{
    finding::CallSite,
    outcome::{Blocked, Ending, RunResult},
};
use reports::render::{
    html::{BlockedCall, CheckSummary, CheckedExecution},
    svg::Wait,
};
use scenarios::{
    error::Error,
    safety::{PolicyRun, Report},
    scenario::Scenario,
};
use sim_core::Site;
use workers::Workers;

use super::{again, beside::beside, extent};
use crate::{command::program::Job, diagnostic};

/// Returns the summary of a check whose page shows the execution of this scenario. It and another one are made
/// once more by `workers`.
///
/// # Errors
/// Returns an error if the other scenario is not one.
pub(super) fn summary(
    report: &Report,
    (scenario, result): (&Scenario, &RunResult),
    (job, workers): (&Job, &Workers),
    further: &[String],
) -> Result<CheckSummary, Error> {
    let shown = &scenario.request;
    let execution = |run: &PolicyRun| CheckedExecution {
        policy: run.policy.to_string(),
        schedule: run.schedule().map(|schedule| schedule.to_string()),
        outcome: run.result.ending.word().into(),
        makespan: run.result.makespan,
        findings: run.result.findings.len(),
    };
    let cycles = result.findings.iter().map(|finding| &finding.cycle);
    let beside = match result.ending {
        Ending::Completed => None,
        Ending::Stalled | Ending::Failed => beside(report, scenario, (job, workers))?,
    };
    let again = |schedule: &str| again::command(None, further, schedule);
    let findings = report.findings.iter();
    let findings = findings.map(|finding| diagnostic::render_with(finding, again)).collect();
    Ok(CheckSummary {
        verdict: report.verdict.word().into(),
        findings,
        explored: match report.followed.is_empty() {
            true => String::new(),
            false => format!("{} executions, {}.", report.runs.len(), extent(report)),
        },
        executions: report.runs.iter().map(execution).collect(),
        shown: match &shown.schedule {
            Some(schedule) => format!(
                "It is the one of the first finding that an order led to; --schedule {schedule} runs it \
                 again."
            ),
            None => {
                "It is the one without buffering, the strictest behaviour that MPI allows.".into()
            }
        },
        blocked: result.blocked.iter().map(blocked_call).collect(),
        cycle: cycles.max_by_key(|cycle| cycle.len()).cloned().unwrap_or_default(),
        beside,
    })
}

fn blocked_call(blocked: &Blocked) -> BlockedCall {
    let CallSite { rank, call, site, tag, bytes, .. } = blocked.site;
    let place = site.and_then(Site::with_line);
    BlockedCall {
        wait: Wait { rank, partners: blocked.partners.clone(), all: blocked.all },
        thread: blocked.thread.clone(),
        call: call.into(),
        place: place.map_or_else(String::new, |at| format!("{}:{}", at.file, at.line)),
        tag,
        bytes,
    }
}
