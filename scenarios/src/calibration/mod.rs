//! Machines from measurements: the output of benchmarks becomes a machine file.
//!
//! Reading order: [`measurement`] (what was measured), [`reading`] (formats), `least_squares`,
//! `criterion` (which fit is better), [`ping_pong`] (the time of one message), `pieces` (its further protocols), `fit`, [`simulated`] (the benchmarks as simulated programs),
//! `numbers` (the machine of the fitted values), and [`Calibration`], which puts them together.
//!
//! What measurements determine are sums: half a round trip gives `o_send + L + o_receive`, and only
//! the jump at the eager limit tells the latency from the overheads. The remaining splits are
//! conventions; each number of the machine says in its source whether it is fitted or split.

mod coverage;
mod criterion;
mod fit;
mod least_squares;
pub mod measurement;
mod numbers;
mod outliers;
mod pieces;
pub mod ping_pong;
pub mod reading;
pub mod simulated;
mod uncertainty;

use sim_core::words::counted;

pub use self::uncertainty::{Estimate, Uncertainty, Unit};
use self::{
    fit::{Fit, ping_pongs},
    measurement::{Benchmark, Point, Series},
    numbers::Found,
    outliers::without_outliers,
    ping_pong::MessageTime,
    simulated::Platform,
};
use crate::{error::Error, machine::Machine};

/// Most measured points in all files together.
const POINTS_MAX: usize = 10_000;

/// What the machine is called and how its benchmarks were run.
#[derive(Clone, Debug)]
pub struct Setting {
    /// Name of the machine.
    pub name: String,
    /// Topology between the nodes, such as `fat-tree:16`.
    pub topology: String,
    /// Network model.
    pub network: String,
    /// Number of ranks on a node in benchmarks of several pairs; `None` if each half of the ranks
    /// was on one node.
    pub ranks_per_node: Option<u32>,
    /// Eager limit in bytes, if the MPI library's is known; `None` to find it as the break of the
    /// ping-pong.
    pub eager_limit: Option<u64>,
}

/// How a measurement was used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Use {
    /// The machine's numbers were fitted to it.
    Fitted,
    /// It was only compared.
    Checked,
}

/// A measured time beside the simulated one.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// Size of a message, bytes.
    pub bytes: u64,
    /// Measured time, nanoseconds.
    pub measured_ns: f64,
    /// Time on the fitted machine, nanoseconds; `None` if it is too large to be simulated.
    pub simulated_ns: Option<f64>,
}

impl Comparison {
    /// Returns the error of the simulated time relative to the measured one.
    pub fn error(&self) -> Option<f64> {
        self.simulated_ns.map(|simulated| simulated / self.measured_ns - 1.0)
    }
}

/// A table of measurements beside the simulator's.
#[derive(Clone, Debug)]
pub struct Compared {
    /// The benchmark.
    pub benchmark: Benchmark,
    /// Path of the file.
    pub source: String,
    /// How the table was used.
    pub used: Use,
    /// The lines.
    pub lines: Vec<Comparison>,
}

/// The residuals of a fit, relative to the measured times.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Residuals {
    /// Number of measurements.
    pub points: usize,
    /// Root of the mean square.
    pub rms: f64,
    /// The largest, without its sign.
    pub largest: f64,
}

/// A machine fitted to measurements.
#[derive(Clone, Debug)]
pub struct Calibration {
    /// The machine.
    pub machine: Machine,
    /// The fitted time of one message.
    pub message_time: MessageTime,
    /// What the measurements determine, and how the rest was split; a sentence each.
    pub notes: Vec<String>,
    /// All measurements beside the simulated times.
    pub compared: Vec<Compared>,
    /// Residuals of the measurements that were fitted to.
    pub residuals: Residuals,
    /// The fitted values with their intervals.
    pub estimates: Vec<Estimate>,
    /// What the measurements do not determine, a sentence each.
    pub warnings: Vec<String>,
}

impl Calibration {
    /// Fits a machine to measurements and simulates all of them on it.
    ///
    /// Determinism: depends on the arguments only.
    ///
    /// # Errors
    /// Returns an error if there is no ping-pong of at least two sizes among the measurements, if they are so noisy
    /// that they say nothing, or if the setting is wrong.
    pub fn of(series: &[Series], setting: &Setting) -> Result<Self, Error> {
        setting.check()?;
        let points: usize = series.iter().map(|table| table.points.len()).sum();
        if points > POINTS_MAX {
            return Err(bad("the measurements", format!("{points} points"), "10000 points"));
        }
        let curve = ping_pongs(series);
        if curve.len() < 2 {
            return Err(bad(
                "the measurements",
                format!("{} of a ping-pong", counted(curve.len() as u64, "size")),
                "files with a ping-pong between two ranks (osu_latency, IMB PingPong, NetPIPE or \
                 size,time) of at least two sizes, and others beside them",
            ));
        }
        let (curve, far) = without_outliers(&curve);
        let (kept, outliers) = without_outliers_of(series, &far);
        let fit = Fit::best(&kept, setting, &curve)?;
        says_something(&fit.found, &curve)?;
        let compared = fit.compare(series)?;
        let residuals = residuals(&fit.compare(&kept)?);
        let mut machine = fit.machine();
        machine.calibration = Some(summary(series, residuals));
        let mut notes = numbers::notes(&fit.found);
        notes.extend(outliers);
        let estimates = numbers::estimates(&fit.found);
        let mut warnings = warnings(&fit.found, &estimates, &curve);
        warnings.extend(coverage::of_streams(&kept, &fit.found.message));
        let message_time = fit.found.message.clone();
        Ok(Self { machine, message_time, notes, compared, residuals, estimates, warnings })
    }
}

/// Returns tables without the outliers of the ping-pong and of each stream, and a sentence for each table that has some.
fn without_outliers_of(series: &[Series], far: &[Point]) -> (Vec<Series>, Vec<String>) {
    let (mut kept, mut told) = (series.to_vec(), Vec::new());
    for table in &mut kept {
        let outliers: Vec<Point> = match table.benchmark {
            Benchmark::PingPong { pairs: 1 } => {
                let is_far = |point: &&Point| far.iter().any(|far| far.bytes == point.bytes);
                table.points.iter().filter(is_far).copied().collect()
            }
            Benchmark::Stream { .. } => without_outliers(&table.points).1,
            Benchmark::PingPong { .. }
            | Benchmark::BothWays { .. }
            | Benchmark::Chain { .. }
            | Benchmark::Neighbours { .. }
            | Benchmark::Collective { .. } => Vec::new(),
        };
        if outliers.is_empty() {
            continue;
        }
        table.points.retain(|point| !outliers.contains(point));
        let sizes: Vec<String> = outliers
            .iter()
            .map(|point| format!("{} bytes ({:.3} us)", point.bytes, point.time_ns / 1e3))
            .collect();
        told.push(format!(
            "Left out of the fit, far from the sizes around them: {} of {} ({}).",
            sizes.join(", "),
            table.benchmark.name(),
            table.source
        ));
    }
    (kept, told)
}

/// Checks that the measurements determine the time of an empty message and that of a byte to within their own size.
fn says_something(found: &Found, curve: &[Point]) -> Result<(), Error> {
    let uncertainty = &found.message.uncertainty;
    let empty = found.message.overheads + found.message.latency.unwrap_or(0.0);
    let streams = found.single_stream.or(found.node_stream).is_some();
    let (per_byte, half) = uncertainty.longest;
    let says_nothing =
        |value: f64, half: Option<f64>| half.map_or(value <= 0.0, |half| half >= value);
    let what = match () {
        () if says_nothing(empty, uncertainty.empty) => "the time of a short message",
        () if !streams && says_nothing(per_byte, half) => "the time per byte",
        () => return Ok(()),
    };
    let lacking = coverage::lacking(curve);
    // Noise that is shown as 0 % is no reason: the value itself is 0.
    if uncertainty.noise.is_none_or(|noise| noise < 0.005) {
        let what = format!("{what} by the measurements");
        let allowed =
            format!("above 0: the sizes are {}; measure {lacking}", coverage::sizes(curve));
        return Err(bad(&what, "0".into(), &allowed));
    }
    if curve.len() < coverage::MANY {
        let allowed = format!("sizes that determine {what}: measure {lacking}");
        return Err(bad("the ping-pong", coverage::sizes(curve), &allowed));
    }
    let noise = uncertainty.noise.unwrap_or_default();
    let allowed = format!(
        "so little that they determine {what}: take medians of many repetitions, more sizes, or longer messages"
    );
    Err(bad("the noise of the measurements", format!("{:.0} %", 100.0 * noise), &allowed))
}

/// Returns what the measurements do not determine.
fn warnings(found: &Found, estimates: &[Estimate], curve: &[Point]) -> Vec<String> {
    if found.message.uncertainty.noise.is_none() {
        return vec![format!(
            "the ping-pong ({}) has too few sizes to say how far it determines the machine; measure {}",
            coverage::sizes(curve),
            coverage::lacking(curve)
        )];
    }
    let unsure = estimates.iter().filter(|estimate| !estimate.is_determined());
    unsure.map(Estimate::warning).collect()
}

fn bad(what: &str, value: String, allowed: &str) -> Error {
    Error::BadValue { what: what.into(), value, allowed: allowed.into() }
}

impl Setting {
    fn check(&self) -> Result<(), Error> {
        let printable = self.name.chars().all(|c| !c.is_control());
        if self.name.trim().is_empty() || !printable || self.name.len() > 100 {
            let allowed = "1 to 100 characters without control characters";
            return Err(bad("the name of the machine", self.name.clone(), allowed));
        }
        match self.ranks_per_node {
            Some(0) => Err(bad("the number of ranks on a node", "0".into(), "1 or more")),
            _ => Ok(()),
        }
    }

    /// Returns the platform of a benchmark.
    fn platform(&self, benchmark: Benchmark) -> Platform {
        let together = match benchmark {
            Benchmark::PingPong { pairs } | Benchmark::Stream { pairs, .. } => pairs,
            Benchmark::BothWays { .. }
            | Benchmark::Chain { .. }
            | Benchmark::Neighbours { .. }
            | Benchmark::Collective { .. } => 1,
        };
        // Two ranks are always on two nodes.
        let asked = if benchmark.ranks() <= 2 { Some(1) } else { self.ranks_per_node };
        Platform {
            topology: Some(self.topology.clone()),
            network: Some(self.network.clone()),
            ranks_per_node: asked.unwrap_or(together),
        }
    }
}

fn residuals(compared: &[Compared]) -> Residuals {
    let fitted = compared.iter().filter(|table| table.used == Use::Fitted);
    let errors: Vec<f64> =
        fitted.flat_map(|table| table.lines.iter().filter_map(Comparison::error)).collect();
    let squares: f64 = errors.iter().map(|error| error * error).sum();
    Residuals {
        points: errors.len(),
        rms: (squares / errors.len().max(1) as f64).sqrt(),
        largest: errors.iter().fold(0.0, |most, error| error.abs().max(most)),
    }
}

fn summary(series: &[Series], residuals: Residuals) -> String {
    let mut sources: Vec<&str> = series.iter().map(|table| table.source.as_str()).collect();
    sources.dedup();
    format!(
        "Fitted to {}: {} measurements with a root mean square error of {:.2} % and a largest of \
         {:.2} %: a calibration, not a validation. Only sums are identified by the data.",
        sources.join(", "),
        residuals.points,
        100.0 * residuals.rms,
        100.0 * residuals.largest
    )
}

#[cfg(test)]
mod tests;
