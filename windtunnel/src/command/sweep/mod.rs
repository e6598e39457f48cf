//! The command `windtunnel sweep`: a study of many configurations, whose results are kept one by one.

mod axes;
mod columns;
#[cfg(feature = "parquet")]
mod parquet;
mod slurm;
mod store;
mod tables;
mod words;

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use mpi_abi::launch::Output;
use mpi_api::{
    finding::Code,
    outcome::{Ending, RunResult},
};
use reports::analysis::Summary;
use scenarios::{
    error::Error,
    json::Document,
    safety::broken_off,
    scenario::{Ran, Request, Scenario, Watching},
    study::{Design, Points, Study},
};
use serde::{Deserialize, Serialize};
use sim_core::{Digest, words::counted};
use workers::{Failure, Work, Workers};

use self::{
    store::{Store, share_path},
    tables::Tables,
};
use super::{
    compare::axes::Axis,
    origin::Origin,
    program::{Job, Own},
};
use crate::{
    args::{Options, RANKS, Sweep},
    diagnostic, execution,
    json::{
        self, hexadecimal,
        sweep::{Ended, Header, Row},
    },
    memory,
    progress::Progress,
    spans::Share,
};

/// Runs the configurations of a study that have no result yet, and prints what is known then.
///
/// # Errors
/// Returns an error if the study is wrong, or its results cannot be written.
pub(crate) fn sweep(asked: &Sweep, own: &Own) -> Result<u8, Error> {
    let study = Study::load(&asked.study)?;
    let options = options(asked, &study);
    let without = Request::new(study.scenario.program.as_deref().unwrap_or_default(), RANKS);
    let origin = Origin::new(&asked.study, "/scenario", study.scenario.clone(), without);
    let job = Job::read(&options, own)?.of_file(origin);
    // What is wrong with every configuration is told at once.
    match job.scenario(job.request.clone(), Output::Print) {
        Err(error) if !may_fit(&error, &job.request) => {
            return Err(job.located(&job.request, error));
        }
        Ok(_) | Err(_) => {}
    }
    let document = Document::read(&asked.study)?;
    let axes = axes::read(&study, &job, &document)?;
    let sizes: Vec<usize> = axes.iter().map(Axis::len).collect();
    let points = study.points(&sizes).map_err(|error| match study.design {
        Design::Grid => document.placed("/axes", error),
        Design::LatinHypercube(_) | Design::Random(_) => document.placed("/design", error),
    })?;
    let plan = Plan { study: &study, job: &job, axes: &axes, points };
    plan.has_possible()?;
    let out = asked.out.as_ref().map_or_else(|| usual_path(&asked.study), PathBuf::from);
    Tables::can_be_written(asked)?;
    if let Some(tasks) = asked.slurm {
        return slurm::submit(asked, tasks, &out);
    }
    let tables = Tables::claim(asked)?;
    let header = plan.header()?;
    let path = match asked.share {
        Some(share) => share_path(&out, share),
        None => out,
    };
    let mut store = Store::open(&path, &header)?;
    if asked.share.is_none() {
        store.gather(&header)?;
    }
    let left = plan.run(&options, &mut store, &header, asked.share)?;

    let results = path.display().to_string();
    let sweep = words::summary(&header, &axes, store.rows(), results);
    if asked.json {
        json::print(&sweep);
    } else if !asked.quiet {
        print!("{}", diagnostic::printable(&words::text(&sweep)));
    }
    tables.write(&columns::columns(&axes, store.rows()))?;
    if left.stopped {
        let note = "stopped: the same command goes on with what is left";
        eprintln!("note: {note}");
    }
    if let Some((number, reason)) = left.too_large.first() {
        let count = counted(left.too_large.len() as u64, "configuration");
        let note =
            format!("{count} did not fit into memory, the first is number {number}: {reason}");
        eprintln!("note: {}", diagnostic::printable(&note));
    }
    let is_whole = !left.stopped && left.too_large.is_empty();
    Ok(u8::from(!is_whole || sweep.stalled > 0 || sweep.failed > 0))
}

/// Reports whether the error of a request may be gone with other values on the axes: its parts are well-formed and do not
/// fit each other.
fn may_fit(error: &Error, request: &Request) -> bool {
    let of_parts = matches!(error, Error::BadValue { .. } | Error::BadRoutes { .. });
    error.is_misfit() || of_parts && request.check_parts().is_ok()
}

/// Runs one configuration within the limit of memory.
fn run(scenario: &Scenario) -> Result<RunResult, Error> {
    memory::suffices_for(scenario, Watching::default())?;
    let Ran { result, .. } = scenario.run(None)?;
    memory::was_enough_for(scenario, &result)?;
    Ok(result)
}

/// Returns the path of the results if none is given: beside the study, with another ending.
fn usual_path(study: &str) -> PathBuf {
    Path::new(study).with_extension("results.jsonl")
}

/// Returns the options of a command that runs what the study describes.
fn options(asked: &Sweep, study: &Study) -> Options {
    Options {
        program: study.scenario.program.clone(),
        arguments: Vec::new(),
        asked: study.scenario.clone(),
        default_strictness: mpi_api::policy::Strictness::Library,
        max_wall: asked.max_wall,
        max_memory: asked.max_memory,
        keep_files: None,
        trace: None,
        trace_window: None,
        trace_ranks: None,
        record: None,
        report: None,
        json: asked.json,
        quiet: asked.quiet,
    }
}

/// What a study did not run.
#[derive(Default)]
struct Left {
    /// Whether it was stopped early.
    stopped: bool,
    /// The configurations that did not fit into memory, with the reasons.
    too_large: Vec<(u64, String)>,
}

/// Why a configuration has no result yet.
#[derive(Serialize, Deserialize)]
enum NoResult {
    /// Its run was stopped from outside: that says nothing about the configuration.
    Stopped,
    /// It does not fit into memory, for this reason.
    TooLarge(String),
    /// A file that was right when the study began has gone or has become wrong since.
    Wrong(String),
}

/// The configurations of a study.
struct Plan<'a> {
    study: &'a Study,
    job: &'a Job,
    axes: &'a [Axis],
    points: Points,
}

/// Returns the hash of the contents of files, 16 hexadecimal digits.
///
/// # Errors
/// Returns an error if one cannot be read.
fn hash_of<'a>(paths: impl IntoIterator<Item = &'a String>) -> Result<String, Error> {
    let mut digest = Digest::new();
    for path in paths {
        let bytes = fs::read(path);
        let bytes = bytes
            .map_err(|error| Error::BadFile { path: path.clone(), reason: error.to_string() })?;
        digest.mix_bytes(&bytes);
    }
    Ok(hexadecimal(digest.value()))
}

/// Returns all numbers below `count`, from 0 on, those that follow each other far apart: steps of the golden section
/// leave no large gap, and return to no number before all have come.
fn scattered(count: u64) -> impl Iterator<Item = u64> {
    let golden = (u128::from(count) * 618_034 / 1_000_000).max(1) as u64;
    let step = (golden..).find(|step| gcd(*step, count) == 1).unwrap_or(1);
    let next = move |number: &u64| {
        Some(((u128::from(*number) + u128::from(step)) % u128::from(count)) as u64)
    };
    std::iter::successors((count > 0).then_some(0), next)
        .take(usize::try_from(count).unwrap_or(usize::MAX))
}

/// Returns the greatest common divisor.
fn gcd(one: u64, other: u64) -> u64 {
    if other == 0 { one } else { gcd(other, one % other) }
}

impl Plan<'_> {
    /// Returns the number of configurations, repetitions included.
    fn count(&self) -> u64 {
        self.points.count() * u64::from(self.study.repetitions)
    }

    /// Returns a configuration, and the position of its value on each axis.
    fn request(&self, number: u64) -> (Request, Vec<usize>) {
        let repetitions = u64::from(self.study.repetitions);
        let at = self.points.at(number / repetitions);
        let apply = |request: Request, (axis, at): (&Axis, &usize)| axis.applied(*at, &request);
        let mut request = self.axes.iter().zip(&at).fold(self.job.request.clone(), apply);
        request.seed = request.seed.wrapping_add(number % repetitions);
        (request, at)
    }

    /// Looks for a configuration that can be run, all over the study: neighbours differ in one setting, and where
    /// one is impossible, so are mostly the thousands that share its first settings.
    ///
    /// # Errors
    /// Returns an error if there is none, or a file has become wrong.
    fn has_possible(&self) -> Result<(), Error> {
        let (mut first, mut alike) = (None, true);
        for combination in scattered(self.points.count()) {
            let (request, _) = self.request(combination * u64::from(self.study.repetitions));
            let Err(error) = self.job.scenario(request.clone(), Output::Print) else {
                return Ok(());
            };
            request.check_parts()?;
            let reason = error.to_string();
            alike &= *first.get_or_insert_with(|| reason.clone()) == reason;
        }
        let first = first.unwrap_or_default();
        Err(Error::BadProgram { reason: words::none_possible(self.count(), &first, alike) })
    }

    /// Returns the header of the file of results.
    ///
    /// # Errors
    /// Returns an error if the program or another file cannot be read.
    fn header(&self) -> Result<Header, Error> {
        let program = &self.job.request.program;
        let code = Path::new(program).is_file().then(|| hash_of([program])).transpose()?;
        let mut files = self.job.request.input_files()?;
        for axis in self.axes {
            for at in 0..axis.len() {
                files.extend(axis.applied(at, &self.job.request).input_files()?);
            }
        }
        let files = (!files.is_empty()).then(|| hash_of(&files)).transpose()?;
        Ok(Header {
            schema: "windtunnel.results/1".into(),
            study: hexadecimal(self.study.digest()),
            code,
            files,
            program: program.clone(),
            axes: self.axes.iter().map(Axis::name).collect(),
            configurations: self.count(),
        })
    }

    /// Runs what has no result yet, each configuration in its own process, which appends its result to
    /// the file. Returns what was left out.
    ///
    /// # Errors
    /// Returns an error if a result cannot be written.
    fn run(
        &self,
        options: &Options,
        store: &mut Store,
        header: &Header,
        share: Option<Share>,
    ) -> Result<Left, Error> {
        let is_asked = |number: &u64| {
            share.is_none_or(|share| share.has(*number)) && !store.rows().contains_key(number)
        };
        let missing: Vec<u64> = (0..self.count()).filter(is_asked).collect();
        if missing.is_empty() {
            return Ok(Left::default());
        }
        let progress = Progress::of_known(options, "sweeping", missing.len() as u64);
        let workers = execution::workers(options, self.job.is_foreign(), progress);
        let (refused, mut left) = self.run_all(&missing, store, &workers)?;
        left.stopped |= workers.stopped().is_some();
        store.refresh(header)?;
        // A configuration whose process has ended without a result has one now.
        for row in refused {
            store.add(row)?;
        }
        Ok(left)
    }

    /// Runs these configurations. Returns the results of those whose processes did not come to their
    /// end, and what was left out.
    ///
    /// # Errors
    /// Returns an error if a result cannot be written.
    fn run_all(
        &self,
        numbers: &[u64],
        store: &Store,
        workers: &Workers,
    ) -> Result<(Vec<Row>, Left), Error> {
        let works = numbers.iter().map(|number| Work {
            name: format!("configuration{number}"),
            shown: false,
            body: Box::new(move || {
                let row = match self.once(*number) {
                    Err(why) => return Ok(Some(why)),
                    Ok(row) => row,
                };
                store.append(&row).map_err(|error| error.to_string())?;
                Ok(None)
            }),
        });
        let (mut refused, mut left) = (Vec::new(), Left::default());
        for (number, done) in numbers.iter().zip(workers.run(works.collect())) {
            match done.result {
                Ok(Ok(None)) => {}
                // A program does not kill itself: the system does, or who cancels a job.
                Ok(Ok(Some(NoResult::Stopped)))
                | Err(Failure::Stopped | Failure::Signal(libc::SIGKILL)) => left.stopped = true,
                Ok(Ok(Some(NoResult::TooLarge(reason)))) => left.too_large.push((*number, reason)),
                Ok(Ok(Some(NoResult::Wrong(reason))) | Err(reason)) => {
                    return Err(Error::BadProgram { reason });
                }
                Err(failure) => {
                    let (request, at) = self.request(*number);
                    let result = RunResult::of_failure(request.ranks, broken_off(failure));
                    refused.push(self.row(*number, &at, request.seed, &result));
                }
            }
        }
        Ok((refused, left))
    }

    /// Runs one configuration.
    fn once(&self, number: u64) -> Result<Row, NoResult> {
        let (request, at) = self.request(number);
        let seed = request.seed;
        let scenario = self.job.scenario(request.clone(), Output::Discard);
        match scenario.and_then(|scenario| run(&scenario)) {
            Ok(result) if result.interrupted => Err(NoResult::Stopped),
            Ok(result) => Ok(self.row(number, &at, seed, &result)),
            Err(Error::TooMuchMemory { reason }) => Err(NoResult::TooLarge(reason)),
            Err(error) => match request.check_parts() {
                Err(wrong) => Err(NoResult::Wrong(wrong.to_string())),
                Ok(()) => Ok(Row {
                    outcome: Ended::Impossible,
                    reason: Some(error.to_string()),
                    ..self.empty_row(number, &at, seed)
                }),
            },
        }
    }

    fn empty_row(&self, number: u64, at: &[usize], seed: u64) -> Row {
        let settings = self.axes.iter().zip(at);
        let settings = settings.map(|(axis, at)| (axis.name(), axis.text(*at).to_owned()));
        Row {
            number,
            settings: settings.collect(),
            seed,
            outcome: Ended::Failed,
            reason: None,
            makespan_ns: None,
            compute_share: 0.0,
            overhead_share: 0.0,
            waiting_share: 0.0,
            messages: 0,
            bytes: 0,
            digest: hexadecimal(0),
            findings: Vec::new(),
        }
    }

    fn row(&self, number: u64, at: &[usize], seed: u64, result: &RunResult) -> Row {
        let summary = Summary::of(result);
        let completed = result.ending == Ending::Completed;
        let first = result.findings.first().filter(|_| !completed);
        let reason = first.map(|finding| {
            diagnostic::render(finding).lines().next().unwrap_or_default().to_owned()
        });
        let codes: BTreeMap<Code, String> =
            result.findings.iter().map(|it| (it.code, it.code.name().to_string())).collect();
        Row {
            outcome: match result.ending {
                Ending::Completed => Ended::Completed,
                Ending::Stalled => Ended::Stalled,
                Ending::Failed => Ended::Failed,
            },
            reason,
            makespan_ns: completed.then(|| result.makespan.as_ps() as f64 / 1000.0),
            compute_share: summary.compute_share,
            overhead_share: summary.overhead_share,
            waiting_share: summary.waiting_share,
            messages: result.messages,
            bytes: result.bytes,
            digest: hexadecimal(result.digest),
            findings: codes.into_values().collect(),
            ..self.empty_row(number, at, seed)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scattered_numbers_are_all_numbers() {
        for count in (0..200).chain([1024, 5040, 65_536]) {
            let mut all: Vec<u64> = scattered(count).collect();
            assert_eq!(all.first(), (count > 0).then_some(&0));
            // The first eight of many leave no gap of a quarter.
            if count > 100 {
                let mut first = [&all[..8], &[count]].concat();
                first.sort_unstable();
                assert!(first.windows(2).all(|pair| pair[1] - pair[0] < count / 4), "{first:?}");
            }
            all.sort_unstable();
            assert!(all.into_iter().eq(0..count), "{count}");
        }
    }
}
