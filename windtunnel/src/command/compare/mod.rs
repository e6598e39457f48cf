//! The command `windtunnel compare`.

pub(super) mod axes;
pub(super) mod grid;
mod names;
mod rows;
mod values;

use std::sync::Arc;

use mpi_abi::launch::Output;
use mpi_api::{finding::are_clean, outcome::Ending};
use network_models::Prices;
use reports::{
    Comparison, Detail, Row, Skipped, analysis,
    comparison::ranked,
    render::{self, table},
};
use scenarios::{
    computing::Choice,
    error::Error,
    prices::PriceList,
    scenario::{Ran, Request},
};
use workers::Workers;

use self::{axes::Point, grid::Cell};
use super::{
    described::{PAGES, caution, caution_text, command, machine_notes},
    program::{Job, Own},
    recording,
    run::keep,
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
        && !(grid.ranks_list.is_empty() || grid.ranks().any(|other| other == ranks))
    {
        return Err(Error::BadValue {
            what: "--ranks".into(),
            value: ranks.get().to_string(),
            allowed: "one of --ranks-list, or left out".into(),
        });
    }
    recording::is_not_asked_for(options)?;
    let job = Job::read(options, own)?;
    let prices = match &grid.prices {
        Some(path) => PriceList::load(path)?.prices(),
        None => Prices::default(),
    };
    let axes = axes::axes(grid, &job.request)?;
    if let (false, Some(axis)) = (job.is_foreign(), axes.iter().find(|axis| axis.adds_arguments()))
    {
        return Err(Error::BadValue {
            what: "--axis".into(),
            value: axis.name(),
            allowed: format!("another axis: {} takes no arguments", job.request.program),
        });
    }
    execution::has_copies_of_files(&job.request)?;
    let points = axes::points(&axes, &job.request);
    record(&job, &axes, &points)?;
    let report = Destination::claim_if_asked(options.report.as_deref(), &PAGES)?;
    let places = points.iter().map(|point| grid::fitting(&job, point.request.clone()));
    let mut places = places.collect::<Result<Vec<_>, Error>>()?;
    if places.iter().all(Result::is_err) {
        return Err(places.swap_remove(0).err().expect("no configuration fits"));
    }
    let progress = Progress::of_executions(options, "comparing");
    let workers = execution::workers(options, job.is_foreign(), progress);
    let Compared { kept, cells, skipped, incomplete } =
        compared(&axes, &points, grid::fill(places, &workers)?)?;
    let study = Study {
        weak: grid.weak,
        rows: rows::rows(&axes, &kept, &cells, (grid.weak, &prices)),
        skipped,
        pivoted: !grid.axes.is_empty(),
        axes: axes.iter().map(axes::Axis::reported).collect(),
        unit: prices.unit,
        price_list: grid.prices.clone(),
    };
    print_rows(options, &study, &cells);
    caution(&job.request);
    let failed = incomplete || cells.iter().any(|cell| !are_clean(&cell.result.findings));
    if let Some(destination) = report {
        let page = comparison(&job, &workers, cells, study)?;
        destination.write(render::html::comparison(&page).as_bytes())?;
    }
    Ok(u8::from(failed))
}

/// The configurations that have results, and why others have none.
struct Compared<'a> {
    kept: Vec<&'a Point>,
    /// Their results.
    cells: Vec<Cell>,
    skipped: Vec<Skipped>,
    /// Whether configurations could be run that were not.
    incomplete: bool,
}

/// Sorts configurations by whether they have a result.
///
/// # Errors
/// Returns the first error if none has.
fn compared<'a>(
    axes: &[axes::Axis],
    points: &'a [Point],
    mut places: Vec<Result<Cell, Error>>,
) -> Result<Compared<'a>, Error> {
    if places.iter().all(Result::is_err) {
        return Err(places.swap_remove(0).err().expect("no configuration has a result"));
    }
    let (mut kept, mut cells, mut skipped) = (Vec::new(), Vec::new(), Vec::new());
    let mut incomplete = false;
    for (point, place) in points.iter().zip(places) {
        match place {
            Ok(cell) => {
                kept.push(point);
                cells.push(cell);
            }
            Err(why) => {
                incomplete |= !why.is_misfit();
                skipped.push(rows::skipped(axes, point, &why));
            }
        }
    }
    Ok(Compared { kept, cells, skipped, incomplete })
}

/// The results of all configurations, as reports need them.
pub(crate) struct Study {
    pub(crate) rows: Vec<Row>,
    pub(crate) skipped: Vec<Skipped>,
    pub(crate) axes: Vec<reports::Axis>,
    /// Whether results are shown as tables of two axes.
    pub(crate) pivoted: bool,
    /// Whether the work grows with the ranks.
    pub(crate) weak: bool,
    /// Unit of the costs.
    pub(crate) unit: String,
    /// The file of the prices, if one was given.
    pub(crate) price_list: Option<String>,
}

/// Makes the recording of computing times, if one is asked for, in a run of the first
/// configuration. Rows are comparable only if all of them use the same computing times.
///
/// # Errors
/// Returns an error if computing is to be measured in each run, or the recording cannot be made.
fn record(job: &Job, axes: &[axes::Axis], points: &[Point]) -> Result<(), Error> {
    if let Choice::Measured(_) = job.request.compute {
        return Err(Error::BadValue {
            what: "the computing".into(),
            value: job.request.compute.to_string(),
            allowed: "modelled or recorded:FILE, so that all configurations compute alike".into(),
        });
    }
    let (Choice::Recorded(_), Some(first)) = (&job.request.compute, points.first()) else {
        return Ok(());
    };
    if let Some(axis) = axes.iter().find(|axis| axis.changes_program()) {
        return Err(Error::BadValue {
            what: format!("the axis {} (--ranks-list, --axis)", axis.name()),
            value: "several values".into(),
            allowed: "one with recorded computing: a recording is of one number of ranks and one \
                      program"
                .into(),
        });
    }
    let scenario = job.scenario(first.request.clone(), Output::Discard);
    let scenario = scenario.map_err(|error| job.located(&first.request, error))?;
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
    study: Study,
) -> Result<Comparison, Error> {
    let Study { rows, skipped, axes, pivoted, weak, unit, price_list } = study;
    let shown = shown(&rows);
    let again: Vec<Request> = shown.iter().map(|at| cells[*at].scenario.request.clone()).collect();
    let traces = grid::trace(job, &again, workers)?;
    let details = shown.iter().zip(traces).filter_map(|(at, records)| {
        let cell = &cells[*at];
        Some(Detail {
            title: rows[*at].label(),
            topology: Arc::clone(&cell.scenario.topology),
            result: cell.result.clone(),
            records: records?,
        })
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
        advice: analysis::advice(&rows, &unit, weak),
        details: details.collect(),
        rows,
        axes,
        pivoted,
        skipped,
        weak,
        cost_unit: unit,
        price_list,
    })
}

fn print_rows(options: &Options, study: &Study, cells: &[Cell]) {
    let Study { rows, axes, weak, unit, .. } = study;
    if options.json {
        let position = |row: &Row| rows.iter().position(|other| std::ptr::eq(other, row));
        let object = |row| {
            let Cell { scenario, result, .. } = &cells[position(row)?];
            Some(json::compare::Row::new(row, scenario, result))
        };
        let objects = ranked(rows).into_iter().filter_map(object).collect();
        json::print(&json::compare::Comparison::new(study, objects));
        return;
    }
    let pivots = if study.pivoted { analysis::pivots(rows, axes) } else { Vec::new() };
    match pivots.is_empty() {
        true => print!("{}", table::comparison_table(rows, *weak, unit)),
        false => print!("{}", table::pivot_tables(rows, axes, &pivots)),
    }
    if *weak && !pivots.is_empty() {
        print!("\n{}", table::comparison_table(rows, *weak, unit));
    }
    if let Some(idle) = table::idle_nodes(rows) {
        println!("\n{idle}");
    }
    let spreads = render::text::spread_table(rows);
    if !spreads.is_empty() {
        print!("\n{spreads}");
    }
    let told = table::finding_lines(rows, |text| text.lines().next().unwrap_or(text).to_owned());
    for line in &told {
        println!("\n{line}");
    }
    let skipped = table::skipped_lines(&study.skipped);
    if !skipped.is_empty() {
        print!("\n{skipped}");
    }
    if !options.quiet {
        println!("\n{}", analysis::advice(rows, unit, *weak));
    }
}
