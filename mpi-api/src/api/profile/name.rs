//! Maps calls of the kernel to the names of MPI functions.

use crate::call::{
    AccessCompletion, Action, BufferCall, BufferOwner, ClockCall, CollectiveEntry, CollectiveKind,
    CommCall, Completing, ErrorCall, FileCall, Form, Management, MessageCall, Mode, Operation,
    Partitioned, PartitionedCall, ProbeCall, ProcessCall, RequestCall, TypeCall, WindowCall,
};

/// Expands to the names of the blocking, immediate and persistent forms of one operation.
macro_rules! forms {
    ($blocking:literal, $immediate:literal) => {
        [
            concat!("MPI_", $blocking),
            concat!("MPI_I", $immediate),
            concat!("MPI_", $blocking, "_init"),
        ]
    };
}

/// Returns the MPI function of a call; `None` if it is not one of MPI's, stands for several local
/// ones, or occurs only inside a function that is shown as a whole.
pub(super) fn function(operation: &Operation) -> Option<&'static str> {
    match operation {
        Operation::Message(call) => Some(message(call)),
        Operation::Request(call) => request(call),
        Operation::Probe(call) => Some(probe(call)),
        Operation::Partitioned(call) => Some(partitioned(call)),
        Operation::Buffer(call) => buffer(call),
        Operation::Collective(entry) => Some(match entry {
            CollectiveEntry::Blocking(part) => collective(part.kind, part.form)[0],
            CollectiveEntry::Immediate(part) => collective(part.kind, part.form)[1],
            CollectiveEntry::Persistent(part) => collective(part.kind, part.form)[2],
        }),
        Operation::Comm(call) => communicator(call),
        Operation::Window(call) => window(call),
        Operation::File(call) => file(call),
        Operation::Process(call) => process(call),
        Operation::Type(TypeCall::Create) => None,
        Operation::Type(TypeCall::Commit(_)) => Some("MPI_Type_commit"),
        Operation::Type(TypeCall::Free(_)) => Some("MPI_Type_free"),
        Operation::Error(call) => error(call),
        Operation::Clock(ClockCall::Compute(_)) | Operation::Tool(_) => None,
        Operation::Clock(ClockCall::Now(_)) => Some("MPI_Wtime"),
        Operation::Clock(ClockCall::SetTimer(_)) => None,
        Operation::Port(_) | Operation::Report(_) | Operation::Thread(_) => None,
    }
}

/// Files are accessed by programs in C and Fortran only, whose functions carry their own names.
fn file(call: &FileCall) -> Option<&'static str> {
    match call {
        FileCall::Delete(_) => Some("MPI_File_delete"),
        FileCall::Meet(..)
        | FileCall::Outcome(_)
        | FileCall::Access(..)
        | FileCall::StartAccess(..)
        | FileCall::Seek(..)
        | FileCall::Position(..)
        | FileCall::Byte(..)
        | FileCall::Size(_)
        | FileCall::Hints(_)
        | FileCall::Plain(_) => None,
    }
}

fn message(call: &MessageCall) -> &'static str {
    match call {
        MessageCall::Send(send) => mode(send.mode)[0],
        MessageCall::StartSend(send) | MessageCall::StartDetachedSend(send) => mode(send.mode)[1],
        MessageCall::InitSend(send) => mode(send.mode)[2],
        MessageCall::Receive(_) => "MPI_Recv",
        MessageCall::StartReceive(_) => "MPI_Irecv",
        MessageCall::InitReceive(_) => "MPI_Recv_init",
        MessageCall::SendReceive(..) => "MPI_Sendrecv",
        MessageCall::StartSendReceive(..) => "MPI_Isendrecv",
    }
}

fn window(call: &WindowCall) -> Option<&'static str> {
    Some(match call {
        WindowCall::Query(..)
        | WindowCall::Touch { .. }
        | WindowCall::TakeFetched(..)
        | WindowCall::TakeRequested(..)
        | WindowCall::Settled(_) => return None,
        WindowCall::Create(..) => "MPI_Win_create",
        WindowCall::Free(_) => "MPI_Win_free",
        WindowCall::Attach(..) => "MPI_Win_attach",
        WindowCall::Detach(..) => "MPI_Win_detach",
        WindowCall::Access(_, access) => one_sided(&access.action)[0],
        WindowCall::StartAccess(_, access) => one_sided(&access.action)[1],
        WindowCall::Fence(..) => "MPI_Win_fence",
        WindowCall::Start(..) => "MPI_Win_start",
        WindowCall::Complete(_) => "MPI_Win_complete",
        WindowCall::Post(..) => "MPI_Win_post",
        WindowCall::Wait(_) => "MPI_Win_wait",
        WindowCall::Test(_) => "MPI_Win_test",
        WindowCall::Lock { target: Some(_), .. } => "MPI_Win_lock",
        WindowCall::Lock { target: None, .. } => "MPI_Win_lock_all",
        WindowCall::Unlock(_, Some(_)) => "MPI_Win_unlock",
        WindowCall::Unlock(_, None) => "MPI_Win_unlock_all",
        WindowCall::Flush { target: Some(_), completion: AccessCompletion::Remote, .. } => {
            "MPI_Win_flush"
        }
        WindowCall::Flush { target: None, completion: AccessCompletion::Remote, .. } => {
            "MPI_Win_flush_all"
        }
        WindowCall::Flush { target: Some(_), completion: AccessCompletion::Local, .. } => {
            "MPI_Win_flush_local"
        }
        WindowCall::Flush { target: None, completion: AccessCompletion::Local, .. } => {
            "MPI_Win_flush_local_all"
        }
        WindowCall::Sync(_) => "MPI_Win_sync",
    })
}

/// Returns the names of an access, without and with a request.
fn one_sided(action: &Action) -> [&'static str; 2] {
    match action {
        Action::Put => ["MPI_Put", "MPI_Rput"],
        Action::Get => ["MPI_Get", "MPI_Rget"],
        Action::Update { fetch: false, .. } => ["MPI_Accumulate", "MPI_Raccumulate"],
        Action::Update { fetch: true, .. } => ["MPI_Get_accumulate", "MPI_Rget_accumulate"],
        Action::Swap(_) => ["MPI_Compare_and_swap"; 2],
    }
}

fn probe(call: &ProbeCall) -> &'static str {
    match call {
        ProbeCall::Blocking(..) => "MPI_Probe",
        ProbeCall::Immediate(..) => "MPI_Iprobe",
        ProbeCall::Matched(..) => "MPI_Mprobe",
        ProbeCall::ImmediateMatched(..) => "MPI_Improbe",
        ProbeCall::Receive(..) => "MPI_Mrecv",
        ProbeCall::StartReceive(..) => "MPI_Imrecv",
    }
}

fn partitioned(call: &PartitionedCall) -> &'static str {
    match call {
        PartitionedCall::Init(Partitioned { sends: true, .. }) => "MPI_Psend_init",
        PartitionedCall::Init(Partitioned { sends: false, .. }) => "MPI_Precv_init",
        PartitionedCall::Ready(_, parts) if parts.len() == 1 => "MPI_Pready",
        PartitionedCall::Ready(..) => "MPI_Pready_list",
        PartitionedCall::Arrived(..) => "MPI_Parrived",
    }
}

fn mode(mode: Mode) -> [&'static str; 3] {
    match mode {
        Mode::Standard => forms!("Send", "send"),
        Mode::Buffered => forms!("Bsend", "bsend"),
        Mode::Synchronous => forms!("Ssend", "ssend"),
        Mode::Ready => forms!("Rsend", "rsend"),
    }
}

fn collective(kind: CollectiveKind, form: Form) -> [&'static str; 3] {
    use CollectiveKind as K;
    match (kind, form) {
        (K::Gather, Form::Vector) => forms!("Gatherv", "gatherv"),
        (K::Scatter, Form::Vector) => forms!("Scatterv", "scatterv"),
        (K::Allgather, Form::Vector) => forms!("Allgatherv", "allgatherv"),
        (K::Alltoall, Form::Vector) => forms!("Alltoallv", "alltoallv"),
        (K::Alltoall, Form::General) => forms!("Alltoallw", "alltoallw"),
        (K::ReduceScatter, Form::Block) => {
            forms!("Reduce_scatter_block", "reduce_scatter_block")
        }
        (K::NeighborAllgather, Form::Vector) => {
            forms!("Neighbor_allgatherv", "neighbor_allgatherv")
        }
        (K::NeighborAlltoall, Form::Vector) => forms!("Neighbor_alltoallv", "neighbor_alltoallv"),
        (K::NeighborAlltoall, Form::General) => forms!("Neighbor_alltoallw", "neighbor_alltoallw"),
        (kind, _) => plain(kind),
    }
}

/// Returns the names of collective functions that have one count.
fn plain(kind: CollectiveKind) -> [&'static str; 3] {
    use CollectiveKind as K;
    match kind {
        K::Barrier => forms!("Barrier", "barrier"),
        K::Broadcast => forms!("Bcast", "bcast"),
        K::Gather => forms!("Gather", "gather"),
        K::Scatter => forms!("Scatter", "scatter"),
        K::Allgather => forms!("Allgather", "allgather"),
        K::Alltoall => forms!("Alltoall", "alltoall"),
        K::Reduce => forms!("Reduce", "reduce"),
        K::Allreduce => forms!("Allreduce", "allreduce"),
        K::ReduceScatter => forms!("Reduce_scatter", "reduce_scatter"),
        K::Scan => forms!("Scan", "scan"),
        K::Exscan => forms!("Exscan", "exscan"),
        K::NeighborAllgather => forms!("Neighbor_allgather", "neighbor_allgather"),
        K::NeighborAlltoall => forms!("Neighbor_alltoall", "neighbor_alltoall"),
        K::Management(call) => management(call),
    }
}

/// Returns the names of functions that make, connect or end communicators.
fn management(call: Management) -> [&'static str; 3] {
    use Management as M;
    match call {
        M::CommDup => ["MPI_Comm_dup", "MPI_Comm_idup", "MPI_Comm_dup"],
        M::CommSplit => ["MPI_Comm_split"; 3],
        M::CommCreate => ["MPI_Comm_create"; 3],
        M::CommCreateGroup => ["MPI_Comm_create_group"; 3],
        M::IntercommCreate => ["MPI_Intercomm_create"; 3],
        M::IntercommMerge => ["MPI_Intercomm_merge"; 3],
        M::Spawn => ["MPI_Comm_spawn"; 3],
        M::Accept => ["MPI_Comm_accept"; 3],
        M::Connect => ["MPI_Comm_connect"; 3],
        M::CommDisconnect => ["MPI_Comm_disconnect"; 3],
        M::SetInfo => ["MPI_Comm_set_info"; 3],
    }
}

fn request(call: &RequestCall) -> Option<&'static str> {
    let name = match call {
        RequestCall::Start(requests) if requests.len() == 1 => "MPI_Start",
        RequestCall::Start(_) => "MPI_Startall",
        RequestCall::Wait(requests, Completing::All) if requests.len() == 1 => "MPI_Wait",
        RequestCall::Wait(_, Completing::All) => "MPI_Waitall",
        RequestCall::Wait(_, Completing::Any) => "MPI_Waitany",
        RequestCall::Wait(_, Completing::Some) => "MPI_Waitsome",
        RequestCall::Test(requests, Completing::All) if requests.len() == 1 => "MPI_Test",
        RequestCall::Test(_, Completing::All) => "MPI_Testall",
        RequestCall::Test(_, Completing::Any) => "MPI_Testany",
        RequestCall::Test(_, Completing::Some) => "MPI_Testsome",
        RequestCall::Cancel(_) => "MPI_Cancel",
        RequestCall::Free(_) => "MPI_Request_free",
        RequestCall::GetStatus(_) | RequestCall::GetStatusAndData(_) => "MPI_Request_get_status",
        RequestCall::StartGeneralized => "MPI_Grequest_start",
        RequestCall::CompleteGeneralized(_) => "MPI_Grequest_complete",
        RequestCall::IsActive(_) | RequestCall::TakeLate => return None,
    };
    Some(name)
}

fn buffer(call: &BufferCall) -> Option<&'static str> {
    match call {
        BufferCall::Attach(buffer) => Some(owned(buffer.owner)[0]),
        BufferCall::Detach(owner) => Some(owned(*owner)[1]),
        BufferCall::StartFlush(owner) => Some(owned(*owner)[2]),
        BufferCall::JoinSession(..) => None,
    }
}

/// Returns the name of a function on a communicator. Two operations that split occur only inside
/// functions of several names and have none.
fn communicator(call: &CommCall) -> Option<&'static str> {
    let name = match call {
        CommCall::Duplicate(_) => "MPI_Comm_dup",
        CommCall::StartDuplicate(_) => "MPI_Comm_idup",
        CommCall::Create(..) => "MPI_Comm_create",
        CommCall::CreateFromGroup(..) => "MPI_Comm_create_group",
        CommCall::CreateFromNamedGroup(..) => "MPI_Comm_create_from_group",
        CommCall::CreateInter { .. } => "MPI_Intercomm_create",
        CommCall::MergeInter(..) => "MPI_Intercomm_merge",
        CommCall::Split { .. } => "MPI_Comm_split",
        CommCall::Free(_) => "MPI_Comm_free",
        CommCall::SetInfo(_) => "MPI_Comm_set_info",
        CommCall::Disconnect(..) => "MPI_Comm_disconnect",
        CommCall::Reorder { .. } | CommCall::MapRank(..) => return None,
    };
    Some(name)
}

fn process(call: &ProcessCall) -> Option<&'static str> {
    match call {
        ProcessCall::Spawn { .. } => Some("MPI_Comm_spawn"),
        ProcessCall::Abort(..) => Some("MPI_Abort"),
        ProcessCall::Finalize => Some("MPI_Finalize"),
        ProcessCall::EndSessions => Some("MPI_Session_finalize"),
        ProcessCall::Initialize | ProcessCall::MeetAtPort { .. } | ProcessCall::Exit { .. } => None,
    }
}

fn error(call: &ErrorCall) -> Option<&'static str> {
    match call {
        ErrorCall::SetHandler(..) => Some("MPI_Comm_set_errhandler"),
        ErrorCall::GetHandler(_) => Some("MPI_Comm_get_errhandler"),
        ErrorCall::CallHandler(..) => Some("MPI_Comm_call_errhandler"),
        ErrorCall::Raise { .. } => None,
    }
}

/// Returns the names of the functions that attach, detach and flush a buffer.
fn owned(owner: BufferOwner) -> [&'static str; 3] {
    match owner {
        BufferOwner::Process => ["MPI_Buffer_attach", "MPI_Buffer_detach", "MPI_Buffer_iflush"],
        BufferOwner::Comm(_) => {
            ["MPI_Comm_attach_buffer", "MPI_Comm_detach_buffer", "MPI_Comm_iflush_buffer"]
        }
        BufferOwner::Session(_) => {
            ["MPI_Session_attach_buffer", "MPI_Session_detach_buffer", "MPI_Session_iflush_buffer"]
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::call::seam::operations;

    #[test]
    fn names_are_those_of_functions() {
        let known = |name: &str| mpi_functions::functions().iter().any(|row| row.name == name);
        let named: Vec<_> = operations().iter().filter_map(function).collect();
        assert!(named.len() > 60, "{named:?}");
        let wrong: Vec<_> = named.iter().filter(|name| !known(name)).collect();
        assert!(wrong.is_empty(), "{wrong:?} are not in the table of functions");
    }
}
