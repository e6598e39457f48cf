//! Tables of size and one-way time, separated by commas, semicolons or tabs.

use super::{Fault, Table, TimeUnit, size, timed, value};
use crate::calibration::measurement::Benchmark;

/// The first of these that a line has separates its columns. Tables with semicolons or tabs are those whose
/// numbers may have a comma for the decimal point.
const SEPARATORS: [char; 3] = [';', '\t', ','];

/// Returns the columns of a line; there is no separator in a line of one column.
fn columns_of(line: &str) -> Vec<String> {
    let separator = SEPARATORS.into_iter().find(|separator| line.contains(*separator));
    let words = line.split(|letter| Some(letter) == separator);
    let word = |word: &str| {
        let word = word.trim_matches([' ', '"']);
        let with_point = word.replacen(',', ".", 1);
        if with_point.parse::<f64>().is_ok() { with_point } else { word.to_owned() }
    };
    words.map(word).collect()
}

/// Reports whether the line is one of a table: a header or two numbers.
pub(super) fn is_line(line: &str) -> bool {
    if line.starts_with('#') {
        return false;
    }
    let columns = columns_of(line);
    let [first, second, ..] = columns.as_slice() else { return false };
    let numbers = first.parse::<f64>().is_ok() && second.parse::<f64>().is_ok();
    numbers || (is_size(first) && is_time(second))
}

fn is_size(name: &str) -> bool {
    let name = name.to_lowercase();
    ["size", "bytes", "length"].iter().any(|word| name.contains(word))
}

fn is_time(name: &str) -> bool {
    let name = name.to_lowercase();
    ["time", "latency", "usec", "seconds"].iter().any(|word| name.contains(word))
}

/// Returns the unit that the name of a column contains, as in `time_us` or `latency (ms)`.
fn unit(name: &str) -> Option<TimeUnit> {
    let name = name.to_lowercase();
    let words = name.split(|c: char| !c.is_ascii_alphabetic());
    words.filter(|word| !word.is_empty()).find_map(|word| match word {
        "s" | "sec" | "seconds" => Some(TimeUnit::Seconds),
        "ms" | "msec" | "milliseconds" => Some(TimeUnit::Milliseconds),
        "us" | "usec" | "microseconds" => Some(TimeUnit::Microseconds),
        "ns" | "nsec" | "nanoseconds" => Some(TimeUnit::Nanoseconds),
        _ => None,
    })
}

pub(super) fn read(lines: &[&str], asked: Option<TimeUnit>) -> Result<Vec<Table>, Fault> {
    let mut found: Option<TimeUnit> = asked;
    let mut columns = (0, 1);
    let mut points = Vec::new();
    let mut begun = false;
    for (index, line) in lines.iter().enumerate() {
        let number = index + 1;
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let words = columns_of(line);
        if !begun && words.first().is_some_and(|word| word.parse::<f64>().is_err()) {
            begun = true;
            let place = |is: fn(&str) -> bool| words.iter().position(|word| is(word));
            let (Some(sizes), Some(times)) = (place(is_size), place(is_time)) else {
                let reason = "the header names no size and time; allowed is such as `size,time_us`";
                return Err(Fault::new(number, reason));
            };
            columns = (sizes, times);
            found = unit(&words[times]).or(asked);
            continue;
        }
        begun = true;
        let Some(unit) = found else {
            return Err(Fault::new(
                number,
                "the unit of the times is not known: name it in a header such as `size,time_us`, \
                 or with --time-unit (s, ms, us or ns)",
            ));
        };
        let word = |at: usize| {
            words.get(at).ok_or_else(|| {
                Fault::new(number, format!("`{line}` has {} columns, too few", words.len()))
            })
        };
        let bytes = size(word(columns.0)?, number)?;
        points.push((number, timed(bytes, value(word(columns.1)?, number)?, unit)));
    }
    Ok(vec![Table::Used(Benchmark::PingPong { pairs: 1 }, points, 1)])
}
