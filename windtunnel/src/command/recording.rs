//! `run --record`.

use std::rc::Rc;

use mpi_api::{outcome::RunResult, settings::Recorder as Observer};
use replay::{MAGIC, Origin, Recorder};
use scenarios::{error::Error, scenario::Scenario};

use crate::{args::Options, output::Destination};

/// The recording of a run, and the file that takes it.
pub(super) struct RecordedRun {
    recorder: Rc<Recorder>,
    destination: Destination,
}

impl RecordedRun {
    /// Claims the file of `--record`, if it is given, and adds a recorder to the scenario.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written, or is that of another output.
    pub(super) fn begin(
        options: &Options,
        scenario: Scenario,
    ) -> Result<(Option<Self>, Scenario), Error> {
        let Some(path) = &options.record else { return Ok((None, scenario)) };
        let destination = Destination::claim_of_kind(path, &[MAGIC])?;
        let recorder = Rc::new(Recorder::new(scenario.request.ranks));
        let scenario = scenario.observed(Observer(Rc::clone(&recorder) as _));
        Ok((Some(Self { recorder, destination }), scenario))
    }

    /// Writes the recording. A run that has failed is recorded until it did.
    ///
    /// # Errors
    /// Returns an error if the program cannot be recorded, or the file cannot be written.
    pub(super) fn end(self, scenario: &Scenario, result: &RunResult) -> Result<(), Error> {
        let origin = Origin {
            program: scenario.request.program.clone(),
            machine: scenario.machine.name.clone(),
            makespan: Some(result.makespan),
        };
        let recording = self.recorder.finish(origin).map_err(|what| Error::BadProgram {
            reason: format!("it was not recorded: {what}, which a recording cannot hold"),
        })?;
        self.destination.write(&recording.to_bytes())
    }
}

/// Refuses `--record` for a command with many runs.
///
/// # Errors
/// Returns an error if it is given.
pub(super) fn is_not_asked_for(options: &Options) -> Result<(), Error> {
    let Some(path) = &options.record else { return Ok(()) };
    Err(Error::BadValue {
        what: "a recording".into(),
        value: path.clone(),
        allowed: "one of `windtunnel run`, which has a single run".into(),
    })
}
