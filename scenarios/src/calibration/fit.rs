//! [`Fit`]: the unknowns of a machine, fitted in turn to what each kind of benchmark determines.

use network_models::{Catalog, NodeId};
use sim_core::statistics;

use super::{
    Compared, Comparison, Setting, Use, coverage,
    least_squares::{Equation, deviations, dot, solve, squares},
    measurement::{Benchmark, Point, Series},
    numbers::{self, Found, Nonblocking, Splits},
    ping_pong::MessageTime,
    simulated::{is_simulated, times},
    uncertainty::Uncertainty,
};
use crate::{error::Error, machine::Machine, networks::topology};

/// Steps of a bisection: more than the digits of a measurement.
const STEPS: u32 = 20;
/// Rounds in which the unknowns of streams are fitted in turn.
const ROUNDS: u32 = 2;
/// Difference of two errors of streams that decides between fits.
const CLEAR: f64 = 0.005;
/// Difference of two times per byte that counts as none, relative.
const NOISE: f64 = 1e-3;

/// Error of pairs below which the latency inside of a node is left alone.
const MET: f64 = 1e-3;
/// Factors between latencies inside of a node that are tried, and numbers of steps: from the latency between
/// nodes down to a thirtieth of it, and then around the best of these.
const COARSE: f64 = std::f64::consts::SQRT_2;
const STEPS_DOWN: i32 = 10;
const FINE: f64 = 1.06;
const STEPS_ASIDE: i32 = 3;
/// Most bytes in the windows of all pairs whose turns at the port are looked at: the longer the messages, the
/// less they matter.
const TURNS_BYTES: u64 = 16 << 20;

/// Returns all ping-pongs between two ranks as one curve: the median where a size occurs in several
/// files.
pub(super) fn ping_pongs(series: &[Series]) -> Vec<Point> {
    let single = series.iter().filter(|table| table.benchmark == Benchmark::PingPong { pairs: 1 });
    let mut all: Vec<Point> = single.flat_map(|table| table.points.iter().copied()).collect();
    all.sort_by_key(|point| point.bytes);
    let same = all.chunk_by(|a, b| a.bytes == b.bytes);
    let median = |group: &[Point], of: fn(&Point) -> f64| {
        let mut values: Vec<f64> = group.iter().map(of).collect();
        values.sort_unstable_by(f64::total_cmp);
        statistics::median(&values).expect("a size has a measurement")
    };
    let together = |group: &[Point]| Point {
        bytes: group[0].bytes,
        time_ns: median(group, |point| point.time_ns),
        rounding_ns: median(group, |point| point.rounding_ns),
    };
    same.map(together).collect()
}

/// Returns whether all messages of the ping-pong are longer than the given eager limit.
fn all_rendezvous(series: &[Series], limit: Option<u64>) -> bool {
    let shortest = ping_pongs(series).first().map(|point| point.bytes);
    limit.zip(shortest).is_some_and(|(limit, shortest)| shortest > limit)
}

/// Returns the time per byte of the long messages of a stream: the slope over the sizes from a quarter
/// of the largest on.
fn slope(points: &[Point]) -> f64 {
    solve(&long_messages(points)).first().copied().unwrap_or(0.0)
}

/// Returns half of the interval of [`slope`], relative to it. Since few points determine it, they are taken to be as
/// noisy as the ping-pong at least.
fn slope_uncertainty(points: &[Point], uncertainty: &Uncertainty) -> Option<f64> {
    let equations = long_messages(points);
    let solution = solve(&equations);
    let slope = solution.first().copied().filter(|slope| *slope > 0.0)?;
    let rows = deviations(&equations, &[0, 1]).or_else(|| deviations(&equations, &[0]))?;
    let noise = uncertainty.noise?;
    let own = squares(&equations, &solution) / (equations.len().saturating_sub(2).max(1)) as f64;
    let square = own.max(noise * noise);
    Some(uncertainty.factor * (square * dot(&rows[0], &rows[0])).sqrt() / slope)
}

/// Returns the equations of slope and intercept of the sizes from a quarter of the largest on.
fn long_messages(points: &[Point]) -> Vec<Equation> {
    let largest = points.last().map_or(0, |point| point.bytes);
    let long = points.iter().filter(|point| point.bytes > 0 && point.bytes >= largest / 4);
    let equation = |point: &Point| Equation {
        factors: vec![point.bytes as f64, 1.0],
        value: point.time_ns,
        weight: 1.0 / point.time_ns,
    };
    long.map(equation).collect()
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
pub(super) struct Fit<'a> {
    series: &'a [Series],
    setting: &'a Setting,
    pub(super) found: Found,
}

impl<'a> Fit<'a> {
    /// Returns the best fit: of several that describe a single message equally well, the one on which the
    /// stream between two ranks is nearest to the measured one.
    ///
    /// What a byte takes beyond the port is processor time, or time in which nobody is busy, which a
    /// stream does not show.
    pub(super) fn best(
        series: &'a [Series],
        setting: &'a Setting,
        curve: &[Point],
    ) -> Result<Self, Error> {
        let mut best: Option<(f64, Self)> = None;
        for message in MessageTime::fits(curve, setting.eager_limit) {
            for delayed in [false, true] {
                let mut fit = Self::new(series, setting, message.clone())?;
                let rest = fit.found.beyond_port();
                let divided = fit.found.single_stream.is_some() && !Splits::is_unfilled(&fit.found);
                if delayed && !(divided && rest > NOISE * fit.found.message.per_byte) {
                    continue;
                }
                fit.found.delayed = delayed;
                fit.streams()?;
                let error = fit.stream_error()?;
                if best.as_ref().is_none_or(|(least, _)| error < least - CLEAR) {
                    best = Some((error, fit));
                }
            }
        }
        let (_, mut fit) = best.expect("there is a fit without breaks");
        fit.links()?;
        fit.inside_of_nodes()?;
        Ok(fit)
    }

    /// Returns the root of the mean square of the errors of the streams between two ranks; 0 without.
    fn stream_error(&self) -> Result<f64, Error> {
        self.error_of(|benchmark, _| matches!(benchmark, Benchmark::Stream { pairs: 1, .. }))
    }

    /// Returns the root of the mean square of the errors of the points that are `wanted`; 0 without.
    fn error_of(&self, wanted: impl Fn(Benchmark, u64) -> bool) -> Result<f64, Error> {
        let machine = self.machine();
        let mut errors = Vec::new();
        for table in self.series {
            let sizes = table.points.iter().map(|point| point.bytes);
            let sizes: Vec<u64> = sizes.filter(|bytes| wanted(table.benchmark, *bytes)).collect();
            if sizes.is_empty() {
                continue;
            }
            let platform = self.setting.platform(table.benchmark);
            let found = times(&machine, &platform, table.benchmark, &sizes)?;
            let points = table.points.iter().filter(|point| wanted(table.benchmark, point.bytes));
            let pairs = points.zip(found);
            errors.extend(pairs.filter_map(|(point, time)| Some(time? / point.time_ns - 1.0)));
        }
        let squares: f64 = errors.iter().map(|error| error * error).sum();
        Ok((squares / errors.len().max(1) as f64).sqrt())
    }

    pub(super) fn new(
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
                Benchmark::Stream { pairs, window }
                    if (pairs > 1) == several
                        && coverage::has_long(&table.points, pairs, function) =>
                {
                    Some(port_time(slope(&table.points), (pairs, window), function))
                }
                _ => None,
            })
        };
        let is_stream = |table: &&Series| matches!(table.benchmark, Benchmark::Stream { .. });
        let halves = series.iter().filter(is_stream);
        let port_half = halves
            .map(|table| slope_uncertainty(&table.points, &function.uncertainty))
            .reduce(|one, other| one.zip(other).map(|(one, other)| one.max(other)))
            .flatten();
        let single = streams(false).reduce(f64::min);
        // Pairs that share a node share its port.
        let node = streams(true).filter(|_| setting.ranks_per_node.is_none()).reduce(f64::min);
        let found = Found {
            hops: route.len() as u32,
            single_stream: single.filter(|slope| *slope > 0.0),
            node_stream: node.filter(|slope| *slope > 0.0),
            port_half,
            nonblocking: None,
            message_rate: None,
            in_node: None,
            link: None,
            eager_limit: setting.eager_limit,
            all_rendezvous: all_rendezvous(series, setting.eager_limit),
            delayed: false,
            message,
        };
        Ok(Self { series, setting, found })
    }

    pub(super) fn machine(&self) -> Machine {
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
                let short = coverage::shortest(&table.points, pairs, &self.found.message)?;
                Some(short.time_ns / f64::from(pairs))
            }
            _ => None,
        };
        self.series.iter().filter_map(rate).reduce(f64::min)
    }

    /// Fits the overheads of nonblocking calls to a stream between two ranks by simulating it: so
    /// that short messages take as long as measured, and longer ones behind whose time on the port
    /// the sender's overhead is hidden. Each changes the other a little, so that this is done twice.
    pub(super) fn streams(&mut self) -> Result<(), Error> {
        self.found.message_rate = self.message_rate();
        let single =
            |table: &&Series| matches!(table.benchmark, Benchmark::Stream { pairs: 1, .. });
        let has_short =
            |table: &&Series| coverage::shortest(&table.points, 1, &self.found.message).is_some();
        let Some(table) = self.series.iter().find(single).filter(has_short) else {
            return Ok(());
        };
        let sized = || table.points.iter().filter(|point| point.bytes > 0);
        let Some(short) = sized().rfind(|point| point.bytes <= 64).or(sized().next()) else {
            return Ok(());
        };
        // Where the port takes longer than the processors, the overhead of the sender is hidden.
        let port = self.found.single_stream.unwrap_or(0.0);
        let eager = self.found.eager_limit().unwrap_or(u64::MAX);
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
    pub(super) fn links(&mut self) -> Result<(), Error> {
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

    /// Fits the latency inside of a node to pairs that share their nodes, if that halves their errors.
    ///
    /// The pairs begin after a barrier. When each of them leaves it depends on messages inside of the
    /// node, and in which order they have begun decides how they take turns at the port. This error has many
    /// minima, so that it is evaluated at fixed fractions of the latency between nodes.
    fn inside_of_nodes(&mut self) -> Result<(), Error> {
        if self.setting.ranks_per_node.is_some() {
            return Ok(());
        }
        let together = |benchmark, bytes: u64| {
            let Benchmark::Stream { pairs: pairs @ 2.., window } = benchmark else { return false };
            bytes.saturating_mul(u64::from(pairs) * u64::from(window)) <= TURNS_BYTES
        };
        let between = Splits::of(&self.found).latency;
        let as_between = self.error_of(together)?;
        let mut best = (as_between, None);
        if as_between < MET {
            return Ok(());
        }
        let coarse = (1..=STEPS_DOWN).map(|step| between * COARSE.powi(-step));
        self.nearest_inside(coarse, together, &mut best)?;
        if let Some(near) = best.1 {
            let fine = (1..=STEPS_ASIDE).flat_map(|step| [-step, step]);
            self.nearest_inside(fine.map(|step| near * FINE.powi(step)), together, &mut best)?;
        }
        self.found.in_node = best.1.filter(|_| best.0 < as_between / 2.0);
        Ok(())
    }

    /// Tries latencies inside of a node, and replaces the best error and its latency.
    fn nearest_inside(
        &mut self,
        latencies: impl Iterator<Item = f64>,
        wanted: impl Fn(Benchmark, u64) -> bool + Copy,
        best: &mut (f64, Option<f64>),
    ) -> Result<(), Error> {
        for latency in latencies {
            self.found.in_node = Some(latency);
            let error = self.error_of(wanted)?;
            if error < best.0 {
                *best = (error, Some(latency));
            }
        }
        Ok(())
    }

    /// Simulates tables of measurements, those that the machine was fitted to and others.
    pub(super) fn compare(&self, series: &[Series]) -> Result<Vec<Compared>, Error> {
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
        series.iter().map(compare).collect()
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
