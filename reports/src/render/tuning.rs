//! The result of a search for the best settings as text.

use super::text::{aligned, field};
use crate::{
    analysis::{Trial, TunedSetting, Tuning, change_between},
    format::{count, counted, signed_percent},
};

/// Returns the report on a search.
pub fn tuning(found: &Tuning) -> String {
    let [machine, topology, network] = &found.system;
    let ranks = counted(u64::from(found.ranks), "rank");
    let mut lines = vec![
        field("program", &format!("{} on {ranks}", found.program)),
        field("system", &format!("{machine}, {topology}, network model {network}")),
        field("today", &found.today.map_or("does not complete".into(), |time| time.to_string())),
        field("best", &best(found)),
    ];
    if found.rejected > 0 {
        let text = format!(
            "{} of those tried cannot be run, do not complete, or are unsafe",
            count(found.rejected as u64)
        );
        lines.push(field("rejected", &text));
    }
    lines.push(field("simulated", &simulated(found)));
    lines.push(String::new());
    lines.extend(table(found));
    let remarks = remarks(found);
    if !remarks.is_empty() {
        lines.push(String::new());
        lines.extend(remarks);
    }
    lines.push(String::new());
    lines.extend(advice(found));
    lines.join("\n") + "\n"
}

/// Returns how many combinations were simulated.
pub(super) fn simulated(found: &Tuning) -> String {
    let [to_choose, for_comparison] = found.simulated.map(|number| number as u64);
    let all = counted(to_choose + for_comparison, "combination");
    match for_comparison {
        0 => all,
        some => format!(
            "{all}, {} for comparison: with values of today that are not to be chosen",
            count(some)
        ),
    }
}

/// Returns the best run time with its gain and what is known of it.
pub(super) fn best(found: &Tuning) -> String {
    match found.best {
        None if found.is_exhaustive() => {
            format!("no combination completes safely ({} tried)", count(found.tried as u64))
        }
        None => {
            let end = if found.stopped { "time" } else { "budget" };
            format!(
                "none of the {} that were tried completes safely, and the {end} was over before the others",
                counted(found.tried as u64, "combination")
            )
        }
        Some(time) => {
            let gain = found.change(time).map_or_else(String::new, |change| match change {
                0.0 => ", as today".to_owned(),
                change => format!(", {}", signed_percent(change)),
            });
            format!("{time}{gain}: {}", found.claim())
        }
    }
}

/// Returns names of the columns and cells of the table of settings.
pub(super) fn cells(found: &Tuning) -> Vec<Vec<String>> {
    let head =
        ["setting", "tried", "best alone", "run time", "change", "in the best", "without it"];
    let row = |setting: &TunedSetting| {
        let alone = setting.best_alone();
        let change = alone.and_then(|(_, time)| found.change(time));
        let without = match setting.without {
            None => "-".into(),
            Some(Trial::NotTried) => "not tried".into(),
            Some(Trial::Rejected) => "rejected".into(),
            Some(Trial::Ran(time)) => {
                let change = found.best.and_then(|best| change_between(best, time));
                change.map_or("-".into(), signed_percent)
            }
        };
        let values = setting.alone.len() as u64;
        vec![
            setting.name.clone(),
            format!("{} of {}", count(setting.tried_alone() as u64), count(values)),
            alone.map_or("-".into(), |(value, _)| value.to_owned()),
            alone.map_or("-".into(), |(_, time)| time.to_string()),
            change.map_or("-".into(), signed_percent),
            setting.best.clone().unwrap_or("-".into()),
            without,
        ]
    };
    let rows = found.settings.iter().map(row);
    [head.map(str::to_owned).to_vec()].into_iter().chain(rows).collect()
}

fn table(found: &Tuning) -> Vec<String> {
    let mut cells = cells(found);
    // The values are text, the numbers around them are not.
    for column in [2, 5] {
        let width = cells.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
        for row in &mut cells {
            row[column] = format!("{:<width$}", row[column]);
        }
    }
    aligned(&cells, 1)
}

/// Returns a line for each different reason why a value alone is not acceptable.
pub(super) fn remarks(found: &Tuning) -> Vec<String> {
    let mut reasons: Vec<(&str, Vec<String>)> = Vec::new();
    for setting in &found.settings {
        for alone in &setting.alone {
            let Some(remark) = &alone.remark else { continue };
            let name = format!("{}={}", setting.name, alone.value);
            match reasons.iter_mut().find(|(known, _)| known == remark) {
                Some((_, names)) => names.push(name),
                None => reasons.push((remark, vec![name])),
            }
        }
    }
    reasons.iter().map(|(remark, names)| format!("{}: {remark}", names.join("; "))).collect()
}

/// Returns how to run with the best settings.
pub(super) fn advice(found: &Tuning) -> Vec<String> {
    if found.best.is_none() {
        return vec!["There is nothing to recommend.".into()];
    }
    if !found.settings.iter().any(|setting| setting.is_changed) {
        let none = "None of the combinations to choose from that were tried is faster than today's settings.";
        return vec![none.into()];
    }
    let mut lines = vec!["The best settings:".to_owned(), format!("  {}", found.command)];
    if !found.machine.is_empty() {
        lines.push(format!("on a machine with {}", found.machine.join(", ")));
    }
    lines
}
