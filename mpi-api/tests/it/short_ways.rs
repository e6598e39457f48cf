//! Blocking calls that need no request, and messages inside collectives that need no matching, end
//! exactly as those that do: a run with a trace goes the long way, the same run without one the
//! short way.

use std::sync::{Arc, Mutex};

use mpi_api::{
    call::{
        ClockCall, CollectiveCall, CollectiveEntry, CollectiveKind, CommId, Completing, Counts,
        Incoming, Layout, MessageCall, Mode, Outgoing, Payload, ProbeCall, Reduction, Reply,
        RequestCall, RequestId, Site, Source, Threading,
    },
    cost::Costs,
    object::{
        op::Op,
        signature::{Primitive, Signature},
    },
    outcome::RunResult,
    raw::Raw,
    run::{Program, run},
    settings::{Buffering, Matching, Pool, Settings},
    trace::{Recording, TraceSink},
};
use network_models::{ByteTime, LocalPath, LogGp, LogGpParameters, NodeId};
use proptest::prelude::*;
use sim_core::{SimDuration, TieBreak};

use super::settings;

/// Ranks of the programs.
const RANKS: u32 = 4;

/// One call of a rank.
#[derive(Clone, Debug)]
enum Step {
    Compute(u64),
    Send(Message, Mode),
    Receive(Room),
    SendReceive(Message, Room),
    /// Also waited for at the end.
    StartSend(Message),
    StartDetachedSend(Message),
    StartReceive(Room),
    /// For all that was started so far.
    Wait,
    Probe(Option<u32>),
    /// A collective of all ranks with this many numbers.
    Together(CollectiveKind, u64),
    /// A further thread begins, and ends at once.
    Thread,
}

#[derive(Clone, Debug)]
struct Message {
    /// `None` is the null process.
    to: Option<u32>,
    tag: i32,
    bytes: usize,
    /// Of another type than all others.
    odd: bool,
}

#[derive(Clone, Debug)]
struct Room {
    from: Source,
    tag: Option<i32>,
    bytes: u64,
}

fn message() -> impl Strategy<Value = Message> {
    let to = prop_oneof![9 => (0..RANKS).prop_map(Some), 1 => Just(None)];
    let bytes = prop_oneof![Just(0_usize), 1..9_usize, 9..40_usize];
    (to, 0..2, bytes, prop::bool::weighted(0.02)).prop_map(|(to, tag, bytes, odd)| Message {
        to,
        tag,
        bytes,
        odd,
    })
}

fn room() -> impl Strategy<Value = Room> {
    let from = prop_oneof![
        6 => (0..RANKS).prop_map(Source::Rank),
        4 => Just(Source::Any),
        1 => Just(Source::Null),
    ];
    let tag = prop_oneof![Just(None), (0..2).prop_map(Some)];
    let bytes = prop_oneof![9 => Just(40_u64), 1 => 0..40_u64];
    (from, tag, bytes).prop_map(|(from, tag, bytes)| Room { from, tag, bytes })
}

fn step() -> impl Strategy<Value = Step> {
    let mode = prop_oneof![
        8 => Just(Mode::Standard),
        1 => Just(Mode::Synchronous),
        1 => Just(Mode::Ready),
    ];
    prop_oneof![
        2 => (0..3000_u64).prop_map(Step::Compute),
        6 => (message(), mode).prop_map(|(message, mode)| Step::Send(message, mode)),
        6 => room().prop_map(Step::Receive),
        4 => (message(), room()).prop_map(|(message, room)| Step::SendReceive(message, room)),
        2 => message().prop_map(Step::StartSend),
        2 => message().prop_map(Step::StartDetachedSend),
        2 => room().prop_map(Step::StartReceive),
        1 => Just(Step::Wait),
        1 => prop::option::of(0..RANKS).prop_map(Step::Probe),
    ]
}

/// What each rank does. Most steps are pairs of a send and its receive, so that runs get far.
fn programs() -> impl Strategy<Value = Vec<Vec<Step>>> {
    let pair = (0..RANKS, 0..RANKS, 0..2, 0..40_usize, any::<bool>());
    let pairs = prop::collection::vec(pair, 0..12);
    let odd = prop::collection::vec((0..RANKS, step()), 0..6);
    let thread = prop::option::weighted(0.1, 0..RANKS);
    let kind = prop_oneof![
        Just(CollectiveKind::Barrier),
        Just(CollectiveKind::Allreduce),
        Just(CollectiveKind::Allgather),
    ];
    let together = prop::collection::vec((kind, 0..9_u64, 0..9_usize), 0..5);
    (pairs, odd, thread, together).prop_map(|(pairs, odd, thread, together)| {
        let mut ranks = vec![Vec::new(); RANKS as usize];
        for (from, to, tag, bytes, wild) in pairs {
            let message = Message { to: Some(to), tag, bytes, odd: false };
            let source = if wild { Source::Any } else { Source::Rank(from) };
            let room = Room { from: source, tag: (!wild).then_some(tag), bytes: 40 };
            if from == to {
                ranks[from as usize].push(Step::SendReceive(message, room));
            } else {
                ranks[from as usize].push(Step::Send(message, Mode::Standard));
                ranks[to as usize].push(Step::Receive(room));
            }
        }
        let mut places = vec![0; RANKS as usize];
        for (number, (kind, count, skew)) in together.into_iter().enumerate() {
            // In the same order on all ranks, which come to it at different times.
            for (rank, own) in ranks.iter_mut().enumerate() {
                let after = (skew * (rank + 1) + number) % 4;
                places[rank] = (places[rank] + after).min(own.len());
                own.insert(places[rank], Step::Together(kind, count));
                places[rank] += 1;
            }
        }
        for (rank, step) in odd {
            let own = &mut ranks[rank as usize];
            own.insert(own.len() / 2, step);
        }
        if let Some(rank) = thread {
            let own = &mut ranks[rank as usize];
            own.insert(own.len() / 2, Step::Thread);
        }
        ranks
    })
}

/// Buffers, an eager limit, prices of calls, orders of simultaneous events and matches.
fn machines() -> impl Strategy<Value = Settings> {
    let pool = prop_oneof![
        Just(Pool::Unlimited),
        Just(Pool::Bytes(0)),
        (1..100_u64).prop_map(Pool::Bytes),
        prop::collection::vec(0..60_u64, 4).prop_map(|each| Pool::PerRank(each.into())),
    ];
    let limit = prop_oneof![Just(u64::MAX), Just(0), Just(10)];
    let price = || prop_oneof![Just(0_u64), 1..900_u64];
    let seeds = (prop::option::of(0..9_u64), prop::option::of(0..9_u64));
    (pool, limit, (price(), price(), price()), seeds).prop_map(
        |(pool, eager_limit, (send, receive, copy), (ties, matches))| Settings {
            buffering: Buffering { eager_limit, pool },
            costs: Costs {
                send: SimDuration::from_ns(send),
                receive: SimDuration::from_ns(receive),
                post_send: SimDuration::from_ns(send / 2),
                copy: ByteTime::from_fs(copy * 1000),
                ..Costs::free()
            },
            tie_break: ties.map_or(TieBreak::InsertionOrder, TieBreak::Seeded),
            matching: matches.map_or(Matching::Arrival, Matching::Seeded),
            ..settings(RANKS, Buffering::infinite())
        },
    )
}

fn outgoing(message: &Message, mode: Mode) -> Outgoing {
    let bytes = vec![message.tag as u8; message.bytes];
    let (count, primitive) = match message.odd {
        true => (message.bytes as u64, Primitive::Char),
        false => (message.bytes as u64, Primitive::Byte),
    };
    Outgoing {
        comm: CommId::WORLD,
        dest: message.to,
        tag: message.tag,
        mode,
        payload: Payload::from_slice(&bytes),
        signature: Signature::of(primitive, count),
        layout: Layout::Dense,
    }
}

fn incoming(room: &Room) -> Incoming {
    Incoming {
        comm: CommId::WORLD,
        source: room.from,
        tag: room.tag,
        capacity: room.bytes,
        signature: Signature::of(Primitive::Byte, room.bytes),
        layout: Layout::Dense,
    }
}

fn collective(kind: CollectiveKind, count: u64, rank: u32) -> CollectiveCall {
    let call = CollectiveCall::new(CommId::WORLD, kind);
    if kind == CollectiveKind::Barrier {
        return call;
    }
    let numbers = (0..count).flat_map(|at| (u64::from(rank) * 10 + at).to_le_bytes());
    let reduces = kind == CollectiveKind::Allreduce;
    CollectiveCall {
        reduction: reduces.then(|| Reduction::new(Op::Sum, Primitive::UInt64)),
        input: numbers.collect(),
        send: Counts::Uniform(count * 8),
        receive: Counts::Uniform(count * 8),
        signature: Signature::of(Primitive::UInt64, count),
        ..call
    }
}

/// One line for what a rank has heard of a call.
fn heard(reply: Option<Reply>) -> String {
    match reply {
        Some(reply @ (Reply::Received(_) | Reply::Completed(_))) => {
            let end = reply.completion().expect("one end");
            let data = end.payload.map(|payload| payload.as_slice().to_vec());
            format!("{:?} {data:?}", end.status)
        }
        Some(Reply::Completions(ends)) => {
            ends.iter().map(|(at, end)| format!("{at} {:?};", end.status)).collect()
        }
        other => format!("{other:?}"),
    }
}

/// Does what the steps of this rank say; writes down what it hears, and when.
fn play(steps: &[Vec<Step>], log: &Mutex<Vec<String>>) {
    let raw = Raw::take().expect("once");
    let steps = &steps[raw.number() as usize];
    let mut open: Vec<RequestId> = Vec::new();
    // Of detached sends, which one of the ways may not need.
    let mut detached: Vec<RequestId> = Vec::new();
    for step in steps.iter().chain([&Step::Wait]) {
        let site = Site::here();
        let reply = match step {
            Step::Compute(ns) => raw.call(site, ClockCall::Compute(SimDuration::from_ns(*ns))),
            Step::Send(message, mode) => {
                raw.call(site, MessageCall::Send(outgoing(message, *mode)))
            }
            Step::Receive(room) => raw.call(site, MessageCall::Receive(incoming(room))),
            Step::SendReceive(message, room) => {
                let send = outgoing(message, Mode::Standard);
                raw.call(site, MessageCall::SendReceive(send, incoming(room)))
            }
            Step::StartSend(message) => {
                raw.call(site, MessageCall::StartSend(outgoing(message, Mode::Standard)))
            }
            Step::StartDetachedSend(message) => {
                let send = outgoing(message, Mode::Standard);
                match raw.call(site, MessageCall::StartDetachedSend(send)) {
                    Some(Reply::Request(id)) => {
                        detached.push(id);
                        Some(Reply::Done)
                    }
                    reply => reply,
                }
            }
            Step::StartReceive(room) => raw.call(site, MessageCall::StartReceive(incoming(room))),
            Step::Wait => {
                let ended = std::mem::take(&mut detached);
                raw.call(site, RequestCall::Wait(ended, Completing::All));
                let list = std::mem::take(&mut open);
                raw.call(site, RequestCall::Wait(list, Completing::All))
            }
            Step::Probe(from) => {
                let source = from.map_or(Source::Any, Source::Rank);
                raw.call(site, ProbeCall::Blocking(CommId::WORLD, source, None))
            }
            Step::Together(kind, count) => {
                let call = collective(*kind, *count, raw.number());
                raw.call(site, CollectiveEntry::Blocking(Box::new(call)))
            }
            Step::Thread => {
                raw.spawn(site, Threading::Multiple, drop);
                Some(Reply::Done)
            }
        };
        let line = match &reply {
            // Numbers of requests are nobody's business.
            Some(Reply::Request(id)) => {
                open.push(*id);
                "a request".into()
            }
            _ => heard(reply),
        };
        let line = format!("{} {} {line}", raw.number(), raw.now().as_ps());
        log.lock().expect("nobody panics").push(line);
    }
}

/// Both ways of one run: what came of it, and what the ranks have heard.
fn go(settings: Settings, steps: &[Vec<Step>], traced: bool) -> (RunResult, Vec<String>) {
    let parameters = LogGpParameters {
        latency: SimDuration::from_ns(700),
        gap: SimDuration::from_ns(90),
        byte_time: ByteTime::from_fs(4_000_000),
        duplex_factor: 1,
    };
    let local = LocalPath { latency: SimDuration::from_ns(30), bandwidth: None };
    let nodes: Vec<NodeId> = (0..RANKS).map(|rank| NodeId(rank / 2)).collect();
    let network = Box::new(LogGp::new(parameters, RANKS, local));
    let log: Arc<Mutex<Vec<String>>> = Arc::default();
    let (steps, own) = (steps.to_vec(), Arc::clone(&log));
    let program: Program = Arc::new(move || play(&steps, &own));
    let sink = traced.then(|| Box::new(Recording::default()) as Box<dyn TraceSink>);
    let result = run(Settings { nodes, ..settings }, network, &program, sink).0;
    let heard = std::mem::take(&mut *log.lock().expect("nobody panics"));
    (result, heard)
}

/// Plays the steps in both ways and compares everything that a user sees of them.
fn compare(steps: &[Vec<Step>], settings: Settings) -> Result<(), TestCaseError> {
    let (long, heard_long) = go(settings.clone(), steps, true);
    let (short, heard_short) = go(settings, steps, false);
    prop_assert_eq!(heard_long, heard_short);
    prop_assert_eq!(long.digest, short.digest);
    let told = |result: &RunResult| {
        let RunResult { ending, makespan, events, messages, bytes, ranks, .. } = result;
        format!(
            "{ending:?} {makespan:?} {events} {messages} {bytes} {ranks:?} {:?} {:?}",
            result.findings, result.choices
        )
    };
    prop_assert_eq!(told(&long), told(&short));
    Ok(())
}

#[test]
fn messages_left_over_are_reported_in_order_of_sending() {
    let to = |to| Message { to: Some(to), tag: 0, bytes: 0, odd: false };
    let send = |target| Step::Send(to(target), Mode::Standard);
    let room = |from| Room { from, tag: None, bytes: 40 };
    let receive = || Step::Receive(room(Source::Rank(0)));
    let to_oneself = |from| Step::SendReceive(to(0), room(from));
    let together = || Step::Together(CollectiveKind::Barrier, 0);
    let first = [
        together(),
        send(2),
        to_oneself(Source::Null),
        send(2),
        to_oneself(Source::Rank(0)),
        send(1),
    ];
    let steps = [
        Vec::from(first),
        vec![together(), Step::StartSend(to(0)), receive()],
        vec![together(), receive(), receive()],
        vec![together()],
    ];
    let settings = settings(RANKS, Buffering::infinite());
    compare(&steps, settings).expect("both ways are alike");
}

#[test]
fn the_nearest_miss_of_a_rank_with_two_receives_is_the_one_that_it_waits_in() {
    let room = |from| Room { from: Source::Rank(from), tag: None, bytes: 40 };
    let send = Message { to: Some(0), tag: 0, bytes: 0, odd: false };
    let steps = [
        vec![Step::StartReceive(room(0)), Step::Receive(room(3))],
        vec![],
        vec![Step::Send(send, Mode::Standard)],
        vec![],
    ];
    let settings = settings(RANKS, Buffering::infinite());
    compare(&steps, settings.clone()).expect("both ways are alike");
    let (result, _) = go(settings, &steps, false);
    let note = "nearest miss: rank 2 sends to rank 0, rank 0 receives from rank 3";
    assert!(result.findings[0].notes.iter().any(|n| n == note), "{:?}", result.findings);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn both_ways_end_alike(steps in programs(), settings in machines()) {
        compare(&steps, settings)?;
    }
}
