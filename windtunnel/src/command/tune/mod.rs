//! The command `windtunnel tune`: the best settings of a program, found by running it.

mod search;
mod space;
mod words;

use std::collections::{BTreeMap, BTreeSet};

use mpi_abi::launch::Output;
use mpi_api::{
    finding::Code,
    outcome::{Ending, RunResult},
};
use reports::{
    analysis::{Alone, Trial, TunedSetting, Tuning},
    render::{self, html},
};
use scenarios::{
    error::Error,
    scenario::{Request, Scenario},
};
use sim_core::SimTime;
use workers::Workers;

use self::{
    search::{Found, Point, Score, Space, search},
    space::Setting,
};
use super::{
    compare::{axes::Written, grid},
    described::{PAGES, caution, command, machine_notes},
    program::{Job, Own},
    recording,
    what_if::{computes_alike, observed},
};
use crate::{args::Tune, diagnostic, execution, json, output::Destination, progress::Progress};

/// Searches the best settings of a program and prints them.
///
/// # Errors
/// Returns an error if the input is bad or the report cannot be written.
pub(crate) fn tune(asked: &Tune, own: &Own) -> Result<u8, Error> {
    let options = &asked.options;
    if let Some(file) = &options.trace {
        return Err(Error::BadValue {
            what: "--trace".into(),
            value: file.clone(),
            allowed: "given for a single run; use `windtunnel run`".into(),
        });
    }
    recording::is_not_asked_for(options)?;
    let job = Job::read(options, own)?;
    computes_alike(&job, "tune")?;
    let report = Destination::claim_if_asked(options.report.as_deref(), &PAGES)?;
    let progress = Progress::of_executions(options, "tuning");
    let workers = execution::workers(options, job.is_foreign(), progress);
    let today = job.resolved(Output::Print)?;
    let (today, result, collectives) = observed(today, &workers)?;
    let settings = space::settings(&job, &collectives, &asked.axes)?;
    if settings.iter().all(|setting| setting.axis.len() < 2) {
        return Err(Error::BadValue {
            what: "what is tuned".into(),
            value: job.request.program.clone(),
            allowed: "at least one setting with several values; name one with --axis".into(),
        });
    }
    let mut trials = Trials::new(&job, &settings, &workers, &result);
    let space = space::space(&settings);
    let budget = asked.budget as usize;
    let mut evaluate = |points: &[Point]| trials.run(points);
    let found = search(&space, budget, job.request.seed, &mut evaluate)?;
    let tuning = trials.tuning(found, &space, &today)?;
    if options.json {
        json::print(&json::tune::Tune::new(&tuning, &job.request, asked.budget.into()));
    } else if options.quiet {
        println!("{}", tuning.command);
    } else {
        print!("{}", diagnostic::printable(&render::tuning(&tuning)));
    }
    caution(&job.request);
    let code = u8::from(tuning.best.is_none());
    if let Some(destination) = report {
        let page = html::TuningPage {
            tuning,
            machine: machine_notes(&today.machine),
            seed: job.request.seed,
            command: command(),
        };
        destination.write(html::tuning(&page).as_bytes())?;
    }
    Ok(code)
}

/// The combinations of a search, and what is known of them besides their scores.
struct Trials<'a> {
    job: &'a Job,
    settings: &'a [Setting],
    workers: &'a Workers,
    today: &'a RunResult,
    /// What is found today; a combination with other findings is not acceptable.
    accepted: BTreeSet<Code>,
    /// Why combinations are not acceptable.
    remarks: BTreeMap<Point, String>,
    /// Combinations that cannot be run.
    misfits: BTreeSet<Point>,
    digests: BTreeMap<Point, u64>,
}

impl<'a> Trials<'a> {
    fn new(
        job: &'a Job,
        settings: &'a [Setting],
        workers: &'a Workers,
        today: &'a RunResult,
    ) -> Self {
        let accepted = today.findings.iter().map(|finding| finding.code).collect();
        let (remarks, misfits, digests) = (BTreeMap::new(), BTreeSet::new(), BTreeMap::new());
        Self { job, settings, workers, today, accepted, remarks, misfits, digests }
    }

    /// Runs combinations, each in its own process, and returns their scores in order; `None` of a run that was stopped.
    ///
    /// # Errors
    /// Returns an error if one is bad by itself.
    fn run(&mut self, points: &[Point]) -> Result<Vec<Option<Score>>, Error> {
        let places = points.iter().map(|point| grid::fitting(self.job, self.request(point)));
        let places = places.collect::<Result<Vec<_>, Error>>()?;
        let mut scores = Vec::new();
        for (point, place) in points.iter().zip(grid::fill(places, self.workers)?) {
            let judged = match place {
                Ok(cell) => self.judged(&cell.result),
                Err(Error::Stopped) => {
                    scores.push(None);
                    continue;
                }
                Err(misfit) => {
                    self.misfits.insert(point.clone());
                    Err(misfit.to_string())
                }
            };
            match judged {
                Ok((makespan, digest)) => {
                    self.digests.insert(point.clone(), digest);
                    scores.push(Some(Some(makespan)));
                }
                Err(remark) => {
                    self.remarks.insert(point.clone(), remark);
                    scores.push(Some(None));
                }
            }
        }
        Ok(scores)
    }

    /// Returns the run time and the digest of an acceptable run, or why it is none.
    fn judged(&self, result: &RunResult) -> Result<(SimTime, u64), String> {
        let new = result.findings.iter().find(|it| !self.accepted.contains(&it.code));
        match (result.ending, new) {
            (_, Some(finding)) => {
                Err(diagnostic::render(finding).lines().next().unwrap_or_default().to_owned())
            }
            (Ending::Completed, None) => Ok((result.makespan, result.digest)),
            (ending, None) => Err(format!("the run {}", ending.word())),
        }
    }

    /// Runs a combination unless its score is known.
    fn learn(&mut self, point: &Point, known: &mut BTreeMap<Point, Score>) -> Result<(), Error> {
        if !known.contains_key(point) {
            let score = self.run(std::slice::from_ref(point))?[0].ok_or(Error::Stopped)?;
            known.insert(point.clone(), score);
        }
        Ok(())
    }

    /// Sets those settings of a combination back to today's that can be without loss; reports whether there were any.
    ///
    /// # Errors
    /// The same as [`Trials::run`].
    fn sets_back(
        &mut self,
        (point, time): &mut (Point, SimTime),
        space: &Space,
        known: &mut BTreeMap<Point, Score>,
    ) -> Result<bool, Error> {
        let before = point.clone();
        for (setting, today) in space.today.iter().enumerate() {
            if point[setting] == *today {
                continue;
            }
            let without = Space::with(point, setting, *today);
            self.learn(&without, known)?;
            // A value that is not offered may be faster.
            let is_offered = space.offered[setting].contains(today);
            let is_no_loss = |other: SimTime| match is_offered {
                true => other <= *time,
                false => other == *time,
            };
            if let Some(other) = known[&without].filter(|other| is_no_loss(*other)) {
                (*point, *time) = (without, other);
            }
        }
        Ok(*point != before)
    }

    fn request(&self, point: &Point) -> Request {
        space::request(self.settings, &self.job.request, point)
    }

    /// Returns what a search has found. Settings of the best combination that can be set back to today's without
    /// loss are, and the combinations that show what each remaining one is worth are run if they are not known.
    ///
    /// # Errors
    /// The same as [`Trials::run`], unless the runs were stopped.
    fn tuning(mut self, found: Found, space: &Space, today: &Scenario) -> Result<Tuning, Error> {
        let Found { mut known, stopped } = found;
        let mut best = Found::best(&known, space).map(|(point, time)| (point.clone(), time));
        if let (Some(best), false) = (&mut best, stopped) {
            // What the others are worth may depend on what has been set back.
            while self.sets_back(best, space, &mut known)? {}
            // They are known if today's combination is one of those that were searched.
            if !space.offers(&space.today) {
                for (setting, offered) in space.offered.iter().enumerate() {
                    for at in offered.clone() {
                        self.learn(&Space::with(&space.today, setting, at), &mut known)?;
                    }
                }
            }
        }
        let tuned = |number| self.tuned(number, best.as_ref(), space, &known);
        let settings = (0..self.settings.len()).map(tuned).collect();
        // Today's settings were run first of all.
        let ran: BTreeSet<&Point> = known.keys().chain([&space.today]).collect();
        let ran = ran.into_iter().filter(|point| !self.misfits.contains(*point));
        let (to_choose, for_comparison): (Vec<&Point>, Vec<&Point>) =
            ran.partition(|point| space.offers(point));
        let simulated = [to_choose.len(), for_comparison.len()];
        known.retain(|point, _| space.offers(point));
        let rejected = known.values().filter(|score| score.is_none()).count();
        let point = best.as_ref().map(|(point, _)| point);
        let written = point.map_or(Vec::new(), |point| space::written(self.settings, point));
        let request = &self.job.request;
        let machine = written.iter().filter_map(|one| match one {
            Written::Machine(text) => Some(text.clone()),
            Written::Options(_) | Written::Arguments(_) => None,
        });
        Ok(Tuning {
            program: request.program.clone(),
            ranks: request.ranks,
            system: [
                today.machine.name.clone(),
                today.topology.name().to_string(),
                today.network.clone(),
            ],
            today: (self.today.ending == Ending::Completed).then_some(self.today.makespan),
            best: best.as_ref().map(|(_, time)| *time),
            settings,
            tried: known.len(),
            simulated,
            rejected,
            combinations: space.combinations(),
            stopped,
            machine: machine.collect(),
            command: words::run_command(std::env::args_os(), &written),
            digest: point.and_then(|point| self.digests.get(point).copied()),
        })
    }

    fn tuned(
        &self,
        number: usize,
        best: Option<&(Point, SimTime)>,
        space: &Space,
        known: &BTreeMap<Point, Score>,
    ) -> TunedSetting {
        let setting = &self.settings[number];
        let alone = setting.offered().map(|at| {
            let point = Space::with(&space.today, number, at);
            Alone {
                value: setting.axis.text(at).to_owned(),
                is_today: at == space.today[number],
                trial: trial(known, &point),
                remark: self.remarks.get(&point).cloned(),
            }
        });
        let at = best.map(|(point, _)| point[number]);
        let today = space.today[number];
        let is_changed = at.is_some_and(|at| at != today);
        TunedSetting {
            name: setting.axis.name(),
            alone: alone.collect(),
            best: at.map(|at| setting.axis.text(at).to_owned()),
            is_changed,
            without: best
                .filter(|_| is_changed)
                .map(|(point, _)| trial(known, &Space::with(point, number, today))),
        }
    }
}

/// Returns what is known of a combination.
fn trial(known: &BTreeMap<Point, Score>, point: &Point) -> Trial {
    match known.get(point) {
        None => Trial::NotTried,
        Some(None) => Trial::Rejected,
        Some(Some(time)) => Trial::Ran(*time),
    }
}
