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
    others: Vec<Repeated>,
    /// Whether nothing is drawn from the seed, so that the others stand for all.
    alike: bool,
}

/// Seed, makespan if the run completed, and digest of a repetition.
type Repeated = (u64, Option<SimTime>, u64);

/// Number of repetitions that are prepared at once.
const AT_ONCE: usize = 256;

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
    let mut others = ran(job, some.into_iter().map(with), workers)?;
    let mut alike = false;
    if !is_noisy(base) && count > 2 {
        let known = ran(job, [with(base.seed)].into_iter(), workers)?;
        let digest = |runs: &[Repeated]| runs.first().map(|(.., digest)| *digest);
        alike = digest(&known).is_some() && digest(&known) == digest(&others);
        if !alike {
            others.extend(ran(job, (base.seed + 2..=last).map(with), workers)?);
        }
    }
    Ok(Repeating { first: base.seed, count, others, alike })
}

/// Returns whether something in the run is sure to be drawn from the seed or measured. Programs, placements and paths of
/// messages may be, too.
fn is_noisy(request: &Request) -> bool {
    request.noise.is_some() || request.background.is_some() || request.irreproducible().is_some()
}

/// Runs requests and returns seed, makespan if completed, and digest of each, as far as they are run before the time is over.
///
/// # Errors
/// Returns an error if a run cannot be made, or memory does not suffice for it.
fn ran(
    job: &Job,
    requests: impl Iterator<Item = Request>,
    workers: &Workers,
) -> Result<Vec<Repeated>, Error> {
    let mut known = Vec::new();
    let mut left = requests.peekable();
    // To prepare all of them first could take longer than there is time.
    while left.peek().is_some() && workers.stopped().is_none() {
        let some: Vec<Request> = left.by_ref().take(AT_ONCE).collect();
        for (request, cell) in some.iter().zip(grid::run(job, &some, workers)?) {
            let result = match cell {
                Ok(cell) => cell.result,
                Err(Error::Stopped) => continue,
                Err(error) => return Err(error),
            };
            let completed = result.ending == Ending::Completed;
            known.push((request.seed, completed.then_some(result.makespan), result.digest));
        }
    }
    Ok(known)
}

impl Repeating {
    /// Returns all repetitions, with the makespan of the first one if it completed.
    pub(super) fn with_first(self, makespan: Option<SimTime>, digest: u64) -> Repetitions {
        let are_all = self.alike || self.others.len() + 1 == self.count as usize;
        let constant =
            self.count > 1 && are_all && self.others.iter().all(|(.., other)| *other == digest);
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
