//! Maps calls of the kernel to the names of MPI functions.

use crate::call::{BufferOwner, CollectiveKind, Completing, Form, Mode, Operation};

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
    use Operation as O;
    let name = match operation {
        O::Send(send) => mode(send.mode)[0],
        O::StartSend(send) => mode(send.mode)[1],
        O::InitSend(send) => mode(send.mode)[2],
        O::Collective(part) => collective(part.kind, part.form)[0],
        O::StartCollective(part) => collective(part.kind, part.form)[1],
        O::InitCollective(part) => collective(part.kind, part.form)[2],
        O::Receive(_) => "MPI_Recv",
        O::StartReceive(_) => "MPI_Irecv",
        O::InitReceive(_) => "MPI_Recv_init",
        O::SendReceive(..) => "MPI_Sendrecv",
        O::StartSendReceive(..) => "MPI_Isendrecv",
        O::Probe(..) => "MPI_Probe",
        O::ImmediateProbe(..) => "MPI_Iprobe",
        O::MatchedProbe(..) => "MPI_Mprobe",
        O::ImmediateMatchedProbe(..) => "MPI_Improbe",
        O::ReceiveMatched(..) => "MPI_Mrecv",
        O::StartReceiveMatched(..) => "MPI_Imrecv",
        other => return request(other).or_else(|| object(other)),
    };
    Some(name)
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
        K::CommDup => ["MPI_Comm_dup", "MPI_Comm_idup", "MPI_Comm_dup"],
        K::CommSplit => ["MPI_Comm_split"; 3],
        K::CommCreate => ["MPI_Comm_create"; 3],
        K::CommCreateGroup => ["MPI_Comm_create_group"; 3],
        K::IntercommCreate => ["MPI_Intercomm_create"; 3],
        K::IntercommMerge => ["MPI_Intercomm_merge"; 3],
        K::Spawn => ["MPI_Comm_spawn"; 3],
        K::Accept => ["MPI_Comm_accept"; 3],
        K::Connect => ["MPI_Comm_connect"; 3],
        K::CommDisconnect => ["MPI_Comm_disconnect"; 3],
        K::Finalize => ["MPI_Finalize"; 3],
    }
}

fn request(operation: &Operation) -> Option<&'static str> {
    use Operation as O;
    let name = match operation {
        O::Start(requests) if requests.len() == 1 => "MPI_Start",
        O::Start(_) => "MPI_Startall",
        O::Wait(requests, Completing::All) if requests.len() == 1 => "MPI_Wait",
        O::Wait(_, Completing::All) => "MPI_Waitall",
        O::Wait(_, Completing::Any) => "MPI_Waitany",
        O::Wait(_, Completing::Some) => "MPI_Waitsome",
        O::Test(requests, Completing::All) if requests.len() == 1 => "MPI_Test",
        O::Test(_, Completing::All) => "MPI_Testall",
        O::Test(_, Completing::Any) => "MPI_Testany",
        O::Test(_, Completing::Some) => "MPI_Testsome",
        O::Cancel(_) => "MPI_Cancel",
        O::FreeRequest(_) => "MPI_Request_free",
        O::GetStatus(_) | O::GetStatusAndData(_) => "MPI_Request_get_status",
        O::StartGeneralized => "MPI_Grequest_start",
        O::CompleteGeneralized(_) => "MPI_Grequest_complete",
        O::InitPartitioned(given) if given.sends => "MPI_Psend_init",
        O::InitPartitioned(_) => "MPI_Precv_init",
        O::ReadyPartitions(_, parts) if parts.len() == 1 => "MPI_Pready",
        O::ReadyPartitions(..) => "MPI_Pready_list",
        O::PartitionArrived(..) => "MPI_Parrived",
        _ => return None,
    };
    Some(name)
}

/// Returns the name of a function on a buffer, a communicator, a datatype or the rank. Of the three
/// operations that split, two occur only inside functions of several names and have none.
fn object(operation: &Operation) -> Option<&'static str> {
    use Operation as O;
    let name = match operation {
        O::Now(_) => "MPI_Wtime",
        O::AttachBuffer(buffer) => owned(buffer.owner)[0],
        O::DetachBuffer(owner) => owned(*owner)[1],
        O::StartFlushBuffer(owner) => owned(*owner)[2],
        O::DuplicateComm(_) => "MPI_Comm_dup",
        O::StartDuplicateComm(_) => "MPI_Comm_idup",
        O::CreateComm(..) => "MPI_Comm_create",
        O::CreateGroupComm(..) => "MPI_Comm_create_group",
        O::CreateIntercomm { .. } => "MPI_Intercomm_create",
        O::MergeIntercomm(..) => "MPI_Intercomm_merge",
        O::Spawn { .. } => "MPI_Comm_spawn",
        O::SplitComm { .. } => "MPI_Comm_split",
        O::FreeComm(_) => "MPI_Comm_free",
        O::DisconnectComm(_) => "MPI_Comm_disconnect",
        O::CommitType(_) => "MPI_Type_commit",
        O::FreeType(_) => "MPI_Type_free",
        O::SetErrorHandler(..) => "MPI_Comm_set_errhandler",
        O::GetErrorHandler(_) => "MPI_Comm_get_errhandler",
        O::CallErrorHandler(..) => "MPI_Comm_call_errhandler",
        O::Abort(..) => "MPI_Abort",
        O::Finalize => "MPI_Finalize",
        _ => return None,
    };
    Some(name)
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
