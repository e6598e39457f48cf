//! The planned matching of messages and receives, and tags that enforce it.
//!
//! Receives that name the sender take the messages of one sender on one communicator in an order
//! that timing cannot change: both sides rank each other by order of posting, so there is one
//! stable matching, and taking the earliest message for each receive in turn finds it.

use std::collections::{BTreeMap, BTreeSet};

use super::Builder;
use crate::plan::{
    Id, Part, Step,
    window::{TAG, Turn},
};

/// Communicator, side, sender, receiver.
type Channel = (Id, usize, u32, u32);

/// A user of a channel: a message of the plan, a burst, or the service or the window of a step.
#[derive(Clone, Copy, PartialEq, Eq)]
enum User {
    Message(Id),
    Burst(Id),
    Service(usize),
    Window(usize),
}

#[derive(Default)]
struct Traffic {
    sends: Vec<(User, i32)>,
    receives: Vec<(User, Option<i32>)>,
}

impl Builder {
    /// Gives messages tags of their own until every receive takes the planned message.
    pub(super) fn settle_matching(&mut self) {
        let wild: Vec<Id> =
            (0..self.plan.messages.len()).filter(|id| self.plan.messages[*id].any_source).collect();
        wild.into_iter().for_each(|id| self.single_out(id));
        loop {
            let wrong: BTreeSet<Id> =
                self.traffic().values().flat_map(|channel| channel.mismatched()).collect();
            if wrong.is_empty() {
                return;
            }
            wrong.into_iter().for_each(|id| self.single_out(id));
        }
    }

    /// Gives a message a tag that no other message has, and makes its receive name it.
    pub(super) fn single_out(&mut self, id: Id) {
        let message = &mut self.plan.messages[id];
        message.tag = 100 + id as i32;
        message.any_tag = false;
    }

    fn traffic(&self) -> BTreeMap<Channel, Traffic> {
        let mut all: BTreeMap<Channel, Traffic> = BTreeMap::new();
        for (number, step) in self.plan.steps.iter().enumerate() {
            let mut add = |part: Part| {
                let (Part::Sent(id) | Part::Received(id) | Part::Taken(id)) = part;
                let message = &self.plan.messages[id];
                let channel = (message.comm, message.side, message.from, message.to);
                let traffic = all.entry(channel).or_default();
                for _ in 0..message.rounds {
                    if matches!(part, Part::Sent(_)) {
                        traffic.sends.push((User::Message(id), message.tag));
                    } else {
                        let tag = (!message.any_tag).then_some(message.tag);
                        traffic.receives.push((User::Message(id), tag));
                    }
                }
            };
            match step {
                Step::Send(id) => add(Part::Sent(*id)),
                Step::Receive(id) => add(Part::Received(*id)),
                Step::Meet(id) => [Part::Sent(*id), Part::Received(*id)].into_iter().for_each(add),
                Step::Exchange(list, _) => {
                    list.iter().for_each(|id| add(Part::Sent(*id)));
                    list.iter().for_each(|id| add(Part::Received(*id)));
                }
                Step::Burst(id) => self.burst_traffic(*id, [true, true], &mut all),
                Step::Post(id) => self.burst_traffic(*id, [false, true], &mut all),
                Step::Flood(id) => self.burst_traffic(*id, [true, false], &mut all),
                Step::Serve(service) => {
                    let user = User::Service(number);
                    for client in &service.clients {
                        for (from, to, tag) in [
                            (*client, service.server, service.tag),
                            (service.server, *client, service.tag + 1),
                        ] {
                            let traffic = all.entry((service.comm, 0, from, to)).or_default();
                            traffic.sends.push((user, tag));
                            traffic.receives.push((user, Some(tag)));
                        }
                    }
                }
                Step::Window(window) => {
                    let user = User::Window(number);
                    for turn in &window.turns {
                        if let Turn::Tell(from, to) = turn {
                            let traffic = all.entry((window.comm, 0, *from, *to)).or_default();
                            traffic.sends.push((user, TAG));
                            traffic.receives.push((user, Some(TAG)));
                        }
                    }
                }
                _ => {}
            }
        }
        all
    }

    /// Adds the sends and receives of a burst, as if each receive named its source.
    fn burst_traffic(
        &self,
        id: Id,
        [sends, receives]: [bool; 2],
        all: &mut BTreeMap<Channel, Traffic>,
    ) {
        let (burst, user) = (&self.plan.bursts[id], User::Burst(id));
        for (from, tag) in burst.from.iter().zip(&burst.tags) {
            let traffic = all.entry((burst.comm, 0, *from, burst.to)).or_default();
            if sends {
                traffic.sends.push((user, *tag));
            }
            if receives {
                traffic.receives.push((user, Some(*tag)));
            }
        }
    }
}

impl Traffic {
    /// Returns the messages whose receives take another message, and the messages taken instead.
    fn mismatched(&self) -> Vec<Id> {
        let mut left = self.sends.clone();
        let mut wrong = Vec::new();
        for (receiver, tag) in &self.receives {
            let Some(at) = left.iter().position(|(_, sent)| tag.is_none_or(|tag| tag == *sent))
            else {
                continue;
            };
            let (sender, _) = left.remove(at);
            if sender != *receiver {
                for user in [sender, *receiver] {
                    if let User::Message(id) = user {
                        wrong.push(id);
                    }
                }
            }
        }
        wrong
    }
}
