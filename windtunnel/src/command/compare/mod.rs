//! The command `windtunnel compare`.

pub(super) mod grid;
mod names;

use std::sync::Arc;

use mpi_abi::launch::Output;
use mpi_api::{
    finding::are_clean,
    outcome::{Ending, RankTotals},
};
use reports::{Comparison, Detail, Row, analysis, comparison::ranked, render};
use scenarios::{
    computing::Choice,
    error::Error,
    scenario::{Ran, Request},
};
use sim_core::SimDuration;
use workers::Workers;

use self::{grid::Cell, names::told_apart};
use super::{
    program::{Job, Own},
    recording,
    run::{PAGES, caution, caution_text, command, keep, machine_notes},
};
use crate::{
    args::{Grid, Options},
    execution, json,
    output::Destination,
    progress::Progress,
};

/// Most runs that a report page shows in full.
const DETAILS_MAX: usize = 8;

/// Runs a program over a grid of configurations and prints them, ordered by run time.
///
/// # Errors
/// Returns an error if the input is bad or the report cannot be written.
pub(crate) fn compare(grid: &Grid, own: &Own) -> Result<u8, Error> {
    let options = &grid.options;
    if options.trace.is_some() {
        return Err(Error::BadValue {
            what: "--trace".into(),
            value: "compare".into(),
            allowed: "a single run; use `windtunnel run`".into(),
        });
    }
    if let Some(ranks) = options.asked.ranks
        && !(grid.ranks_list.is_empty() || grid.ranks_list.contains(&ranks))
    {
        return Err(Error::BadValue {
            what: "--ranks".into(),
            value: ranks.get().to_string(),
            allowed: "one of --ranks-list, or left out".into(),
        });
    }
    recording::is_not_asked_for(options)?;
    let job = Job::read(options, own)?;
    let requests = grid::requests(grid, &job.request);
    record(&job, &requests)?;
    let report = options.report.as_deref();
    let report = report.map(|path| Destination::claim_of_kind(path, &PAGES)).transpose()?;
    let progress = Progress::of_executions(options, "comparing");
    let workers = execution::workers(options, job.is_foreign(), progress);
    let cells = grid::run(&job, &requests, &workers)?;
    let rows = rows(&cells);
    print_rows(options, &rows, &cells);
    caution(&job.request);
    let failed = cells.iter().any(|cell| !are_clean(&cell.result.findings));
    if let Some(destination) = report {
        let page = comparison(&job, &workers, cells, rows)?;
        destination.write(render::html::comparison(&page).as_bytes())?;
    }
    Ok(u8::from(failed))
}

/// Makes the recording of computing times, if one is asked for, in a run of the first
/// configuration. Rows are comparable only if all of them use the same computing times.
///
/// # Errors
/// Returns an error if computing is to be measured in each run, or the recording cannot be made.
fn record(job: &Job, requests: &[Request]) -> Result<(), Error> {
    if let Choice::Measured(_) = job.request.compute {
        return Err(Error::BadValue {
            what: "the computing".into(),
            value: job.request.compute.to_string(),
            allowed: "modelled or recorded:FILE, so that all configurations compute alike".into(),
        });
    }
    let (Choice::Recorded(_), Some(first)) = (&job.request.compute, requests.first()) else {
        return Ok(());
    };
    if requests.iter().any(|request| request.ranks != first.ranks) {
        return Err(Error::BadValue {
            what: "--ranks-list".into(),
            value: "several numbers".into(),
            allowed: "one number with recorded computing: a recording is of one number of ranks"
                .into(),
        });
    }
    let scenario = job.scenario(first.clone(), Output::Discard)?;
    let Some(path) = scenario.records_to() else { return Ok(()) };
    let destination = Destination::claim(path)?;
    let Ran { result, durations, .. } = scenario.run(None)?;
    match durations.filter(|_| result.ending == Ending::Completed) {
        Some(durations) => keep(destination, &durations, &result),
        None => Err(Error::BadFile {
            path: path.into(),
            reason: "cannot be recorded: the program does not come to its end".into(),
        }),
    }
}

/// Returns one row for each cell. Speed-up is relative to the smallest number of ranks of the same
/// configuration.
fn rows(cells: &[Cell]) -> Vec<Row> {
    let mut baseline: Option<&Cell> = None;
    let mut rows = Vec::new();
    for cell in cells {
        // Within one speed-up line the numbers of ranks increase.
        let starts =
            baseline.is_none_or(|base| cell.scenario.request.ranks <= base.scenario.request.ranks);
        let base = if starts { cell } else { baseline.unwrap_or(cell) };
        baseline = Some(base);
        rows.push(row(cell, base));
    }
    distinguish(cells, &mut rows);
    rows
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
    Row {
        topology: scenario.topology.name().to_string(),
        kind: scenario.topology.kind(),
        ranks,
        machine: scenario.machine.name.clone(),
        ending: result.ending,
        network: scenario.network.clone(),
        placement: scenario.request.placement.clone(),
        collectives: collectives(&scenario.request),
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

fn collectives(request: &Request) -> String {
    match request.collectives.as_slice() {
        [] => "auto".to_string(),
        chosen => chosen.join(" "),
    }
}

/// Returns the positions of the runs that are shown in full: with the largest number of ranks, the
/// fastest run of each topology.
fn shown(rows: &[Row]) -> Vec<usize> {
    let most = rows.iter().map(|row| row.ranks).max().unwrap_or(0);
    let mut kinds = Vec::new();
    let mut shown = Vec::new();
    for row in ranked(rows).into_iter().filter(|row| row.ranks == most) {
        if shown.len() < DETAILS_MAX && !kinds.contains(&row.topology.as_str()) {
            kinds.push(row.topology.as_str());
            shown.extend(rows.iter().position(|other| std::ptr::eq(other, row)));
        }
    }
    shown
}

fn comparison(
    job: &Job,
    workers: &Workers,
    cells: Vec<Cell>,
    rows: Vec<Row>,
) -> Result<Comparison, Error> {
    let shown = shown(&rows);
    let again: Vec<Request> = shown.iter().map(|at| cells[*at].scenario.request.clone()).collect();
    let traces = grid::trace(job, &again, workers)?;
    let details = shown.iter().zip(traces).map(|(at, records)| {
        let cell = &cells[*at];
        Detail {
            title: rows[*at].label(),
            topology: Arc::clone(&cell.scenario.topology),
            result: cell.result.clone(),
            records,
        }
    });
    let mut machines = Vec::new();
    for (cell, row) in cells.iter().zip(&rows) {
        let mut notes = machine_notes(&cell.scenario.machine);
        notes.name.clone_from(&row.machine);
        if !machines.iter().any(|known: &reports::MachineNotes| known.name == notes.name) {
            machines.push(notes);
        }
    }
    Ok(Comparison {
        program: job.request.program.clone(),
        machines,
        seed: job.request.seed,
        command: command(),
        caution: job.request.irreproducible().map(caution_text),
        advice: analysis::advice(&rows),
        details: details.collect(),
        rows,
    })
}

fn print_rows(options: &Options, rows: &[Row], cells: &[Cell]) {
    if options.json {
        let position = |row: &Row| rows.iter().position(|other| std::ptr::eq(other, row));
        let object = |row| {
            let Cell { scenario, result, .. } = &cells[position(row)?];
            Some(json::compare::Row::new(row, scenario, result))
        };
        let objects = ranked(rows).into_iter().filter_map(object).collect();
        json::print(&json::compare::Comparison::new(analysis::advice(rows), rows, objects));
        return;
    }
    print!("{}", render::text::comparison_table(rows));
    let spreads = render::text::spread_table(rows);
    if !spreads.is_empty() {
        print!("\n{spreads}");
    }
    if !options.quiet {
        println!("\n{}", analysis::advice(rows));
    }
}
