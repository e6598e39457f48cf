//! Looks at calls before they begin, and tells the sink of a traced run about them ([`Observation`]).

use sim_core::{ProcessId, SimTime};

use super::{
    MpiKernel, Sched,
    collective::execution::Execution,
    request::{
        completion::Blocked,
        table::{Kind, Owner, State},
    },
    transport::message::Sender,
    window::awaited::Awaited,
};
use crate::{
    call::{
        Call, CollectiveCall, CollectiveEntry, CollectiveKind, CommCall, CommId, Counts, Direction,
        FileCall, FileMeeting, Management, MessageCall, Moved, Operation, PartitionedCall, Payload,
        PlainCall, RequestCall, RequestId, ToolCall, WindowCall, WindowId,
    },
    observation::{Needs, Observation, OperationId, WindowDelay},
};

impl MpiKernel {
    /// Looks at a call before it begins, and returns its rank. `None` if the call is not executed: its
    /// thread may not make it, or its rank was ended by another's abort.
    #[cold]
    pub(super) fn look_at(
        &mut self,
        process: ProcessId,
        call: &mut Call,
        s: &mut Sched,
    ) -> Option<u32> {
        if let Operation::Tool(ToolCall::TakeEvents) = call.operation {
            self.give_events(process, s);
            return None;
        }
        if self.has_threads() && !self.enter_thread(process, call, s) {
            return None;
        }
        let rank = self.rank_of(process);
        if self.population.aborts.are_partial() && self.ranks[rank as usize].aborted {
            return None;
        }
        let state = &self.ranks[rank as usize];
        if self.journal.sink.is_some() && state.threads.as_ref().is_none_or(|all| all.at_main()) {
            self.observe_call(rank, call, s.now());
        }
        if self.history.is_some() {
            self.follow_call(rank, call);
        }
        if let Some(limit) = self.settings.environment.carried {
            call.operation.leave_out(limit);
        }
        Some(rank)
    }

    pub(super) fn observe(&mut self, observation: Observation) {
        if let Some(sink) = &mut self.journal.sink {
            sink.observe(observation);
        }
    }

    fn observe_call(&mut self, rank: u32, call: &Call, time: SimTime) {
        if is_silent(&call.operation) {
            return;
        }
        let bytes = match &call.operation {
            Operation::Message(message) => sent_bytes(message),
            Operation::Collective(
                CollectiveEntry::Blocking(call) | CollectiveEntry::Immediate(call),
            ) => self.contributed(rank, call),
            Operation::Request(RequestCall::Start(list)) => list
                .iter()
                .map(|(request, payload)| self.started_with(rank, *request, payload.as_ref()))
                .sum(),
            Operation::Partitioned(PartitionedCall::Ready(_, parts)) => {
                parts.iter().map(|(_, payload)| payload.bytes()).sum()
            }
            Operation::Window(
                WindowCall::Access(_, access) | WindowCall::StartAccess(_, access),
            ) => access.payload.bytes(),
            Operation::File(FileCall::Access(_, access) | FileCall::StartAccess(_, access)) => {
                match &access.moved {
                    Moved::Read(_) => 0,
                    Moved::Write(payload) => payload.bytes(),
                }
            }
            Operation::File(FileCall::Plain(PlainCall::Access(_, Direction::Write, _, bytes))) => {
                *bytes
            }
            Operation::Collective(CollectiveEntry::Persistent(_))
            | Operation::Request(_)
            | Operation::Probe(_)
            | Operation::Partitioned(_)
            | Operation::Buffer(_)
            | Operation::Comm(_)
            | Operation::Window(_)
            | Operation::File(_)
            | Operation::Process(_)
            | Operation::Port(_)
            | Operation::Type(_)
            | Operation::Clock(_)
            | Operation::Thread(_)
            | Operation::Tool(_)
            | Operation::Report(_)
            | Operation::Error(_) => 0,
        };
        let site = call.site.known();
        let continues = self.continues(rank, &call.operation);
        self.observe(Observation::Called { rank, call: call.name(), site, time, bytes, continues });
        match &call.operation {
            Operation::Collective(CollectiveEntry::Blocking(call)) => {
                self.observe_collective(rank, call, true, time);
            }
            Operation::Collective(CollectiveEntry::Immediate(call)) => {
                self.observe_collective(rank, call, false, time);
            }
            Operation::Comm(call) => self.observe_construction(rank, call, time),
            Operation::Request(RequestCall::Start(list)) => {
                for (request, payload) in list {
                    let bytes = self.started_with(rank, *request, payload.as_ref());
                    self.observe_start(rank, *request, bytes, time);
                }
            }
            Operation::Request(RequestCall::Wait(list, _)) => self.observe_wait(rank, list),
            Operation::Window(call) => {
                if let Some(how) = call.synchronization() {
                    self.observe(Observation::Synchronizes { rank, how });
                }
            }
            _ => {}
        }
    }

    /// Reports whether a call is a further step of the function that its rank is in: a window or a file has a communicator
    /// of its own, which is made before it and freed after it, and the ranks meet before they access a file together.
    fn continues(&mut self, rank: u32, operation: &Operation) -> bool {
        let met = &mut self.journal.met;
        match operation {
            Operation::Window(WindowCall::Create(..)) => true,
            Operation::Window(WindowCall::Free(window)) => {
                met.insert(rank, window.0);
                false
            }
            Operation::File(FileCall::Meet(file, meeting, _)) => {
                let opens = matches!(**meeting, FileMeeting::Open(..));
                if opens || matches!(**meeting, FileMeeting::Close) {
                    met.insert(rank, file.0);
                }
                opens
            }
            Operation::File(FileCall::Access(_, access) | FileCall::StartAccess(_, access)) => {
                access.together.is_some()
            }
            Operation::Comm(CommCall::Free(comm)) => met.remove(&rank) == Some(*comm),
            Operation::Message(_)
            | Operation::Request(_)
            | Operation::Probe(_)
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
            | Operation::Thread(_)
            | Operation::Tool(_) => false,
        }
    }

    fn observe_collective(
        &mut self,
        rank: u32,
        call: &CollectiveCall,
        blocking: bool,
        time: SimTime,
    ) {
        let operation = self.next_ordered(rank, call.comm);
        let needs = self.needs(rank, call);
        let bytes = self.contributed(rank, call);
        self.observe_entry(
            rank,
            (call.comm, call.kind),
            (operation, needs),
            (blocking, bytes),
            time,
        );
    }

    fn observe_entry(
        &mut self,
        rank: u32,
        (comm, kind): (CommId, CollectiveKind),
        (operation, needs): (OperationId, Needs),
        (blocking, bytes): (bool, u64),
        time: SimTime,
    ) {
        let members = self.comms.members(comm, rank);
        let (size, member) = (members.size(), members.rank_of(rank).unwrap_or_default());
        self.observe(Observation::Entered {
            rank,
            operation,
            kind,
            size,
            member,
            needs,
            blocking,
            bytes,
            time,
        });
    }

    /// Tells what carries out a rank's part in a collective.
    pub(super) fn observe_algorithm(&mut self, execution: &Execution) {
        let Some(operation) = execution.instance.operation() else { return };
        let (rank, algorithm) = (execution.rank, execution.algorithm);
        let bytes = execution.input_bytes();
        self.observe(Observation::Carried { rank, operation, algorithm, bytes });
    }

    /// Tells of a call that makes or frees a communicator together with all its members.
    fn observe_construction(&mut self, rank: u32, call: &CommCall, time: SimTime) {
        use Management as M;
        let (comm, kind, blocking) = match call {
            CommCall::Duplicate(comm) => (*comm, M::CommDup, true),
            CommCall::StartDuplicate(comm) => (*comm, M::CommDup, false),
            CommCall::Create(comm, _) => (*comm, M::CommCreate, true),
            CommCall::Split { comm, .. } | CommCall::Reorder { comm, .. } => {
                (*comm, M::CommSplit, true)
            }
            CommCall::MergeInter(comm, _) => (*comm, M::IntercommMerge, true),
            CommCall::CreateInter { comm, .. } => (*comm, M::IntercommCreate, true),
            CommCall::Disconnect(comm, _) => (*comm, M::CommDisconnect, true),
            CommCall::CreateFromGroup(..)
            | CommCall::CreateFromNamedGroup(..)
            | CommCall::MapRank(..)
            | CommCall::Free(_)
            | CommCall::SetInfo(_) => return,
        };
        let operation = self.next_ordered(rank, comm);
        self.observe_entry(rank, (comm, kind.into()), (operation, Needs::All), (blocking, 0), time);
    }

    /// Returns the bytes of data that a rank contributes to a collective.
    fn contributed(&self, rank: u32, call: &CollectiveCall) -> u64 {
        match self.gives(rank, call) {
            true => contributed(call, self.comms.members(call.comm, rank).size()),
            false => 0,
        }
    }

    /// Reports whether a rank gives data to a collective: in a broadcast, whose buffers all have the same size, only the
    /// root does.
    fn gives(&self, rank: u32, call: &CollectiveCall) -> bool {
        call.kind != CollectiveKind::Broadcast || self.is_root(rank, call)
    }

    /// Returns the bytes of data that a rank gives to the start of a persistent operation.
    fn started_with(&self, rank: u32, request: RequestId, payload: Option<&Payload>) -> u64 {
        let kind = self.live(request).map(|index| &self.requests[index].kind);
        match kind {
            Some(Kind::Collective(Some(template))) if !self.gives(rank, &template.call) => 0,
            _ => payload.map_or(0, Payload::bytes),
        }
    }

    /// Tells of one start of a persistent collective.
    fn observe_start(&mut self, rank: u32, request: RequestId, bytes: u64, time: SimTime) {
        let Some(index) = self.live(request) else { return };
        let Kind::Collective(Some(template)) = &self.requests[index].kind else { return };
        let call = &template.call;
        let operation = self.next_start(rank, template);
        let entry = ((call.comm, call.kind), (operation, self.needs(rank, call)));
        self.observe_entry(rank, entry.0, entry.1, (false, bytes), time);
    }

    /// Tells of the collective operations among the requests of a wait.
    fn observe_wait(&mut self, rank: u32, list: &[RequestId]) {
        for id in list {
            let Some(index) = self.live(*id) else { continue };
            let request = &self.requests[index];
            if request.state != State::Active || !matches!(request.kind, Kind::Collective(_)) {
                continue;
            }
            let found = self.collectives.executions().find(|(_, e)| e.completes(index));
            if let Some(operation) = found.and_then(|(_, e)| e.instance.operation()) {
                self.observe(Observation::Awaits { rank, operation });
            }
        }
    }

    /// Reports whether a rank is blocked in a call that waits for this request.
    fn is_awaited(&self, request: u32) -> bool {
        let request = &self.requests[request];
        match request.owner {
            Owner::Blocking => true,
            Owner::Program => request.awaited,
            Owner::Part(whole) => self.is_awaited(whole),
            Owner::Collective(_) | Owner::Freed => false,
        }
    }

    /// Tells that the data of a message have reached their receive.
    pub(super) fn observe_received(&mut self, message: u32) {
        let m = &self.messages[message];
        if m.context % 2 == 1 {
            return;
        }
        let (source, bytes, sent, request) = (m.source, m.bytes(), m.posted, m.receive_request);
        self.observe_filled(request, (source, bytes, sent));
    }

    /// Tells that data have reached this receive.
    pub(super) fn observe_filled(
        &mut self,
        request: u32,
        (source, bytes, sent): (u32, u64, SimTime),
    ) {
        let awaited = self.is_awaited(request);
        let r = &self.requests[request];
        let (rank, call, site) = (r.rank, r.call, r.site.known());
        self.observe(Observation::Received { rank, source, call, site, bytes, sent, awaited });
    }

    /// Tells that a delay has ended for a rank of the run, if it is blocked in a synchronisation of this window that
    /// has it.
    pub(super) fn observe_delay(
        &mut self,
        rank: u32,
        (window, delay): (WindowId, WindowDelay),
        time: SimTime,
    ) {
        if self.journal.sink.is_none() {
            return;
        }
        let may_have = |awaited: &Awaited| match awaited {
            Awaited::Accesses { .. } => delay == WindowDelay::Progress,
            Awaited::Lock(_) => matches!(delay, WindowDelay::Lock | WindowDelay::Progress),
            Awaited::Posts(_) => delay == WindowDelay::Post,
            Awaited::Ends => delay == WindowDelay::Complete,
        };
        let has = match &self.ranks[rank as usize].blocked {
            // All ranks of the window are in the call, perhaps in the barrier that belongs to it.
            Some(_) if matches!(delay, WindowDelay::Fence | WindowDelay::Free) => true,
            Some(Blocked::Window(id, awaited)) => *id == window && may_have(awaited),
            _ => false,
        };
        if has {
            self.observe(Observation::DelayEnded { rank, delay, time });
        }
    }

    /// Tells that a blocking probe has found a message.
    pub(super) fn observe_probed(&mut self, rank: u32, message: u32) {
        let sent = self.messages[message].posted;
        self.observe(Observation::Probed { rank, sent });
    }

    /// Tells that a message of a program can go on now that its receiver is ready.
    pub(super) fn observe_release(&mut self, message: u32, time: SimTime) {
        let m = &self.messages[message];
        let Sender::Request(request) = m.sender else { return };
        if m.context.is_multiple_of(2) {
            let (rank, awaited) = (m.source, self.is_awaited(request));
            self.observe(Observation::Released { rank, time, awaited });
        }
    }
}

/// Reports whether an operation is no call of MPI as programs see it: it takes no time, or only
/// computes.
pub(super) fn is_silent(operation: &Operation) -> bool {
    matches!(
        operation,
        Operation::Clock(_)
            | Operation::Thread(_)
            | Operation::Tool(_)
            | Operation::Report(_)
            | Operation::Error(_)
            | Operation::Comm(CommCall::MapRank(..))
            | Operation::Window(
                WindowCall::Query(..)
                    | WindowCall::Touch { .. }
                    | WindowCall::TakeFetched(..)
                    | WindowCall::TakeRequested(..)
                    | WindowCall::Settled(_),
            )
            | Operation::File(FileCall::Outcome(_) | FileCall::Plain(PlainCall::Number(_)))
            | Operation::Request(RequestCall::IsActive(_) | RequestCall::TakeLate)
    )
}

/// Reports whether a rank is in MPI while it makes this call.
pub(super) fn is_in_mpi(operation: &Operation) -> bool {
    !is_silent(operation) && !matches!(operation, Operation::File(FileCall::Plain(_)))
}

/// Returns the bytes of data that a call sends.
fn sent_bytes(call: &MessageCall) -> u64 {
    match call {
        MessageCall::Send(outgoing)
        | MessageCall::SendReceive(outgoing, _)
        | MessageCall::StartSend(outgoing)
        | MessageCall::StartDetachedSend(outgoing)
        | MessageCall::StartSendReceive(outgoing, _) => outgoing.payload.bytes(),
        MessageCall::Receive(_)
        | MessageCall::StartReceive(_)
        | MessageCall::InitSend(_)
        | MessageCall::InitReceive(_) => 0,
    }
}

/// Returns the bytes of data that a rank contributes to a collective of this many members, also if only
/// their number is known.
fn contributed(call: &CollectiveCall, size: u32) -> u64 {
    use CollectiveKind as K;
    let blocks = match call.kind {
        K::Alltoall | K::Scatter | K::ReduceScatter => u64::from(size),
        _ => 1,
    };
    match &call.send {
        _ if !call.absent => call.input.len() as u64,
        Counts::None => 0,
        Counts::Uniform(bytes) => bytes * blocks,
        Counts::Each(list) => list.iter().sum(),
    }
}
