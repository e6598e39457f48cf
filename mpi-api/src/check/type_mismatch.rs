//! WT0009: the types of a send and its receive differ.

use crate::{
    finding::{CallPlace, CallSite, Code, Finding},
    object::signature::Signature,
};

/// Returns the labels of the two calls: the send's and the receive's.
pub fn labels(sent: &Signature, wanted: &Signature) -> [String; 2] {
    [format!("sends {sent}"), format!("receives {wanted}")]
}

/// Returns the finding about a message of other types than its receive, at the place of the receive
/// and of the send; `what` is the first difference.
pub fn of_message(receive: CallSite, send: CallSite, what: &str) -> Finding {
    between(receive, send, what).note("types must be the same at both ends (MPI 5.0, 3.3.1)")
}

/// Returns the finding about a partitioned send of other types than its receive.
pub fn of_partitions(receive: CallSite, send: CallSite, what: &str) -> Finding {
    between(receive, send, what)
        .note("types must be the same at both ends (MPI 5.0, 3.3.1 and 4.2)")
}

/// What is compared with the elementary datatype of a file view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Typed {
    /// The data of an access.
    Data,
    /// The file type of the view.
    View,
}

/// Returns the finding about the data of an access to a file, or about a file type, that have other types than the
/// elementary datatype of the view; `what` is the first difference.
pub fn of_view(rank: u32, by: CallPlace, typed: Typed, what: &str) -> Finding {
    let call = by.call;
    let (message, label, note, help) = match typed {
        Typed::Data => (
            format!("rank {rank}: the data of {call} are not of the etype of the view: {what}"),
            "these data have another type than the etype",
            "the etype matches the data of each access, unless it is MPI_BYTE (MPI 5.0, 14.6.6)",
            "give MPI_File_set_view the type of the data as etype",
        ),
        Typed::View => (
            format!("rank {rank}: the filetype of {call} is not made of the etype: {what}"),
            "the filetype has another type than the etype",
            "a filetype is the etype or made of several of it, with gaps in between (MPI 5.0, 14.1.1)",
            "make the filetype of the etype",
        ),
    };
    let place = CallSite::of(rank, by, label.into());
    Finding::error(Code::TypeMismatch, message, vec![rank], vec![place])
        .warning()
        .note(note)
        .help(help)
}

/// Returns the finding about data that are unpacked in other types than they were packed in; `what` is the first difference.
pub fn of_unpacked(unpack: CallSite, pack: CallSite, what: &str) -> Finding {
    let (target, source) = (unpack.rank, pack.rank);
    let message =
        format!("rank {target} unpacks other types than rank {source} has packed: {what}");
    Finding::error(Code::TypeMismatch, message, vec![target, source], vec![unpack, pack])
        .note("data are unpacked in the types in which they were packed (MPI 5.0, 5.2)")
        .help("give MPI_Unpack the types of MPI_Pack, in the same order")
}

/// Returns the finding about a call that counts the elements of a status in another type than that of the receive or of the
/// message which has set it; these are the names of the two types.
pub fn of_count(rank: u32, by: CallPlace, [received, counted]: [&str; 2]) -> Finding {
    let call = by.call;
    let message = format!("rank {rank}: {call} counts {counted} in a message of {received}");
    let label = format!("counts elements of {counted}");
    Finding::error(Code::TypeMismatch, message, vec![rank], vec![CallSite::of(rank, by, label)])
        .warning()
        .note("the datatype is that of the receive which has set the status, or after a probe that of the message (MPI 5.0, \
               3.2.5)")
        .help("count in the datatype of the message, or in MPI_BYTE for the number of bytes")
}

fn between(receive: CallSite, send: CallSite, what: &str) -> Finding {
    let (target, source) = (receive.rank, send.rank);
    let message = format!("rank {source} sends other types than rank {target} receives: {what}");
    Finding::error(Code::TypeMismatch, message, vec![target, source], vec![receive, send])
        .help("receive with the type the sender uses")
}
