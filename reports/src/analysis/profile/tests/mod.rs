//! Wait states and efficiencies of programs whose times are known in closed form.

mod one_sided;

use std::sync::Arc;

use mpi_api::{
    api::{
        collective::SystemOperation, initialize, request::scope, topology::SimpleCommunicator,
        traits::*,
    },
    outcome::{Ending, RunResult},
    run::run,
    settings::{Buffering, Progress, Settings},
};
use network_models::{Constant, LocalPath, NodeId};
use sim_core::{Limits, SimDuration};

use super::{Efficiencies, NoIdeal, Profile, Profiler, WaitState, Waits};

const US: u64 = 1_000_000;

/// Runs a program with free processors and a latency of some microseconds between any two ranks.
fn profiled(
    ranks: u32,
    latency: u64,
    buffering: Buffering,
    program: fn(i32),
) -> (RunResult, Profile) {
    profiled_with(ranks, latency, (buffering, Progress::Strong), program)
}

fn profiled_with(
    ranks: u32,
    latency: u64,
    (buffering, progress): (Buffering, Progress),
    program: fn(i32),
) -> (RunResult, Profile) {
    let settings = Settings {
        progress,
        limits: Limits { events: 1_000_000, ..Limits::standard() },
        ..Settings::free((0..ranks).map(NodeId).collect(), buffering)
    };
    let local = LocalPath { latency: SimDuration::ZERO, bandwidth: None };
    let network = Constant::new(SimDuration::from_us(latency), None, local);
    let (profiler, handle) = Profiler::new(None);
    let body = move || {
        let universe = initialize().expect("once");
        program(universe.world().rank());
    };
    let (result, _) =
        run(settings, Box::new(network), &(Arc::new(body) as _), Some(Box::new(profiler)));
    let profile = handle.finish(&result);
    for (waits, totals) in profile.ranks.iter().zip(&result.ranks) {
        assert_eq!(waits.total(), totals.waiting, "each blocked moment has one cause");
    }
    let at_sites: SimDuration = profile.sites.iter().map(|site| site.waits.total()).sum();
    assert_eq!(at_sites, profile.total.total());
    let sized = profile.sizes.iter().map(|class| class.messages + class.inside + class.accesses);
    assert_eq!(sized.sum::<u64>(), result.messages, "every message has a size");
    (result, profile)
}

fn world() -> SimpleCommunicator {
    SimpleCommunicator::world()
}

fn us(time: u64) {
    world().compute(time as f64 * 1e-6);
}

/// Returns a time in whole microseconds: a program declares its own in floating point.
fn whole(time: SimDuration) -> u64 {
    (time.as_ps() + US / 2) / US
}

/// Returns the states with their microseconds, those without time left out.
fn states(waits: &Waits) -> Vec<(&'static str, u64)> {
    let all = WaitState::ALL.into_iter().map(|state| (state.name(), whole(waits.get(state))));
    all.filter(|(_, time)| *time > 0).collect()
}

#[test]
fn a_late_sender() {
    let (result, profile) = profiled(2, 3, Buffering::infinite(), |rank| {
        if rank == 0 {
            us(10);
            world().process_at_rank(1).send(&[1_u8; 5]);
        } else {
            us(2);
            world().process_at_rank(0).receive_into(&mut [0_u8; 5]);
        }
    });
    assert_eq!(states(&profile.ranks[1]), [("late sender", 8), ("transfer", 3)]);
    assert_eq!(states(&profile.ranks[0]), []);
    let receive = profile.sites.iter().find(|site| site.received > 0).expect("a receive");
    assert_eq!((receive.calls, receive.received, receive.ranks), (1, 5, 1));
    assert_eq!((receive.longest.0, receive.time().as_ps()), (1, 11 * US));
    assert!(receive.place().contains("tests/mod.rs:"), "{}", receive.place());
    assert_eq!(profile.sites[0], *receive, "the longest site comes first");
    let sent = profile.sites.iter().find(|site| site.sent > 0).expect("a send");
    assert_eq!((sent.calls, sent.sent, sent.time().as_ps()), (1, 5, 0));
    let classes: Vec<_> = profile.sizes.iter().map(|c| (c.from, c.last(), c.messages)).collect();
    assert_eq!(classes.last(), Some(&(4, 7, 1)), "{classes:?}");
    // C = 10 and 2, T = 13.
    let found = Efficiencies::of(&result, Err(NoIdeal::NotAsked)).expect("it took time");
    assert!((found.load_balance - 0.6).abs() < 1e-12);
    assert!((found.communication - 10.0 / 13.0).abs() < 1e-12);
    assert!((found.parallel - 6.0 / 13.0).abs() < 1e-12);
    assert_eq!((found.serialisation(), found.transfer()), (None, None));
}

#[test]
fn a_probe_waits_for_a_late_sender() {
    let (_, profile) = profiled(2, 3, Buffering::infinite(), |rank| {
        if rank == 0 {
            us(10);
            world().process_at_rank(1).send(&[1_u8; 5]);
        } else {
            us(2);
            world().process_at_rank(0).probe();
            world().process_at_rank(0).receive_into(&mut [0_u8; 5]);
        }
    });
    assert_eq!(states(&profile.ranks[1]), [("late sender", 8), ("transfer", 3)]);
    assert_eq!(profile.sites[0].received, 0, "the probe receives nothing");
}

#[test]
fn a_late_receiver() {
    let (_, profile) = profiled(2, 3, Buffering::zero(), |rank| {
        if rank == 0 {
            us(1);
            world().process_at_rank(1).send(&1);
        } else {
            us(10);
            world().process_at_rank(0).receive::<i32>();
        }
    });
    // The envelope arrives at 4; the receiver is ready at 10, and the sender knows at 13.
    assert_eq!(states(&profile.ranks[0]).first(), Some(&("late receiver", 9)));
    assert_eq!(states(&profile.ranks[1]), [("transfer", 6)]);
}

#[test]
fn a_receiver_that_is_ready_is_not_late() {
    let (_, profile) = profiled(2, 3, Buffering::zero(), |rank| match rank {
        0 => world().process_at_rank(1).send(&1),
        _ => drop(world().process_at_rank(0).receive::<i32>()),
    });
    for waits in &profile.ranks {
        assert_eq!(waits.waiting(), SimDuration::ZERO);
        assert!(waits.total() > SimDuration::ZERO);
    }
}

#[test]
fn one_rank_is_late_at_a_barrier() {
    let (_, profile) = profiled(64, 1, Buffering::infinite(), |rank| {
        us(if rank == 17 { 50 } else { 5 });
        world().barrier();
    });
    for (rank, waits) in profile.ranks.iter().enumerate() {
        let barrier = whole(waits.get(WaitState::WaitAtBarrier));
        let late = if rank == 17 { 0 } else { 45 };
        // Ranks that are done 1 µs before the last one enters finalize wait there.
        assert!((late..=late + 6).contains(&barrier), "{rank}: {barrier}");
        // All messages to the last rank are there when it enters; the others wait for what it sends.
        let transfers = waits.get(WaitState::Transfer) > SimDuration::ZERO;
        assert!(transfers || rank == 17, "{rank}: the rounds take time");
    }
    let barrier = profile.collectives.iter().find(|one| one.operation == "barrier");
    let barrier = barrier.expect("it is there");
    assert_eq!((barrier.calls, barrier.bytes, barrier.choosable), (64, 0, true));
    assert_eq!(whole(barrier.waits.get(WaitState::WaitAtBarrier)), 63 * 45);
}

#[test]
fn collectives_in_which_some_need_others() {
    let (_, profile) = profiled(4, 1, Buffering::infinite(), |rank| {
        let world = world();
        us(if rank == 0 { 20 } else { 0 });
        let mut value = rank;
        world.process_at_rank(0).broadcast_into(&mut value);
        us(if rank == 3 { 30 } else { 0 });
        let mut sum = 0;
        if rank == 0 {
            world.process_at_rank(0).reduce_into_root(&1, &mut sum, SystemOperation::sum());
        } else {
            world.process_at_rank(0).reduce_into(&1, SystemOperation::sum());
        }
        us(if rank == 2 { 100 } else { 0 });
        world.all_reduce_into(&1, &mut sum, SystemOperation::sum());
    });
    let states_of = |name: &str| {
        let found = profile.collectives.iter().find(|one| one.operation == name);
        let waits = found.expect("it was called").waits;
        states(&waits).into_iter().filter(|(name, _)| *name != "transfer").collect::<Vec<_>>()
    };
    assert_eq!(states_of("broadcast"), [("late broadcast", 60)]);
    // The root leaves the broadcast at 20; rank 3 gets it at 21 or 22 and comes 30 later.
    let reduce = states_of("reduce");
    assert!(matches!(reduce[..], [("early reduce", 31..=32)]), "{reduce:?}");
    let all = states_of("allreduce");
    assert!(matches!(all[..], [("wait at NxN", 1..)]), "{all:?}");
}

#[test]
fn a_nonblocking_collective_is_waited_for() {
    let (_, profile) = profiled(2, 1, Buffering::infinite(), |rank| {
        us(if rank == 0 { 2 } else { 40 });
        scope(|_| world().immediate_barrier().wait());
    });
    assert_eq!(whole(profile.ranks[0].get(WaitState::WaitAtBarrier)), 38);
}

#[test]
fn messages_in_the_wrong_order() {
    let (_, wrong) = profiled(2, 1, Buffering::infinite(), |rank| receive_in_order(rank, [1, 0]));
    let (_, right) = profiled(2, 1, Buffering::infinite(), |rank| receive_in_order(rank, [0, 1]));
    assert_eq!(whole(wrong.ranks[1].get(WaitState::LateSender)), 10);
    assert_eq!(whole(wrong.total.wrong_order), 10);
    assert_eq!(right.total.wrong_order, SimDuration::ZERO);
    assert!(right.ranks[1].get(WaitState::LateSender) > SimDuration::ZERO);
}

/// Rank 0 sends tag 0, and tag 1 after 10 µs; rank 1 receives by these tags.
fn receive_in_order(rank: i32, tags: [i32; 2]) {
    let world = world();
    if rank == 0 {
        world.process_at_rank(1).send_with_tag(&1, 0);
        us(10);
        world.process_at_rank(1).send_with_tag(&2, 1);
    } else {
        for tag in tags {
            world.process_at_rank(0).receive_with_tag::<i32>(tag);
        }
    }
}

#[test]
fn a_run_that_fails_in_the_middle() {
    let (result, profile) = profiled(3, 1, Buffering::infinite(), |rank| match rank {
        0 => {
            us(7);
            world().abort(3);
        }
        1 => drop(world().process_at_rank(0).receive::<i32>()),
        _ => world().barrier(),
    });
    assert_eq!(result.ending, Ending::Failed);
    assert_eq!(states(&profile.ranks[1]), [("unfinished", 7)]);
    assert_eq!(states(&profile.ranks[2]), [("unfinished", 7)]);
    let found = Efficiencies::of(&result, Ok(&result)).expect("it took time");
    assert_eq!(found.ideal, Err(NoIdeal::NotCompleted));
}

#[test]
fn messages_that_are_not_delivered_have_a_size() {
    let (result, profile) = profiled(4, 1, Buffering::infinite(), |rank| {
        let world = world();
        if rank < 2 {
            world.process_at_rank(1 - rank).send(&[7u8; 100]);
            world.process_at_rank(3).receive::<i32>();
        }
        world.barrier();
    });
    assert_eq!(result.ending, Ending::Stalled);
    let [plain, inside] = [
        profile.sizes.iter().map(|class| class.messages).sum::<u64>(),
        profile.sizes.iter().map(|class| class.inside).sum::<u64>(),
    ];
    assert_eq!(plain, 2);
    assert_eq!(plain + inside, result.messages);
}

#[test]
fn the_transfer_part_comes_from_the_ideal_network() {
    let program = |rank: i32| {
        us(10);
        if rank == 0 {
            world().process_at_rank(1).send(&1);
        } else {
            world().process_at_rank(0).receive::<i32>();
            us(5);
        }
    };
    let (real, _) = profiled(2, 5, Buffering::infinite(), program);
    let (ideal, _) = profiled(2, 0, Buffering::infinite(), program);
    let found = Efficiencies::of(&real, Ok(&ideal)).expect("it took time");
    let (Some(serial), Some(transfer)) = (found.serialisation(), found.transfer()) else {
        panic!("{found:?}")
    };
    assert!((serial * transfer - found.communication).abs() < 1e-12);
    assert!((found.parallel - found.load_balance * found.communication).abs() < 1e-12);
    let expected = ideal.makespan.as_ps() as f64 / real.makespan.as_ps() as f64;
    assert!(transfer < 1.0 && (transfer - expected).abs() < 1e-12);
}
