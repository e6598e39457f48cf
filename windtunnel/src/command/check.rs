//! `windtunnel check`.

use mpi_abi::launch::Output;
use scenarios::{
    error::Error,
    safety::{self, Report},
};
use serde_json::{Value, json};

use crate::{args::Options, diagnostic};

/// Checks a program and prints the verdict.
///
/// # Errors
/// If the input is bad.
pub(crate) fn check(options: &Options) -> Result<u8, Error> {
    let scenario = super::program::resolve(options, Output::Discard)?;
    let report = safety::check(&scenario);
    if options.json {
        println!("{:#}", json_report(options, &report));
    } else {
        print_text(options, &report);
    }
    Ok(u8::from(!report.findings.is_empty()))
}

fn print_text(options: &Options, report: &Report) {
    if !options.quiet {
        for finding in &report.findings {
            println!("{}\n", diagnostic::render(finding));
        }
        let executions = report.runs.len();
        let extent = if report.exhaustive { "all match orders" } else { "not all match orders" };
        println!(
            "{} on {} ranks: {executions} executions, {extent}",
            options.program, options.ranks
        );
        if report.findings.is_empty() {
            println!("completed with zero buffering and with unlimited buffering, nothing leaked");
        }
    }
    println!("VERDICT: {}", report.verdict.word());
}

fn json_report(options: &Options, report: &Report) -> Value {
    let runs: Vec<Value> = report
        .runs
        .iter()
        .map(|run| {
            json!({
                "policy": run.policy,
                "outcome": run.result.ending.word(),
                "makespan_ns": run.result.makespan.as_ns_f64(),
                "digest": format!("{:016x}", run.result.digest),
            })
        })
        .collect();
    let findings: Vec<Value> = report.findings.iter().map(diagnostic::json).collect();
    let buffering = report.minimum.map(|minimum| {
        json!({
            "minimum_bytes_per_rank": minimum.bytes_per_rank,
            "minimum_total_bytes": minimum.total_bytes,
            "ranks_that_must_buffer": minimum.ranks,
            "peak_bytes_if_unlimited": minimum.peak_bytes,
        })
    });
    json!({
        "schema": "windtunnel.check/1",
        "program": options.program,
        "ranks": options.ranks,
        "verdict": report.verdict.word(),
        "findings": findings,
        "buffering": buffering,
        "runs": runs,
        "explored": { "executions": report.runs.len(), "exhaustive": report.exhaustive },
    })
}
