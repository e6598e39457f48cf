//! The operations of one rank of a schedule, carried out.

use std::{cmp::Reverse, collections::BinaryHeap};

use mpi_api::{
    call::{
        Call, ClockCall, CommId, Completing, Incoming, Layout, MessageCall, Mode, Operation,
        Outgoing, Payload, ProcessCall, Reply, RequestCall, RequestId, Source,
    },
    object::signature::{Primitive, Signature},
};
use sim_core::{Script, SimDuration, SimTime, Site, prefetch};

use super::{Action, Edges, Graph};

/// One rank of a schedule.
pub(super) struct RankSchedule {
    graph: Graph,
    /// Number of unfinished edges that end at each operation, where several do.
    before: Vec<u32>,
    /// Operations that may start: messages, which take no time of the processor while they are under
    /// way, before calculations, both in the order of the file.
    ready: BinaryHeap<Reverse<(bool, u32)>>,
    /// Requests on which operations depend.
    awaited: Vec<(RequestId, Begun)>,
    /// Requests on which nothing depends.
    others: Vec<(RequestId, Begun)>,
    /// Whether it has started sends on which nothing depends since it has last waited for the requests of such
    /// ones. They may have been sent at once and have none: the wait is the same then.
    detached: bool,
    state: State,
}

/// An operation that has begun. Where its edges are is kept here: when it ends, its own record has left the
/// processor's caches.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Begun {
    place: u32,
    edges: Edges,
}

/// What the rank does at present.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// It has not begun, or waits for a reply without consequences.
    Between,
    /// It starts this send or receive.
    Starting(Begun),
    /// It computes for this operation, or receives its message and does nothing else.
    Occupied(Begun),
    /// It waits for requests, the first of which is that of this operation.
    Waiting(Begun),
    Finalizing,
}

impl RankSchedule {
    pub(super) fn new(graph: Graph) -> Self {
        let places = (0..).zip(graph.operations.iter());
        let free = places.filter(|(_, operation)| operation.before == 0);
        Self {
            ready: free.map(|(place, it)| Reverse((it.action.calculates(), place))).collect(),
            before: graph.operations.iter().map(|operation| operation.before).collect(),
            graph,
            awaited: Vec::new(),
            others: Vec::new(),
            detached: false,
            state: State::Between,
        }
    }

    /// Releases the operations that depend on the start or on the end of one.
    fn release(&mut self, begun: Begun, started: bool) {
        let Self { graph, before, ready, .. } = self;
        for edge in graph.after(begun.edges).iter().filter(|edge| edge.on_start == started) {
            let free = edge.sole || {
                let left = &mut before[edge.to as usize];
                *left -= 1;
                *left == 0
            };
            if free {
                ready.push(Reverse((edge.calculates, edge.to)));
            }
        }
    }

    /// Reports whether operations depend on the end of one.
    fn awaits(&self, begun: Begun) -> bool {
        self.graph.after(begun.edges).iter().any(|edge| !edge.on_start)
    }

    /// Learns from the reply to the last call.
    fn learn(&mut self, reply: Reply) {
        match (self.state, reply) {
            (State::Starting(begun), Reply::Request(id)) => {
                if self.awaits(begun) {
                    self.awaited.push((id, begun));
                } else {
                    self.others.push((id, begun));
                }
            }
            (State::Occupied(begun), _) => self.release(begun, false),
            (State::Waiting(_), Reply::Completions(done)) if !self.awaited.is_empty() => {
                // The places of the list stay valid when the last ones are removed first.
                let mut places: Vec<usize> = done.into_iter().map(|(place, _)| place).collect();
                places.sort_unstable_by_key(|place| Reverse(*place));
                for place in places {
                    let (_, operation) = self.awaited.remove(place);
                    self.release(operation, false);
                }
            }
            _ => {}
        }
    }

    /// Returns the call of an operation that may start.
    fn start(&mut self, place: u32) -> Operation {
        let super::Operation { action, edges, .. } = self.graph.operations[place as usize];
        let begun = Begun { place, edges };
        self.state = State::Starting(begun);
        self.release(begun, true);
        match action {
            Action::Calculate(time) => {
                self.state = State::Occupied(begun);
                ClockCall::Compute(SimDuration::from_ns(time)).into()
            }
            Action::Send { to, tag, bytes } => {
                let send = Outgoing {
                    comm: CommId::WORLD,
                    dest: Some(to),
                    tag,
                    mode: Mode::Standard,
                    payload: Payload::Absent(bytes),
                    signature: Signature::of(Primitive::Byte, bytes),
                    layout: Layout::Dense,
                };
                if self.awaits(begun) {
                    return MessageCall::StartSend(send).into();
                }
                self.detached = true;
                MessageCall::StartDetachedSend(send).into()
            }
            Action::Receive { from, tag, bytes } => {
                let receive = Incoming {
                    comm: CommId::WORLD,
                    source: from.map_or(Source::Any, Source::Rank),
                    tag,
                    capacity: bytes,
                    signature: Signature::of(Primitive::Byte, bytes),
                    layout: Layout::Dense,
                };
                // A receive for which the rank would wait at once is a blocking one.
                if self.ready.is_empty() && self.awaited.is_empty() {
                    self.state = State::Occupied(begun);
                    return MessageCall::Receive(receive).into();
                }
                MessageCall::StartReceive(receive).into()
            }
        }
    }

    fn site(&self) -> Site {
        let begun = match self.state {
            State::Starting(begun) | State::Occupied(begun) | State::Waiting(begun) => begun,
            State::Between | State::Finalizing => return Site::NOWHERE,
        };
        Site::at(self.graph.file, self.graph.operations[begun.place as usize].line, 1)
    }
}

impl Script<Call, Reply> for RankSchedule {
    fn foresee(&self) {
        let (State::Starting(begun) | State::Occupied(begun) | State::Waiting(begun)) = self.state
        else {
            return;
        };
        self.graph.edges.get(begun.edges.first as usize).map(prefetch);
        // The next operations of the file are mostly those that follow.
        let next = begun.place as usize + 1;
        self.graph.operations.iter().skip(next).take(2).for_each(prefetch);
        self.others.last().map(prefetch);
    }

    fn next(&mut self, _now: SimTime, reply: Option<Reply>) -> Option<Call> {
        if let Some(reply) = reply {
            self.learn(reply);
        }
        let ids = |list: &[(RequestId, Begun)]| list.iter().map(|(id, _)| *id).collect();
        let operation = if let Some(Reverse((_, place))) = self.ready.pop() {
            self.start(place)
        } else if let Some((_, begun)) = self.awaited.first() {
            self.state = State::Waiting(*begun);
            RequestCall::Wait(ids(&self.awaited), Completing::Some).into()
        } else if self.detached || !self.others.is_empty() {
            self.detached = false;
            self.state =
                self.others.first().map_or(State::Between, |(_, begun)| State::Waiting(*begun));
            RequestCall::Wait(ids(&std::mem::take(&mut self.others)), Completing::All).into()
        } else if self.state != State::Finalizing {
            self.state = State::Finalizing;
            ProcessCall::Finalize.into()
        } else {
            return None;
        };
        Some(Call { site: self.site(), operation })
    }
}
