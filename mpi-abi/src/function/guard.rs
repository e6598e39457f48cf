//! Buffers that operations own (MPI sections 3.7.2 and 3.7.3): a program must not write to a
//! buffer from the start of a nonblocking operation to its completion, nor may two operations
//! own the same memory unless both only read it.
//!
//! A write is seen by comparing the data at both ends of the operation, in every run. What leaves no
//! mark (a read, a write of the same value) is seen in runs that are watched: see `watch`.

use std::{cell::RefCell, slice};

use mpi_api::{
    call::{Operation, Site},
    finding::{CallSite, Code, Finding},
    object::datatype::joined,
    policy::Policy,
};

use super::{
    claim::{Claim, Claims, Runs},
    fingerprint,
    transfer::Part,
};
use crate::{
    site,
    state::{Mpi, State},
    watch::Access,
};

/// What an operation is called, and where.
type Origin = (&'static str, Site);

/// The memory of an operation.
#[derive(Clone, Copy, Default)]
pub(crate) struct Memory<'a> {
    /// Where it writes.
    pub(crate) writes: &'a [Part],
    /// What it only reads.
    pub(crate) reads: &'a [Part],
}

/// That an operation under way owns its memory, and what the data were when it began.
pub(crate) struct Owned {
    digest: u64,
    site: Site,
    call: &'static str,
    /// Number of the first of its claims; the others follow.
    claims: u64,
}

/// Longest buffer whose data are compared, bytes.
const WATCHED_MAX: u64 = 1 << 22;

thread_local! {
    /// Data with gaps are packed here to be compared: one memory for all, as it is asked often.
    static PACKED: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Of data that are packed already, as of a part that has them.
pub(crate) fn digest_of(data: &[u8]) -> u64 {
    if data.len() as u64 <= WATCHED_MAX { fingerprint::extend(0, data) } else { 0 }
}

fn digest(memory: Memory) -> u64 {
    if memory.parts().map(Part::bytes).sum::<u64>() > WATCHED_MAX {
        return 0;
    }
    memory.parts().fold(0, |before, part| match part.dense() {
        Some(dense) => fingerprint::extend(before, dense),
        None => PACKED.with_borrow_mut(|bytes| {
            bytes.clear();
            part.pack(bytes);
            fingerprint::extend(before, bytes)
        }),
    })
}

/// The bytes a part touches.
fn range(part: &Part) -> (i64, i64) {
    let span = part.datatype.span(part.count as usize);
    let base = part.address as i64;
    (base.wrapping_add(span.start), base.wrapping_add(span.end))
}

impl<'a> Memory<'a> {
    /// A part that is only read.
    pub(crate) fn read(part: &'a Part) -> Self {
        Self { reads: slice::from_ref(part), writes: &[] }
    }

    /// A part that is written to.
    pub(crate) fn written(part: &'a Part) -> Self {
        Self { writes: slice::from_ref(part), reads: &[] }
    }

    fn parts(self) -> impl Iterator<Item = &'a Part> {
        self.writes.iter().chain(self.reads)
    }

    /// Its parts, and whether they are written to.
    fn sides(self) -> impl Iterator<Item = (&'a Part, bool)> {
        let writes = self.writes.iter().map(|part| (part, true));
        writes.chain(self.reads.iter().map(|part| (part, false)))
    }
}

impl Owned {
    /// The memory is the operation's until [`Owned::release`]. Also tells of a claim of another
    /// one under way that it must not meet.
    fn new(
        state: &State,
        (site, call): (Site, &'static str),
        memory: Memory,
        digest: u64,
    ) -> (Self, Option<Origin>) {
        let mut claims = state.claims.borrow_mut();
        let first = claims.next();
        let mut met = None;
        for (part, writes) in memory.sides() {
            let claim = Claim::new(range(part), part, call, site);
            met = met.or_else(|| claims.met_by(&claim, writes, first));
            claims.add(claim, writes);
        }
        (Self { digest, site, call, claims: first }, met)
    }

    /// The memory is the program's again.
    pub(crate) fn release(&self, state: &State, memory: Memory) {
        let mut claims = state.claims.borrow_mut();
        for (number, (part, writes)) in (self.claims..).zip(memory.sides()) {
            claims.remove(number, || range(part).0, writes);
        }
    }
}

/// A claim of an operation under way that a use of this memory must not meet.
fn clash(claims: &Claims, memory: Memory) -> Option<Origin> {
    if claims.is_empty() {
        return None;
    }
    memory.sides().find_map(|(part, writes)| {
        claims.met_by(&Claim::new(range(part), part, "", Site::NOWHERE), writes, claims.next())
    })
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

/// A blocking operation against those under way.
#[inline]
pub(crate) fn pass(state: &State, (site, call): (Site, &'static str), memory: Memory) -> Mpi {
    let clash = clash(&state.claims.borrow(), memory);
    tell(state, (site, call), clash)
}

/// A new operation against those under way, to which it belongs from now on.
pub(crate) fn begin(state: &State, origin: (Site, &'static str), memory: Memory) -> Mpi<Owned> {
    begin_with(state, origin, memory, digest(memory))
}

/// As [`begin`], where the digest of the data is known.
pub(crate) fn begin_with(
    state: &State,
    origin: (Site, &'static str),
    memory: Memory,
    digest: u64,
) -> Mpi<Owned> {
    let (owned, clash) = Owned::new(state, origin, memory, digest);
    tell(state, origin, clash)?;
    Ok(owned)
}

/// As [`begin`], without telling of the operation that owns some of the memory already.
pub(crate) fn claim(
    state: &State,
    origin: (Site, &'static str),
    memory: Memory,
) -> (Owned, Option<Origin>) {
    Owned::new(state, origin, memory, digest(memory))
}

/// Tells of it.
pub(crate) fn tell(
    state: &State,
    (site, call): (Site, &'static str),
    clash: Option<Origin>,
) -> Mpi {
    clash.map_or(Ok(()), |owner| shared(state, (call, site), owner))
}

/// The operation has completed: whether somebody has written to its buffer meanwhile.
pub(crate) fn end(state: &State, owned: &Owned, memory: Memory) -> bool {
    owned.release(state, memory);
    digest(memory) != owned.digest
}

/// Tells that somebody has.
pub(crate) fn changed(state: &State, site: Site, owned: &Owned) -> Mpi {
    let rank = state.number();
    let message = format!("rank {rank} writes to a buffer that {} still owns", owned.call);
    let sites = vec![
        place(rank, owned.call, owned.site, "the buffer belongs to this operation"),
        place(
            rank,
            site.call_or("wait"),
            site,
            "it was changed before the operation completed here",
        ),
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
        let found = Site::at(found.file, found.line, found.column.max(1));
        place(rank, "program", found, label)
    }));
    report(state, site, message, sites)
}

/// The bytes of parts without gaps: first and last, and each.
fn covered(parts: &[Part]) -> impl Iterator<Item = (i64, i64)> {
    let solid = parts.iter().filter(|part| part.bytes() > 0 && part.datatype.is_contiguous());
    solid.map(range)
}

fn hull(parts: &[Part]) -> Option<(i64, i64)> {
    covered(parts).reduce(|hull, range| (hull.0.min(range.0), hull.1.max(range.1)))
}

/// Whether two buffers of one call share memory. Types with gaps count as disjoint.
pub(crate) fn overlap(from: &[Part], into: &[Part]) -> bool {
    let (Some(sent), Some(received)) = (hull(from), hull(into)) else { return false };
    if sent.0 >= received.1 || received.0 >= sent.1 {
        return false;
    }
    let (from, into) = (joined(covered(from).collect()), joined(covered(into).collect()));
    Runs::of(&from).meet(Runs::of(&into))
}

/// Whether the policy lets the parts of a receive share memory, as MPI libraries do.
#[cold]
pub(crate) fn may_overlap() -> bool {
    State::current().is_some_and(|state| state.policies().differs(Policy::OverlappingReceives))
}

/// Whether two of the parts share memory. Types with gaps count as disjoint.
pub(crate) fn overlaps_itself(parts: &[Part]) -> bool {
    if parts.len() < 2 {
        return false;
    }
    let mut ranges: Vec<(i64, i64)> = covered(parts).collect();
    ranges.sort_unstable();
    ranges.windows(2).any(|pair| pair[1].0 < pair[0].1)
}
