//! Costs compared with the closed forms, by a clock that is independent of the simulator: every
//! message of m bytes takes alpha + m beta from the time when both ranks have begun its round,
//! every combined byte takes gamma, and a round ends with its last message (Thakur, Rabenseifner,
//! Gropp 2005, section 3).

use std::collections::BTreeMap;

use super::by_rank;
use crate::{
    call::{CollectiveKind as K, Counts},
    collective::{
        Schedule, Shape, Step,
        algorithm::{Algorithm as A, build},
        broadcast::pipelined_chain::SEGMENT,
    },
};

/// Cost parameters far apart, so that equal times mean equal numbers of rounds, bytes and combined
/// bytes.
const ALPHA: u64 = 1_000_000_000_000_000;
const BETA: u64 = 100_000_000;
const GAMMA: u64 = 1;

/// Start times of the messages between two ranks on both sides, in order.
#[derive(Default)]
struct Pair {
    sends: Vec<u64>,
    receives: Vec<u64>,
}

/// A message of a rank's current round: the two ranks, its number between them, its bytes.
struct Message {
    pair: (u32, u32),
    number: usize,
    bytes: u64,
}

#[derive(Default)]
struct Clock {
    now: u64,
    round: usize,
    begun: Option<Vec<Message>>,
}

fn steps(schedule: &Schedule, round: usize) -> &[Step] {
    let ends = &schedule.round_ends;
    let begin = if round == 0 { 0 } else { ends[round - 1] as usize };
    &schedule.steps[begin..ends[round] as usize]
}

fn begin(
    rank: u32,
    now: u64,
    steps: &[Step],
    pairs: &mut BTreeMap<(u32, u32), Pair>,
) -> Vec<Message> {
    let mut messages = Vec::new();
    for step in steps {
        let (pair, bytes) = match *step {
            Step::Send { to, from } => ((rank, to), from.bytes),
            Step::Receive { from, into } => ((from, rank), into.bytes),
            _ => continue,
        };
        let both = pairs.entry(pair).or_default();
        let side = if pair.0 == rank { &mut both.sends } else { &mut both.receives };
        side.push(now);
        messages.push(Message { pair, number: side.len() - 1, bytes });
    }
    messages
}

/// Returns the end time of a message, if both sides have begun it.
fn end(message: &Message, pairs: &BTreeMap<(u32, u32), Pair>) -> Option<u64> {
    let pair = &pairs[&message.pair];
    let begun = pair.sends.get(message.number)?.max(pair.receives.get(message.number)?);
    Some(begun + ALPHA + message.bytes * BETA)
}

fn makespan(schedules: &[Schedule]) -> u64 {
    let mut clocks: Vec<Clock> = schedules.iter().map(|_| Clock::default()).collect();
    let mut pairs = BTreeMap::new();
    let mut moved = true;
    while std::mem::take(&mut moved) {
        for ((rank, schedule), clock) in (0..).zip(schedules).zip(&mut clocks) {
            if clock.round == schedule.round_ends.len() {
                continue;
            }
            let steps = steps(schedule, clock.round);
            let messages =
                clock.begun.get_or_insert_with(|| begin(rank, clock.now, steps, &mut pairs));
            let ends: Option<Vec<u64>> = messages.iter().map(|one| end(one, &pairs)).collect();
            let Some(ends) = ends else { continue };
            let combined = steps.iter().map(|step| match step {
                Step::CombineLeft { into, .. }
                | Step::CombineRight { into, .. }
                | Step::CombineInOrder { into, .. } => into.bytes,
                _ => 0,
            });
            clock.now = ends.into_iter().fold(clock.now, u64::max) + combined.sum::<u64>() * GAMMA;
            clock.round += 1;
            clock.begun = None;
            moved = true;
        }
    }
    for (clock, schedule) in clocks.iter().zip(schedules) {
        assert_eq!(clock.round, schedule.round_ends.len());
    }
    clocks.iter().map(|clock| clock.now).max().expect("a rank")
}

/// Returns the time of a collective whose whole result or buffer has `n` bytes.
fn time(kind: K, algorithm: A, size: u32, n: u64) -> u64 {
    let block = n / u64::from(size);
    let (send, receive) = match kind {
        K::Gather | K::Scatter | K::Allgather | K::Alltoall => (block, block),
        K::ReduceScatter => (n, block),
        _ => (n, n),
    };
    let schedule = |rank| {
        let shape = Shape {
            kind,
            size,
            rank,
            root: 0,
            remote: None,
            neighbors: None,
            send: Counts::Uniform(send),
            receive: Counts::Uniform(receive),
            element_bytes: 1,
            commutative: true,
        };
        by_rank(build(algorithm, &shape), &shape)
    };
    makespan(&(0..size).map(schedule).collect::<Vec<_>>())
}

/// Returns `rounds` alpha + `sent` beta + `combined` gamma.
fn form(rounds: u64, sent: u64, combined: u64) -> u64 {
    rounds * ALPHA + sent * BETA + combined * GAMMA
}

#[test]
fn times_for_powers_of_two_are_the_closed_forms() {
    for log in 1..=5_u64 {
        let p = 1_u64 << log;
        let n = 24 * p;
        // (p - 1)/p n: all blocks except the rank's own.
        let rest = n - n / p;
        let forms = [
            (K::Barrier, A::Dissemination, form(log, 0, 0)),
            (K::Barrier, A::DoubleRing, form(2 * p, 0, 0)),
            (K::Barrier, A::Tree, form(2 * log, 0, 0)),
            (K::Broadcast, A::Binomial, form(log, log * n, 0)),
            (K::Broadcast, A::ScatterRecursiveDoubling, form(2 * log, 2 * rest, 0)),
            (K::Broadcast, A::ScatterRing, form(log + p - 1, 2 * rest, 0)),
            (K::Gather, A::Binomial, form(log, rest, 0)),
            (K::Scatter, A::Binomial, form(log, rest, 0)),
            (K::Allgather, A::Ring, form(p - 1, rest, 0)),
            (K::Allgather, A::RecursiveDoubling, form(log, rest, 0)),
            (K::Allgather, A::Bruck, form(log, rest, 0)),
            (K::Allgather, A::NeighborExchange, form(p / 2, rest, 0)),
            (K::Allgather, A::GatherBroadcast, form(2 * log, rest + log * n, 0)),
            (K::Alltoall, A::Bruck, form(log, log * n / 2, 0)),
            (K::Alltoall, A::Pairwise, form(p - 1, rest, 0)),
            (K::Alltoall, A::Ring, form(p - 1, rest, 0)),
            (K::Reduce, A::Binomial, form(log, log * n, log * n)),
            (K::Reduce, A::Rabenseifner, form(2 * log, 2 * rest, rest)),
            (K::ReduceScatter, A::RecursiveHalving, form(log, rest, rest)),
            (K::ReduceScatter, A::RecursiveDoubling, form(log, log * n - rest, log * n - rest)),
            (K::ReduceScatter, A::Pairwise, form(p - 1, rest, rest)),
            (K::Allreduce, A::RecursiveDoubling, form(log, log * n, log * n)),
            (K::Allreduce, A::Rabenseifner, form(2 * log, 2 * rest, rest)),
            (K::Allreduce, A::Ring, form(2 * (p - 1), 2 * rest, rest)),
            (K::Allreduce, A::ReduceBroadcast, form(2 * log, 2 * log * n, log * n)),
            (K::Scan, A::Linear, form(p - 1, (p - 1) * n, (p - 1) * n)),
            (K::Scan, A::RecursiveDoubling, form(log, log * n, 2 * log * n)),
        ];
        for (kind, algorithm, expected) in forms {
            let found = time(kind, algorithm, p as u32, n);
            assert_eq!(found, expected, "{kind:?} {algorithm}, {p} ranks");
        }
    }
}

#[test]
fn times_off_a_power_of_two_are_the_documented_forms() {
    for p in [3_u64, 5, 6, 7, 11, 12] {
        let below = u64::from(p.ilog2());
        let up = below + 1;
        let power = 1 << below;
        let n = 8 * p * power;
        let rest = n - n / p;
        let halved = n - n / power;
        let mut forms = vec![
            (K::Barrier, A::Dissemination, form(up, 0, 0)),
            (K::Barrier, A::DoubleRing, form(2 * p, 0, 0)),
            (K::Broadcast, A::Binomial, form(up, up * n, 0)),
            (K::Allgather, A::Bruck, form(up, rest, 0)),
            (K::Allgather, A::Ring, form(p - 1, rest, 0)),
            (K::Alltoall, A::Ring, form(p - 1, rest, 0)),
            (K::Reduce, A::Rabenseifner, form(2 * below + 1, 2 * halved + n, halved + n)),
            (K::Allreduce, A::RecursiveDoubling, form(below + 2, (below + 2) * n, (below + 1) * n)),
            (K::Allreduce, A::Rabenseifner, form(2 * below + 2, 2 * halved + 2 * n, halved + n)),
            (K::Allreduce, A::Ring, form(2 * (p - 1), 2 * rest, rest)),
        ];
        if p % 2 == 0 {
            forms.push((K::Allgather, A::NeighborExchange, form(p / 2, rest, 0)));
        }
        for (kind, algorithm, expected) in forms {
            let found = time(kind, algorithm, p as u32, n);
            assert_eq!(found, expected, "{kind:?} {algorithm}, {p} ranks");
        }
    }
}

#[test]
fn a_chain_is_filled_and_then_delivers_a_segment_each_round() {
    for p in 2..9_u64 {
        for segments in [1, 2, 3, 10] {
            let n = segments * SEGMENT;
            let rounds = p - 2 + segments;
            let found = time(K::Broadcast, A::PipelinedChain, p as u32, n);
            assert_eq!(found, form(rounds, rounds * SEGMENT, 0), "{p} ranks, {segments} segments");
        }
    }
}
