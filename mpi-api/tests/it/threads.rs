//! Several threads of control in one rank.

use std::{cell::Cell, rc::Rc};

use mpi_api::{
    api::{initialize_with_threading, request::generalized, thread, traits::*},
    call::{
        self, ClockCall, CommId, Completing, Incoming, Layout, MessageCall, Parking, Reply,
        RequestCall, Site, ThreadCall, Threading,
    },
    finding::Code,
    object::signature::{Primitive, Signature},
    outcome::{Ending, RunResult},
    raw::Raw,
    settings::Buffering,
};
use sim_core::{SimDuration, SimTime};

use super::{go, holds, settings};

fn first(result: &RunResult) -> (Option<Code>, &str) {
    let finding = result.findings.first();
    (finding.map(|f| f.code), finding.map_or("", |f| f.message.as_str()))
}

#[test]
fn a_blocked_thread_does_not_block_its_siblings() {
    holds(2, || {
        let (universe, level) = initialize_with_threading(Threading::Multiple).expect("once");
        assert_eq!((level, universe.threading_support()), (level, Threading::Multiple));
        let (world, other) = (universe.world(), universe.world());
        let me = world.rank();
        let receiver = thread::spawn(move || {
            assert!(!thread::is_main());
            other.process_at_rank(me).receive::<i32>().0
        });
        assert!(thread::is_main());
        world.process_at_rank(me).send(&(40 + me));
        assert_eq!(receiver.join(), 40 + me);
    });
}

#[test]
fn many_threads_share_the_queue_of_their_rank() {
    holds(2, || {
        let (universe, _) = initialize_with_threading(Threading::Multiple).expect("once");
        let world = universe.world();
        let sum = Rc::new(Cell::new(0));
        if world.rank() == 0 {
            let threads: Vec<_> = (0..4)
                .map(|_| {
                    let (world, sum) = (universe.world(), Rc::clone(&sum));
                    thread::spawn(move || {
                        for _ in 0..3 {
                            let (value, _) = world.process_at_rank(1).receive::<i32>();
                            sum.set(sum.get() + value);
                            world.process_at_rank(1).send(&value);
                        }
                    })
                })
                .collect();
            threads.into_iter().for_each(thread::JoinHandle::join);
            assert_eq!(sum.get(), 12);
        } else {
            for _ in 0..12 {
                world.process_at_rank(0).send(&1);
                assert_eq!(world.process_at_rank(0).receive::<i32>().0, 1);
            }
        }
        world.barrier();
    });
}

#[test]
fn probes_collectives_and_waits_wake_the_thread_that_is_in_them() {
    holds(3, || {
        let (universe, _) = initialize_with_threading(Threading::Multiple).expect("once");
        let world = universe.world();
        let (probing, collecting) = (universe.world(), world.duplicate());
        let previous = (world.rank() + 2) % 3;
        let prober = thread::spawn(move || {
            let status = probing.process_at_rank(previous).probe();
            assert_eq!(status.tag(), 7);
            probing.process_at_rank(previous).receive_with_tag::<i32>(7).0
        });
        let collector = thread::spawn(move || {
            let mut all = [0; 3];
            collecting.all_gather_into(&collecting.rank(), &mut all[..]);
            all
        });
        assert_eq!(collector.join(), [0, 1, 2]);
        world.process_at_rank((world.rank() + 1) % 3).send_with_tag(&world.rank(), 7);
        assert_eq!(prober.join(), previous);
    });
}

/// A thread receives what never comes, and the main thread waits for it.
fn hangs() {
    let (universe, _) = initialize_with_threading(Threading::Multiple).expect("once");
    let world = universe.world();
    let me = world.rank();
    let lost = universe.world();
    let thread = thread::spawn(move || lost.process_at_rank(1 - me).receive::<i32>().0);
    thread.join();
    world.process_at_rank(1 - me).send(&1);
}

#[test]
fn a_deadlock_names_its_threads() {
    let result = go(settings(2, Buffering::infinite()), hangs);
    assert_eq!(result.ending, Ending::Stalled);
    let (code, message) = first(&result);
    assert_eq!(code, Some(Code::DeadlockCycle));
    assert!(message.contains("thread 1 of rank 0 and thread 1 of rank 1 wait"), "{message}");
    assert_eq!(result.findings[0].cycle, [0, 1]);
    let label = &result.findings[0].sites[0].label;
    assert!(label.contains("thread 1 of rank 0 waits in receive"), "{label}");
}

fn second_thread_calls(level: Threading) -> RunResult {
    go(settings(1, Buffering::infinite()), move || {
        let (universe, _) = initialize_with_threading(level).expect("once");
        let (world, other) = (universe.world(), universe.world());
        let thread = thread::spawn(move || other.process_at_rank(0).send(&1));
        let computing = thread::spawn(|| ());
        thread.join();
        computing.join();
        world.process_at_rank(0).receive::<i32>();
    })
}

#[test]
fn levels_are_honoured() {
    for level in [Threading::Single, Threading::Funneled] {
        let result = second_thread_calls(level);
        let (code, message) = first(&result);
        assert_eq!(code, Some(Code::ThreadMisuse));
        assert!(message.contains("thread 1 calls MPI") && message.contains(level.name()));
    }
    for level in [Threading::Serialized, Threading::Multiple] {
        assert!(second_thread_calls(level).findings.is_empty());
    }
}

#[test]
fn serialized_threads_take_turns() {
    let result = go(settings(1, Buffering::zero()), || {
        let (universe, _) = initialize_with_threading(Threading::Serialized).expect("once");
        let (world, other) = (universe.world(), universe.world());
        let thread = thread::spawn(move || other.process_at_rank(0).receive::<i32>());
        world.process_at_rank(0).send(&1);
        thread.join();
    });
    assert_eq!(first(&result).0, Some(Code::ThreadMisuse), "{:?}", result.findings);
}

#[test]
fn finalize_comes_after_the_threads() {
    let result = go(settings(2, Buffering::infinite()), || {
        let (universe, _) = initialize_with_threading(Threading::Multiple).expect("once");
        let world = universe.world();
        thread::spawn(move || world.any_process().receive::<i32>());
    });
    assert_eq!(first(&result).0, Some(Code::ThreadMisuse), "{:?}", result.findings);
}

#[test]
fn two_threads_wait_for_one_request() {
    let result = go(settings(2, Buffering::infinite()), || {
        let raw = Raw::take().expect("once");
        let incoming = Incoming {
            comm: CommId::WORLD,
            source: call::Source::Any,
            tag: None,
            capacity: 4,
            signature: Signature::of(Primitive::Byte, 4),
            layout: Layout::Dense,
        };
        let site = Site::here();
        let Some(Reply::Request(request)) = raw.call(site, MessageCall::StartReceive(incoming))
        else {
            return;
        };
        let wait = move |raw: Raw| {
            raw.call(Site::here(), RequestCall::Wait(vec![request], Completing::All));
        };
        raw.spawn(site, Threading::Multiple, wait);
        wait(raw);
    });
    let (code, message) = first(&result);
    assert_eq!(code, Some(Code::ThreadMisuse));
    assert!(message.contains("two threads wait for one request"), "{message}");
}

#[test]
fn time_is_the_main_threads() {
    let result = go(settings(1, Buffering::infinite()), || {
        let (universe, _) = initialize_with_threading(Threading::Multiple).expect("once");
        let world = universe.world();
        let thread = thread::spawn(move || world.compute(3e-6));
        universe.world().compute(1e-6);
        thread.join();
    });
    assert_eq!(result.ending, Ending::Completed);
    let (rank, end) = (result.ranks[0], result.makespan.as_ps());
    assert_eq!((rank.compute, end), (SimDuration::from_us(1), 3_000_000));
    assert_eq!(rank.waiting, SimDuration::from_us(2));
}

#[test]
fn a_panic_of_a_thread_ends_the_run_and_everything_is_unwound() {
    let result = go(settings(2, Buffering::infinite()), || {
        let (universe, _) = initialize_with_threading(Threading::Multiple).expect("once");
        let world = universe.world();
        let _waiting = thread::spawn(move || world.any_process().receive::<i32>().0);
        let failing = thread::spawn(|| panic!("on purpose"));
        failing.join();
    });
    let (code, message) = first(&result);
    assert_eq!(code, Some(Code::Panicked));
    assert!(message.contains("thread 2 of rank 0 panicked: on purpose"), "{message}");
}

#[test]
fn a_thread_completes_a_generalized_request() {
    holds(2, || {
        let (universe, _) = initialize_with_threading(Threading::Multiple).expect("once");
        let world = universe.world();
        let (mut request, operation) = generalized(&world);
        request = request.test().expect_err("nobody has completed it");
        let other = universe.world();
        let worker = thread::spawn(move || {
            other.compute(1e-3);
            operation.complete();
        });
        let status = request.wait();
        assert_eq!(status.bytes(), 0);
        assert!(world.wtime() >= 1e-3, "the wait lasts until the operation is complete");
        worker.join();
    });
}

fn parking(holder: Option<u32>, until: Option<u64>) -> ThreadCall {
    let until = until.map(|us| SimTime::ZERO + SimDuration::from_us(us));
    ThreadCall::Park(Parking { call: "lock", holder, until, idle: false })
}

#[test]
fn a_parked_thread_goes_on_when_it_is_woken_or_its_time_has_come() {
    let result = go(settings(2, Buffering::infinite()), || {
        let raw = Raw::take().expect("once");
        let site = Site::here();
        let woken = raw.spawn(site, Threading::Single, move |raw| {
            let reply = raw.call(site, parking(None, Some(50)));
            assert!(matches!(reply, Some(Reply::Done)), "{reply:?}");
            assert_eq!(raw.now(), SimTime::ZERO + SimDuration::from_us(10));
        });
        raw.call(site, ClockCall::Compute(SimDuration::from_us(10)));
        raw.call(site, ThreadCall::Unpark(woken.into_iter().collect(), Vec::new()));
        // Nobody is parked: nothing happens.
        raw.call(site, ThreadCall::Unpark(vec![0, 1, 7], Vec::new()));
        let reply = raw.call(site, parking(None, Some(30)));
        assert!(matches!(reply, Some(Reply::NotYet)), "{reply:?}");
        assert_eq!(raw.now(), SimTime::ZERO + SimDuration::from_us(30));
    });
    assert_eq!(result.ending, Ending::Completed, "{:?}", result.findings);
    assert_eq!(result.makespan.as_ps(), SimDuration::from_us(30).as_ps());
}

#[test]
fn who_holds_what_a_thread_waits_for_may_change() {
    let result = go(settings(1, Buffering::infinite()), || {
        let raw = Raw::take().expect("once");
        let site = Site::here();
        for waits_for in [2, 0] {
            raw.spawn(site, Threading::Single, move |raw| {
                raw.call(site, parking(Some(waits_for), None));
                raw.call(site, parking(Some(2), None));
            });
        }
        // What the second thread waits for goes to the first, which waits for the second then.
        raw.call(site, ThreadCall::Unpark(vec![1], vec![2]));
    });
    assert_eq!(result.ending, Ending::Stalled);
    let (code, message) = first(&result);
    assert_eq!(code, Some(Code::DeadlockCycle));
    assert!(message.contains("thread 1 of rank 0 and thread 2 of rank 0 wait"), "{message}");
    let label = &result.findings[0].sites[1].label;
    assert_eq!(label, "thread 2 of rank 0 waits in lock for thread 1 of rank 0");
}

#[test]
fn a_rank_ends_in_any_of_its_threads() {
    let result = go(settings(2, Buffering::infinite()), || {
        let raw = Raw::take().expect("once");
        let site = Site::here();
        raw.spawn(site, Threading::Single, move |raw| {
            raw.call(site, ClockCall::Compute(SimDuration::from_us(5)));
            raw.call(site, ThreadCall::EndRank);
        });
        raw.call(site, ClockCall::Compute(SimDuration::from_us(9)));
        raw.call(site, parking(None, None));
        unreachable!("the rank has ended");
    });
    assert_eq!(result.ending, Ending::Completed, "{:?}", result.findings);
    assert!(result.findings.is_empty(), "{:?}", result.findings);
    assert_eq!(result.makespan.as_ps(), SimDuration::from_us(5).as_ps());
}

#[test]
fn to_look_again_and_again_takes_time() {
    let result = go(settings(1, Buffering::infinite()), || {
        let raw = Raw::take().expect("once");
        let site = Site::here();
        let seen = Rc::new(Cell::new(false));
        let shared = Rc::clone(&seen);
        raw.spawn(site, Threading::Single, move |raw| {
            raw.call(site, ClockCall::Compute(SimDuration::from_us(1)));
            shared.set(true);
        });
        while !seen.get() {
            raw.call(site, ThreadCall::Yield);
        }
    });
    assert_eq!(result.ending, Ending::Completed, "{:?}", result.findings);
    assert_eq!(result.makespan.as_ps(), SimDuration::from_us(1).as_ps());
}

/// Two ranks look at a flag; the first look of a loop is told as such.
fn look_at(seen: impl Fn() -> bool, raw: &Raw, site: Site) {
    let mut fresh = true;
    while !seen() {
        raw.call(site, ThreadCall::Spin { fresh });
        fresh = false;
    }
}

#[test]
fn a_loop_that_only_looks_lets_time_pass_until_it_ends() {
    let result = go(settings(1, Buffering::infinite()), || {
        let raw = Raw::take().expect("once");
        let site = Site::here();
        let seen = Rc::new(Cell::new(0));
        let shared = Rc::clone(&seen);
        raw.spawn(site, Threading::Single, move |raw| {
            raw.call(site, ClockCall::Compute(SimDuration::from_us(1)));
            shared.set(1);
            look_at(|| shared.get() == 2, &raw, site);
        });
        look_at(|| seen.get() == 1, &raw, site);
        seen.set(2);
    });
    assert_eq!(result.ending, Ending::Completed, "{:?}", result.findings);
    assert_eq!(result.makespan.as_ps(), SimDuration::from_ns(1_100).as_ps());
}

#[test]
fn loops_that_only_look_at_what_nobody_changes_are_a_deadlock() {
    let result = go(settings(3, Buffering::infinite()), || {
        let raw = Raw::take().expect("once");
        if raw.number() > 0 {
            look_at(|| false, &raw, Site::here());
        }
    });
    assert_eq!(result.ending, Ending::Failed);
    let finding = result.findings.first().expect("a finding");
    assert_eq!((finding.code, &finding.ranks[..]), (Code::Livelock, &[1, 2][..]));
    assert!(finding.message.contains("2 ranks loop for ever"), "{}", finding.message);
}
