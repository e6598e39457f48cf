//! `windtunnel check`.

use mpi_abi::launch::Output;
use mpi_api::finding::Severity;
use scenarios::{
    computing::{Choice, Clocks},
    error::Error,
    options::Buffering,
    safety::{self, Report},
    scenario::Request,
};
use workers::Stop;

use super::{
    program::{Job, Own},
    run::{Files, tell, tell_lines},
};
use crate::{
    acceptance,
    args::{Judged, Options},
    diagnostic, execution,
    json::{self, check::Check},
    progress::Progress,
};

/// Checks a program and prints the verdict.
///
/// # Errors
/// If the input is bad or a file cannot be written.
pub(crate) fn check(judged: &Judged, own: Option<&Own>) -> Result<u8, Error> {
    let options = &judged.options;
    refuse(options)?;
    let gate = judged.acceptance.open(Severity::Warning)?;
    let job = Job::read(options, own)?;
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
        json::print(&Check::new(&scenario.request, &report, &judged));
    } else {
        print_text(options, &scenario.request, &report, &judged);
    }
    if files.any() {
        // The strictest legal system: what leans on buffering stands still here.
        let mut request = job.request.clone();
        request.buffering = Buffering::Zero;
        request.eager_limit = None;
        let scenario = job.scenario(request, Output::Discard)?;
        let finished = files.run(&scenario)?;
        files.write(&scenario, finished)?;
    }
    Ok(judged.exit_code(true))
}

/// What the check varies itself cannot be chosen.
fn refuse(options: &Options) -> Result<(), Error> {
    let limit = options.asked.eager_limit.map(|bytes| bytes.to_string());
    let varied = [
        ("--buffering", options.asked.buffering.map(|space| space.to_string())),
        ("--eager-limit", limit),
    ];
    for (what, value) in varied {
        if let Some(value) = value {
            let allowed = "nothing: the check tries zero and unlimited buffering itself; `windtunnel \
                           run` takes it";
            return Err(Error::BadValue { what: what.into(), value, allowed: allowed.into() });
        }
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
