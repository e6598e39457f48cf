//! `run --record` and the command `windtunnel replay`.

use std::{path::Path, rc::Rc};

use mpi_api::{outcome::RunResult, settings::Recorder as Observer};
use replay::{MAGIC, OpenError, Origin, Recorder, Trace, kind_of};
use scenarios::{
    error::Error,
    program::Parameters,
    scenario::{Request, Scenario},
};

use super::{
    program::Own,
    run::{Files, run},
};
use crate::{
    args::{Options, Repeated},
    output::Destination,
};

/// The recording of a run, and the file that takes it.
pub(super) struct RecordedRun {
    recorder: Rc<Recorder>,
    destination: Destination,
}

impl RecordedRun {
    /// Claims the file of `--record`, if it is given, and adds a recorder to the scenario.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written, or is one of the others.
    pub(super) fn begin(
        options: &Options,
        files: &Files,
        scenario: Scenario,
    ) -> Result<(Option<Self>, Scenario), Error> {
        let Some(path) = &options.record else { return Ok((None, scenario)) };
        let magic = std::str::from_utf8(MAGIC).unwrap_or_default();
        let destination = Destination::claim_of_kind(path, &[magic])?;
        if files.contain(&destination) {
            let allowed = "a file of its own for each of trace, report and recording".into();
            return Err(Error::BadValue { what: "an output".into(), value: path.clone(), allowed });
        }
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
            reason: format!("it was not recorded: it {what}, which a recording cannot hold"),
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

/// Floating-point operations per second if none are given: those of the processor of a small
/// computer, one core.
const FLOPS_PER_S: f64 = 1e9;

/// Parameter with the rate of floating-point operations of time-independent traces.
const RATE: &str = "flops_per_s";

/// Opens the file of a program if it can be replayed.
///
/// # Errors
/// Returns an error if it has a mistake, or a parameter does not suit it.
pub(super) fn open(path: &str, parameters: &Parameters) -> Result<Option<Trace>, Error> {
    // A trace names the one of its files that has a mistake.
    let own = format!("{path}: ");
    let bad = |reason: String| Error::BadFile {
        path: path.into(),
        reason: reason.strip_prefix(&own).map_or(reason.clone(), Into::into),
    };
    let place = Path::new(path);
    let Some(kind) = kind_of(place).ok().flatten() else { return Ok(None) };
    let mut rate = FLOPS_PER_S;
    for (key, value) in parameters {
        let allowed = match kind {
            replay::Kind::TimeIndependent => [RATE].as_slice(),
            replay::Kind::Recording | replay::Kind::Goal => [].as_slice(),
        };
        if allowed.is_empty() {
            return Err(Error::BadValue {
                what: "a parameter".into(),
                value: key.clone(),
                allowed: "nothing: only time-independent traces take one, flops_per_s".into(),
            });
        }
        if !allowed.contains(&key.as_str()) {
            return Err(Error::unknown("parameter", key, allowed.iter().copied()));
        }
        let number = value.parse().ok().filter(|rate: &f64| *rate >= 1.0 && *rate <= 1e18);
        rate = number.ok_or_else(|| Error::BadValue {
            what: format!("parameter {RATE}"),
            value: value.clone(),
            allowed: "floating-point operations per second, 1 to 1e18".into(),
        })?;
    }
    replay::open(place, rate).map(Some).map_err(|error| bad(error.to_string()))
}

/// Checks that a run has as many ranks as the program that is replayed.
///
/// # Errors
/// Returns an error if it has not.
pub(super) fn suits(trace: &Trace, request: &Request) -> Result<(), Error> {
    if request.ranks == trace.ranks {
        return Ok(());
    }
    Err(Error::BadValue {
        what: "the number of ranks".into(),
        value: request.ranks.to_string(),
        allowed: format!("{}: {} has so many", trace.ranks, request.program),
    })
}

/// Replays a recording, a schedule in GOAL or a time-independent trace.
///
/// # Errors
/// Returns an error if the input is bad or a file cannot be written.
pub(crate) fn replay(repeated: &Repeated, own: &Own) -> Result<u8, Error> {
    let Some(path) = &repeated.judged.options.program else { return Err(Error::NoProgram) };
    let bad = |reason: String| Error::BadFile { path: path.clone(), reason };
    let is_scenario = path.ends_with(".json");
    if !is_scenario && kind_of(Path::new(path)).map_err(|error| bad(error.to_string()))?.is_none() {
        return Err(bad(OpenError::Unknown.to_string()));
    }
    run(repeated, own)
}
