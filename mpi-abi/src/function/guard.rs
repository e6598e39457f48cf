//! Buffers that operations own (MPI sections 3.7.2 and 3.7.3): a program must not write to a
//! buffer from the start of a nonblocking operation to its completion, nor may two operations
//! own the same memory unless both only read it.
//!
//! A write is seen by comparing the data at both ends of the operation, in every run. What leaves no
//! mark (a read, a write of the same value) is seen in runs that are watched: see `watch`.

use std::{cell::RefCell, hash::Hasher};

use mpi_api::{
    call::{Operation, Site},
    finding::{CallSite, Code, Finding},
    object::datatype::joined,
};
use rustc_hash::FxHasher;

use super::{
    claim::{Claim, Claims, Runs},
    transfer::Part,
};
use crate::{
    site,
    state::{Mpi, State},
    watch::Access,
};

/// What an operation is called, and where.
type Origin = (&'static str, Site);

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
    /// What the same operation only reads.
    reads: Option<Box<Owned>>,
}

/// Longest buffer whose data are compared, bytes.
const WATCHED_MAX: u64 = 1 << 22;

thread_local! {
    /// Data with gaps are packed here to be compared: one memory for all, as it is asked often.
    static PACKED: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

fn digest(parts: &[Part]) -> u64 {
    let mut hasher = FxHasher::default();
    if parts.iter().map(Part::bytes).sum::<u64>() <= WATCHED_MAX {
        for part in parts {
            match part.dense() {
                Some(dense) => hasher.write(dense),
                None => PACKED.with_borrow_mut(|bytes| {
                    bytes.clear();
                    part.pack(bytes);
                    hasher.write(bytes);
                }),
            }
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
        Self { parts, writes, digest, site, call, claims: 0, reads: None }
    }

    /// Of an operation that reads from some places and writes to others.
    pub(crate) fn both(from: Vec<Part>, into: Vec<Part>, site: Site, call: &'static str) -> Self {
        let reads = Self::new(from, false, site, call);
        if into.is_empty() {
            return reads;
        }
        Self { reads: Some(Box::new(reads)), ..Self::new(into, true, site, call) }
    }

    /// What it writes to and what it reads, as far as there is both.
    fn sides(&self) -> impl Iterator<Item = &Self> {
        std::iter::once(self).chain(self.reads.as_deref())
    }

    /// The claims of one side.
    fn made(&self) -> Vec<Claim> {
        let claim = |part: &Part| Claim::new(range(part), part, self.call, self.site);
        self.parts.iter().map(claim).collect()
    }

    /// The memory is the operation's until [`Owned::release`]. The claim of another one under way
    /// that it must not meet.
    fn claim(&mut self, claims: &mut Claims) -> Option<Origin> {
        let (own, reads) = (self.made(), self.reads.as_ref().map(|reads| reads.made()));
        let met = claims.met_by(&own, self.writes);
        let met = met.or_else(|| claims.met_by(reads.as_ref()?, false));
        self.claims = claims.add(own, self.writes);
        if let (Some(side), Some(made)) = (&mut self.reads, reads) {
            side.claims = claims.add(made, false);
        }
        met
    }

    /// The memory is the program's again.
    pub(crate) fn release(&self, state: &State) {
        let mut claims = state.claims.borrow_mut();
        for side in self.sides() {
            for (number, part) in (side.claims..).zip(&side.parts) {
                claims.remove((range(part).0, number), side.writes);
            }
        }
    }

    /// Whether the data are not what they were at the start.
    fn is_changed(&self) -> bool {
        self.sides().any(|side| digest(&side.parts) != side.digest)
    }
}

/// A claim of an operation under way that a use of these parts must not meet.
fn clash(state: &State, parts: &[Part], writes: bool) -> Option<Origin> {
    let claims = state.claims.borrow();
    if claims.is_empty() {
        return None;
    }
    let nowhere = Site { file: "", line: 0, column: 0 };
    let claim = |part: &Part| Claim::new(range(part), part, "", nowhere);
    claims.met_by(&parts.iter().map(claim).collect::<Vec<_>>(), writes)
}

fn place(rank: u32, call: &'static str, site: Site, label: &str) -> CallSite {
    CallSite::new(rank, call, site.known(), label.into())
}

/// Tells of a conflict; the run goes on.
fn report(state: &State, site: Site, message: String, sites: Vec<CallSite>) -> Mpi {
    let finding = Finding::error(Code::BufferConflict, message, vec![state.number()], sites)
        .note(
            "from the start of a nonblocking operation to its completion its buffer belongs to MPI \
             (MPI 5.0, 3.7.2)",
        )
        .help("complete the operation before the buffer is used again, or use another");
    state.kernel(site, Operation::Report(Box::new(finding))).map(|_| ())
}

/// Two operations use the same memory, and one of them writes there.
fn shared(
    state: &State,
    (call, site): (&'static str, Site),
    (owner, other): (&'static str, Site),
) -> Mpi {
    let rank = state.number();
    let message = format!("rank {rank}: {call} uses a buffer that {owner} still owns");
    let sites = vec![
        place(rank, call, site, "this operation uses the buffer too"),
        place(rank, owner, other, "the buffer belongs to this operation until it completes"),
    ];
    report(state, site, message, sites)
}

/// A blocking operation against those under way: what it reads, or writes to.
#[inline]
pub(crate) fn pass(
    state: &State,
    (site, call): (Site, &'static str),
    parts: &[Part],
    writes: bool,
) -> Mpi {
    clash(state, parts, writes).map_or(Ok(()), |owner| shared(state, (call, site), owner))
}

/// A new operation against those under way, to which it belongs from now on.
pub(crate) fn begin(state: &State, site: Site, new: &mut Owned) -> Mpi {
    let clash = new.claim(&mut state.claims.borrow_mut());
    clash.map_or(Ok(()), |owner| shared(state, (new.call, site), owner))
}

/// The operation has completed: nobody may have written to its buffer meanwhile.
pub(crate) fn end(state: &State, site: Site, owned: &Owned) -> Mpi {
    owned.release(state);
    if !owned.is_changed() {
        return Ok(());
    }
    let rank = state.number();
    let message = format!("rank {rank} writes to a buffer that {} still owns", owned.call);
    let sites = vec![
        place(rank, owned.call, owned.site, "the buffer belongs to this operation"),
        place(rank, "wait", site, "it was changed before the operation completed here"),
    ];
    report(state, site, message, sites)
}

/// The program has touched memory of an operation.
pub(crate) fn touched(state: &State, site: Site, access: &Access) -> Mpi {
    let (rank, call) = (state.number(), access.piece.call);
    let (what, label) = if access.wrote {
        ("writes to", "it is written to here")
    } else {
        ("reads from", "it is read here")
    };
    let message = format!("rank {rank} {what} a buffer that {call} still owns");
    let mut sites =
        vec![place(rank, call, access.piece.site, "the buffer belongs to this operation")];
    let found = access.code.iter().enumerate().find_map(|(at, address)| {
        // Behind the instruction itself come addresses to return to.
        site::of_code(*address + usize::from(at == 0))
    });
    sites.extend(found.map(|found| {
        let found = Site { file: found.file, line: found.line, column: found.column.max(1) };
        place(rank, "program", found, label)
    }));
    report(state, site, message, sites)
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
    let (from, into) = (covered(from), covered(into));
    let (Some(sent), Some(received)) = (hull(&from), hull(&into)) else { return false };
    if sent.0 >= received.1 || received.0 >= sent.1 {
        return false;
    }
    Runs::of(&joined(from)).meet(Runs::of(&joined(into)))
}

/// Whether two of the parts share memory. Types with gaps count as disjoint.
pub(crate) fn overlaps_itself(parts: &[Part]) -> bool {
    let mut ranges = covered(parts);
    ranges.sort_unstable();
    ranges.windows(2).any(|pair| pair[1].0 < pair[0].1)
}
