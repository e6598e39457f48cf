//! The Intel MPI Benchmarks: `# Benchmarking NAME`, `# #processes = N`, a header `#bytes …`, lines.

use super::{Fault, Table, TimeUnit, size, timed, value};
use crate::calibration::measurement::{Benchmark, Collective, Point};

/// A table that is being read.
struct Open {
    name: String,
    begin: usize,
    ranks: Option<u32>,
    /// Position of the column with the time, and whether there is a column of sizes.
    columns: Option<(usize, bool)>,
    points: Vec<(usize, Point)>,
}

pub(super) fn read(lines: &[&str]) -> Result<Vec<Table>, Fault> {
    let mut tables = Vec::new();
    let mut open: Option<Open> = None;
    for (index, line) in lines.iter().enumerate() {
        let number = index + 1;
        if let Some(name) = line.strip_prefix("# Benchmarking") {
            tables.extend(open.take().map(close).transpose()?);
            let name = name.split_whitespace().next().unwrap_or_default().to_string();
            open =
                Some(Open { name, begin: number, ranks: None, columns: None, points: Vec::new() });
            continue;
        }
        let Some(table) = &mut open else { continue };
        if let Some(count) = line.strip_prefix("# #processes =") {
            let count = count.trim();
            let ranks = count.parse::<u32>().ok().filter(|ranks| (1..=1 << 20).contains(ranks));
            table.ranks = Some(ranks.ok_or_else(|| {
                Fault::new(number, format!("`{count}` is not a number of processes"))
            })?);
        } else if line.starts_with("#bytes") || line.starts_with("#repetitions") {
            table.columns = Some(columns(line, number)?);
        } else if line.starts_with('#') {
            // Another remark; a rule of `#---` ends nothing.
        } else if line.is_empty() {
            if !table.points.is_empty() {
                tables.extend(open.take().map(close).transpose()?);
            }
        } else {
            table.line(line, number)?;
        }
    }
    tables.extend(open.map(close).transpose()?);
    Ok(tables)
}

/// Returns the position of the time in the lines below a header: the mean if there is one.
fn columns(header: &str, number: usize) -> Result<(usize, bool), Fault> {
    let names: Vec<&str> = header.split_whitespace().collect();
    let at = |name: &str| names.iter().position(|known| *known == name);
    let time = at("t_avg[usec]").or_else(|| at("t[usec]")).or_else(|| at("t_max[usec]"));
    match time {
        Some(time) => Ok((time, names[0] == "#bytes")),
        None => Err(Fault::new(number, "there is no column t[usec] or t_avg[usec]")),
    }
}

impl Open {
    fn line(&mut self, line: &str, number: usize) -> Result<(), Fault> {
        let Some((time, sized)) = self.columns else {
            return Err(Fault::new(number, "there is no header `#bytes …` before this line"));
        };
        let words: Vec<&str> = line.split_whitespace().collect();
        let word = words.get(time).ok_or_else(|| {
            Fault::new(number, format!("`{line}` has {} columns, too few", words.len()))
        })?;
        let bytes = if sized { size(words[0], number)? } else { 0 };
        // A reduction of no bytes takes no time at all.
        if word.parse::<f64>() == Ok(0.0) && bytes == 0 {
            return Ok(());
        }
        let point = timed(bytes, value(word, number)?, TimeUnit::Microseconds);
        self.points.push((number, point));
        Ok(())
    }
}

fn close(table: Open) -> Result<Table, Fault> {
    let Open { name, begin, ranks, points, .. } = table;
    let ranks = || {
        ranks.ok_or_else(|| {
            Fault::new(begin, format!("{name}: there is no line `# #processes = N`"))
        })
    };
    let collective = |operation| Ok(Benchmark::Collective { operation, ranks: ranks()? });
    let benchmark = match name.as_str() {
        "PingPong" => Benchmark::PingPong { pairs: 1 },
        "Sendrecv" => Benchmark::Chain { ranks: ranks()? },
        "Exchange" => Benchmark::Neighbours { ranks: ranks()? },
        "Barrier" => collective(Collective::Barrier)?,
        "Bcast" => collective(Collective::Broadcast)?,
        "Reduce" => collective(Collective::Reduce)?,
        "Allreduce" => collective(Collective::AllReduce)?,
        "Allgather" => collective(Collective::AllGather)?,
        "Alltoall" => collective(Collective::AllToAll)?,
        "Gather" => collective(Collective::Gather)?,
        "Scatter" => collective(Collective::Scatter)?,
        _ => return Ok(Table::Skipped(format!("IMB {name}"))),
    };
    Ok(Table::Used(benchmark, points, begin))
}
