//! Random sets of messages.

use mpi_api::api::{
    point_to_point::Status,
    request::{LocalScope, Request},
    topology::SimpleCommunicator,
    traits::*,
};
use proptest::prelude::*;

use super::values;

/// One message; its tag is its place in the list.
#[derive(Clone, Debug)]
pub(super) struct Message {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) count: usize,
    /// Microseconds its sender works before it.
    pub(super) delay: u32,
}

/// How many ranks, and what they send each other.
#[derive(Clone, Debug)]
pub(super) struct Traffic {
    pub(super) ranks: usize,
    pub(super) messages: Vec<Message>,
}

pub(super) fn traffic() -> impl Strategy<Value = Traffic> {
    (1..=4_usize).prop_flat_map(|ranks| {
        let message = (0..ranks, 0..ranks, 0..5_usize, 0..3_u32)
            .prop_map(|(from, to, count, delay)| Message { from, to, count, delay });
        prop::collection::vec(message, 0..8).prop_map(move |messages| Traffic { ranks, messages })
    })
}

/// What a receive gives: sender, tag, bytes, data.
pub(super) type Received = (i32, i32, usize, Vec<i32>);

pub(super) fn received(status: &Status, room: &[i32]) -> Received {
    (status.source_rank(), status.tag(), status.bytes(), room.to_vec())
}

impl Traffic {
    /// Tags and messages that a rank sends.
    pub(super) fn sent_by(&self, rank: i32) -> impl Iterator<Item = (i32, &Message)> {
        self.tagged().filter(move |(_, message)| message.from == rank as usize)
    }

    /// Tags and messages that a rank receives.
    pub(super) fn received_by(&self, rank: i32) -> impl Iterator<Item = (i32, &Message)> {
        self.tagged().filter(move |(_, message)| message.to == rank as usize)
    }

    pub(super) fn tagged(&self) -> impl Iterator<Item = (i32, &Message)> {
        (0..).zip(&self.messages)
    }

    /// What a rank's receives must give; their rooms have a place more than they need.
    pub(super) fn expected(&self, rank: i32) -> Vec<Received> {
        let got = self.received_by(rank).map(|(tag, message)| {
            let mut room = message.data(tag);
            let bytes = 4 * room.len();
            room.push(-1);
            (message.from as i32, tag, bytes, room)
        });
        got.collect()
    }

    pub(super) fn rooms(&self, rank: i32) -> Vec<Vec<i32>> {
        self.received_by(rank).map(|(_, message)| vec![-1; message.count + 1]).collect()
    }

    pub(super) fn outgoing(&self, rank: i32) -> Vec<Vec<i32>> {
        self.sent_by(rank).map(|(tag, message)| message.data(tag)).collect()
    }

    /// Starts all sends of the calling rank, each after its delay.
    pub(super) fn send<'a, 's>(
        &self,
        world: &SimpleCommunicator,
        scope: &'s LocalScope<'a>,
        out: &'a [Vec<i32>],
    ) -> Vec<Request<'a, [i32], &'s LocalScope<'a>>> {
        let sends = self.sent_by(world.rank()).zip(out).map(|((tag, message), data)| {
            world.compute(1e-6 * f64::from(message.delay));
            let to = world.process_at_rank(message.to as i32);
            to.immediate_send_with_tag(scope, &data[..], tag)
        });
        sends.collect()
    }

    /// Posts all receives of the calling rank.
    pub(super) fn receive<'a, 's>(
        &self,
        world: &SimpleCommunicator,
        scope: &'s LocalScope<'a>,
        rooms: &'a mut [Vec<i32>],
    ) -> Vec<Request<'a, [i32], &'s LocalScope<'a>>> {
        let receives = self.received_by(world.rank()).zip(rooms).map(|((tag, message), room)| {
            let from = world.process_at_rank(message.from as i32);
            from.immediate_receive_into_with_tag(scope, &mut room[..], tag)
        });
        receives.collect()
    }
}

impl Message {
    pub(super) fn data(&self, tag: i32) -> Vec<i32> {
        values(self.from, tag as usize, self.count)
    }
}
