//! The page of a search for the best settings.

use maud::html;

use super::{command_line, figure, page, provenance};
use crate::{
    analysis::Tuning,
    comparison::MachineNotes,
    format::counted,
    render::{
        svg::{self, ChangeRow},
        tuning::{advice, best, cells, remarks, simulated},
    },
};

/// The contents of the page.
#[derive(Clone, Debug)]
pub struct TuningPage {
    /// What was found.
    pub tuning: Tuning,
    /// Machine of today's run.
    pub machine: MachineNotes,
    /// Seed of the simulation and of the search.
    pub seed: u64,
    /// Command line that repeats this search.
    pub command: String,
}

/// Returns the page as HTML text in UTF-8.
pub fn tuning(data: &TuningPage) -> String {
    let found = &data.tuning;
    let [machine, topology, network] = &found.system;
    let title = format!("Settings for {} on {machine}", found.program);
    let table = cells(found);
    let alone: Vec<ChangeRow> = rows(found);
    page(
        &title,
        html! {
            p.soft {
                (counted(u64::from(found.ranks), "rank")) ", " (topology) ", network model " (network)
                ", seed " (data.seed) ". " "Simulated by Windtunnel: " (simulated(found)) "."
            }
            p.advice {
                "Today " (found.today.map_or("it does not complete".into(), |time| time.to_string()))
                ". Best " (best(found)) "."
            }
            @for line in advice(found) {
                @if let Some(command) = line.strip_prefix("  ") { p { (command_line(command)) } } @else { p { (line) } }
            }
            h2 { "Settings" }
            div.scroll { table {
                thead { tr { @for (column, name) in table[0].iter().enumerate() {
                    th.l[[0, 2, 5].contains(&column)] { (name) }
                } } }
                tbody { @for row in &table[1..] { tr {
                    @for (column, cell) in row.iter().enumerate() {
                        td.l[[0, 2, 5].contains(&column)] { (cell) }
                    }
                } } }
            } }
            p.soft {
                "Tried: how many of the values were tried alone, with everything else as today. Without it: how much \
                 longer the best combination takes with today's value of this setting."
            }
            h2 { "One setting at a time" }
            @if alone.is_empty() { p { "No value that was tried alone changes the run time." } }
            @else { (figure(&svg::changes("Run time with one setting changed", &alone, None),
                "Left of zero the run is faster than today.")) }
            @for remark in remarks(found) { p { (remark) } }
            p { "The same page again: " (command_line(&data.command)) }
            (provenance(std::slice::from_ref(&data.machine)))
        },
    )
}

/// Returns the values that change the run time alone, fastest first.
fn rows(found: &Tuning) -> Vec<ChangeRow> {
    let settings = found.settings.iter();
    let values = settings.flat_map(|setting| setting.alone.iter().map(move |one| (setting, one)));
    let changed = values.filter_map(|(setting, one)| {
        let change = found.change(one.trial.time()?).filter(|change| *change != 0.0)?;
        Some((format!("{}={}", setting.name, one.value), change))
    });
    let mut changed: Vec<(String, f64)> = changed.collect();
    changed.sort_by(|a, b| a.1.total_cmp(&b.1));
    changed.into_iter().map(|(name, change)| (name, [Some(change), None])).collect()
}
