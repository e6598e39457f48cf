//! The executions of a check: each in its own process, or all in this one.

use std::{
    cell::{Cell, RefCell},
    time::Duration,
};

use mpi_api::{
    check::{exit_code, limit_reached, signal},
    finding::{Code, Finding},
    outcome::{Ending, RunResult},
    settings::{Buffering, Matching, Races, Settings},
};
use serde::{Serialize, de::DeserializeOwned};
use workers::{Done, Failure, Work, Workers, part_is_done, processor_time, resident_pages};

use super::{Policy, PolicyRun, buffering::Pair};
use crate::scenario::{Request, Scenario};

/// Most messages of an execution that may wait for their receives at once, and for many ranks the most for
/// each of them. A program that has more sends without end.
const UNRECEIVED_MAX: u32 = 1 << 18;
const UNRECEIVED_EACH: u32 = 1 << 12;

/// Most executions that follow each other in one process.
pub(super) const TOGETHER: usize = 64;

/// Most pages by which executions in one process may make it grow: programs do not always free their memory.
const GROWN_MAX: u64 = 1 << 15;

/// Number of consecutive attempts without a clean execution after which each execution gets a process of its own.
const FRUITLESS_MAX: u32 = 4;

/// Number of idle polls after which an execution is a livelock, where another one was one: it most likely polls in the same
/// loop, which does not end after a number of polls.
const IDLE_POLLS_AGAIN: u64 = 20_000;

/// How many events an execution may have, where others end.
pub(super) struct Allowance {
    /// However few the others have.
    least: u64,
    /// For each event of the longest of them.
    each: u64,
}

impl Allowance {
    /// That of any execution: one that has more has no end.
    const ANY: Self = Self { least: 1 << 22, each: 1 << 10 };

    /// That of an execution that may well have no end. In a drawn one, priorities can let ranks that only talk to each other
    /// keep those waiting on which the end depends; and where one had no end, others have none.
    pub(super) const DOUBTFUL: Self = Self { least: 1 << 18, each: 1 << 5 };
}

/// Event limit of an execution before any has ended, unless the user sets one: this number, plus [`FIRST_MAX_EACH`] for each
/// rank.
const FIRST_MAX: u64 = 1 << 23;
const FIRST_MAX_EACH: u64 = 1 << 20;

/// How many times as long as all that have ended an execution has computed that has no end, and the shortest time that the
/// others are taken to need.
const COMPUTES_TIMES: u32 = 50;
const COMPUTES_LEAST: Duration = Duration::from_millis(40);

/// How many times as many events it may have as those.
const COMPUTES_EVENTS: u64 = 4;

/// Results of executions that were made before they are wanted. Each policy is the name of one.
#[derive(Default)]
pub(super) struct Foreseen(Vec<(Policy, RunResult)>);

impl Foreseen {
    /// Takes the result of an execution, if it was made.
    pub(super) fn take(&mut self, policy: Policy) -> Option<RunResult> {
        let at = self.0.iter().position(|(known, _)| *known == policy)?;
        Some(self.0.swap_remove(at).1)
    }
}

/// Runs one scenario under different settings.
pub(super) struct Executions<'a> {
    pub(super) scenario: &'a Scenario,
    pub(super) workers: &'a Workers,
    /// Number of consecutive calls of [`Executions::run_shared`] that made no clean execution.
    fruitless: Cell<u32>,
    /// Most events of an execution that has ended; 0 before that.
    longest: Cell<u64>,
    /// Most processor time of an execution that has ended; zero before that.
    slowest: Cell<Duration>,
    /// Executions that were stopped and had computed so much longer that they have no end.
    computing: RefCell<Vec<Policy>>,
    /// Others like them, which nobody had asked for yet.
    unasked: RefCell<Vec<PolicyRun>>,
    /// Whether an execution had as many events as any may have, and did not end.
    endless: Cell<bool>,
    /// Whether ranks of an execution polled for ever.
    polled: Cell<bool>,
    /// Whether an execution has left something in its process that others there could notice.
    reached_out: Cell<bool>,
}

impl<'a> Executions<'a> {
    pub(super) fn new(scenario: &'a Scenario, workers: &'a Workers) -> Self {
        Self {
            scenario,
            workers,
            fruitless: Cell::new(0),
            longest: Cell::new(0),
            slowest: Cell::new(Duration::ZERO),
            computing: RefCell::default(),
            unasked: RefCell::default(),
            endless: Cell::new(false),
            polled: Cell::new(false),
            reached_out: Cell::new(false),
        }
    }

    /// Runs the scenario once for each policy and its settings.
    ///
    /// Order: as given. Executions that did not start before the deadline are left out.
    pub(super) fn run(&self, mut wanted: Vec<(Policy, Settings)>) -> Vec<PolicyRun> {
        for (_, settings) in &mut wanted {
            self.limit(settings);
        }
        let works = wanted.iter().map(|(policy, settings)| {
            let settings = Settings { races: Races::Causal, ..settings.clone() };
            Work {
                name: policy.to_string(),
                shown: *policy == Policy::ORDINARY,
                body: Box::new(move || {
                    let (result, took) = self.timed(settings);
                    (result, took, self.scenario.is_contained())
                }),
            }
        });
        let done = self.workers.run(works.collect());
        let runs = wanted.into_iter().zip(done).map(|((policy, settings), done)| {
            let Done { result, output } = done;
            let result = match result {
                Ok((mut result, took, is_contained)) => {
                    self.reached_out.set(self.reached_out.get() || !is_contained);
                    if self.computes_on(&mut result, took) {
                        self.computing.borrow_mut().push(policy);
                    }
                    result
                }
                Err(Failure::Stopped) => return None,
                Err(failure) => {
                    RunResult::of_failure(self.scenario.request.ranks, broken_off(failure))
                }
            };
            let is_livelock = |finding: &Finding| finding.code == Code::Livelock;
            self.polled.set(self.polled.get() || result.findings.iter().any(is_livelock));
            Some(PolicyRun { policy, settings, result, output })
        });
        runs.flatten().collect()
    }

    /// Makes the executions from which it becomes known how many events others may have. Only the ordinary one may have as
    /// many as the user allows; another one that has very many is made again.
    pub(super) fn run_plain(&self, wanted: Vec<(Policy, Settings)>) -> Vec<PolicyRun> {
        let bounded = wanted.iter().cloned().map(|(policy, mut settings)| {
            if policy != Policy::ORDINARY {
                settings.limits.events = settings.limits.events.min(Allowance::ANY.least);
            }
            (policy, settings)
        });
        let runs = self.run(bounded.collect());
        self.bound(&runs);
        let finish = |run: PolicyRun| {
            let (policy, settings) =
                wanted.iter().find(|(policy, _)| *policy == run.policy)?.clone();
            let allowed = self.most_events(Allowance::ANY).min(settings.limits.events);
            match run.result.endless && run.settings.limits.events < allowed {
                true => self.run_one(policy, settings),
                false => Some(run),
            }
        };
        runs.into_iter().filter_map(finish).collect()
    }

    /// Bounds the executions that follow, so that one without an end does not keep the check from its own: each may take
    /// many times as many events as these, of which some have ended.
    pub(super) fn bound(&self, runs: &[PolicyRun]) {
        let ended = runs.iter().filter(|run| run.result.ending == Ending::Completed);
        let longest = ended.map(|run| run.result.events).fold(self.longest.get(), u64::max);
        self.longest.set(longest);
        let most = self.most_events(Allowance::ANY);
        let is_endless = |run: &PolicyRun| run.result.endless && run.settings.limits.events >= most;
        self.endless.set(self.endless.get() || runs.iter().any(is_endless));
    }

    /// Returns how many events an execution may have.
    pub(super) fn most_events(&self, Allowance { least, each }: Allowance) -> u64 {
        let Request { ranks, max_events, .. } = &self.scenario.request;
        match self.longest.get() {
            0 if self.endless.get() => least,
            0 if max_events.is_none() => {
                FIRST_MAX.saturating_add(u64::from(*ranks).saturating_mul(FIRST_MAX_EACH))
            }
            0 => u64::MAX,
            longest => least.max(longest.saturating_mul(each)),
        }
    }

    /// Takes the processor time of an execution as that of others that end if it has ended. Otherwise reports whether it was
    /// stopped when it had computed so much longer than these that it has no end, and says so in its finding.
    fn computes_on(&self, result: &mut RunResult, took: Duration) -> bool {
        let slowest = self.slowest.get();
        if result.ending == Ending::Completed {
            self.slowest.set(slowest.max(took));
            return false;
        }
        // Where the clock of the processor is coarse, those that have ended may have taken nothing.
        let is_long = self.longest.get() > 0
            && took > slowest.max(COMPUTES_LEAST) * COMPUTES_TIMES
            && result.events <= self.longest.get().saturating_mul(COMPUTES_EVENTS);
        if !result.interrupted || !is_long {
            return false;
        }
        let all = result.findings.iter_mut();
        for finding in all.filter(|finding| finding.code == Code::LimitReached) {
            limit_reached::explain_time(finding, took, slowest);
        }
        true
    }

    /// Reports whether an execution was stopped that has no end, as far as its length tells.
    pub(super) fn exceeds(&self, run: &PolicyRun) -> bool {
        self.computing.borrow().contains(&run.policy) || self.has_many_events(run)
    }

    /// Reports whether an execution that was stopped has had so many more events than those that have ended that it may well
    /// have no end.
    fn has_many_events(&self, run: &PolicyRun) -> bool {
        self.longest.get() > 0 && run.result.events > self.most_events(Allowance::DOUBTFUL)
    }

    /// Adds to the finding about an execution that was ended for its length how long it was, and how long others are. The
    /// user's own limit says that already.
    pub(super) fn tell_length(&self, run: &mut PolicyRun) {
        let of_user = self.scenario.request.max_events;
        let limit = run.settings.limits.events;
        let events = match run.result.endless {
            true if of_user.is_some_and(|of_user| of_user <= limit) => return,
            true => limit,
            false if run.result.interrupted && self.has_many_events(run) => run.result.events,
            false => return,
        };
        let all = run.result.findings.iter_mut();
        for finding in all.filter(|finding| finding.code == Code::LimitReached) {
            limit_reached::explain(finding, events, self.longest.get());
        }
    }

    /// Makes executions that are wanted later in as few processes as run at once, if they may share them. Only those that
    /// were clean are kept.
    pub(super) fn foresee(&self, wanted: &[(Policy, Settings)]) -> Foreseen {
        if !self.may_share() || wanted.len() <= self.workers.parallel() {
            return Foreseen::default();
        }
        let each = wanted.len().div_ceil(self.workers.parallel());
        let starts: Vec<(usize, usize)> = (0..wanted.len())
            .step_by(each)
            .map(|first| (first, wanted.len().min(first + each)))
            .collect();
        let next = |(at, end): &mut (usize, usize), _: Option<(&usize, &RunResult)>| {
            (*at < *end).then(|| std::mem::replace(at, *at + 1))
        };
        let made = self.run_shared(&starts, next, |at| wanted[*at].clone());
        Foreseen(made.into_iter().map(|(at, result)| (wanted[at].0, result)).collect())
    }

    /// Takes the executions that were stopped before they were asked for and that have no end.
    pub(super) fn take_unasked(&self) -> Vec<PolicyRun> {
        self.unasked.take()
    }

    /// Like [`Executions::run`], but takes those that were foreseen.
    pub(super) fn complete(
        &self,
        foreseen: &mut Foreseen,
        wanted: Vec<(Policy, Settings)>,
    ) -> Vec<PolicyRun> {
        let known: Vec<Option<RunResult>> =
            wanted.iter().map(|(policy, _)| foreseen.take(*policy)).collect();
        let open = wanted.iter().zip(&known).filter(|(_, known)| known.is_none());
        let mut others = self.run(open.map(|(wanted, _)| wanted.clone()).collect()).into_iter();
        let run = |((policy, settings), known)| match known {
            Some(result) => Some(PolicyRun { policy, settings, result, output: String::new() }),
            None => others.next(),
        };
        wanted.into_iter().zip(known).filter_map(run).collect()
    }

    /// Reports whether executions may follow each other in one process: as far as is known, the program leaves nothing
    /// there.
    pub(super) fn may_share(&self) -> bool {
        self.workers.are_processes()
            && self.scenario.is_contained()
            && !self.reached_out.get()
            && self.fruitless.get() < FRUITLESS_MAX
    }

    /// Makes executions in one process after the other, in as many processes at once as there are starts: `next`
    /// gives what to execute next, from the start and the last result. A process ends after an execution that is
    /// not clean or that left something there, or when it has grown much. The result of such an execution is dropped: it is
    /// to be made in a process of its own, so that no result depends on what came before it. One that was stopped and that
    /// computes without an end is kept for [`Executions::take_unasked`]; there is no time to make it again.
    pub(super) fn run_shared<S: Clone, N>(
        &self,
        starts: &[S],
        next: impl Fn(&mut S, Option<(&N, &RunResult)>) -> Option<N>,
        of: impl Fn(&N) -> (Policy, Settings),
    ) -> Vec<(N, RunResult)>
    where
        N: Serialize + DeserializeOwned,
    {
        let body = |start: &S| {
            let resident = || resident_pages().unwrap_or(0);
            let (mut state, before) = (start.clone(), resident());
            let mut made: Vec<(N, RunResult)> = Vec::new();
            while made.len() < TOGETHER && resident().saturating_sub(before) <= GROWN_MAX {
                let last = made.last().map(|(wanted, result)| (wanted, result));
                let Some(wanted) = next(&mut state, last) else { break };
                let mut settings = Settings { races: Races::Causal, ..of(&wanted).1 };
                self.limit(&mut settings);
                let (mut result, took) = self.timed(settings);
                part_is_done();
                let is_clean = result.ending == Ending::Completed && result.findings.is_empty();
                let is_whole = !result.interrupted && !result.out_of_memory;
                let is_kept = is_clean && is_whole && self.scenario.is_contained();
                if is_kept || self.computes_on(&mut result, took) {
                    made.push((wanted, result));
                }
                if !is_kept {
                    break;
                }
            }
            made
        };
        let body = &body;
        let works = starts.iter().map(|start| Work {
            name: "orders".into(),
            shown: false,
            body: Box::new(move || body(start)),
        });
        let done = self.workers.run(works.collect());
        let made: Vec<_> =
            done.into_iter().flat_map(|done| done.result.unwrap_or_default()).collect();
        self.fruitless.set(if made.is_empty() { self.fruitless.get() + 1 } else { 0 });
        let (stopped, made): (Vec<_>, _) =
            made.into_iter().partition(|(_, result): &(N, RunResult)| result.interrupted);
        self.unasked.borrow_mut().extend(stopped.into_iter().map(|(wanted, result)| {
            let (policy, settings) = of(&wanted);
            PolicyRun { policy, settings, result, output: String::new() }
        }));
        made
    }

    /// Runs the scenario once. Returns `None` if the deadline has passed.
    pub(super) fn run_one(&self, policy: Policy, settings: Settings) -> Option<PolicyRun> {
        self.run(vec![(policy, settings)]).pop()
    }

    /// Returns whether an execution with these settings completes, or `None` if the deadline or the limit
    /// of memory was passed before that was known.
    pub(super) fn finishes(&self, settings: Settings) -> Option<bool> {
        let run = self.run_one(Policy::Search, settings)?;
        (!run.result.interrupted && !run.result.out_of_memory)
            .then(|| run.result.ending == Ending::Completed)
    }

    /// Returns which receive takes the message of which send with unlimited buffering and this
    /// match order.
    pub(super) fn pairs(&self, matching: &Matching) -> Vec<Pair> {
        let settings = Settings {
            buffering: Buffering::infinite(),
            matching: matching.clone(),
            ..self.scenario.settings()
        };
        let body = move || super::buffering::pairs(self.scenario, settings);
        let work = Work { name: "pairs".into(), shown: false, body: Box::new(body) };
        let done = self.workers.run(vec![work]).pop();
        done.and_then(|done| done.result.ok()).unwrap_or_default()
    }

    /// Sets the most events of an execution, unless fewer are asked for.
    fn limit(&self, settings: &mut Settings) {
        let allowed = if self.endless.get() { Allowance::DOUBTFUL } else { Allowance::ANY };
        settings.limits.events = settings.limits.events.min(self.most_events(allowed));
    }

    /// Like [`Executions::once`], with the processor time that it takes.
    fn timed(&self, settings: Settings) -> (RunResult, Duration) {
        let before = processor_time();
        let result = self.once(settings);
        (result, processor_time().saturating_sub(before))
    }

    /// Runs the scenario once, and keeps only the results that a verdict needs.
    fn once(&self, mut settings: Settings) -> RunResult {
        let ranks = self.scenario.request.ranks;
        settings.unreceived_max = Some(UNRECEIVED_MAX.max(ranks.saturating_mul(UNRECEIVED_EACH)));
        if self.polled.get() {
            settings.idle_polls_max = IDLE_POLLS_AGAIN;
        }
        let mut result = self.scenario.run_with(settings);
        result.links = Vec::new();
        result
    }
}

/// Returns the finding for an execution whose process ended without a result.
pub fn broken_off(failure: Failure) -> Finding {
    match failure {
        Failure::Exit(code, place) => exit_code::of_process(&place, code),
        Failure::Signal(signal) => signal::killed(signal),
        Failure::Stuck => signal::stuck(),
        Failure::Refused(why) => limit_reached::refused(&why),
        Failure::Stopped => limit_reached::stopped(),
    }
}
