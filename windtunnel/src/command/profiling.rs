//! The profile of a run (`windtunnel run --profile`): its run on the ideal network, and what is shown.

use std::path::Path;

use mpi_api::outcome::RunResult;
use reports::analysis::{Efficiencies, NoIdeal};
use scenarios::{
    computing::Choice,
    error::Error,
    scenario::{Request, Variation},
};

use super::{compare::grid, program::Job};
use crate::{args::Options, execution, progress::Progress};

/// The run of a program on the ideal network, or why there is none.
pub(super) struct Ideal(Result<RunResult, NoIdeal>);

impl Ideal {
    /// The absence of a run that nobody asked for.
    pub(super) fn not_asked() -> Self {
        Self(Err(NoIdeal::NotAsked))
    }

    /// Runs the program on the ideal network, in a process of its own.
    ///
    /// # Errors
    /// Returns an error if the input is bad.
    pub(super) fn run(options: &Options, job: &Job) -> Result<Self, Error> {
        if let Some(reason) = job.request.irreproducible() {
            return Ok(Self(Err(NoIdeal::Irreproducible(reason))));
        }
        if let Choice::Recorded(path) = &job.request.compute
            && !Path::new(path).exists()
        {
            let reason = "computing is measured in this run, which records it";
            return Ok(Self(Err(NoIdeal::Irreproducible(reason))));
        }
        let progress = Progress::of_executions(options, "simulating the ideal network");
        let workers = execution::workers(options, job.is_foreign(), progress);
        let variation = Variation::ideal();
        let request =
            Request { variation, faults: Vec::new(), background: None, ..job.request.clone() };
        let cell = match grid::run(job, &[request], &workers)?.pop() {
            Some(Err(Error::Stopped)) => return Ok(Self(Err(NoIdeal::IdealNotCompleted))),
            cell => cell.transpose()?,
        };
        Ok(Self(cell.ok_or(NoIdeal::NotAsked).and_then(|cell| {
            match cell.scenario.request.irreproducible() {
                Some(reason) => Err(NoIdeal::Irreproducible(reason)),
                None => Ok(cell.result),
            }
        })))
    }

    /// Returns the efficiencies of a run; `None` if it took no time.
    pub(super) fn efficiencies(&self, result: &RunResult) -> Option<Efficiencies> {
        Efficiencies::of(result, self.0.as_ref().map_err(Clone::clone))
    }
}
