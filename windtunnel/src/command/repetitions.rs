//! Repetitions of a run with other seeds (`windtunnel run --repeat`).

use mpi_api::outcome::Ending;
use reports::analysis::Repetitions;
use scenarios::{computing::Choice, error::Error, scenario::Request};
use sim_core::SimTime;
use workers::Workers;

use super::{compare::grid, program::Job};

/// Repetitions of which the first ones are known.
pub(super) struct Repeating {
    first: u64,
    count: u32,
    /// Seed, and makespan if the run completed.
    others: Vec<(u64, Option<SimTime>, u64)>,
}

/// Runs everything but the first repetition, in processes of its own. Of a run in which nothing is
/// random only one, which tells whether that is so.
///
/// # Errors
/// Returns an error if the input is bad, or computing is measured and recorded at the same time.
pub(super) fn run_others(job: &Job, count: u32, workers: &Workers) -> Result<Repeating, Error> {
    let base = &job.request;
    if let Choice::Recorded(path) = &base.compute
        && !std::path::Path::new(path).exists()
    {
        return Err(Error::BadValue {
            what: "--repeat".into(),
            value: count.to_string(),
            allowed: format!("with a recording that exists: run once to make {path}"),
        });
    }
    let last = base.seed.checked_add(u64::from(count) - 1).ok_or_else(|| Error::BadValue {
        what: "--seed".into(),
        value: base.seed.to_string(),
        allowed: "small enough for the consecutive seeds of --repeat".into(),
    })?;
    let seeds = base.seed..=last;
    let with = |seed: u64| Request { seed, ..base.clone() };
    let some: Vec<u64> = match is_noisy(base) {
        true => seeds.skip(1).collect(),
        // The second seed tells whether anything is drawn.
        false => seeds.skip(1).take(1).collect(),
    };
    let mut others = ran(job, some.into_iter().map(with).collect(), workers)?;
    if !is_noisy(base) && count > 2 {
        let known = ran(job, vec![with(base.seed)], workers)?;
        if known[0].2 != others[0].2 {
            let rest = (base.seed + 2..=last).map(with).collect();
            others.extend(ran(job, rest, workers)?);
        }
    }
    Ok(Repeating { first: base.seed, count, others })
}

/// Returns whether something in the run is sure to be drawn from the seed or measured. Programs, placements and paths of
/// messages may be, too.
fn is_noisy(request: &Request) -> bool {
    request.noise.is_some() || request.background.is_some() || request.irreproducible().is_some()
}

/// Runs requests and returns seed, makespan if completed, and digest of each.
fn ran(
    job: &Job,
    requests: Vec<Request>,
    workers: &Workers,
) -> Result<Vec<(u64, Option<SimTime>, u64)>, Error> {
    let cells = grid::run(job, &requests, workers)?;
    let seeds = requests.iter().map(|request| request.seed);
    let entry = |(seed, cell): (u64, grid::Cell)| {
        let completed = cell.result.ending == Ending::Completed;
        (seed, completed.then_some(cell.result.makespan), cell.result.digest)
    };
    Ok(seeds.zip(cells).map(entry).collect())
}

impl Repeating {
    /// Returns all repetitions, with the makespan of the first one if it completed.
    pub(super) fn with_first(self, makespan: Option<SimTime>, digest: u64) -> Repetitions {
        let constant = self.others.len() + 1 < self.count as usize
            || self.count > 1 && self.others.iter().all(|(.., other)| *other == digest);
        let first = [(self.first, makespan, digest)];
        let (mut runs, mut failed) = (Vec::new(), Vec::new());
        for (seed, makespan, _) in first.into_iter().chain(self.others) {
            match makespan {
                Some(makespan) => runs.push((seed, makespan)),
                None => failed.push(seed),
            }
        }
        Repetitions { runs, failed, asked: self.count, constant }
    }
}
