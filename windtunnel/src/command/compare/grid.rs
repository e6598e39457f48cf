//! The grid of configurations of `windtunnel compare`, in a fixed order, and their runs.

use mpi_abi::launch::Output;
use mpi_api::{
    outcome::RunResult,
    trace::{Record, Recording, TraceSink},
};
use scenarios::{
    error::Error,
    safety::broken_off,
    scenario::{Request, Scenario},
};
use workers::{Failure, Work, Workers};

use crate::{
    args::{self, Grid},
    command::program::Job,
};

/// Topologies that are compared if none is named.
const TOPOLOGIES: [&str; 5] = ["ring", "mesh", "torus", "hypercube", "crossbar"];

/// One configuration and its result.
pub(in crate::command) struct Cell {
    pub(in crate::command) scenario: Scenario,
    pub(in crate::command) result: RunResult,
}

/// The result of a run, and its records if it was traced.
type Ran = (RunResult, Vec<Record>);

/// Returns every combination; topologies vary slowest, numbers of ranks fastest. Neighbouring
/// configurations that differ only in the number of ranks form one speed-up line.
pub(super) fn requests(grid: &Grid, base: &Request) -> Vec<Request> {
    let one = |list: &[String], otherwise: &str| match list {
        [] => vec![otherwise.to_string()],
        list => each_once(list.iter().map(String::as_str)),
    };
    let mut counts: Vec<u32> = grid.ranks_list.iter().map(|count| count.get()).collect();
    if counts.is_empty() {
        counts.push(base.ranks);
    }
    counts.sort_unstable();
    counts.dedup();
    let algorithms: Vec<Vec<String>> = match grid.algorithms.as_slice() {
        [] => vec![base.collectives.clone()],
        list => list
            .iter()
            .map(|words| base.collectives.iter().cloned().chain(split(words)).collect())
            .collect(),
    };
    let networks = one(&grid.networks, base.network.as_deref().unwrap_or("link"));
    let mut requests = Vec::new();
    let topologies: Vec<String> = match (grid.topologies.as_slice(), &grid.options.asked.topology) {
        ([], Some(one)) => vec![one.clone()],
        ([], None) => each_once(TOPOLOGIES.into_iter()),
        (list, _) => each_once(args::topologies(list).iter().map(String::as_str)),
    };
    for topology in &topologies {
        for machine in one(&grid.machines, &base.machine) {
            for placement in one(&grid.placements, &base.placement) {
                for collectives in &algorithms {
                    for network in &networks {
                        for ranks in &counts {
                            let mut request = base.clone();
                            request.topology = Some(topology.clone());
                            request.network = Some(network.clone());
                            request.machine = machine.clone();
                            request.placement = placement.clone();
                            request.collectives = collectives.clone();
                            request.ranks = *ranks;
                            requests.push(request);
                        }
                    }
                }
            }
        }
    }
    requests
}

/// Removes duplicates: the same configuration twice adds nothing to a comparison.
fn each_once<'a>(list: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut each: Vec<String> = Vec::new();
    for word in list {
        if !each.iter().any(|known| known == word) {
            each.push(word.to_string());
        }
    }
    each
}

fn split(words: &str) -> impl Iterator<Item = String> + '_ {
    words.split('+').map(ToString::to_string)
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
    let ran = every(job, requests, workers, false)?;
    Ok(ran.into_iter().map(|(scenario, (result, _))| Cell { scenario, result }).collect())
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
    let ran = every(job, requests, workers, true)?;
    Ok(ran.into_iter().map(|(_, (_, records))| records).collect())
}

fn every(
    job: &Job,
    requests: &[Request],
    workers: &Workers,
    traced: bool,
) -> Result<Vec<(Scenario, Ran)>, Error> {
    let resolve = |request: &Request| job.scenario(request.clone(), Output::Print);
    let scenarios: Vec<Scenario> = requests.iter().map(resolve).collect::<Result<_, _>>()?;
    let works = scenarios.iter().enumerate().map(|(number, scenario)| Work {
        name: format!("configuration{number}"),
        shown: false,
        body: Box::new(move || once(scenario, traced)),
    });
    let done = workers.run(works.collect());
    let ran: Vec<Ran> = scenarios
        .iter()
        .zip(done)
        .map(|(scenario, done)| match done.result {
            Ok(ran) => ran.map_err(|reason| Error::BadProgram { reason }),
            Err(Failure::Stopped) => Err(Error::Stopped),
            Err(failure) => {
                let finding = broken_off(failure);
                Ok((RunResult::of_failure(scenario.request.ranks, finding), Vec::new()))
            }
        })
        .collect::<Result<_, _>>()?;
    Ok(scenarios.into_iter().zip(ran).collect())
}

/// Runs `scenario` once. The error is that of [`Scenario::run`] as text.
fn once(scenario: &Scenario, traced: bool) -> Result<Ran, String> {
    let sink = traced.then(|| Box::<Recording>::default() as Box<dyn TraceSink>);
    let ran = scenario.run(sink).map_err(|error| error.to_string())?;
    Ok((ran.result, ran.sink.map(|sink| sink.finish()).unwrap_or_default()))
}
