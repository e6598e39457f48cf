//! The rows of a comparison, from the results of its configurations.

use mpi_api::outcome::RankTotals;
use network_models::{Bill, Prices};
use reports::{Row, Setting, Skipped, analysis};
use scenarios::{
    error::Error,
    scenario::{Request, Scenario},
};
use sim_core::SimDuration;

use super::{
    axes::{Axis, Point},
    grid::Cell,
    names::told_apart,
};
use crate::diagnostic;

/// Returns one row for each cell. Speed-up and efficiency are relative to the smallest number of ranks
/// of the same line that completed; with `weak`, for work that grows with the ranks.
pub(super) fn rows(
    axes: &[Axis],
    points: &[&Point],
    cells: &[Cell],
    (weak, prices): (bool, &Prices),
) -> Vec<Row> {
    let pairs = points.iter().zip(cells);
    let mut rows: Vec<Row> = pairs.map(|(point, cell)| row(axes, point, cell, prices)).collect();
    let mut baseline: Option<(usize, u32, f64)> = None;
    for row in &mut rows {
        let time = row.makespan.as_secs_f64();
        if row.completed() && baseline.is_none_or(|(line, ..)| line != row.line) {
            baseline = Some((row.line, row.ranks, time));
        }
        let Some((_, ranks, first)) = baseline.filter(|(line, ..)| *line == row.line) else {
            continue;
        };
        let gain = if time > 0.0 { first / time } else { 1.0 };
        let growth = f64::from(row.ranks) / f64::from(ranks);
        (row.speedup, row.efficiency) =
            if weak { (gain * growth, gain) } else { (gain, gain / growth) };
    }
    distinguish(cells, &mut rows);
    rows
}

/// Returns a configuration that is left out.
pub(super) fn skipped(axes: &[Axis], point: &Point, why: &Error) -> Skipped {
    let request = &point.request;
    let mut parts =
        vec![request.topology.clone().unwrap_or_else(|| "the machine's topology".into())];
    let varied = axes.iter().zip(&point.at).filter(|(axis, _)| axis.varies());
    for (axis, at) in varied.filter(|(axis, _)| !axis.is_in_every_name()) {
        parts.push(format!("{}={}", axis.name(), axis.text(*at)));
    }
    // What follows the first line is advice for one run.
    let reason = why.to_string().lines().next().unwrap_or_default().to_owned();
    Skipped { name: parts.join(", "), ranks: request.ranks, reason }
}

/// Adds file names to machines or topologies that would otherwise have the same name.
fn distinguish(cells: &[Cell], rows: &mut [Row]) {
    let requests = || cells.iter().map(|cell| &cell.scenario.request);
    let machines: Vec<(String, String)> = (rows.iter().zip(requests()))
        .map(|(row, request)| (row.machine.clone(), request.machine.clone()))
        .collect();
    let topologies: Vec<(String, String)> = (rows.iter().zip(requests()))
        .map(|(row, request)| (row.topology.clone(), request.topology.clone().unwrap_or_default()))
        .collect();
    let names = told_apart(&machines).into_iter().zip(told_apart(&topologies));
    for (row, (machine, topology)) in rows.iter_mut().zip(names) {
        (row.machine, row.topology) = (machine, topology);
    }
}

fn row(axes: &[Axis], point: &Point, cell: &Cell, prices: &Prices) -> Row {
    let Cell { scenario, result, .. } = cell;
    let sum = |part: fn(&RankTotals) -> SimDuration| -> f64 {
        result.ranks.iter().map(|rank| part(rank).as_secs_f64()).sum()
    };
    let total = result.makespan.as_secs_f64() * result.ranks.len() as f64;
    let share = |part: f64| if total > 0.0 { 100.0 * part / total } else { 0.0 };
    let structure = scenario.topology.structure();
    let ranks = scenario.request.ranks;
    let hottest = analysis::HottestLink::of(&result.links, &scenario.topology, result.makespan);
    let hottest = hottest.filter(|link| link.busy > 0.0);
    let bill = Bill::of(&scenario.topology, prices.floor);
    Row {
        topology: scenario.topology.name().to_string(),
        kind: scenario.topology.kind(),
        ranks,
        machine: scenario.machine.name.clone(),
        ending: result.ending,
        network: scenario.network.clone(),
        placement: scenario.request.placement.clone(),
        collectives: collectives(axes, point, &scenario.request),
        makespan: result.makespan,
        speedup: 1.0,
        efficiency: 1.0,
        mean_hops: structure.mean_hops,
        hottest_link: hottest.map(|link| (link.name, link.busy)),
        one_way_cables: scenario.topology.has_one_way_cables(),
        structure,
        nodes: scenario.topology.machine_nodes(),
        nodes_idle: scenario.nodes_idle(),
        messages: result.messages,
        bytes: result.bytes,
        digest: result.digest,
        compute_share: share(sum(|rank| rank.compute)),
        overhead_share: share(sum(|rank| rank.overhead)),
        waiting_share: share(sum(|rank| rank.waiting)),
        family: family(scenario),
        line: point.line,
        settings: settings(axes, point),
        point: point.at.clone(),
        findings: result.findings.iter().map(diagnostic::render).collect(),
        cost: prices.cost(&bill),
        bill,
    }
}

/// Returns the topology as it was asked for.
fn family(scenario: &Scenario) -> String {
    let machine = &scenario.machine;
    scenario.request.topology.clone().unwrap_or_else(|| machine.default_topology.clone())
}

/// Returns the values of the axes that have no column of their own.
fn settings(axes: &[Axis], point: &Point) -> Vec<Setting> {
    let without = axes.iter().zip(&point.at).filter(|(axis, _)| !axis.has_column());
    let setting = |(axis, at): (&Axis, &usize)| Setting {
        axis: axis.name(),
        value: axis.text(*at).to_owned(),
        condition: axis.is_condition(),
        varies: axis.len() > 1,
    };
    without.map(setting).collect()
}

/// Returns the choices of algorithms, without those that are axes themselves.
fn collectives(axes: &[Axis], point: &Point, request: &Request) -> String {
    let chosen =
        |axis: &Axis, at: usize| axis.collective().map(|name| format!("{name}={}", axis.text(at)));
    let own: Vec<String> =
        axes.iter().zip(&point.at).filter_map(|(axis, at)| chosen(axis, *at)).collect();
    let others = request.collectives.iter().filter(|choice| !own.contains(choice));
    let others: Vec<&str> = others.map(String::as_str).collect();
    if others.is_empty() { "auto".to_owned() } else { others.join(" ") }
}
