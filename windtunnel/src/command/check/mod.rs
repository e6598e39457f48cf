//! The command `windtunnel check`.

mod again;
mod beside;
mod format;
mod one_node;
mod page;
mod watch;

use mpi_abi::launch::Output;
use mpi_api::finding::{Finding, Severity, Verdict, are_clean};
use scenarios::{
    computing::{Choice, Clocks},
    error::Error,
    options::{Buffering, RankCount},
    safety::{self, Budget, PolicyRun, Report, Space},
    scenario::{Request, Scenario},
};
use sim_core::words::{count, counted};
use workers::{Stop, Workers};

use self::one_node::OneNode;
use super::{
    program::{Job, Own},
    recording,
    run::{Files, tell, tell_lines},
};
use crate::{
    acceptance,
    args::{Checked as Asked, Extra, Options},
    diagnostic, execution,
    formats::Format,
    json::check::Check,
    lists::each_once,
    memory,
    progress::Progress,
};

/// A check with one number of ranks, and its result.
struct Checked {
    request: Request,
    report: Report,
    budget: Budget,
    judged: acceptance::Judged,
    on_one_node: OneNode,
}

impl Checked {
    /// Returns whether the exit code is 1 because of this check.
    fn fails(&self) -> bool {
        match self.request.expect {
            Some(expected) => expected != self.report.verdict,
            None => self.judged.exit_code(true) > 0,
        }
    }

    /// Returns the object that `--json` prints.
    fn object(&self) -> Check {
        let (budget, findings) = (self.budget, self.judged.objects());
        Check::new(&self.request, (&self.report, self.on_one_node.executions), budget, findings)
    }
}

/// Checks a program and prints the verdict.
///
/// # Errors
/// Returns an error if the input is bad or a file cannot be written.
pub(crate) fn check(asked: &Asked, own: &Own) -> Result<u8, Error> {
    if let Some(folder) = &asked.watch {
        return watch::watch(folder);
    }
    let options = &asked.judged.options;
    let format = match asked.format {
        None if options.json => Format::Json,
        format => format.unwrap_or(Format::Text),
    };
    // What other formats hold is not for people to read.
    let options = &Options { json: format != Format::Text, ..options.clone() };
    let gate = asked.judged.acceptance.open(Severity::Warning)?;
    let sizes: Vec<Option<RankCount>> = match each_once(asked.sizes.clone()).as_slice() {
        [] => vec![options.asked.ranks],
        sizes => sizes.iter().copied().map(Some).collect(),
    };
    for (name, file) in [("--trace", &options.trace), ("--report", &options.report)] {
        if let (Some(file), true) = (file, sizes.len() > 1) {
            let allowed = "given with one number of ranks".into();
            return Err(Error::BadValue { what: name.into(), value: file.clone(), allowed });
        }
    }
    let (mut found, mut unchecked) = (Vec::new(), None);
    for size in &sizes {
        let mut options = options.clone();
        options.asked.ranks = *size;
        match one_size(asked, &options, own) {
            Ok(checked) => found.push(checked),
            Err(error) if found.is_empty() => return Err(error),
            // What is known of the other sizes is not lost.
            Err(error) => {
                unchecked = Some(error);
                break;
            }
        }
    }
    let findings: Vec<Vec<Finding>> =
        found.iter().map(|(_, report, _)| report.findings.clone()).collect();
    let judged = gate.judge(&findings.concat())?.split(findings.iter().map(Vec::len));
    let budget = asked.budget.unwrap_or(Budget::Usual);
    let checks: Vec<Checked> = (found.into_iter().zip(judged))
        .map(|((request, report, on_one_node), judged)| Checked {
            request,
            report,
            budget,
            judged,
            on_one_node,
        })
        .collect();
    match format {
        Format::Text => print_text(options, &checks),
        format => format::print(format, &checks),
    }
    match unchecked {
        Some(error) => Err(error),
        None => Ok(u8::from(checks.iter().any(Checked::fails))),
    }
}

/// Checks a program with one number of ranks. Returns what was asked in the end, the result, and what was made with all ranks
/// on one node.
fn one_size(
    asked: &Asked,
    options: &Options,
    own: &Own,
) -> Result<(Request, Report, OneNode), Error> {
    recording::is_not_asked_for(options)?;
    let mut job = Job::read(options, own)?;
    job.request.schedule.clone_from(&asked.judged.schedule);
    refuse(options, &job.request)?;
    repeatable(&job.request)?;
    let mut scenario = job.resolved(Output::Print)?;
    let files = Files::claim(options, &scenario)?;
    let progress = Progress::of_executions(options, "checking");
    let workers = execution::workers(options, job.is_foreign(), progress);
    let mut report = made(asked, &scenario, &workers)?;
    let mut on_one_node = OneNode::default();
    let together = one_node::request(&scenario, &report);
    // Not every machine has a node for them.
    if let Some(request) = together
        && let Ok(other) = job.scenario(request.clone(), Output::Discard)
    {
        let mut found = made(asked, &other, &workers)?;
        on_one_node.executions = found.runs.len();
        report.exhaustive &= found.exhaustive;
        report.stopped = found.stopped;
        if found.verdict < report.verdict && !one_node::is_undecided(&found) {
            on_one_node.options = one_node::tell(&mut found, &request);
            (job.request, scenario, report) = (request, other, found);
        }
    }
    for remark in workers.remarks() {
        eprintln!("note: {remark}");
    }
    for run in &report.runs {
        memory::was_enough_for(&scenario, &run.result)?;
    }
    if files.any() {
        // The execution behind the verdict; else that with zero buffering, which is the strictest
        // behaviour that MPI allows: a program that relies on buffering deadlocks here.
        let mut request = job.request.clone();
        let behind = report.findings.first().and_then(|finding| finding.schedule.as_deref());
        let behind = behind.and_then(|schedule| schedule.parse().ok());
        request.schedule = request.schedule.or(behind);
        if request.schedule.is_none() {
            request.buffering = Buffering::Zero;
            request.eager_limit = None;
        }
        let scenario = job.scenario(request, Output::Discard)?;
        let mut finished = files.run(&scenario)?;
        let shown = (&scenario, &finished.result);
        let summary = page::summary(&report, shown, (&job, &workers), &on_one_node.options)?;
        finished.checked(summary);
        files.write(&scenario, finished)?;
    }
    Ok((scenario.request.clone(), report, on_one_node))
}

/// Makes a check, or the one execution that is asked for.
fn made(asked: &Asked, scenario: &Scenario, workers: &Workers) -> Result<Report, Error> {
    let budget = asked.budget.unwrap_or(Budget::Usual);
    let mut report = match &asked.judged.schedule {
        Some(schedule) => {
            let report = safety::check_schedule(scenario, schedule, workers);
            report.runs.iter().try_for_each(|run| schedule.fits(&run.result))?;
            report
        }
        None => safety::check_with(scenario, workers, budget),
    };
    if asked.warn.contains(&Extra::Portability) {
        report.findings.extend(safety::portability(scenario, workers, &report));
    }
    Ok(report)
}

/// Returns the most severe verdict of several checks.
fn worst(checks: &[Checked]) -> Verdict {
    checks.iter().map(|check| check.report.verdict).min().unwrap_or(Verdict::Ok)
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
    execution::has_copies_of_files(request)
}

/// Prints checks for people. The last line has the most severe verdict.
fn print_text(options: &Options, checks: &[Checked]) {
    for check in checks {
        print_check(options, check, checks.len() > 1);
        if checks.len() > 1 && !options.quiet {
            let ranks = counted(check.request.ranks.into(), "rank");
            println!("{ranks}: {}\n", check.report.verdict.word());
        }
    }
    println!("VERDICT: {}", worst(checks).word());
}

fn not_finished(stop: Stop) -> String {
    format!("not finished: {}; the verdict is that of these executions", why(stop))
}

/// Prints a check, which is one of `several` with different numbers of ranks.
fn print_check(options: &Options, check: &Checked, several: bool) {
    let Checked { request, report, judged, .. } = check;
    if options.quiet {
        tell_lines(judged);
        if let Some(stop) = report.stopped {
            let ranks = counted(request.ranks.into(), "rank");
            let of = if several { format!("{ranks}: ") } else { String::new() };
            eprintln!("{of}{}", not_finished(stop));
        }
    } else {
        let ranks = several.then_some(request.ranks);
        let options = &check.on_one_node.options;
        tell(judged, &report.findings, |schedule| again::command(ranks, options, schedule));
        let executions = counted(report.runs.len() as u64, "execution");
        let ranks = counted(request.ranks.into(), "rank");
        let program = diagnostic::printable(&request.program);
        match &request.schedule {
            Some(schedule) => {
                println!("{program} on {ranks}: the execution {schedule}");
                if !are_clean(&report.findings) && report.runs.iter().any(PolicyRun::chose) {
                    println!(
                        "this is one order of several; without --schedule, check tells whether the others end \
                         like it"
                    );
                }
            }
            None => {
                let extent = extent(report);
                let drawn = match report.drawn_window_orders() {
                    0 => String::new(),
                    drawn => format!("; the order of accesses to windows is drawn in {drawn}"),
                };
                let more = match &check.on_one_node {
                    OneNode { executions, options } if *executions > 0 && options.is_empty() => {
                        format!("; {executions} more with all ranks on one node")
                    }
                    _ => String::new(),
                };
                println!("{program} on {ranks}: {executions}, {extent}{drawn}{more}");
            }
        }
        if let Some(stop) = report.stopped {
            println!("{}", not_finished(stop));
        } else if are_clean(&report.findings) && request.schedule.is_none() {
            println!("completed with zero buffering and with unlimited buffering, nothing leaked");
        }
        if report.is_watched_in_part() {
            println!(
                "not every access to memory of pending operations or windows was looked at: there are too many"
            );
        }
    }
    if let Some(expected) = request.expect {
        let is = if expected == report.verdict { "as expected" } else { "not as expected" };
        println!("{is}: the scenario expects {}", expected.word());
    }
}

/// Returns how far the match orders were followed, as text.
fn extent(report: &Report) -> String {
    let orders = || report.followed.iter().map(|(_, followed)| followed.orders);
    let partial = report.followed.iter().find(|(space, _)| *space == Space::Partial);
    let each = |of: u64| match of {
        1 => "the only match order".to_owned(),
        orders => format!("all {} match orders", count(orders)),
    };
    if report.exhaustive {
        let [first, last] = [orders().min().unwrap_or(0), orders().max().unwrap_or(0)];
        return match last {
            1 => "all match orders".into(),
            _ if first == last => each(first),
            _ => {
                let [zero, unlimited] =
                    [orders().next(), orders().nth(1)].map(Option::unwrap_or_default);
                let both = format!("{} without and {} with buffering", each(zero), each(unlimited));
                match partial {
                    Some((_, partial)) => {
                        format!("{both}, {} with some messages buffered", each(partial.orders))
                    }
                    None => both,
                }
            }
        };
    }
    let drawn: u64 = report.followed.iter().map(|(_, followed)| followed.drawn).sum();
    let all: u64 = orders().sum();
    let systematic = all - drawn;
    if all == 0 {
        return "no other match order was followed".into();
    }
    let bound = match drawn {
        0 => String::new(),
        _ => bound(report.missed(1), report.missed(2)),
    };
    format!(
        "not all match orders: {}, and {} drawn at random{bound}; --budget follows more",
        count(systematic),
        count(drawn)
    )
}

/// Returns what the probabilities that drawn orders miss a fault are at most, for a fault that one choice decides and for
/// one that two decide, as text. What is certain to miss it, as rounded, is left out.
fn bound(one: f64, two: f64) -> String {
    let percent = |probability: f64| {
        // Rounded up: it is a bound.
        let percent = (probability * 1000.0).ceil() / 10.0;
        (percent < 100.0).then(|| format!("{percent} %"))
    };
    match (percent(one), percent(two)) {
        (None, _) => " (too few to say how likely they are to find a fault)".into(),
        (Some(one), None) => {
            format!(
                " (they miss a fault that one choice decides with a probability of at most {one})"
            )
        }
        (Some(one), Some(two)) => format!(
            " (they miss a fault that one choice decides with a probability of at most {one}, one that two decide with \
             at most {two})"
        ),
    }
}

/// Returns why a check was stopped early, as text.
fn why(stop: Stop) -> &'static str {
    match stop {
        Stop::Deadline => "the time of --max-wall is over",
        Stop::Signal => "the check was told to end",
    }
}

#[cfg(test)]
mod tests {
    use super::bound;

    #[test]
    fn a_bound_that_bounds_nothing_is_left_out() {
        let both = bound(0.0104, 0.9989);
        assert!(both.contains("at most 1.1 %,") && both.contains("at most 99.9 %)"), "{both}");
        let one = bound(0.5, 0.9991);
        assert!(one.contains("at most 50 %)") && !one.contains("two"), "{one}");
        for nothing in [bound(1.0, 1.0), bound(0.99901, 0.9999)] {
            assert!(nothing.contains("too few") && !nothing.contains('%'), "{nothing}");
        }
    }
}
