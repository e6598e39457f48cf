//! WT0024: a buffer is touched while an operation owns it.

use sim_core::words::count;

use crate::{
    call::Site,
    finding::{CallSite, Code, Finding, Origin},
};

/// Returns the finding that an operation of a rank uses memory that another one owns, and one of
/// them writes to it.
pub fn shared(rank: u32, (call, site): Origin, (owner, made): Origin) -> Finding {
    let message = format!("rank {rank}: {call} uses a buffer that {owner} still owns");
    let sites = vec![
        place(rank, (call, site), "this operation uses the buffer too"),
        place(rank, (owner, made), "the buffer belongs to this operation until it completes"),
    ];
    explained(rank, message, sites)
}

/// Returns the finding that a rank starts accesses to a window for ever, into a buffer that a pending one owns, while so
/// many are `pending`. It has no place: that is told with the conflict.
pub fn without_end(rank: u32, call: &str, pending: u64) -> Finding {
    let message = format!("rank {rank} calls {call} for ever, and nothing completes it");
    Finding::error(Code::BufferConflict, message, vec![rank], Vec::new())
        .note(format!(
            "{} accesses to the window are pending; what they fetch is there once they are complete (MPI 5.0, 12.5)",
            count(pending)
        ))
        .help("call MPI_Win_flush, or end the epoch, before the result is read")
}

/// Returns the finding that the program changed a buffer before its owner completed in a call.
pub fn changed(rank: u32, (owner, made): Origin, completed: Origin) -> Finding {
    let message = format!("rank {rank} writes to a buffer that {owner} still owns");
    let sites = vec![
        place(rank, (owner, made), "the buffer belongs to this operation"),
        place(rank, completed, "it was changed before the operation completed here"),
    ];
    explained(rank, message, sites)
}

/// What a program does with a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Touch {
    /// It reads it.
    Reads,
    /// It writes to it.
    Writes,
    /// It releases the memory that the buffer is in.
    Frees,
}

/// Returns the finding that the program used a buffer of a pending operation, at a place in its code if that is known.
pub fn touched(rank: u32, (owner, made): Origin, touch: Touch, by: Option<Site>) -> Finding {
    let (what, label) = match touch {
        Touch::Reads => ("reads from", "it is read here"),
        Touch::Writes => ("writes to", "it is written to here"),
        Touch::Frees => ("frees", "its memory is released here"),
    };
    let message = format!("rank {rank} {what} a buffer that {owner} still owns");
    let mut sites = vec![place(rank, (owner, made), "the buffer belongs to this operation")];
    sites.extend(by.map(|site| place(rank, ("program", site), label)));
    explained(rank, message, sites)
}

/// Returns the finding that an operation has a copy of an array section as its buffer, which the
/// compiler made and releases when the call returns.
pub fn copied(rank: u32, (owner, made): Origin) -> Finding {
    let message = format!("rank {rank}: the buffer of {owner} is a copy that ends with the call");
    let label = "the compiler copies this array before the call, and releases the copy after it";
    Finding::error(
        Code::BufferConflict,
        message,
        vec![rank],
        vec![place(rank, (owner, made), label)],
    )
    .note(
        "an array section that is not contiguous is passed as a copy, which the operation still \
             uses when it is gone (MPI 5.0, 19.1.12)",
    )
    .help(
        "pass a contiguous array, or describe the section by a datatype; with the module mpi_f08, \
             nonblocking procedures take sections as they are",
    )
}

fn place(rank: u32, (call, site): Origin, label: &str) -> CallSite {
    CallSite::new(rank, call, site.known(), label.into())
}

fn explained(rank: u32, message: String, sites: Vec<CallSite>) -> Finding {
    Finding::error(Code::BufferConflict, message, vec![rank], sites)
        .note(
            "from the start of a nonblocking operation to its completion its buffer belongs to MPI \
             (MPI 5.0, 3.7.2)",
        )
        .help("complete the operation before the buffer is used again, or use another")
}
