//! Copies are paid by whoever makes them, and only where there are any.

use mpi_api::{
    api::{environment::Universe, initialize, request::scope, traits::*},
    cost::Costs,
    outcome::{Ending, RankTotals},
    settings::{Buffering, Pool, Settings},
};
use network_models::ByteTime;
use sim_core::SimDuration;

use crate::{go, settings};

const BYTES: usize = 1000;

/// Totals of both ranks where a copied byte costs 1 ns and all else is free.
fn totals(buffering: Buffering, program: fn(&Universe)) -> Vec<RankTotals> {
    let copy = ByteTime::from_fs(1_000_000);
    let settings = Settings { costs: Costs { copy, ..Costs::free() }, ..settings(2, buffering) };
    let result = go(settings, move || program(&initialize().expect("once")));
    assert_eq!(result.ending, Ending::Completed, "{:?}", result.findings);
    result.ranks
}

fn pool(bytes: u64) -> Buffering {
    Buffering { eager_limit: u64::MAX, pool: Pool::Bytes(bytes) }
}

/// Overhead of both ranks in ns.
fn overhead(buffering: Buffering, program: fn(&Universe)) -> [u64; 2] {
    let totals = totals(buffering, program);
    [0, 1].map(|rank: usize| totals[rank].overhead.as_ps() / 1000)
}

/// Rank 0 sends by this; rank 1 receives 100 us later.
fn late(universe: &Universe, send: impl FnOnce(&[u8; BYTES])) {
    let world = universe.world();
    if world.rank() == 0 {
        send(&[7; BYTES]);
    } else {
        world.compute(1e-4);
        let mut data = [0_u8; BYTES];
        world.process_at_rank(0).receive_into(&mut data[..]);
        assert_eq!(data, [7; BYTES]);
    }
}

fn standard(universe: &Universe) {
    late(universe, |data| universe.world().process_at_rank(1).send(&data[..]));
}

#[test]
fn data_of_a_rendezvous_never_wait_for_their_receive() {
    assert_eq!(overhead(Buffering::infinite(), standard), [1000, 1000], "eager: two copies");
    assert_eq!(overhead(Buffering::zero(), standard), [0, 0]);
    let limited = Buffering { eager_limit: 999, ..Buffering::infinite() };
    assert_eq!(overhead(limited, standard), [0, 0]);
    assert_eq!(overhead(pool(999), standard), [0, 0], "it can never be in this pool");
    for buffering in [Buffering::zero(), Buffering::infinite()] {
        let synchronous = |universe: &Universe| {
            late(universe, |data| {
                universe.world().process_at_rank(1).synchronous_send(&data[..]);
            });
        };
        assert_eq!(overhead(buffering, synchronous), [0, 0]);
    }
}

#[test]
fn a_matched_probe_changes_no_price() {
    let matched = |universe: &Universe| {
        let world = universe.world();
        if world.rank() == 0 {
            world.process_at_rank(1).send(&[7_u8; BYTES][..]);
        } else {
            world.compute(1e-4);
            let (message, _) = world.process_at_rank(0).matched_probe();
            let mut data = [0_u8; BYTES];
            message.matched_receive_into(&mut data[..]);
        }
    };
    assert_eq!(overhead(Buffering::infinite(), matched), [1000, 1000]);
    assert_eq!(overhead(Buffering::zero(), matched), [0, 0]);
}

#[test]
fn the_attached_buffer_takes_a_copy_of_every_message() {
    let blocking = |universe: &Universe| {
        universe.attach_buffer(2000);
        late(universe, |data| universe.world().process_at_rank(1).buffered_send(&data[..]));
    };
    let nonblocking = |universe: &Universe| {
        universe.attach_buffer(2000);
        late(universe, |data| {
            scope(|scope| {
                let world = universe.world();
                world.process_at_rank(1).immediate_buffered_send(scope, &data[..]).wait();
            });
        });
    };
    for program in [blocking, nonblocking] {
        let short = Buffering { eager_limit: 999, ..Buffering::infinite() };
        assert_eq!(overhead(Buffering::infinite(), program), [1000, 1000]);
        assert_eq!(overhead(short, program), [1000, 0], "rendezvous, out of the attached buffer");
    }
}

#[test]
fn a_nonblocking_send_leaves_the_data_where_they_are() {
    let nonblocking = |universe: &Universe| {
        late(universe, |data| {
            scope(|scope| {
                universe.world().process_at_rank(1).immediate_send(scope, &data[..]).wait();
            });
        });
    };
    assert_eq!(overhead(Buffering::infinite(), nonblocking), [0, 1000]);
}

#[test]
fn a_message_in_line_is_copied_once_there_is_space() {
    // The second message waits for the first to leave the pool, is copied then, and only then.
    let two = |universe: &Universe| {
        let world = universe.world();
        if world.rank() == 0 {
            world.process_at_rank(1).send(&[1_u8; BYTES][..]);
            world.process_at_rank(1).send(&[2_u8; BYTES][..]);
        } else {
            world.compute(1e-4);
            let mut data = [0_u8; BYTES];
            world.process_at_rank(0).receive_into(&mut data[..]);
            world.compute(1e-4);
            world.process_at_rank(0).receive_into(&mut data[..]);
        }
    };
    let totals = totals(pool(1500), two);
    assert_eq!(totals[0].overhead, SimDuration::from_us(1));
    // Received from 100 us on, copied into the pool in the next microsecond.
    assert_eq!(totals[0].finish.as_ps(), 101_000_000);
    assert_eq!(totals[1].overhead, SimDuration::from_us(1), "the first came early and was eager");
}
