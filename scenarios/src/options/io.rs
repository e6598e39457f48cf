//! The option for the time of reading and writing files by the language of a program.

use std::{fmt, str::FromStr};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::units::as_text;

/// Whether reading and writing files without MPI takes simulated time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
#[schemars(with = "String")]
pub enum Io {
    /// It takes none.
    #[default]
    Free,
    /// It takes the time of the modelled file system, as with MPI.
    Modelled,
}

impl FromStr for Io {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "free" => Ok(Self::Free),
            "modelled" => Ok(Self::Modelled),
            _ => Err("reading and writing files without MPI is free or modelled".to_owned()),
        }
    }
}

impl fmt::Display for Io {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Free => "free",
            Self::Modelled => "modelled",
        })
    }
}

as_text!(Io);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_a_word() {
        for (text, io) in [("free", Io::Free), ("modelled", Io::Modelled)] {
            assert_eq!(text.parse(), Ok(io));
            assert_eq!(io.to_string(), text);
        }
        assert!("modeled".parse::<Io>().is_err());
    }
}
