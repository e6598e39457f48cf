//! The object of `windtunnel calibrate --json`.

use scenarios::calibration::{Calibration, Compared, Estimate, Use};
#[cfg(test)]
use schemars::JsonSchema;
use serde::Serialize;

/// A machine fitted to measurements.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(crate) struct Calibrated {
    /// `windtunnel.calibrate/1`.
    schema: &'static str,
    /// Name of the machine.
    name: String,
    /// The machine file that was written.
    file: String,
    /// What the measurements determine, and how the rest was split.
    notes: Vec<String>,
    /// What the measurements do not determine.
    warnings: Vec<String>,
    /// The fitted values with their intervals.
    estimates: Vec<Fitted>,
    /// Tables of files that were not used, by name.
    skipped: Vec<String>,
    /// Residuals of the measurements that were fitted to.
    residuals: Residuals,
    /// The tables of measurements beside the simulator's.
    tables: Vec<Table>,
}

/// A fitted value.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct Fitted {
    /// What it is.
    name: String,
    /// The value.
    value: f64,
    /// The interval in which it is with a probability of 95 %, if measurements scatter around the fit by chance; null if
    /// they are too few to say.
    interval: Option<(f64, f64)>,
    /// Unit of all of them.
    unit: &'static str,
    /// Whether the interval is at most half of the value to each side.
    determined: bool,
}

impl Fitted {
    fn new(estimate: &Estimate) -> Self {
        Self {
            name: estimate.name.clone(),
            value: estimate.value,
            interval: estimate.interval,
            unit: estimate.unit.name(),
            determined: estimate.is_determined(),
        }
    }
}

/// Residuals relative to the measured times.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct Residuals {
    /// Number of measurements.
    points: usize,
    /// Root of the mean square, percent.
    rms_percent: f64,
    /// The largest, percent, without its sign.
    largest_percent: f64,
}

/// One table.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct Table {
    /// The benchmark with its numbers, as in `stream, 4 pairs, window 64`.
    benchmark: String,
    /// The file that it is from.
    source: String,
    /// Whether the machine was fitted to it, or it was only compared.
    used_in_fitting: bool,
    /// A line for each size.
    lines: Vec<Line>,
}

/// One size.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct Line {
    /// Size of a message.
    bytes: u64,
    /// Measured time.
    measured_ns: f64,
    /// Time on the fitted machine; null if it is too large to be simulated.
    simulated_ns: Option<f64>,
    /// Error of the simulated time, percent.
    error_percent: Option<f64>,
}

impl Calibrated {
    pub(crate) fn new(calibration: &Calibration, file: &str, skipped: &[String]) -> Self {
        let residuals = calibration.residuals;
        Self {
            schema: "windtunnel.calibrate/1",
            name: calibration.machine.name.clone(),
            file: file.into(),
            notes: calibration.notes.clone(),
            warnings: calibration.warnings.clone(),
            estimates: calibration.estimates.iter().map(Fitted::new).collect(),
            skipped: skipped.to_vec(),
            residuals: Residuals {
                points: residuals.points,
                rms_percent: 100.0 * residuals.rms,
                largest_percent: 100.0 * residuals.largest,
            },
            tables: calibration.compared.iter().map(Table::new).collect(),
        }
    }
}

impl Table {
    fn new(table: &Compared) -> Self {
        let line = |line: &scenarios::calibration::Comparison| Line {
            bytes: line.bytes,
            measured_ns: line.measured_ns,
            simulated_ns: line.simulated_ns,
            error_percent: line.error().map(|error| 100.0 * error),
        };
        Self {
            benchmark: table.benchmark.name(),
            source: table.source.clone(),
            used_in_fitting: match table.used {
                Use::Fitted => true,
                Use::Checked => false,
            },
            lines: table.lines.iter().map(line).collect(),
        }
    }
}
