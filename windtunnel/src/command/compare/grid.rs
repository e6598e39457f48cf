//! The grid of configurations of `windtunnel compare`, in a fixed order, and their runs.

use mpi_abi::launch::Output;
use mpi_api::{outcome::RunResult, trace::TraceSink};
use reports::{Records, records::Packer};
use scenarios::{
    error::Error,
    safety::broken_off,
    scenario::{Ran, Request, Scenario, Watching},
};
use serde::{Serialize, de::DeserializeOwned};
use workers::{Failure, Work, Workers};

use crate::{command::program::Job, memory};

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

/// Resolves a configuration. The inner error is that of one whose parts do not fit each other, as may
/// happen to some configurations of a grid.
///
/// # Errors
/// Returns an error if the configuration is wrong by itself.
pub(in crate::command) fn fitting(
    job: &Job,
    request: Request,
) -> Result<Result<Scenario, Error>, Error> {
    match job.scenario(request.clone(), Output::Print) {
        Err(error) if !error.is_misfit() => Err(job.located(&request, error)),
        resolved => Ok(resolved),
    }
}

/// Runs the scenarios among `places`, each in its own process. Returns the places in their order, with a
/// cell where a scenario was.
///
/// # Errors
/// Returns an error if a run cannot be started, or was stopped.
pub(in crate::command) fn fill<T>(
    places: Vec<Result<Scenario, T>>,
    workers: &Workers,
) -> Result<Vec<Result<Cell, T>>, Error> {
    let mut scenarios = Vec::new();
    let places: Vec<Result<(), T>> =
        places.into_iter().map(|place| place.map(|scenario| scenarios.push(scenario))).collect();
    let mut cells = simulate(scenarios, workers)?.into_iter();
    let mut cell = || cells.next().expect("each scenario has a cell");
    Ok(places.into_iter().map(|place| place.map(|()| cell())).collect())
}

/// Runs scenarios, each in its own process, and returns them in order.
///
/// # Errors
/// Returns an error if a run cannot be started, or was stopped.
fn simulate(scenarios: Vec<Scenario>, workers: &Workers) -> Result<Vec<Cell>, Error> {
    let body = |scenario: &Scenario| Ok((once(scenario, None)?.result, ()));
    let ran = every(scenarios, (workers, Watching::default()), body)?;
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
) -> Result<Vec<Records>, Error> {
    let kept = Watching { report: true, trace: false };
    let ran = every(scenarios(job, requests)?, (workers, kept), |scenario| {
        let (packer, packed) = Packer::new();
        let Ran { result, .. } = once(scenario, Some(Box::new(packer)))?;
        Ok((result, packed.finish()))
    })?;
    Ok(ran.into_iter().map(|(_, (_, records))| records).collect())
}

/// Runs scenarios by `body`, which keeps this of their events, each in its own process, and returns them in
/// order with what it returns. A run whose process breaks off has the result of a failure.
///
/// # Errors
/// Returns an error if a run does not fit into memory, cannot be started, or was stopped.
pub(in crate::command) fn every<T>(
    scenarios: Vec<Scenario>,
    (workers, kept): (&Workers, Watching),
    body: impl Fn(&Scenario) -> Result<(RunResult, T), String>,
) -> Result<Vec<(Scenario, (RunResult, T))>, Error>
where
    T: Serialize + DeserializeOwned + Default,
{
    scenarios.iter().try_for_each(|scenario| memory::suffices_for(scenario, kept))?;
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
            Ok(ran) => {
                let (result, kept) = ran.map_err(|reason| Error::BadProgram { reason })?;
                memory::was_enough_for(scenario, &result)?;
                Ok((result, kept))
            }
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
