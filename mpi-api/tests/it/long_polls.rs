//! Ranks and threads that poll for long: few polls are made, and time passes as if all were.

use mpi_api::{
    api::{
        collective::SystemOperation, environment::Universe, initialize, initialize_with_threading,
        request::scope, thread, traits::*,
    },
    call::Threading,
    finding::Code,
    outcome::{Ending, RunResult},
    settings::{Buffering, Matching, Settings},
};

use crate::{go, settings};

/// All ranks but the last poll for a message of the last one, which computes for this long, in parts.
fn polled(ranks: u32, (seconds, parts): (f64, u32), matching: Matching) -> RunResult {
    let settings = Settings { matching, ..settings(ranks, Buffering::infinite()) };
    go(settings, move || {
        let universe = initialize().expect("once");
        let world = universe.world();
        let last = world.size() - 1;
        let partner = world.process_at_rank(last);
        if world.rank() == last {
            (0..parts).for_each(|_| world.compute(seconds / f64::from(parts)));
            (0..last).for_each(|rank| world.process_at_rank(rank).send(&rank));
            return;
        }
        if world.rank() == 0 {
            while partner.immediate_probe().is_none() {}
            partner.receive::<i32>();
        } else {
            let mut value = 0;
            scope(|scope| {
                let mut request = partner.immediate_receive_into(scope, &mut value);
                while let Err(again) = request.test() {
                    request = again;
                }
            });
        }
    })
}

#[test]
fn polling_for_seconds_takes_few_polls_and_as_long_as_ever() {
    for ranks in [2, 5] {
        for parts in [1, 7] {
            for matching in [Matching::Arrival, Matching::Explore(Vec::new())] {
                let result = polled(ranks, (3.0, parts), matching.clone());
                assert_eq!(result.ending, Ending::Completed, "{:?}", result.findings);
                // A poll takes 100 ns; the message is there at 3 s and 1 us, at a multiple of it.
                assert_eq!(
                    result.makespan.as_ps(),
                    3_000_001_000_000,
                    "{ranks} {parts} {matching:?}"
                );
                assert!(result.events < 60_000, "{} events", result.events);
                for rank in &result.ranks[..ranks as usize - 1] {
                    assert_eq!(rank.overhead.as_ps(), 3_000_001_000_000);
                }
            }
        }
    }
}

/// Rank 1 polls this often and then sends what rank 0, which computes for 1 ms, waits for.
#[test]
fn a_program_that_gives_up_polling_is_not_held_up() {
    let result = go(settings(2, Buffering::infinite()), || {
        let universe = initialize().expect("once");
        let world = universe.world();
        let partner = world.process_at_rank(1 - world.rank());
        if world.rank() == 0 {
            world.compute(1.0);
            partner.receive::<i32>();
        } else {
            let found = (0..9_000).any(|_| partner.immediate_probe().is_some());
            assert!(!found);
            assert!((world.wtime() - 9e-4).abs() < 1e-9);
            partner.send(&1);
        }
    });
    assert_eq!(result.ending, Ending::Completed, "{:?}", result.findings);
}

/// A program that waits for a time looks at the clock: its polls are made one by one.
#[test]
fn a_timeout_is_kept() {
    let result = go(settings(2, Buffering::infinite()), || {
        let universe = initialize().expect("once");
        let world = universe.world();
        if world.rank() == 0 {
            world.compute(1.0);
        } else {
            let mut polls = 0;
            while world.wtime() < 2e-3 {
                assert!(world.any_process().immediate_probe().is_none());
                polls += 1;
            }
            assert_eq!(polls, 20_000);
        }
    });
    assert_eq!(result.ending, Ending::Completed, "{:?}", result.findings);
}

#[test]
fn what_never_comes_is_told_after_long_polls_too() {
    let result = go(settings(2, Buffering::infinite()), || {
        let universe = initialize().expect("once");
        let world = universe.world();
        if world.rank() == 0 {
            world.compute(1.0);
        } else {
            while world.any_process().immediate_probe().is_none() {}
        }
    });
    assert_eq!(result.ending, Ending::Failed);
    assert_eq!(result.findings[0].code, Code::Livelock);
}

fn with_threads(program: fn(&Universe)) -> RunResult {
    go(settings(2, Buffering::infinite()), move || {
        let (universe, _) = initialize_with_threading(Threading::Multiple).expect("once");
        program(&universe);
    })
}

#[test]
fn a_rank_that_polls_while_its_own_thread_sleeps_is_not_stuck() {
    let result = with_threads(|universe| {
        let world = universe.world();
        if world.rank() == 0 {
            let mine = universe.world();
            let other = thread::spawn(move || {
                mine.compute(2.0);
                mine.process_at_rank(1).send(&7);
            });
            while world.process_at_rank(1).immediate_probe().is_none() {}
            world.process_at_rank(1).receive::<i32>();
            other.join();
        } else {
            let value = world.process_at_rank(0).receive::<i32>().0;
            world.process_at_rank(0).send(&value);
        }
    });
    assert_eq!(result.ending, Ending::Completed, "{:?}", result.findings);
    assert!(result.events < 60_000, "{} events", result.events);
}

/// Two threads of each rank make a communicator of the same group, each with its tag.
#[test]
fn creations_over_a_group_are_told_apart_by_tag() {
    let result = with_threads(|universe| {
        let make = |tag: i32| {
            let world = universe.world();
            move || {
                let made = world.split_by_subgroup_with_tag(&world.group(), tag).expect("a member");
                let mut sum = 0;
                made.all_reduce_into(&tag, &mut sum, SystemOperation::sum());
                assert_eq!(sum, 2 * tag);
            }
        };
        let first = 1 + universe.world().rank();
        let other = thread::spawn(make(first));
        make(3 - first)();
        other.join();
    });
    assert_eq!(result.ending, Ending::Completed, "{:?}", result.findings);
}
