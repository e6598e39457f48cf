//! Questions of "what if" about a run (`windtunnel run --what-if`): each is answered by running again with one setting
//! changed, in a process of its own.

use std::path::Path;

use mpi_abi::launch::Output;
use mpi_api::{
    outcome::{Ending, RunResult},
    trace::TraceSink,
};
use reports::analysis::{Again, Answer, HottestLink, Profiler, WhatIf};
use scenarios::{
    computing::Choice,
    error::Error,
    options::Cable,
    scenario::{Request, Scenario, Watching},
};
use workers::Workers;

use super::{
    compare::{
        axes::{self, Axis},
        grid::{self, Cell},
    },
    program::Job,
};
use crate::{args::Options, diagnostic, execution, progress::Progress};

/// Questions that every run is asked: by name and value, as for an axis of `compare`.
const ALWAYS: [&str; 5] = [
    "latency=x0.5,x2",
    "bandwidth=x0.5,x2",
    "gap=x0.5,x2",
    "overhead=x0.5,x2",
    "eager-limit=x0.5,x2",
];

/// Placements that are tried.
const PLACEMENTS: &str = "placement=block,cyclic,random,gray";

/// What a run is asked: one setting, and one of its values.
struct Question<'a> {
    axis: &'a Axis,
    at: usize,
    request: Request,
}

/// Answers questions about the run of a job. An empty text asks what can be asked of every run; any
/// other is a setting with values, as for an axis of `compare`.
///
/// Questions whose runs were stopped are left out, with a note. Returns `None` if the time was over before any could be
/// asked.
///
/// # Errors
/// Returns an error if a question or the job is bad, or computing is measured in each run.
pub(super) fn ask(
    questions: &[String],
    options: &Options,
    job: &Job,
) -> Result<Option<WhatIf>, Error> {
    computes_alike(job, "--what-if")?;
    let named: Vec<&str> =
        questions.iter().map(String::as_str).filter(|text| !text.is_empty()).collect();
    let named: Vec<Axis> =
        named.into_iter().map(|text| axes::read(text, &job.request)).collect::<Result<_, _>>()?;
    let is_usual = questions.iter().any(String::is_empty);
    let progress = Progress::of_executions(options, "asking what if");
    let workers = execution::workers(options, job.is_foreign(), progress);
    let answers = match answers(job, &named, is_usual, &workers) {
        Err(Error::Stopped) => Ok(None),
        answers => answers.map(Some),
    };
    if workers.stopped().is_some() {
        eprintln!("note: the time was over before all questions of --what-if were answered");
    }
    answers
}

/// Refuses jobs whose runs differ in how long the program computes. `asker` is what many runs are needed for.
///
/// # Errors
/// Returns an error for such a job.
pub(super) fn computes_alike(job: &Job, asker: &str) -> Result<(), Error> {
    let allowed = match &job.request.compute {
        Choice::Modelled => return Ok(()),
        Choice::Recorded(path) if Path::new(path).exists() => return Ok(()),
        Choice::Recorded(path) => {
            format!("with {asker} a recording that exists: run once to make {path}")
        }
        Choice::Measured(_) => {
            format!("with {asker} modelled or recorded:FILE, so that all runs compute alike")
        }
    };
    let value = job.request.compute.to_string();
    Err(Error::BadValue { what: "the computing".into(), value, allowed })
}

fn answers(job: &Job, named: &[Axis], is_usual: bool, workers: &Workers) -> Result<WhatIf, Error> {
    let base = job.resolved(Output::Print)?;
    named.iter().try_for_each(|axis| axis.suits(&base.topology))?;
    let (base, result, collectives) = observed(base, workers)?;
    let base_time = (result.ending == Ending::Completed).then_some(result.makespan);
    let usual = match is_usual {
        true => usual(&base, &result, &collectives, &job.request)?,
        false => Vec::new(),
    };
    let mut asked = Vec::new();
    for (axis, is_usual) in
        usual.iter().map(|axis| (axis, true)).chain(named.iter().map(|axis| (axis, false)))
    {
        for at in 0..axis.len() {
            let request = axis.applied(at, &job.request);
            asked.push((Question { axis, at, request }, is_usual));
        }
    }
    let scenario = |(question, is_usual): &(Question, bool)| {
        let request = question.request.clone();
        match is_usual {
            // What is asked of every run need not fit each of them.
            true => Ok(job.scenario(request, Output::Print).map_err(|_| None)),
            false => grid::fitting(job, request).map(|place| place.map_err(Some)),
        }
    };
    let places = asked.iter().map(scenario).collect::<Result<Vec<_>, Error>>()?;
    let mut answers = Vec::new();
    for ((question, _), place) in asked.iter().zip(grid::fill(places, workers)?) {
        let again = match place {
            Ok(Cell { result, .. }) => {
                let findings = result.findings.iter().map(diagnostic::render).collect();
                Again::Ran { ending: result.ending, makespan: result.makespan, findings }
            }
            Err(None | Some(Error::Stopped)) => continue,
            Err(Some(misfit)) => Again::Impossible(misfit.to_string()),
        };
        answers.push(question.answered(again));
    }
    Ok(WhatIf { base: base_time, answers })
}

impl Question<'_> {
    fn answered(&self, again: Again) -> Answer {
        Answer {
            setting: self.axis.name(),
            value: self.axis.text(self.at).to_owned(),
            factor: self.axis.factor(self.at),
            again,
        }
    }
}

/// Runs a scenario, and returns it with its result and the collectives that it uses and whose algorithm
/// can be chosen.
///
/// # Errors
/// Returns an error if the run was stopped, or memory does not suffice for it.
pub(super) fn observed(
    scenario: Scenario,
    workers: &Workers,
) -> Result<(Scenario, RunResult, Vec<String>), Error> {
    let mut ran = grid::every(vec![scenario], (workers, Watching::default()), |scenario| {
        let (profiler, handle) = Profiler::new(None);
        let ran = scenario.run(Some(Box::new(profiler) as Box<dyn TraceSink>));
        let result = ran.map_err(|error| error.to_string())?.result;
        let profile = handle.finish(&result);
        let used = profile.collectives.iter().filter(|one| one.choosable);
        let used = used.map(|one| one.operation.to_owned()).collect();
        Ok((result, used))
    })?;
    let (scenario, ran) = ran.pop().expect("it is one run");
    let (result, used) = ran?;
    Ok((scenario, result, used))
}

/// Returns what can be asked of every run, of the busiest link and of the collectives that it uses.
fn usual(
    base: &Scenario,
    result: &RunResult,
    collectives: &[String],
    request: &Request,
) -> Result<Vec<Axis>, Error> {
    let mut texts: Vec<String> = ALWAYS.iter().map(ToString::to_string).collect();
    if let Some(hottest) = HottestLink::of(&result.links, &base.topology, result.makespan) {
        texts.push(format!("link:{}=x0.5,x2", Cable::of(&base.topology, hottest.link)));
    }
    texts.extend(collectives.iter().map(|name| format!("collectives.{name}=all")));
    texts.push(PLACEMENTS.to_owned());
    texts.iter().map(|text| axes::read(text, request)).collect()
}
