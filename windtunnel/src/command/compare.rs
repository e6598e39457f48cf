//! `windtunnel compare`.

use std::{fs, sync::Arc};

use mpi_api::{
    outcome::{RankTotals, RunResult},
    trace::{Record, Recording, TraceSink},
};
use reports::{Comparison, Detail, Row, analysis, render};
use scenarios::{error::Error, scenario::Scenario};
use serde_json::{Value, json};
use sim_core::{SimDuration, SimTime};

use super::run::json_result;
use crate::args::Options;

/// One cell of the grid.
struct Cell {
    scenario: Scenario,
    result: RunResult,
    records: Vec<Record>,
}

/// Runs a program on every topology with every number of ranks, and prints them in order of run
/// time.
///
/// # Errors
/// If the input is bad or the report cannot be written.
pub(crate) fn compare(
    options: &Options,
    topologies: &[String],
    ranks_list: &[u32],
    report: Option<&str>,
) -> Result<u8, Error> {
    let mut counts = if ranks_list.is_empty() { vec![options.ranks] } else { ranks_list.to_vec() };
    counts.sort_unstable();
    counts.dedup();
    if let Some(path) = report {
        fs::write(path, "").map_err(|error| unwritable(path, &error))?;
    }
    let mut cells: Vec<Cell> = Vec::new();
    for topology in topologies {
        for ranks in &counts {
            cells.push(simulate(options, topology, *ranks, report.is_some())?);
        }
    }
    let rows = rows(&cells, counts.len());
    print_rows(options, &rows, &cells);
    let code = u8::from(cells.iter().any(|cell| !cell.result.findings.is_empty()));
    if let Some(path) = report {
        let page = render::html::comparison(&comparison(options, cells, rows));
        fs::write(path, page).map_err(|error| unwritable(path, &error))?;
    }
    Ok(code)
}

fn unwritable(path: &str, error: &std::io::Error) -> Error {
    Error::BadFile { path: path.into(), reason: error.to_string() }
}

fn simulate(options: &Options, topology: &str, ranks: u32, traced: bool) -> Result<Cell, Error> {
    let mut request = options.request();
    request.topology = Some(topology.to_string());
    request.ranks = ranks;
    request.network.get_or_insert_with(|| "link".into());
    let scenario = request.resolve()?;
    let sink = traced.then(|| Box::<Recording>::default() as Box<dyn TraceSink>);
    let (result, sink) = scenario.run(sink);
    Ok(Cell { scenario, result, records: sink.map(|sink| sink.finish()).unwrap_or_default() })
}

/// One row a cell; speed-up is relative to the smallest number of ranks of the same topology.
fn rows(cells: &[Cell], per_topology: usize) -> Vec<Row> {
    cells
        .chunks(per_topology)
        .flat_map(|group| group.iter().map(|cell| row(cell, &group[0])))
        .collect()
}

fn row(cell: &Cell, baseline: &Cell) -> Row {
    let Cell { scenario, result, .. } = cell;
    let sum = |part: fn(&RankTotals) -> SimDuration| -> f64 {
        result.ranks.iter().map(|rank| part(rank).as_secs_f64()).sum()
    };
    let total = result.makespan.as_secs_f64() * result.ranks.len() as f64;
    let share = |part: f64| if total > 0.0 { 100.0 * part / total } else { 0.0 };
    let structure = scenario.topology.structure();
    let ranks = scenario.request.ranks;
    let time = result.makespan.as_secs_f64();
    let speedup = if time > 0.0 { baseline.result.makespan.as_secs_f64() / time } else { 1.0 };
    let hottest = analysis::HottestLink::of(&result.links, &scenario.topology, result.makespan);
    let collectives = match scenario.request.collectives.as_slice() {
        [] => "auto".to_string(),
        chosen => chosen.join(" "),
    };
    Row {
        topology: scenario.topology.name().to_string(),
        ranks,
        placement: scenario.request.placement.clone(),
        collectives,
        makespan: result.makespan,
        speedup,
        efficiency: speedup * f64::from(baseline.scenario.request.ranks) / f64::from(ranks),
        mean_hops: structure.mean_hops,
        hottest_link: hottest.map(|link| (link.name, link.busy)),
        structure,
        messages: result.messages,
        bytes: result.bytes,
        digest: result.digest,
        compute_share: share(sum(|rank| rank.compute)),
        overhead_share: share(sum(|rank| rank.overhead)),
        waiting_share: share(sum(|rank| rank.waiting)),
    }
}

fn comparison(options: &Options, cells: Vec<Cell>, rows: Vec<Row>) -> Comparison {
    let largest = cells.iter().map(|cell| cell.scenario.request.ranks).max().unwrap_or(0);
    let (machine, network) = match cells.first() {
        Some(cell) => (cell.scenario.machine.clone(), cell.scenario.network.clone()),
        None => unreachable!("a comparison has at least one topology"),
    };
    let details = cells
        .into_iter()
        .filter(|cell| cell.scenario.request.ranks == largest)
        .map(|cell| Detail {
            title: cell.scenario.topology.name().to_string(),
            topology: Arc::clone(&cell.scenario.topology),
            result: cell.result,
            records: cell.records,
        })
        .collect();
    Comparison {
        program: options.program.clone(),
        machine: machine.name.clone(),
        machine_summary: machine
            .provenance()
            .into_iter()
            .map(|(key, value, provenance, source)| {
                (key, format!("{value} ({provenance}) {source}"))
            })
            .collect(),
        network,
        seed: options.seed,
        command: std::env::args().collect::<Vec<_>>().join(" "),
        advice: analysis::advice(&rows),
        rows,
        details,
    }
}

fn print_rows(options: &Options, rows: &[Row], cells: &[Cell]) {
    if options.json {
        let mut values: Vec<(SimTime, Value)> = rows
            .iter()
            .zip(cells)
            .map(|(row, cell)| {
                let base = json_result(&cell.scenario, &cell.result);
                (row.makespan, json_row(row, base))
            })
            .collect();
        values.sort_by_key(|(time, _)| *time);
        let values: Vec<Value> = values.into_iter().map(|(_, value)| value).collect();
        println!("{:#}", json!({ "schema": "windtunnel.compare/1", "rows": values }));
        return;
    }
    println!("{}", render::text::comparison_table(rows));
    println!("{}", analysis::advice(rows));
}

fn json_row(row: &Row, mut value: Value) -> Value {
    value["topology"] = json!(row.topology);
    value["ranks"] = json!(row.ranks);
    value["makespan_ns"] = json!(row.makespan.as_ns_f64());
    value["speedup"] = json!(row.speedup);
    value["parallel_efficiency"] = json!(row.efficiency);
    value["links"] = json!(row.structure.links);
    value["diameter"] = json!(row.structure.diameter);
    value["mean_hops"] = json!(row.mean_hops);
    value["bisection"] = json!(row.structure.bisection);
    value["hottest_link"] = json!(row.hottest_link);
    value["digest"] = json!(format!("{:016x}", row.digest));
    value
}
