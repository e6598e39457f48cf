//! The objects of `windtunnel sweep`: each line of its results, and the summary of `--json`.

use std::collections::BTreeMap;

#[cfg(test)]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The first line of a file of results.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct Header {
    /// `windtunnel.results/1`.
    pub(crate) schema: String,
    /// Hash of the study, 16 hexadecimal digits.
    pub(crate) study: String,
    /// Hash of the compiled program; null for a built-in one.
    pub(crate) code: Option<String>,
    /// Hash of the files of machines, topologies, networks, placements, file systems and noise; absent if there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) files: Option<String>,
    /// Name of the program.
    pub(crate) program: String,
    /// Names of the axes, in their order in the study.
    pub(crate) axes: Vec<String>,
    /// Number of configurations, repetitions included.
    pub(crate) configurations: u64,
}

/// How a configuration ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "lowercase")]
pub(crate) enum Ended {
    /// Every rank came to its end.
    Completed,
    /// Nothing could happen any more and some rank was blocked.
    Stalled,
    /// An error, a panic, an abort or a limit ended it.
    Failed,
    /// It cannot be run: its parts do not fit each other.
    Impossible,
}

impl Ended {
    /// Returns the word.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Completed => "completed",
            Self::Stalled => "stalled",
            Self::Failed => "failed",
            Self::Impossible => "impossible",
        }
    }

    /// Reports whether there was a run at all.
    pub(crate) fn has_run(self) -> bool {
        match self {
            Self::Completed | Self::Stalled | Self::Failed => true,
            Self::Impossible => false,
        }
    }
}

/// One configuration and its result.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct Row {
    /// Number of the configuration in the study, from 0.
    pub(crate) number: u64,
    /// The value on each axis.
    pub(crate) settings: BTreeMap<String, String>,
    /// Seed of the run.
    pub(crate) seed: u64,
    /// How it ended.
    pub(crate) outcome: Ended,
    /// Why it did not complete.
    pub(crate) reason: Option<String>,
    /// Simulated time at which the last rank finished; null unless it completed.
    pub(crate) makespan_ns: Option<f64>,
    /// Share of the time of all ranks outside MPI, in percent.
    pub(crate) compute_share: f64,
    /// Share of processor time inside MPI, in percent.
    pub(crate) overhead_share: f64,
    /// Share of blocked time, in percent.
    pub(crate) waiting_share: f64,
    /// Number of messages.
    pub(crate) messages: u64,
    /// Bytes in them.
    pub(crate) bytes: u64,
    /// Digest of the run, 16 hexadecimal digits.
    pub(crate) digest: String,
    /// Codes of the findings, each once.
    pub(crate) findings: Vec<String>,
}

/// The summary of a study.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(crate) struct Sweep {
    /// `windtunnel.sweep/1`.
    pub(crate) schema: &'static str,
    /// Name of the program.
    pub(crate) program: String,
    /// Path of the file with all results.
    pub(crate) results: String,
    /// Number of configurations, repetitions included.
    pub(crate) configurations: u64,
    /// Number of those with a result.
    pub(crate) done: u64,
    /// Number of runs that completed.
    pub(crate) completed: u64,
    /// Number of runs that stalled.
    pub(crate) stalled: u64,
    /// Number of runs that failed.
    pub(crate) failed: u64,
    /// Number of configurations that cannot be run.
    pub(crate) impossible: u64,
    /// Why they cannot, each reason once, in order of the first configuration that has it.
    pub(crate) misfits: Vec<Misfit>,
    /// The fastest run, the first of equal ones.
    pub(crate) fastest: Option<Row>,
    /// The slowest run, the first of equal ones.
    pub(crate) slowest: Option<Row>,
    /// What the values of each axis have in common.
    pub(crate) axes: Vec<AxisSummary>,
}

/// Why configurations cannot be run.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(crate) struct Misfit {
    /// What does not fit.
    pub(crate) reason: String,
    /// Number of configurations for which this is the reason.
    pub(crate) configurations: u64,
    /// Number of the first of them.
    pub(crate) first: u64,
}

/// An axis of a study.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(crate) struct AxisSummary {
    /// Its name.
    pub(crate) name: String,
    /// Its values, in their order in the study.
    pub(crate) values: Vec<ValueSummary>,
}

/// A value of an axis.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(crate) struct ValueSummary {
    /// The value.
    pub(crate) value: String,
    /// Number of completed runs that have it.
    pub(crate) runs: u64,
    /// Median of their makespans; null without any.
    pub(crate) median_ns: Option<f64>,
    /// The smallest of their makespans; null without any.
    pub(crate) least_ns: Option<f64>,
}
