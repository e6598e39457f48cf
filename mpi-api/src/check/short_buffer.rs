//! WT0037: a buffer is shorter than what a call reads or writes there.

use sim_core::words::in_number;

use super::memory_type::Holder;
use crate::finding::{CallSite, Code, Finding, Origin};

/// A buffer and the object that it lies in.
#[derive(Clone, Copy, Debug)]
pub struct Extent {
    /// Whether the call may write to the buffer.
    pub writes: bool,
    /// Number of elements.
    pub count: i64,
    /// Number of bytes from the first to past the last that the elements touch.
    pub bytes: u64,
    /// Number of bytes of the object from the first byte of the buffer on.
    pub left: u64,
}

/// Returns the finding that the buffer of a call does not fit into the object that it begins in.
pub fn of_call(
    rank: u32,
    (call, site): Origin,
    datatype: &str,
    extent: Extent,
    holder: &Holder,
) -> Finding {
    let Extent { writes, count, bytes, left } = extent;
    let does = if writes { "writes" } else { "reads" };
    let has = match left == holder.bytes {
        true => format!("which has {left}"),
        false => format!("which has {left} left of {}", holder.bytes),
    };
    let (what, into) = (holder.text(), if writes { "to" } else { "from" });
    let message = format!("rank {rank}: {call} {does} {bytes} bytes {into} {what}, {has}");
    let elements = in_number(count as u64, "element");
    let label = format!("{does} {count} {elements} of {datatype}, {bytes} bytes");
    let mut sites = vec![CallSite::new(rank, call, site.known(), label)];
    sites.extend(holder.site(rank));
    Finding::error(Code::ShortBuffer, message, vec![rank], sites)
        .note(
            "a buffer has room for all elements of the count, even if a message is shorter (MPI 5.0, \
             3.2.2 and 3.2.4)",
        )
        .help(format!("make the buffer at least {bytes} bytes long, or the count smaller"))
}
