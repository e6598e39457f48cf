//! Ranks that a program starts.

use std::{cell::Cell, rc::Rc};

use mpi_api::{
    api::{
        address_space, collective::SystemOperation, environment, initialize, spawn::Command,
        topology::MergeOrder, traits::*,
    },
    error::{ErrorClass, ErrorHandler},
    finding::Code,
    outcome::{Ending, RunResult},
    settings::{Buffering, Environment, Settings},
};
use sim_core::SimTime;

use super::{go, holds, settings};

fn in_universe(size: u32, ranks: u32, program: fn()) -> RunResult {
    let environment = Environment { universe: Some(size), nodes: 4, ..Environment::default() };
    go(Settings { environment, ..settings(ranks, Buffering::zero()) }, program)
}

/// Sends its rank, doubled, to those who started it.
fn worker() {
    let universe = initialize().expect("once");
    let world = universe.world();
    let parent = world.parent().expect("others have started it");
    assert_eq!((world.size(), parent.size(), parent.remote_size()), (3, 3, 2));
    assert_eq!(world.get_name(), "MPI_COMM_WORLD");
    assert_eq!(universe.size(), Some(2));
    let (task, _) = parent.process_at_rank(0).receive::<i32>();
    parent.process_at_rank(1).send(&(task * 10 + world.rank()));
    let mut sum = 0;
    world.all_reduce_into(&(world.rank() + 1), &mut sum, SystemOperation::sum());
    assert_eq!(sum, 6);
}

#[test]
fn parents_and_children_exchange_messages() {
    holds(2, || {
        let universe = initialize().expect("once");
        let world = universe.world();
        assert!(world.parent().is_none());
        let children = world.process_at_rank(1).spawn(&Command::new(worker), 3);
        let children = children.expect("there is room");
        assert_eq!((children.rank(), children.remote_size()), (world.rank(), 3));
        for child in 0..3 {
            if world.rank() == 0 {
                children.process_at_rank(child).send(&(child + 5));
            } else {
                let (answer, _) = children.process_at_rank(child).receive::<i32>();
                assert_eq!(answer, (child + 5) * 10 + child);
            }
        }
    });
}

#[test]
fn a_run_counts_new_ranks_on() {
    let program = || {
        let universe = initialize().expect("once");
        universe.world().compute(2.0);
        let child = || initialize().expect("once").world().compute(3.0);
        let world = universe.world();
        let children = world.process_at_rank(0).spawn(&Command::new(child), 2);
        children.expect("there is room");
    };
    let result = go(settings(3, Buffering::zero()), program);
    assert_eq!((result.ending, result.ranks.len()), (Ending::Completed, 5), "{result:?}");
    assert!(result.findings.is_empty(), "{:?}", result.findings);
    let family = &result.started[0];
    assert_eq!((family.first, family.ranks, family.by), (3, 2, 0));
    assert!(family.time >= SimTime::from_ps(2_000_000_000_000));
    assert_eq!(result.makespan, family.time + result.ranks[3].compute);
    assert_eq!(result.ranks[4].compute.as_secs_f64(), 3.0);
    assert_eq!(result.digest, go(settings(3, Buffering::zero()), program).digest);
}

#[test]
fn several_commands_share_a_world() {
    holds(1, || {
        fn member() {
            let universe = initialize().expect("once");
            let (world, number) = (universe.world(), environment::application_number());
            let mut all = [0; 5];
            world.all_gather_into(&(number as i32), &mut all);
            assert_eq!(all, [0, 0, 1, 1, 1]);
            assert_eq!(universe.appnum(), Some(number as isize));
        }
        let universe = initialize().expect("once");
        let world = universe.world();
        assert_eq!(universe.appnum(), Some(0));
        let commands = [Command::new(member), Command::new(member)];
        let made = world.process_at_rank(0).spawn_multiple(&commands, &[2, 3]);
        assert_eq!(made.expect("there is room").remote_size(), 5);
    });
}

#[test]
fn merged_families_work_together() {
    fn together(inter: &mpi_api::api::topology::InterCommunicator, order: MergeOrder) {
        let all = inter.merge(order).expect("both groups take part");
        let mut ranks = [0; 4];
        all.all_gather_into(&all.rank(), &mut ranks);
        assert_eq!(ranks, [0, 1, 2, 3]);
        let mut from_parent = i32::from(order == MergeOrder::Low) * 7;
        all.process_at_rank(0).broadcast_into(&mut from_parent);
        assert_eq!((from_parent, all.rank() < 2), (7, order == MergeOrder::Low));
    }
    holds(2, || {
        let mut universe = initialize().expect("once");
        let world = universe.world();
        let child = || {
            let mut universe = initialize().expect("once");
            together(&universe.world().parent().expect("a child"), MergeOrder::High);
            universe.disconnect_parent();
            assert!(universe.world().parent().is_none());
            universe.disconnect_parent();
        };
        let children = world.process_at_rank(0).spawn(&Command::new(child), 2);
        let children = children.expect("there is room");
        together(&children, MergeOrder::Low);
        children.disconnect();
        universe.disconnect_parent();
    });
}

#[test]
fn children_have_children_of_their_own() {
    fn descend() {
        let universe = initialize().expect("once");
        let world = universe.world();
        let depth = match world.parent() {
            Some(parent) => parent.process_at_rank(0).receive::<i32>().0,
            None => 0,
        };
        if depth < 3 {
            let child = world.process_at_rank(0).spawn(&Command::new(descend), 1);
            let child = child.expect("there is room");
            child.process_at_rank(0).send(&(depth + 1));
            let (deepest, _) = child.process_at_rank(0).receive::<i32>();
            assert_eq!(deepest, 3);
        }
        if let Some(parent) = world.parent() {
            parent.process_at_rank(0).send(&3);
        }
    }
    let result = go(settings(1, Buffering::zero()), descend);
    assert_eq!((result.ending, result.ranks.len()), (Ending::Completed, 4), "{result:?}");
    assert!(result.findings.is_empty(), "{:?}", result.findings);
}

#[test]
fn a_universe_has_room_for_so_many() {
    let result = in_universe(5, 2, || {
        let universe = initialize().expect("once");
        let world = universe.world();
        assert_eq!(universe.size(), Some(5));
        world.set_error_handler(ErrorHandler::Return);
        let child = Command::new(|| drop(initialize()));
        let root = world.process_at_rank(0);
        let error = root.spawn(&child, 4).err().expect("5 are too few");
        assert_eq!(error.class, ErrorClass::Spawn);
        assert!(error.message.contains("4 processes") && error.message.contains("room for 3"));
        let mut content = child.clone();
        content.soft("0:8:2");
        assert_eq!(root.spawn(&content, 4).expect("2 are even").remote_size(), 2);
        world.compute(1.0);
        // Those have ended: their places are free again.
        assert_eq!(root.spawn(&child, 3).expect("3 are left").remote_size(), 3);
    });
    assert_eq!((result.ending, result.ranks.len()), (Ending::Completed, 7), "{result:?}");
    assert!(result.findings.is_empty(), "{:?}", result.findings);
}

#[test]
fn what_cannot_be_started_fails_on_all_parents() {
    let result = in_universe(9, 2, || {
        let universe = initialize().expect("once");
        let world = universe.world();
        world.set_error_handler(ErrorHandler::Return);
        let root = world.process_at_rank(0);
        let child = Command::new(|| drop(initialize()));
        let mut elsewhere = child.clone();
        elsewhere.node(4);
        let mut nonsense = child.clone();
        nonsense.soft("1:2:0");
        for (command, most, said) in [
            (&elsewhere, 1, "no node 4"),
            (&nonsense, 1, "1:2:0"),
            (&child, -1, "the number of processes is -1"),
            (&child, 0, "0 processes"),
        ] {
            let error = root.spawn(command, most).err().expect("it cannot be started");
            assert!(error.message.contains(said), "{error}");
        }
        let error = root.spawn_multiple(std::slice::from_ref(&child), &[1, 2]).err();
        assert_eq!(error.expect("two numbers").class, ErrorClass::Arg);
    });
    assert_eq!((result.ending, result.ranks.len()), (Ending::Completed, 2), "{result:?}");
}

#[test]
fn new_ranks_go_where_there_is_room() {
    let result = in_universe(20, 2, || {
        let universe = initialize().expect("once");
        let world = universe.world();
        fn place() {
            let universe = initialize().expect("once");
            let name = environment::processor_name().expect("a name");
            let node: i32 = name.trim_start_matches("node").parse().expect("a number");
            let parent = universe.world().parent().expect("a child");
            let (space, ranks) = address_space::number_and_size();
            parent.process_at_rank(0).send(&[node, space as i32, ranks as i32]);
        }
        let mut shared = Command::new(place);
        let children = world.process_at_rank(0).spawn(&shared, 3).expect("there is room");
        shared.node(3).ranks_per_process(2);
        let more = world.process_at_rank(0).spawn(&shared, 3).expect("there is room");
        if world.rank() > 0 {
            return;
        }
        let told = |from: &mpi_api::api::topology::InterCommunicator, child| {
            let mut told = [0; 3];
            from.process_at_rank(child).receive_into(&mut told);
            told
        };
        let first: Vec<_> = (0..3).map(|child| told(&children, child)).collect();
        assert_eq!(first, [[2, 2, 1], [3, 3, 1], [0, 4, 1]]);
        let second: Vec<_> = (0..3).map(|child| told(&more, child)).collect();
        assert_eq!(second, [[3, 5, 2], [3, 5, 2], [3, 6, 1]]);
    });
    assert_eq!(result.ending, Ending::Completed, "{:?}", result.findings);
}

#[test]
fn deadlocks_between_families_are_explained() {
    let result = go(settings(2, Buffering::zero()), || {
        let universe = initialize().expect("once");
        let world = universe.world();
        let child = || {
            let universe = initialize().expect("once");
            let parent = universe.world().parent().expect("a child");
            parent.process_at_rank(1).receive::<i32>();
        };
        let root = world.process_at_rank(1);
        let children = root.spawn(&Command::new(child), 1).expect("there is room");
        if world.rank() == 1 {
            children.process_at_rank(0).receive::<i32>();
        }
    });
    assert_eq!(result.ending, Ending::Stalled);
    let finding = &result.findings[0];
    assert_eq!((finding.code, &finding.cycle[..]), (Code::DeadlockCycle, &[1, 2][..]));
    let from = finding.notes.iter().any(|note| note.contains("rank 2 was started by rank 1"));
    assert!(from, "{finding:?}");
}

#[test]
fn a_child_that_never_initializes_is_missed() {
    let result = go(settings(1, Buffering::zero()), || {
        let universe = initialize().expect("once");
        let child = Command::new(|| {});
        let _ = universe.world().process_at_rank(0).spawn(&child, 2);
    });
    assert_eq!(result.ending, Ending::Stalled);
    let finding = &result.findings[0];
    assert_eq!(finding.code, Code::PeerFinished);
    let said = "spawn on rank 0 waits for ranks 1 and 2, which finished without initializing MPI";
    assert_eq!(finding.message, said);
}

#[test]
fn a_parent_that_does_not_take_part_is_missed() {
    let result = go(settings(2, Buffering::zero()), || {
        let universe = initialize().expect("once");
        let world = universe.world();
        if world.rank() == 0 {
            let _ = world.process_at_rank(0).spawn(&Command::new(worker), 1);
        }
    });
    assert_eq!(result.findings[0].code, Code::PeerFinished, "{:?}", result.findings);
    assert!(result.started.is_empty());
}

#[test]
fn roots_have_to_agree() {
    let result = go(settings(2, Buffering::zero()), || {
        let universe = initialize().expect("once");
        let world = universe.world();
        let _ = world.process_at_rank(world.rank()).spawn(&Command::new(worker), 1);
    });
    assert_eq!(result.findings[0].code, Code::RootMismatch, "{:?}", result.findings);
}

#[test]
fn an_intercommunicator_that_is_left_has_to_be_left_by_both() {
    let result = go(settings(1, Buffering::zero()), || {
        let universe = initialize().expect("once");
        let child = Command::new(|| drop(initialize()));
        let made = universe.world().process_at_rank(0).spawn(&child, 1);
        made.expect("there is room").disconnect();
    });
    assert_eq!(result.findings[0].code, Code::PeerFinished, "{:?}", result.findings);
}

#[test]
fn threads_of_new_ranks_are_told_apart() {
    use mpi_api::api::{Threading, initialize_with_threading, thread};
    holds(1, || {
        let universe = initialize().expect("once");
        let child = || {
            let (universe, _) = initialize_with_threading(Threading::Multiple).expect("once");
            let (world, seen) = (universe.world(), Rc::new(Cell::new(0)));
            let (other, place) = (universe.world(), Rc::clone(&seen));
            let receiver = thread::spawn(move || {
                place.set(other.this_process().receive::<i32>().0);
            });
            world.this_process().send(&(world.rank() + 40));
            receiver.join();
            assert_eq!(seen.get(), world.rank() + 40);
        };
        let made = universe.world().process_at_rank(0).spawn(&Command::new(child), 2);
        made.expect("there is room");
    });
}
