//! The command `windtunnel run`.

use std::sync::Arc;

use mpi_abi::launch::{Output, ends_within_line, lost_output};
use mpi_api::{
    finding::{Code, Finding, Severity},
    outcome::{Ending, RunResult},
    trace::TraceSink,
};
use reports::{
    Detail, Records,
    analysis::{Efficiencies, Profile, Profiler, Repetitions, WhatIf},
    records::{Packer, PackerHandle},
    render::{
        self,
        html::{self, CheckSummary, RunPage},
        perfetto::{KeeperHandle, Kept},
    },
};
use scenarios::{
    computing::{Choice, Clocks, Recording},
    error::Error,
    scenario::{Ran, Scenario, Watching},
};
use sim_core::words::counted;

use super::{
    debugger,
    described::{
        PAGES, caution, caution_text, command, disturbances, machine_notes, report, topology,
        warn_of_overload,
    },
    profiling::Ideal,
    program::{Job, Own},
    recording::RecordedRun,
    repetitions::{Repeating, run_others},
    trace::TraceFile,
    what_if,
};
use crate::{
    acceptance,
    args::{Options, Repeated},
    diagnostic,
    execution::{self, Aside, bound, no_output, unbound},
    json, memory,
    output::Destination,
    progress::Progress,
};

/// Runs a program once and prints what happened.
///
/// # Errors
/// Returns an error if the input is bad or a file cannot be written.
pub(crate) fn run(repeated: &Repeated, own: &Own) -> Result<u8, Error> {
    let Repeated { judged, repeat, profile, what_if: questions, gdb } = repeated;
    let options = &judged.options;
    execution::keeps_no_files(options)?;
    let gate = judged.acceptance.open(Severity::Warning)?;
    let mut job = Job::read(options, own)?;
    job.request.schedule.clone_from(&judged.schedule);
    if let Some(rank) = *gdb {
        return debugger::stop_at_finding(rank, &job, options);
    }
    let scenario = job.resolved(Output::Print)?;
    warn_of_overload(&scenario);
    let files = Files::claim(options, &scenario)?;
    let (recorded, scenario) = RecordedRun::begin(options, scenario)?;
    let repeating = repeat.map(|count| others(options, &job, count)).transpose()?;
    let ideal = match profile {
        Some(_) => Ideal::run(options, &job)?,
        None => Ideal::not_asked(),
    };
    let what_if = match questions.as_slice() {
        [] => None,
        questions => what_if::ask(questions, options, &job)?,
    };
    let progress = Progress::new(options, "simulating");
    let aside = Aside::new(options).map_err(no_output)?;
    bound(options);
    let finished = files.run_profiled(&scenario, profile.is_some() || files.report.is_some());
    unbound();
    drop(aside);
    let mut finished = finished?;
    let result = &finished.result;
    if let Some(schedule) = &judged.schedule {
        schedule.fits(result)?;
    }
    finished.analysed.repetitions = repeating.map(|repeating| {
        let completed = result.ending == Ending::Completed;
        repeating.with_first(completed.then_some(result.makespan), result.digest)
    });
    finished.analysed.efficiencies = ideal.efficiencies(result);
    finished.analysed.what_if = what_if;
    drop(progress);
    let judged = gate.judge(&result.findings)?;
    print_run(repeated, &scenario, &finished, &judged);
    // A Rust program that ends itself is not told from its own process by scripts around it.
    let ends_itself = |finding: &Finding| finding.code == Code::ExitCode;
    let repetitions = finished.analysed.repetitions.as_ref();
    let failed = repetitions.is_some_and(|it| it.was_stopped() || !it.failed.is_empty());
    let code = if own.program.is_some() && result.findings.iter().any(ends_itself) {
        judged.exit_code_of(result, true)
    } else {
        judged.exit_code(result.ending == Ending::Completed && !failed)
    };
    // What can be written is written before it is told that the run could not be recorded.
    let recorded = recorded.map_or(Ok(()), |recorded| recorded.end(&scenario, result));
    files.write(&scenario, finished)?;
    recorded?;
    Ok(code)
}

/// Prints a run as the options ask for it.
fn print_run(
    repeated: &Repeated,
    scenario: &Scenario,
    finished: &Finished,
    judged: &acceptance::Judged,
) {
    let options = &repeated.judged.options;
    let Finished { result, analysed, .. } = finished;
    let Analysed { repetitions, profile, efficiencies, what_if, check: _ } = analysed;
    let repetitions = repetitions.as_ref();
    let profile = profile.as_ref().zip(repeated.profile);
    // Under --json the output of the program goes to standard error, under --quiet nowhere.
    if ends_within_line() && !options.json && !options.quiet {
        println!();
    }
    if options.json {
        let whole = u128::from(result.makespan.as_ps()) * result.ranks.len() as u128;
        let shown = profile.map(|(profile, _)| (profile, whole));
        json::print(&json::run::Run::new(
            scenario,
            result,
            repetitions,
            json::profile::Analyses::new(efficiencies, shown, what_if.as_ref()),
            judged.objects(),
        ));
    } else if options.quiet {
        tell_lines(judged);
        println!("{}", result.makespan);
        if let Some(repetitions) = repetitions {
            println!("{}", repetitions.sentence());
        }
        caution(&scenario.request);
    } else {
        tell(judged, &result.findings, diagnostic::option);
        let asked = efficiencies.as_ref().filter(|_| profile.is_some());
        print!("{}", diagnostic::printable(&report(scenario, result, repetitions, asked)));
        if let Some((found, lines)) = profile {
            let text = render::profile(found, result, lines.limit());
            print!("{}", diagnostic::printable(&text));
        }
        if let Some(what_if) = what_if {
            print!("\n{}", diagnostic::printable(&render::what_if(what_if)));
        }
    }
}

/// Runs everything but the first repetition.
fn others(options: &Options, job: &Job, count: u32) -> Result<Repeating, Error> {
    let progress = Progress::of_executions(options, "repeating");
    let workers = execution::workers(options, job.is_foreign(), progress);
    run_others(job, count, &workers)
}

/// Prints the findings, with accepted ones marked; `again` returns the command that makes the execution of a schedule again.
pub(super) fn tell(
    judged: &acceptance::Judged,
    findings: &[Finding],
    again: impl Fn(&str) -> String,
) {
    for finding in judged.findings() {
        println!("{}\n", diagnostic::render_with(&finding, &again));
    }
    if let Some(note) = diagnostic::without_lines(findings) {
        println!("{note}\n");
    }
}

/// Prints one line on standard error for each finding that makes the exit code 1.
pub(super) fn tell_lines(judged: &acceptance::Judged) {
    judged.lines().for_each(|line| eprintln!("{line}"));
}

/// The result of a run that is over, with its records.
pub(super) struct Finished {
    pub(super) result: RunResult,
    records: Records,
    trace: Option<Kept>,
    durations: Option<Recording>,
    analysed: Analysed,
}

/// What is computed of a run besides its result.
#[derive(Default)]
struct Analysed {
    repetitions: Option<Repetitions>,
    profile: Option<Profile>,
    efficiencies: Option<Efficiencies>,
    what_if: Option<WhatIf>,
    check: Option<CheckSummary>,
}

impl Finished {
    /// Records that the run is an execution of a check.
    pub(super) fn checked(&mut self, summary: CheckSummary) {
        self.analysed.check = Some(summary);
    }
}

/// The files that a run is asked to write.
pub(super) struct Files {
    trace: Option<TraceFile>,
    report: Option<Destination>,
    durations: Option<Destination>,
}

impl Files {
    /// Checks that the files can be written.
    ///
    /// # Errors
    /// Returns an error if one of them cannot.
    pub(super) fn claim(options: &Options, scenario: &Scenario) -> Result<Self, Error> {
        let trace = TraceFile::claim(options)?;
        let report = Destination::claim_if_asked(options.report.as_deref(), &PAGES)?;
        let durations = scenario.records_to().map(Destination::claim).transpose()?;
        memory::limit(options, 1);
        let is_whole = options.trace_window.is_none() && options.trace_ranks.is_none();
        let kept = Watching { report: report.is_some(), trace: trace.is_some() && is_whole };
        memory::suffices_for(scenario, kept)?;
        Ok(Self { trace, report, durations })
    }

    /// Returns whether a file is asked for that needs the events of the run.
    pub(super) fn any(&self) -> bool {
        self.trace.is_some() || self.report.is_some()
    }

    /// Runs the scenario, recording what these files need.
    ///
    /// # Errors
    /// Returns an error if the program does not match its recorded computing times.
    pub(super) fn run(&self, scenario: &Scenario) -> Result<Finished, Error> {
        self.run_profiled(scenario, false)
    }

    /// Like [`Files::run`], and computes the profile of the run if it is asked for.
    ///
    /// # Errors
    /// The same as [`Files::run`].
    fn run_profiled(&self, scenario: &Scenario, profiled: bool) -> Result<Finished, Error> {
        let (mut sink, mut packed) = (None, None);
        if self.report.is_some() {
            let (packer, its) = Packer::new();
            (sink, packed) = (Some(Box::new(packer) as Box<dyn TraceSink>), Some(its));
        }
        let mut kept = None;
        if let Some(trace) = &self.trace {
            let (keeper, handle) = trace.keeper(sink);
            (sink, kept) = (Some(keeper), Some(handle));
        }
        let mut handle = None;
        if profiled {
            let (profiler, its) = Profiler::new(sink);
            (sink, handle) = (Some(Box::new(profiler) as Box<dyn TraceSink>), Some(its));
        }
        let Ran { result, sink, durations } = scenario.run(sink)?;
        memory::was_enough_for(scenario, &result)?;
        if let Some(reason) = lost_output() {
            let (path, reason) = ("standard output".into(), format!("cannot be written: {reason}"));
            return Err(Error::BadFile { path, reason });
        }
        drop(sink);
        let records = packed.map(PackerHandle::finish).unwrap_or_default();
        let profile = handle.map(|handle| handle.finish(&result));
        let trace = kept.map(KeeperHandle::finish);
        let analysed = Analysed { profile, ..Analysed::default() };
        Ok(Finished { result, records, trace, durations, analysed })
    }

    /// Writes the files.
    ///
    /// # Errors
    /// Returns an error if a file cannot be written, for example because the disk is full.
    pub(super) fn write(self, scenario: &Scenario, finished: Finished) -> Result<(), Error> {
        let Finished { result, records, trace, durations, analysed } = finished;
        if let (Some(destination), Some(durations)) = (self.durations, durations) {
            keep(destination, &durations, &result)?;
        }
        if let (Some(file), Some(kept)) = (self.trace, trace) {
            file.write(scenario, result.ranks.len() as u32, &kept)?;
        }
        if let Some(destination) = self.report {
            destination.write(html::run(&page(scenario, result, records, analysed)).as_bytes())?;
        }
        Ok(())
    }
}

/// Writes a recording of computing times, unless its run was stopped early.
///
/// # Errors
/// Returns an error if it cannot be written.
pub(super) fn keep(
    destination: Destination,
    durations: &Recording,
    result: &RunResult,
) -> Result<(), Error> {
    if result.ending == Ending::Completed {
        return destination.write(durations.text().as_bytes());
    }
    eprintln!("note: computing was not recorded: the program did not come to its end");
    Ok(())
}

fn page(scenario: &Scenario, result: RunResult, records: Records, analysed: Analysed) -> RunPage {
    let request = &scenario.request;
    let entry = |name: &str, value: String| (name.to_string(), value);
    let mut settings = vec![
        entry("program", request.program.clone()),
        entry("ranks", request.ranks.to_string()),
        entry("topology", topology(scenario)),
        entry("network model", scenario.network.clone()),
        entry("placement", request.placement.clone()),
        entry("buffering", request.buffering.to_string()),
        entry("seed", request.seed.to_string()),
        entry("digest", format!("{:016x}", result.digest)),
    ];
    settings.extend(result.started.iter().map(|family| entry("started", family.describe())));
    if request.compute != Choice::Modelled {
        settings.push(entry("computing", request.compute.to_string()));
    }
    if request.clocks != Clocks::Simulated {
        settings.push(entry("clocks", request.clocks.word().to_string()));
    }
    settings.extend(disturbances(request).into_iter().map(|what| entry("disturbed by", what)));
    let parameters = request.parameters.iter();
    settings.extend(parameters.map(|(key, value)| entry(key, value.clone())));
    RunPage {
        program: request.program.clone(),
        machine: machine_notes(&scenario.machine),
        settings,
        command: command(),
        caution: request.irreproducible().map(caution_text),
        repetitions: analysed.repetitions,
        profile: analysed.profile,
        efficiencies: analysed.efficiencies,
        what_if: analysed.what_if,
        check: analysed.check,
        findings: result.findings.iter().map(diagnostic::render).collect(),
        detail: Detail {
            title: format!(
                "{}, {}",
                scenario.topology.name(),
                counted(result.ranks.len() as u64, "rank")
            ),
            topology: Arc::clone(&scenario.topology),
            result,
            records,
        },
    }
}
