//! The option for the buffer space of standard sends.

use std::{fmt, str::FromStr};

use mpi_api::settings::{self, Pool};
use network_models::size;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{error::Error, machine::Machine};

/// Space for standard sends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(try_from = "Written", into = "Written")]
#[schemars(with = "Written")]
pub enum Buffering {
    /// As on the machine.
    #[default]
    System,
    /// Every standard send is buffered.
    Infinite,
    /// Every standard send is synchronous.
    Zero,
    /// Bytes for each rank.
    Bytes(u64),
}

/// As JSON has it: a word, a number, or a number with its unit.
#[derive(Deserialize, Serialize, JsonSchema)]
#[serde(
    untagged,
    expecting = "expected system, infinite, zero, or a number of bytes for each rank, such as 65536 or 64K"
)]
#[schemars(rename = "Buffering")]
enum Written {
    /// Bytes for each rank.
    Bytes(u64),
    /// One of the words.
    Named(Name),
    /// Bytes for each rank as on the command line, such as 64K.
    Text(#[schemars(regex(pattern = "^[0-9]+[A-Za-z]*$"))] String),
}

/// A word for the space for standard sends.
#[derive(Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(rename = "BufferingName")]
enum Name {
    /// As on the machine.
    System,
    /// Every standard send is buffered.
    Infinite,
    /// Every standard send is synchronous.
    Zero,
}

impl Buffering {
    /// Returns the buffering of a run on `machine`.
    pub fn on(self, machine: &Machine) -> settings::Buffering {
        match self {
            Self::System => machine.buffering(),
            Self::Infinite => settings::Buffering::infinite(),
            Self::Zero => settings::Buffering::zero(),
            Self::Bytes(bytes) => {
                settings::Buffering { eager_limit: u64::MAX, pool: Pool::Bytes(bytes) }
            }
        }
    }
}

impl TryFrom<Written> for Buffering {
    type Error = Error;

    fn try_from(written: Written) -> Result<Self, Error> {
        match written {
            Written::Bytes(bytes) => Ok(Self::Bytes(bytes)),
            Written::Named(Name::System) => Ok(Self::System),
            Written::Named(Name::Infinite) => Ok(Self::Infinite),
            Written::Named(Name::Zero) => Ok(Self::Zero),
            Written::Text(text) => text.parse(),
        }
    }
}

impl From<Buffering> for Written {
    fn from(buffering: Buffering) -> Self {
        match buffering {
            Buffering::System => Self::Named(Name::System),
            Buffering::Infinite => Self::Named(Name::Infinite),
            Buffering::Zero => Self::Named(Name::Zero),
            Buffering::Bytes(bytes) => Self::Bytes(bytes),
        }
    }
}

impl fmt::Display for Buffering {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::System => f.write_str("system"),
            Self::Infinite => f.write_str("infinite"),
            Self::Zero => f.write_str("zero"),
            Self::Bytes(bytes) => write!(f, "{bytes}"),
        }
    }
}

impl FromStr for Buffering {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        match text {
            "system" => Ok(Self::System),
            "infinite" => Ok(Self::Infinite),
            "zero" => Ok(Self::Zero),
            _ => size(text).map(Self::Bytes).ok_or_else(|| Error::BadValue {
                what: "the buffering".into(),
                value: text.into(),
                allowed: "system, infinite, zero, or a number of bytes for each rank, such as 65536 or 64K"
                    .into(),
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_and_json_say_the_same() {
        for (text, json) in [
            ("system", "\"system\""),
            ("infinite", "\"infinite\""),
            ("zero", "\"zero\""),
            ("0", "0"),
        ] {
            let parsed: Buffering = text.parse().expect("a buffering");
            assert_eq!(parsed.to_string(), text);
            assert_eq!(serde_json::from_str::<Buffering>(json).expect("a buffering"), parsed);
            assert_eq!(serde_json::to_string(&parsed).expect("it is written"), json);
        }
        assert_eq!("64K".parse::<Buffering>().expect("a size"), Buffering::Bytes(65_536));
        assert_eq!(
            serde_json::from_str::<Buffering>("\"64K\"").expect("a size"),
            Buffering::Bytes(65_536)
        );
        assert!("lots".parse::<Buffering>().is_err());
        for wrong in ["true", "\"lots\"", "-1"] {
            assert!(serde_json::from_str::<Buffering>(wrong).is_err(), "{wrong}");
        }
    }
}
