//! The names of calls in diagnostics.

use super::{
    Action, Administration, BufferCall, ClockCall, CollectiveEntry, CommCall, Completing,
    Direction, ErrorCall, FileCall, FileMeeting, MessageCall, Mode, Operation, Partitioned,
    PartitionedCall, PlainCall, PortCall, Position, ProbeCall, ProcessCall, ReportCall,
    RequestCall, ThreadCall, ToolCall, TypeCall, WindowCall,
};

impl Operation {
    /// Returns the API's name of the call, for diagnostics.
    pub fn name(&self) -> &'static str {
        match self {
            Operation::Message(call) => call.name(),
            Operation::Request(call) => request(call),
            Operation::Probe(call) => probe(call),
            Operation::Partitioned(call) => partitioned(call),
            Operation::Buffer(call) => buffer(call),
            Operation::Collective(
                CollectiveEntry::Blocking(call)
                | CollectiveEntry::Immediate(call)
                | CollectiveEntry::Persistent(call),
            ) => call.kind.name(),
            Operation::Comm(call) => communicator(call),
            Operation::Window(call) => window(call),
            Operation::File(call) => file(call),
            Operation::Process(call) => process(call),
            Operation::Port(call) => port(call),
            Operation::Type(call) => datatype(*call),
            Operation::Error(call) => error(call),
            Operation::Report(
                ReportCall::Finding(_) | ReportCall::Leak(..) | ReportCall::Fatal(_),
            ) => "report",
            Operation::Clock(ClockCall::Compute(_)) => "compute",
            Operation::Clock(ClockCall::Now(_)) => "time",
            Operation::Clock(ClockCall::SetTimer(_)) => "set_timer",
            Operation::Thread(call) => thread(call),
            Operation::Tool(ToolCall::Get(_) | ToolCall::Set(..)) => "control_variable",
            Operation::Tool(ToolCall::Read(_)) => "performance_variable",
            Operation::Tool(ToolCall::Listen(_) | ToolCall::TakeEvents) => "tool_events",
        }
    }
}

impl Mode {
    /// Returns the API's name of the blocking send.
    #[inline]
    pub(crate) fn sending(self) -> &'static str {
        match self {
            Mode::Standard => "send",
            Mode::Buffered => "buffered_send",
            Mode::Synchronous => "synchronous_send",
            Mode::Ready => "ready_send",
        }
    }

    /// Returns the API's name of the nonblocking send.
    #[inline]
    pub(crate) fn starting(self) -> &'static str {
        match self {
            Mode::Standard => "immediate_send",
            Mode::Buffered => "immediate_buffered_send",
            Mode::Synchronous => "immediate_synchronous_send",
            Mode::Ready => "immediate_ready_send",
        }
    }
}

impl MessageCall {
    /// Returns the API's name of the call, for diagnostics.
    #[inline]
    pub(super) fn name(&self) -> &'static str {
        match self {
            MessageCall::Send(outgoing) => outgoing.mode.sending(),
            MessageCall::Receive(_) => "receive",
            MessageCall::SendReceive(..) => "send_receive",
            MessageCall::StartSend(outgoing) | MessageCall::StartDetachedSend(outgoing) => {
                outgoing.mode.starting()
            }
            MessageCall::StartReceive(_) => "immediate_receive",
            MessageCall::StartSendReceive(..) => "immediate_send_receive",
            MessageCall::InitSend(_) => "send_init",
            MessageCall::InitReceive(_) => "receive_init",
        }
    }
}

fn request(call: &RequestCall) -> &'static str {
    match call {
        RequestCall::Wait(_, Completing::All) => "wait",
        RequestCall::Wait(_, Completing::Any) => "wait_any",
        RequestCall::Wait(_, Completing::Some) => "wait_some",
        RequestCall::Test(..) => "test",
        RequestCall::Start(_) => "start",
        RequestCall::IsActive(_) => "is_active",
        RequestCall::Cancel(_) => "cancel",
        RequestCall::Free(_) => "request_free",
        RequestCall::GetStatus(_) | RequestCall::GetStatusAndData(_) => "get_status",
        RequestCall::TakeLate => "take_late",
        RequestCall::StartGeneralized => "start_generalized",
        RequestCall::CompleteGeneralized(_) => "complete_generalized",
    }
}

fn probe(call: &ProbeCall) -> &'static str {
    match call {
        ProbeCall::Blocking(..) => "probe",
        ProbeCall::Immediate(..) => "immediate_probe",
        ProbeCall::Matched(..) => "matched_probe",
        ProbeCall::ImmediateMatched(..) => "immediate_matched_probe",
        ProbeCall::Receive(..) => "matched_receive",
        ProbeCall::StartReceive(..) => "immediate_matched_receive",
    }
}

fn partitioned(call: &PartitionedCall) -> &'static str {
    match call {
        PartitionedCall::Init(Partitioned { sends: true, .. }) => "partitioned_send_init",
        PartitionedCall::Init(Partitioned { sends: false, .. }) => "partitioned_receive_init",
        PartitionedCall::Ready(..) => "partition_ready",
        PartitionedCall::Arrived(..) => "partition_arrived",
    }
}

fn buffer(call: &BufferCall) -> &'static str {
    match call {
        BufferCall::Attach(_) => "attach_buffer",
        BufferCall::Detach(_) => "detach_buffer",
        BufferCall::StartFlush(_) => "flush_buffer",
        BufferCall::JoinSession(..) => "join_session",
    }
}

fn communicator(call: &CommCall) -> &'static str {
    match call {
        CommCall::Duplicate(_) | CommCall::StartDuplicate(_) => "duplicate",
        CommCall::Create(..) => "create_communicator",
        CommCall::CreateFromGroup(..) | CommCall::CreateFromNamedGroup(..) => "create_from_group",
        CommCall::CreateInter { .. } => "create_intercommunicator",
        CommCall::MergeInter(..) => "merge",
        CommCall::Split { blueprint, .. } | CommCall::Reorder { blueprint, .. } => {
            blueprint.as_ref().map_or("split", |blueprint| blueprint.call())
        }
        CommCall::MapRank(..) => "map",
        CommCall::Free(_) => "free_communicator",
        CommCall::Disconnect(..) => "disconnect",
        CommCall::SetInfo(_) => "set_info",
    }
}

fn window(call: &WindowCall) -> &'static str {
    match call {
        WindowCall::Create(..) => "create_window",
        WindowCall::Free(_) => "free_window",
        WindowCall::Query(..) => "query_window",
        WindowCall::Attach(..) => "attach",
        WindowCall::Detach(..) => "detach",
        WindowCall::Access(_, access) | WindowCall::StartAccess(_, access) => {
            match &access.action {
                Action::Put => "put",
                Action::Get => "get",
                Action::Update { fetch: false, .. } => "accumulate",
                Action::Update { fetch: true, .. } => "fetch_and_op",
                Action::Swap(_) => "compare_and_swap",
            }
        }
        WindowCall::Fence(..) => "fence",
        WindowCall::Start(..) => "start_epoch",
        WindowCall::Complete(_) => "complete_epoch",
        WindowCall::Post(..) => "post",
        WindowCall::Wait(_) => "wait_exposed",
        WindowCall::Test(_) => "test_exposed",
        WindowCall::Lock { target: Some(_), .. } => "lock",
        WindowCall::Lock { target: None, .. } => "lock_all",
        WindowCall::Unlock(_, Some(_)) => "unlock",
        WindowCall::Unlock(_, None) => "unlock_all",
        WindowCall::Flush { .. } => "flush",
        WindowCall::Touch { .. } => "set",
        WindowCall::Sync(_) => "sync",
        WindowCall::Settled(_) => "settled",
        WindowCall::TakeFetched(..) => "take_fetched",
        WindowCall::TakeRequested(..) => "take_requested",
    }
}

fn meeting(what: &FileMeeting) -> &'static str {
    match what {
        FileMeeting::Open(..) => "open",
        FileMeeting::Close => "close",
        FileMeeting::Resize(_) => "set_size",
        FileMeeting::Reserve(_) => "preallocate",
        FileMeeting::SetView(..) => "set_view",
        FileMeeting::SetInfo => "set_info",
        FileMeeting::SetAtomicity(_) => "set_atomicity",
        FileMeeting::SeekShared(..) => "seek_shared",
        FileMeeting::Sync => "sync",
        FileMeeting::AccessAt(direction, _) => file_access(Position::At(0), *direction, true),
        FileMeeting::AccessIndividual(direction, _) => {
            file_access(Position::Individual, *direction, true)
        }
        FileMeeting::AccessOrdered(direction, _) => {
            file_access(Position::Ordered, *direction, true)
        }
    }
}

fn file_access(position: Position, direction: Direction, together: bool) -> &'static str {
    match (position, direction, together) {
        (Position::At(_), Direction::Read, false) => "read_at",
        (Position::At(_), Direction::Read, true) => "read_at_all",
        (Position::At(_), Direction::Write, false) => "write_at",
        (Position::At(_), Direction::Write, true) => "write_at_all",
        (Position::Individual, Direction::Read, false) => "read",
        (Position::Individual, Direction::Read, true) => "read_all",
        (Position::Individual, Direction::Write, false) => "write",
        (Position::Individual, Direction::Write, true) => "write_all",
        (Position::Shared, Direction::Read, _) => "read_shared",
        (Position::Shared, Direction::Write, _) => "write_shared",
        (Position::Ordered, Direction::Read, _) => "read_ordered",
        (Position::Ordered, Direction::Write, _) => "write_ordered",
    }
}

fn file(call: &FileCall) -> &'static str {
    match call {
        FileCall::Meet(_, what, _) => meeting(what),
        FileCall::Outcome(_) => "outcome",
        FileCall::Access(_, access) => {
            let direction = access.moved.direction();
            file_access(access.position, direction, access.together.is_some())
        }
        FileCall::StartAccess(..) => "immediate_access_file",
        FileCall::Seek(..) => "seek",
        FileCall::Position(..) => "position",
        FileCall::Byte(..) => "byte_offset",
        FileCall::Size(_) => "size",
        FileCall::Hints(_) => "info",
        FileCall::Delete(_) => "delete_file",
        FileCall::Plain(PlainCall::Number(_)) => "number_of_file",
        FileCall::Plain(PlainCall::Administer(what)) => match what {
            Administration::Open => "open",
            Administration::Resize => "truncate",
        },
        FileCall::Plain(PlainCall::Access(_, direction, ..)) => match direction {
            Direction::Read => "read",
            Direction::Write => "write",
        },
        FileCall::Plain(PlainCall::Sync(_)) => "fsync",
        FileCall::Plain(PlainCall::Close(_)) => "close",
    }
}

fn process(call: &ProcessCall) -> &'static str {
    match call {
        ProcessCall::Initialize => "initialize",
        ProcessCall::Finalize => "finalize",
        ProcessCall::EndSessions => "session finalize",
        ProcessCall::Abort(..) => "abort",
        ProcessCall::Exit { .. } => "exit",
        ProcessCall::Spawn { .. } => "spawn",
        ProcessCall::MeetAtPort { accepts: true, .. } => "accept",
        ProcessCall::MeetAtPort { accepts: false, .. } => "connect",
    }
}

fn port(call: &PortCall) -> &'static str {
    match call {
        PortCall::Open => "open_port",
        PortCall::Close(_) => "close_port",
        PortCall::Publish(..) => "publish_name",
        PortCall::Unpublish(..) => "unpublish_name",
        PortCall::Lookup(_) => "lookup_name",
    }
}

fn datatype(call: TypeCall) -> &'static str {
    match call {
        TypeCall::Create => "create_type",
        TypeCall::Commit(_) => "commit_type",
        TypeCall::Free(_) => "free_type",
    }
}

fn error(call: &ErrorCall) -> &'static str {
    match call {
        ErrorCall::SetHandler(..) => "set_error_handler",
        ErrorCall::GetHandler(_) => "error_handler",
        ErrorCall::CallHandler(..) => "call_error_handler",
        ErrorCall::Raise { call, .. } => call,
    }
}

fn thread(call: &ThreadCall) -> &'static str {
    match call {
        ThreadCall::Spawn(..) => "spawn",
        ThreadCall::Join(_) => "join",
        ThreadCall::Park(parking) => parking.call,
        ThreadCall::Unpark(..) => "unpark",
        ThreadCall::Yield => "yield",
        ThreadCall::Spin { .. } => "a loop without a call",
        ThreadCall::SetLevel(_) => "initialize",
        ThreadCall::EndRank => "end_threads",
        ThreadCall::Announce => "a call",
    }
}
