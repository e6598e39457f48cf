//! Reads the output of benchmarks, recognised by its content: OSU micro-benchmarks, Intel MPI
//! Benchmarks, NetPIPE, and tables of size and time separated by commas.
//!
//! Every reader is a pure function from lines to tables. A line that a reader does not understand
//! is an error with its number.

mod imb;
mod netpipe;
mod osu;
mod table;

use super::measurement::{Benchmark, Point, Series};
use crate::error::Error;

/// The formats, for messages.
const FORMATS: &str = "the output of an OSU micro-benchmark (`# OSU MPI Latency Test`, then lines \
    `size value`), of the Intel MPI Benchmarks (`# Benchmarking PingPong`), of NetPIPE (`bytes \
    throughput time`), or a table `size,time` separated by commas";

/// Unit of the times in tables without one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeUnit {
    /// Seconds.
    Seconds,
    /// Milliseconds.
    Milliseconds,
    /// Microseconds.
    Microseconds,
    /// Nanoseconds.
    Nanoseconds,
}

impl TimeUnit {
    /// All units with their words.
    pub const ALL: [(&str, Self); 4] = [
        ("s", Self::Seconds),
        ("ms", Self::Milliseconds),
        ("us", Self::Microseconds),
        ("ns", Self::Nanoseconds),
    ];

    /// Returns the number of nanoseconds in the unit.
    pub fn nanoseconds(self) -> f64 {
        match self {
            Self::Seconds => 1e9,
            Self::Milliseconds => 1e6,
            Self::Microseconds => 1e3,
            Self::Nanoseconds => 1.0,
        }
    }
}

/// What a file does not say about itself.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unsaid {
    /// Number of ranks of collectives, of which OSU prints nothing.
    pub ranks: Option<u32>,
    /// Number of pairs of benchmarks that do not print it.
    pub pairs: Option<u32>,
    /// Unit of times in tables whose header names none.
    pub unit: Option<TimeUnit>,
}

/// The tables of a file, and what was left aside.
#[derive(Clone, Debug, Default)]
pub struct Contents {
    /// The tables in the order of the file.
    pub series: Vec<Series>,
    /// Tables that are not used, by name.
    pub skipped: Vec<String>,
}

/// Why a line cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Fault {
    /// Line, from 1; 0 for the whole file.
    line: usize,
    reason: String,
}

impl Fault {
    fn new(line: usize, reason: impl Into<String>) -> Self {
        Self { line, reason: reason.into() }
    }
}

/// Reads the output of benchmarks. `path` is for messages and sources.
///
/// # Errors
/// Returns an error with path and line if the text is in no known format, a line is malformed, or
/// a table is empty or says the same size twice.
pub fn read(text: &str, path: &str, unsaid: Unsaid) -> Result<Contents, Error> {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let found = recognise(&lines).and_then(|format| match format {
        Format::Osu => osu::read(&lines, unsaid),
        Format::Imb => imb::read(&lines),
        Format::NetPipe => netpipe::read(&lines),
        Format::Table => table::read(&lines, unsaid.unit),
    });
    let found = found.and_then(|tables| checked(tables, path));
    found.map_err(|fault| {
        let place = if fault.line == 0 { String::new() } else { format!("line {}: ", fault.line) };
        Error::BadFile { path: path.into(), reason: format!("{place}{}", fault.reason) }
    })
}

/// A table as a reader finds it, or the name of one that is left aside.
enum Table {
    Used(Benchmark, Vec<(usize, Point)>, usize),
    Skipped(String),
}

/// Checks the tables: none is empty, and sizes increase.
fn checked(tables: Vec<Table>, path: &str) -> Result<Contents, Fault> {
    let mut contents = Contents::default();
    for table in tables {
        let (benchmark, mut lines, begin) = match table {
            Table::Skipped(name) => {
                contents.skipped.push(name);
                continue;
            }
            Table::Used(benchmark, lines, begin) => (benchmark, lines, begin),
        };
        if lines.is_empty() {
            return Err(Fault::new(begin, "the table that begins here has no lines"));
        }
        lines.sort_by_key(|(_, point)| point.bytes);
        for pair in lines.windows(2) {
            if pair[0].1.bytes == pair[1].1.bytes {
                let (bytes, line) = (pair[1].1.bytes, pair[1].0);
                return Err(Fault::new(
                    line,
                    format!("the size {bytes} is in line {} of the same table, too", pair[0].0),
                ));
            }
        }
        let points = lines.into_iter().map(|(_, point)| point).collect();
        contents.series.push(Series { benchmark, source: path.into(), points });
    }
    if contents.series.is_empty() {
        let named = if contents.skipped.is_empty() {
            format!("no measurement is in it; allowed is {FORMATS}")
        } else {
            format!("only tables that are not used are in it: {}", contents.skipped.join(", "))
        };
        return Err(Fault::new(0, named));
    }
    Ok(contents)
}

enum Format {
    Osu,
    Imb,
    NetPipe,
    Table,
}

/// Decides the format by the first line that has a mark of one.
fn recognise(lines: &[&str]) -> Result<Format, Fault> {
    for line in lines {
        if line.starts_with("# OSU") || osu::is_header(line) {
            return Ok(Format::Osu);
        }
        if line.contains("Intel(R) MPI Benchmarks") || line.starts_with("# Benchmarking") {
            return Ok(Format::Imb);
        }
        if netpipe::is_line(line) {
            return Ok(Format::NetPipe);
        }
        if table::is_line(line) {
            return Ok(Format::Table);
        }
    }
    Err(Fault::new(0, format!("in no known format; allowed is {FORMATS}")))
}

/// Parses a size in bytes.
fn size(word: &str, line: usize) -> Result<u64, Fault> {
    let wrong = || {
        Fault::new(
            line,
            format!("`{word}` is not a size; allowed is a whole number of bytes up to 2^40"),
        )
    };
    let bytes: u64 = word.parse().map_err(|_| wrong())?;
    if bytes > 1 << 40 { Err(wrong()) } else { Ok(bytes) }
}

/// Parses a positive number, and returns it with half of its last printed digit.
fn value(word: &str, line: usize) -> Result<(f64, f64), Fault> {
    let wrong =
        || Fault::new(line, format!("`{word}` is not a measurement; allowed is a number above 0"));
    let number: f64 = word.parse().map_err(|_| wrong())?;
    if !(number.is_finite() && number > 0.0 && number < 1e15) {
        return Err(wrong());
    }
    let (mantissa, exponent) = match word.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.parse().unwrap_or(0)),
        None => (word, 0),
    };
    let decimals = mantissa.split_once('.').map_or(0, |(_, part)| part.len() as i32);
    Ok((number, 0.5 * 10f64.powi(exponent - decimals)))
}

/// Returns the point of a time in microseconds.
fn timed(bytes: u64, (time, rounding): (f64, f64), unit: TimeUnit) -> Point {
    let scale = unit.nanoseconds();
    Point { bytes, time_ns: time * scale, rounding_ns: rounding * scale }
}

/// Returns the point of a rate: `amount` of it takes one second per unit of the rate.
fn from_rate(bytes: u64, amount: f64, (rate, rounding): (f64, f64)) -> Point {
    let time_ns = amount / rate * 1e9;
    Point { bytes, time_ns, rounding_ns: time_ns * (rounding / rate).min(1.0) }
}

#[cfg(test)]
mod tests;
