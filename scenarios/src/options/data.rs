//! The option for the data of messages.

use std::{fmt, str::FromStr};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::units::{as_text, size_above_zero};

/// Which data of messages are carried; of the others only the size is simulated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
#[schemars(with = "String")]
pub enum Data {
    /// All data.
    #[default]
    All,
    /// Messages, and blocks of collective operations, of at most this many bytes.
    UpTo(u64),
}

impl Data {
    /// The largest size that is carried when none are asked for: counts, flags and norms, by which
    /// programs decide what to do next.
    pub const NONE: u64 = 64;

    /// Returns the largest size that is carried; `None` if all are.
    pub fn limit(self) -> Option<u64> {
        match self {
            Self::All => None,
            Self::UpTo(bytes) => Some(bytes),
        }
    }
}

impl FromStr for Data {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "all" => Ok(Self::All),
            "none" => Ok(Self::UpTo(Self::NONE)),
            _ => size_above_zero(text).map(Self::UpTo).map_err(|_| {
                "data is all, none, or the largest size of messages whose data are carried, such as 4K"
                    .to_owned()
            }),
        }
    }
}

impl fmt::Display for Data {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::All => f.write_str("all"),
            Self::UpTo(Self::NONE) => f.write_str("none"),
            Self::UpTo(bytes) => write!(f, "{bytes}"),
        }
    }
}

as_text!(Data);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_are_words_or_sizes() {
        for (text, data) in [
            ("all", Data::All),
            ("none", Data::UpTo(64)),
            ("4K", Data::UpTo(4096)),
            ("100", Data::UpTo(100)),
        ] {
            assert_eq!(text.parse(), Ok(data));
            assert_eq!(data.to_string().parse(), Ok(data));
        }
        for wrong in ["", "some", "-1", "0", "4P"] {
            assert!(wrong.parse::<Data>().is_err(), "{wrong}");
        }
    }
}
