//! Follows what happened before what (Lamport, "Time, clocks, and the ordering of events in a distributed
//! system", 1978), in runs that compare accesses to windows by it, from the first window on, and in those that
//! explore orders of matches, from their beginning.
//!
//! State: `clock` is a moment of a rank, `history` the moments of all ranks and what is on its way
//! between them. The steps here are taken where messages are sent and matched, where collectives are
//! entered, and where the next call of a rank tells that its last one has returned.

mod clock;
mod history;

use std::rc::Rc;

pub(super) use self::{
    clock::{Clock, Point},
    history::History,
};
use super::{
    MpiKernel,
    collective::{key::Key, template::EntryMode},
    explore::waits::Learns,
    request::table::{Kind, Owner},
    transport::message::Sender,
};
use crate::{
    call::{
        Call, CollectiveCall, CollectiveKind, Mode, Neighbors, Operation, PartitionedCall,
        RequestId,
    },
    observation::Needs,
    settings::Races,
    trace::Protocol,
};
use history::Part;

/// What is learnt when it completes: the request if the program collects it, or nothing.
enum Learner {
    /// The call of this thread of its rank.
    Call(u32),
    Request(RequestId),
    Nobody,
}

impl MpiKernel {
    /// Begins the history of a run whose settings want it. From here on each call is looked at, and all
    /// messages have requests.
    pub(super) fn begin_history(&mut self) {
        if self.settings.races != Races::Causal || self.history.is_some() {
            return;
        }
        self.leave_short_ways();
        self.shortcuts.direct = false;
        self.attentive = true;
        self.history = Some(Box::new(History::new(self.ranks.len() as u32)));
    }

    /// Follows a call of a rank: the one before it has returned.
    pub(super) fn follow_call(&mut self, rank: u32, call: &Call) {
        let ranks = self.ranks.len() as u32;
        let Some(history) = &mut self.history else { return };
        history.make_room(ranks);
        self.ranks[rank as usize].returned(|thread| history.settle((rank, thread)));
        if let Operation::Partitioned(call) = &call.operation {
            self.follow_partitions(rank, call);
        }
        self.settle_touches(rank, (&call.operation, call.site));
    }

    fn follow_partitions(&mut self, rank: u32, call: &PartitionedCall) {
        let (id, declares) = match call {
            PartitionedCall::Init(_) => return,
            PartitionedCall::Ready(id, _) => (*id, true),
            PartitionedCall::Arrived(id, _) => (*id, false),
        };
        let Some(Kind::Partitioned { channel: Some(channel), .. }) =
            self.live(id).map(|index| &self.requests[index].kind)
        else {
            return;
        };
        let (channel, caller) = (*channel, self.caller(rank));
        let Some(history) = &mut self.history else { return };
        if declares { history.declare(rank, channel) } else { history.ask(caller, channel) }
    }

    /// Follows a message of a program.
    #[cold]
    pub(super) fn follow_send(&mut self, rank: u32, message: u64) {
        self.history.iter_mut().for_each(|history| history.send(rank, message));
    }

    /// Follows a receive that begins.
    pub(super) fn follow_receive(&mut self, rank: u32, request: u32) {
        let request = self.request_id(request);
        self.history.iter_mut().for_each(|history| history.post(rank, request));
    }

    /// Returns the present thread of a rank.
    fn caller(&self, rank: u32) -> (u32, u32) {
        (rank, self.ranks[rank as usize].thread())
    }

    /// Returns the thread in whose blocking call a request is: the one that waits for it, or else the present
    /// one, whose call begins.
    fn thread_of_call(&self, request: u32) -> u32 {
        let (rank, id) = (self.requests[request].rank, self.request_id(request));
        let mut calls = self.ranks[rank as usize].calls();
        let found = calls.find(|call| call.blocked.is_some_and(|call| call.awaits(request, id)));
        found.and_then(|call| call.number).unwrap_or_else(|| self.caller(rank).1)
    }

    fn learner(&self, request: u32) -> Learner {
        match self.requests[request].owner {
            Owner::Blocking => Learner::Call(self.thread_of_call(request)),
            Owner::Program => Learner::Request(self.request_id(request)),
            Owner::Part(whole) => self.learner(whole),
            Owner::Collective(_) | Owner::Freed => Learner::Nobody,
        }
    }

    /// Follows a message that a receive takes.
    pub(super) fn follow_match(&mut self, message: u32, request: u32) {
        let m = &self.messages[message];
        if m.context % 2 == 1 {
            return;
        }
        let (id, source, target, sender) = (m.id, m.source, m.target, m.sender);
        let synchronous = m.mode == Mode::Synchronous;
        let waits = !synchronous && m.protocol == Protocol::Rendezvous;
        let (receiver, id_of_receive) = (self.learner(request), self.request_id(request));
        let sender = match sender {
            Sender::Request(request) => self.learner(request),
            Sender::Gone | Sender::Rank | Sender::Execution(_) => Learner::Nobody,
        };
        // Nothing depends on what has ended before the first wildcard was resolved.
        let remembers = waits && self.remembers() && !self.exploration.past.is_empty();
        let Some(history) = &mut self.history else { return };
        let begun = history.take_posted(target, id_of_receive);
        let sent = history.take_sent(id);
        let mut teach = |rank: u32, learner: &Learner, moment: &Clock| match learner {
            Learner::Call(thread) => history.learn_on_return((rank, *thread), moment),
            Learner::Request(request) => history.learn_with(*request, moment),
            Learner::Nobody => {}
        };
        if synchronous {
            teach(source, &sender, &begun);
        }
        if let Some(sent) = sent {
            teach(target, &receiver, &sent);
        }
        if remembers {
            let learns = match sender {
                Learner::Call(_) => Learns::In(history.present(source)),
                Learner::Request(request) => Learns::With(request),
                Learner::Nobody => return,
            };
            let wildcard = self.exploration.past.last_of(id_of_receive);
            self.exploration.waits.taken(learns, &begun, wildcard);
        }
    }

    /// Follows a probe that finds a message.
    pub(super) fn follow_probe(&mut self, rank: u32, message: u32) {
        let (id, caller) = (self.messages[message].id, self.caller(rank));
        self.history.iter_mut().for_each(|history| history.probe(caller, id));
    }

    /// Follows a rank that enters a collective of this many members.
    pub(super) fn follow_entry(
        &mut self,
        rank: u32,
        (key, call): (Key, &CollectiveCall),
        (member, size): (u32, u32),
        how: &EntryMode,
    ) {
        let request = match how {
            EntryMode::Blocking | EntryMode::Group(..) => None,
            EntryMode::Request(request) | EntryMode::Start(request, ..) => {
                Some(self.request_id(*request))
            }
        };
        let needs = match how {
            EntryMode::Group(..) => Needs::All,
            EntryMode::Blocking | EntryMode::Request(_) | EntryMode::Start(..) => {
                self.needs(rank, call)
            }
        };
        let singly = needs_some(call.kind);
        let part = Part { key, needs, member, size };
        let caller = self.caller(rank);
        if let Some(history) = &mut self.history {
            history.enter(caller, part, singly, request);
        }
    }

    /// Follows a request whose result a rank takes.
    pub(super) fn follow_collected(&mut self, rank: u32, id: RequestId) {
        let (channel, read) = match self.live(id).map(|index| &self.requests[index].kind) {
            Some(Kind::Partitioned { channel, sends: false }) => (*channel, None),
            Some(Kind::OneSided { window, target, read: Some(record) }) => {
                (None, Some((*window, *target, *record)))
            }
            _ => (None, None),
        };
        let caller = self.caller(rank);
        if let Some(history) = &mut self.history {
            if let Some(channel) = channel {
                history.ask(caller, channel);
            }
            history.collect(rank, id);
            let event = history.present(rank);
            self.exploration.past.collected(id, event);
            self.exploration.waits.collected(id, event);
        }
        if let Some(read) = read {
            self.end_read(rank, read);
        }
    }

    /// Returns the members whose data a rank needs in a collective.
    pub(super) fn needs(&self, rank: u32, call: &CollectiveCall) -> Needs {
        use CollectiveKind as K;
        if self.comms.is_inter(call.comm) {
            return Needs::All;
        }
        let is_root = self.is_root(rank, call);
        match call.kind {
            K::Broadcast | K::Scatter if is_root => Needs::Nothing,
            K::Broadcast | K::Scatter => Needs::Root(call.root),
            K::Gather | K::Reduce if is_root => Needs::All,
            K::Gather | K::Reduce => Needs::Nothing,
            K::Scan | K::Exscan => Needs::Lower,
            K::NeighborAllgather | K::NeighborAlltoall => {
                let sources = |all: &Rc<Neighbors>| all.sources.iter().flatten().copied().collect();
                Needs::These(call.neighbors.as_ref().map(sources).unwrap_or_default())
            }
            K::Barrier
            | K::Allgather
            | K::Alltoall
            | K::Allreduce
            | K::ReduceScatter
            | K::Management(_) => Needs::All,
        }
    }
}

/// Reports whether members of such a collective need the data of some members only.
fn needs_some(kind: CollectiveKind) -> bool {
    use CollectiveKind as K;
    matches!(
        kind,
        K::Broadcast
            | K::Scatter
            | K::Scan
            | K::Exscan
            | K::NeighborAllgather
            | K::NeighborAlltoall
    )
}
