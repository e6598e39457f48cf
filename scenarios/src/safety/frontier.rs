//! What a search of match orders has still to explore: the alternatives to the choices of its executions.

use std::collections::{BTreeMap, BTreeSet};

use mpi_api::{
    outcome::{Choice, Late, RunResult},
    settings::{Plan, PlannedMatch, PlannedRelease},
};

/// Alternatives of a choice from which on those for which there is no room are not named one by one: a test of some of 15
/// requests has 32,767.
const WIDE: u32 = 1 << 10;

/// Most plans that wait; a search that has more does not follow all.
const WAITING_MAX: usize = 1 << 14;

/// Plans of executions that wait, the next one last, and the names of all that have waited.
pub(super) struct Frontier {
    waiting: Vec<Plan>,
    known: Names,
    /// Whether plans were dropped.
    cut: bool,
}

/// Names of plans.
#[derive(Clone, Default)]
pub(super) struct Names(BTreeSet<u128>);

/// The names that are known to one who makes plans.
struct Known<'a> {
    /// Those that others have found.
    others: Option<&'a Names>,
    /// Those that it finds.
    own: &'a mut Names,
}

impl Known<'_> {
    fn contains(&self, name: u128) -> bool {
        self.own.0.contains(&name) || self.others.is_some_and(|others| others.0.contains(&name))
    }

    /// Adds a name. Returns whether it is new.
    fn learn(&mut self, name: u128) -> bool {
        !self.others.is_some_and(|others| others.0.contains(&name)) && self.own.0.insert(name)
    }
}

impl Frontier {
    /// Creates the frontier of a search that begins.
    pub(super) fn new() -> Self {
        Self { waiting: vec![Plan::default()], known: Names::default(), cut: false }
    }

    /// Returns the plans that wait, the next one last.
    pub(super) fn waiting(&self) -> &[Plan] {
        &self.waiting
    }

    /// Takes the next plan.
    pub(super) fn pop(&mut self) -> Option<Plan> {
        self.waiting.pop()
    }

    /// Adds the alternatives to the choices of an execution. Only the last `room` plans are kept.
    pub(super) fn add(&mut self, plan: &Plan, result: &RunResult, room: u64) {
        let room = room.min(WAITING_MAX as u64) as usize;
        let known = Known { others: None, own: &mut self.known };
        let (found, all) = branches(plan, result, room, known);
        self.waiting.extend(found);
        let excess = self.waiting.len().saturating_sub(room);
        self.waiting.drain(..excess);
        self.cut |= excess > 0 || !all;
    }

    /// Returns the last `room` of the alternatives to the choices of an execution that are neither known here nor in `own`,
    /// which learns them.
    pub(super) fn new_ones(
        &self,
        own: &mut Names,
        (plan, result): (&Plan, &RunResult),
        room: usize,
    ) -> Vec<Plan> {
        branches(plan, result, room, Known { others: Some(&self.known), own }).0
    }

    /// Reports whether all that was added has been taken.
    pub(super) fn is_exhausted(&self) -> bool {
        self.waiting.is_empty() && !self.cut
    }
}

/// A number that stands for a list of words. The 128 bits make it improbable that two plans of a search ever have the same
/// one.
#[derive(Clone, Copy)]
struct Name(u128);

impl Name {
    const EMPTY: Self = Self(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d);

    /// Returns the name of the list with another word at its end.
    fn with(self, word: u128) -> Self {
        const FACTOR: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;
        Self((self.0 ^ word).wrapping_mul(FACTOR).rotate_left(47))
    }

    fn with_match(self, PlannedMatch { from, wildcard, source }: PlannedMatch) -> Self {
        let call = u128::from(wildcard.rank) << 64
            | u128::from(wildcard.event) << 32
            | wildcard.kind as u128;
        self.with(from as u128).with(call).with(source.into())
    }

    fn with_release(self, PlannedRelease { from, rank, event }: PlannedRelease) -> Self {
        self.with(u128::MAX - from as u128).with(u128::from(rank) << 32 | u128::from(event))
    }

    /// Returns the names of the beginnings of a list, from the empty one on.
    fn of_beginnings<T: Copy>(list: &[T], with: impl Fn(Self, T) -> Self) -> Vec<Self> {
        let mut names = vec![Self::EMPTY];
        for one in list {
            let last = names[names.len() - 1];
            names.push(with(last, *one));
        }
        names
    }
}

/// What is planned with another choice.
#[derive(Clone, Default)]
struct New {
    matches: Vec<PlannedMatch>,
    releases: Vec<PlannedRelease>,
}

/// An execution and the plan that it was made for.
struct Made<'a> {
    plan: &'a Plan,
    choices: &'a [Choice],
    /// The names of the beginnings of the choices, and of what was planned.
    prefixes: Vec<Name>,
    matches: Vec<Name>,
    releases: Vec<Name>,
}

impl<'a> Made<'a> {
    fn new(plan: &'a Plan, result: &'a RunResult) -> Self {
        // What follows where it repeats another one is explored from there.
        let choices = &result.choices[..result.repeats.unwrap_or(result.choices.len())];
        let prefixes = Name::of_beginnings(choices, |name, choice| name.with(choice.taken.into()));
        let matches = Name::of_beginnings(&plan.matches, Name::with_match);
        let releases = Name::of_beginnings(&plan.releases, Name::with_release);
        Self { plan, choices, prefixes, matches, releases }
    }

    /// Returns what was planned before a choice. What is planned after it does not hold for its alternatives.
    fn before(&self, at: usize) -> (&'a [PlannedMatch], &'a [PlannedRelease]) {
        let Plan { matches, releases, .. } = self.plan;
        let (matches, releases) = (&matches[..], &releases[..]);
        (
            &matches[..matches.partition_point(|one| one.from < at)],
            &releases[..releases.partition_point(|one| one.from < at)],
        )
    }

    /// Returns the name of an alternative of a choice, with what was planned before.
    fn name(&self, at: usize, other: u128) -> Name {
        let (matches, releases) = self.before(at);
        let name = self.prefixes[at].with(other).with(self.matches[matches.len()].0);
        name.with(self.releases[releases.len()].0)
    }

    /// Returns the name of a plan with another choice.
    fn name_with(&self, at: usize, other: u32, new: &New) -> Name {
        let name = self.name(at, other.into());
        let name = new.matches.iter().copied().fold(name, Name::with_match);
        new.releases.iter().copied().fold(name, Name::with_release)
    }

    /// Returns the plan with another choice.
    fn plan_with(&self, at: usize, other: u32, new: New) -> Plan {
        let (matches, releases) = self.before(at);
        Plan {
            choices: self.choices[..at].iter().map(|choice| choice.taken).chain([other]).collect(),
            matches: [matches, &new.matches].concat(),
            releases: [releases, &new.releases].concat(),
        }
    }

    /// Returns what is to be planned with an alternative of a choice that matters because of a late message.
    fn new_with(&self, late: &Late) -> New {
        let from = late.choice;
        let (_, before) = self.before(from);
        let is_planned = |(rank, event): (u32, u32)| {
            before.iter().any(|old| (old.rank, old.event) == (rank, event))
        };
        let matches = late.matches.iter().copied();
        let matches = matches.map(|(wildcard, source)| PlannedMatch { from, wildcard, source });
        let releases = late.releases.iter().copied().filter(|wait| !is_planned(*wait));
        let releases = releases.map(|(rank, event)| PlannedRelease { from, rank, event });
        New { matches: matches.collect(), releases: releases.collect() }
    }
}

/// Returns the last `room` of the alternatives to the choices of an execution that are new, the next one to explore last,
/// and whether these are all. Those within its own prefix are among them: that a choice matters may be seen only after
/// another one was made differently.
fn branches(
    plan: &Plan,
    result: &RunResult,
    room: usize,
    mut known: Known<'_>,
) -> (Vec<Plan>, bool) {
    let made = Made::new(plan, result);
    let mut late: BTreeMap<usize, Vec<&Late>> = BTreeMap::new();
    for one in &result.late {
        late.entry(one.choice).or_default().push(one);
    }
    let (mut found, mut all): (Vec<Plan>, bool) = (Vec::new(), true);
    // Returns whether there is room for it.
    let mut add = |known: &mut Known<'_>, at: usize, other: u32, new: New| {
        // All become known: those that are left out must not come back among the alternatives of later executions.
        if !known.learn(made.name_with(at, other, &new).0) {
            return true;
        }
        if found.len() == room {
            all = false;
            return false;
        }
        found.push(made.plan_with(at, other, new));
        true
    };
    for (at, choice) in made.choices.iter().enumerate().rev().filter(|(_, one)| !one.planned) {
        let (first, end) = (choice.taken + 1, choice.alternatives);
        let Some(late) = late.get(&at) else {
            // The name of all alternatives together, where there are very many.
            let name = made.name(at, u128::MAX).with(end.into());
            if end >= WIDE && known.contains(name.0) {
                continue;
            }
            if end >= WIDE && first == 1 {
                known.learn(name.0);
            }
            for other in first..end {
                if !add(&mut known, at, other, New::default()) && end >= WIDE {
                    break;
                }
            }
            continue;
        };
        for other in first..end {
            for late in late {
                add(&mut known, at, other, made.new_with(late));
            }
        }
    }
    // Matches that cannot be made were not all that is needed: the wildcard waits for whatever comes.
    let last = plan.choices.len().checked_sub(1).filter(|last| *last < made.prefixes.len());
    if let Some(last) = last.filter(|_| result.unmet) {
        let releases = plan.releases[made.before(last).1.len()..].to_vec();
        add(&mut known, last, plan.choices[last], New { matches: Vec::new(), releases });
    }
    found.reverse();
    (found, all)
}

#[cfg(test)]
mod tests {
    use mpi_api::{
        check::limit_reached,
        settings::{WildcardId, WildcardKind},
    };

    use super::*;

    /// An execution that took these of this many alternatives.
    fn made(choices: &[(u32, u32)]) -> RunResult {
        let choice = |(taken, alternatives): &(u32, u32)| Choice {
            taken: *taken,
            alternatives: *alternatives,
            by: None,
            took: None,
            instead: None,
            buffers: None,
            reported: None,
            planned: false,
        };
        let choices = choices.iter().map(choice).collect();
        RunResult { choices, ..RunResult::of_failure(2, limit_reached::stopped()) }
    }

    fn plans(frontier: &Frontier) -> Vec<&[u32]> {
        frontier.waiting().iter().map(|plan| plan.choices.as_slice()).collect()
    }

    #[test]
    fn the_last_choice_is_varied_first_and_nothing_twice() {
        let mut frontier = Frontier::new();
        let first = frontier.pop().expect("one");
        frontier.add(&first, &made(&[(0, 3), (0, 1), (0, 2)]), 100);
        assert_eq!(plans(&frontier), [&[2][..], &[1], &[0, 0, 1]]);
        let next = frontier.pop().expect("more");
        frontier.add(&next, &made(&[(0, 3), (0, 2), (1, 2)]), 100);
        assert_eq!(plans(&frontier), [&[2][..], &[1], &[0, 1]], "a choice has come to matter");
        (0..3).for_each(|_| drop(frontier.pop()));
        assert!(frontier.is_exhausted());
    }

    #[test]
    fn what_there_is_no_room_for_does_not_come_back() {
        let mut frontier = Frontier::new();
        let first = frontier.pop().expect("one");
        frontier.add(&first, &made(&[(0, 3), (0, 3)]), 2);
        assert_eq!(plans(&frontier), [&[0, 2], &[0, 1]]);
        let next = frontier.pop().expect("more");
        frontier.add(&next, &made(&[(0, 3), (1, 3), (0, 2)]), 2);
        assert_eq!(plans(&frontier), [&[0, 2][..], &[0, 1, 1]]);
        (0..2).for_each(|_| drop(frontier.pop()));
        assert!(frontier.pop().is_none() && !frontier.is_exhausted());
    }

    #[test]
    fn very_many_alternatives_are_not_named_one_by_one() {
        let mut frontier = Frontier::new();
        let first = frontier.pop().expect("one");
        frontier.add(&first, &made(&[(0, 1 << 20), (0, 2)]), 3);
        assert_eq!(plans(&frontier), [&[2][..], &[1], &[0, 1]]);
        assert!(frontier.known.0.len() < 10);
        let next = frontier.pop().expect("more");
        frontier.add(&next, &made(&[(0, 1 << 20), (1, 2)]), 3);
        let next = frontier.pop().expect("more");
        frontier.add(&next, &made(&[(1, 1 << 20)]), 3);
        assert_eq!(plans(&frontier), [&[2]], "what there was no room for does not come back");
        drop(frontier.pop());
        assert!(!frontier.is_exhausted());
    }

    #[test]
    fn plans_hold_after_the_choice_that_they_belong_to() {
        let wildcard = |rank| WildcardId { rank, event: 1, kind: WildcardKind::Receive };
        let planned = |from, rank| PlannedMatch { from, wildcard: wildcard(rank), source: 0 };
        let mut frontier = Frontier::new();
        let first = frontier.pop().expect("one");
        let late = [vec![(wildcard(1), 0)], vec![(wildcard(2), 0)]];
        let late = late.map(|matches| Late { choice: 1, matches, releases: Vec::new() }).to_vec();
        frontier.add(&first, &RunResult { late, ..made(&[(0, 2), (0, 2)]) }, 100);
        assert_eq!(plans(&frontier), [&[1][..], &[0, 1], &[0, 1]]);
        let next = frontier.pop().expect("more");
        assert_eq!(next.matches, [planned(1, 1)]);
        frontier.add(&next, &made(&[(0, 2), (1, 2), (0, 2)]), 100);
        let [.., other, deeper] = frontier.waiting() else { panic!("two") };
        assert_eq!(other.matches, [planned(1, 2)]);
        assert_eq!((deeper.choices.as_slice(), &deeper.matches), (&[0, 1, 1][..], &next.matches));
        // If the matches cannot be made, the wildcard waits for anything.
        let deeper = frontier.pop().expect("more");
        let other = frontier.pop().expect("more");
        frontier.add(&other, &RunResult { unmet: true, ..made(&[(0, 2), (1, 2)]) }, 100);
        let last = frontier.pop().expect("more");
        assert_eq!((last.choices, last.matches), (other.choices, Vec::new()));
        frontier.add(&deeper, &RunResult { unmet: true, ..made(&[(0, 2), (1, 2), (1, 2)]) }, 100);
        assert_eq!(plans(&frontier), [&[1]], "what it was told before holds still");
    }
}
