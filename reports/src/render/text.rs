//! Reports for a terminal: plain text in aligned columns.

use mpi_api::outcome::{Ending, RankTotals, RunResult, ServerLoad, Started};
use network_models::Topology;
use sim_core::{SimDuration, SimTime};

use super::profile::{efficiency_line, parts};
use crate::{
    analysis::{Efficiencies, Gain, HottestLink, NoIdeal, Summary, losses, spreads},
    comparison::Row,
    format::{bytes, count, counted, percent, percent_of},
};

/// Most ranks that get a line each.
const RANK_LINES: usize = 64;

/// Most communicators that get a line each.
const GAIN_LINES: usize = 4;

/// Most spawn calls that get a line each.
const FAMILY_LINES: usize = 4;

/// The description of a run for the first lines of a report.
#[derive(Clone, Copy, Debug)]
pub struct Header<'a> {
    /// Name of the program.
    pub program: &'a str,
    /// Name of the machine, with a one-line description.
    pub machine: &'a str,
    /// Topology, the origin of its size and the number of idle nodes.
    pub topology: &'a str,
    /// Name of the network model.
    pub network: &'a str,
    /// Placement of ranks on nodes.
    pub placement: &'a str,
    /// Source of the times between calls, unless the program declares them.
    pub computing: Option<&'a str>,
    /// Why another run may have another result, if it may.
    pub irreproducible: Option<&'a str>,
    /// What disturbs the run, if anything does.
    pub disturbances: &'a [String],
    /// Statistics of repetitions, if there were any.
    pub repetitions: Option<&'a str>,
    /// Efficiencies with the parts of the communication efficiency, if these were asked for.
    pub efficiencies: Option<&'a Efficiencies>,
}

/// Returns the report on one run.
pub fn run_report(header: &Header, result: &RunResult, topology: Option<&Topology>) -> String {
    let summary = Summary::of(result);
    let mut lines = vec![
        field("program", &format!("{} on {}", header.program, ranks(result))),
        field("machine", header.machine),
        field("topology", header.topology),
        field("placement", header.placement),
        field("network", header.network),
    ];
    lines.extend(header.computing.map(|computing| field("computing", computing)));
    lines.extend(header.irreproducible.map(|why| field("reproducible", &format!("no: {why}"))));
    lines.extend(header.disturbances.iter().map(|what| field("disturbed by", what)));
    lines.push(String::new());
    lines.push(field("makespan", &makespan(result)));
    lines.extend(header.repetitions.map(|sentence| field("repeated", sentence)));
    lines.push(field("messages", &messages(result, &summary)));
    let hottest =
        topology.and_then(|topology| HottestLink::of(&result.links, topology, result.makespan));
    if let Some(link) = hottest {
        let traffic = format!("{} in {}", bytes(link.bytes), counted(link.messages, "message"));
        let text = format!("{}, busy {} of the run, {traffic}", link.name, percent(link.busy));
        lines.push(field("hottest link", &text));
    }
    lines.extend(servers(result));
    lines.extend(result.losses.as_ref().map(|it| field("packets", &losses(it))));
    lines.extend(started(result));
    lines.extend(reorderings(result));
    lines.push(field("bound by", &summary.bound));
    lines.extend(Efficiencies::of(result, Err(NoIdeal::NotAsked)).as_ref().map(efficiency_line));
    lines.extend(header.efficiencies.map(|found| field("of it", &parts(found))));
    lines.push(field("digest", &format!("{:016x}", result.digest)));
    lines.push(String::new());
    lines.extend(time_table(result));
    lines.join("\n") + "\n"
}

/// Returns what the servers of files did, and the one that was busy longest.
fn servers(result: &RunResult) -> Vec<String> {
    let Some(loads) = &result.servers else { return Vec::new() };
    let share = |load: &ServerLoad| load.busy_percent(result.makespan);
    let (mut read, mut written) = (0, 0);
    for load in &loads.data {
        read += load.read;
        written += load.written;
    }
    let mut lines = Vec::new();
    let busiest = loads.data.iter().enumerate().rev().max_by_key(|(_, load)| load.busy);
    if let Some((place, load)) = busiest {
        let all = counted(loads.data.len() as u64, "server");
        let mean = loads.data.iter().map(share).sum::<f64>() / loads.data.len() as f64;
        let moved = format!("{} read, {} written by {all}", bytes(read), bytes(written));
        lines.push(field("files", &moved));
        let text = format!(
            "busiest is server {place}: {} of the run, {}; mean {}",
            percent(share(load)),
            counted(load.requests, "request"),
            percent(mean),
        );
        lines.push(field("", &text));
    }
    let names = &loads.metadata;
    let asked = counted(names.requests, "request");
    let text = format!("metadata: {asked}, busy {} of the run", percent(share(names)));
    lines.push(field(if busiest.is_some() { "" } else { "files" }, &text));
    lines
}

/// Returns the gains of reordered ranks, for the first few communicators.
fn reorderings(result: &RunResult) -> Vec<String> {
    let mut lines = Vec::new();
    for reordering in result.reorderings.iter().take(GAIN_LINES) {
        let gain = Gain::of(reordering);
        let load = gain.load.map(|load| format!(", most loaded link {load}")).unwrap_or_default();
        let site = gain.site.map(|site| format!(" at {site}")).unwrap_or_default();
        lines.push(field("reordering", &format!("{}{site}: {}", gain.what, gain.method)));
        let costs = format!("hops {}{load}, longest edge {}", gain.hops, gain.longest);
        lines.push(field("", &costs));
    }
    let more = result.reorderings.len().saturating_sub(GAIN_LINES);
    if more > 0 {
        let more = counted(more as u64, "more communicator");
        lines.push(field("", &format!("({more}; --json lists each of them)")));
    }
    lines
}

/// Returns the number of ranks at the start, and how many more the program started.
fn ranks(result: &RunResult) -> String {
    let more: u64 = result.started.iter().map(|family| u64::from(family.ranks)).sum();
    let first = counted(result.ranks.len() as u64 - more, "rank");
    if more == 0 { first } else { format!("{first} and {} more", count(more)) }
}

/// Returns a line for each of the first few calls that started ranks.
fn started(result: &RunResult) -> Vec<String> {
    let family = |family: &Started| {
        let text = format!("{} at {}", family.describe(), family.time);
        field("started", &text)
    };
    let mut lines: Vec<String> = result.started.iter().take(FAMILY_LINES).map(family).collect();
    let more = result.started.len().saturating_sub(FAMILY_LINES);
    if more > 0 {
        let more = counted(more as u64, "more call");
        lines.push(field("", &format!("({more}; --json lists each of them)")));
    }
    lines
}

fn makespan(result: &RunResult) -> String {
    match result.ending {
        Ending::Completed => result.makespan.to_string(),
        Ending::Stalled => format!("{}, then stalled: ranks wait for ever", result.makespan),
        Ending::Failed => format!("{}, then failed", result.makespan),
    }
}

fn messages(result: &RunResult, summary: &Summary) -> String {
    match summary.mean_message() {
        Some(mean) => format!(
            "{}, {} of data, {} on average",
            count(result.messages),
            bytes(result.bytes),
            bytes(mean)
        ),
        None => "none".to_owned(),
    }
}

pub(super) fn field(name: &str, value: &str) -> String {
    format!("{name:<14}{value}")
}

/// Returns the table of each rank's time by activity; with many ranks, the smallest, mean and
/// largest values.
fn time_table(result: &RunResult) -> Vec<String> {
    let head = ["rank", "compute", "overhead", "waiting", "messages", "bytes", "end"];
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    if result.ranks.len() <= RANK_LINES {
        for (rank, totals) in result.ranks.iter().enumerate() {
            rows.push(time_row(&rank.to_string(), totals, result));
        }
        return aligned(&rows, 0);
    }
    type Pick = fn(&[u64]) -> u64;
    let picks: [(&str, Pick); 3] = [
        ("least", |values| values.iter().copied().min().unwrap_or(0)),
        ("mean", |values| {
            let sum: u128 = values.iter().map(|value| u128::from(*value)).sum();
            (sum / values.len().max(1) as u128) as u64
        }),
        ("most", |values| values.iter().copied().max().unwrap_or(0)),
    ];
    for (name, pick) in picks {
        let of = |part: fn(&RankTotals) -> u64| {
            pick(&result.ranks.iter().map(part).collect::<Vec<u64>>())
        };
        let totals = RankTotals {
            compute: SimDuration::from_ps(of(|totals| totals.compute.as_ps())),
            overhead: SimDuration::from_ps(of(|totals| totals.overhead.as_ps())),
            waiting: SimDuration::from_ps(of(|totals| totals.waiting.as_ps())),
            finish: SimTime::from_ps(of(|totals| totals.finish.as_ps())),
            messages: of(|totals| totals.messages),
            bytes: of(|totals| totals.bytes),
            ..RankTotals::default()
        };
        rows.push(time_row(name, &totals, result));
    }
    let mut lines = aligned(&rows, 0);
    let ranks = counted(result.ranks.len() as u64, "rank");
    lines.push(format!("({ranks}; --json lists each of them)"));
    lines
}

fn time_row(name: &str, totals: &RankTotals, result: &RunResult) -> Vec<String> {
    let whole = u128::from(result.makespan.as_ps());
    let cell =
        |time: SimDuration| format!("{time} {:>7}", percent(percent_of(time.as_ps(), whole)));
    vec![
        name.to_owned(),
        cell(totals.compute),
        cell(totals.overhead),
        cell(totals.waiting),
        count(totals.messages),
        bytes(totals.bytes),
        totals.finish.to_string(),
    ]
}

/// Returns a table of the configurations under each network model, with the spread between the models;
/// empty for a single model.
pub fn spread_table(rows: &[Row]) -> String {
    let spreads = spreads(rows);
    let Some(first) = spreads.first() else { return String::new() };
    let models = first.times.iter().map(|(network, _)| network.clone());
    let mut table = vec![vec!["configuration".to_owned(), "ranks".into()]];
    table[0].extend(models.chain(["spread".to_owned()]));
    for spread in &spreads {
        let mut line = vec![spread.name.clone(), spread.ranks.to_string()];
        let time = |time: &Option<SimTime>| time.map_or("-".to_owned(), |time| time.to_string());
        line.extend(spread.times.iter().map(|(_, found)| time(found)));
        line.push(
            spread.half_width().map_or("-".into(), |half| format!("±{}", percent(100.0 * half))),
        );
        table.push(line);
    }
    aligned(&table, 1).join("\n") + "\n"
}

/// Returns the remark below a table that shows the first `most` of `all`, if it leaves any out; `what` says
/// which it shows.
pub(super) fn selected(most: usize, all: usize, what: &str) -> Option<String> {
    let all_text = count(all as u64);
    (all > most).then(|| format!("(the {most} of {all_text} {what}; --json lists each)"))
}

/// Aligns columns with two spaces between them: the first `left` columns to the left, the others to
/// the right.
pub(super) fn aligned(rows: &[Vec<String>], left: usize) -> Vec<String> {
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
