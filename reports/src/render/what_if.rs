//! Answers to questions of "what if" as text.

use super::text::aligned;
use crate::{
    analysis::{Again, Answer, Sensitivity, WhatIf},
    format::signed_percent,
};

/// Returns the answers: what halving and doubling changes, other changes, and what has no effect.
pub fn what_if(what_if: &WhatIf) -> String {
    let mut parts: Vec<Vec<String>> = Vec::new();
    let sensitivities = what_if.sensitivities();
    if !sensitivities.is_empty() {
        let mut rows = vec![head(&["what if", "run time if halved", "", "if doubled", ""])];
        rows.extend(sensitivities.iter().map(|one| sensitivity(what_if, one)));
        parts.push(aligned(&rows, 1));
    }
    let choices = what_if.choices();
    let (run, impossible): (Vec<&Answer>, Vec<&Answer>) =
        choices.into_iter().partition(|answer| matches!(answer.again, Again::Ran { .. }));
    if !run.is_empty() {
        let mut rows = vec![head(&["what if", "run time", "change"])];
        rows.extend(run.iter().map(|answer| {
            let [time, change] = cells(what_if, Some(answer));
            vec![answer.name(), time, change]
        }));
        parts.push(aligned(&rows, 1));
    }
    let mut lines = Vec::new();
    let without = what_if.without_effect();
    if !without.is_empty() {
        lines.push(format!("no effect: {}", without.join("; ")));
    }
    lines.extend(remarks(what_if).iter().map(|(names, remark)| format!("{names}: {remark}")));
    let left = impossible.iter().filter_map(|answer| Some((answer.name(), answer.remark()?)));
    lines.extend(left.map(|(name, reason)| format!("left out: {name}: {reason}")));
    if !lines.is_empty() {
        parts.push(lines);
    }
    let text: Vec<String> = parts.iter().map(|part| part.join("\n") + "\n").collect();
    text.join("\n")
}

fn head(names: &[&str]) -> Vec<String> {
    names.iter().map(ToString::to_string).collect()
}

fn sensitivity(what_if: &WhatIf, one: &Sensitivity) -> Vec<String> {
    let both = [one.halved, one.doubled].map(|answer| cells(what_if, answer));
    [one.setting.to_owned()].into_iter().chain(both.into_iter().flatten()).collect()
}

/// Returns the run time of an answer and by how much it differs.
pub(super) fn cells(what_if: &WhatIf, answer: Option<&Answer>) -> [String; 2] {
    let Some(answer) = answer else { return ["-".into(), String::new()] };
    match &answer.again {
        Again::Impossible(_) => ["-".into(), String::new()],
        Again::Ran { ending, makespan, findings } => match answer.run_time() {
            None => [ending.word().to_owned(), String::new()],
            Some(_) => {
                let mark = if findings.is_empty() { "" } else { " (!)" };
                let change = what_if.change(answer).map_or("-".into(), signed_percent);
                [makespan.to_string(), change + mark]
            }
        },
    }
}

/// Returns each different remark on runs, with the names of the answers that have it.
pub(super) fn remarks(what_if: &WhatIf) -> Vec<(String, &str)> {
    let mut found: Vec<(String, &str)> = Vec::new();
    let ran = what_if.answers.iter().filter(|answer| matches!(answer.again, Again::Ran { .. }));
    for (answer, remark) in ran.filter_map(|answer| Some((answer, answer.remark()?))) {
        match found.iter_mut().find(|(_, known)| *known == remark) {
            Some((names, _)) => names.push_str(&format!("; {}", answer.name())),
            None => found.push((answer.name(), remark)),
        }
    }
    found
}
