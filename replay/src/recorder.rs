//! [`Recorder`]: makes the recording of a run.

use std::{cell::RefCell, collections::BTreeMap};

use mpi_api::call::{
    Call, Incoming, MessageCall, Operation, ProbeCall, Reply, RequestCall, RequestId, Source,
};
use rustc_hash::FxHashMap;
use sim_core::{ProcessId, SimDuration, Site, Tap};

use crate::{
    recording::{Calls, Origin, Recording},
    step::{Outcome, Step},
    strip::stripped,
};

/// Records the calls of all ranks of one run. Its run takes no other simulated times and has no other
/// digest than without it.
#[derive(Debug, Default)]
pub struct Recorder(RefCell<State>);

#[derive(Debug, Default)]
struct State {
    ranks: Vec<Rank>,
    sites: BTreeMap<Site, u32>,
    listed: Vec<Site>,
    refusal: Option<String>,
}

/// The recording of one rank.
#[derive(Debug, Default)]
struct Rank {
    calls: Calls,
    /// The call that waits for its reply.
    pending: Option<Step>,
    /// Nonblocking receives with a wildcard that have not completed, with their numbers.
    open: FxHashMap<RequestId, usize>,
}

impl Recorder {
    /// Creates a recorder for a run of this many ranks.
    pub fn new(ranks: u32) -> Self {
        let ranks = (0..ranks).map(|_| Rank::default()).collect();
        Self(RefCell::new(State { ranks, ..State::default() }))
    }

    /// Returns the recording of the run that has ended.
    ///
    /// # Errors
    /// Returns what the program did that a recording cannot hold.
    pub fn finish(&self, origin: Origin) -> Result<Recording, String> {
        let State { ranks, listed, refusal, .. } = self.0.take();
        if let Some(refusal) = refusal {
            return Err(refusal);
        }
        let calls = |mut rank: Rank| {
            if let Some(step) = rank.pending.take() {
                rank.calls.push(&step);
            }
            rank.calls
        };
        Ok(Recording { origin, sites: listed, ranks: ranks.into_iter().map(calls).collect() })
    }
}

impl Tap<Call, Reply> for Recorder {
    fn resumed(&self, process: ProcessId, reply: Option<&Reply>) {
        let mut state = self.0.borrow_mut();
        let (Some(rank), Some(reply)) = (state.ranks.get_mut(process.0 as usize), reply) else {
            return;
        };
        if let Some(step) = rank.pending.take() {
            rank.answered(step, reply);
        }
    }

    fn called(&self, process: ProcessId, computed: SimDuration, call: Option<&Call>) {
        let state = &mut *self.0.borrow_mut();
        let Some(rank) = state.ranks.get_mut(process.0 as usize) else {
            state.refusal.get_or_insert_with(|| "it starts processes or threads".into());
            return;
        };
        let site = call.map_or(Site::NOWHERE, |call| call.site);
        let listed = &mut state.listed;
        let site = *state.sites.entry(site).or_insert_with(|| {
            listed.push(site);
            listed.len() as u32 - 1
        });
        rank.calls.compute(computed, site);
        let Some(call) = call else { return };
        match stripped(&call.operation) {
            Ok(operation) => {
                rank.pending = Some(Step { site, operation, outcome: Outcome::Unanswered });
            }
            Err(what) => {
                state.refusal.get_or_insert_with(|| format!("rank {} {what}", process.0));
            }
        }
    }
}

impl Rank {
    /// Records a call with its reply.
    fn answered(&mut self, mut step: Step, reply: &Reply) {
        step.outcome = Outcome::of(reply);
        if let Some((source, tag)) = envelope(reply) {
            resolve(&mut step.operation, source, tag);
        }
        if let Outcome::Request(id) = step.outcome
            && let Operation::Message(call) = &step.operation
            && is_open(call)
        {
            self.open.insert(id, self.calls.matched.len());
            self.calls.matched.push(None);
        }
        if let (Operation::Request(call), Reply::Completions(list)) = (&step.operation, reply)
            && let RequestCall::Wait(ids, _) | RequestCall::Test(ids, _) = call
        {
            for (place, completion) in list {
                let status = &completion.status;
                if let Some(number) = self.open.remove(&ids[*place]) {
                    self.calls.matched[number] = status.source.zip(status.tag);
                }
            }
        }
        self.calls.push(&step);
    }
}

/// Returns the source and the tag of the message that a reply tells of.
fn envelope(reply: &Reply) -> Option<(u32, i32)> {
    match reply {
        Reply::Received(received) => Some((received.source, received.tag)),
        Reply::Completed(completion) => completion.status.source.zip(completion.status.tag),
        Reply::Matched(_, status) => status.source.zip(status.tag),
        _ => None,
    }
}

/// Reports whether a call is a nonblocking receive with a wildcard.
pub(crate) fn is_open(call: &MessageCall) -> bool {
    match call {
        MessageCall::StartReceive(_) | MessageCall::StartSendReceive(..) => {
            call.incoming().is_some_and(Incoming::has_wildcard)
        }
        MessageCall::Send(_)
        | MessageCall::Receive(_)
        | MessageCall::SendReceive(..)
        | MessageCall::StartSend(_)
        | MessageCall::StartDetachedSend(_)
        | MessageCall::InitSend(_)
        | MessageCall::InitReceive(_) => false,
    }
}

/// Replaces wildcards by the source and tag of the message that was received. A persistent receive
/// keeps them: each of its starts may receive another message.
pub(crate) fn resolve(operation: &mut Operation, from: u32, with: i32) {
    let (source, tag) = match operation {
        Operation::Message(MessageCall::InitReceive(_)) => return,
        Operation::Message(call) => match call.incoming_mut() {
            Some(receive) => (&mut receive.source, &mut receive.tag),
            None => return,
        },
        Operation::Probe(call) => match call {
            ProbeCall::Blocking(_, source, tag)
            | ProbeCall::Immediate(_, source, tag)
            | ProbeCall::Matched(_, source, tag)
            | ProbeCall::ImmediateMatched(_, source, tag) => (source, tag),
            ProbeCall::Receive(..) | ProbeCall::StartReceive(..) => return,
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
        | Operation::Thread(_) => return,
    };
    if *source == Source::Any {
        *source = Source::Rank(from);
    }
    tag.get_or_insert(with);
}
