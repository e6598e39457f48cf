//! The time that a program computes between its MPI calls: as it declares, as measured on the host,
//! or as measured once and recorded in a file.

mod measure;
mod recording;
mod replay;

use std::{fmt, path::Path, ptr, rc::Rc, str::FromStr, sync::Arc, time::Duration};

use mpi_api::settings::Computing;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use self::recording::Recording;
use self::{measure::Measuring, replay::Replaying};
use crate::{error::Error, options::units::as_text};

/// A function that returns the processor time of the calling thread, counted from an arbitrary
/// beginning. Simulations have no clock of their own: a caller that asks for measured computing
/// times supplies one.
#[derive(Clone, Copy, Debug)]
pub struct Clock(pub fn() -> Duration);

/// A clock equals its copies. Whether two clocks of the same function are equal is not specified: a function
/// may have several addresses.
impl PartialEq for Clock {
    fn eq(&self, other: &Self) -> bool {
        ptr::fn_addr_eq(self.0, other.0)
    }
}

/// What was asked for. In JSON it is the text of the command line.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
#[schemars(with = "String")]
pub enum Choice {
    /// What programs declare, and no more.
    #[default]
    Modelled,
    /// The processor time between calls on this host, multiplied by a factor, and what programs
    /// declare besides. No two runs are alike.
    Measured(f64),
    /// As in the file; if there is none it is measured and the file is written.
    Recorded(String),
}

/// Largest factor; its inverse is the smallest.
const FACTOR_MAX: f64 = 1e6;

impl FromStr for Choice {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let wrong = |allowed: &str| Error::BadValue {
            what: "the computing".into(),
            value: text.into(),
            allowed: allowed.into(),
        };
        match text.split_once(':') {
            None if text == "modelled" => Ok(Self::Modelled),
            None if text == "measured" => Ok(Self::Measured(1.0)),
            Some(("measured", factor)) => {
                let factor = factor.parse().ok();
                let factor = factor.filter(|f| (1.0 / FACTOR_MAX..=FACTOR_MAX).contains(f));
                factor
                    .map(Self::Measured)
                    .ok_or_else(|| wrong("measured:FACTOR with a factor from 0.000001 to 1000000"))
            }
            Some(("recorded", path)) if !path.is_empty() => Ok(Self::Recorded(path.into())),
            _ if text.starts_with("recorded") => Err(wrong("recorded:FILE")),
            _ => Err(wrong("modelled, measured, measured:FACTOR or recorded:FILE")),
        }
    }
}

as_text!(Choice);

impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Modelled => f.write_str("modelled"),
            Self::Measured(1.0) => f.write_str("measured"),
            Self::Measured(factor) => write!(f, "measured:{factor}"),
            Self::Recorded(path) => write!(f, "recorded:{path}"),
        }
    }
}

/// Which clocks a compiled program sees when it asks its C library.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Clocks {
    /// Those of the simulation.
    #[default]
    Simulated,
    /// Those of the host: no two runs are alike, and whoever sleeps keeps all ranks waiting.
    Host,
}

impl Clocks {
    /// Returns the name of these clocks, as `--clocks` takes it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Simulated => "simulated",
            Self::Host => "host",
        }
    }
}

impl FromStr for Clocks {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let all = [Self::Simulated, Self::Host];
        let found = all.into_iter().find(|clocks| clocks.word() == text);
        found.ok_or_else(|| Error::unknown("kind of clock", text, all.map(Self::word)))
    }
}

/// The origin of the computing times of a scenario, with what is needed to obtain them.
#[derive(Clone, Debug)]
pub(crate) enum Source {
    Modelled,
    Measured { factor: f64, clock: Clock, ranks: u32, keep: bool },
    Recorded { path: String, recording: Arc<Recording> },
}

impl Source {
    /// Resolves `choice`; reads the recording if one is asked for and exists.
    ///
    /// # Errors
    /// Returns an error if the recording cannot be read or was made with another number of ranks,
    /// or if computing is to be measured and there is no clock.
    pub(crate) fn of(choice: &Choice, clock: Option<Clock>, ranks: u32) -> Result<Self, Error> {
        let measured = |factor, keep| match clock {
            Some(clock) => Ok(Self::Measured { factor, clock, ranks, keep }),
            None => Err(Error::BadValue {
                what: "the computing".into(),
                value: "measured".into(),
                allowed: "modelled where there is no clock".into(),
            }),
        };
        match choice {
            Choice::Modelled => Ok(Self::Modelled),
            Choice::Measured(factor) => measured(*factor, false),
            Choice::Recorded(path) if Path::new(path).exists() => {
                let recording = Arc::new(Recording::load(path, ranks)?);
                Ok(Self::Recorded { path: path.clone(), recording })
            }
            Choice::Recorded(_) => measured(1.0, true),
        }
    }

    /// Creates the meter of one run.
    pub(crate) fn meter(&self) -> Meter {
        match self {
            Self::Modelled => Meter::None,
            Self::Measured { factor, clock, ranks, keep } => {
                Meter::Measuring(Rc::new(Measuring::new(*clock, *factor, *ranks, *keep)))
            }
            Self::Recorded { path, recording } => {
                Meter::Replaying(path.clone(), Rc::new(Replaying::new(Arc::clone(recording))))
            }
        }
    }
}

/// The meter of one run, which supplies or records computing times.
pub(crate) enum Meter {
    None,
    Measuring(Rc<Measuring>),
    Replaying(String, Rc<Replaying>),
}

impl Meter {
    /// Returns the meter in the form that the settings of a run take.
    pub(crate) fn computing(&self) -> Option<Computing> {
        match self {
            Self::None => None,
            Self::Measuring(meter) => Some(Computing(Rc::clone(meter) as _)),
            Self::Replaying(_, meter) => Some(Computing(Rc::clone(meter) as _)),
        }
    }

    /// Ends the run, and returns the recording to be saved, if one was made.
    ///
    /// # Errors
    /// Returns an error if the program did not make the calls of its recording.
    pub(crate) fn finish(self, program: &str) -> Result<Option<Recording>, Error> {
        match self {
            Self::None => Ok(None),
            Self::Measuring(meter) => Ok(meter.recording(program)),
            Self::Replaying(path, meter) => match meter.misfit() {
                Some(reason) => Err(Error::BadFile { path, reason }),
                None => Ok(None),
            },
        }
    }
}
