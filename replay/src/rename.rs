//! The identifiers of a replay in place of the recorded ones.

use mpi_api::call::{
    BufferCall, BufferOwner, CollectiveEntry, CommCall, CommId, ErrorCall, MatchedId, MessageCall,
    Operation, PartitionedCall, ProbeCall, ProcessCall, RequestCall, RequestId, TypeCall,
};
use rustc_hash::FxHashMap;

/// The identifiers of a replay by recorded identifier; one that is missing is the same in both.
#[derive(Debug, Default)]
pub(crate) struct Names {
    pub(crate) comms: FxHashMap<CommId, CommId>,
    pub(crate) requests: FxHashMap<RequestId, RequestId>,
    pub(crate) messages: FxHashMap<MatchedId, MatchedId>,
    pub(crate) types: FxHashMap<u32, u32>,
}

impl Names {
    pub(crate) fn comm(&self, id: &mut CommId) {
        if let Some(name) = self.comms.get(id) {
            *id = *name;
        }
    }

    pub(crate) fn request(&self, id: &mut RequestId) {
        if let Some(name) = self.requests.get(id) {
            *id = *name;
        }
    }

    fn message(&self, id: &mut MatchedId) {
        if let Some(name) = self.messages.get(id) {
            *id = *name;
        }
    }

    /// Replaces the identifiers in a call.
    pub(crate) fn rename(&self, operation: &mut Operation) {
        match operation {
            Operation::Message(call) => self.in_message(call),
            Operation::Request(call) => self.in_request(call),
            Operation::Probe(call) => self.in_probe(call),
            Operation::Partitioned(call) => match call {
                PartitionedCall::Init(side) => self.comm(&mut side.comm),
                PartitionedCall::Ready(id, _) | PartitionedCall::Arrived(id, _) => self.request(id),
            },
            Operation::Buffer(call) => self.in_buffer(call),
            Operation::Collective(entry) => match entry {
                CollectiveEntry::Blocking(call)
                | CollectiveEntry::Immediate(call)
                | CollectiveEntry::Persistent(call) => self.comm(&mut call.comm),
            },
            Operation::Comm(call) => self.in_comm(call),
            Operation::Process(call) => match call {
                ProcessCall::Abort(comm, _)
                | ProcessCall::Spawn { comm, .. }
                | ProcessCall::MeetAtPort { comm, .. } => self.comm(comm),
                ProcessCall::Initialize
                | ProcessCall::Finalize
                | ProcessCall::EndSessions
                | ProcessCall::Exit { .. } => {}
            },
            Operation::Error(call) => match call {
                ErrorCall::SetHandler(comm, _)
                | ErrorCall::GetHandler(comm)
                | ErrorCall::CallHandler(comm, _)
                | ErrorCall::Raise { comm, .. } => self.comm(comm),
            },
            Operation::Type(call) => match call {
                TypeCall::Commit(number) | TypeCall::Free(number) => {
                    *number = self.types.get(number).copied().unwrap_or(*number);
                }
                TypeCall::Create => {}
            },
            Operation::Window(_)
            | Operation::File(_)
            | Operation::Port(_)
            | Operation::Report(_)
            | Operation::Clock(_)
            | Operation::Tool(_)
            | Operation::Thread(_) => {}
        }
    }

    fn in_message(&self, call: &mut MessageCall) {
        match call {
            MessageCall::Send(send)
            | MessageCall::StartSend(send)
            | MessageCall::StartDetachedSend(send)
            | MessageCall::InitSend(send) => self.comm(&mut send.comm),
            MessageCall::Receive(receive)
            | MessageCall::StartReceive(receive)
            | MessageCall::InitReceive(receive) => self.comm(&mut receive.comm),
            MessageCall::SendReceive(send, receive) => {
                self.comm(&mut send.comm);
                self.comm(&mut receive.comm);
            }
            MessageCall::StartSendReceive(send, receive) => {
                self.comm(&mut send.comm);
                self.comm(&mut receive.comm);
            }
        }
    }

    fn in_request(&self, call: &mut RequestCall) {
        match call {
            RequestCall::Wait(list, _) | RequestCall::Test(list, _) => {
                list.iter_mut().for_each(|id| self.request(id));
            }
            RequestCall::Start(list) => list.iter_mut().for_each(|(id, _)| self.request(id)),
            RequestCall::IsActive(id)
            | RequestCall::Cancel(id)
            | RequestCall::Free(id)
            | RequestCall::GetStatus(id)
            | RequestCall::GetStatusAndData(id)
            | RequestCall::CompleteGeneralized(id) => self.request(id),
            RequestCall::TakeLate | RequestCall::StartGeneralized => {}
        }
    }

    fn in_probe(&self, call: &mut ProbeCall) {
        match call {
            ProbeCall::Blocking(comm, ..)
            | ProbeCall::Immediate(comm, ..)
            | ProbeCall::Matched(comm, ..)
            | ProbeCall::ImmediateMatched(comm, ..) => self.comm(comm),
            ProbeCall::Receive(id, receive) | ProbeCall::StartReceive(id, receive) => {
                self.message(id);
                self.comm(&mut receive.comm);
            }
        }
    }

    fn in_buffer(&self, call: &mut BufferCall) {
        let owner = match call {
            BufferCall::Attach(buffer) => &mut buffer.owner,
            BufferCall::Detach(owner) | BufferCall::StartFlush(owner) => owner,
            BufferCall::JoinSession(comm, _) => return self.comm(comm),
        };
        match owner {
            BufferOwner::Comm(comm) => self.comm(comm),
            BufferOwner::Process | BufferOwner::Session(_) => {}
        }
    }

    fn in_comm(&self, call: &mut CommCall) {
        match call {
            CommCall::Duplicate(comm)
            | CommCall::StartDuplicate(comm)
            | CommCall::Create(comm, _)
            | CommCall::CreateFromGroup(comm, ..)
            | CommCall::MergeInter(comm, _)
            | CommCall::Split { comm, .. }
            | CommCall::Reorder { comm, .. }
            | CommCall::MapRank(comm, _)
            | CommCall::Free(comm)
            | CommCall::Disconnect(comm, _)
            | CommCall::SetInfo(comm) => self.comm(comm),
            CommCall::CreateFromNamedGroup(..) => {}
            CommCall::CreateInter { comm, peer, .. } => {
                self.comm(comm);
                if let Some((bridge, _)) = peer {
                    self.comm(bridge);
                }
            }
        }
    }
}
