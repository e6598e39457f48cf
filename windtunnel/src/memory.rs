//! The memory of a run: an estimate before it starts, and a limit while it goes on. What does not fit is
//! an error with the numbers; otherwise the system would end the process in the middle, without a result.

use std::{
    fmt::Write,
    fs,
    sync::atomic::{AtomicBool, AtomicU64, Ordering},
};

use mpi_api::outcome::RunResult;
use rustix::{
    param::page_size,
    process::{Resource, getrlimit},
};
use scenarios::{
    error::Error,
    options,
    scenario::{Need, Part, Scenario, Watching},
};
use sim_core::{interrupt::watch_memory, words::counted};

use crate::{args::Options, spare};

/// Memory that is kept free for everything but the run, in bytes.
const RESERVE: u64 = 64 << 20;

/// A part of an estimate matters for what to do if it is one of this many equal parts, or larger.
const MATTERS: u64 = 8;

/// Everything of which a run may hold more than is known before it starts.
const UNKNOWN: [(Part, u64); 4] =
    [(Part::Data, 1), (Part::Ranks, 1), (Part::Arrays, 1), (Part::Report, 1)];

/// The largest resident size of a process that simulates, in bytes; the largest number if it is unknown.
static LIMIT: AtomicU64 = AtomicU64::new(u64::MAX);
/// Whether the limit is that of `--max-memory`.
static ASKED: AtomicBool = AtomicBool::new(false);

/// Parses the value of `--max-memory`.
pub(crate) fn size(text: &str) -> Result<u64, String> {
    let found = options::size(text).filter(|bytes| *bytes > 0);
    found.ok_or_else(|| "a size is a whole number with a unit: 512MB, 4GiB, 16G".into())
}

/// Sets the limit for runs of this process, or of processes that it forks, of which this many run at once:
/// that of `--max-memory` for each of them, or an equal share of what this machine has left.
pub(crate) fn limit(options: &Options, at_once: usize) {
    let left = || {
        let room = spare::memory()?.saturating_sub(RESERVE) / at_once.max(1) as u64;
        Some(resident()?.saturating_add(room))
    };
    ASKED.store(options.max_memory.is_some(), Ordering::Relaxed);
    LIMIT.store(options.max_memory.or_else(left).unwrap_or(u64::MAX), Ordering::Relaxed);
    watch_memory(|| resident().is_some_and(|bytes| bytes > LIMIT.load(Ordering::Relaxed)));
}

/// Returns the memory that this process holds, in bytes.
fn resident() -> Option<u64> {
    Some(workers::resident_pages()? * page_size() as u64)
}

/// Checks that a run of which this is kept fits into the address space and into the limit.
///
/// # Errors
/// Returns an error if it does not, with the parts of the estimate.
pub(crate) fn suffices_for(scenario: &Scenario, watching: Watching) -> Result<(), Error> {
    address_space_suffices_for(scenario)?;
    let (estimate, limit) = (scenario.memory(watching), LIMIT.load(Ordering::Relaxed));
    let present = resident().unwrap_or_default();
    let total = present.saturating_add(estimate.total());
    if total <= limit {
        return Ok(());
    }
    let mut reason = format!(
        "{} on {}, {}, would take {} of memory or more; {} {}",
        scenario.request.program,
        counted(scenario.request.ranks.into(), "rank"),
        scenario.topology.name(),
        bytes(total),
        bytes(limit),
        words_of_limit()
    );
    let parts = estimate.parts.iter().map(|(part, bytes)| (words_of(*part), *bytes));
    for (what, each) in parts.chain([("the simulator, with program and topology", present)]) {
        let _ = write!(reason, "\n  {:>10}  {what}", bytes(each));
    }
    Err(Error::TooMuchMemory { reason: reason + &help(&estimate.parts) })
}

/// Returns the error of a run that was stopped because it passed the limit; `Ok` if it was not.
///
/// # Errors
/// Returns this error.
pub(crate) fn was_enough_for(scenario: &Scenario, result: &RunResult) -> Result<(), Error> {
    if !result.out_of_memory {
        return Ok(());
    }
    let reason = format!(
        "{} on {}, {}, was stopped: it took more than {}, which {}; {} of simulated time and {} had passed",
        scenario.request.program,
        counted(scenario.request.ranks.into(), "rank"),
        scenario.topology.name(),
        bytes(LIMIT.load(Ordering::Relaxed)),
        words_of_limit(),
        result.makespan,
        counted(result.messages, "message")
    );
    Err(Error::TooMuchMemory { reason: reason + &help(&UNKNOWN) })
}

/// Returns where the limit comes from.
fn words_of_limit() -> &'static str {
    match ASKED.load(Ordering::Relaxed) {
        true => "is what --max-memory allows",
        false => "is what this machine has left for a run",
    }
}

fn words_of(part: Part) -> &'static str {
    match part {
        Part::Ranks => "stacks and tables of the ranks",
        Part::Links => "links of the network",
        Part::Data => "data of messages in the program's arrays",
        Part::Arrays => "the program's arrays",
        Part::Report => "events for the report",
        Part::Trace => "events for the trace",
    }
}

/// Returns what makes a run smaller: the remedies for parts that matter, the largest first.
fn help(parts: &[(Part, u64)]) -> String {
    let whole: u64 = parts.iter().fold(0, |sum, (_, bytes)| sum.saturating_add(*bytes));
    let mut parts: Vec<&(Part, u64)> =
        parts.iter().filter(|(_, bytes)| *bytes >= whole / MATTERS).collect();
    parts.sort_by_key(|(_, bytes)| std::cmp::Reverse(*bytes));
    let mut remedies: Vec<&str> = parts.iter().map(|(part, _)| remedy(*part)).collect();
    remedies.dedup();
    remedies.push(match ASKED.load(Ordering::Relaxed) {
        true => "a larger --max-memory",
        false => "a machine with more memory",
    });
    format!("\n  help: {}", remedies.join("; "))
}

fn remedy(part: Part) -> &'static str {
    match part {
        Part::Ranks => "fewer ranks",
        Part::Links => "a smaller topology",
        Part::Data => "--data none, which simulates sizes only",
        Part::Arrays => "a smaller problem",
        Part::Report | Part::Trace => "no report, and a trace with --trace-window",
    }
}

/// Checks that the stacks of the ranks fit into the address space that the process may have.
fn address_space_suffices_for(scenario: &Scenario) -> Result<(), Error> {
    let Need { address_space, .. } = scenario.need_per_rank();
    let ranks = u64::from(scenario.request.ranks);
    let Some(left) = left_to_map() else { return Ok(()) };
    let room = left.saturating_sub(RESERVE);
    if ranks.saturating_mul(address_space) <= room {
        return Ok(());
    }
    let (most, each, left) = (room / address_space, bytes(address_space), bytes(left));
    Err(Error::BadValue {
        what: "the number of ranks".into(),
        value: ranks.to_string(),
        allowed: format!(
            "at most {most} here: each takes {each} of address space (ulimit -v), of which {left} \
             are left"
        ),
    })
}

/// Returns the address space that the limit of the process leaves, if it has one.
fn left_to_map() -> Option<u64> {
    let limit = getrlimit(Resource::As).current?;
    let pages = fs::read_to_string("/proc/self/statm").ok()?;
    let used: u64 = pages.split(' ').next()?.parse().ok()?;
    Some(limit.saturating_sub(used * page_size() as u64))
}

/// Returns a number of bytes with a unit, for display.
fn bytes(bytes: u64) -> String {
    match bytes {
        0..0x400 => counted(bytes, "byte"),
        0x400..0x10_0000 => format!("{} KiB", bytes >> 10),
        0x10_0000..0x4000_0000 => format!("{} MiB", bytes >> 20),
        _ => format!("{:.1} GiB", bytes as f64 / f64::from(1 << 30)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_told_in_the_unit_that_fits() {
        let texts = [1000, 8 << 10, 3 << 20, 5 << 29].map(bytes);
        assert_eq!(texts, ["1,000 bytes", "8 KiB", "3 MiB", "2.5 GiB"]);
    }

    #[test]
    fn limits_have_units() {
        assert_eq!(["512MB", "4GiB"].map(size), [Ok(512_000_000), Ok(4 << 30)]);
        for wrong in ["0", "", "-1G", "4 G", "much"] {
            assert!(size(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn remedies_are_those_for_the_large_parts() {
        let parts = [(Part::Ranks, 10), (Part::Links, 1), (Part::Report, 500), (Part::Trace, 90)];
        assert_eq!(
            help(&parts),
            "\n  help: no report, and a trace with --trace-window; a machine with more memory"
        );
    }

    #[test]
    fn a_process_knows_its_size() {
        assert!(resident().is_some_and(|bytes| bytes > 1 << 20));
    }
}
