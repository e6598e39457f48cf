//! Exploration of match orders: all of them, depth first, if the budget allows that; otherwise the
//! last choices are varied with half of the budget, and orders are drawn with the other half.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use mpi_api::{
    call::Site,
    finding::Finding,
    outcome::RunResult,
    settings::{Matching, OPEN_ONE_IN, Plan, Sample, Settings},
};
use serde::{Deserialize, Serialize};

use super::{
    Budget, Policy, PolicyRun, Space, Variation,
    budget::Remaining,
    execution::{Allowance, Executions, Foreseen, TOGETHER},
    frontier::{Frontier, Names},
    settings::settings_with,
};

/// Executions that are drawn together: they know what earlier rounds have seen, and not what others of
/// their round see, so that the result does not depend on the number of processors.
const ROUND: u64 = 16;

/// Results of this many clean executions are kept whole; of the others, only how they ended.
const KEPT: usize = 256;

/// Most executions that are made before the search needs them.
const AHEAD_MAX: usize = 4096;

/// Most executions that look for a shorter way to a failure.
const SHORTER_MAX: usize = 64;

/// The first choices of an execution; after them it takes the first alternative.
type Prefix = Vec<u32>;

/// How far the match orders of one buffering were followed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Followed {
    /// Number of different orders.
    pub orders: u64,
    /// Number of these that were drawn at random.
    pub drawn: u64,
    /// Whether these are all orders.
    pub all: bool,
    /// Number of executions that were drawn with each choice for itself, those that found a known order among them.
    pub independent: u64,
    /// Most alternatives of a choice.
    pub widest: u32,
}

impl Followed {
    /// Returns a bound for the probability that the drawn executions miss a fault which some outcomes of this many
    /// choices lead to, whatever else happens; 0 if all orders were followed.
    ///
    /// Each such outcome is one of at most [`widest`](Self::widest) alternatives and drawn with a probability of at
    /// least a [quarter](mpi_api::settings::OPEN_ONE_IN) of its share, independent of the others. Executions that are
    /// drawn by priorities do not count.
    pub fn missed(&self, choices: u32) -> f64 {
        if self.all {
            return 0.0;
        }
        let share = 1.0 / (f64::from(OPEN_ONE_IN) * f64::from(self.widest.max(1)));
        let power = |base: f64, exponent: u64| (0..exponent).fold(1.0, |product, _| product * base);
        power(1.0 - power(share, choices.into()), self.independent)
    }
}

/// Explores the choices of matches with both bufferings, zero first, and returns how far.
///
/// If buffering makes other matches possible and nothing stalls yet, executions follow in which some
/// messages are buffered and others are not, with half of the budget once more. They have no matches that unlimited
/// buffering does not have, so they can add stalls only.
///
/// Order: depth first, the last choice first, then drawn orders. Parallel executions are evaluated in a
/// fixed order, so that the result does not depend on their number, unless the budget is a time.
pub(super) fn explore(
    executions: &Executions<'_>,
    foreseen: &mut Foreseen,
    budget: Budget,
    runs: &mut Vec<PolicyRun>,
) -> Vec<(Space, Followed)> {
    let mut whole = budget.open();
    let mut half = whole.part(500);
    let (zero, seen) = follow(executions, foreseen, (Space::Zero, &mut half), runs);
    // The second takes what the first has left.
    (0..half.spent).for_each(|_| whole.spend(0));
    let (infinite, seen_with_buffers) =
        follow(executions, foreseen, (Space::Infinite, &mut whole), runs);
    let mut followed = vec![(Space::Zero, zero), (Space::Infinite, infinite)];
    let differ = seen != seen_with_buffers || zero.orders != infinite.orders;
    if differ && !runs.iter().any(PolicyRun::is_stuck) {
        let mut more = budget.open().part(500);
        let (partial, _) = follow(executions, foreseen, (Space::Partial, &mut more), runs);
        followed.push((Space::Partial, partial));
    }
    followed
}

/// Explores the choices of matches with one buffering. Returns how far, and the pairs of a receive's place and
/// the sender that it took.
fn follow(
    executions: &Executions<'_>,
    foreseen: &mut Foreseen,
    (space, remaining): (Space, &mut Remaining),
    runs: &mut Vec<PolicyRun>,
) -> (Followed, BTreeSet<(Site, u32)>) {
    let (known, seen) = (BTreeSet::new(), BTreeSet::new());
    let mut search = Search { executions, space, runs, known, seen, followed: Followed::default() };
    search.systematic(foreseen, remaining);
    if !search.followed.all {
        search.drawn(remaining);
    }
    (search.followed, search.seen)
}

/// Returns the execution that the exploration with a buffering begins with: it always takes the first alternative.
pub(super) fn first(executions: &Executions<'_>, space: Space) -> (Policy, Settings) {
    let matching = matching(&Plan::default());
    let settings = Settings { matching, ..settings_with(space, executions.scenario) };
    (Policy::Varied(space, Variation::Order(0)), settings)
}

/// The exploration with one buffering.
struct Search<'a> {
    executions: &'a Executions<'a>,
    space: Space,
    runs: &'a mut Vec<PolicyRun>,
    /// The choices of all executions.
    known: BTreeSet<Prefix>,
    /// Pairs of a receive's place and the sender that it took.
    seen: BTreeSet<(Site, u32)>,
    followed: Followed,
}

impl Search<'_> {
    fn settings(&self, matching: Matching) -> Settings {
        Settings { matching, ..settings_with(self.space, self.executions.scenario) }
    }

    fn policy(&self, number: u64, matching: &Matching) -> Policy {
        let number = number as usize;
        let variation = match matching {
            Matching::Sampled(_) => Variation::Drawn(number),
            Matching::Explore(_)
            | Matching::Planned(_)
            | Matching::Arrival
            | Matching::Seeded(_) => Variation::Order(number),
        };
        Policy::Varied(self.space, variation)
    }

    /// Follows the orders depth first, until all are followed or half of the budget is spent and the
    /// rest does not seem to be enough.
    fn systematic(&mut self, foreseen: &mut Foreseen, remaining: &mut Remaining) {
        let mut frontier = Frontier::new();
        let mut ahead: BTreeMap<Plan, PolicyRun> = BTreeMap::new();
        let start = matching(&Plan::default());
        if let Some(result) = foreseen.take(self.policy(0, &start)) {
            ahead.insert(Plan::default(), self.made(start, result));
        }
        let mut explored = 0.0;
        while let Some(plan) = frontier.waiting().last().cloned() {
            let made = self.followed.orders;
            let room = remaining.estimate(made);
            let affordable = made as f64 / explored <= (made + room) as f64;
            if remaining.room() == 0 || room <= made && !affordable {
                return;
            }
            if !ahead.contains_key(&plan) && self.executions.may_share() {
                self.make_ahead(&frontier, &mut ahead);
            }
            if !ahead.contains_key(&plan) {
                let most = self.executions.workers.parallel().min(remaining.room() as usize);
                let next = frontier.waiting().iter().rev();
                let next = next.filter(|plan| !ahead.contains_key(*plan)).take(most);
                for run in self.executions.run(self.numbered(next.map(matching))) {
                    ahead.insert(plan_of(&run.settings.matching), run);
                }
            }
            frontier.pop();
            let Some(run) = ahead.remove(&plan) else { return };
            self.tell(plan.choices.len(), made as f64 / explored);
            remaining.spend(run.result.events);
            let repeats = self.repeats(&run);
            if !repeats {
                explored += share(&run);
            }
            frontier.add(&plan, &run.result, remaining.room());
            if !repeats {
                self.keep(run);
            }
        }
        self.followed.all = frontier.is_exhausted();
    }

    /// Tells how far the search has come: the number of the choice that it varies, and how many orders there seem to
    /// be.
    fn tell(&self, depth: usize, orders: f64) {
        let orders = match orders {
            0.0..1e15 => format!(", about {} orders", orders.round().max(1.0)),
            // Not a number before the first execution.
            _ => String::new(),
        };
        let told = format!(" ({} buffering: choice {depth}{orders})", self.space);
        self.executions.workers.tell(told);
    }

    /// Reports whether an execution only repeats others. One that ends as no other did is looked at all the same: a
    /// program may do something else at another time.
    fn repeats(&self, run: &PolicyRun) -> bool {
        let codes = |run: &PolicyRun| {
            run.result.findings.iter().map(|finding| finding.code).collect::<Vec<_>>()
        };
        let is_like = |other: &PolicyRun| {
            other.result.ending == run.result.ending && codes(other) == codes(run)
        };
        run.result.repeats.is_some() && (run.is_clean() || self.runs.iter().any(is_like))
    }

    /// Makes some of the next executions in processes that make several: the first goes on from the end of the
    /// stack, as the search does, others from places further below. What they find is used when the search comes there.
    fn make_ahead(&self, frontier: &Frontier, ahead: &mut BTreeMap<Plan, PolicyRun>) {
        let waiting = frontier.waiting();
        let count = if ahead.len() < AHEAD_MAX { self.executions.workers.parallel() } else { 1 };
        let ends: BTreeSet<usize> =
            (0..count).map(|at| waiting.len() - waiting.len() * at / count).collect();
        // No process gets further than that.
        let last = |end: usize| waiting[end.saturating_sub(TOGETHER)..end].to_vec();
        let starts: Vec<(Vec<Plan>, Names)> =
            ends.iter().rev().map(|end| (last(*end), Names::default())).collect();
        let known = &*ahead;
        let next = |(open, own): &mut (Vec<Plan>, Names), last: Option<(&Plan, &RunResult)>| {
            let mut last = last.map(|(plan, result)| (plan.clone(), result));
            loop {
                if let Some((plan, result)) = last {
                    open.extend(frontier.new_ones(own, (&plan, result), TOGETHER));
                }
                let plan = open.pop()?;
                last = match known.get(&plan) {
                    Some(run) => Some((plan, &run.result)),
                    None => return Some(plan),
                };
            }
        };
        // Their numbers are not known yet.
        let of = |plan: &Plan| self.wanted(0, matching(plan));
        for (plan, result) in self.executions.run_shared(&starts, next, of) {
            ahead.entry(plan).or_insert_with_key(|plan| self.made(matching(plan), result));
        }
    }

    /// Follows drawn orders until the budget is spent.
    fn drawn(&mut self, remaining: &mut Remaining) {
        let mut number = 0;
        while remaining.room() > 0 {
            let seen = self.seen.clone();
            let first = self.executions.scenario.request.seed.wrapping_add(number);
            let count = ROUND.min(remaining.room());
            let samples = (0..count).map(|at| {
                let (seed, priorities) = (first.wrapping_add(at), at % 2 == 1);
                Matching::Sampled(Arc::new(Sample { seed, priorities, seen: seen.clone() }))
            });
            let mut wanted = self.numbered(samples);
            let most = self.executions.most_events(Allowance::DOUBTFUL);
            for (_, settings) in &mut wanted {
                settings.limits.events = settings.limits.events.min(most);
            }
            let made = self.executions.complete(&mut self.executions.foresee(&wanted), wanted);
            if made.is_empty() {
                return;
            }
            number += count;
            for run in made {
                remaining.spend(run.result.events);
                if run.result.endless {
                    continue;
                }
                self.followed.independent += u64::from(is_independent(&run.settings.matching));
                if self.keep(run) {
                    self.followed.drawn += 1;
                }
            }
        }
    }

    /// Returns an execution that was made in a process with others, before its number is known.
    fn made(&self, matching: Matching, result: RunResult) -> PolicyRun {
        let (policy, settings) = self.wanted(0, matching);
        PolicyRun { policy, settings, result, output: String::new() }
    }

    /// Returns the executions that match like this, with the numbers that come next.
    fn numbered(&self, matchings: impl Iterator<Item = Matching>) -> Vec<(Policy, Settings)> {
        let wanted = (self.followed.orders..).zip(matchings);
        wanted.map(|(at, matching)| self.wanted(at, matching)).collect()
    }

    /// Returns the execution that matches like this, with its number.
    fn wanted(&self, number: u64, matching: Matching) -> (Policy, Settings) {
        (self.policy(number, &matching), self.settings(matching))
    }

    /// Keeps an execution, unless its order is known. Returns whether it was new.
    fn keep(&mut self, mut run: PolicyRun) -> bool {
        let alternatives = run.result.choices.iter().map(|choice| choice.alternatives);
        self.followed.widest = alternatives.fold(self.followed.widest, u32::max);
        let taken = taken(&run);
        if !self.known.insert(taken.clone()) {
            return false;
        }
        let number = self.followed.orders;
        self.followed.orders += 1;
        // The search has used both.
        self.seen.extend(std::mem::take(&mut run.result.matched));
        run.result.late = Vec::new();
        run.policy = self.policy(number, &run.settings.matching);
        run.settings.matching = Matching::Explore(taken);
        // The first one is like an execution before, if there was nothing to choose.
        if number > 0 || run.chose() {
            if self.runs.len() > KEPT && run.is_clean() {
                run.result.ranks = Vec::new();
                run.result.choices = Vec::new();
            }
            self.runs.push(run);
        }
        true
    }
}

/// Returns whether an execution draws each choice for itself.
fn is_independent(matching: &Matching) -> bool {
    match matching {
        Matching::Sampled(sample) => !sample.priorities,
        Matching::Arrival | Matching::Seeded(_) | Matching::Explore(_) | Matching::Planned(_) => {
            false
        }
    }
}

/// Returns the share of all orders that this one is, if every choice leads to as many as any other
/// alternative of it (Knuth, Mathematics of Computation 29, 1975).
fn share(run: &PolicyRun) -> f64 {
    let free = run.result.choices.iter().filter(|choice| !choice.planned);
    free.map(|choice| 1.0 / f64::from(choice.alternatives.max(1))).product()
}

/// Returns the choices of an execution, as few as lead to it.
pub(super) fn taken(run: &PolicyRun) -> Prefix {
    let mut taken: Prefix = run.result.choices.iter().map(|choice| choice.taken).collect();
    taken.truncate(taken.iter().rposition(|taken| *taken > 0).map_or(0, |last| last + 1));
    taken
}

/// Looks for an execution with fewer choices that differ from the first alternative and with the same
/// finding as `run`, and returns it; `run` itself has none.
pub(super) fn shorter(
    executions: &Executions<'_>,
    run: &PolicyRun,
    is_same: impl Fn(&Finding) -> bool,
) -> Option<PolicyRun> {
    let Matching::Explore(_) = &run.settings.matching else { return None };
    let mut best: Option<PolicyRun> = None;
    let mut order = taken(run);
    let mut tries = 0;
    // The last ones first: what follows them is decided by them.
    for at in (0..order.len()).rev() {
        if order.get(at).is_none_or(|taken| *taken == 0) || tries == SHORTER_MAX {
            continue;
        }
        tries += 1;
        let mut fewer = order.clone();
        fewer[at] = 0;
        let settings = Settings { matching: Matching::Explore(fewer), ..run.settings.clone() };
        let Some(mut tried) = executions.run_one(run.policy, settings) else { break };
        if tried.result.findings.iter().any(&is_same) {
            order = taken(&tried);
            tried.settings.matching = Matching::Explore(order.clone());
            executions.tell_length(&mut tried);
            best = Some(tried);
        }
    }
    best
}

/// Returns how an execution of this plan matches.
fn matching(plan: &Plan) -> Matching {
    match plan.matches.is_empty() && plan.releases.is_empty() {
        true => Matching::Explore(plan.choices.clone()),
        false => Matching::Planned(Arc::new(plan.clone())),
    }
}

/// Returns the plan of an execution that was made for one.
fn plan_of(matching: &Matching) -> Plan {
    match matching {
        Matching::Planned(plan) => Plan::clone(plan),
        Matching::Explore(choices) => Plan { choices: choices.clone(), ..Plan::default() },
        Matching::Arrival | Matching::Seeded(_) | Matching::Sampled(_) => Plan::default(),
    }
}
