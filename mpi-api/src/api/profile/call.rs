//! What profiling layers see of a call and of its return.

use sim_core::{SimDuration, SimTime};

use super::name::function;
use crate::{
    api::{ANY_SOURCE, ANY_TAG, Context, PROC_NULL, Rank, Tag, topology::ROOT},
    call::{
        BufferCall, BufferOwner, CollectiveCall, CollectiveEntry, CollectiveKind, CommCall, CommId,
        Completion, Counts, ErrorCall, MessageCall, Operation, Outgoing, Payload, ProbeCall,
        ProcessCall, ROOT_ELSEWHERE, ROOT_SELF, Reply, RequestCall, Site, Source,
    },
    error::MpiError,
    policy::Policy,
};

/// A call on its way through the layers. Properties that a call does not have are `None` or 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// Name of the function in the standard, such as `MPI_Send`.
    pub function: &'static str,
    /// Place of the call in the program.
    pub site: Option<Site>,
    /// The caller's number in the run: its rank in `MPI_COMM_WORLD`, except for ranks started
    /// during the run.
    pub rank: Rank,
    /// Identifier of the communicator.
    pub communicator: Option<CommId>,
    /// Destination, source or root as the caller gives it, including [`ANY_SOURCE`], [`PROC_NULL`]
    /// and [`ROOT`].
    pub peer: Option<Rank>,
    /// Tag as the caller gives it, including [`ANY_TAG`].
    pub tag: Option<Tag>,
    /// Bytes that the call passes to MPI: the data it sends, or contributes to a collective
    /// operation.
    pub bytes: u64,
    /// Simulated time at which the call reaches this layer; after the call, the time at which it
    /// left for the layer below.
    pub time: SimTime,
}

/// The return of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer<'a> {
    /// Simulated time of the return.
    pub time: SimTime,
    /// Simulated time spent in the layers below.
    pub took: SimDuration,
    /// Bytes that the call received: of messages, or of a collective operation's result.
    pub bytes: u64,
    /// Sender and tag of the message that the call completed or found, if there is exactly one.
    pub message: Option<(Rank, Tag)>,
    /// The error, where the communicator's handler returns errors.
    pub error: Option<&'a MpiError>,
}

impl Call {
    /// Describes an operation for layers; `None` if it is not an MPI function.
    pub(super) fn of(rank: &Context, site: Site, operation: &Operation) -> Option<Self> {
        let policies = &rank.environment().policies;
        let function = match operation {
            Operation::Buffer(BufferCall::Detach(BufferOwner::Process)) => {
                policies.value(Policy::BufferReleaseName)
            }
            operation => function(operation)?,
        };
        Some(Self::plain(rank, site, function).about(operation))
    }

    /// Describes a function on a communicator.
    pub(super) fn named(rank: &Context, site: Site, function: &'static str, comm: CommId) -> Self {
        Self { communicator: Some(comm), ..Self::plain(rank, site, function) }
    }

    fn plain(rank: &Context, site: Site, function: &'static str) -> Self {
        Self {
            function,
            site: site.known(),
            rank: rank.number() as Rank,
            communicator: None,
            peer: None,
            tag: None,
            bytes: 0,
            time: SimTime::ZERO,
        }
    }

    fn about(self, operation: &Operation) -> Self {
        match operation {
            Operation::Message(call) => self.about_message(call),
            Operation::Request(call) => self.about_request(call),
            Operation::Probe(call) => self.about_probe(call),
            Operation::Collective(
                CollectiveEntry::Blocking(part)
                | CollectiveEntry::Immediate(part)
                | CollectiveEntry::Persistent(part),
            ) => Self {
                communicator: Some(part.comm),
                peer: has_root(part.kind).then(|| named(part.root)),
                bytes: contributed(part),
                ..self
            },
            Operation::Window(call) => Self { communicator: Some(call.window().0), ..self },
            Operation::File(call) => Self { communicator: call.file().map(|file| file.0), ..self },
            Operation::Comm(call) => Self { communicator: communicator(call), ..self },
            Operation::Process(call) => Self { communicator: meeting(call), ..self },
            Operation::Error(
                ErrorCall::SetHandler(comm, _)
                | ErrorCall::GetHandler(comm)
                | ErrorCall::CallHandler(comm, _),
            ) => Self { communicator: Some(*comm), ..self },
            Operation::Error(ErrorCall::Raise { .. })
            | Operation::Partitioned(_)
            | Operation::Buffer(_)
            | Operation::Port(_)
            | Operation::Type(_)
            | Operation::Report(_)
            | Operation::Clock(_)
            | Operation::Tool(_)
            | Operation::Thread(_) => self,
        }
    }

    fn about_message(self, call: &MessageCall) -> Self {
        match (call.outgoing(), call.incoming()) {
            (Some(send), _) => self.sending(send),
            (None, Some(wanted)) => self.from(wanted.comm, wanted.source, wanted.tag),
            (None, None) => self,
        }
    }

    fn about_request(self, call: &RequestCall) -> Self {
        match call {
            RequestCall::Start(requests) => {
                let data = requests.iter().filter_map(|(_, payload)| payload.as_ref());
                Self { bytes: data.map(length).sum(), ..self }
            }
            RequestCall::Wait(..)
            | RequestCall::Test(..)
            | RequestCall::IsActive(_)
            | RequestCall::Cancel(_)
            | RequestCall::Free(_)
            | RequestCall::GetStatus(_)
            | RequestCall::GetStatusAndData(_)
            | RequestCall::TakeLate
            | RequestCall::StartGeneralized
            | RequestCall::CompleteGeneralized(_) => self,
        }
    }

    fn about_probe(self, call: &ProbeCall) -> Self {
        match call {
            ProbeCall::Blocking(comm, source, tag)
            | ProbeCall::Immediate(comm, source, tag)
            | ProbeCall::Matched(comm, source, tag)
            | ProbeCall::ImmediateMatched(comm, source, tag) => self.from(*comm, *source, *tag),
            ProbeCall::Receive(_, wanted) | ProbeCall::StartReceive(_, wanted) => {
                self.from(wanted.comm, wanted.source, wanted.tag)
            }
        }
    }

    fn sending(self, send: &Outgoing) -> Self {
        Self {
            communicator: Some(send.comm),
            peer: Some(send.dest.map_or(PROC_NULL, |dest| dest as Rank)),
            tag: Some(send.tag),
            bytes: length(&send.payload),
            ..self
        }
    }

    fn from(self, comm: CommId, source: Source, tag: Option<i32>) -> Self {
        let peer = match source {
            Source::Rank(rank) => rank as Rank,
            Source::Any => ANY_SOURCE,
            Source::Null => PROC_NULL,
        };
        Self {
            communicator: Some(comm),
            peer: Some(peer),
            tag: Some(tag.unwrap_or(ANY_TAG)),
            ..self
        }
    }
}

impl<'a> Answer<'a> {
    pub(super) fn of(reply: &'a Reply, time: SimTime, took: SimDuration) -> Self {
        let plain = Self { time, took, bytes: 0, message: None, error: None };
        match reply {
            Reply::Received(received) => Self {
                bytes: length(&received.payload),
                message: Some(sender((received.source, received.tag))),
                ..plain
            },
            Reply::Completed(end) => plain.with(std::iter::once(&**end)),
            Reply::Completions(ends) => plain.with(ends.iter().map(|(_, end)| end)),
            Reply::Matched(_, status) => {
                Self { message: status.source.zip(status.tag).map(sender), ..plain }
            }
            Reply::Data(data) => Self { bytes: data.len() as u64, ..plain },
            Reply::Failed(failure) => Self { error: Some(&failure.error), ..plain },
            Reply::Done
            | Reply::Time(_)
            | Reply::Request(_)
            | Reply::NotYet
            | Reply::Undefined
            | Reply::Comm(_)
            | Reply::Spawned(_)
            | Reply::Place(_)
            | Reply::Name(_)
            | Reply::Detached(_)
            | Reply::Late(_)
            | Reply::WindowPart(_)
            | Reply::Fetched(_)
            | Reply::Offset(_)
            | Reply::Hints(_)
            | Reply::Object(_)
            | Reply::Events(_)
            | Reply::ErrorHandler(_) => plain,
        }
    }

    /// Describes the return of a function that makes several kernel calls, with its error if it
    /// failed.
    pub(super) fn of_one<T>(
        (_, error): &'a (T, Option<MpiError>),
        time: SimTime,
        took: SimDuration,
    ) -> Self {
        Self { time, took, bytes: 0, message: None, error: error.as_ref() }
    }

    fn with(self, ends: impl ExactSizeIterator<Item = &'a Completion>) -> Self {
        let one = ends.len() == 1;
        ends.fold(self, |answer, end| {
            let message = end.status.source.zip(end.status.tag).filter(|_| one);
            Self {
                bytes: answer.bytes + end.payload.as_ref().map_or(0, length),
                message: message.map(sender),
                error: answer.error.or(end.error.as_ref().map(|failure| &failure.error)),
                ..answer
            }
        })
    }
}

fn length(data: &Payload) -> u64 {
    data.bytes()
}

fn sender((source, tag): (u32, i32)) -> (Rank, Tag) {
    (source as Rank, tag)
}

fn has_root(kind: CollectiveKind) -> bool {
    use CollectiveKind as K;
    matches!(kind, K::Broadcast | K::Gather | K::Scatter | K::Reduce)
}

/// Converts a root argument into the constant that the program gave.
fn named(root: u32) -> Rank {
    match root {
        ROOT_SELF => ROOT,
        ROOT_ELSEWHERE => PROC_NULL,
        rank => rank as Rank,
    }
}

/// Returns the communicator that a call about communicators acts on.
fn communicator(call: &CommCall) -> Option<CommId> {
    match call {
        CommCall::Duplicate(comm)
        | CommCall::StartDuplicate(comm)
        | CommCall::Create(comm, _)
        | CommCall::CreateFromGroup(comm, ..)
        | CommCall::CreateInter { comm, .. }
        | CommCall::MergeInter(comm, _)
        | CommCall::Split { comm, .. }
        | CommCall::Free(comm)
        | CommCall::Disconnect(comm, _)
        | CommCall::SetInfo(comm) => Some(*comm),
        // These occur only inside functions that are shown as a whole, or in programs in C.
        CommCall::Reorder { .. } | CommCall::MapRank(..) | CommCall::CreateFromNamedGroup(..) => {
            None
        }
    }
}

/// Returns the communicator of a call about processes.
fn meeting(call: &ProcessCall) -> Option<CommId> {
    match call {
        ProcessCall::Spawn { comm, .. }
        | ProcessCall::Abort(comm, _)
        | ProcessCall::MeetAtPort { comm, .. } => Some(*comm),
        ProcessCall::Initialize
        | ProcessCall::Finalize
        | ProcessCall::EndSessions
        | ProcessCall::Exit { .. } => None,
    }
}

/// Returns the bytes that a rank contributes to a collective, also if only their number is known.
fn contributed(part: &CollectiveCall) -> u64 {
    match part.send {
        Counts::Uniform(bytes) if part.absent => bytes,
        _ => part.input.len() as u64,
    }
}
