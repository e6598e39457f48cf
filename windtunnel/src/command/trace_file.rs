//! Programs in files that are replayed: recordings, schedules in GOAL, time-independent traces.

use std::path::Path;

use replay::{Trace, kind_of};
use scenarios::{error::Error, program::Parameters, scenario::Request};

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
    replay::open(place, kind, rate).map(Some).map_err(|error| bad(error.to_string()))
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
