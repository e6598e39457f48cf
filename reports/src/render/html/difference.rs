//! The page on the difference between two results.

use maud::{Markup, html};

use super::{command_line, figure, page};
use crate::{
    analysis::{ComparisonDifference, Difference, Place, Results, RunDifference, different},
    render::{
        difference::{configuration_cells, place_cells, run_cells},
        svg::{self, ChangeRow, TimeBar},
    },
};

/// Returns the page as HTML text in UTF-8. `command` repeats it.
pub fn difference(found: &Difference, command: &str) -> String {
    let [first, second] = &found.names;
    page(
        &format!("{first} and {second}"),
        html! {
            p.soft { "Two results of Windtunnel: A is " code { (first) } ", B is " code { (second) } "." }
            h2 { "Set-up" }
            @if found.set_up.is_empty() { p { "No difference that the files tell." } }
            @else { div.scroll { table {
                thead { tr { th.l { "setting" } th.l { "A" } th.l { "B" } } }
                tbody { @for (name, [a, b]) in &found.set_up {
                    tr { th.l { (name) } td.l { (a) } td.l { (b) } }
                } }
            } } }
            @match &found.results {
                Results::Runs(runs) => (run_sections(runs)),
                Results::Comparisons(comparisons) => (comparison_sections(comparisons)),
            }
            p { "The same page again: " (command_line(command)) }
        },
    )
}

fn cells(rows: &[Vec<String>], left: usize) -> Markup {
    html! { div.scroll { table {
        thead { tr { @for (column, name) in rows[0].iter().enumerate() { th.l[column < left] { (name) } } } }
        tbody { @for row in &rows[1..] { tr {
            @for (column, cell) in row.iter().enumerate() { td.l[column < left] { (cell) } }
        } } }
    } } }
}

fn run_sections(runs: &RunDifference) -> Markup {
    let bar = |at: usize| -> TimeBar {
        let times = runs.means[at];
        let ms = |time: sim_core::SimTime| time.as_ps() as f64 / 1e9;
        let whole = ms(runs.run_times[at]);
        let parts = [times.compute, times.overhead, times.waiting].map(ms);
        let ended = (whole - parts.iter().sum::<f64>()).max(0.0);
        (["A", "B"][at].to_owned(), [parts[0], parts[1], parts[2], ended])
    };
    html! {
        h2 { "Run time" }
        @if runs.is_same { p { "Both are the same run: their digests are equal." } }
        (figure(&svg::times("Run time and where it went", &[bar(0), bar(1)]),
            "Means over the ranks; ended is the time after a rank had ended."))
        (cells(&run_cells(runs), 1))
        @if let Some([causes, sites, collectives]) = &runs.profiles {
            (places("Blocked time", "cause", causes))
            (places("Call sites", "call", sites))
            (places("Collective operations", "operation", collectives))
        }
        @if runs.findings.iter().any(|only| !only.is_empty()) {
            h2 { "Findings" }
            @for (name, only) in ["A", "B"].iter().zip(&runs.findings) {
                @for text in only { p { "Only in " (name) ": " (text) } }
            }
        }
    }
}

fn places(title: &str, what: &str, all: &[Place]) -> Markup {
    let differ = different(all);
    let (rows, left) = place_cells(what, &differ);
    html! {
        h3 { (title) }
        @if differ.is_empty() { p { "No difference." } }
        @else { (cells(&rows, left)) }
    }
}

fn comparison_sections(found: &ComparisonDifference) -> Markup {
    let row = |pair: &crate::analysis::ConfigurationPair| -> Option<ChangeRow> {
        Some((pair.name.clone(), [Some(pair.change()?), None]))
    };
    let rows: Vec<ChangeRow> = found.rows.iter().filter_map(row).collect();
    html! {
        h2 { "Run time" }
        @if !rows.is_empty() {
            (figure(&svg::changes("Run time in B against A", &rows, None), "Left of zero B is faster."))
        }
        (cells(&configuration_cells(found), 1))
        @if found.advice[0] != found.advice[1] {
            h2 { "Advice" }
            p { "A: " (found.advice[0]) }
            p { "B: " (found.advice[1]) }
        }
    }
}
