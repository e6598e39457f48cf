//! Send modes.

use mpi_api::{
    api::{request::scope, topology::SimpleCommunicator, traits::*},
    finding::Verdict,
    outcome::Ending,
    settings::Buffering,
};
use proptest::prelude::*;
use scenarios::safety;

use super::{
    agree,
    messages::{Traffic, received, traffic},
    programs, run, scenario,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    Standard,
    Synchronous,
    Ready,
}

/// The sends of a rank, whose receives are all posted.
fn into_posted(world: &SimpleCommunicator, traffic: &Traffic, mode: Mode) {
    let (mut rooms, out) = (traffic.rooms(world.rank()), traffic.outgoing(world.rank()));
    let statuses: Vec<_> = scope(|scope| {
        let receives = traffic.receive(world, scope, &mut rooms);
        world.barrier();
        for ((tag, message), data) in traffic.sent_by(world.rank()).zip(&out) {
            let to = world.process_at_rank(message.to as i32);
            match mode {
                Mode::Standard => to.send_with_tag(&data[..], tag),
                Mode::Synchronous => to.synchronous_send_with_tag(&data[..], tag),
                Mode::Ready => to.ready_send_with_tag(&data[..], tag),
            }
        }
        receives.into_iter().map(|receive| receive.wait()).collect()
    });
    let got = statuses.iter().zip(&rooms).map(|(status, room)| received(status, room));
    assert_eq!(got.collect::<Vec<_>>(), traffic.expected(world.rank()), "{mode:?}");
}

/// Blocking sends and receives of a rank in the order of `keys`: two for each message.
fn in_order(world: &SimpleCommunicator, traffic: &Traffic, keys: &[u8], mode: Mode) {
    let sends = traffic.sent_by(world.rank()).map(|(tag, message)| (tag, message, true));
    let receives = traffic.received_by(world.rank()).map(|(tag, message)| (tag, message, false));
    let mut calls: Vec<_> = sends.chain(receives).collect();
    calls.sort_by_key(|(tag, _, sends)| keys[2 * *tag as usize + usize::from(*sends)]);
    for (tag, message, sends) in calls {
        let data = message.data(tag);
        if sends {
            let to = world.process_at_rank(message.to as i32);
            match mode {
                Mode::Synchronous => to.synchronous_send_with_tag(&data[..], tag),
                _ => to.send_with_tag(&data[..], tag),
            }
        } else {
            let from = world.process_at_rank(message.from as i32);
            assert_eq!(from.receive_vec_with_tag::<i32>(tag).0, data);
        }
    }
}

proptest! {
    #![proptest_config(programs())]

    /// Q.10: what is right with ready sends is right with any.
    #[test]
    fn a_ready_send_is_a_standard_send(traffic in traffic()) {
        agree(traffic.ranks, move |world| {
            into_posted(world, &traffic, Mode::Ready);
            into_posted(world, &traffic, Mode::Standard);
            into_posted(world, &traffic, Mode::Synchronous);
        })?;
    }

    /// Q.20: a program is safe if and only if it ends with every send synchronous.
    #[test]
    fn safe_is_what_ends_with_synchronous_sends(
        traffic in traffic(), keys in prop::collection::vec(any::<u8>(), 16)
    ) {
        let [standard, synchronous] = [Mode::Standard, Mode::Synchronous].map(|mode| {
            let (ranks, traffic, keys) = (traffic.ranks, traffic.clone(), keys.clone());
            scenario(ranks, move |world| in_order(world, &traffic, &keys, mode))
        });
        let ends = run(&synchronous, Buffering::infinite()).ending;
        prop_assert_eq!(run(&standard, Buffering::zero()).ending, ends);
        let safe = safety::check(&standard).verdict == Verdict::Ok;
        prop_assert_eq!(safe, ends == Ending::Completed);
    }
}
