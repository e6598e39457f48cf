//! What the switches change that the kernel decides.

use mpi_api::{
    api::{
        Threading, address_space, collective::SystemOperation, initialize,
        initialize_with_threading, request::StaticScope, thread, topology::Color, traits::*,
    },
    finding::{Code, Finding},
    outcome::{Ending, RunResult},
    policy::Policies,
    settings::{Buffering, Environment, Settings},
};

use super::{go, settings};

/// Runs under policies written `NAME=VALUE`.
fn under(ranks: u32, policies: &[&str], program: fn()) -> RunResult {
    let mut set = Policies::default();
    policies.iter().for_each(|text| set.set(text).expect("a policy"));
    let environment = Environment { policies: set, ..Environment::default() };
    go(Settings { environment, ..settings(ranks, Buffering::infinite()) }, program)
}

fn codes(result: &RunResult) -> Vec<Code> {
    result.findings.iter().map(|finding| finding.code).collect()
}

#[test]
fn a_scan_may_leave_out_the_calling_rank() {
    fn scan(expected: fn(i32) -> i32) {
        let universe = initialize().expect("once");
        let world = universe.world();
        let mut sum = 0;
        world.scan_into(&(world.rank() + 1), &mut sum, SystemOperation::sum());
        assert_eq!(sum, expected(world.rank()));
    }
    let inclusive = under(4, &[], || scan(|rank| (rank + 1) * (rank + 2) / 2));
    let exclusive = under(4, &["scan=exclusive"], || scan(|rank| rank * (rank + 1) / 2));
    for result in [inclusive, exclusive] {
        assert!(result.findings.is_empty(), "{:?}", result.findings);
    }
}

#[test]
fn modes_and_operations_may_be_absent() {
    fn buffered() {
        let universe = initialize().expect("once");
        universe.attach_buffer(100);
        universe.detach_buffer();
    }
    fn barrier() {
        let universe = initialize().expect("once");
        universe.world().immediate_barrier().wait();
    }
    for (policy, program) in [
        ("buffered-mode=absent", buffered as fn()),
        ("nonblocking-collectives=absent", barrier as fn()),
    ] {
        assert!(under(2, &[], program).findings.is_empty());
        let result = under(2, &[policy], program);
        assert_eq!(codes(&result), [Code::InvalidArgument], "{policy}");
        assert!(result.findings[0].message.contains("the policy has no"), "{policy}");
    }
}

#[test]
fn threads_may_be_absent() {
    let result = under(1, &["thread-levels=none"], || {
        let (universe, level) = initialize_with_threading(Threading::Multiple).expect("once");
        assert_eq!(level, Threading::Single);
        let world = universe.world();
        thread::spawn(move || world.barrier()).join();
    });
    assert_eq!(codes(&result), [Code::ThreadMisuse]);
}

/// Rank 0 aborts the half it is in; the others have something to say to each other.
fn half_aborts() {
    let universe = initialize().expect("once");
    let world = universe.world();
    let half = world.split_by_color(Color::with_value(world.rank() % 2)).expect("a half");
    if world.rank() == 0 {
        half.abort(3);
    }
    half.barrier();
    half.barrier();
}

#[test]
fn abort_ends_the_run_or_the_ranks_of_its_communicator() {
    let all = under(4, &[], half_aborts);
    assert_eq!((codes(&all), all.ending), (vec![Code::Aborted], Ending::Failed));
    let some = under(4, &["abort-scope=communicator"], half_aborts);
    assert_eq!((codes(&some), some.ending), (vec![Code::Aborted], Ending::Failed));
    let finishes = |result: &RunResult| result.ranks.iter().map(|r| r.finish).max();
    assert!(finishes(&some) > finishes(&all), "the other half went on");
}

#[test]
fn a_rank_that_waits_for_an_aborted_one_is_stuck() {
    let result = under(3, &["abort-scope=communicator"], || {
        let universe = initialize().expect("once");
        let world = universe.world();
        let alone = world.split_by_color(Color::with_value(world.rank())).expect("itself");
        match world.rank() {
            0 => alone.abort(1),
            _ => drop(world.process_at_rank(0).receive::<i32>()),
        }
    });
    assert_eq!(result.ending, Ending::Stalled);
    assert!(codes(&result).contains(&Code::NeverMatched), "{:?}", result.findings);
}

#[test]
fn a_call_after_finalize_is_found() {
    let result = under(1, &[], || {
        let universe = initialize().expect("once");
        let world = universe.world();
        drop(universe);
        world.barrier();
    });
    assert_eq!(codes(&result), [Code::NotFinalized]);
    assert!(result.findings[0].message.contains("barrier after it has finalized"));
}

#[test]
fn a_freed_request_must_be_known_to_be_complete() {
    static VALUE: i32 = 1;
    fn program() {
        let universe = initialize().expect("once");
        let world = universe.world();
        if world.rank() == 0 {
            world.process_at_rank(1).immediate_send(StaticScope, &VALUE).free();
        } else {
            world.process_at_rank(0).receive::<i32>();
        }
        world.barrier();
    }
    let messages = |result: &RunResult| -> Vec<String> {
        result.findings.iter().map(|finding: &Finding| finding.message.clone()).collect()
    };
    assert_eq!(messages(&under(2, &[], program)), [""; 0]);
    let strict = under(2, &["freed-request-before-finalize=erroneous"], program);
    let expected = "rank 0 finalizes before immediate_send is known to be complete";
    assert_eq!(messages(&strict), [expected]);
}

#[test]
fn ranks_of_one_address_space_share_their_globals() {
    let environment = Environment { ranks_per_process: 2, ..Environment::default() };
    let settings = Settings { environment, ..settings(5, Buffering::zero()) };
    let result = go(settings, || {
        let universe = initialize().expect("once");
        let world = universe.world();
        let (number, size) = address_space::number_and_size();
        assert_eq!(
            (number, size),
            (world.rank() as u32 / 2, [2, 2, 2, 2, 1][world.rank() as usize])
        );
        let counter = address_space::global::<std::cell::Cell<u32>>();
        counter.set(counter.get() + 1);
        world.barrier();
        assert_eq!(counter.get(), size);
    });
    assert!(result.findings.is_empty(), "{:?}", result.findings);
}
