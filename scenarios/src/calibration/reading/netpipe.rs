//! NetPIPE: lines `bytes throughput time` of its file, or the lines that it prints while it runs.

use super::{Fault, Table, TimeUnit, size, timed, value};
use crate::calibration::measurement::Benchmark;

/// Reports whether the line is one of NetPIPE's: of its output, or three numbers that agree with
/// each other.
pub(super) fn is_line(line: &str) -> bool {
    if line.contains("-->") && line.contains("bps in") {
        return true;
    }
    let numbers: Vec<f64> = line.split_whitespace().map_while(|word| word.parse().ok()).collect();
    let [bytes, rate, time] = numbers.as_slice() else { return false };
    // Throughput is in 10^6 or 2^20 bits per second; both are within these bounds.
    let expected = bytes * 8.0 / time / 1e6;
    line.split_whitespace().count() == 3 && *time > 0.0 && (0.5..2.0).contains(&(rate / expected))
}

pub(super) fn read(lines: &[&str]) -> Result<Vec<Table>, Fault> {
    let mut points = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        let number = index + 1;
        let words: Vec<&str> = line.split_whitespace().collect();
        if let Some((_, printed)) = line.split_once(':').filter(|_| line.contains("-->")) {
            // `  0:       1 bytes  21354 times -->      1.02 Mbps in       7.48 usec`
            let bytes = size(printed.split_whitespace().next().unwrap_or_default(), number)?;
            let Some((_, time)) = line.rsplit_once(" in ") else {
                return Err(Fault::new(number, "allowed is `… Mbps in TIME usec`"));
            };
            let time: Vec<&str> = time.split_whitespace().collect();
            let [time, unit] = time.as_slice() else {
                return Err(Fault::new(number, "allowed is `… Mbps in TIME usec`"));
            };
            let unit = match *unit {
                "usec" => TimeUnit::Microseconds,
                "msec" => TimeUnit::Milliseconds,
                "sec" => TimeUnit::Seconds,
                other => {
                    let reason = format!("`{other}` is not a unit; allowed are usec, msec, sec");
                    return Err(Fault::new(number, reason));
                }
            };
            points.push((number, timed(bytes, value(time, number)?, unit)));
        } else if let [bytes, _, time] = words.as_slice() {
            // The same size is measured several times with other alignments: the first one counts.
            if line.starts_with('#') {
                continue;
            }
            let point = timed(size(bytes, number)?, value(time, number)?, TimeUnit::Seconds);
            points.push((number, point));
        } else if !words.is_empty() && points.is_empty() {
            // Remarks before the table.
        } else if !words.is_empty() {
            return Err(Fault::new(number, format!("`{line}` is not `bytes throughput time`")));
        }
    }
    points.sort_by_key(|(_, point)| point.bytes);
    points.dedup_by_key(|(_, point)| point.bytes);
    Ok(vec![Table::Used(Benchmark::PingPong { pairs: 1 }, points, 1)])
}
