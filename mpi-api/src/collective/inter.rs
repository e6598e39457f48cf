//! Collectives over an intercommunicator (MPI section 6.2.2): data go directly from one group to
//! the other.
//!
//! Cost: every rank exchanges with all ranks of the other group, one after the other.

use super::{Buffer, Region, Remote, Schedule, Shape, blocks::Blocks, blocks::single};
use crate::call::{CollectiveKind, ROOT_ELSEWHERE, ROOT_SELF};

/// Returns the schedule of one rank.
pub(super) fn schedule(shape: &Shape, remote: Remote) -> Schedule {
    use CollectiveKind as K;
    match shape.kind {
        K::Broadcast => broadcast(shape, remote),
        K::Gather => gather(shape, remote),
        K::Scatter => scatter(shape, remote),
        K::Allgather => exchange(shape, remote, false),
        K::Alltoall => exchange(shape, remote, true),
        K::Reduce if shape.root == ROOT_SELF => combine(shape, remote),
        K::Reduce => to_root(shape, remote, single(&shape.send)),
        K::Allreduce => {
            let mut schedule = combine(shape, remote);
            insert_sends(&mut schedule, shape, remote);
            schedule
        }
        K::ReduceScatter => reduce_scatter(shape, remote),
        _ => barrier(remote),
    }
}

fn barrier(remote: Remote) -> Schedule {
    let mut schedule = Schedule::new(0, 0);
    for peer in peers(remote) {
        schedule.send(peer, Region::empty());
        schedule.receive(peer, Region::empty());
    }
    schedule.end_round();
    schedule
}

fn peers(remote: Remote) -> std::ops::Range<u32> {
    remote.first..remote.first + remote.size
}

/// Returns this rank's number in its own group.
fn own_rank(shape: &Shape, remote: Remote) -> u32 {
    if remote.first == 0 { shape.rank - remote.size } else { shape.rank }
}

fn broadcast(shape: &Shape, remote: Remote) -> Schedule {
    match shape.root {
        ROOT_ELSEWHERE => Schedule::default(),
        ROOT_SELF => {
            let bytes = single(&shape.send);
            let mut schedule = Schedule::new(bytes, 0);
            peers(remote).for_each(|peer| schedule.send(peer, Region::input(0, bytes)));
            schedule.copy(Region::input(0, bytes), Region::output(0, bytes));
            schedule.end_round();
            schedule
        }
        root => {
            let bytes = single(&shape.receive);
            let mut schedule = Schedule::new(bytes, 0);
            schedule.receive(remote.first + root, Region::output(0, bytes));
            schedule.end_round();
            schedule
        }
    }
}

/// Returns the schedule of a rank that only sends its data to the root.
fn to_root(shape: &Shape, remote: Remote, bytes: u64) -> Schedule {
    let mut schedule = Schedule::default();
    if shape.root != ROOT_ELSEWHERE {
        schedule.send(remote.first + shape.root, Region::input(0, bytes));
        schedule.end_round();
    }
    schedule
}

fn gather(shape: &Shape, remote: Remote) -> Schedule {
    if shape.root != ROOT_SELF {
        return to_root(shape, remote, single(&shape.send));
    }
    let blocks = Blocks::new(&shape.receive);
    let mut schedule = Schedule::new(blocks.start(remote.size), 0);
    for (block, peer) in (0..).zip(peers(remote)) {
        schedule.receive(peer, blocks.of(Buffer::Output, block));
    }
    schedule.end_round();
    schedule
}

fn scatter(shape: &Shape, remote: Remote) -> Schedule {
    match shape.root {
        ROOT_ELSEWHERE => Schedule::default(),
        ROOT_SELF => {
            let blocks = Blocks::new(&shape.send);
            let mut schedule = Schedule::default();
            for (block, peer) in (0..).zip(peers(remote)) {
                schedule.send(peer, blocks.of(Buffer::Input, block));
            }
            schedule.end_round();
            schedule
        }
        root => {
            let bytes = single(&shape.receive);
            let mut schedule = Schedule::new(bytes, 0);
            schedule.receive(remote.first + root, Region::output(0, bytes));
            schedule.end_round();
            schedule
        }
    }
}

fn exchange(shape: &Shape, remote: Remote, personalised: bool) -> Schedule {
    let blocks = Blocks::new(&shape.receive);
    let given = Blocks::new(&shape.send);
    let mut schedule = Schedule::new(blocks.start(remote.size), 0);
    for (block, peer) in (0..).zip(peers(remote)) {
        schedule.receive(peer, blocks.of(Buffer::Output, block));
        let from = if personalised {
            given.of(Buffer::Input, block)
        } else {
            Region::input(0, single(&shape.send))
        };
        schedule.send(peer, from);
    }
    schedule.end_round();
    schedule
}

/// Combines the other group's data in rank order.
fn combine(shape: &Shape, remote: Remote) -> Schedule {
    let bytes = single(&shape.send);
    let mut schedule = Schedule::new(bytes, bytes * u64::from(remote.size));
    let place = |block: u32| Region::scratch(u64::from(block) * bytes, bytes);
    for (block, peer) in (0..).zip(peers(remote)) {
        schedule.receive(peer, place(block));
    }
    schedule.copy(place(0), Region::output(0, bytes));
    for block in 1..remote.size {
        schedule.combine_right(place(block), Region::output(0, bytes));
    }
    schedule.end_round();
    schedule
}

/// Adds sends of the rank's data to all ranks of the other group to a schedule of one round.
fn insert_sends(schedule: &mut Schedule, shape: &Shape, remote: Remote) {
    let local = std::mem::take(&mut schedule.round_ends);
    debug_assert!(local.len() <= 1, "one round");
    for peer in peers(remote) {
        schedule.send(peer, Region::input(0, single(&shape.send)));
    }
    schedule.end_round();
}

/// Counts of the two groups may differ, so that every rank receives everything and keeps its block.
fn reduce_scatter(shape: &Shape, remote: Remote) -> Schedule {
    let bytes = single(&shape.send);
    let counts = Blocks::new(&shape.receive);
    let block = counts.of(Buffer::Scratch, own_rank(shape, remote));
    let mut schedule = Schedule::new(block.bytes, bytes * u64::from(remote.size));
    let place = |index: u32| Region { offset: u64::from(index) * bytes + block.offset, ..block };
    for (index, peer) in (0u32..).zip(peers(remote)) {
        schedule.receive(peer, Region::scratch(u64::from(index) * bytes, bytes));
        schedule.send(peer, Region::input(0, bytes));
    }
    let output = Region::output(0, block.bytes);
    schedule.copy(place(0), output);
    for index in 1..remote.size {
        schedule.combine_right(place(index), output);
    }
    schedule.end_round();
    schedule
}
