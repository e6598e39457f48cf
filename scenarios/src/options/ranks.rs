//! The number of ranks, checked against the limits of a run.

use std::{borrow::Cow, str::FromStr};

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

use crate::error::Error;

/// A number of ranks from 1 to [`RankCount::MAX`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(try_from = "u32", into = "u32")]
pub struct RankCount(u32);

impl RankCount {
    /// Most ranks of one run, and most nodes of a topology.
    pub const MAX: u32 = mpi_api::run::RANKS_MAX;

    /// Returns the number.
    pub fn get(self) -> u32 {
        self.0
    }

    /// Checks a number of ranks. `what` names the number in the error message, as in `the number of
    /// ranks`.
    ///
    /// # Errors
    /// Returns an error if the number is 0 or larger than [`RankCount::MAX`].
    pub fn new(what: &str, count: u32) -> Result<Self, Error> {
        match count {
            1..=Self::MAX => Ok(Self(count)),
            _ => Err(Error::BadValue {
                what: what.into(),
                value: count.to_string(),
                allowed: format!("1 to {}", Self::MAX),
            }),
        }
    }
}

impl TryFrom<u32> for RankCount {
    type Error = Error;

    fn try_from(count: u32) -> Result<Self, Error> {
        Self::new("a number of ranks", count)
    }
}

impl From<RankCount> for u32 {
    fn from(count: RankCount) -> Self {
        count.0
    }
}

impl FromStr for RankCount {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        text.parse().ok().and_then(|count: u32| Self::try_from(count).ok()).ok_or_else(|| {
            let several = if text.contains(',') {
                ", or several, as in 2,4, for `check -n` and `compare --ranks-list`"
            } else {
                ""
            };
            Error::BadValue {
                what: "a number of ranks".into(),
                value: text.into(),
                allowed: format!("1 to {}{several}", Self::MAX),
            }
        })
    }
}

impl JsonSchema for RankCount {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "RankCount".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "integer", "format": "uint32", "minimum": 1, "maximum": Self::MAX })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_one_rank_at_least_and_a_most() {
        for (text, count) in [("1", Some(1)), ("4194304", Some(4_194_304)), ("0", None)] {
            assert_eq!(text.parse().ok().map(RankCount::get), count, "{text}");
        }
        for wrong in ["4194305", "-1", "2.5", "four", ""] {
            let error = wrong.parse::<RankCount>().expect_err("it is none").to_string();
            assert!(error.contains("1 to 4194304"), "{error}");
        }
        let several = "2,4".parse::<RankCount>().expect_err("they are two").to_string();
        assert!(
            several.ends_with("or several, as in 2,4, for `check -n` and `compare --ranks-list`")
        );
    }
}
