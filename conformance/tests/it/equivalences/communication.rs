//! Persistent requests and combined calls.

use mpi_api::api::{
    Threading, initialize_with_threading, point_to_point::send_receive_into_with_tags,
    request::scope, thread, topology::SimpleCommunicator, traits::*,
};
use proptest::prelude::*;

use super::{
    agree, bare, holds,
    messages::{Received, Traffic, received, traffic},
    programs, scenario, values,
};

/// Nonblocking calls, this many times.
fn immediate(world: &SimpleCommunicator, traffic: &Traffic, rounds: usize) -> Vec<Vec<Received>> {
    let round = |_| {
        let (mut rooms, out) = (traffic.rooms(world.rank()), traffic.outgoing(world.rank()));
        let statuses: Vec<_> = scope(|scope| {
            let receives = traffic.receive(world, scope, &mut rooms);
            let sends = traffic.send(world, scope, &out);
            let statuses = receives.into_iter().map(|receive| receive.wait()).collect();
            sends.into_iter().for_each(|send| _ = send.wait());
            statuses
        });
        statuses.iter().zip(&rooms).map(|(status, room)| received(status, room)).collect()
    };
    (0..rounds).map(round).collect()
}

/// Requests made once and started this many times.
fn persistent(world: &SimpleCommunicator, traffic: &Traffic, rounds: usize) -> Vec<Vec<Received>> {
    let (mut rooms, out) = (traffic.rooms(world.rank()), traffic.outgoing(world.rank()));
    let from = |rank: usize| world.process_at_rank(rank as i32);
    let receives = traffic.received_by(world.rank()).zip(&rooms);
    let mut receives: Vec<_> = receives
        .map(|((tag, message), room)| from(message.from).receive_init(&room[..], tag))
        .collect();
    let sends = traffic.sent_by(world.rank()).zip(&out);
    let mut sends: Vec<_> =
        sends.map(|((tag, message), data)| from(message.to).send_init(&data[..], tag)).collect();
    let mut result = Vec::new();
    for _ in 0..rounds {
        receives.iter_mut().for_each(|receive| receive.start());
        for (send, ((_, message), data)) in
            sends.iter_mut().zip(traffic.sent_by(world.rank()).zip(&out))
        {
            world.compute(1e-6 * f64::from(message.delay));
            send.start_with(&data[..]);
        }
        let got = receives.iter_mut().zip(&mut rooms).map(|(receive, room)| {
            let status = receive.wait_into(&mut room[..]);
            received(&status, room)
        });
        result.push(got.collect());
        sends.iter_mut().for_each(|send| _ = send.wait_active());
    }
    receives.into_iter().chain(sends).for_each(|request| request.free());
    result
}

/// A shift along a ring: how far, and how much each rank sends.
type Shift = (usize, Vec<usize>);

fn shift() -> impl Strategy<Value = Shift> {
    prop::collection::vec(0..6_usize, 1..6).prop_flat_map(|counts| (0..counts.len(), Just(counts)))
}

/// Where a rank sends to, where it receives from, and how much comes from there.
fn neighbors(rank: usize, (by, counts): &Shift) -> (i32, i32, usize) {
    let ranks = counts.len();
    let before = (rank + ranks - by) % ranks;
    (((rank + by) % ranks) as i32, before as i32, counts[before])
}

fn combined(world: &SimpleCommunicator, shift: &Shift) -> Received {
    let rank = world.rank() as usize;
    let (to, from, count) = neighbors(rank, shift);
    let (out, mut room) = (values(rank, 0, shift.1[rank]), vec![-1; count + 1]);
    let status = send_receive_into_with_tags(
        &out[..],
        &world.process_at_rank(to),
        3,
        &mut room[..],
        &world.process_at_rank(from),
        3,
    );
    received(&status, &room)
}

fn in_parts(world: &SimpleCommunicator, shift: &Shift) -> Received {
    let rank = world.rank() as usize;
    let (to, from, count) = neighbors(rank, shift);
    let (out, mut room) = (values(rank, 0, shift.1[rank]), vec![-1; count + 1]);
    let status = scope(|scope| {
        let send = world.process_at_rank(to).immediate_send_with_tag(scope, &out[..], 3);
        let from = world.process_at_rank(from);
        let status = from.immediate_receive_into_with_tag(scope, &mut room[..], 3).wait();
        send.wait();
        status
    });
    received(&status, &room)
}

/// One thread sends, the other receives.
fn in_threads(world: &SimpleCommunicator, shift: &Shift) -> Received {
    let rank = world.rank() as usize;
    let (to, from, count) = neighbors(rank, shift);
    let out = values(rank, 0, shift.1[rank]);
    let sender = thread::spawn(move || {
        SimpleCommunicator::world().process_at_rank(to).send_with_tag(&out[..], 3);
    });
    let mut room = vec![-1; count + 1];
    let status = world.process_at_rank(from).receive_into_with_tag(&mut room[..], 3);
    sender.join();
    received(&status, &room)
}

proptest! {
    #![proptest_config(programs())]

    /// Q.8: what it gives, and at what time.
    #[test]
    fn a_persistent_request_is_a_nonblocking_call(traffic in traffic(), rounds in 1..4_usize) {
        let go = |way: fn(&SimpleCommunicator, &Traffic, usize) -> Vec<Vec<Received>>| {
            let (ranks, traffic) = (traffic.ranks, traffic.clone());
            holds(&scenario(ranks, move |world| {
                let expected = vec![traffic.expected(world.rank()); rounds];
                assert_eq!(way(world, &traffic, rounds), expected);
            }))
        };
        prop_assert_eq!(go(immediate)?.makespan, go(persistent)?.makespan);
    }

    /// Q.9, of one thread.
    #[test]
    fn a_sendrecv_is_its_two_parts(shift in shift()) {
        agree(shift.1.len(), move |world| {
            assert_eq!(combined(world, &shift), in_parts(world, &shift));
        })?;
    }

    /// Q.9: a thread for each half.
    #[test]
    fn a_sendrecv_is_two_threads(shift in shift()) {
        let ranks = shift.1.len();
        let program = bare(ranks, move || {
            let level = Threading::Multiple;
            let (universe, _) = initialize_with_threading(level).expect("once");
            let world = universe.world();
            assert_eq!(combined(&world, &shift), in_threads(&world, &shift));
        });
        holds(&program)?;
    }
}
