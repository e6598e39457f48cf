//! The page of a calibration: measured and fitted curves.

use maud::html;
use sim_core::words::change;

use super::{command_line, figure, page, provenance};
use crate::{
    comparison::MachineNotes,
    format::count,
    render::svg::{CurvePoint, curves},
};

/// A table of measurements beside the simulator's.
#[derive(Clone, Debug)]
pub struct CurveTable {
    /// The benchmark, the file, and how it was used.
    pub title: String,
    /// A point for each size.
    pub points: Vec<CurvePoint>,
}

/// The contents of the page of a calibration.
#[derive(Clone, Debug)]
pub struct CalibrationPage {
    /// The fitted machine.
    pub machine: MachineNotes,
    /// Residuals in one sentence.
    pub residuals: String,
    /// What the measurements determine, and how the rest was split.
    pub notes: Vec<String>,
    /// The tables.
    pub tables: Vec<CurveTable>,
    /// Command line that makes this page again.
    pub command: String,
}

/// Returns the page as HTML text in UTF-8.
pub fn calibration(data: &CalibrationPage) -> String {
    let title = format!("Calibration of {}", data.machine.name);
    page(
        &title,
        html! {
            p.soft { "A machine fitted to measurements by Windtunnel: a calibration, not a \
                      validation." }
            p.advice { (data.residuals) "." }
            ul { @for note in &data.notes { li { (note) } } }
            @for table in &data.tables {
                h2 { (table.title) }
                (figure(
                    &curves(&table.title, &table.points),
                    "Both axes are logarithmic: markers are measured, the line is simulated on the \
                     fitted machine.",
                ))
                div.scroll { table {
                    thead { tr {
                        th { "bytes" } th { "measured" } th { "simulated" } th { "error" }
                    } }
                    tbody { @for point in &table.points { tr {
                        td { (count(point.bytes)) }
                        td { (format!("{:.3} us", point.measured_us)) }
                        @if let Some(simulated) = point.simulated_us {
                            td { (format!("{simulated:.3} us")) }
                            td { (change(simulated / point.measured_us - 1.0)) }
                        } @else { td { "–" } td { "–" } }
                    } } }
                } }
            }
            p { "The same page again: " (command_line(&data.command)) }
            (provenance(std::slice::from_ref(&data.machine)))
        },
    )
}
