//! What `MPI_Pack` has put together, in runs that compare types: `MPI_Unpack` takes it in the same types (MPI 5.0, 5.2).
//!
//! Packed data reach another rank in messages of any kind and in buffers of any size, so that they are known by their
//! bytes: a buffer whose first bytes are those that a rank has packed holds the same types. Where several ranks have
//! packed equal bytes in different types, each of these may be unpacked.

use std::{cell::RefCell, collections::VecDeque, ffi::c_void, ops::Range};

use mpi_api::{
    check::type_mismatch,
    finding::{CallPlace, CallSite, Code},
    object::signature::Signature,
};

use super::{pack::read, transfer::Part};
use crate::state::State;

/// Most buffers that are remembered, the last ones.
const BUFFERS_MAX: usize = 256;
/// Most bytes that are remembered of each.
const BYTES_MAX: usize = 1 << 16;

/// The data of one call of `MPI_Pack`.
struct Chunk {
    /// Position in the buffer.
    start: usize,
    signature: Signature,
    by: CallPlace,
}

/// What a rank has packed into a buffer, from its beginning on.
struct Packed {
    rank: u32,
    bytes: Vec<u8>,
    chunks: Vec<Chunk>,
}

thread_local! {
    /// What the ranks of the run on this thread have packed, in the order in which they began.
    static PACKED: RefCell<VecDeque<Packed>> = const { RefCell::new(VecDeque::new()) };
}

/// Forgets what was packed.
pub(crate) fn forget() {
    PACKED.take();
}

/// Notes that a rank has packed a part as these bytes, which are `at` in a buffer.
pub(super) fn note(
    state: &State,
    by: CallPlace,
    (buffer, at): (*const c_void, &Range<usize>),
    (part, bytes): (&Part, &[u8]),
) {
    if state.compared.is_none() || bytes.is_empty() || at.end > BYTES_MAX {
        return;
    }
    // The program may have moved the buffer to make it larger.
    let (rank, before) = (state.number(), read(buffer, &(0..at.start)));
    PACKED.with_borrow_mut(|all| {
        if at.start == 0 {
            if all.len() == BUFFERS_MAX {
                all.pop_front();
            }
            all.push_back(Packed { rank, bytes: Vec::new(), chunks: Vec::new() });
        }
        let continues = |packed: &&mut Packed| packed.rank == rank && packed.bytes == before;
        if let Some(packed) = all.iter_mut().rev().find(continues) {
            packed.bytes.extend(bytes);
            packed.chunks.push(Chunk { start: at.start, signature: part.signature(), by });
        }
    });
}

/// Compares the types of a part that is unpacked from the bytes `at` of a buffer with those that were packed.
pub(super) fn compare(
    state: &State,
    by: CallPlace,
    (buffer, at): (*const c_void, &Range<usize>),
    part: &Part,
) {
    let Some(compared) = state.compared.as_ref().filter(|_| !at.is_empty()) else { return };
    let here = read(buffer, &(0..at.end));
    // Bytes of zeros are no sign of where they come from.
    if here.iter().all(|byte| *byte == 0) {
        return;
    }
    let wanted = part.signature();
    let found = PACKED.with_borrow(|all| {
        let mut first = None;
        for packed in all.iter().rev().filter(|packed| packed.bytes.starts_with(here)) {
            match packed.difference(at.start, &wanted) {
                Some(found) => first = first.or(Some(found)),
                None => return None,
            }
        }
        first
    });
    if let Some((packed, what)) = found
        && compared.is_first(Code::TypeMismatch, by.site)
    {
        let label = format!("unpacks {wanted}");
        let place = CallSite::of(state.number(), by, label);
        state.keep_finding(compared, type_mismatch::of_unpacked(place, packed, &what));
    }
}

impl Packed {
    /// Returns the first difference between the types behind a position and those that are wanted there, with the call that
    /// packed what is at the position; `None` if there is no difference.
    fn difference(&self, position: usize, wanted: &Signature) -> Option<(CallSite, String)> {
        let at = self.chunks.partition_point(|chunk| chunk.start <= position).checked_sub(1)?;
        let first = &self.chunks[at];
        let types = self.chunks[at..].iter().flat_map(|chunk| chunk.signature.runs());
        let mut skipped = (position - first.start) as u64;
        let mut rest = Vec::new();
        for (primitive, count) in types {
            let size = primitive.size() as u64;
            let passed = (skipped / size).min(count);
            skipped -= passed * size;
            if passed < count {
                // Inside of an element: that was told of the call before.
                if skipped > 0 {
                    return None;
                }
                rest.push(Signature::of(primitive, count - passed));
            }
        }
        let what = wanted.receive_matches(&Signature::sequence(rest)).err()?;
        let label = format!("packs {}", first.signature);
        Some((CallSite::of(self.rank, first.by, label), what))
    }
}
