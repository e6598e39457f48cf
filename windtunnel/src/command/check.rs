//! `windtunnel check`.

use mpi_abi::launch::Output;
use mpi_api::finding::Severity;
use scenarios::{
    computing::{Choice, Clocks},
    error::Error,
    safety::{self, Report},
    scenario::Request,
};
use serde_json::{Value, json};
use workers::Stop;

use super::{
    program::{Job, Own},
    run::{Files, tell, tell_lines},
};
use crate::{
    acceptance,
    args::{Judged, Options},
    diagnostic, execution,
    progress::Progress,
};

/// Checks a program and prints the verdict.
///
/// # Errors
/// If the input is bad or a file cannot be written.
pub(crate) fn check(judged: &Judged, own: Option<&Own>) -> Result<u8, Error> {
    let options = &judged.options;
    let gate = judged.acceptance.open(Severity::Warning)?;
    let job = Job::read(options, own)?;
    refuse(options, &job.request)?;
    repeatable(&job.request)?;
    let scenario = job.scenario(job.request.clone(), Output::Print)?;
    let files = Files::claim(options, &scenario)?;
    let report = {
        let progress = Progress::of_executions(options, "checking");
        let workers = execution::workers(options, job.is_foreign(), progress);
        let report = safety::check_with(&scenario, &workers);
        for remark in workers.remarks() {
            eprintln!("note: {remark}");
        }
        report
    };
    let judged = gate.judge(&report.findings)?;
    if options.json {
        println!("{:#}", json_report(&scenario.request, &report, &judged));
    } else {
        print_text(options, &scenario.request, &report, &judged);
    }
    if files.any() {
        // The strictest legal system: what leans on buffering stands still here.
        let mut request = job.request.clone();
        request.buffering = "zero".into();
        request.eager_limit = None;
        let scenario = job.scenario(request, Output::Discard)?;
        let finished = files.run(&scenario)?;
        files.write(&scenario, finished)?;
    }
    Ok(judged.exit_code(true))
}

/// What the check varies itself cannot be chosen, neither by options nor in a scenario file. The eager
/// limit of a scenario file, which may be there for runs, plays no part.
fn refuse(options: &Options, request: &Request) -> Result<(), Error> {
    let usual = Request::new("", 1).buffering;
    let in_file = Some(&request.buffering).filter(|chosen| **chosen != usual);
    let limit = options.eager_limit.map(|bytes| bytes.to_string());
    let varied = [
        ("--buffering", options.buffering.clone()),
        ("--eager-limit", limit),
        ("buffering of the scenario file", in_file.cloned()),
    ];
    for (what, value) in varied {
        if let Some(value) = value {
            let allowed = "nothing: the check tries zero and unlimited buffering itself; `windtunnel \
                           run` takes it";
            return Err(Error::BadValue { what: what.into(), value, allowed: allowed.into() });
        }
    }
    if request.eager_limit.is_some() {
        eprintln!(
            "note: eager_limit_bytes of the scenario file plays no part: the check tries zero and \
             unlimited buffering itself"
        );
    }
    Ok(())
}

/// The check follows one program through many executions, so it has to do the same in each.
fn repeatable(request: &Request) -> Result<(), Error> {
    let wrong = |what: &str, value: String, allowed: &str| {
        let allowed = format!("{allowed}: the check repeats the program under other conditions");
        Err(Error::BadValue { what: what.into(), value, allowed })
    };
    if request.compute != Choice::Modelled {
        return wrong("the computing", request.compute.to_string(), "modelled");
    }
    if request.clocks != Clocks::Simulated {
        return wrong("the clocks", request.clocks.word().into(), "simulated");
    }
    Ok(())
}

fn print_text(options: &Options, request: &Request, report: &Report, judged: &acceptance::Judged) {
    if options.quiet {
        tell_lines(judged);
    } else {
        tell(judged, &report.findings);
        let executions = report.runs.len();
        let extent = if report.exhaustive { "all match orders" } else { "not all match orders" };
        println!(
            "{} on {} ranks: {executions} executions, {extent}",
            diagnostic::printable(&request.program),
            request.ranks
        );
        if let Some(stop) = report.stopped {
            println!("not finished: {}; the verdict is that of these executions", why(stop));
        } else if report.findings.is_empty() {
            println!("completed with zero buffering and with unlimited buffering, nothing leaked");
        }
    }
    println!("VERDICT: {}", report.verdict.word());
}

/// Why a check was broken off.
fn why(stop: Stop) -> &'static str {
    match stop {
        Stop::Deadline => "the time of --max-wall is over",
        Stop::Signal => "the check was told to end",
    }
}

/// The word for scripts.
fn word(stop: Stop) -> &'static str {
    match stop {
        Stop::Deadline => "max-wall",
        Stop::Signal => "signal",
    }
}

/// The report for scripts.
pub(crate) fn json_report(
    request: &Request,
    report: &Report,
    judged: &acceptance::Judged,
) -> Value {
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
        "program": request.program,
        "ranks": request.ranks,
        "verdict": report.verdict.word(),
        "findings": judged.json(),
        "buffering": buffering,
        "runs": runs,
        "explored": { "executions": report.runs.len(), "exhaustive": report.exhaustive, "stopped_by": report.stopped.map(word) },
    })
}
