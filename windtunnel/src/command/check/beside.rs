//! The execution that a check's page shows, step by step, beside one that finishes.

use mpi_abi::launch::Output;
use mpi_api::{
    call::Site,
    outcome::{Choice, Ending, RunResult, Took},
    settings::Matching,
    trace::Record,
};
use reports::render::html::{Beside, Excerpt, ShownExecution, Step};
use scenarios::{
    error::Error,
    safety::{self, PolicyRun, Report, Schedule, Space},
    scenario::Scenario,
};
use workers::{Work, Workers};

use crate::{command::program::Job, diagnostic};

/// Lines before and behind the one that is meant.
const AROUND: u32 = 3;

/// Most records of an execution that the page shows beside another.
const RECORDS_MAX: usize = 1 << 20;

/// Most blocked calls that are shown with their lines.
const BLOCKED_MAX: usize = 16;

/// Makes the execution of a scenario once more, and one that finishes, if the check has found one. Returns
/// `None` if the first cannot be made again.
pub(super) fn beside(
    report: &Report,
    scenario: &Scenario,
    (job, workers): (&Job, &Workers),
) -> Result<Option<Beside>, Error> {
    let settings = scenario.settings();
    let space = match &scenario.request.schedule {
        Some(schedule) => schedule.space(),
        None => Space::Zero,
    };
    let schedule = Schedule::of(space, &settings);
    let Some(failing) = again(scenario, &schedule, workers) else { return Ok(None) };
    let order: &[u32] = match &settings.matching {
        Matching::Explore(order) => order,
        Matching::Planned(plan) => &plan.choices,
        Matching::Arrival | Matching::Seeded(_) | Matching::Sampled(_) => &[],
    };
    let finishing = match similar(report, space, order) {
        Some((space, run)) => {
            let schedule = Schedule::of(space, &run.settings);
            let mut request = job.request.clone();
            request.schedule = Some(schedule.clone());
            again(&job.scenario(request, Output::Discard)?, &schedule, workers)
        }
        None => None,
    };
    let blocked = failing.1.blocked.iter().take(BLOCKED_MAX).map(|blocked| Step {
        what: format!("rank {} waits in {}", blocked.site.rank, blocked.site.call),
        lines: blocked.site.site.and_then(excerpt).into_iter().collect(),
    });
    let end = blocked.collect();
    let finishing = finishing.filter(|(_, result)| result.ending == Ending::Completed);
    let finishing = finishing.map(|(shown, _)| shown);
    Ok(Some(Beside { failing: failing.0, finishing, end }))
}

/// Returns an execution that finishes and whose choices are the same for as long as possible, preferably with this
/// buffering.
fn similar<'a>(report: &'a Report, space: Space, order: &[u32]) -> Option<(Space, &'a PolicyRun)> {
    let common = |run: &PolicyRun| match &run.settings.matching {
        Matching::Explore(other) => {
            let length = order.len().max(other.len());
            let taken = |list: &[u32], at: usize| list.get(at).copied().unwrap_or(0);
            (0..length).take_while(|at| taken(order, *at) == taken(other, *at)).count()
        }
        Matching::Arrival | Matching::Planned(_) | Matching::Seeded(_) | Matching::Sampled(_) => 0,
    };
    let finishes =
        |run: &&PolicyRun| run.result.ending == Ending::Completed && run.result.findings.is_empty();
    let known = report.runs.iter().filter(finishes);
    let known = known.filter_map(|run| Some((run.policy.space()?, run)));
    // Of several that are alike the first.
    known.rev().max_by_key(|(other, run)| (*other == space, common(run)))
}

/// Makes an execution once more in a process of its own. Returns it with its result, or `None` if it is too large to
/// be shown or there is no result.
fn again(
    scenario: &Scenario,
    schedule: &Schedule,
    workers: &Workers,
) -> Option<(ShownExecution, RunResult)> {
    let body = || {
        let (result, records) = scenario.trace_with(scenario.settings());
        let few = records.len() <= RECORDS_MAX;
        (result, if few { records } else { Vec::new() })
    };
    let work = Work { name: "shown".into(), shown: false, body: Box::new(body) };
    let done = workers.run(vec![work]).pop()?;
    let (result, records): (RunResult, Vec<Record>) = done.result.ok()?;
    let free = result.choices.iter().filter(|choice| choice.alternatives > 1);
    let shown = ShownExecution {
        schedule: schedule.to_string(),
        outcome: result.ending.word().into(),
        ranks: result.ranks.len() as u32,
        makespan: result.makespan,
        records,
        steps: free.filter_map(step).collect(),
    };
    Some((shown, result))
}

/// Describes a choice; `None` for one that only says which of several goes first.
fn step(choice: &Choice) -> Option<Step> {
    if let Some(sender) = choice.buffers {
        let what =
            format!("the system buffers the data of {} on rank {}", sender.call, sender.rank);
        return Some(Step { what, lines: excerpt(sender.site).into_iter().collect() });
    }
    let by = choice.by?;
    let number = (choice.taken + 1, choice.alternatives);
    let what = match choice.took {
        Some(Took { source, tag, .. }) => format!(
            "{} on rank {} takes the message of rank {source} (tag {tag}), number {} of {} that it could take",
            by.call, by.rank, number.0, number.1
        ),
        None => match choice.reported {
            Some(reported) => format!(
                "{} on rank {} reports {}, answer {} of {} that are possible",
                by.call,
                by.rank,
                safety::requests(reported),
                number.0,
                number.1
            ),
            None => format!(
                "{} on rank {} takes number {} of {} that are there",
                by.call, by.rank, number.0, number.1
            ),
        },
    };
    let sites = std::iter::once(by.site).chain(choice.took.map(|took| took.site));
    Some(Step { what, lines: sites.filter_map(excerpt).collect() })
}

/// Returns the lines around a place, if it is known.
fn excerpt(site: Site) -> Option<Excerpt> {
    let site = site.known()?;
    (site.line > 0).then(|| Excerpt {
        place: format!("{}:{}", site.file, site.line),
        line: site.line,
        text: diagnostic::lines_around(site.file, site.line, AROUND),
    })
}
