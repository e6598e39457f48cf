//! Reports for a terminal: plain text in aligned columns.

use mpi_api::outcome::{Ending, RunResult};
use network_models::Topology;
use sim_core::SimDuration;

use crate::{
    analysis::{HottestLink, Summary},
    comparison::{Row, ranked},
    format::{bytes, count, percent_of, shorten},
};

/// Up to so many ranks get a line each.
const RANK_LINES: usize = 16;

/// What was run, for the first lines of a report.
#[derive(Clone, Copy, Debug)]
pub struct Header<'a> {
    /// Name of the program.
    pub program: &'a str,
    /// Name of the machine.
    pub machine: &'a str,
    /// Name of the topology.
    pub topology: &'a str,
    /// Network model.
    pub network: &'a str,
    /// How ranks were put on nodes.
    pub placement: &'a str,
}

/// The report on one run.
pub fn run_report(header: &Header, result: &RunResult, topology: Option<&Topology>) -> String {
    let summary = Summary::of(result);
    let mut lines = vec![
        field("program", header.program),
        field("ranks", &count(result.ranks.len() as u64)),
        field("machine", header.machine),
        field("topology", &format!("{}, {} placement", header.topology, header.placement)),
        field("network", header.network),
        String::new(),
        field("run time", &result.makespan.to_string()),
    ];
    match result.ending {
        Ending::Completed => {}
        Ending::Stalled => lines.push(field("ended", "stalled: no rank can go on")),
        Ending::Failed => lines.push(field("ended", "failed")),
    }
    lines.push(String::new());
    lines.push("Where the time went".to_owned());
    lines.extend(time_table(result));
    lines.push(String::new());
    let size = match summary.mean_message() {
        Some(mean) => format!("{}, {} on average", bytes(result.bytes), bytes(mean)),
        None => bytes(result.bytes),
    };
    lines.push(field("messages", &count(result.messages)));
    lines.push(field("data sent", &size));
    let hottest =
        topology.and_then(|topology| HottestLink::of(&result.links, topology, result.makespan));
    if let Some(link) = hottest {
        let text = format!("{}, busy {:.1} %, {}", link.name, link.busy, bytes(link.bytes));
        lines.push(field("hottest link", &text));
    }
    lines.push(field("bound by", &summary.bound));
    lines.push(field("digest", &format!("{:016x}", result.digest)));
    lines.join("\n") + "\n"
}

fn field(name: &str, value: &str) -> String {
    format!("{name:<14}{value}")
}

fn time_table(result: &RunResult) -> Vec<String> {
    let whole = u128::from(result.makespan.as_ps());
    let cell = |time: SimDuration| format!("{} {:>5.1} %", time, percent_of(time.as_ps(), whole));
    let mut rows =
        vec![["rank", "compute", "overhead", "waiting", "end"].map(str::to_owned).to_vec()];
    if result.ranks.len() <= RANK_LINES {
        for (rank, totals) in result.ranks.iter().enumerate() {
            rows.push(vec![
                rank.to_string(),
                cell(totals.compute),
                cell(totals.overhead),
                cell(totals.waiting),
                totals.finish.to_string(),
            ]);
        }
        return aligned(&rows, 0);
    }
    type Pick = fn(&[u64]) -> u64;
    let picks: [(&str, Pick); 3] = [
        ("least", |times| times.iter().copied().min().unwrap_or(0)),
        ("mean", |times| {
            let sum: u128 = times.iter().map(|time| u128::from(*time)).sum();
            (sum / times.len().max(1) as u128) as u64
        }),
        ("most", |times| times.iter().copied().max().unwrap_or(0)),
    ];
    for (name, pick) in picks {
        let of = |part: fn(&mpi_api::outcome::RankTotals) -> u64| {
            SimDuration::from_ps(pick(&result.ranks.iter().map(part).collect::<Vec<u64>>()))
        };
        rows.push(vec![
            name.to_owned(),
            cell(of(|totals| totals.compute.as_ps())),
            cell(of(|totals| totals.overhead.as_ps())),
            cell(of(|totals| totals.waiting.as_ps())),
            of(|totals| totals.finish.as_ps()).to_string(),
        ]);
    }
    aligned(&rows, 0)
}

/// The configurations from fast to slow.
pub fn comparison_table(rows: &[Row]) -> String {
    let head = [
        "topology",
        "placement",
        "collectives",
        "hottest link",
        "ranks",
        "run time",
        "speed-up",
        "efficiency",
        "links",
        "diameter",
        "hops",
        "busy",
    ];
    let mut table = vec![head.map(str::to_owned).to_vec()];
    for row in ranked(rows) {
        let (name, busy) = match &row.hottest_link {
            Some((name, busy)) => (shorten(name, 34), format!("{busy:.0} %")),
            None => ("-".to_owned(), "-".to_owned()),
        };
        table.push(vec![
            row.topology.clone(),
            row.placement.clone(),
            row.collectives.clone(),
            name,
            row.ranks.to_string(),
            row.makespan.to_string(),
            format!("{:.2}", row.speedup),
            format!("{:.0} %", 100.0 * row.efficiency),
            count(row.structure.links),
            row.structure.diameter.to_string(),
            format!("{:.2}", row.mean_hops),
            busy,
        ]);
    }
    aligned(&table, 4).join("\n") + "\n"
}

/// Columns two spaces apart, the first `left` flush left and the others flush right.
fn aligned(rows: &[Vec<String>], left: usize) -> Vec<String> {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max()
    };
    let widths: Vec<usize> = (0..columns).map(|column| width(column).unwrap_or(0)).collect();
    let line = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths).enumerate().map(|(column, (cell, width))| {
            if column < left { format!("{cell:<width$}") } else { format!("{cell:>width$}") }
        });
        cells.collect::<Vec<String>>().join("  ").trim_end().to_owned()
    };
    rows.iter().map(line).collect()
}
