//! WT0037: a buffer or another argument is shorter than what a call reads or writes there.

use sim_core::words::in_number;

use super::memory_type::Holder;
use crate::finding::{CallSite, Code, Finding, Origin};

/// Memory that a call uses, and what is left of the object that it lies in.
#[derive(Clone, Copy, Debug)]
pub struct Extent {
    /// Whether the call may write to the memory.
    pub writes: bool,
    /// Number of bytes from the first to past the last that the call uses.
    pub bytes: u64,
    /// Number of bytes of the object from the first of them on.
    pub left: u64,
}

impl Extent {
    /// Returns what the call does.
    fn does(self) -> &'static str {
        if self.writes { "writes" } else { "reads" }
    }

    /// Returns the finding, with the help to make the object longer.
    fn finding(self, rank: u32, (call, site): Origin, label: String, holder: &Holder) -> Finding {
        let Self { writes, bytes, left } = self;
        let has = match left == holder.bytes {
            true => format!("which has {left}"),
            false => format!("which has {left} left of {}", holder.bytes),
        };
        let (does, into) = (self.does(), if writes { "to" } else { "from" });
        let what = holder.text();
        let message = format!("rank {rank}: {call} {does} {bytes} bytes {into} {what}, {has}");
        let mut sites = vec![CallSite::new(rank, call, site.known(), label)];
        sites.extend(holder.site(rank));
        Finding::error(Code::ShortBuffer, message, vec![rank], sites)
    }
}

/// Returns the finding that the buffer of a call, `count` elements of a datatype, does not fit into the object that it
/// begins in.
pub fn of_call(
    rank: u32,
    origin: Origin,
    (count, datatype): (i64, &str),
    extent: Extent,
    holder: &Holder,
) -> Finding {
    let (does, bytes) = (extent.does(), extent.bytes);
    let elements = in_number(count as u64, "element");
    let label = format!("{does} {count} {elements} of {datatype}, {bytes} bytes");
    extent
        .finding(rank, origin, label, holder)
        .note(
            "a buffer has room for all elements of the count, even if a message is shorter (MPI 5.0, \
             3.2.2 and 3.2.4)",
        )
        .help(format!(
            "make the memory at least {} bytes long, or correct the count or the datatype",
            holder.bytes.saturating_sub(extent.left).saturating_add(bytes)
        ))
}

/// What an argument consists of.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// Number of elements; 1 unless it is an array.
    pub count: u64,
    /// Whether each element is a status.
    pub of_status: bool,
}

/// Returns the finding that an argument of a call other than a buffer, such as a status or an array of counts, does
/// not fit into the object that it begins in.
pub fn of_argument(
    rank: u32,
    origin: Origin,
    shape: Shape,
    extent: Extent,
    holder: &Holder,
) -> Finding {
    let (does, bytes) = (extent.does(), extent.bytes);
    let label = match shape {
        Shape { count: 1, of_status: true } => format!("{does} a status, {bytes} bytes"),
        Shape { count: 1, of_status: false } => format!("{does} an argument of {bytes} bytes"),
        Shape { count, of_status: true } => format!("{does} {count} statuses, {bytes} bytes"),
        Shape { count, of_status: false } => format!("{does} {count} elements, {bytes} bytes"),
    };
    let note = match shape.of_status {
        true => {
            "a status is an MPI_Status, in Fortran with mpif.h or the module mpi an array of MPI_STATUS_SIZE \
             integers; the calls for several requests write one for each (MPI 5.0, 3.2.5 and 3.7.5)"
        }
        false => {
            "an argument has the type that the standard gives it, and an array as many elements as the call uses \
             (MPI 5.0, 2.5)"
        }
    };
    let finding = extent.finding(rank, origin, label, holder).note(note);
    finding.help(format!("give it the type and length of the standard: {bytes} bytes"))
}
