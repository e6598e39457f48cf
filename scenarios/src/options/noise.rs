//! Noise of the operating system as users write it.

use std::{borrow::Cow, fmt, rc::Rc, str::FromStr};

use mpi_api::noise;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use sim_core::SimDuration;

use super::units::{as_text, duration};
use crate::{error::Error, json};

/// Detours of every rank's processor.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(try_from = "String", into = "String")]
pub enum Noise {
    /// A detour of a length once in a period.
    Fixed(Times),
    /// Random detours, with the mean of their length and of the time between their beginnings.
    Exponential(Times),
    /// The detours in a file.
    Trace(String),
}

/// Period and length of detours, as written and in picoseconds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Times {
    text: String,
    period: u64,
    duration: u64,
}

/// The forms, for messages.
const FORMS: &str = "noise is fixed:PERIOD,DURATION, exponential:PERIOD,DURATION (as in \
    fixed:1ms,25us, with units s, ms, us or ns and a duration below the period) or trace:FILE";

/// Longest period: an hour.
const PERIOD_MAX: u64 = 3_600_000_000_000_000;

impl FromStr for Times {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (period, length) = text.split_once(',').ok_or(FORMS)?;
        let (period, length) = (duration(period)?.as_ps(), duration(length)?.as_ps());
        if length >= period || period > PERIOD_MAX {
            return Err(FORMS.to_owned());
        }
        Ok(Self { text: text.to_owned(), period, duration: length })
    }
}

impl FromStr for Noise {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.split_once(':') {
            Some(("fixed", times)) => Ok(Self::Fixed(times.parse()?)),
            Some(("exponential", times)) => Ok(Self::Exponential(times.parse()?)),
            Some(("trace", path)) if !path.is_empty() => Ok(Self::Trace(path.to_owned())),
            _ => Err(FORMS.to_owned()),
        }
    }
}

as_text!(Noise);

impl fmt::Display for Noise {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fixed(times) => write!(f, "fixed:{}", times.text),
            Self::Exponential(times) => write!(f, "exponential:{}", times.text),
            Self::Trace(path) => write!(f, "trace:{path}"),
        }
    }
}

impl JsonSchema for Noise {
    fn schema_name() -> Cow<'static, str> {
        "Noise".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "Noise of the operating system: fixed:PERIOD,DURATION, \
                exponential:PERIOD,DURATION or trace:FILE.",
            "type": "string",
            "pattern": "^(fixed|exponential|trace):.+$"
        })
    }
}

impl Noise {
    /// Returns the detours; reads the file of a trace.
    ///
    /// # Errors
    /// Returns an error with file and line if the file cannot be read or is malformed.
    pub fn read(&self) -> Result<noise::Noise, Error> {
        let times = |times: &Times| {
            (SimDuration::from_ps(times.period), SimDuration::from_ps(times.duration))
        };
        Ok(match self {
            Self::Fixed(written) => {
                let (period, duration) = times(written);
                noise::Noise::Fixed { period, duration }
            }
            Self::Exponential(written) => {
                let (period, duration) = times(written);
                noise::Noise::Exponential { period, duration }
            }
            Self::Trace(path) => recorded(&json::text_of(path)?, path)?,
        })
    }
}

/// Reads lines of begin and length of each detour in microseconds. The record ends as long after the
/// last detour as the detours are apart in the mean.
fn recorded(text: &str, path: &str) -> Result<noise::Noise, Error> {
    let mut detours: Vec<(SimDuration, SimDuration)> = Vec::new();
    let mut end = 0;
    let mut quiet = 0;
    for (index, line) in text.lines().enumerate() {
        let bad = |reason: &str| Error::BadFile {
            path: path.into(),
            reason: format!("line {}: {reason}", index + 1),
        };
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let words: Vec<f64> = line
            .split(|c: char| c == ',' || c.is_whitespace())
            .filter(|word| !word.is_empty())
            .map(|word| word.parse().unwrap_or(f64::NAN))
            .collect();
        let [begin, length] = words.as_slice() else {
            return Err(bad("allowed is `begin duration` in microseconds"));
        };
        let allowed = 0.0..=3.6e9;
        if !(allowed.contains(begin) && allowed.contains(length) && *length > 0.0) {
            return Err(bad("begin and duration are numbers up to 3600000000 microseconds"));
        }
        let begin = (begin * 1e6).round() as u64;
        let length = ((length * 1e6).round() as u64).max(1);
        if !detours.is_empty() && begin < end {
            return Err(bad("begins before the detour of an earlier line has ended"));
        }
        quiet += begin - end;
        end = begin + length;
        detours.push((SimDuration::from_ps(begin), SimDuration::from_ps(length)));
    }
    if detours.is_empty() || quiet == 0 {
        return Err(Error::BadFile {
            path: path.into(),
            reason: "leaves no time between detours; allowed are lines `begin duration` in \
                     microseconds"
                .into(),
        });
    }
    let length = SimDuration::from_ps(end + quiet / detours.len() as u64);
    Ok(noise::Noise::Recorded { detours: Rc::from(detours), length })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn noise_is_written_as_it_is_read() {
        for text in ["fixed:1ms,25us", "exponential:10ms,1.5us", "trace:some file"] {
            let noise: Noise = text.parse().expect("noise");
            assert_eq!(noise.to_string(), text);
        }
        for wrong in [
            "",
            "fixed",
            "fixed:",
            "fixed:1ms",
            "fixed:1ms,",
            "fixed:1ms,1ms",
            "fixed:0s,0s",
            "fixed:1,2",
            "exponential:-1ms,1us",
            "trace:",
            "noise:1ms,1us",
            "fixed:2h,1s",
            "fixed:1ms,2us,3us",
        ] {
            assert!(wrong.parse::<Noise>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_trace_has_detours_apart_from_each_other() {
        let read = recorded("# us us\n0 1\n10.5, 2\n", "f").expect("a trace");
        let noise::Noise::Recorded { detours, length } = read else { panic!("{read:?}") };
        assert_eq!(detours[1].0, SimDuration::from_ns(10_500));
        assert_eq!(length, SimDuration::from_ns(12_500 + 4_750));
        for (text, told) in [
            ("", "no time between"),
            ("0 1 2\n", "line 1: allowed is"),
            ("0 1\n0.5 1\n", "line 2: begins before"),
            ("0 x\n", "line 1: begin and duration are numbers"),
            ("0 -1\n", "line 1: begin"),
            ("0 0\n", "line 1: begin"),
            ("0 1\n", "no time between"),
        ] {
            let error = recorded(text, "f").expect_err("it is wrong").to_string();
            assert!(error.contains(told), "{text}: {error}");
        }
    }
}
