//! The option for the progress of one-sided communication.

use std::{fmt, str::FromStr};

use mpi_api::settings;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::units::as_text;

/// When one-sided accesses are served at their target.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
#[schemars(with = "String")]
pub enum Progress {
    /// When they arrive.
    #[default]
    Strong,
    /// While the target is in a call of MPI.
    Weak,
}

impl From<Progress> for settings::Progress {
    fn from(progress: Progress) -> Self {
        match progress {
            Progress::Strong => Self::Strong,
            Progress::Weak => Self::Weak,
        }
    }
}

impl FromStr for Progress {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "strong" => Ok(Self::Strong),
            "weak" => Ok(Self::Weak),
            _ => Err("progress is strong or weak".to_owned()),
        }
    }
}

impl fmt::Display for Progress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Strong => "strong",
            Self::Weak => "weak",
        })
    }
}

as_text!(Progress);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_is_a_word() {
        for (text, progress) in [("strong", Progress::Strong), ("weak", Progress::Weak)] {
            assert_eq!(text.parse(), Ok(progress));
            assert_eq!(progress.to_string(), text);
        }
        assert!("medium".parse::<Progress>().is_err());
    }
}
