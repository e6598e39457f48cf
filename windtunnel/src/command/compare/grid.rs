//! The grid of configurations, in a fixed order, and their runs side by side.

use mpi_abi::launch::Output;
use mpi_api::{
    outcome::RunResult,
    trace::{Record, Recording, TraceSink},
};
use rayon::prelude::*;
use scenarios::{
    error::Error,
    scenario::{Request, Scenario},
};

use crate::{args::Grid, command::program::Job, progress::Progress};

/// One configuration and what came out.
pub(super) struct Cell {
    pub(super) scenario: Scenario,
    pub(super) result: RunResult,
}

/// What a run is worth to another thread.
type Ran = (RunResult, Vec<Record>);

/// Every combination, topologies slowest, numbers of ranks fastest: neighbours that differ in the
/// number of ranks alone are a line of speed-up.
pub(super) fn requests(grid: &Grid, base: &Request) -> Vec<Request> {
    let one = |list: &[String], otherwise: &str| match list {
        [] => vec![otherwise.to_string()],
        list => list.to_vec(),
    };
    let mut counts = grid.ranks_list.clone();
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
    let mut requests = Vec::new();
    for topology in &grid.topologies {
        for machine in one(&grid.machines, &base.machine) {
            for placement in one(&grid.placements, &base.placement) {
                for collectives in &algorithms {
                    for ranks in &counts {
                        let mut request = base.clone();
                        request.topology = Some(topology.clone());
                        request.network.get_or_insert_with(|| "link".into());
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
    requests
}

fn split(words: &str) -> impl Iterator<Item = String> + '_ {
    words.split('+').map(ToString::to_string)
}

/// Runs all of them on the host's processors.
///
/// Order: as the requests, whatever finishes first.
///
/// # Errors
/// The first configuration that is wrong, before anything runs.
pub(super) fn run(
    job: &Job,
    requests: &[Request],
    progress: &Progress,
) -> Result<Vec<Cell>, Error> {
    let resolve = |request: &Request| job.scenario(request.clone(), Output::Discard);
    let scenarios: Vec<Scenario> = requests.iter().map(resolve).collect::<Result<_, _>>()?;
    let ran = every(job, requests, progress, false)?;
    let cells = scenarios.into_iter().zip(ran);
    Ok(cells.map(|(scenario, (result, _))| Cell { scenario, result }).collect())
}

/// Runs some of them once more, with a trace.
///
/// # Errors
/// As [`run`].
pub(super) fn trace(
    job: &Job,
    requests: &[Request],
    progress: &Progress,
) -> Result<Vec<Vec<Record>>, Error> {
    Ok(every(job, requests, progress, true)?.into_iter().map(|(_, records)| records).collect())
}

/// A scenario stays on the thread that made it: each thread makes its own.
fn every(
    job: &Job,
    requests: &[Request],
    progress: &Progress,
    traced: bool,
) -> Result<Vec<Ran>, Error> {
    let run = |request: &Request| {
        let scenario = job.scenario(request.clone(), Output::Discard)?;
        let sink = traced.then(|| Box::<Recording>::default() as Box<dyn TraceSink>);
        let ran = scenario.run(sink)?;
        progress.step();
        Ok((ran.result, ran.sink.map(|sink| sink.finish()).unwrap_or_default()))
    };
    requests.par_iter().map(run).collect()
}
