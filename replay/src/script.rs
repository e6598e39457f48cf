//! [`RankReplay`]: the recorded calls of one rank, made again.

use std::{rc::Rc, sync::Arc};

use mpi_api::{
    call::{
        Call, CollectiveEntry, CommId, Completing, Operation, ProbeCall, Reply, RequestCall,
        RequestId,
    },
    object::op::Op,
};
use rustc_hash::{FxHashMap, FxHashSet};
use sim_core::{Script, SimTime};

use crate::{
    recorder::{is_open, resolve},
    recording::Recording,
    rename::Names,
    step::{Outcome, Step},
};

/// One rank of a replay.
pub(crate) struct RankReplay {
    recording: Arc<Recording>,
    rank: usize,
    /// Position of the next step among the encoded ones.
    at: usize,
    /// Number of nonblocking receives with a wildcard so far.
    open: usize,
    names: Names,
    /// Requests that have completed before the recording says so.
    early: FxHashSet<RequestId>,
    /// Requests of detached sends that had none when they were recorded, by names that no recording has.
    detached: Vec<RequestId>,
    /// What the present call is to bring about.
    awaited: Awaited,
    /// Place of the present call.
    site: u32,
}

/// What the rank has to learn from the reply to its call.
enum Awaited {
    Nothing,
    /// An object, called by this name in the recording.
    Named(Outcome),
    /// A message must be found, or this call is made to wait for it.
    Message(Outcome, Option<Operation>),
    /// The requests of a call that completes some, and those of them that must be complete before
    /// the next step.
    Requests(Vec<RequestId>, Wanted),
}

/// Requests that must complete before the next step, with the communicator that each creates.
type Wanted = FxHashMap<RequestId, Option<CommId>>;

impl RankReplay {
    pub(crate) fn new(recording: Arc<Recording>, rank: u32) -> Self {
        Self {
            recording,
            rank: rank as usize,
            at: 0,
            open: 0,
            names: Names::default(),
            early: FxHashSet::default(),
            detached: Vec::new(),
            awaited: Awaited::Nothing,
            site: 0,
        }
    }

    /// Takes the next step, if one is left.
    fn step(&mut self) -> Option<Step> {
        let rest = self.recording.ranks[self.rank].steps.get(self.at..)?;
        if rest.is_empty() {
            return None;
        }
        let (step, after) = postcard::take_from_bytes::<Step>(rest).expect("checked when read");
        self.at += rest.len() - after.len();
        Some(step)
    }

    /// Learns from a reply. Returns a further call that it needs before the next step.
    fn learn(&mut self, reply: Reply) -> Option<Operation> {
        match std::mem::replace(&mut self.awaited, Awaited::Nothing) {
            Awaited::Nothing => None,
            Awaited::Named(recorded) => {
                self.name(&recorded, &reply);
                None
            }
            Awaited::Message(recorded, wait) => match (&reply, wait) {
                (Reply::NotYet, Some(wait)) => {
                    self.awaited = Awaited::Message(recorded, None);
                    Some(wait)
                }
                _ => {
                    self.name(&recorded, &reply);
                    None
                }
            },
            Awaited::Requests(list, wanted) => self.completed(list, wanted, reply),
        }
    }

    /// Stores the identifier of a replay for a recorded one.
    fn name(&mut self, recorded: &Outcome, reply: &Reply) {
        match (recorded, reply) {
            (Outcome::Request(old), Reply::Request(new)) => {
                self.names.requests.insert(*old, *new);
            }
            (Outcome::Comm(Some(old)), Reply::Comm(Some(new))) => {
                self.names.comms.insert(*old, new.id);
            }
            (Outcome::Nothing, Reply::Request(new)) => {
                let place = u32::MAX - self.detached.len() as u32;
                let name = RequestId { index: place, generation: u32::MAX };
                self.detached.push(name);
                self.names.requests.insert(name, *new);
            }
            (Outcome::Object(old), Reply::Object(new)) => {
                self.names.types.insert(*old, *new);
            }
            (Outcome::Matched(old), Reply::Matched(new, _)) => {
                self.names.messages.insert(*old, *new);
            }
            _ => {}
        }
    }

    /// Compares the requests that have completed with the recorded ones. Waits for those that are
    /// not complete yet.
    fn completed(
        &mut self,
        list: Vec<RequestId>,
        mut wanted: Wanted,
        reply: Reply,
    ) -> Option<Operation> {
        let done = match reply {
            Reply::Completions(done) => done,
            // A request that is neither active nor complete is waited for by nobody.
            Reply::Undefined => return None,
            _ => Vec::new(),
        };
        for (place, completion) in done {
            let id = list[place];
            match wanted.remove(&id) {
                Some(comm) => {
                    if let (Some(old), Some(new)) = (comm, completion.comm) {
                        self.names.comms.insert(old, new.id);
                    }
                }
                None => {
                    self.early.insert(id);
                }
            }
        }
        if wanted.is_empty() {
            return None;
        }
        let ids: Vec<_> = list.into_iter().filter(|id| wanted.contains_key(id)).collect();
        self.awaited = Awaited::Requests(ids.clone(), wanted);
        Some(RequestCall::Wait(ids, Completing::All).into())
    }

    /// Returns the call of a step with the recorded identifiers, unless the replay has done what it
    /// does.
    fn prepare(&mut self, Step { mut operation, outcome, .. }: Step) -> Option<Operation> {
        match &mut operation {
            Operation::Request(call) => {
                let call = std::mem::replace(call, RequestCall::TakeLate);
                return Some(self.request(call, outcome)?.into());
            }
            Operation::Message(call) if is_open(call) => {
                let matched = &self.recording.ranks[self.rank].matched;
                let envelope = matched.get(self.open).copied().flatten();
                self.open += 1;
                if let Some((source, tag)) = envelope {
                    resolve(&mut operation, source, tag);
                }
            }
            Operation::Probe(call) => {
                self.awaited = Awaited::Message(outcome.clone(), waiting(call, &outcome));
                return Some(operation);
            }
            Operation::Collective(entry) => without_function(entry),
            _ => {}
        }
        self.awaited = Awaited::Named(outcome);
        Some(operation)
    }

    /// Like [`Self::prepare`], for a call on requests.
    fn request(&mut self, call: RequestCall, outcome: Outcome) -> Option<RequestCall> {
        match call {
            RequestCall::Wait(list, how) => {
                let detached = match how {
                    Completing::All => std::mem::take(&mut self.detached),
                    Completing::Any | Completing::Some => Vec::new(),
                };
                let waits = !detached.is_empty() || list.is_empty();
                let (mut list, wanted) = match self.pending(list, &outcome) {
                    None if waits => (Vec::new(), Wanted::default()),
                    pending => pending?,
                };
                list.extend(detached);
                self.awaited = Awaited::Requests(list.clone(), wanted);
                Some(RequestCall::Wait(list, how))
            }
            RequestCall::Test(list, how) => {
                let (list, wanted) = self.pending(list, &outcome)?;
                self.awaited = Awaited::Requests(list.clone(), wanted);
                Some(RequestCall::Test(list, how))
            }
            RequestCall::Free(id) => (!self.early.remove(&id)).then_some(RequestCall::Free(id)),
            RequestCall::Cancel(id)
            | RequestCall::GetStatus(id)
            | RequestCall::GetStatusAndData(id)
                if self.early.contains(&id) =>
            {
                None
            }
            RequestCall::StartGeneralized => {
                self.awaited = Awaited::Named(outcome);
                Some(RequestCall::StartGeneralized)
            }
            RequestCall::Start(_)
            | RequestCall::IsActive(_)
            | RequestCall::Cancel(_)
            | RequestCall::GetStatus(_)
            | RequestCall::GetStatusAndData(_)
            | RequestCall::TakeLate
            | RequestCall::CompleteGeneralized(_) => Some(call),
        }
    }

    /// Returns the requests of a wait or test that have not completed early, and those that must
    /// complete by the recording; `None` if nothing is left to do.
    fn pending(
        &mut self,
        list: Vec<RequestId>,
        outcome: &Outcome,
    ) -> Option<(Vec<RequestId>, Wanted)> {
        let Outcome::Completed(completed) = outcome else {
            let left: Vec<_> = list.into_iter().filter(|id| !self.early.contains(id)).collect();
            return (!left.is_empty()).then_some((left, Wanted::default()));
        };
        let mut wanted = Wanted::default();
        let mut done = FxHashSet::default();
        for (place, comm) in completed {
            let id = list[*place as usize];
            if self.early.remove(&id) {
                done.insert(id);
            } else {
                wanted.insert(id, *comm);
            }
        }
        if wanted.is_empty() {
            return None;
        }
        let is_left = |id: &RequestId| !self.early.contains(id) && !done.contains(id);
        let left = list.into_iter().filter(is_left).collect();
        Some((left, wanted))
    }
}

/// Returns the call that waits for the message that a recorded probe found.
fn waiting(call: &mut ProbeCall, outcome: &Outcome) -> Option<Operation> {
    match (&*call, outcome) {
        (ProbeCall::Immediate(comm, source, tag), Outcome::Found) => {
            Some(ProbeCall::Blocking(*comm, *source, *tag).into())
        }
        (ProbeCall::ImmediateMatched(comm, source, tag), Outcome::Matched(_)) => {
            Some(ProbeCall::Matched(*comm, *source, *tag).into())
        }
        (ProbeCall::ImmediateMatched(comm, source, tag), _) => {
            // The recorded probe took no message: neither must this one.
            *call = ProbeCall::Immediate(*comm, *source, *tag);
            None
        }
        _ => None,
    }
}

/// Gives a reduction of the program a function: the recorded one is not here, and without data it is
/// not called.
fn without_function(entry: &mut CollectiveEntry) {
    let (CollectiveEntry::Blocking(call)
    | CollectiveEntry::Immediate(call)
    | CollectiveEntry::Persistent(call)) = entry;
    if let Some(reduction) = &mut call.reduction
        && let Op::User { commutative, .. } = reduction.op
    {
        reduction.op = Op::user(commutative, Rc::new(|_, _| {}));
    }
}

impl Script<Call, Reply> for RankReplay {
    fn next(&mut self, _now: SimTime, reply: Option<Reply>) -> Option<Call> {
        let mut next = reply.and_then(|reply| self.learn(reply));
        while next.is_none() {
            let step = self.step()?;
            self.site = step.site;
            next = self.prepare(step);
        }
        let mut operation = next?;
        self.names.rename(&mut operation);
        let site = self.recording.sites[self.site as usize];
        Some(Call { site, operation })
    }
}
