//! Machines from measurements: the output of benchmarks becomes a machine file.
//!
//! Reading order: [`measurement`] (what was measured), [`reading`] (formats), `least_squares`,
//! [`ping_pong`] (the time of one message), [`simulated`] (the benchmarks as simulated programs),
//! `numbers` (the machine of the fitted values), and [`Calibration`], which puts them together.
//!
//! What measurements determine are sums: half a round trip gives `o_send + L + o_receive`, and only
//! the jump at the eager limit tells the latency from the overheads. The remaining splits are
//! conventions; each number of the machine says in its source whether it is fitted or split.

mod least_squares;
pub mod measurement;
mod numbers;
pub mod ping_pong;
pub mod reading;
pub mod simulated;

use network_models::{Catalog, NodeId};

use self::{
    least_squares::{Equation, solve},
    measurement::{Benchmark, Point, Series},
    numbers::{Found, Nonblocking, Splits},
    ping_pong::MessageTime,
    simulated::{Platform, is_simulated, times},
};
use crate::{error::Error, machine::Machine, networks::topology};

/// Most measured points in all files together.
const POINTS_MAX: usize = 10_000;
/// Steps of a bisection: more than the digits of a measurement.
const STEPS: u32 = 20;
/// Rounds in which the unknowns of streams are fitted in turn.
const ROUNDS: u32 = 2;

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
}

impl Calibration {
    /// Fits a machine to measurements and simulates all of them on it.
    ///
    /// Determinism: depends on the arguments only.
    ///
    /// # Errors
    /// Returns an error if there is no ping-pong of at least two sizes among the measurements, or
    /// the setting is wrong.
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
                format!("{} sizes of a ping-pong", curve.len()),
                "files with a ping-pong between two ranks (osu_latency, IMB PingPong, NetPIPE or \
                 size,time) of at least two sizes, and others beside them",
            ));
        }
        let mut fit = Fit::new(series, setting, MessageTime::fit(&curve))?;
        fit.streams()?;
        fit.links()?;
        let compared = fit.compare()?;
        let residuals = residuals(&compared);
        let mut machine = fit.machine();
        machine.calibration = Some(summary(series, residuals));
        let notes = numbers::notes(&fit.found);
        Ok(Self { machine, message_time: fit.found.message.clone(), notes, compared, residuals })
    }
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

/// Returns all ping-pongs between two ranks as one curve: the mean where a size occurs in several
/// files.
fn ping_pongs(series: &[Series]) -> Vec<Point> {
    let single = series.iter().filter(|table| table.benchmark == Benchmark::PingPong { pairs: 1 });
    let mut all: Vec<Point> = single.flat_map(|table| table.points.iter().copied()).collect();
    all.sort_by_key(|point| point.bytes);
    let same = all.chunk_by(|a, b| a.bytes == b.bytes);
    let mean = |group: &[Point]| {
        let count = group.len() as f64;
        let sum = |of: fn(&Point) -> f64| group.iter().map(of).sum::<f64>() / count;
        Point {
            bytes: group[0].bytes,
            time_ns: sum(|point| point.time_ns),
            rounding_ns: sum(|point| point.rounding_ns),
        }
    };
    same.map(mean).collect()
}

/// Returns the time per byte of the long messages of a stream: the slope over the sizes from a quarter
/// of the largest on.
fn slope(points: &[Point]) -> f64 {
    let largest = points.last().map_or(0, |point| point.bytes);
    let long = points.iter().filter(|point| point.bytes > 0 && point.bytes >= largest / 4);
    let equation = |point: &Point| Equation {
        factors: vec![point.bytes as f64, 1.0],
        value: point.time_ns,
        weight: 1.0 / point.time_ns,
    };
    let equations: Vec<Equation> = long.map(equation).collect();
    solve(&equations).first().copied().unwrap_or(0.0)
}

/// Returns the time per byte of a port from the slope of a stream through it. In each window the
/// processors' time for one message of each pair is not hidden behind the port.
fn port_time(slope: f64, (pairs, window): (u32, u32), message: &MessageTime) -> f64 {
    let hidden = 1.0 / f64::from(window);
    let port = (slope - (message.per_byte + message.big) * hidden) / (f64::from(pairs) - hidden);
    // Not less than half of what the slope says: a window of one message hides nothing.
    if window > 1 { port.max(slope / f64::from(pairs) / 2.0) } else { slope / f64::from(pairs) }
}

/// A fit under way.
struct Fit<'a> {
    series: &'a [Series],
    setting: &'a Setting,
    found: Found,
}

impl<'a> Fit<'a> {
    fn new(
        series: &'a [Series],
        setting: &'a Setting,
        message: MessageTime,
    ) -> Result<Self, Error> {
        let catalog = Catalog::standard();
        let built = topology(&setting.topology, &catalog)?.build(2)?;
        let mut route = Vec::new();
        built.route(NodeId(0), NodeId(1), &mut route);
        let function = &message;
        let streams = |several: bool| {
            series.iter().filter_map(move |table| match table.benchmark {
                Benchmark::Stream { pairs, window } if (pairs > 1) == several => {
                    Some(port_time(slope(&table.points), (pairs, window), function))
                }
                _ => None,
            })
        };
        let single = streams(false).reduce(f64::min);
        // Pairs that share a node share its port.
        let node = streams(true).filter(|_| setting.ranks_per_node.is_none()).reduce(f64::min);
        let found = Found {
            hops: route.len() as u32,
            single_stream: single.filter(|slope| *slope > 0.0),
            node_stream: node.filter(|slope| *slope > 0.0),
            nonblocking: None,
            message_rate: None,
            link: None,
            message,
        };
        Ok(Self { series, setting, found })
    }

    fn machine(&self) -> Machine {
        let Setting { name, topology, network, .. } = self.setting;
        numbers::machine(name, topology, network, &self.found)
    }

    /// Returns the simulated time of one size on the machine as it is fitted so far.
    fn simulated(&self, benchmark: Benchmark, bytes: u64) -> Result<f64, Error> {
        let platform = self.setting.platform(benchmark);
        let found = times(&self.machine(), &platform, benchmark, &[bytes])?;
        Ok(found[0].unwrap_or(f64::INFINITY))
    }

    /// Returns the least rate of short messages of a node, if its ranks were measured together.
    fn message_rate(&self) -> Option<f64> {
        let rate = |table: &Series| match table.benchmark {
            Benchmark::Stream { pairs, .. } if self.setting.ranks_per_node.is_none() => {
                table.points.first().map(|point| point.time_ns / f64::from(pairs))
            }
            _ => None,
        };
        self.series.iter().filter_map(rate).reduce(f64::min)
    }

    /// Fits the overheads of nonblocking calls to a stream between two ranks by simulating it: so
    /// that short messages take as long as measured, and longer ones behind whose time on the port
    /// the sender's overhead is hidden. Each changes the other a little, so that this is done twice.
    fn streams(&mut self) -> Result<(), Error> {
        self.found.message_rate = self.message_rate();
        let single =
            |table: &&Series| matches!(table.benchmark, Benchmark::Stream { pairs: 1, .. });
        let Some(table) = self.series.iter().find(single) else { return Ok(()) };
        let sized = || table.points.iter().filter(|point| point.bytes > 0);
        let Some(short) = sized().rfind(|point| point.bytes <= 64).or(sized().next()) else {
            return Ok(());
        };
        // Where the port takes longer than the processors, the overhead of the sender is hidden.
        let port = self.found.single_stream.unwrap_or(0.0);
        let eager = self.found.message.eager_break.map_or(u64::MAX, |(below, _)| below);
        let hidden = |times: f64| {
            move |point: &&Point| {
                point.bytes <= eager && point.bytes as f64 * port >= times * short.time_ns
            }
        };
        let middle = sized().find(hidden(3.0)).or(sized().rfind(hidden(1.0)));
        let most = 4.0 * short.time_ns;
        let benchmark = table.benchmark;
        self.found.nonblocking = Some(Nonblocking::of(short.time_ns / 2.0));
        for _ in 0..ROUNDS {
            let post = self.solve(benchmark, short, (0.0, most), |found, post| {
                let calls = found.nonblocking.unwrap_or_default();
                let split = if middle.is_some() { calls } else { Nonblocking::of(post) };
                found.nonblocking = Some(Nonblocking { post, ..split });
            })?;
            if let Some(middle) = middle {
                self.solve(benchmark, middle, (0.0, most), |found, wait| {
                    found.nonblocking = Some(Nonblocking { post, wait });
                })?;
            }
        }
        Ok(())
    }

    /// Sets one unknown so that a point takes as long as measured, or as near to that as its bounds
    /// allow; times grow with it.
    fn solve(
        &mut self,
        benchmark: Benchmark,
        point: &Point,
        bounds: (f64, f64),
        set: impl Fn(&mut Found, f64),
    ) -> Result<f64, Error> {
        let value = bisect(bounds, |value| {
            set(&mut self.found, value);
            Ok(self.simulated(benchmark, point.bytes)? < point.time_ns)
        })?;
        set(&mut self.found, value);
        Ok(value)
    }

    /// Fits the rate of links to pairs on nodes of their own: so that the longest messages take as
    /// long as measured, if they take longer than without contention.
    fn links(&mut self) -> Result<(), Error> {
        let apart = |table: &&Series| match table.benchmark {
            Benchmark::Stream { pairs, .. } => {
                pairs > 1 && self.setting.ranks_per_node.is_some_and(|ranks| ranks < pairs)
            }
            _ => false,
        };
        let Some(table) = self.series.iter().find(apart) else { return Ok(()) };
        let benchmark = table.benchmark;
        let simulated = |point: &&Point| is_simulated(benchmark, point.bytes);
        let Some(point) = table.points.iter().rfind(simulated) else { return Ok(()) };
        let port = 1e12 / Splits::of(&self.found).byte_time_ps.max(1e-3);
        let pairs = f64::from(benchmark.ranks() / 2);
        let (low, high) = ((port / pairs / 16.0).max(1.0), port * pairs);
        self.found.link = Some((high, false));
        if self.simulated(benchmark, point.bytes)? >= 0.98 * point.time_ns {
            return Ok(());
        }
        let rate = bisect((low.ln(), high.ln()), |rate| {
            self.found.link = Some((rate.exp(), true));
            Ok(self.simulated(benchmark, point.bytes)? > point.time_ns)
        })?;
        self.found.link = Some((rate.exp(), true));
        Ok(())
    }

    fn compare(&self) -> Result<Vec<Compared>, Error> {
        let machine = self.machine();
        let compare = |table: &Series| {
            let sizes: Vec<u64> = table.points.iter().map(|point| point.bytes).collect();
            let platform = self.setting.platform(table.benchmark);
            let found = times(&machine, &platform, table.benchmark, &sizes)?;
            let line = |(point, simulated_ns): (&Point, Option<f64>)| Comparison {
                bytes: point.bytes,
                measured_ns: point.time_ns,
                simulated_ns,
            };
            Ok(Compared {
                benchmark: table.benchmark,
                source: table.source.clone(),
                used: used(table.benchmark),
                lines: table.points.iter().zip(found).map(line).collect(),
            })
        };
        self.series.iter().map(compare).collect()
    }
}

fn used(benchmark: Benchmark) -> Use {
    match benchmark {
        Benchmark::PingPong { pairs: 1 } | Benchmark::Stream { .. } => Use::Fitted,
        Benchmark::PingPong { .. }
        | Benchmark::BothWays { .. }
        | Benchmark::Chain { .. }
        | Benchmark::Neighbours { .. }
        | Benchmark::Collective { .. } => Use::Checked,
    }
}

/// Returns the place at which `below` becomes false, if it is true below that place.
fn bisect(
    (mut low, mut high): (f64, f64),
    mut below: impl FnMut(f64) -> Result<bool, Error>,
) -> Result<f64, Error> {
    for _ in 0..STEPS {
        let middle = f64::midpoint(low, high);
        if below(middle)? { low = middle } else { high = middle }
    }
    Ok(f64::midpoint(low, high))
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
