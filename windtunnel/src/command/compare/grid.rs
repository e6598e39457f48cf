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
/// Order: that of `requests`, whichever run finishes first. A run that was stopped, or for which memory does not suffice,
/// has an error in its place.
///
/// # Errors
/// Returns an error for the first invalid configuration, before any run starts.
pub(in crate::command) fn run(
    job: &Job,
    requests: &[Request],
    workers: &Workers,
) -> Result<Vec<Result<Cell, Error>>, Error> {
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
/// cell where a scenario was, or the error of a run that was stopped or for which memory does not suffice.
///
/// # Errors
/// Returns an error if a run cannot be made.
pub(in crate::command) fn fill<T: From<Error>>(
    places: Vec<Result<Scenario, T>>,
    workers: &Workers,
) -> Result<Vec<Result<Cell, T>>, Error> {
    let mut scenarios = Vec::new();
    let places: Vec<Result<(), T>> =
        places.into_iter().map(|place| place.map(|scenario| scenarios.push(scenario))).collect();
    let mut cells = simulate(scenarios, workers)?.into_iter();
    let mut cell = || cells.next().expect("each scenario has a cell");
    Ok(places.into_iter().map(|place| place.and_then(|()| Ok(cell()?))).collect())
}

/// Runs scenarios, each in its own process, and returns them in order.
///
/// # Errors
/// Returns an error if a run cannot be made.
fn simulate(
    scenarios: Vec<Scenario>,
    workers: &Workers,
) -> Result<Vec<Result<Cell, Error>>, Error> {
    let body = |scenario: &Scenario| Ok((once(scenario, None)?.result, ()));
    let ran = every(scenarios, (workers, Watching::default()), body)?;
    let cell = |(scenario, ran): (Scenario, Result<_, Error>)| {
        ran.map(|(result, ())| Cell { scenario, result })
    };
    Ok(ran.into_iter().map(cell).collect())
}

/// Runs some of the configurations again, with tracing; there are no records of a run that was stopped, or for which memory
/// does not suffice.
///
/// # Errors
/// The same as [`run`].
pub(super) fn trace(
    job: &Job,
    requests: &[Request],
    workers: &Workers,
) -> Result<Vec<Option<Records>>, Error> {
    let kept = Watching { report: true, trace: false };
    let ran = every(scenarios(job, requests)?, (workers, kept), |scenario| {
        let (packer, packed) = Packer::new();
        let Ran { result, .. } = once(scenario, Some(Box::new(packer)))?;
        Ok((result, packed.finish()))
    })?;
    Ok(ran.into_iter().map(|(_, ran)| ran.ok().map(|(_, records)| records)).collect())
}

/// Runs scenarios by `body`, which keeps this of their events, each in its own process, and returns them in
/// order with what it returns. A run whose process breaks off has the result of a failure. One that was stopped, or for
/// which memory does not suffice, has an error of its own.
///
/// # Errors
/// Returns an error if a run cannot be made.
pub(in crate::command) fn every<T>(
    scenarios: Vec<Scenario>,
    (workers, kept): (&Workers, Watching),
    body: impl Fn(&Scenario) -> Result<(RunResult, T), String>,
) -> Result<Vec<(Scenario, Result<(RunResult, T), Error>)>, Error>
where
    T: Serialize + DeserializeOwned + Default,
{
    let fits = |scenario| memory::suffices_for(scenario, kept);
    let fit: Vec<Result<(), Error>> = scenarios.iter().map(fits).collect();
    let fitting = scenarios.iter().zip(&fit).enumerate().filter(|(_, (_, fits))| fits.is_ok());
    let works = fitting.map(|(number, (scenario, _))| Work {
        name: format!("configuration{number}"),
        shown: false,
        body: Box::new(|| body(scenario)),
    });
    let mut done = workers.run(works.collect()).into_iter();
    let mut ended = |scenario: &Scenario| match done.next().expect("each scenario ran").result {
        Ok(ran) => {
            let (result, kept) = ran.map_err(|reason| Error::BadProgram { reason })?;
            Ok(memory::was_enough_for(scenario, &result).map(|()| (result, kept)))
        }
        Err(Failure::Stopped) => Ok(Err(Error::Stopped)),
        Err(failure) => {
            let finding = broken_off(failure);
            Ok(Ok((RunResult::of_failure(scenario.request.ranks, finding), T::default())))
        }
    };
    let ran: Vec<Result<(RunResult, T), Error>> = (scenarios.iter().zip(fit))
        .map(|(scenario, fit)| match fit {
            Ok(()) => ended(scenario),
            Err(error) => Ok(Err(error)),
        })
        .collect::<Result<_, Error>>()?;
    Ok(scenarios.into_iter().zip(ran).collect())
}

/// Runs `scenario` once. The error is that of [`Scenario::run`] as text.
fn once(scenario: &Scenario, sink: Option<Box<dyn TraceSink>>) -> Result<Ran, String> {
    scenario.run(sink).map_err(|error| error.to_string())
}
