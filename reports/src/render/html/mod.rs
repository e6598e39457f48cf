//! Self-contained HTML pages: they load no other files, and show everything without their script, which
//! makes the space-time diagram one to explore.

mod beside;
mod calibration;
mod check;
mod choice;
mod difference;
mod embedded;
mod explorer;
mod heat;
mod profile;
mod ranking;
mod run;
mod section;
mod tuning;
mod what_if;

use maud::{DOCTYPE, Markup, PreEscaped, html};
use sim_core::SimTime;

use self::section::{anchor, section};
pub use self::{
    beside::{Beside, Excerpt, ShownExecution, Step},
    calibration::{CalibrationPage, CurveTable, calibration},
    check::{BlockedCall, CheckSummary, CheckedExecution},
    difference::difference,
    run::{RunPage, run},
    tuning::{TuningPage, tuning},
};
use super::svg::{self, SpeedupPoint};
use crate::{
    analysis::{self, Spread},
    comparison::{Comparison, Differ, MachineNotes, Row, by_ranks, has_scaling, ranked},
    format::{counted, percent},
};

const STYLE: &str = include_str!("style.css");

/// Returns the comparison of topologies as an HTML page in UTF-8.
pub fn comparison(data: &Comparison) -> String {
    let order = by_ranks(&data.rows);
    let machines: Vec<&str> = data.machines.iter().map(|machine| machine.name.as_str()).collect();
    let what = if data.pivoted { "Configurations" } else { "Topologies" };
    let title = format!("{what} for {} on {}", data.program, machines.join(", "));
    page(
        &title,
        html! {
            p.soft {
                (counted(data.rows.len() as u64, "configuration")) " simulated by Windtunnel, "
                "network model " (distinct(&order, |row| &row.network)) ", seed " (data.seed) "."
            }
            @if let Some(caution) = &data.caution { p.caution { (caution) } }
            p.advice { (prose(&data.advice)) }
            @if !data.details.is_empty() {
                nav {
                    "In full: "
                    @for (index, detail) in data.details.iter().enumerate() {
                        @if index > 0 { " · " }
                        a href={ "#" (anchor(detail)) } { (detail.title) }
                    }
                }
            }
            (choice::left_out(data))
            (choice::pivots(data))
            h2 { "Ranking" }
            (ranking::ranking(data, &order))
            (choice::weighing(data))
            (between_models(&data.rows))
            h2 { "Run time" }
            (figure(&svg::bars("Run time of each configuration, fastest first", &run_times(&ranked(&data.rows))), "Shorter is better."))
            h2 { @if data.weak { "Weak scaling" } @else { "Speed-up and efficiency" } }
            (speedups(&order, data.weak))
            h2 { "Breakdown" }
            (figure(
                &svg::breakdown(&shares(&order)),
                "Share of ranks times run time; what is missing to 100 % is the time after a \
                 rank had ended.",
            ))
            @for detail in &data.details { (section(detail)) }
            h2 { "Settings and digests" }
            (settings(data, &order))
            (provenance(&data.machines))
            @if !data.details.is_empty() { (embedded::script()) }
        },
    )
}

fn page(title: &str, body: Markup) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) }
                style { (PreEscaped(STYLE)) (PreEscaped(svg::on_dark_pages())) }
            }
            body {
                h1 { (title) }
                (body)
            }
        }
    };
    page.into_string()
}

fn provenance(machines: &[MachineNotes]) -> Markup {
    html! {
        h2 { "Provenance of the machine" }
        @for machine in machines {
            details open[machines.len() == 1] {
                summary { (machine.name) ": " (machine.summary) }
                (pairs(&machine.numbers))
            }
        }
    }
}

/// Returns the section on what network models differ by; nothing for a single model.
fn between_models(rows: &[Row]) -> Markup {
    let spreads = analysis::spreads(rows);
    let range = |spread: &Spread| {
        let point = |time: &(String, Option<SimTime>)| Some(time.1?.as_ps() as f64 / 1e6);
        let name = format!("{}, {}", spread.name, counted(u64::from(spread.ranks), "rank"));
        (name, spread.times.iter().map(point).collect())
    };
    let ranges: Vec<(String, Vec<Option<f64>>)> = spreads.iter().map(range).collect();
    let models: Vec<String> =
        spreads.first().into_iter().flat_map(|s| &s.times).map(|time| time.0.clone()).collect();
    html! { @if !spreads.is_empty() {
        h2 { "Between the models" }
        p { "The same run under each network model. What they differ by estimates how far off each may \
             be: a difference between two configurations that is smaller than their spread is none." }
        (figure(&svg::ranges(&models, &ranges), "From the shortest to the longest run time."))
        div.scroll { table {
            thead { tr {
                th.l { "configuration" } th { "ranks" }
                @for model in &models { th { (model) } }
                th { "spread" }
            } }
            tbody { @for spread in &spreads { tr {
                td.l { (spread.name) } td { (spread.ranks) }
                @for (_, time) in &spread.times {
                    td { @if let Some(time) = time { (time) } @else { "–" } }
                }
                td { (spread.half_width().map_or("–".into(), |half| format!("±{}", percent(100.0 * half)))) }
            } } }
        } }
    } }
}

fn run_times(order: &[&Row]) -> Vec<(String, f64)> {
    let differ = Differ::of(order);
    let time = |row: &&&Row| (differ.label(row), row.makespan.as_ps() as f64 / 1e9);
    order.iter().filter(|row| row.completed()).map(|row| time(&row)).collect()
}

fn shares(order: &[&Row]) -> Vec<(String, [f64; 3])> {
    let differ = Differ::of(order);
    let part = |row: &Row| [row.compute_share, row.overhead_share, row.waiting_share];
    order.iter().map(|row| (differ.label(row), part(row))).collect()
}

fn speedups(order: &[&Row], weak: bool) -> Markup {
    if !has_scaling(order) {
        return html! { p {
            "All configurations have the same number of ranks, so there is neither speed-up nor \
             efficiency. " (command_line("--ranks-list 4,16,64")) " runs several numbers."
        } };
    }
    let differ = Differ::of(order);
    let mut series: Vec<(usize, String, Vec<SpeedupPoint>)> = Vec::new();
    for row in order.iter().filter(|row| row.completed()) {
        let point =
            SpeedupPoint { ranks: row.ranks, speedup: row.speedup, efficiency: row.efficiency };
        match series.iter_mut().find(|(line, ..)| *line == row.line) {
            Some((_, _, points)) => points.push(point),
            None => series.push((row.line, differ.scaled(row), vec![point])),
        }
    }
    let series: Vec<(String, Vec<SpeedupPoint>)> =
        series.into_iter().map(|(_, name, points)| (name, points)).collect();
    let caption = match (weak, order.iter().any(|row| row.speedup > 1.0)) {
        (true, _) => {
            "The work per rank is taken for constant: efficiency is the run time with the fewest ranks \
             over the run time, and scaled speed-up is efficiency times the growth of the ranks."
        }
        (false, true) => "On the dashed line the run time halves whenever the ranks double.",
        (false, false) => {
            "No number of ranks beats the smallest: that is usual where the work grows with the \
             ranks (--weak)."
        }
    };
    let note = "against the smallest number of ranks of the same configuration that completed";
    html! { (figure(&svg::speedup_lines(&series, note, weak), caption)) }
}

fn settings(data: &Comparison, order: &[&Row]) -> Markup {
    let entry = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    let names: Vec<&str> = data.machines.iter().map(|machine| machine.name.as_str()).collect();
    html! {
        (pairs(&[
            entry("program", &data.program),
            entry("machines", &names.join(", ")),
            entry("placements", &distinct(order, |row| &row.placement)),
            entry("collectives", &distinct(order, |row| &row.collectives)),
            entry("network model", &distinct(order, |row| &row.network)),
            entry("seed", &data.seed.to_string()),
        ]))
        p { "The same page again: " (command_line(&data.command)) }
        details {
            summary { "Digests" }
            div.scroll { table {
                thead { tr { th.l { "configuration" } th.l { "digest" } } }
                tbody { @for row in order { tr {
                    td.l {
                        (row.label()) ", " (row.machine) ", " (row.network) ", " (row.placement) ", "
                        (row.collectives)
                        @for setting in &row.settings { ", " (setting.axis) "=" (setting.value) }
                    }
                    td.l { code { (format!("{:016x}", row.digest)) } }
                } } }
            } }
        }
    }
}

/// Returns the distinct values of a column, in the order of the rows.
fn distinct<'a>(order: &[&'a Row], of: fn(&'a Row) -> &'a str) -> String {
    let mut values: Vec<&str> = Vec::new();
    for row in order {
        if !values.contains(&of(row)) {
            values.push(of(row));
        }
    }
    values.join(", ")
}

/// Returns a text in which the names of options are not broken after their hyphens.
fn prose(text: &str) -> Markup {
    html! { @for (place, word) in text.split(' ').enumerate() {
        @if place > 0 { " " }
        @if word.contains("--") { span.word { (word) } } @else { (word) }
    } }
}

/// Returns a command line that is broken between words only.
fn command_line(command: &str) -> Markup {
    html! { code { @for (place, word) in command.split(' ').enumerate() {
        @if place > 0 { " " }
        span.word { (word) }
    } } }
}

fn pairs(entries: &[(String, String)]) -> Markup {
    html! {
        div.scroll { table { tbody { @for (name, value) in entries {
            tr { th.l { (name) } td.l { (value) } }
        } } } }
    }
}

fn figure(picture: &str, caption: &str) -> Markup {
    // Inline SVG needs no namespace, and a URL on the page would look like a load.
    let inline = picture.replacen(" xmlns=\"http://www.w3.org/2000/svg\"", " role=\"img\"", 1);
    html! { figure { (PreEscaped(inline)) figcaption { (prose(caption)) } } }
}
