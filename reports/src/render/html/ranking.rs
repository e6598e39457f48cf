//! The table of all configurations.

use maud::{Markup, html};

use crate::{
    comparison::{Comparison, Differ, Row, has_scaling},
    format::{bytes, count, percent, whole_percent},
    render::table::{cost_cell, efficiency_name, idle_nodes},
};

/// Returns the table of all configurations: by number of ranks, then from fast to slow.
pub(super) fn ranking(data: &Comparison, order: &[&Row]) -> Markup {
    let differ = Differ::of(order);
    let scaling = has_scaling(order);
    let axes = order.first().map(|row| row.settings.as_slice()).unwrap_or_default();
    html! {
        div.scroll.wide { table {
            thead { tr {
                th { "#" } th.l { "topology" } th { "ranks" }
                @if differ.machine { th.l { "machine" } }
                @if differ.network { th.l { "network" } }
                @if differ.placement { th.l { "placement" } }
                @if differ.collectives { th.l { "collectives" } }
                @for setting in axes { th.l { (setting.axis) } }
                th { "run time" }
                @if scaling {
                    th { @if data.weak { "scaled speed-up" } @else { "speed-up" } }
                    th { (efficiency_name(data.weak)) }
                }
                th { "busiest link" }
                th { "cost" } th { "links" } th { "ports" } th { "switches" } th { "crosspoints" }
                th { "short cables" } th { "medium" } th { "long" }
                th { "diameter" } th { "mean hops" } th { "bisection" }
                th { "degree" } th { "messages" } th { "data" }
                th.l { "hottest link" }
            } }
            tbody { @for ((index, row), is_best) in order.iter().enumerate().zip(best(order)) {
                tr.best[is_best] {
                    td { (index + 1) } td.l { (row.topology) } td { (row.ranks) }
                    @if differ.machine { td.l { (row.machine) } }
                    @if differ.network { td.l { (row.network) } }
                    @if differ.placement { td.l { (row.placement) } }
                    @if differ.collectives { td.l { (row.collectives) } }
                    @for setting in &row.settings { td.l { (setting.value) } }
                    (times(row, scaling))
                    td { (row.hottest_link.as_ref().map_or("–".into(), |l| percent(l.1))) }
                    td { (cost_cell(row, &data.cost_unit)) }
                    td { (count(row.structure.links)) } td { (count(row.bill.ports())) }
                    td { (row.structure.switches) } td { (count(row.bill.crosspoints())) }
                    @for cables in row.bill.cables { td { (count(cables)) } }
                    td { (row.structure.diameter) }
                    td { (format!("{:.2}", row.mean_hops)) }
                    td { (count(row.structure.bisection)) } td { (row.structure.degree) }
                    td { (count(row.messages)) } td { (bytes(row.bytes)) }
                    td.l { (row.hottest_link.as_ref().map_or("–", |link| &link.0)) }
                }
            } }
        } }
        p.soft { (directions(order)) " Ports are the ends of cables. The fastest of each number of ranks, \
                  and of equal circumstances, is bold, under each network model, and what is exactly as fast." }
        @if let Some(idle) = idle_nodes(&data.rows) { p { (idle) } }
    }
}

/// Returns which directions the cables of the topologies serve.
fn directions(order: &[&Row]) -> String {
    let mut one_way: Vec<&str> = Vec::new();
    for row in order.iter().filter(|row| row.one_way_cables) {
        if !one_way.contains(&row.topology.as_str()) {
            one_way.push(&row.topology);
        }
    }
    if one_way.is_empty() {
        "Links are cables, each serving both directions.".to_owned()
    } else if order.iter().all(|row| row.one_way_cables) {
        "Links are cables, each serving one direction.".to_owned()
    } else {
        format!(
            "Links are cables, each serving both directions, but one direction in {}.",
            one_way.join(", ")
        )
    }
}

/// Returns for each row whether it is the fastest, or exactly as fast, under its circumstances, by which rows are
/// sorted, and its network model, which is nothing to choose.
fn best(order: &[&Row]) -> Vec<bool> {
    // The first row of each model, which is the fastest.
    let mut firsts: Vec<&Row> = Vec::new();
    let mut found = Vec::with_capacity(order.len());
    for (index, row) in order.iter().enumerate() {
        if index > 0 && order[index - 1].conditions() != row.conditions() {
            firsts.clear();
        }
        let first = firsts.iter().find(|first| first.network == row.network).copied();
        if first.is_none() {
            firsts.push(row);
        }
        found.push(row.completed() && first.is_none_or(|first| first.makespan == row.makespan));
    }
    found
}

fn times(row: &Row, scaling: bool) -> Markup {
    html! {
        @if row.completed() { td { (row.makespan) } } @else { td { (row.ending.word()) } }
        @if scaling {
            @if row.completed() {
                td { (format!("{:.2}", row.speedup)) }
                td { (whole_percent(100.0 * row.efficiency)) }
            } @else { td { "–" } td { "–" } }
        }
    }
}
