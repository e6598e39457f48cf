//! Results of `run --json` and `compare --json` as far as `diff` reads them.

use std::collections::BTreeMap;

use scenarios::{error::Error, json};
use serde::Deserialize;
use serde_json::Value;

/// Largest file that is read, in bytes: a result has an entry for each rank.
const FILE_MAX: u64 = 1 << 30;

/// The schemas that are read.
const RUN: &str = "windtunnel.run/1";
const COMPARE: &str = "windtunnel.compare/1";

/// A result.
pub(super) enum Saved {
    /// A run, with its members as they are written.
    Run(Box<Run>, Value),
    /// A comparison, with its rows as they are written.
    Comparison(Comparison, Vec<Value>),
}

/// One run. Members that were added to the schema later may be missing.
#[derive(Debug, Deserialize)]
pub(super) struct Run {
    pub(super) program: String,
    pub(super) outcome: String,
    pub(super) makespan_ns: f64,
    pub(super) messages: u64,
    pub(super) bytes: u64,
    pub(super) digest: String,
    pub(super) per_rank: Vec<Rank>,
    pub(super) hottest_link: Option<Link>,
    pub(super) bound_by: String,
    pub(super) findings: Vec<Finding>,
    #[serde(default)]
    pub(super) profile: Option<Profile>,
}

/// Where one rank's time went.
#[derive(Debug, Deserialize)]
pub(super) struct Rank {
    pub(super) busy_ns: f64,
    pub(super) communicating_ns: f64,
    pub(super) waiting_ns: f64,
    pub(super) finish_ns: f64,
}

/// A link.
#[derive(Debug, Deserialize)]
pub(super) struct Link {
    pub(super) name: String,
    pub(super) busy_percent: f64,
}

/// A finding.
#[derive(Debug, Deserialize)]
pub(super) struct Finding {
    pub(super) code: String,
    pub(super) severity: String,
    pub(super) message: String,
}

/// A profile.
#[derive(Debug, Deserialize)]
pub(super) struct Profile {
    pub(super) blocked: Blocked,
    pub(super) call_sites: Vec<Site>,
    pub(super) collectives: Vec<Collective>,
}

/// Blocked time by cause.
#[derive(Debug, Deserialize)]
pub(super) struct Blocked {
    pub(super) by_cause_ns: BTreeMap<String, f64>,
}

/// A call site.
#[derive(Debug, Deserialize)]
pub(super) struct Site {
    pub(super) call: String,
    pub(super) file: Option<String>,
    pub(super) line: Option<u32>,
    pub(super) calls: u64,
    pub(super) time_ns: f64,
}

/// All calls of a collective operation.
#[derive(Debug, Deserialize)]
pub(super) struct Collective {
    pub(super) operation: String,
    pub(super) calls: u64,
    pub(super) time_ns: f64,
}

/// A comparison.
#[derive(Debug, Deserialize)]
pub(super) struct Comparison {
    pub(super) advice: String,
    pub(super) rows: Vec<Row>,
}

/// One configuration of a comparison.
#[derive(Debug, Deserialize)]
pub(super) struct Row {
    pub(super) ranks: u32,
    pub(super) machine: String,
    pub(super) topology: String,
    pub(super) network: String,
    pub(super) placement: String,
    pub(super) collectives: Vec<String>,
    pub(super) outcome: String,
    pub(super) makespan_ns: f64,
    #[serde(default)]
    pub(super) settings: Vec<Setting>,
}

/// The value of an axis.
#[derive(Debug, Deserialize)]
pub(super) struct Setting {
    pub(super) axis: String,
    pub(super) value: String,
}

/// Reads a result.
///
/// # Errors
/// Returns an error if the file cannot be read, is no JSON, or is no result that is read here.
pub(super) fn load(path: &str) -> Result<Saved, Error> {
    let text = json::text_up_to(path, FILE_MAX)?;
    let bad = |reason: &str| Error::BadFile { path: path.into(), reason: reason.into() };
    if text.trim().is_empty() {
        return Err(bad("is empty; allowed is what `run --json` or `compare --json` prints"));
    }
    let value: Value = json::read(&text, path)?;
    match value.get("schema").and_then(Value::as_str) {
        Some(RUN) => Ok(Saved::Run(Box::new(json::read(&text, path)?), value)),
        Some(COMPARE) => {
            let rows = value.get("rows").and_then(Value::as_array).cloned().unwrap_or_default();
            Ok(Saved::Comparison(json::read(&text, path)?, rows))
        }
        Some(other) => Err(bad(&format!(
            "has the schema `{other}`; allowed are {RUN} (`run --json`) and {COMPARE} (`compare --json`)"
        ))),
        None => Err(bad(
            "is no result: it has no member `schema`; allowed is what `run --json` or `compare --json` prints",
        )),
    }
}
