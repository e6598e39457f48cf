//! Answers to questions of "what if", as a member of the object of `windtunnel run --json`.

use reports::analysis::{self, Again};
#[cfg(test)]
use schemars::JsonSchema;
use serde::Serialize;

use super::Outcome;

/// The same run with one setting changed at a time.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(super) struct WhatIf {
    /// Makespan with nothing changed; null if that run did not complete.
    base_makespan_ns: Option<f64>,
    /// One answer for each value of each setting, in the order of the questions.
    answers: Vec<Answer>,
}

/// The run with one setting changed.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct Answer {
    /// Name of the setting, as for an axis of `compare`.
    setting: String,
    /// Value as written; `x0.5` is a factor.
    value: String,
    /// How the run ended; null if the configuration cannot be run.
    outcome: Option<Outcome>,
    /// Simulated time at which the last rank ended, or the run stopped; null without a run.
    makespan_ns: Option<f64>,
    /// By how much the makespan differs from `base_makespan_ns`; null if one of both runs did not complete.
    change_percent: Option<f64>,
    /// What was found in the run, each as text, or why the configuration cannot be run.
    remarks: Vec<String>,
}

impl WhatIf {
    pub(super) fn new(what_if: &analysis::WhatIf) -> Self {
        let answer = |answer: &analysis::Answer| {
            let (outcome, makespan_ns, remarks) = match &answer.again {
                Again::Impossible(reason) => (None, None, vec![reason.clone()]),
                Again::Ran { ending, makespan, findings } => {
                    (Some((*ending).into()), Some(makespan.as_ns_f64()), findings.clone())
                }
            };
            Answer {
                setting: answer.setting.clone(),
                value: answer.value.clone(),
                outcome,
                makespan_ns,
                change_percent: what_if.change(answer),
                remarks,
            }
        };
        Self {
            base_makespan_ns: what_if.base.map(|base| base.as_ns_f64()),
            answers: what_if.answers.iter().map(answer).collect(),
        }
    }
}
