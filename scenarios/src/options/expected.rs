//! The verdict that a scenario expects of a check.

use std::{fmt, str::FromStr};

use mpi_api::finding::Verdict;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

use super::units::as_text;
use crate::error::Error;

/// The verdict that a check is expected to give.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(try_from = "String", into = "String")]
pub struct Expected(pub Verdict);

/// Returns what can be expected: that nothing is found, or any verdict of a finding.
fn all() -> impl Iterator<Item = Verdict> {
    std::iter::once(Verdict::Ok).chain(Verdict::ALL)
}

impl FromStr for Expected {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = all().find(|verdict| verdict.word() == text);
        found
            .map(Self)
            .ok_or_else(|| Error::unknown("verdict", text, all().map(Verdict::word)).to_string())
    }
}

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.word())
    }
}

as_text!(Expected);

impl JsonSchema for Expected {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Expected".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let words: Vec<&str> = all().map(Verdict::word).collect();
        json_schema!({ "description": "A verdict.", "enum": words })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_verdict_can_be_expected() {
        for verdict in all() {
            assert_eq!(verdict.word().parse(), Ok(Expected(verdict)));
        }
        assert_eq!("ok".parse(), Ok(Expected(Verdict::Ok)));
        let told = "deadlok".parse::<Expected>().expect_err("no verdict");
        assert!(told.contains("`deadlock`"), "{told}");
    }
}
