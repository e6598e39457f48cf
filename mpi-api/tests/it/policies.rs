//! What the switches change that the kernel decides.

use std::sync::Arc;

use mpi_api::{
    api::{
        Threading, address_space,
        collective::SystemOperation,
        environment, initialize, initialize_with_threading,
        profile::{Call, Layer, push},
        request::{StaticScope, scope},
        thread,
        topology::{AttributeKey, CartesianCommunicator, Color, SimpleCommunicator},
        traits::*,
    },
    finding::{Code, Finding},
    outcome::{Ending, RunResult},
    policy::Policies,
    settings::{Buffering, Environment, Settings},
};

use network_models::{Bandwidth, Constant, LocalPath};
use sim_core::SimDuration;

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
fn a_freed_send_is_complete_when_its_data_are_received() {
    // Data leave and arrive at one time, but not at once.
    let bandwidth = Some(Bandwidth::from_bytes_per_sec(1_000_000_000));
    let path = LocalPath { latency: SimDuration::ZERO, bandwidth };
    let network = Constant::new(path.latency, path.bandwidth, path);
    let program = || {
        static SENT: [u64; 5] = [1, 2, 3, 4, 5];
        let universe = initialize().expect("once");
        let world = universe.world();
        let mut received = [0; 5];
        scope(|scope| {
            let receive = world.any_process().immediate_receive_into(scope, &mut received[..]);
            world.this_process().immediate_send(StaticScope, &SENT[..]).free();
            receive.wait();
        });
        assert_eq!(received, SENT);
    };
    let settings = settings(1, Buffering::zero());
    let result = mpi_api::run::run(settings, Box::new(network), &(Arc::new(program) as _), None).0;
    assert_eq!(result.ending, Ending::Completed);
    assert!(result.findings.is_empty(), "{:?}", result.findings);
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

#[test]
fn ranks_of_one_node_share_it() {
    let mut settings = settings(5, Buffering::zero());
    settings.nodes = [4, 2, 4, 4, 2].map(network_models::NodeId).into();
    let result = go(settings, || {
        let universe = initialize().expect("once");
        let world = universe.world();
        let node = world.split_shared(0);
        let expected = [(0, 3), (0, 2), (1, 3), (2, 3), (1, 2)];
        assert_eq!((node.rank(), node.size()), expected[world.rank() as usize]);
        let name = environment::processor_name().expect("a name");
        assert_eq!(name, format!("node{}", if node.size() == 3 { 4 } else { 2 }));
    });
    assert!(result.findings.is_empty(), "{:?}", result.findings);
}

#[test]
fn attributes_may_be_deleted_in_the_order_set_but_not_at_finalize() {
    /// What the delete functions of two attributes were called with, of a duplicate and of self.
    fn deleted() -> (Vec<i32>, Vec<i32>) {
        let universe = initialize().expect("once");
        let [freed, own] = [0, 0].map(|_| std::rc::Rc::new(std::cell::RefCell::new(Vec::new())));
        let copy = universe.world().duplicate();
        for value in 1..3 {
            for (comm, list) in [(&copy, &freed), (&SimpleCommunicator::self_comm(), &own)] {
                let list = std::rc::Rc::clone(list);
                let key =
                    AttributeKey::new().with_delete(move |v: &i32| list.borrow_mut().push(*v));
                comm.set_attribute(&key, value);
            }
        }
        drop(copy);
        drop(universe);
        (freed.take(), own.take())
    }
    let usual = under(2, &[], || assert_eq!(deleted(), (vec![2, 1], vec![2, 1])));
    let policy = "attribute-delete-order=first-first";
    let other = under(2, &[policy], || assert_eq!(deleted(), (vec![1, 2], vec![2, 1])));
    for result in [usual, other] {
        assert!(result.findings.is_empty(), "{:?}", result.findings);
    }
}

#[test]
fn dims_may_be_decreasing() {
    fn dims(expected: [i32; 2]) {
        let universe = initialize().expect("once");
        let mut dims = [0; 2];
        CartesianCommunicator::balance(&universe.world(), &mut dims);
        assert_eq!(dims, expected);
    }
    for result in
        [under(16, &[], || dims([4, 4])), under(16, &["dims-order=decreasing"], || dims([8, 2]))]
    {
        assert!(result.findings.is_empty(), "{:?}", result.findings);
    }
}

#[test]
fn the_call_that_releases_a_buffer_has_two_names() {
    fn never_received() {
        let universe = initialize().expect("once");
        let world = universe.world();
        if world.rank() == 0 {
            universe.attach_buffer(1000);
            world.process_at_rank(1).buffered_send(&1);
            universe.detach_buffer();
        }
        world.barrier();
    }
    fn named(expected: &'static str) {
        struct Release(&'static str);
        impl Layer for Release {
            fn before(&self, call: &Call) {
                assert!(call.function != "MPI_Buffer_detach" || self.0 == call.function);
                assert!(call.function != "MPI_Buffer_free" || self.0 == call.function);
            }
        }
        let universe = initialize().expect("once");
        push(Release(expected));
        universe.attach_buffer(1000);
        assert_eq!(universe.detach_buffer(), 1000);
    }
    let other = &["buffer-release-name=MPI_Buffer_free"];
    for (policies, name) in [(&[][..], "detach_buffer"), (other, "free_buffer")] {
        let result = under(2, policies, never_received);
        let calls: Vec<&str> = result.findings[0].sites.iter().map(|site| site.call).collect();
        assert!(calls.contains(&name), "{calls:?}");
    }
    assert!(under(1, &[], || named("MPI_Buffer_detach")).findings.is_empty());
    assert!(under(1, other, || named("MPI_Buffer_free")).findings.is_empty());
}

#[test]
fn a_duplicate_may_have_the_hints_of_its_parent() {
    fn hints(copied: bool) {
        let universe = initialize().expect("once");
        let entry = |key: &str, value: &str| (key.to_string(), value.to_string());
        // The last key means nothing: it is ignored.
        let (one, two, three) =
            ("mpi_assert_no_any_tag", "mpi_assert_no_any_source", "mpi_assert_exact_length");
        let parent = universe.world().duplicate_with_info(&[(one, "1"), (two, "2"), ("four", "4")]);
        parent.set_info(&[(two, "zwei"), (three, "3")]);
        let all = vec![entry(one, "1"), entry(two, "zwei"), entry(three, "3")];
        assert_eq!(parent.info(), all);
        let twin = parent.duplicate();
        assert_eq!(twin.info(), if copied { all } else { Vec::new() });
        assert!(parent.duplicate_with_info(&[]).info().is_empty(), "these hints, that is none");
        assert!(parent.split_by_color(Color::with_value(0)).expect("a part").info().is_empty());
        twin.set_info(&[(one, "own")]);
        assert_eq!(parent.info()[0], entry(one, "1"), "each has its own");
    }
    let newest = under(2, &[], || hints(false));
    let before = under(2, &["hints-of-duplicates=copied"], || hints(true));
    for result in [newest, before] {
        assert!(result.findings.is_empty(), "{:?}", result.findings);
    }
}
