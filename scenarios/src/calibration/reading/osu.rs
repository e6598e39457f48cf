//! The OSU micro-benchmarks: a title, a header `# Size …`, then lines `size value …`.

use super::{Fault, Table, TimeUnit, Unsaid, from_rate, size, timed, value};
use crate::calibration::measurement::{Benchmark, Collective, Point};

/// Window of the bandwidth tests unless they print another one.
const WINDOW: u32 = 64;

/// Units of rates with their bytes per second. Bits are none of them: `Mb/s` is not `MB/s`.
const RATES: [(&str, f64); 9] = [
    ("B/s", 1.0),
    ("KB/s", 1e3),
    ("kB/s", 1e3),
    ("MB/s", 1e6),
    ("GB/s", 1e9),
    ("TB/s", 1e12),
    ("KiB/s", 1024.0),
    ("MiB/s", 1_048_576.0),
    ("GiB/s", 1_073_741_824.0),
];

/// Reports whether the line is the header of a table, whatever its units are.
pub(super) fn is_header(line: &str) -> bool {
    let words = line.strip_prefix('#').unwrap_or("").trim_start();
    let measures = |word: &str| words.contains(word);
    words.starts_with("Size ")
        && (measures("Latency") || measures("Bandwidth") || rate_word(words).is_some())
        || words.starts_with("Avg Latency")
}

/// Returns the word of a header that is a rate, such as `MB/s`.
fn rate_word(header: &str) -> Option<&str> {
    header.split_whitespace().find(|word| word.ends_with("B/s"))
}

/// Returns what the first parentheses of a header contain.
fn in_parentheses(header: &str) -> Option<&str> {
    let (_, rest) = header.split_once('(')?;
    rest.split_once(')').map(|(inside, _)| inside.trim())
}

/// What the columns of a table contain.
#[derive(Clone, Copy, PartialEq)]
enum Columns {
    /// Size and time.
    Times(TimeUnit),
    /// Size and rate, in units of this many bytes per second.
    Rates(f64),
    /// Size, rate, and messages per second.
    Messages,
    /// Time only: a barrier.
    Time(TimeUnit),
}

/// The test that a title names.
enum Test {
    Known(Benchmark),
    Unused(String),
}

pub(super) fn read(lines: &[&str], unsaid: Unsaid) -> Result<Vec<Table>, Fault> {
    let mut tables = Vec::new();
    let mut open: Option<(Test, Option<Columns>, Vec<(usize, Point)>, usize)> = None;
    let close = |open: Option<(Test, Option<Columns>, Vec<(usize, Point)>, usize)>,
                 tables: &mut Vec<Table>| {
        match open {
            Some((Test::Known(benchmark), _, points, begin)) => {
                tables.push(Table::Used(benchmark, points, begin));
            }
            Some((Test::Unused(name), ..)) => tables.push(Table::Skipped(name)),
            None => {}
        }
    };
    for (index, line) in lines.iter().enumerate() {
        let number = index + 1;
        if let Some(title) = line.strip_prefix("# OSU") {
            close(open.take(), &mut tables);
            open = Some((test(title, number, unsaid)?, None, Vec::new(), number));
        } else if is_header(line) {
            let columns = match &open {
                // Nothing of this table is used.
                Some((Test::Unused(_), None, ..)) => Columns::Messages,
                _ => columns(line, number)?,
            };
            match &mut open {
                Some((_, found @ None, ..)) => *found = Some(columns),
                _ => {
                    close(open.take(), &mut tables);
                    let test = Test::Known(plain(columns, number)?);
                    open = Some((test, Some(columns), Vec::new(), number));
                }
            }
        } else if let Some(comment) = line.strip_prefix('#') {
            if let Some((Test::Known(benchmark), ..)) = &mut open {
                bracketed(comment, benchmark, number)?;
            }
        } else if !line.is_empty()
            && let Some((test, found, points, _)) = &mut open
        {
            let Test::Known(benchmark) = test else { continue };
            let Some(columns) = *found else {
                return Err(Fault::new(number, "there is no header `# Size …` before this line"));
            };
            points.push((number, point(line, columns, *benchmark, number)?));
        }
    }
    close(open, &mut tables);
    Ok(tables)
}

/// Returns the test of a title such as ` MPI Latency Test v7.2`.
fn test(title: &str, line: usize, unsaid: Unsaid) -> Result<Test, Fault> {
    let name = title.trim().trim_start_matches("MPI").trim();
    let name = name.split(" v").next().unwrap_or(name).trim();
    let name = name.trim_start_matches("-CUDA").trim_start_matches("-ROCM").trim();
    let pairs = unsaid.pairs.unwrap_or(1);
    let window = WINDOW;
    let known = match name {
        "Latency Test" => Some(Benchmark::PingPong { pairs: 1 }),
        "Multi Latency Test" => Some(Benchmark::PingPong { pairs: multiple(unsaid, line)? }),
        "Bandwidth Test" => Some(Benchmark::Stream { pairs: 1, window }),
        "Multiple Bandwidth / Message Rate Test" => Some(Benchmark::Stream { pairs, window }),
        "Bi-Directional Bandwidth Test" | "Bi-directional Bandwidth Test" => {
            Some(Benchmark::BothWays { window })
        }
        _ => None,
    };
    if let Some(benchmark) = known {
        return Ok(Test::Known(benchmark));
    }
    let Some(operation) = collective(name) else { return Ok(Test::Unused(format!("OSU {name}"))) };
    let Some(ranks) = unsaid.ranks else {
        return Err(Fault::new(
            line,
            format!("`{name}` does not print its number of ranks: give it with --ranks"),
        ));
    };
    Ok(Test::Known(Benchmark::Collective { operation, ranks }))
}

fn multiple(unsaid: Unsaid, line: usize) -> Result<u32, Fault> {
    let pairs = unsaid.pairs.or(unsaid.ranks.map(|ranks| ranks / 2)).filter(|pairs| *pairs > 0);
    pairs.ok_or_else(|| {
        Fault::new(
            line,
            "`Multi Latency Test` does not print its number of pairs: give it with --pairs",
        )
    })
}

fn collective(name: &str) -> Option<Collective> {
    let name = name.strip_suffix("Latency Test").unwrap_or(name).trim();
    Some(match name {
        "Barrier" => Collective::Barrier,
        "Broadcast" => Collective::Broadcast,
        "Reduce" => Collective::Reduce,
        "Allreduce" => Collective::AllReduce,
        "Allgather" => Collective::AllGather,
        "All-to-All Personalized Exchange" | "All-to-All" => Collective::AllToAll,
        "Gather" => Collective::Gather,
        "Scatter" => Collective::Scatter,
        _ => return None,
    })
}

/// Returns the benchmark of a table without a title.
fn plain(columns: Columns, line: usize) -> Result<Benchmark, Fault> {
    match columns {
        Columns::Times(_) => Ok(Benchmark::PingPong { pairs: 1 }),
        Columns::Rates(_) => Ok(Benchmark::Stream { pairs: 1, window: WINDOW }),
        Columns::Messages | Columns::Time(_) => {
            Err(Fault::new(line, "a table of this kind needs its title `# OSU MPI …` before it"))
        }
    }
}

fn columns(header: &str, line: usize) -> Result<Columns, Fault> {
    if header.contains("Messages/s") {
        Ok(Columns::Messages)
    } else if header.contains("Bandwidth") || rate_word(header).is_some() {
        // OSU itself has MB/s.
        let unit = in_parentheses(header).or(rate_word(header)).unwrap_or("MB/s");
        unit_of(unit, RATES, line).map(Columns::Rates)
    } else {
        let unit = unit_of(in_parentheses(header).unwrap_or("us"), TimeUnit::ALL, line)?;
        Ok(if header.contains("Size") { Columns::Times(unit) } else { Columns::Time(unit) })
    }
}

/// Returns the meaning of a unit in a header.
fn unit_of<T, const N: usize>(
    unit: &str,
    known: [(&'static str, T); N],
    line: usize,
) -> Result<T, Fault> {
    let names = known.each_ref().map(|(name, _)| *name).join(", ");
    let found = known.into_iter().find(|(name, _)| *name == unit);
    found.map(|(_, meaning)| meaning).ok_or_else(|| {
        let reason = format!("the header has the unknown unit `{unit}`; allowed are {names}");
        Fault::new(line, reason)
    })
}

/// Reads a comment such as ` [ pairs: 4 ] [ window size: 64 ]`.
fn bracketed(comment: &str, benchmark: &mut Benchmark, line: usize) -> Result<(), Fault> {
    for part in comment.split('[').skip(1) {
        let Some((name, number)) = part.trim_end_matches([']', ' ']).split_once(':') else {
            continue;
        };
        let number = number.trim().trim_end_matches(']').trim();
        let count = number.parse::<u32>().ok().filter(|count| (1..=1 << 16).contains(count));
        let count = count
            .ok_or_else(|| Fault::new(line, format!("`{number}` is not a number from 1 to 65536")));
        match (name.trim(), &mut *benchmark) {
            ("pairs", Benchmark::Stream { pairs, .. } | Benchmark::PingPong { pairs }) => {
                *pairs = count?;
            }
            ("window size", Benchmark::Stream { window, .. } | Benchmark::BothWays { window }) => {
                *window = count?;
            }
            _ => {}
        }
    }
    Ok(())
}

fn point(
    line: &str,
    columns: Columns,
    benchmark: Benchmark,
    number: usize,
) -> Result<Point, Fault> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let word = |at: usize| {
        words.get(at).copied().ok_or_else(|| {
            Fault::new(
                number,
                format!("`{line}` has {} columns, too few for this table", words.len()),
            )
        })
    };
    if let Columns::Time(unit) = columns {
        return Ok(timed(0, value(word(0)?, number)?, unit));
    }
    let bytes = size(word(0)?, number)?;
    let streams = match benchmark {
        Benchmark::Stream { pairs, .. } => f64::from(pairs),
        // The rate counts both directions.
        Benchmark::BothWays { .. } => 2.0,
        Benchmark::PingPong { .. }
        | Benchmark::Chain { .. }
        | Benchmark::Neighbours { .. }
        | Benchmark::Collective { .. } => 1.0,
    };
    match columns {
        Columns::Times(unit) | Columns::Time(unit) => {
            Ok(timed(bytes, value(word(1)?, number)?, unit))
        }
        Columns::Messages => Ok(from_rate(bytes, streams, value(word(2)?, number)?)),
        Columns::Rates(unit) => {
            Ok(from_rate(bytes, bytes as f64 * streams / unit, value(word(1)?, number)?))
        }
    }
}
