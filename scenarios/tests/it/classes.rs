//! Exploration of match orders, compared with the enumeration of all orders: of equivalent executions exactly one
//! is made.

use std::{
    cell::RefCell,
    collections::BTreeSet,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use mpi_api::{
    api::{
        initialize,
        request::{scope, wait_any},
        traits::*,
    },
    finding::Verdict,
};
use rand::RngExt;
use scenarios::{
    safety::{self, Budget, Space},
    scenario::Request,
};
use sim_core::ChaCha8Rng;
use workers::Workers;

/// One step of a rank. Some sends are made only if the last message came from an even or odd rank.
#[derive(Clone, Copy, Debug)]
enum Step {
    Send {
        to: i32,
        tag: i32,
        only: Option<i32>,
    },
    Receive {
        from: Option<i32>,
        tag: i32,
    },
    /// Receives from two ranks at once, and waits for any until both are complete.
    Any {
        from: [i32; 2],
    },
}

/// The tag of what is received from two ranks at once.
const ANY: i32 = 2;

type Steps = Vec<Vec<Step>>;

/// Draws a program of less than `most` steps with messages in which each message has a receive that could take it, with
/// waits for any of two receives or without.
fn drawn(stream: &mut ChaCha8Rng, most: usize, any: bool) -> Steps {
    let ranks = stream.random_range(3..6_usize);
    let mut steps: Steps = vec![Vec::new(); ranks];
    for _ in 0..stream.random_range(3..most) {
        let from = stream.random_range(0..ranks);
        let to = (from + stream.random_range(1..ranks)) % ranks;
        let tag = i32::from(stream.random_range(0..3) == 0);
        let only = [None, None, None, Some(0), Some(1)][stream.random_range(0..5_usize)];
        if any && stream.random_range(0..3) == 0 {
            let others = (0..ranks).filter(|other| *other != to && *other != from);
            let others: Vec<usize> = others.collect();
            let other = others[stream.random_range(0..others.len())];
            for sender in [from, other] {
                steps[sender].push(Step::Send { to: to as i32, tag: ANY, only: None });
            }
            let at = stream.random_range(0..=steps[to].len());
            steps[to].insert(at, Step::Any { from: [from as i32, other as i32] });
            continue;
        }
        steps[from].push(Step::Send { to: to as i32, tag, only });
        let named = stream.random_range(0..4) == 0;
        let at = stream.random_range(0..=steps[to].len());
        let from = named.then_some(from as i32);
        steps[to].insert(at, Step::Receive { from, tag });
    }
    steps
}

/// The sources of the messages that the receives from any source of each rank take.
type Taken = Vec<Vec<i32>>;

thread_local! {
    /// What the present execution has taken. Its ranks share a thread.
    static TAKEN: RefCell<Taken> = const { RefCell::new(Vec::new()) };
}

/// Records what a rank has taken.
fn record(rank: usize, source: i32) {
    TAKEN.with_borrow_mut(|taken| {
        if let Some(own) = taken.get_mut(rank) {
            own.push(source);
        }
    });
}

/// What one rank does.
fn perform(steps: &Steps) {
    let universe = initialize().expect("once");
    let world = universe.world();
    let own = world.rank() as usize;
    let mut last = 0;
    for step in &steps[own] {
        match *step {
            Step::Send { to, tag, only } => {
                if only.is_none_or(|parity| last % 2 == parity) {
                    world.process_at_rank(to).send_with_tag(&7, tag);
                }
            }
            Step::Receive { from: Some(from), tag } => {
                last = world.process_at_rank(from).receive_with_tag::<i32>(tag).1.source_rank();
            }
            Step::Receive { from: None, tag } => {
                last = world.any_process().receive_with_tag::<i32>(tag).1.source_rank();
                record(own, last);
            }
            Step::Any { from } => {
                let (mut a, mut b) = (0, 0);
                let [one, two] = from.map(|from| world.process_at_rank(from));
                scope(|scope| {
                    let mut requests = vec![
                        one.immediate_receive_into_with_tag(scope, &mut a, ANY),
                        two.immediate_receive_into_with_tag(scope, &mut b, ANY),
                    ];
                    while let Some((_, status)) = wait_any(&mut requests) {
                        last = status.source_rank();
                        record(own, last);
                    }
                });
            }
        }
    }
}

/// An execution, as far as it has come.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct State {
    next: Vec<usize>,
    last: Vec<i32>,
    /// The number of the message that each rank waits with, if it does.
    waits: Vec<Option<usize>>,
    /// The messages for each rank, with source, tag and number.
    messages: Vec<Vec<(i32, i32, usize)>>,
    taken: Taken,
    /// Which of two receives are complete, and which of them a wait has reported.
    any: Vec<[[bool; 2]; 2]>,
}

impl State {
    fn take(&mut self, rank: usize, source: i32, tag: i32) -> bool {
        let is_there = self.complete(rank, source, tag);
        if is_there {
            self.last[rank] = source;
            self.next[rank] += 1;
        }
        is_there
    }

    fn complete(&mut self, rank: usize, source: i32, tag: i32) -> bool {
        let is_next = |message: &(i32, i32, usize)| (message.0, message.1) == (source, tag);
        let Some(at) = self.messages[rank].iter().position(is_next) else { return false };
        let (.., number) = self.messages[rank].remove(at);
        let waits = &mut self.waits[source as usize];
        *waits = waits.filter(|waits| *waits != number);
        true
    }

    /// Does what needs no choice, until nothing is left of it.
    fn advance(&mut self, steps: &Steps, space: Space) {
        let mut moved = true;
        while std::mem::take(&mut moved) {
            for (rank, own) in steps.iter().enumerate() {
                if self.waits[rank].is_some() {
                    continue;
                }
                match own.get(self.next[rank]) {
                    Some(Step::Send { to, tag, only }) => {
                        if only.is_none_or(|parity| self.last[rank] % 2 == parity) {
                            let number = self.next[rank];
                            self.messages[*to as usize].push((rank as i32, *tag, number));
                            self.waits[rank] = (space == Space::Partial).then_some(number);
                        }
                        self.next[rank] += 1;
                        moved = true;
                    }
                    Some(Step::Receive { from: Some(from), tag }) => {
                        moved |= self.take(rank, *from, *tag);
                    }
                    Some(Step::Any { from }) => {
                        for (at, from) in from.iter().enumerate() {
                            if !self.any[rank][0][at] && self.complete(rank, *from, ANY) {
                                self.any[rank][0][at] = true;
                                moved = true;
                            }
                        }
                        if self.any[rank] == [[true; 2]; 2] {
                            self.any[rank] = Default::default();
                            self.next[rank] += 1;
                            moved = true;
                        }
                    }
                    Some(Step::Receive { from: None, .. }) | None => {}
                }
            }
        }
    }
}

/// Returns what receives take in all executions, those included that come to a stop. With partial buffering each
/// sender may wait for its receive or not.
fn outcomes(steps: &Steps, space: Space) -> BTreeSet<Taken> {
    let ranks = steps.len();
    let start = State {
        next: vec![0; ranks],
        last: vec![0; ranks],
        waits: vec![None; ranks],
        messages: vec![Vec::new(); ranks],
        taken: vec![Vec::new(); ranks],
        any: vec![Default::default(); ranks],
    };
    let (mut open, mut seen, mut ends) = (vec![start], BTreeSet::new(), BTreeSet::new());
    while let Some(mut state) = open.pop() {
        state.advance(steps, space);
        if !seen.insert(state.clone()) {
            continue;
        }
        let mut is_end = true;
        for (rank, own) in steps.iter().enumerate() {
            if state.waits[rank].is_some() {
                let mut after = state.clone();
                after.waits[rank] = None;
                open.push(after);
                continue;
            }
            if let Some(Step::Any { from }) = own.get(state.next[rank]) {
                let [complete, reported] = state.any[rank];
                for at in (0..2).filter(|at| complete[*at] && !reported[*at]) {
                    let mut after = state.clone();
                    after.any[rank][1][at] = true;
                    after.last[rank] = from[at];
                    after.taken[rank].push(from[at]);
                    open.push(after);
                    is_end = false;
                }
            }
            let Some(Step::Receive { from: None, tag }) = own.get(state.next[rank]) else {
                continue;
            };
            for source in 0..ranks as i32 {
                let mut after = state.clone();
                if after.take(rank, source, *tag) {
                    after.taken[rank].push(source);
                    open.push(after);
                    is_end = false;
                }
            }
        }
        if is_end {
            ends.insert(state.taken);
        }
    }
    ends
}

/// How many executions were compared.
#[derive(Default)]
struct Compared {
    /// All that safe programs took.
    all: u64,
    /// Those in which some messages were buffered and others were not.
    partial: u64,
}

/// Compares this many drawn programs that have no more than `most_outcomes` with unlimited buffering.
fn compare(count: u32, most: usize, most_outcomes: usize, any: bool) -> Compared {
    let mut stream = sim_core::stream(3, "programs", most as u64);
    let (mut drawn_programs, mut compared) = (0, Compared::default());
    while drawn_programs < count {
        let steps = drawn(&mut stream, most, any);
        let expected = outcomes(&steps, Space::Infinite).len();
        if !(2..=most_outcomes).contains(&expected) {
            continue;
        }
        drawn_programs += 1;
        let (program, ranks) = (steps.clone(), steps.len() as u32);
        let started = Arc::new(AtomicU64::new(0));
        let counter = Arc::clone(&started);
        let scenario = Request::new("drawn", ranks).resolve_program(Arc::new(move || {
            counter.fetch_add(1, Ordering::Relaxed);
            perform(&program);
        }));
        let scenario = scenario.expect("a valid scenario");
        let budget = Budget::Executions(5000);
        let report = safety::check_with(&scenario, &Workers::in_process(), budget);
        let (space, followed) = report.followed[1];
        assert_eq!(space, Space::Infinite);
        assert!(followed.all, "{steps:?}");
        assert_eq!(followed.orders, expected as u64, "{steps:?}");
        let made = started.load(Ordering::Relaxed) / u64::from(ranks);
        // What receives take where some messages are buffered, and the ranks whose messages are.
        let mut partial: BTreeSet<(Taken, Vec<u32>)> = BTreeSet::new();
        for run in report.runs.iter().filter(|run| !run.result.choices.is_empty()) {
            TAKEN.set(vec![Vec::new(); steps.len()]);
            let again = scenario.run_with(run.settings.clone());
            assert_eq!(again.digest, run.result.digest, "{}: {steps:?}", run.policy);
            if run.policy.space() == Some(Space::Partial) {
                let buffered = again.choices.iter().filter_map(|choice| choice.buffers);
                let mut buffered: Vec<u32> = buffered.map(|by| by.rank).collect();
                buffered.sort_unstable();
                assert!(partial.insert((TAKEN.take(), buffered)), "{}: {steps:?}", run.policy);
            }
        }
        if report.verdict != Verdict::Ok {
            continue;
        }
        let all = outcomes(&steps, Space::Partial);
        let followed = report.followed.get(2).map(|(_, followed)| *followed);
        match followed {
            // It begins with an execution in which nothing is buffered; if that has no choice, the report leaves it out.
            Some(followed) if followed.orders == 1 => assert_eq!(all.len(), 1, "{steps:?}"),
            Some(followed) => {
                assert!(followed.all, "{steps:?}");
                assert_eq!(followed.orders, partial.len() as u64, "{steps:?}");
                let taken: BTreeSet<Taken> = partial.into_iter().map(|(taken, _)| taken).collect();
                assert_eq!(taken, all, "{steps:?}");
                compared.partial += followed.orders;
            }
            None => assert_eq!(all.len(), expected, "{steps:?}"),
        }
        let single = report.followed.iter().filter(|(_, followed)| followed.orders == 1);
        assert_eq!(made, report.runs.len() as u64 + single.count() as u64, "{steps:?}");
        compared.all += made;
    }
    compared
}

#[test]
fn of_equivalent_executions_exactly_one_is_made() {
    let limits = [(120, 8, 60, false), (600, 13, 500, false), (300, 10, 300, true)];
    let compared = limits.map(|(count, most, outcomes, any)| compare(count, most, outcomes, any));
    assert!(compared.iter().all(|one| one.all > 300));
    assert!(compared.iter().map(|one| one.partial).sum::<u64>() > 100);
}
