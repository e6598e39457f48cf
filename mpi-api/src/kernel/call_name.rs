//! The names of calls in diagnostics.

use crate::call::{Completing, Mode, Operation, PortCall};

/// Returns the API's name of a call, for diagnostics.
pub(crate) fn call_name(operation: &Operation) -> &'static str {
    match operation {
        Operation::Compute(_) => "compute",
        Operation::Now(_) => "time",
        Operation::Send(outgoing) => match outgoing.mode {
            Mode::Standard => "send",
            Mode::Buffered => "buffered_send",
            Mode::Synchronous => "synchronous_send",
            Mode::Ready => "ready_send",
        },
        Operation::Receive(_) => "receive",
        Operation::SendReceive(..) => "send_receive",
        Operation::StartSend(outgoing) => match outgoing.mode {
            Mode::Standard => "immediate_send",
            Mode::Buffered => "immediate_buffered_send",
            Mode::Synchronous => "immediate_synchronous_send",
            Mode::Ready => "immediate_ready_send",
        },
        Operation::StartReceive(_) => "immediate_receive",
        Operation::StartSendReceive(..) => "immediate_send_receive",
        Operation::InitSend(_) => "send_init",
        Operation::InitReceive(_) => "receive_init",
        Operation::Start(_) => "start",
        Operation::Wait(_, Completing::All) => "wait",
        Operation::Wait(_, Completing::Any) => "wait_any",
        Operation::Wait(_, Completing::Some) => "wait_some",
        Operation::Test(..) => "test",
        Operation::Probe(..) => "probe",
        Operation::ImmediateProbe(..) => "immediate_probe",
        Operation::MatchedProbe(..) => "matched_probe",
        Operation::ImmediateMatchedProbe(..) => "immediate_matched_probe",
        Operation::ReceiveMatched(..) => "matched_receive",
        Operation::StartReceiveMatched(..) => "immediate_matched_receive",
        Operation::GetStatus(_) | Operation::GetStatusAndData(_) => "get_status",
        other => management_name(other),
    }
}

/// Like [`call_name`], for calls about objects and the program.
fn management_name(operation: &Operation) -> &'static str {
    match operation {
        Operation::TakeLate => "take_late",
        Operation::StartGeneralized => "start_generalized",
        Operation::CompleteGeneralized(_) => "complete_generalized",
        Operation::Cancel(_) => "cancel",
        Operation::FreeRequest(_) => "request_free",
        Operation::AttachBuffer(_) => "attach_buffer",
        Operation::DetachBuffer(_) => "detach_buffer",
        Operation::StartFlushBuffer(_) => "flush_buffer",
        Operation::JoinSession(..) => "join_session",
        Operation::InitPartitioned(given) if given.sends => "partitioned_send_init",
        Operation::InitPartitioned(_) => "partitioned_receive_init",
        Operation::ReadyPartitions(..) => "partition_ready",
        Operation::PartitionArrived(..) => "partition_arrived",
        Operation::Collective(call)
        | Operation::StartCollective(call)
        | Operation::InitCollective(call) => super::collective::kind_name(call.kind),
        Operation::DuplicateComm(_) | Operation::StartDuplicateComm(_) => "duplicate",
        Operation::CreateComm(..) => "create_communicator",
        Operation::CreateGroupComm(..) => "create_from_group",
        Operation::CreateIntercomm { .. } => "create_intercommunicator",
        Operation::MergeIntercomm(..) => "merge",
        Operation::MeetAtPort { accepts: true, .. } => "accept",
        Operation::MeetAtPort { .. } => "connect",
        Operation::Port(PortCall::Open) => "open_port",
        Operation::Port(PortCall::Close(_)) => "close_port",
        Operation::Port(PortCall::Publish(..)) => "publish_name",
        Operation::Port(PortCall::Unpublish(..)) => "unpublish_name",
        Operation::Port(PortCall::Lookup(_)) => "lookup_name",
        Operation::Initialize => "initialize",
        Operation::SplitComm { blueprint, .. } | Operation::ReorderComm { blueprint, .. } => {
            blueprint.as_ref().map_or("split", |blueprint| blueprint.call())
        }
        Operation::MapRank(..) => "map",
        Operation::FreeComm(_) => "free_communicator",
        Operation::DisconnectComm(_) => "disconnect",
        Operation::CreateType => "create_type",
        Operation::CommitType(_) => "commit_type",
        Operation::FreeType(_) => "free_type",
        Operation::SetErrorHandler(..) => "set_error_handler",
        Operation::GetErrorHandler(_) => "error_handler",
        Operation::CallErrorHandler(..) => "call_error_handler",
        Operation::Report(_) | Operation::Leave(..) | Operation::Fail(_) => "report",
        Operation::Abort(..) => "abort",
        Operation::Finalize => "finalize",
        Operation::Spawn { .. } | Operation::SpawnThread(..) => "spawn",
        Operation::JoinThread(_) => "join",
        Operation::Park(parking) => parking.call,
        Operation::Yield => "yield",
        _ => "a call",
    }
}
