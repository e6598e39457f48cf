//! Buffers that operations own (MPI sections 3.7.2 and 3.7.3): a program must not write to a
//! buffer from the start of a nonblocking operation to its completion, nor may two operations
//! own the same memory unless both only read it.
//!
//! A write is seen by comparing the data at both ends of the operation; a read of a receive
//! buffer leaves no mark and is not seen.

use std::hash::Hasher;

use mpi_api::{
    call::{Operation, Site},
    finding::{CallSite, Code, Finding},
};
use rustc_hash::FxHasher;

use super::{
    claim::{Claim, Claims},
    transfer::Part,
};
use crate::state::{Mpi, State};

/// Memory that an operation under way owns.
pub(crate) struct Owned {
    parts: Vec<Part>,
    /// Whether the operation writes there.
    writes: bool,
    digest: u64,
    site: Site,
    call: &'static str,
    /// Number of the first of its claims.
    claims: u64,
}

/// Longest buffer whose data are compared, bytes.
const WATCHED_MAX: u64 = 1 << 22;

fn digest(parts: &[Part]) -> u64 {
    let mut hasher = FxHasher::default();
    if parts.iter().map(Part::bytes).sum::<u64>() <= WATCHED_MAX {
        let mut bytes = Vec::new();
        for part in parts {
            if let Some(dense) = part.dense() {
                hasher.write(dense);
                continue;
            }
            bytes.clear();
            part.pack(&mut bytes);
            hasher.write(&bytes);
        }
    }
    hasher.finish()
}

/// The bytes a part touches.
fn range(part: &Part) -> (i64, i64) {
    let span = part.datatype.span(part.count as usize);
    let base = part.address as i64;
    (base.wrapping_add(span.start), base.wrapping_add(span.end))
}

impl Owned {
    pub(crate) fn new(parts: Vec<Part>, writes: bool, site: Site, call: &'static str) -> Self {
        let digest = digest(&parts);
        Self { parts, writes, digest, site, call, claims: 0 }
    }

    /// The claim of an operation under way that this one must not meet.
    fn clash(&self, claims: &Claims) -> Option<(&'static str, Site)> {
        self.parts.iter().find_map(|mine| {
            let mine = Claim::new(range(mine), mine, self.call, self.site);
            let met = claims.meeting(&mine, self.writes);
            met.map(|claim| (claim.call, claim.site))
        })
    }

    /// The memory is the operation's until [`Owned::release`].
    fn claim(&mut self, claims: &mut Claims) {
        let (call, site) = (self.call, self.site);
        let made = self.parts.iter().map(|part| Claim::new(range(part), part, call, site));
        self.claims = claims.add(made, self.writes);
    }

    /// The memory is the program's again.
    pub(crate) fn release(&self, state: &State) {
        let mut claims = state.claims.borrow_mut();
        for (number, part) in (self.claims..).zip(&self.parts) {
            claims.remove((range(part).0, number), self.writes);
        }
    }
}

fn place(rank: u32, call: &'static str, site: Site, label: &str) -> CallSite {
    CallSite::new(rank, call, site.known(), label.into())
}

fn conflict(rank: u32, message: String, sites: Vec<CallSite>) -> Finding {
    Finding::error(Code::BufferConflict, message, vec![rank], sites)
        .note(
            "from the start of a nonblocking operation to its completion its buffer belongs to MPI \
             (MPI 5.0, 3.7.2)",
        )
        .help("complete the operation before the buffer is used again, or use another")
}

/// A new operation against those under way, to which it belongs from now on.
pub(crate) fn begin(state: &State, site: Site, new: &mut Owned) -> Mpi {
    let clash = new.clash(&state.claims.borrow());
    new.claim(&mut state.claims.borrow_mut());
    let Some((call, other)) = clash else { return Ok(()) };
    let rank = state.number();
    let message = format!("rank {rank}: {} uses a buffer that {call} still owns", new.call);
    let sites = vec![
        place(rank, new.call, site, "this operation uses the buffer too"),
        place(rank, call, other, "the buffer belongs to this operation until it completes"),
    ];
    state.kernel(site, Operation::Report(Box::new(conflict(rank, message, sites)))).map(|_| ())
}

/// The operation has completed: nobody may have written to its buffer meanwhile.
pub(crate) fn end(state: &State, site: Site, owned: &Owned) -> Mpi {
    owned.release(state);
    if digest(&owned.parts) == owned.digest {
        return Ok(());
    }
    let rank = state.number();
    let message = format!("rank {rank} writes to a buffer that {} still owns", owned.call);
    let sites = vec![
        place(rank, owned.call, owned.site, "the buffer belongs to this operation"),
        place(rank, "wait", site, "it was changed before the operation completed here"),
    ];
    state.kernel(site, Operation::Report(Box::new(conflict(rank, message, sites)))).map(|_| ())
}

/// The bytes of parts without gaps: first and last, and each.
fn covered(parts: &[Part]) -> Vec<(i64, i64)> {
    let solid = parts.iter().filter(|part| part.bytes() > 0 && part.datatype.is_contiguous());
    solid.map(range).collect()
}

fn hull(ranges: &[(i64, i64)]) -> Option<(i64, i64)> {
    let start = ranges.iter().map(|range| range.0).min()?;
    Some((start, ranges.iter().map(|range| range.1).max()?))
}

/// Whether two buffers of one call share memory. Types with gaps count as disjoint.
pub(crate) fn overlap(from: &[Part], into: &[Part]) -> bool {
    let (from, mut into) = (covered(from), covered(into));
    let (Some(sent), Some(received)) = (hull(&from), hull(&into)) else { return false };
    if sent.0 >= received.1 || received.0 >= sent.1 {
        return false;
    }
    into.sort_unstable();
    let longest = into.iter().map(|(start, end)| end - start).max().unwrap_or(0);
    from.iter().any(|(start, end)| {
        let first = into.partition_point(|range| range.0 <= start - longest);
        into[first..].iter().take_while(|range| range.0 < *end).any(|range| range.1 > *start)
    })
}
