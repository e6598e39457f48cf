//! `windtunnel run`.

use std::fs;

use mpi_abi::launch::Output;
use mpi_api::{
    outcome::{Ending, RunResult},
    trace::{Recording, TraceSink},
};
use scenarios::{error::Error, scenario::Scenario};
use serde_json::{Value, json};
use sim_core::SimDuration;

use crate::{args::Options, diagnostic};

/// Most ranks that get a line of their own.
const LINES_MAX: usize = 16;

/// Runs a program once and prints what happened.
///
/// # Errors
/// If the input is bad.
pub(crate) fn run(options: &Options) -> Result<u8, Error> {
    let output = if options.json { Output::Discard } else { Output::Print };
    let scenario = super::program::resolve(options, output)?;
    let sink = options.trace.as_ref().map(|_| Box::<Recording>::default() as Box<dyn TraceSink>);
    let (result, sink) = scenario.run(sink);
    if let (Some(path), Some(sink)) = (&options.trace, sink) {
        let mut bytes = Vec::new();
        let topology = Some(&*scenario.topology);
        reports::render::perfetto::write(options.ranks, &sink.finish(), topology, &mut bytes)
            .and_then(|()| fs::write(path, &bytes))
            .map_err(|error| Error::BadFile { path: path.clone(), reason: error.to_string() })?;
    }
    if options.json {
        println!("{:#}", json_result(&scenario, &result));
    } else {
        for finding in &result.findings {
            println!("{}\n", diagnostic::render(finding));
        }
        print_text(&scenario, &result);
    }
    Ok(u8::from(result.ending != Ending::Completed || !result.findings.is_empty()))
}

fn print_text(scenario: &Scenario, result: &RunResult) {
    let request = &scenario.request;
    println!("{} on {} ranks", request.program, request.ranks);
    println!("machine    {}: {}", scenario.machine.name, scenario.machine.summary);
    println!("topology   {}, network {}", scenario.topology.name(), scenario.network);
    println!("makespan   {} ({})", result.makespan, result.ending.word());
    println!("messages   {}, {} bytes, {} events", result.messages, result.bytes, result.events);
    println!("{:>10} {:>12} {:>12} {:>12}", "rank", "compute", "overhead", "waiting");
    for (rank, totals) in result.ranks.iter().enumerate().take(LINES_MAX) {
        let (compute, overhead) = (totals.compute.to_string(), totals.overhead.to_string());
        println!("{rank:>10} {compute:>12} {overhead:>12} {:>12}", totals.waiting.to_string());
    }
    if result.ranks.len() > LINES_MAX {
        println!("{:>10} and {} more", "", result.ranks.len() - LINES_MAX);
    }
    if let Some(hottest) = hottest(scenario, result) {
        println!("hottest    {hottest}");
    }
    println!("bound by   {}", bound(result));
    println!("digest     {:016x}", result.digest);
}

/// The most used link, in words.
pub(super) fn hottest(scenario: &Scenario, result: &RunResult) -> Option<String> {
    let (index, usage) =
        result.links.iter().enumerate().max_by_key(|(at, usage)| (usage.busy, usize::MAX - at))?;
    let link = network_models::LinkId(index as u32);
    let (from, to) = scenario.topology.link_ends(link);
    let share = 100.0 * usage.busy.as_secs_f64() / result.makespan.as_secs_f64().max(1e-12);
    let (from, to) = (scenario.topology.describe(from), scenario.topology.describe(to));
    Some(format!("{from} -> {to}: busy {share:.1} % of the time, {} bytes", usage.bytes))
}

fn bound(result: &RunResult) -> String {
    let sum = |part: fn(&mpi_api::outcome::RankTotals) -> SimDuration| -> f64 {
        result.ranks.iter().map(|rank| part(rank).as_secs_f64()).sum()
    };
    let parts = [
        ("computing", sum(|rank| rank.compute)),
        ("processor time inside MPI", sum(|rank| rank.overhead)),
        ("waiting for messages", sum(|rank| rank.waiting)),
    ];
    let total: f64 = parts.iter().map(|(_, time)| time).sum();
    let largest = parts.into_iter().max_by(|a, b| a.1.total_cmp(&b.1));
    match largest {
        Some((name, time)) if total > 0.0 => {
            format!("{name}: {:.0} % of all ranks' time", 100.0 * time / total)
        }
        _ => "nothing".into(),
    }
}

/// The run for scripts.
pub(super) fn json_result(scenario: &Scenario, result: &RunResult) -> Value {
    let request = &scenario.request;
    let ranks: Vec<Value> = result
        .ranks
        .iter()
        .map(|rank| {
            json!({
                "busy_ns": rank.compute.as_ns_f64(),
                "communicating_ns": rank.overhead.as_ns_f64(),
                "waiting_ns": rank.waiting.as_ns_f64(),
                "messages": rank.messages,
                "bytes": rank.bytes,
            })
        })
        .collect();
    let findings: Vec<Value> = result.findings.iter().map(diagnostic::json).collect();
    json!({
        "schema": "windtunnel.run/1",
        "program": request.program,
        "ranks": request.ranks,
        "machine": scenario.machine.name,
        "topology": scenario.topology.name(),
        "network": scenario.network,
        "seed": request.seed,
        "outcome": result.ending.word(),
        "makespan_ns": result.makespan.as_ns_f64(),
        "messages": result.messages,
        "bytes": result.bytes,
        "events": result.events,
        "digest": format!("{:016x}", result.digest),
        "per_rank": ranks,
        "hottest_link": hottest(scenario, result),
        "findings": findings,
    })
}
