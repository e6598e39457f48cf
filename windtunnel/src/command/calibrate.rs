//! The command `windtunnel calibrate`: a machine file from the output of benchmarks.

use reports::render::{
    html::{CalibrationPage, CurveTable, calibration},
    svg::CurvePoint,
};
use scenarios::{
    calibration::{
        Calibration, Compared, Comparison, Estimate, Setting, Use,
        reading::{self, Unsaid},
    },
    error::Error,
    machine,
};
use sim_core::words::change;

use super::described::{PAGES, command, machine_notes};
use crate::{
    args::Calibrate,
    json::{self, calibrate::Calibrated},
    output::Destination,
};

/// Beginning of every machine file that this command writes.
const MACHINES: [&[u8]; 1] = [b"{\n  \"name\""];

/// Reads measurements, fits a machine, compares both, and writes the machine file.
///
/// # Errors
/// Returns an error if a file cannot be read or written, its content is wrong, or the measurements
/// do not determine a machine.
pub(crate) fn calibrate(asked: &Calibrate) -> Result<u8, Error> {
    let path = asked.output.clone().unwrap_or_else(|| format!("{}.json", asked.name));
    let unsaid = Unsaid {
        ranks: asked.ranks.map(|count| count.get()),
        pairs: asked.pairs.map(|count| count.get()),
        unit: asked.time_unit,
    };
    let (mut series, mut skipped) = (Vec::new(), Vec::new());
    for file in &asked.files {
        let contents = reading::read(&machine::text_of(file)?, file, unsaid)?;
        series.extend(contents.series);
        skipped.extend(contents.skipped);
    }
    let destination = Destination::claim_of_kind(&path, &MACHINES)?;
    let report = Destination::claim_if_asked(asked.report.as_deref(), &PAGES)?;
    let setting = Setting {
        name: asked.name.clone(),
        topology: asked.topology.clone(),
        network: asked.network.clone(),
        ranks_per_node: asked.ranks_per_node.map(|count| count.get()),
        eager_limit: asked.eager_limit,
    };
    let found = Calibration::of(&series, &setting)?;
    let mut text = serde_json::to_string_pretty(&found.machine).expect("a machine is plain data");
    text.push('\n');
    destination.write(text.as_bytes())?;
    if let Some(report) = report {
        report.write(calibration(&page(&found, &skipped)).as_bytes())?;
    }
    for warning in &found.warnings {
        eprintln!("warning: {warning}");
    }
    if asked.json {
        json::print(&Calibrated::new(&found, &path, &skipped));
    } else {
        print(&found, &skipped);
        println!("\nwrote {path}: windtunnel run PROGRAM --machine {path}");
    }
    Ok(0)
}

fn print(found: &Calibration, skipped: &[String]) {
    println!("machine      {}", found.machine.name);
    println!("residuals    {}", residuals(found));
    for note in &found.notes {
        println!("             {note}");
    }
    for name in skipped {
        println!("not used     {name}");
    }
    println!("\n  fitted value                             95 % interval");
    for estimate in &found.estimates {
        let (value, interval) = (estimate.value_text(), estimate.interval_text());
        println!("  {:<25} {value:>18}   {interval}", estimate.name);
    }
    for table in &found.compared {
        println!("\n{}", title(table));
        println!("      bytes      measured     simulated      error");
        for line in &table.lines {
            println!("{}", row(line));
        }
    }
}

fn residuals(found: &Calibration) -> String {
    let residuals = found.residuals;
    format!(
        "{} fitted measurements, root mean square {:.2} %, largest {:.2} %",
        residuals.points,
        100.0 * residuals.rms,
        100.0 * residuals.largest
    )
}

fn title(table: &Compared) -> String {
    let used = match table.used {
        Use::Fitted => "fitted",
        Use::Checked => "not fitted, compared only",
    };
    format!("{} ({}), {used}", table.benchmark.name(), table.source)
}

fn row(line: &Comparison) -> String {
    let microseconds = |ns: f64| format!("{:.3} us", ns / 1e3);
    let measured = microseconds(line.measured_ns);
    match line.simulated_ns.zip(line.error()) {
        Some((simulated, error)) => format!(
            "{:>11} {measured:>13} {:>13} {:>10}",
            line.bytes,
            microseconds(simulated),
            change(error)
        ),
        None => format!("{:>11} {measured:>13}   too large to be simulated", line.bytes),
    }
}

fn page(found: &Calibration, skipped: &[String]) -> CalibrationPage {
    let table = |table: &Compared| CurveTable {
        title: title(table),
        points: table
            .lines
            .iter()
            .map(|line| CurvePoint {
                bytes: line.bytes,
                measured_us: line.measured_ns / 1e3,
                simulated_us: line.simulated_ns.map(|time| time / 1e3),
            })
            .collect(),
    };
    let mut notes = found.notes.clone();
    let told = |estimate: &Estimate| {
        let (value, interval) = (estimate.value_text(), estimate.interval_text());
        format!("Fitted {}: {value}; 95 % interval: {interval}.", estimate.name)
    };
    notes.extend(found.estimates.iter().map(told));
    notes.extend(found.warnings.iter().map(|warning| format!("Warning: {warning}.")));
    notes.extend(skipped.iter().map(|name| format!("Not used: {name}.")));
    CalibrationPage {
        machine: machine_notes(&found.machine),
        residuals: residuals(found),
        notes,
        tables: found.compared.iter().map(table).collect(),
        command: command(),
    }
}
