//! Types of the objects that `--json` prints.
//!
//! Reading order: [`finding`], [`run`], [`check`], [`compare`], [`traffic`], [`calibrate`], [`validate`]. Each object has a
//! published JSON Schema in the folder `schema`, which `windtunnel schema NAME` prints; a test keeps
//! the schemas and these types equal. Fields may be added within a version of a schema; one that is
//! renamed or removed makes a new version.

#[cfg(feature = "command-line")]
pub(crate) mod calibrate;
pub(crate) mod check;
#[cfg(feature = "command-line")]
pub(crate) mod compare;
#[cfg(feature = "command-line")]
pub(crate) mod diff;
pub(crate) mod finding;
#[cfg(feature = "command-line")]
pub(crate) mod profile;
#[cfg(feature = "command-line")]
pub(crate) mod run;
#[cfg(feature = "command-line")]
pub(crate) mod sweep;
#[cfg(feature = "command-line")]
pub(crate) mod traffic;
#[cfg(feature = "command-line")]
pub(crate) mod tune;
#[cfg(feature = "command-line")]
pub(crate) mod validate;
#[cfg(feature = "command-line")]
mod what_if;

use mpi_api::outcome::Ending;
#[cfg(test)]
use schemars::JsonSchema;
use serde::Serialize;

/// Prints an object on standard output, indented, and ends the line.
///
/// # Panics
/// Never: the objects have string keys only.
#[cfg(feature = "command-line")]
pub(crate) fn print(object: &impl Serialize) {
    let text = serde_json::to_string_pretty(object).expect("an object with string keys");
    println!("{text}");
}

/// Returns a digest as 16 hexadecimal digits.
pub(crate) fn hexadecimal(digest: u64) -> String {
    format!("{digest:016x}")
}

/// How a run ended.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "lowercase")]
pub(crate) enum Outcome {
    /// Every rank came to its end.
    Completed,
    /// Nothing could happen any more and some rank was blocked.
    Stalled,
    /// An error, a panic, an abort or a limit ended it.
    Failed,
}

impl From<Ending> for Outcome {
    fn from(ending: Ending) -> Self {
        match ending {
            Ending::Completed => Self::Completed,
            Ending::Stalled => Self::Stalled,
            Ending::Failed => Self::Failed,
        }
    }
}

#[cfg(all(test, feature = "command-line"))]
mod tests {
    use std::{fs, path::Path};

    use schemars::generate::SchemaSettings;
    use serde_json::Value;

    use super::*;
    use crate::command::SCHEMAS;

    fn schema_of<T: JsonSchema>() -> Value {
        SchemaSettings::draft2020_12().into_generator().into_root_schema_for::<T>().to_value()
    }

    /// Compares a schema with the published file, or writes it if `WINDTUNNEL_BLESS` is set.
    fn is_published<T: JsonSchema>(name: &str) {
        let today = schema_of::<T>();
        if std::env::var_os("WINDTUNNEL_BLESS").is_some() {
            let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("schema");
            let file = path.join(format!("{name}.schema.json"));
            fs::write(file, format!("{today:#}\n")).expect("the folder is there");
            return;
        }
        let (_, text) = SCHEMAS.iter().find(|(known, _)| *known == name).expect("it is published");
        let kept: Value = serde_json::from_str(text).expect("a schema is JSON");
        assert_eq!(kept, today, "{name} has changed: run the test with WINDTUNNEL_BLESS=1");
    }

    #[test]
    fn the_published_schemas_are_those_of_the_types() {
        is_published::<run::Run>("run");
        is_published::<check::Check>("check");
        is_published::<check::Checks>("checks");
        is_published::<compare::Comparison>("compare");
        is_published::<traffic::Traffic>("traffic");
        is_published::<calibrate::Calibrated>("calibrate");
        is_published::<validate::Validation>("validate");
        is_published::<tune::Tune>("tune");
        is_published::<sweep::Sweep>("sweep");
        is_published::<sweep::Row>("results");
        is_published::<diff::Diff>("diff");
    }

    #[test]
    fn an_outcome_is_the_word_of_its_ending() {
        for ending in [Ending::Completed, Ending::Stalled, Ending::Failed] {
            let word = serde_json::to_value(Outcome::from(ending)).expect("a word");
            assert_eq!(word, ending.word());
        }
    }
}
