//! One-sided communication through the untyped interface: what it costs on a network of known
//! parameters, in which order atomic accesses take effect, and when held accesses do.

use std::{cell::RefCell, rc::Rc, sync::Arc};

use mpi_api::{
    call::{
        Access, AccessCompletion, Action, Assertions, ClockCall, CollectiveCall, CollectiveEntry,
        CollectiveKind, CommCall, CommId, Completing, Flavor, Incoming, Layout, LockType, MemoryId,
        MessageCall, Mode, Outgoing, Payload, Reply, RequestCall, Runs, SameParts, Site, Source,
        WindowCall, WindowId, WindowPart,
    },
    cost::Costs,
    finding::Code,
    object::{
        op::Op,
        signature::{Primitive, Signature},
    },
    outcome::{Ending, RunResult},
    raw::Raw,
    run::run,
    settings::{Buffering, OneSided, Polls, Progress, Races, Settings},
    window_memory::{WindowMemory, register},
};
use network_models::{ByteTime, Constant, LocalPath, LogGp, LogGpParameters};
use sim_core::{Limits, SimDuration, SimTime, TieBreak};

const LATENCY: u64 = 1_000_000;
const GAP: u64 = 200_000;
const PER_BYTE: u64 = 1_000;
const OVERHEAD: u64 = 30_000;

struct Bytes(RefCell<Vec<u8>>);

impl WindowMemory for Bytes {
    fn read(&self, at: i64, into: &mut [u8]) {
        into.copy_from_slice(&self.0.borrow()[at as usize..][..into.len()]);
    }

    fn write(&self, at: i64, bytes: &[u8]) {
        self.0.borrow_mut()[at as usize..][..bytes.len()].copy_from_slice(bytes);
    }
}

/// A rank with a window of 64 bytes.
struct Rank {
    raw: Raw,
    window: WindowId,
    memory: Rc<Bytes>,
}

impl Rank {
    fn new() -> Self {
        let raw = Raw::take().expect("once");
        let Some(Reply::Comm(Some(comm))) =
            raw.call(Site::here(), CommCall::Duplicate(CommId::WORLD))
        else {
            panic!("a communicator")
        };
        let memory = Rc::new(Bytes(RefCell::new(vec![0; 64])));
        let number: MemoryId = register(Rc::clone(&memory) as _);
        let flavor = Flavor::Create;
        let part = WindowPart {
            flavor,
            memory: number,
            base: 0,
            bytes: 64,
            unit: 8,
            same: SameParts::default(),
        };
        let rank = Self { raw, window: WindowId(comm.id), memory };
        rank.call(WindowCall::Create(rank.window, Box::new(part)));
        rank
    }

    fn me(&self) -> u32 {
        self.raw.world().rank
    }

    #[track_caller]
    fn call(&self, call: WindowCall) -> Reply {
        self.raw.call(Site::here(), call).expect("not unwound")
    }

    fn access(&self, target: u32, at: i64, action: Action, data: &[u8], bytes: u64) {
        self.call(WindowCall::Access(self.window, access(target, at, action, data, bytes)));
    }

    fn lock_all(&self) {
        self.lock(None, LockType::Shared);
    }

    fn lock(&self, target: Option<u32>, kind: LockType) {
        let (window, assertions) = (self.window, Assertions::default());
        self.call(WindowCall::Lock { window, target, kind, assertions });
    }

    /// Completes accesses and returns their results.
    fn flush(&self, target: Option<u32>, completion: AccessCompletion) -> Vec<(u32, Payload)> {
        match self.call(WindowCall::Flush { window: self.window, target, completion }) {
            Reply::Fetched(list) => list,
            _ => Vec::new(),
        }
    }

    fn fence(&self) {
        self.call(WindowCall::Fence(self.window, Assertions::default()));
    }

    /// Returns the picoseconds that a piece of the program takes.
    fn takes<T>(&self, part: impl FnOnce(&Self) -> T) -> u64 {
        let before: SimTime = self.raw.now();
        part(self);
        self.raw.now().since(before).as_ps()
    }
}

fn access(target: u32, at: i64, action: Action, data: &[u8], bytes: u64) -> Box<Access> {
    let payload = Payload::from_slice(data);
    Box::new(Access {
        target,
        at,
        runs: Runs::One(0, bytes),
        action,
        payload,
        ticket: 5,
        strided: false,
    })
}

fn sum(fetch: bool) -> Action {
    Action::Update { op: Op::Sum, primitive: Primitive::Int64, fetch }
}

fn go(ranks: u32, one_sided: OneSided, program: fn(&Rank)) -> RunResult {
    let costs = Costs { post_send: SimDuration::from_ps(OVERHEAD), ..Costs::free() };
    go_with(ranks, (one_sided, Progress::Strong), costs, program)
}

fn go_with(
    ranks: u32,
    (one_sided, progress): (OneSided, Progress),
    costs: Costs,
    program: fn(&Rank),
) -> RunResult {
    let base = crate::settings(ranks, Buffering::zero());
    simulate(Settings { costs, one_sided, progress, ..base }, ranks, program)
}

fn simulate(settings: Settings, ranks: u32, program: fn(&Rank)) -> RunResult {
    let parameters = LogGpParameters {
        latency: SimDuration::from_ps(LATENCY),
        gap: SimDuration::from_ps(GAP),
        byte_time: ByteTime::from_fs(PER_BYTE * 1000),
        duplex_factor: 1,
    };
    let local = LocalPath { latency: SimDuration::from_ns(1), bandwidth: None };
    let network = LogGp::new(parameters, ranks, local);
    let program = move || program(&Rank::new());
    let result = run(settings, Box::new(network), &(Arc::new(program) as _), None).0;
    assert_eq!(result.ending, Ending::Completed, "{:?}", result.findings);
    result
}

fn clean(ranks: u32, program: fn(&Rank)) {
    for one_sided in [OneSided::Prompt, OneSided::Late] {
        let result = go(ranks, one_sided, program);
        assert!(result.findings.is_empty(), "{:?}", result.findings);
    }
}

#[test]
fn accesses_and_locks_cost_their_closed_forms() {
    go(2, OneSided::Prompt, |rank| {
        if rank.me() == 1 {
            return;
        }
        let way = |bytes: u64| LATENCY + bytes * PER_BYTE;
        assert_eq!(
            rank.takes(|rank| rank.lock(Some(1), LockType::Exclusive)),
            OVERHEAD + 2 * LATENCY
        );
        let put = rank.takes(|rank| {
            rank.access(1, 0, Action::Put, &[1; 40], 40);
            rank.flush(Some(1), AccessCompletion::Remote);
        });
        assert_eq!(put, OVERHEAD + way(40) + way(0), "data and an acknowledgement");
        let get = rank.takes(|rank| {
            rank.access(1, 0, Action::Get, &[], 40);
            rank.flush(Some(1), AccessCompletion::Remote);
        });
        assert_eq!(get, OVERHEAD + way(0) + way(40), "a request and data");
        let update = rank.takes(|rank| {
            rank.access(1, 6, sum(true), &[1; 8], 8);
            rank.flush(Some(1), AccessCompletion::Remote);
        });
        assert_eq!(update, OVERHEAD + 2 * way(8));
        let local = rank.takes(|rank| {
            rank.access(1, 0, Action::Put, &[1; 40], 40);
            rank.flush(Some(1), AccessCompletion::Local);
        });
        assert_eq!(local, OVERHEAD, "the network takes the data at once");
        assert_eq!(
            rank.takes(|rank| rank.flush(Some(1), AccessCompletion::Remote)),
            way(40) + way(0)
        );
        let several = rank.takes(|rank| {
            (0..3).for_each(|at| rank.access(1, at, Action::Put, &[1; 8], 8));
            rank.flush(None, AccessCompletion::Remote);
        });
        assert_eq!(several, OVERHEAD + 2 * GAP + way(8) + way(0), "g between two of them");
        let unlock = rank.takes(|rank| {
            rank.call(WindowCall::Unlock(rank.window, Some(1)));
        });
        assert_eq!(unlock, OVERHEAD, "nobody answers to it");
    });
}

/// Time that a target computes, and that it takes for a message, picoseconds.
const COMPUTED: u64 = 50_000_000;
const RECEIVED: u64 = 70_000;

/// Time that it takes to combine a byte, picoseconds.
const COMBINED: u64 = 1_000;

fn weakly(program: fn(&Rank)) {
    let ps = SimDuration::from_ps;
    let costs = Costs {
        post_send: ps(OVERHEAD),
        receive: ps(RECEIVED),
        reduce: ByteTime::from_fs(1000 * COMBINED),
        ..Costs::free()
    };
    let result = go_with(2, (OneSided::Prompt, Progress::Weak), costs, program);
    assert!(result.findings.is_empty(), "{:?}", result.findings);
}

fn computes(rank: &Rank) {
    rank.raw.call(Site::here(), ClockCall::Compute(SimDuration::from_ps(COMPUTED)));
}

fn unlocks(rank: &Rank, target: Option<u32>) {
    rank.call(WindowCall::Unlock(rank.window, target));
}

#[test]
fn with_weak_progress_a_target_that_computes_serves_at_its_next_call() {
    weakly(|rank| {
        rank.fence();
        let begin = rank.raw.now();
        let since = |rank: &Rank| rank.raw.now().since(begin).as_ps();
        if rank.me() == 1 {
            computes(rank);
            // The processor is busy with the lock first, whose release comes after the fence.
            rank.fence();
            return;
        }
        rank.lock(Some(1), LockType::Exclusive);
        assert_eq!(since(rank), COMPUTED + RECEIVED + LATENCY, "granted by the next call");
        // From here on the target is in a fence, and its processor free.
        let put = rank.takes(|rank| {
            rank.access(1, 0, Action::Put, &[1; 40], 40);
            rank.flush(Some(1), AccessCompletion::Remote);
        });
        assert_eq!(put, OVERHEAD + LATENCY + 40 * PER_BYTE + RECEIVED + LATENCY);
        let get = rank.takes(|rank| {
            rank.access(1, 0, Action::Get, &[], 40);
            rank.flush(Some(1), AccessCompletion::Remote);
        });
        let answered = RECEIVED + OVERHEAD;
        assert_eq!(get, OVERHEAD + LATENCY + answered + LATENCY + 40 * PER_BYTE);
        unlocks(rank, Some(1));
        rank.fence();
    });
}

/// Lets a target compute while four accesses of eight bytes arrive, each of which takes its processor this time.
fn computes_beside_four(rank: &Rank, action: &Action, each: u64) {
    rank.fence();
    rank.lock_all();
    if rank.me() == 0 {
        // The target has its lock, and computes.
        rank.raw.call(Site::here(), ClockCall::Compute(SimDuration::from_ps(COMPUTED / 2)));
        (0..4).for_each(|at| rank.access(1, at, action.clone(), &[1; 8], 8));
        rank.flush(None, AccessCompletion::Remote);
    } else {
        computes(rank);
        // Four accesses have arrived: the call begins after them, and the next one at once.
        let first = rank.takes(|rank| rank.flush(None, AccessCompletion::Remote));
        assert_eq!(
            (first, rank.takes(|rank| rank.flush(None, AccessCompletion::Remote))),
            (4 * each, 0)
        );
    }
    unlocks(rank, None);
    rank.fence();
}

#[test]
fn a_target_takes_time_for_what_others_ask_of_it() {
    weakly(|rank| computes_beside_four(rank, &Action::Put, RECEIVED));
}

#[test]
fn a_target_takes_time_to_combine_data() {
    weakly(|rank| computes_beside_four(rank, &sum(false), RECEIVED + 8 * COMBINED));
}

#[test]
fn a_rank_that_calls_mpi_no_more_is_told_under_weak_progress() {
    let program: fn(&Rank) = |rank| {
        rank.fence();
        let nothing = Assertions { no_check: true, ..Assertions::default() };
        let window = rank.window;
        let lock =
            WindowCall::Lock { window, target: None, kind: LockType::Shared, assertions: nothing };
        rank.call(lock);
        if rank.me() == 0 {
            rank.access(1, 0, Action::Put, &[1; 8], 8);
            rank.flush(None, AccessCompletion::Remote);
        }
        while rank.me() == 1 && rank.memory.0.borrow()[0] == 0 {
            rank.raw.call(Site::here(), ClockCall::Compute(SimDuration::from_ns(10)));
        }
        unlocks(rank, None);
        rank.fence();
    };
    let run_with = |progress| {
        let base = crate::settings(2, Buffering::zero());
        let settings = Settings { progress, limits: Limits::standard(), ..base };
        let network = Constant::new(
            SimDuration::from_us(1),
            None,
            LocalPath { latency: SimDuration::from_ns(1), bandwidth: None },
        );
        let program = move || program(&Rank::new());
        run(settings, Box::new(network), &(Arc::new(program) as _), None).0
    };
    assert_eq!(run_with(Progress::Strong).ending, Ending::Completed);
    let weak = run_with(Progress::Weak);
    assert_eq!(weak.ending, Ending::Failed);
    let codes: Vec<Code> = weak.findings.iter().map(|finding| finding.code).collect();
    assert_eq!(codes, [Code::Livelock], "{:?}", weak.findings);
    assert_eq!(weak.findings[0].sites.len(), 2, "who computes, and who waits");
}

#[test]
fn a_fence_is_the_accesses_and_a_barrier() {
    go(4, OneSided::Prompt, |rank| {
        rank.fence();
        let empty = rank.takes(Rank::fence);
        assert_eq!(empty, 2 * LATENCY, "dissemination among four");
        let full = rank.takes(|rank| {
            rank.access((rank.me() + 1) % 4, 0, Action::Put, &[1; 40], 40);
            rank.fence();
        });
        assert_eq!(full, OVERHEAD + LATENCY + 40 * PER_BYTE + LATENCY + empty);
    });
}

#[test]
fn exclusive_locks_are_handed_over_in_order() {
    clean(4, |rank| {
        rank.lock(Some(0), LockType::Exclusive);
        rank.access(0, 0, Action::Get, &[], 8);
        let fetched = rank.flush(Some(0), AccessCompletion::Remote);
        let [(5, before)] = &fetched[..] else { panic!("one result") };
        let before = i64::from_ne_bytes(before.as_slice().try_into().expect("8 bytes"));
        rank.access(0, 0, Action::Put, &(before + 1).to_ne_bytes(), 8);
        rank.call(WindowCall::Unlock(rank.window, Some(0)));
        rank.fence();
        if rank.me() == 0 {
            assert_eq!(rank.memory.0.borrow()[..8], 4_i64.to_ne_bytes());
        }
    });
}

/// A long accumulate is overtaken in the network by a short one after it, if the two do not wait for
/// each other on the same port.
#[test]
fn atomic_accesses_of_one_origin_take_effect_in_order() {
    clean(2, |rank| {
        rank.lock_all();
        if rank.me() == 0 {
            let replace =
                |fetch| Action::Update { op: Op::Replace, primitive: Primitive::Int64, fetch };
            rank.access(1, 0, replace(false), &[7; 48], 48);
            rank.access(1, 0, replace(true), &9_i64.to_ne_bytes(), 8);
            let fetched = rank.flush(None, AccessCompletion::Remote);
            assert_eq!(fetched[0].1.as_slice(), [7; 8]);
        }
        rank.call(WindowCall::Unlock(rank.window, None));
        rank.fence();
        if rank.me() == 1 {
            assert_eq!(rank.memory.0.borrow()[..8], 9_i64.to_ne_bytes());
        }
    });
}

#[test]
fn held_accesses_take_effect_at_the_synchronisation() {
    let program: fn(&Rank) = |rank| {
        rank.lock_all();
        if rank.me() == 0 {
            rank.access(1, 0, Action::Put, &[3; 8], 8);
        }
        // Time for an access to arrive.
        rank.takes(|rank| {
            let polls = if rank.me() == 0 { 100 } else { 20 };
            for _ in 0..polls {
                rank.call(WindowCall::Sync(rank.window));
            }
        });
        let seen = rank.memory.0.borrow()[0];
        let word = SEEN.with(|seen| seen.get());
        if rank.me() == 1 {
            SEEN.with(|place| place.set(word + u32::from(seen)));
        }
        rank.call(WindowCall::Unlock(rank.window, None));
    };
    thread_local! {
        static SEEN: std::cell::Cell<u32> = const { std::cell::Cell::new(0) };
    }
    go(2, OneSided::Late, program);
    assert_eq!(SEEN.with(std::cell::Cell::get), 0, "nothing has come before the unlock");
    go(2, OneSided::Prompt, program);
    assert_eq!(SEEN.with(std::cell::Cell::get), 3);
}

#[test]
fn requests_complete_on_their_own() {
    clean(2, |rank| {
        rank.lock_all();
        let other = 1 - rank.me();
        let start = |action, data: &[u8]| {
            let call = WindowCall::StartAccess(rank.window, access(other, 1, action, data, 8));
            let Reply::Request(request) = rank.call(call) else { panic!("a request") };
            request
        };
        let put = start(Action::Put, &[4; 8]);
        let all = RequestCall::Wait(vec![put], Completing::All);
        rank.raw.call(Site::here(), all);
        rank.flush(None, AccessCompletion::Remote);
        let get = start(Action::Get, &[]);
        let all = RequestCall::Wait(vec![get], Completing::All);
        let Some(Reply::Completions(done)) = rank.raw.call(Site::here(), all) else {
            panic!("it is complete")
        };
        assert_eq!(done[0].1.payload.as_ref().expect("data").as_slice(), [4; 8]);
        rank.call(WindowCall::Unlock(rank.window, None));
    });
}

/// Waits for a request of an access and returns its result.
fn awaited(rank: &Rank, target: u32, at: i64, action: Action, data: &[u8]) -> Option<Payload> {
    let call = WindowCall::StartAccess(rank.window, access(target, at, action, data, 8));
    let Reply::Request(request) = rank.call(call) else { panic!("a request") };
    let wait = RequestCall::Wait(vec![request], Completing::All);
    let Some(Reply::Completions(mut done)) = rank.raw.call(Site::here(), wait) else {
        panic!("it is complete")
    };
    done.swap_remove(0).1.payload
}

#[test]
fn a_request_of_an_atomic_access_does_not_wait_for_earlier_ones_that_are_held() {
    clean(2, |rank| {
        rank.lock_all();
        if rank.me() == 0 {
            rank.access(1, 2, sum(false), &5_i64.to_ne_bytes(), 8);
            let seen = awaited(rank, 1, 2, sum(true), &1_i64.to_ne_bytes()).expect("a result");
            assert_eq!(seen.as_slice(), 5_i64.to_ne_bytes(), "in the order of the calls");
        }
        rank.call(WindowCall::Unlock(rank.window, None));
    });
}

#[test]
fn a_test_of_a_request_that_a_flush_has_completed_succeeds() {
    let program: fn(&Rank) = |rank| {
        rank.lock_all();
        let call = access(1 - rank.me(), 3, Action::Put, &[5; 8], 8);
        let Reply::Request(request) = rank.call(WindowCall::StartAccess(rank.window, call)) else {
            panic!("a request")
        };
        rank.flush(None, AccessCompletion::Remote);
        let fetched = rank.call(WindowCall::TakeRequested(rank.window, request));
        assert!(matches!(fetched, Reply::Fetched(list) if list.is_empty()), "it is a put");
        let test = RequestCall::Test(vec![request], Completing::All);
        let told = rank.raw.call(Site::here(), test);
        assert!(matches!(told, Some(Reply::Completions(_))), "{told:?}");
        rank.call(WindowCall::Unlock(rank.window, None));
    };
    let base = crate::settings(2, Buffering::zero());
    simulate(Settings { polls: Polls::Reluctant, ..base }, 2, program);
}

#[test]
fn a_read_is_over_when_its_request_is() {
    // Who changes a word has been told that the other rank has read it.
    clean(2, |rank| {
        let (me, other) = (rank.me(), 1 - rank.me());
        rank.lock_all();
        let seen = awaited(rank, other, 1, Action::Get, &[]).expect("data");
        assert_eq!(seen.as_slice(), [0; 8]);
        let barrier = CollectiveCall::new(CommId::WORLD, CollectiveKind::Barrier);
        let entry = CollectiveEntry::Blocking(Box::new(barrier));
        rank.raw.call(Site::here(), entry);
        rank.access(me, 1, Action::Put, &[1; 8], 8);
        rank.call(WindowCall::Unlock(rank.window, None));
    });
}

#[test]
fn accesses_count_as_messages() {
    let result = go(2, OneSided::Prompt, |rank| {
        rank.fence();
        if rank.me() == 0 {
            rank.access(1, 0, Action::Put, &[1; 40], 40);
            rank.access(1, 6, Action::Get, &[], 16);
        }
        rank.fence();
    });
    assert_eq!(result.ranks[0].bytes - result.ranks[1].bytes, 56);
}

/// Rank 1 writes to rank 0 long after rank 2 has, with shared locks; `told` says whether a message orders the
/// two.
fn far_apart(rank: &Rank, told: bool) {
    rank.fence();
    if rank.me() == 0 {
        return;
    }
    let compute = |ms| rank.raw.call(Site::here(), ClockCall::Compute(SimDuration::from_ms(ms)));
    if rank.me() == 1 {
        compute(5);
        if told {
            let receive = MessageCall::Receive(Incoming {
                comm: CommId::WORLD,
                source: Source::Rank(2),
                tag: Some(0),
                capacity: 0,
                signature: Signature::EMPTY,
                layout: Layout::Dense,
            });
            rank.raw.call(Site::here(), receive);
        }
    }
    rank.lock(Some(0), LockType::Shared);
    rank.access(0, 0, Action::Put, &[rank.me() as u8; 8], 8);
    unlocks(rank, Some(0));
    if rank.me() == 2 && told {
        let send = MessageCall::Send(Outgoing {
            comm: CommId::WORLD,
            dest: Some(1),
            tag: 0,
            mode: Mode::Standard,
            payload: Payload::EMPTY,
            signature: Signature::EMPTY,
            layout: Layout::Dense,
        });
        rank.raw.call(Site::here(), send);
    }
}

#[test]
fn a_race_is_found_in_every_execution_however_far_apart_its_sides_are() {
    let ties = [TieBreak::InsertionOrder, TieBreak::Seeded(1), TieBreak::Seeded(2)];
    for tie_break in ties {
        for one_sided in [OneSided::Prompt, OneSided::Late] {
            for progress in [Progress::Strong, Progress::Weak] {
                let run_with = |program: fn(&Rank)| {
                    let base = crate::settings(3, Buffering::infinite());
                    let settings =
                        Settings { one_sided, progress, tie_break, races: Races::Causal, ..base };
                    let local = LocalPath { latency: SimDuration::from_ns(1), bandwidth: None };
                    let network = Constant::new(SimDuration::from_us(1), None, local);
                    let program = move || program(&Rank::new());
                    let result =
                        run(settings, Box::new(network), &(Arc::new(program) as _), None).0;
                    assert_eq!(result.ending, Ending::Completed, "{:?}", result.findings);
                    result.findings.iter().map(|finding| finding.code).collect::<Vec<_>>()
                };
                let how = (tie_break, one_sided, progress);
                assert_eq!(run_with(|rank| far_apart(rank, false)), [Code::WindowRace], "{how:?}");
                assert_eq!(run_with(|rank| far_apart(rank, true)), [], "{how:?}");
            }
        }
    }
}
