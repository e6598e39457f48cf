//! WT0037: a buffer or another argument is shorter than what a call reads or writes there.

use sim_core::words::in_number;

use super::memory_type::Holder;
use crate::finding::{CallSite, Code, Finding, Origin};

/// What a call does with memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Does {
    /// It reads it.
    Reads,
    /// It may write to it.
    Writes,
    /// It leaves it to later calls: a window, or an attached buffer.
    Takes,
}

impl Does {
    /// Returns what is done with an argument that is written or only read.
    pub fn to_argument(writes: bool) -> Self {
        if writes { Self::Writes } else { Self::Reads }
    }

    /// Returns the verb, and the word between the number of bytes and the object.
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Reads => ("reads", "from"),
            Self::Writes => ("writes", "to"),
            Self::Takes => ("takes", "of"),
        }
    }
}

/// Memory that a call uses, and what is left of the object that it lies in.
#[derive(Clone, Copy, Debug)]
pub struct Extent {
    /// What the call does with the memory.
    pub does: Does,
    /// Number of bytes from the first to past the last that the call uses.
    pub bytes: u64,
    /// Number of bytes of the object from the first of them on.
    pub left: u64,
}

impl Extent {
    /// Returns how many bytes the object would have to have.
    fn needed(self, holder: &Holder) -> u64 {
        holder.bytes.saturating_sub(self.left).saturating_add(self.bytes)
    }

    /// Returns the finding.
    fn finding(self, rank: u32, (call, site): Origin, label: String, holder: &Holder) -> Finding {
        let Self { does, bytes, left } = self;
        let has = match left == holder.bytes {
            true => format!("which has {left}"),
            false => format!("which has {left} left of {}", holder.bytes),
        };
        let (does, into) = does.words();
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
    let ((does, _), bytes) = (extent.does.words(), extent.bytes);
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
            extent.needed(holder)
        ))
}

/// Returns the finding that a call is given more memory, for a window or as an attached buffer, than the object has
/// that it begins in.
pub fn of_memory(rank: u32, origin: Origin, (bytes, left): (u64, u64), holder: &Holder) -> Finding {
    let extent = Extent { does: Does::Takes, bytes, left };
    extent
        .finding(rank, origin, format!("the size is {bytes} bytes"), holder)
        .note("later calls use all of the memory that this one is given (MPI 5.0, 3.6 and 12.2)")
        .help(format!(
            "make the memory at least {} bytes long, or correct the size, which is in bytes",
            extent.needed(holder)
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
    let ((does, _), bytes) = (extent.does.words(), extent.bytes);
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
