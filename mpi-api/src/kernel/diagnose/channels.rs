//! Partitioned communication at a stall: what an end waits for, and ends that would have met but for one argument.

use crate::{
    call::CommId,
    check::{
        near_miss::{Differs, NearMiss},
        waiting::Awaits,
    },
    kernel::{
        MpiKernel,
        request::{
            channel::{Channel, Key},
            table::{Kind, State},
        },
    },
};

impl MpiKernel {
    /// Returns what completes a partitioned request.
    pub(super) fn partitions_awaited(&self, request: u32) -> Awaits {
        let Kind::Partitioned { channel: Some(channel), sends } = self.requests[request].kind
        else {
            return Awaits::Other;
        };
        let channel = &self.books.channels.table[channel];
        let is_active = |end: u32| self.requests[end].state == State::Active;
        match [channel.sender.as_ref(), channel.receiver.as_ref()] {
            [Some(sender), Some(receiver)] => {
                let other = if sends { receiver.request } else { sender.request };
                match channel.missing {
                    _ if !is_active(other) => Awaits::Start,
                    0 => Awaits::Other,
                    left => Awaits::Partitions(left),
                }
            }
            [_, None] | [None, _] => Awaits::Other,
        }
    }

    /// Returns two ends of partitioned communication that differ in one argument, one of them of a rank in `blamed`.
    pub(super) fn near_channels(&self, blamed: &[u32]) -> Option<NearMiss> {
        let all = || self.books.channels.table.iter().map(|(_, channel)| channel);
        let mut sent: Vec<&Channel> = all().filter(|channel| channel.receiver.is_none()).collect();
        let mut received: Vec<&Channel> =
            all().filter(|channel| channel.sender.is_none()).collect();
        // Slots are in an order that says nothing.
        sent.sort_unstable_by_key(|channel| channel.key);
        received.sort_unstable_by_key(|channel| channel.key);
        sent.iter().find_map(|one| {
            let send = one.sender.as_ref()?;
            received.iter().find_map(|other| {
                let receive = other.receiver.as_ref()?;
                let (from, to) = (one.key.1, other.key.2);
                if !blamed.contains(&from) && !blamed.contains(&to) {
                    return None;
                }
                let differs = self.differs(one.key, other.key)?;
                let mut send = self.end_site(send, String::new());
                send.peer = Some(one.key.2);
                Some(NearMiss { send, receive: self.end_site(receive, String::new()), differs })
            })
        })
    }

    /// Returns what keeps a send and a receive from meeting, if it is one argument.
    fn differs(&self, send: Key, receive: Key) -> Option<Differs> {
        let (comm, from, to, tag) = send;
        let (other, source, target, wanted) = receive;
        match (comm == other, from == source, to == target, tag == wanted) {
            (true, true, true, false) => Some(Differs::Tag { sent: tag, wanted, waits: false }),
            (true, true, false, true) => Some(Differs::Target),
            (true, false, true, true) => Some(self.differs_in_source(source)),
            (false, true, true, true) => {
                let sides = [(CommId(comm), from), (CommId(other), target)];
                Some(Differs::Communicator(self.communicators(sides)))
            }
            _ => None,
        }
    }
}
