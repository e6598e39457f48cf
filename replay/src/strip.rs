//! Copies of calls without their data.

use mpi_api::call::{
    CollectiveCall, CollectiveEntry, FileCall, MessageCall, Operation, Outgoing, PartitionedCall,
    Payload, ProcessCall, RequestCall, ThreadCall,
};

/// Returns a call without its data.
///
/// # Errors
/// Returns what the program does if a recording cannot hold it.
pub(crate) fn stripped(operation: &Operation) -> Result<Operation, &'static str> {
    Ok(match operation {
        Operation::Message(call) => message(call).into(),
        Operation::Request(call) => request(call).into(),
        Operation::Probe(call) => call.clone().into(),
        Operation::Partitioned(call) => partitioned(call).into(),
        Operation::Buffer(call) => (*call).into(),
        Operation::Collective(entry) => collective(entry).into(),
        Operation::Comm(call) => call.clone().into(),
        Operation::Window(_) => return Err("uses one-sided communication"),
        Operation::File(FileCall::Plain(_)) => {
            return Err("reads or writes files in simulated time (--io modelled)");
        }
        Operation::File(_) => return Err("reads or writes files by MPI"),
        Operation::Process(call) => process(call)?.into(),
        Operation::Port(_) => return Err("opens or looks up ports"),
        Operation::Type(call) => (*call).into(),
        Operation::Error(call) => call.clone().into(),
        Operation::Report(call) => call.clone().into(),
        Operation::Clock(call) => (*call).into(),
        Operation::Tool(call) => (*call).into(),
        Operation::Thread(ThreadCall::SetLevel(level)) => ThreadCall::SetLevel(*level).into(),
        Operation::Thread(_) => return Err("has several threads in a rank"),
    })
}

fn sizes(payload: &Payload) -> Payload {
    Payload::Absent(payload.bytes())
}

fn outgoing(send: &Outgoing) -> Outgoing {
    let Outgoing { comm, dest, tag, mode, layout, .. } = *send;
    let (payload, signature) = (sizes(&send.payload), send.signature.clone());
    Outgoing { comm, dest, tag, mode, payload, signature, layout }
}

fn message(call: &MessageCall) -> MessageCall {
    match call {
        MessageCall::Send(send) => MessageCall::Send(outgoing(send)),
        MessageCall::SendReceive(send, receive) => {
            MessageCall::SendReceive(outgoing(send), receive.clone())
        }
        MessageCall::StartSend(send) => MessageCall::StartSend(outgoing(send)),
        MessageCall::StartDetachedSend(send) => MessageCall::StartDetachedSend(outgoing(send)),
        MessageCall::StartSendReceive(send, receive) => {
            MessageCall::StartSendReceive(outgoing(send), receive.clone())
        }
        MessageCall::InitSend(send) => MessageCall::InitSend(outgoing(send)),
        MessageCall::Receive(_) | MessageCall::StartReceive(_) | MessageCall::InitReceive(_) => {
            call.clone()
        }
    }
}

fn request(call: &RequestCall) -> RequestCall {
    match call {
        RequestCall::Start(list) => {
            let one = |(id, data): &(_, Option<Payload>)| (*id, data.as_ref().map(sizes));
            RequestCall::Start(list.iter().map(one).collect())
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
        | RequestCall::CompleteGeneralized(_) => call.clone(),
    }
}

fn partitioned(call: &PartitionedCall) -> PartitionedCall {
    match call {
        PartitionedCall::Ready(id, parts) => {
            let one = |(number, data): &(u64, Payload)| (*number, sizes(data));
            PartitionedCall::Ready(*id, parts.iter().map(one).collect())
        }
        PartitionedCall::Init(_) | PartitionedCall::Arrived(..) => call.clone(),
    }
}

fn collective(entry: &CollectiveEntry) -> CollectiveEntry {
    let without = |call: &CollectiveCall| {
        Box::new(CollectiveCall {
            form: call.form,
            root: call.root,
            neighbors: call.neighbors.clone(),
            reduction: call.reduction.clone(),
            absent: true,
            send: call.send.clone(),
            receive: call.receive.clone(),
            signature: call.signature.clone(),
            declared: call.declared.clone(),
            ..CollectiveCall::new(call.comm, call.kind)
        })
    };
    match entry {
        CollectiveEntry::Blocking(call) => CollectiveEntry::Blocking(without(call)),
        CollectiveEntry::Immediate(call) => CollectiveEntry::Immediate(without(call)),
        CollectiveEntry::Persistent(call) => CollectiveEntry::Persistent(without(call)),
    }
}

fn process(call: &ProcessCall) -> Result<ProcessCall, &'static str> {
    Ok(match call {
        ProcessCall::Initialize => ProcessCall::Initialize,
        ProcessCall::Finalize => ProcessCall::Finalize,
        ProcessCall::EndSessions => ProcessCall::EndSessions,
        ProcessCall::Abort(comm, code) => ProcessCall::Abort(*comm, *code),
        ProcessCall::Exit { code, unfinished } => {
            ProcessCall::Exit { code: *code, unfinished: *unfinished }
        }
        ProcessCall::Spawn { .. } => return Err("starts processes"),
        ProcessCall::MeetAtPort { .. } => return Err("accepts or connects at ports"),
    })
}
