//! The operations of one rank of a schedule, carried out.

use std::{cmp::Reverse, collections::BinaryHeap};

use mpi_api::{
    call::{
        Call, ClockCall, CommId, Completing, Incoming, Layout, MessageCall, Mode, Operation,
        Outgoing, Payload, ProcessCall, Reply, RequestCall, RequestId, Source,
    },
    object::signature::{Primitive, Signature},
};
use sim_core::{Script, SimDuration, SimTime, Site};

use super::{Action, Graph};

/// One rank of a schedule.
pub(super) struct RankSchedule {
    graph: Graph,
    /// Number of unfinished edges that end at each operation.
    before: Vec<u32>,
    /// Operations that may start: messages, which take no time of the processor while they are under
    /// way, before calculations, both in the order of the file.
    ready: BinaryHeap<Reverse<(bool, u32)>>,
    /// Requests on which operations depend.
    awaited: Vec<(RequestId, u32)>,
    /// Requests on which nothing depends.
    others: Vec<(RequestId, u32)>,
    state: State,
}

/// What the rank does at present.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// It has not begun, or waits for a reply without consequences.
    Between,
    /// It starts this send or receive.
    Starting(u32),
    /// It computes for this operation, or receives its message and does nothing else.
    Occupied(u32),
    /// It waits for requests, the first of which is that of this operation.
    Waiting(u32),
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
            state: State::Between,
        }
    }

    /// Releases the operations that depend on the start or on the end of one.
    fn release(&mut self, place: u32, started: bool) {
        let Self { graph, before, ready, .. } = self;
        for edge in graph.after(place).iter().filter(|edge| edge.on_start == started) {
            let left = &mut before[edge.to as usize];
            *left -= 1;
            if *left == 0 {
                ready.push(Reverse((edge.calculates, edge.to)));
            }
        }
    }

    /// Learns from the reply to the last call.
    fn learn(&mut self, reply: Reply) {
        match (self.state, reply) {
            (State::Starting(place), Reply::Request(id)) => {
                if self.graph.after(place).iter().any(|edge| !edge.on_start) {
                    self.awaited.push((id, place));
                } else {
                    self.others.push((id, place));
                }
            }
            (State::Occupied(place), _) => self.release(place, false),
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
        self.state = State::Starting(place);
        self.release(place, true);
        match self.graph.operations[place as usize].action {
            Action::Calculate(time) => {
                self.state = State::Occupied(place);
                ClockCall::Compute(SimDuration::from_ns(time)).into()
            }
            Action::Send { to, tag, bytes } => MessageCall::StartSend(Outgoing {
                comm: CommId::WORLD,
                dest: Some(to),
                tag,
                mode: Mode::Standard,
                payload: Payload::Absent(bytes),
                signature: Signature::of(Primitive::Byte, bytes),
                layout: Layout::Dense,
            })
            .into(),
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
                    self.state = State::Occupied(place);
                    return MessageCall::Receive(receive).into();
                }
                MessageCall::StartReceive(receive).into()
            }
        }
    }

    fn site(&self) -> Site {
        let place = match self.state {
            State::Starting(place) | State::Occupied(place) => place,
            State::Waiting(place) => place,
            State::Between | State::Finalizing => return Site::NOWHERE,
        };
        Site::at(self.graph.file, self.graph.operations[place as usize].line, 1)
    }
}

impl Script<Call, Reply> for RankSchedule {
    fn next(&mut self, _now: SimTime, reply: Option<Reply>) -> Option<Call> {
        if let Some(reply) = reply {
            self.learn(reply);
        }
        let ids = |list: &[(RequestId, u32)]| list.iter().map(|(id, _)| *id).collect();
        let operation = if let Some(Reverse((_, place))) = self.ready.pop() {
            self.start(place)
        } else if let Some((_, place)) = self.awaited.first() {
            self.state = State::Waiting(*place);
            RequestCall::Wait(ids(&self.awaited), Completing::Some).into()
        } else if let Some((_, place)) = self.others.first() {
            self.state = State::Waiting(*place);
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
