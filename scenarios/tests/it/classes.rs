//! Exploration of match orders, compared with the enumeration of all orders: of equivalent executions exactly one
//! is made.

use std::{
    collections::BTreeSet,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use mpi_api::{
    api::{initialize, traits::*},
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
    Send { to: i32, tag: i32, only: Option<i32> },
    Receive { from: Option<i32>, tag: i32 },
}

type Steps = Vec<Vec<Step>>;

/// Draws a program of less than `most` messages in which each message has a receive that could take it.
fn drawn(stream: &mut ChaCha8Rng, most: usize) -> Steps {
    let ranks = stream.random_range(3..6_usize);
    let mut steps: Steps = vec![Vec::new(); ranks];
    for _ in 0..stream.random_range(3..most) {
        let from = stream.random_range(0..ranks);
        let to = (from + stream.random_range(1..ranks)) % ranks;
        let tag = i32::from(stream.random_range(0..3) == 0);
        let only = [None, None, None, Some(0), Some(1)][stream.random_range(0..5_usize)];
        steps[from].push(Step::Send { to: to as i32, tag, only });
        let named = stream.random_range(0..4) == 0;
        let at = stream.random_range(0..=steps[to].len());
        let from = named.then_some(from as i32);
        steps[to].insert(at, Step::Receive { from, tag });
    }
    steps
}

/// What one rank does.
fn perform(steps: &Steps) {
    let universe = initialize().expect("once");
    let world = universe.world();
    let mut last = 0;
    for step in &steps[world.rank() as usize] {
        match *step {
            Step::Send { to, tag, only } => {
                if only.is_none_or(|parity| last % 2 == parity) {
                    world.process_at_rank(to).send_with_tag(&7, tag);
                }
            }
            Step::Receive { from, tag } => {
                let (_, status) = match from {
                    Some(from) => world.process_at_rank(from).receive_with_tag::<i32>(tag),
                    None => world.any_process().receive_with_tag::<i32>(tag),
                };
                last = status.source_rank();
            }
        }
    }
}

/// An execution with unlimited buffering, as far as it has come.
#[derive(Clone)]
struct State {
    next: Vec<usize>,
    last: Vec<i32>,
    /// The messages for each rank, with source and tag.
    messages: Vec<Vec<(i32, i32)>>,
    /// The sources that the receives from any source of each rank have taken.
    taken: Vec<Vec<i32>>,
}

impl State {
    fn take(&mut self, rank: usize, source: i32, tag: i32) -> bool {
        let found = self.messages[rank].iter().position(|message| *message == (source, tag));
        if let Some(at) = found {
            self.messages[rank].remove(at);
            self.last[rank] = source;
            self.next[rank] += 1;
        }
        found.is_some()
    }

    /// Does what needs no choice, until nothing is left of it.
    fn advance(&mut self, steps: &Steps) {
        let mut moved = true;
        while std::mem::take(&mut moved) {
            for (rank, own) in steps.iter().enumerate() {
                match own.get(self.next[rank]) {
                    Some(Step::Send { to, tag, only }) => {
                        if only.is_none_or(|parity| self.last[rank] % 2 == parity) {
                            self.messages[*to as usize].push((rank as i32, *tag));
                        }
                        self.next[rank] += 1;
                        moved = true;
                    }
                    Some(Step::Receive { from: Some(from), tag }) => {
                        moved |= self.take(rank, *from, *tag);
                    }
                    Some(Step::Receive { from: None, .. }) | None => {}
                }
            }
        }
    }
}

/// Returns the number of classes: executions that differ in what a receive takes.
fn classes(steps: &Steps) -> usize {
    let ranks = steps.len();
    let start = State {
        next: vec![0; ranks],
        last: vec![0; ranks],
        messages: vec![Vec::new(); ranks],
        taken: vec![Vec::new(); ranks],
    };
    let (mut open, mut seen, mut ends) = (vec![start], BTreeSet::new(), BTreeSet::new());
    while let Some(mut state) = open.pop() {
        state.advance(steps);
        if !seen.insert(state.taken.clone()) {
            continue;
        }
        let before = open.len();
        for (rank, own) in steps.iter().enumerate() {
            let Some(Step::Receive { from: None, tag }) = own.get(state.next[rank]) else {
                continue;
            };
            for source in 0..ranks as i32 {
                let mut after = state.clone();
                if after.take(rank, source, *tag) {
                    after.taken[rank].push(source);
                    open.push(after);
                }
            }
        }
        if open.len() == before {
            ends.insert(state.taken);
        }
    }
    ends.len()
}

/// Compares so many drawn programs that have no more than `classes_max` classes. Returns how many executions the safe
/// ones among them took with unlimited and no buffering.
fn compare(count: u32, most: usize, classes_max: usize) -> u64 {
    let mut stream = sim_core::stream(3, "programs", most as u64);
    let (mut compared, mut all) = (0, 0);
    while compared < count {
        let steps = drawn(&mut stream, most);
        let expected = classes(&steps);
        if !(2..=classes_max).contains(&expected) {
            continue;
        }
        compared += 1;
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
        for run in report.runs.iter().filter(|run| !run.result.choices.is_empty()) {
            let again = scenario.run_with(run.settings.clone());
            assert_eq!(again.digest, run.result.digest, "{}: {steps:?}", run.policy);
        }
        // Where some messages are buffered and others are not, executions differ in that, too, and some have the same
        // matches as others.
        if report.verdict == Verdict::Ok && report.followed.len() == 2 {
            // The report leaves out an order without a choice: it is one of the runs before.
            let single = report.followed.iter().filter(|(_, followed)| followed.orders == 1);
            all += made;
            assert_eq!(made, report.runs.len() as u64 + single.count() as u64, "{steps:?}");
        }
    }
    all
}

#[test]
fn of_equivalent_executions_exactly_one_is_made() {
    for (count, most, classes_max) in [(120, 8, 60), (600, 13, 500)] {
        assert!(compare(count, most, classes_max) > 300);
    }
}
