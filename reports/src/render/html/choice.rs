//! The sections that help to choose: tables of two axes, run time against cost, over which range a
//! winner stays the winner, and what was left out.

use maud::{Markup, html};

use super::figure;
use crate::{
    analysis::{self, Pivot},
    comparison::{Comparison, Differ, Row, ranked},
    format::counted,
    render::{
        svg::{self, ParetoPoint, SweptAxis, SweptLine},
        table::{grouped_findings, pivot_cells, some},
    },
};

/// Most tables of two axes that are shown; the ranking has every configuration.
const PIVOTS_MAX: usize = 24;

/// Returns what keeps configurations from being compared: findings, and reasons for leaving them out.
pub(super) fn left_out(data: &Comparison) -> Markup {
    html! {
        @for (text, names) in grouped_findings(&data.rows) {
            p { (some(&names)) ":" }
            pre.finding { (text) }
        }
        @if !data.skipped.is_empty() {
            h2 { "Left out" }
            ul { @for left in &data.skipped {
                li { (left.name) " with " (counted(u64::from(left.ranks), "rank")) ": " (left.reason) }
            } }
        }
    }
}

/// Returns tables of run times by two axes, each with a picture.
pub(super) fn pivots(data: &Comparison) -> Markup {
    let pivots = if data.pivoted { analysis::pivots(&data.rows, &data.axes) } else { Vec::new() };
    html! { @if !pivots.is_empty() {
        h2 { "Run time by " (data.axes[pivots[0].down].name) " and " (data.axes[pivots[0].across].name) }
        @for pivot in pivots.iter().take(PIVOTS_MAX) {
            @if !pivot.context.is_empty() { h3 { (pivot.context) } }
            (pivot_table(data, pivot))
            (pivot_picture(data, pivot))
        }
        @if pivots.len() > PIVOTS_MAX {
            p { (pivots.len() - PIVOTS_MAX) " more tables are not shown: the ranking has every configuration." }
        }
    } }
}

fn pivot_table(data: &Comparison, pivot: &Pivot) -> Markup {
    let cells = pivot_cells(&data.rows, &data.axes, pivot);
    html! {
        div.scroll { table {
            thead { tr { @for (column, name) in cells[0].iter().enumerate() {
                th.l[column == 0] { (name) }
            } } }
            tbody { @for (at, line) in cells[1..].iter().enumerate() { tr {
                th.l { (line[0]) }
                @for (column, text) in line[1..].iter().enumerate() {
                    td.best[pivot.is_best(&data.rows, at, column)] { (text.trim_end_matches(['*', ' '])) }
                }
            } } }
        } }
        @if !pivot.models { p.soft { "The shortest run time of each row is bold." } }
    }
}

fn pivot_picture(data: &Comparison, pivot: &Pivot) -> Markup {
    let (down, across) = (&data.axes[pivot.down], &data.axes[pivot.across]);
    let line = |(column, name): (usize, &String)| -> SweptLine {
        let time = |cells: &Vec<Option<usize>>| {
            let row = cells[column].map(|place| &data.rows[place]).filter(|row| row.completed());
            row.map(|row| row.makespan.as_ps() as f64 / 1e9)
        };
        (name.clone(), pivot.cells.iter().map(time).collect())
    };
    let lines: Vec<SweptLine> = across.values.iter().enumerate().map(line).collect();
    let axis =
        SweptAxis { name: &down.name, values: &down.values, numbers: down.numbers.as_deref() };
    let title = format!("Run time by {}, for each {}", down.name, across.name);
    figure(&svg::sweep(&title, axis, &lines), "Lower is better.")
}

/// Returns run time against cost with the largest number of ranks, and the ranges of the winners.
pub(super) fn weighing(data: &Comparison) -> Markup {
    let last = data.rows.last().map(|row| row.network.clone());
    let of_last: Vec<Row> =
        data.rows.iter().filter(|row| Some(&row.network) == last.as_ref()).cloned().collect();
    let ranges = analysis::ranges(&of_last);
    let all = ranked(&of_last);
    let most = all.iter().map(|row| row.ranks).max();
    let circumstances =
        of_last.iter().rev().find(|row| Some(row.ranks) == most).map(Row::conditions);
    let here = |row: &&&Row| row.completed() && Some(row.conditions()) == circumstances;
    let shown: Vec<&Row> = all.iter().filter(here).copied().collect();
    let front = analysis::front(&shown);
    let differ = Differ { network: false, ..Differ::of(&all) };
    let point = |row: &&Row| ParetoPoint {
        name: differ.name(row),
        cost: row.cost.amount(),
        ms: row.makespan.as_ps() as f64 / 1e9,
        on_front: front.iter().any(|other| std::ptr::eq(*other, *row)),
        for_sale: row.cost.for_sale,
    };
    let points: Vec<ParetoPoint> = shown.iter().map(point).collect();
    let costs_differ = points.iter().any(|point| (point.cost - points[0].cost).abs() > 1e-9);
    html! {
        @if costs_differ {
            h2 { "Run time against cost" }
            (figure(
                &svg::pareto(
                    &format!(
                        "Run time against cost, {}, network model {}",
                        named(&circumstances.unwrap_or_default()),
                        last.as_deref().unwrap_or("unknown"),
                    ),
                    unit(data, &shown),
                    &points,
                ),
                &prices(data.price_list.as_deref()),
            ))
        }
        @if !ranges.is_empty() {
            h2 { "Over which range the winner stays the winner" }
            ul { @for range in &ranges { li { (range.sentence()) } } }
        }
    }
}

/// Returns where the costs come from.
fn prices(list: Option<&str>) -> String {
    match list {
        Some(file) => format!("Costs are those of the prices in {file}."),
        None => "A cable costs 1, 2 or 4 units by length, a port 1 and a crosspoint 0.1: no --prices were given."
            .to_owned(),
    }
}

/// Returns the unit of the amounts by which networks are compared.
fn unit<'a>(data: &'a Comparison, rows: &[&Row]) -> &'a str {
    if rows.iter().any(|row| row.cost.price > 0.0) { &data.cost_unit } else { "W" }
}

fn named(conditions: &[(&str, String)]) -> String {
    let named = conditions.iter().map(|(name, value)| format!("{name} {value}"));
    named.collect::<Vec<String>>().join(", ")
}
