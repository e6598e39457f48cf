//! The command `windtunnel check`.

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
    recording,
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
/// Returns an error if the input is bad or a file cannot be written.
pub(crate) fn check(judged: &Judged, own: &Own) -> Result<u8, Error> {
    let options = &judged.options;
    let gate = judged.acceptance.open(Severity::Warning)?;
    recording::is_not_asked_for(options)?;
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
        json::print(&Check::new(&scenario.request, &report, judged.objects()));
    } else {
        print_text(options, &scenario.request, &report, &judged);
    }
    if files.any() {
        // Zero buffering is the strictest behaviour that MPI allows: a program that relies on
        // buffering deadlocks here.
        let mut request = job.request.clone();
        request.buffering = Buffering::Zero;
        request.eager_limit = None;
        let scenario = job.scenario(request, Output::Discard)?;
        let finished = files.run(&scenario)?;
        files.write(&scenario, finished)?;
    }
    Ok(match job.request.expect {
        Some(expected) => u8::from(expected != report.verdict),
        None => judged.exit_code(true),
    })
}

/// Refuses options and scenario values for what the check varies itself. An eager limit in a
/// scenario file is ignored, since the file may also serve `windtunnel run`.
fn refuse(options: &Options, request: &Request) -> Result<(), Error> {
    let in_file = Some(request.buffering).filter(|chosen| *chosen != Buffering::default());
    let text = |buffering: Buffering| buffering.to_string();
    let varied = [
        ("--buffering", options.asked.buffering.map(text)),
        ("--eager-limit", options.asked.eager_limit.map(|bytes| bytes.to_string())),
        ("buffering of the scenario file", in_file.map(text)),
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

/// Refuses requests whose executions may differ: the check follows one program through many
/// executions, so each must do the same.
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
    has_copies_of_files(request)
}

/// Refuses a folder for files of which the executions have no views of their own.
///
/// # Errors
/// Returns an error if the folder is not below the working folder.
pub(super) fn has_copies_of_files(request: &Request) -> Result<(), Error> {
    let Some(folder) = request.folder_for_files()? else { return Ok(()) };
    let here = std::env::current_dir().map_err(|error| Error::BadValue {
        what: "the working folder".into(),
        value: error.to_string(),
        allowed: "a folder that exists".into(),
    })?;
    if std::path::Path::new(&folder).starts_with(here) {
        return Ok(());
    }
    Err(Error::BadValue {
        what: "the folder for files".into(),
        value: folder,
        allowed: "a folder below the working folder, of which each execution has its own view"
            .into(),
    })
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
    if let Some(expected) = request.expect {
        let is = if expected == report.verdict { "as expected" } else { "not as expected" };
        println!("{is}: the scenario expects {}", expected.word());
    }
    println!("VERDICT: {}", report.verdict.word());
}

/// Returns why a check was stopped early, as text.
fn why(stop: Stop) -> &'static str {
    match stop {
        Stop::Deadline => "the time of --max-wall is over",
        Stop::Signal => "the check was told to end",
    }
}
