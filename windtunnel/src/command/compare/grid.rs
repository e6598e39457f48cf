//! The grid of configurations of `windtunnel compare`, in a fixed order, and their runs.

use mpi_abi::launch::Output;
use mpi_api::{
    outcome::RunResult,
    trace::{Record, Recording, TraceSink},
};
use scenarios::{
    error::Error,
    safety::broken_off,
    scenario::{Ran, Request, Scenario},
};
use serde::{Serialize, de::DeserializeOwned};
use workers::{Failure, Work, Workers};

use crate::command::program::Job;

/// One configuration and its result.
pub(in crate::command) struct Cell {
    pub(in crate::command) scenario: Scenario,
    pub(in crate::command) result: RunResult,
}

/// Runs all configurations on the host's processors, each in its own process.
///
/// Order: that of `requests`, whichever run finishes first.
///
/// # Errors
/// Returns an error for the first invalid configuration, before any run starts.
pub(in crate::command) fn run(
    job: &Job,
    requests: &[Request],
    workers: &Workers,
) -> Result<Vec<Cell>, Error> {
    simulate(scenarios(job, requests)?, workers)
}

/// Resolves all configurations.
fn scenarios(job: &Job, requests: &[Request]) -> Result<Vec<Scenario>, Error> {
    requests.iter().map(|request| job.scenario(request.clone(), Output::Print)).collect()
}

/// Configurations that can be run, and the others with their reasons, each with its position among
/// the requests.
pub(super) struct Resolved {
    pub(super) scenarios: Vec<(usize, Scenario)>,
    pub(super) misfits: Vec<(usize, Error)>,
}

/// Resolves all configurations. Those whose parts do not fit each other are left out.
///
/// # Errors
/// Returns an error for the first configuration that is wrong by itself, or for the first misfit if
/// nothing else is left.
pub(super) fn resolve<'a>(
    job: &Job,
    requests: impl Iterator<Item = &'a Request>,
) -> Result<Resolved, Error> {
    let mut resolved = Resolved { scenarios: Vec::new(), misfits: Vec::new() };
    for (place, request) in requests.enumerate() {
        match job.scenario(request.clone(), Output::Print) {
            Ok(scenario) => resolved.scenarios.push((place, scenario)),
            Err(error) if error.is_misfit() => resolved.misfits.push((place, error)),
            Err(error) => return Err(error),
        }
    }
    match resolved.misfits.is_empty() || !resolved.scenarios.is_empty() {
        true => Ok(resolved),
        false => Err(resolved.misfits.swap_remove(0).1),
    }
}

/// Runs scenarios, each in its own process, and returns them in order.
///
/// # Errors
/// Returns an error if a run cannot be started, or was stopped.
pub(in crate::command) fn simulate(
    scenarios: Vec<Scenario>,
    workers: &Workers,
) -> Result<Vec<Cell>, Error> {
    let ran = every(scenarios, workers, |scenario| Ok((once(scenario, None)?.result, ())))?;
    Ok(ran.into_iter().map(|(scenario, (result, ()))| Cell { scenario, result }).collect())
}

/// Runs some of the configurations again, with tracing.
///
/// # Errors
/// The same as [`run`].
pub(super) fn trace(
    job: &Job,
    requests: &[Request],
    workers: &Workers,
) -> Result<Vec<Vec<Record>>, Error> {
    let ran = every(scenarios(job, requests)?, workers, |scenario| {
        let Ran { result, sink, .. } = once(scenario, Some(Box::<Recording>::default()))?;
        Ok((result, sink.map(|sink| sink.finish()).unwrap_or_default()))
    })?;
    Ok(ran.into_iter().map(|(_, (_, records))| records).collect())
}

/// Runs scenarios by `body`, each in its own process, and returns them in order with what it returns. A
/// run whose process breaks off has the result of a failure.
///
/// # Errors
/// Returns an error if a run cannot be started, or was stopped.
pub(in crate::command) fn every<T>(
    scenarios: Vec<Scenario>,
    workers: &Workers,
    body: impl Fn(&Scenario) -> Result<(RunResult, T), String>,
) -> Result<Vec<(Scenario, (RunResult, T))>, Error>
where
    T: Serialize + DeserializeOwned + Default,
{
    let works = scenarios.iter().enumerate().map(|(number, scenario)| Work {
        name: format!("configuration{number}"),
        shown: false,
        body: Box::new(|| body(scenario)),
    });
    let done = workers.run(works.collect());
    let ran: Vec<(RunResult, T)> = scenarios
        .iter()
        .zip(done)
        .map(|(scenario, done)| match done.result {
            Ok(ran) => ran.map_err(|reason| Error::BadProgram { reason }),
            Err(Failure::Stopped) => Err(Error::Stopped),
            Err(failure) => {
                let finding = broken_off(failure);
                Ok((RunResult::of_failure(scenario.request.ranks, finding), T::default()))
            }
        })
        .collect::<Result<_, _>>()?;
    Ok(scenarios.into_iter().zip(ran).collect())
}

/// Runs `scenario` once. The error is that of [`Scenario::run`] as text.
fn once(scenario: &Scenario, sink: Option<Box<dyn TraceSink>>) -> Result<Ran, String> {
    scenario.run(sink).map_err(|error| error.to_string())
}
