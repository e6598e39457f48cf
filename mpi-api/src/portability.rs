//! [`Portability`]: watches the calls of a run for what not every library of MPI provides.

use std::{
    cell::RefCell,
    collections::{BTreeMap, BTreeSet},
};

use sim_core::{ProcessId, SimDuration, Tap};

use crate::{
    call::{
        Call, CommId, MessageCall, Operation, ProbeCall, Reply, RequestCall, RequestId, Site,
        Source,
    },
    check::portability::{self, Alike, TAG_SAFE},
    finding::{CallPlace, Finding},
};

/// What a persistent request starts, as far as messages are matched by it.
#[derive(Clone, Copy, Debug)]
enum Persistent {
    Send(CommId, u32, i32),
    Receive(CommId, Source, Option<i32>),
}

impl Persistent {
    /// Returns what the persistent request starts that a call creates.
    fn of(call: &Operation) -> Option<Self> {
        let Operation::Message(call) = call else { return None };
        match call {
            MessageCall::InitSend(send) => Some(Self::Send(send.comm, send.dest?, send.tag)),
            MessageCall::InitReceive(receive) => {
                Some(Self::Receive(receive.comm, receive.source, receive.tag))
            }
            MessageCall::Send(_)
            | MessageCall::Receive(_)
            | MessageCall::SendReceive(..)
            | MessageCall::StartSend(_)
            | MessageCall::StartDetachedSend(_)
            | MessageCall::StartReceive(_)
            | MessageCall::StartSendReceive(..) => None,
        }
    }

    /// Returns what two requests have in common if the order of their starts matters.
    fn alike(self, other: Self) -> Option<Alike> {
        match (self, other) {
            (Self::Send(comm, to, tag), Self::Send(other, other_to, other_tag)) => {
                let same = (comm, to, tag) == (other, other_to, other_tag);
                same.then_some(Alike::Sends { to, tag })
            }
            (Self::Receive(comm, source, tag), Self::Receive(other, other_source, other_tag)) => {
                let same_tag = tag.is_none() || other_tag.is_none() || tag == other_tag;
                let same = comm == other && same_tag && meet(source, other_source);
                same.then_some(Alike::Receives)
            }
            (Self::Send(..), Self::Receive(..)) | (Self::Receive(..), Self::Send(..)) => None,
        }
    }
}

/// Reports whether a message can come from both.
fn meet(one: Source, other: Source) -> bool {
    match (one, other) {
        (Source::Null, _) | (_, Source::Null) => false,
        (Source::Any, _) | (_, Source::Any) => true,
        (Source::Rank(one), Source::Rank(other)) => one == other,
    }
}

/// Returns the tags that a call gives.
fn tags(operation: &Operation) -> [Option<i32>; 2] {
    match operation {
        Operation::Message(call) => {
            [call.outgoing().map(|send| send.tag), call.incoming().and_then(|receive| receive.tag)]
        }
        Operation::Probe(call) => match call {
            ProbeCall::Blocking(_, _, tag)
            | ProbeCall::Immediate(_, _, tag)
            | ProbeCall::Matched(_, _, tag)
            | ProbeCall::ImmediateMatched(_, _, tag) => [*tag, None],
            ProbeCall::Receive(..) | ProbeCall::StartReceive(..) => [None, None],
        },
        Operation::Request(_)
        | Operation::Partitioned(_)
        | Operation::Buffer(_)
        | Operation::Collective(_)
        | Operation::Comm(_)
        | Operation::Window(_)
        | Operation::File(_)
        | Operation::Process(_)
        | Operation::Port(_)
        | Operation::Type(_)
        | Operation::Error(_)
        | Operation::Report(_)
        | Operation::Clock(_)
        | Operation::Tool(_)
        | Operation::Thread(_) => [None, None],
    }
}

/// Watches the calls of the ranks that a run begins with, in their main threads, and notes at most one thing of
/// a kind at each place in the program.
#[derive(Debug, Default)]
pub(crate) struct Portability(RefCell<State>);

#[derive(Debug, Default)]
struct State {
    ranks: u32,
    /// What the present call of a process creates.
    pending: BTreeMap<u32, Persistent>,
    persistent: BTreeMap<(u32, RequestId), Persistent>,
    noted: BTreeSet<Site>,
    tags: BTreeSet<i32>,
    notes: Vec<Finding>,
}

impl Portability {
    /// Creates a watcher of a run that begins with this many ranks.
    pub(crate) fn new(ranks: u32) -> Self {
        Self(RefCell::new(State { ranks, ..State::default() }))
    }

    /// Returns what was noted.
    pub(crate) fn take(&self) -> Vec<Finding> {
        std::mem::take(&mut self.0.borrow_mut().notes)
    }
}

impl Tap<Call, Reply> for Portability {
    fn resumed(&self, process: ProcessId, reply: Option<&Reply>) {
        let mut state = self.0.borrow_mut();
        let created = state.pending.remove(&process.0);
        if let (Some(created), Some(Reply::Request(id))) = (created, reply) {
            state.persistent.insert((process.0, *id), created);
        }
    }

    fn called(&self, process: ProcessId, _: SimDuration, call: Option<&Call>) {
        let state = &mut *self.0.borrow_mut();
        let rank = process.0;
        let Some(call) = call.filter(|_| rank < state.ranks) else { return };
        if let Some(created) = Persistent::of(&call.operation) {
            state.pending.insert(rank, created);
        }
        if let Some(note) = state.note(rank, call) {
            state.notes.push(note);
        }
    }
}

impl State {
    fn note(&mut self, rank: u32, call: &Call) -> Option<Finding> {
        let place = CallPlace { call: call.name(), site: call.site };
        let large = tags(&call.operation).into_iter().flatten().find(|tag| *tag > TAG_SAFE);
        if let Some(tag) = large {
            // Once for both sides of a message, and once for a call with many tags.
            let new = self.tags.insert(tag) & self.noted.insert(call.site);
            return new.then(|| portability::large_tag(rank, place, tag));
        }
        let Operation::Request(RequestCall::Start(list)) = &call.operation else { return None };
        let started = |(id, _): &(RequestId, _)| self.persistent.get(&(rank, *id)).copied();
        let started: Vec<Persistent> = list.iter().filter_map(started).collect();
        let mut pairs = (0..started.len()).flat_map(|at| (0..at).map(move |before| (before, at)));
        let alike = pairs.find_map(|(one, other)| started[one].alike(started[other]))?;
        let new = self.noted.insert(call.site);
        new.then(|| portability::order_of_starts(rank, place, alike))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_alike_if_a_message_could_be_of_both() {
        let comm = CommId(0);
        let send = |to, tag| Persistent::Send(comm, to, tag);
        let receive = |source, tag| Persistent::Receive(comm, source, tag);
        assert_eq!(send(1, 5).alike(send(1, 5)), Some(Alike::Sends { to: 1, tag: 5 }));
        assert_eq!(send(1, 5).alike(send(2, 5)), None);
        assert_eq!(send(1, 5).alike(send(1, 6)), None);
        assert_eq!(send(1, 5).alike(receive(Source::Rank(1), Some(5))), None);
        let any = receive(Source::Any, Some(5));
        assert_eq!(any.alike(receive(Source::Rank(2), None)), Some(Alike::Receives));
        assert_eq!(any.alike(receive(Source::Null, None)), None);
        assert_eq!(any.alike(receive(Source::Any, Some(6))), None);
    }
}
