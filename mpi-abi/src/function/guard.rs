//! Buffers that operations own (MPI sections 3.7.2 and 3.7.3): a program must not write to a buffer
//! from the start of a nonblocking operation to its completion, nor may two operations own the same
//! memory unless both only read it. For the other threads of a rank that holds for blocking operations, too.
//!
//! In every run, a write is detected by comparing the data at the start and the end of the
//! operation. Accesses that leave no trace (a read, a write of the same value) are detected only in
//! runs that are watched: see `watch`.

use std::{cell::RefCell, slice};

use mpi_api::{
    call::{Payload, ReportCall, Site, Use},
    check::buffer_conflict::{self, Overlap, Pending},
    finding::{CallPlace, Finding},
    object::datatype::{Comb, joined},
    policy::Policy,
};

use super::{
    block::Block,
    bounds::{self, Buffer},
    claim::Claim,
    claims::Claims,
    fingerprint,
    held::Held,
    owned::Owned,
    runs::Runs,
    touch,
    transfer::{self, Part, Parts, SENTINEL_MAX},
};
use crate::{
    constant::class,
    purpose::Purpose,
    state::{Fault, Mpi, State, here},
};
use guest::{
    is_fortran, running,
    watch::{self, Access},
};

/// The memory of an operation.
#[derive(Clone, Copy, Default)]
pub(crate) struct Memory<'a> {
    /// Parts that the operation writes.
    pub(crate) writes: &'a [Part],
    /// Parts that the operation only reads.
    pub(crate) reads: &'a [Part],
}

/// Largest buffer whose data are compared, in bytes.
const WATCHED_MAX: u64 = 1 << 22;

thread_local! {
    /// Scratch memory in which data with gaps are packed for comparison; reused because this
    /// happens often.
    static PACKED: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Returns the digest of a message, equal to that of the part it comes from; `None` if its data were not packed.
#[inline]
pub(crate) fn digest_of(message: &Payload) -> Option<u64> {
    match message {
        Payload::Absent(_) => None,
        Payload::Small(..) | Payload::Heap(_) => Some(digest_of_packed(message.as_slice())),
    }
}

#[inline]
fn digest_of_packed(data: &[u8]) -> u64 {
    if data.len() as u64 <= WATCHED_MAX { fingerprint::extend(0, data) } else { 0 }
}

/// Returns the digest of the data of several blocks.
#[inline(always)]
fn digest_of_blocks(blocks: &[Block]) -> u64 {
    let mut bytes = 0;
    let mut digest = 0;
    for block in blocks {
        bytes += block.bytes as u64;
        if bytes > WATCHED_MAX {
            return 0;
        }
        if block.bytes > 0 {
            digest = fingerprint::extend(digest, block.data());
        }
    }
    digest
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

/// Like [`digest`], for the memory of an operation of the short path.
#[inline]
fn digest_of_comb(comb: Option<Comb>) -> u64 {
    let Some(comb) = comb else { return digest_of_packed(&[]) };
    if comb.bytes() > WATCHED_MAX {
        return 0;
    }
    transfer::fingerprint_of(&comb, |packed| PACKED.with_borrow_mut(|bytes| packed(bytes)))
}

/// Returns the address range that a part touches.
fn range(part: &Part) -> (i64, i64) {
    let span = part.datatype.span(part.count as usize);
    let base = part.address as i64;
    (base.wrapping_add(span.start), base.wrapping_add(span.end))
}

impl<'a> Memory<'a> {
    /// Creates the memory of an operation that only reads `part`.
    pub(crate) fn read(part: &'a Part) -> Self {
        Self { reads: slice::from_ref(part), writes: &[] }
    }

    /// Creates the memory of an operation that writes `part`.
    pub(crate) fn written(part: &'a Part) -> Self {
        Self { writes: slice::from_ref(part), reads: &[] }
    }

    fn parts(self) -> impl Iterator<Item = &'a Part> {
        self.writes.iter().chain(self.reads)
    }

    /// Returns the parts, each with what it is used for.
    fn sides(self) -> impl Iterator<Item = (&'a Part, Purpose)> {
        let writes = self.writes.iter().map(|part| (part, Purpose::Write));
        writes.chain(self.reads.iter().map(|part| (part, Purpose::Read)))
    }
}

impl Owned {
    /// Claims the memory for the operation until [`Owned::release`]. Also returns the origin of
    /// another pending operation whose claim conflicts.
    fn new(
        state: &State,
        origin: CallPlace,
        memory: Memory,
        digest: u64,
    ) -> (Self, Option<CallPlace>) {
        state.claims.change(|claims| {
            let first = claims.next();
            let mut met = None;
            for (part, purpose) in memory.sides() {
                let claim = Claim::new(range(part), part, origin);
                met = met.or_else(|| claims.met_by(&claim, purpose, first));
                claims.add(claim, purpose);
            }
            (Self { digest, by: origin, claims: first }, met)
        })
    }

    /// Like [`Owned::new`], for an operation of the short path.
    #[inline]
    pub(super) fn of_comb(
        state: &State,
        origin: CallPlace,
        (comb, purpose): (Option<Comb>, Purpose),
        digest: Option<u64>,
    ) -> (Self, Option<CallPlace>) {
        let (claims, met) = state.claims.change(|claims| claims.claim(comb, purpose, origin));
        let digest = digest.unwrap_or_else(|| digest_of_comb(comb));
        (Self { digest, by: origin, claims }, met)
    }

    /// Releases the claim of an operation of the short path; false, without any effect, if its
    /// buffer was changed meanwhile.
    #[inline]
    pub(super) fn release_comb(&self, state: &State, comb: Option<Comb>, purpose: Purpose) -> bool {
        if digest_of_comb(comb) != self.digest {
            return false;
        }
        let start = || comb.map_or(0, |comb| comb.range().0);
        state.claims.change(|claims| claims.remove(self.claims, start, purpose));
        true
    }

    /// Like [`Owned::new`], for several blocks, of which the first is written if `fills`, and meets no other.
    #[inline]
    pub(super) fn of_blocks(
        state: &State,
        origin: CallPlace,
        blocks: &[Block],
        fills: bool,
    ) -> (Self, Option<CallPlace>) {
        let digest = digest_of_blocks(blocks);
        state.claims.change(|claims| {
            let (first, mut met) = (claims.next(), None);
            let mut purpose = Purpose::written_if(fills);
            for block in blocks {
                if let Some(comb) = block.comb() {
                    let (_, clash) = claims.claim(Some(comb), purpose, origin);
                    if met.is_none() && clash.is_some() {
                        met = clash;
                    }
                }
                purpose = Purpose::Read;
            }
            (Self { digest, by: origin, claims: first }, met)
        })
    }

    /// Releases the claims on blocks; returns whether their data were changed meanwhile.
    #[inline]
    pub(super) fn release_blocks(&self, state: &State, blocks: &[Block], fills: bool) -> bool {
        state.claims.change(|claims| {
            let (mut number, mut purpose) = (self.claims, Purpose::written_if(fills));
            for block in blocks {
                if block.bytes > 0 {
                    claims.remove(number, || block.address as i64, purpose);
                    number += 1;
                }
                purpose = Purpose::Read;
            }
            claims.give_back(self.claims..number);
        });
        digest_of_blocks(blocks) != self.digest
    }

    /// Gives the numbers of this many claims back, which were released for good.
    pub(super) fn give_back(&self, state: &State, claims: usize) {
        let end = self.claims + claims as u64;
        state.claims.change(|all| all.give_back(self.claims..end));
    }

    /// Releases the claims: the program may use the memory again.
    pub(crate) fn release(&self, state: &State, memory: Memory) {
        state.claims.change(|claims| {
            for (number, (part, purpose)) in (self.claims..).zip(memory.sides()) {
                claims.remove(number, || range(part).0, purpose);
            }
        });
    }
}

/// Returns the origin of a pending operation that conflicts with a use of this memory.
fn clash(claims: &Claims, memory: Memory) -> Option<CallPlace> {
    if claims.is_empty() {
        return None;
    }
    memory
        .sides()
        .find_map(|(part, purpose)| claims.met_by(&bytes_of(part), purpose, claims.next()))
}

/// Reports a conflict as a finding; the run continues.
fn report(state: &State, site: Site, finding: Finding) -> Mpi {
    state.kernel(site, ReportCall::Finding(Box::new(finding))).map(|_| ())
}

/// Reports what the buffers of a call differ in from the objects of the program that hold them, in runs that ask for it; a
/// call in a loop is reported once. A call that reads its data at once compares them before: what is far beyond their object
/// may be in no memory at all, and the signal would end the run with nothing told of the buffer.
#[inline]
pub(crate) fn compare(state: &State, origin: CallPlace, memory: Memory) -> Mpi {
    tell_all(state, origin.site, differing(bounds::find, state, origin, memory))
}

/// Returns which buffers that an earlier call was given have been freed since, in runs that ask for it.
#[inline]
pub(crate) fn freed_since(state: &State, origin: CallPlace, memory: Memory) -> Vec<Finding> {
    differing(bounds::find_freed, state, origin, memory)
}

/// What is looked for in a buffer of a call of this rank.
type Find = fn(u32, CallPlace, Buffer) -> Option<Finding>;

#[inline]
fn differing(find: Find, state: &State, origin: CallPlace, memory: Memory) -> Vec<Finding> {
    let Some(compared) = &state.compared else { return Vec::new() };
    compared.recall();
    let sides = memory.sides().filter(|(part, _)| part.bytes() > 0 && part.address > SENTINEL_MAX);
    let found = sides.filter_map(|(part, purpose)| {
        let Part { address, count, datatype } = part;
        let buffer = Buffer { address: *address, count: *count, datatype, purpose };
        find(state.number(), origin, buffer)
    });
    found.filter(|finding| compared.is_first(finding.code, origin.site)).collect()
}

/// Reports findings, all of which are made before any is told: meanwhile other ranks make calls.
#[inline]
pub(crate) fn tell_all(state: &State, site: Site, found: Vec<Finding>) -> Mpi {
    found.into_iter().try_for_each(|finding| report(state, site, finding))
}

/// Checks the memory of a blocking operation against the pending operations.
#[inline]
pub(crate) fn pass(state: &State, origin: CallPlace, memory: Memory) -> Mpi {
    let clash = clash(&state.claims.read(), memory);
    if let Some(owner) = clash {
        tell_shared(state, origin, owner, |claims| {
            memory.sides().find_map(|(part, _)| claims.overlap_of(&bytes_of(part), owner))
        })?;
    }
    compare(state, origin, memory)?;
    touch::touch(state, origin.site, memory, Use::Write)
}

/// Checks the memory of a blocking operation as [`pass`] does, and executes it. Other threads of the rank run meanwhile: for them
/// the memory belongs to it.
#[inline]
pub(crate) fn during<T>(
    state: &State,
    origin: CallPlace,
    memory: Memory,
    work: impl FnOnce() -> Mpi<T>,
) -> Mpi<T> {
    pass(state, origin, memory)?;
    owning(state, origin, memory, work)
}

/// Executes a blocking operation whose memory is checked already, as [`during`] does.
#[inline]
pub(crate) fn owning<T>(
    state: &State,
    origin: CallPlace,
    memory: Memory,
    work: impl FnOnce() -> Mpi<T>,
) -> Mpi<T> {
    if running::other_threads() == 0 {
        return work();
    }
    // What conflicts has been told, and nobody else changes the data that are read.
    let (owned, _) = Owned::new(state, origin, memory, 0);
    let done = work();
    owned.release(state, memory);
    done
}

/// Checks the memory of a new operation against the pending ones and claims it.
pub(crate) fn begin(state: &State, origin: CallPlace, memory: Memory) -> Mpi<Owned> {
    begin_with(state, origin, memory, digest(memory))
}

/// Like [`begin`], for data whose digest is known.
pub(crate) fn begin_with(
    state: &State,
    origin: CallPlace,
    memory: Memory,
    digest: u64,
) -> Mpi<Owned> {
    own(state, origin, memory, (digest, bounds::find)).map(|(owned, _)| owned)
}

/// Claims memory that the program gives away with its contents, until it gets it back: a buffer that it attaches.
pub(crate) fn keep(state: &State, origin: CallPlace, memory: Memory) -> Mpi<Owned> {
    let (owned, clash) = Owned::new(state, origin, memory, 0);
    tell(state, origin, clash)?;
    Ok(owned)
}

/// Like [`begin`]; also returns whether a pending operation conflicts.
pub(crate) fn begin_among(state: &State, origin: CallPlace, memory: Memory) -> Mpi<(Owned, bool)> {
    own(state, origin, memory, (digest(memory), bounds::find))
}

fn own(
    state: &State,
    origin: CallPlace,
    memory: Memory,
    (digest, find): (u64, Find),
) -> Mpi<(Owned, bool)> {
    let (owned, clash) = Owned::new(state, origin, memory, digest);
    let clashes = clash.is_some();
    tell(state, origin, clash)?;
    tell_all(state, origin.site, differing(find, state, origin, memory))?;
    touch::touch(state, origin.site, memory, Use::Fill)?;
    Ok((owned, clashes))
}

/// Like [`begin`], for a buffer that was compared with the objects of the program when its request was made: it may only have
/// been freed since.
pub(crate) fn begin_again(state: &State, origin: CallPlace, memory: Memory) -> Mpi<Owned> {
    own(state, origin, memory, (digest(memory), bounds::find_freed)).map(|(owned, _)| owned)
}

/// Like [`begin`], but returns the conflicting operation instead of reporting it.
pub(crate) fn claim(
    state: &State,
    origin: CallPlace,
    memory: Memory,
) -> (Owned, Option<CallPlace>) {
    Owned::new(state, origin, memory, digest(memory))
}

/// Returns the operation that a call has started, of the kind that the section of the standard about its function says.
fn pending(by: CallPlace) -> Pending {
    let section = mpi_functions::section_of(by.call).unwrap_or_default();
    let kind = match section {
        "3.6" => buffer_conflict::Owner::Attached,
        "14.4.5" => buffer_conflict::Owner::SplitAccess,
        _ if section.starts_with("4.") => buffer_conflict::Owner::Partitions,
        _ if section.starts_with("12.") => buffer_conflict::Owner::Access,
        _ if section.starts_with("14.") => buffer_conflict::Owner::FileAccess,
        _ => buffer_conflict::Owner::Communication,
    };
    Pending { kind, by }
}

/// Reports the conflict that [`claim`] returned, if any.
pub(crate) fn tell(state: &State, origin: CallPlace, clash: Option<CallPlace>) -> Mpi {
    clash.map_or(Ok(()), |owner| {
        tell_shared(state, origin, owner, |claims| claims.overlap(origin, owner))
    })
}

/// Reports that an operation uses memory of a pending one; `overlap` returns what they share.
#[cold]
#[inline(never)]
fn tell_shared(
    state: &State,
    origin: CallPlace,
    owner: CallPlace,
    overlap: impl FnOnce(&Claims) -> Option<Overlap>,
) -> Mpi {
    let is_new = state.claims.is_new_conflict(origin, owner);
    let overlap = is_new.then(|| overlap(&state.claims.read())).flatten();
    report(
        state,
        origin.site,
        buffer_conflict::shared(state.number(), origin, pending(owner), overlap),
    )
}

/// Releases the memory of a completed operation; returns whether its buffer was changed meanwhile.
pub(crate) fn end(state: &State, owned: &Owned, memory: Memory) -> bool {
    owned.release(state, memory);
    digest(memory) != owned.digest
}

/// Reports that the program changed a buffer that an operation owned, unless another operation that was told to use
/// the buffer explains the change.
pub(crate) fn changed(state: &State, site: Site, owned: &Owned) -> Mpi {
    if state.claims.has_conflict_with(owned.by) {
        return Ok(());
    }
    let owner = pending(owned.by);
    let completed = CallPlace::at(site, "wait");
    report(state, site, buffer_conflict::changed(state.number(), owner, completed))
}

impl Held {
    /// Takes over arrays of arguments; `None` if there are none.
    pub(super) fn new(by: CallPlace, arrays: Parts) -> Option<Box<Self>> {
        let digest = digest(Memory { reads: &arrays, writes: &[] });
        (!arrays.is_empty()).then(|| Box::new(Self { arrays, digest, by }))
    }

    /// Returns the finding that the program has changed one of the arrays, as a call finds that is made now.
    pub(super) fn changed(&self, state: &State, now: CallPlace) -> Option<Finding> {
        let reads = Memory { reads: &self.arrays, writes: &[] };
        (digest(reads) != self.digest)
            .then(|| buffer_conflict::changed_argument(state.number(), self.by, now))
    }
}

/// Reports that the program accessed memory that an operation owns.
pub(crate) fn touched(state: &State, site: Site, access: &Access) -> Mpi {
    let owner = CallPlace { call: access.piece.call, site: access.piece.site };
    // The statement of a call uses the buffer again only to copy it back and to release it.
    let is_same = |place: Site| (place.file, place.line) == (owner.site.file, owner.site.line);
    if access.place.is_some_and(|place| is_same(place) && is_fortran(place.file)) {
        return report(state, site, buffer_conflict::copied(state.number(), owner));
    }
    // Who releases an attached buffer is told to have it detached, at the end of MPI or when it is.
    if access.touch == watch::Touch::Frees && state.is_attached(access.piece.start) {
        return Ok(());
    }
    let touch = match access.touch {
        watch::Touch::Reads => buffer_conflict::Touch::Reads,
        watch::Touch::Writes => buffer_conflict::Touch::Writes,
        watch::Touch::Frees => buffer_conflict::Touch::Frees,
    };
    report(
        state,
        site,
        buffer_conflict::touched(state.number(), pending(owner), touch, access.place),
    )
}

/// Reports that the program frees memory, by address and size, that an operation owns.
pub(crate) fn freed(state: &State, site: Site, (start, bytes): (usize, usize)) -> Mpi {
    // As where the program releases it by a function of the C library.
    if state.is_attached(start) {
        return Ok(());
    }
    let by = CallPlace::at(site, "MPI_Free_mem");
    let freed = Claim::of(Comb::block(start as i64, (start + bytes) as i64), by);
    let owner = state.claims.read().met_by(&freed, Purpose::Write, u64::MAX);
    owner.map_or(Ok(()), |owner| {
        let (owner, touch) = (pending(owner), buffer_conflict::Touch::Frees);
        report(state, site, buffer_conflict::touched(state.number(), owner, touch, Some(site)))
    })
}

/// Returns the address ranges of parts without gaps: the whole range first, then each part.
fn covered(parts: &[Part]) -> impl Iterator<Item = (i64, i64)> {
    let solid = parts.iter().filter(|part| part.bytes() > 0 && part.datatype.is_contiguous());
    solid.map(range)
}

fn hull(parts: &[Part]) -> Option<(i64, i64)> {
    covered(parts).reduce(|hull, range| (hull.0.min(range.0), hull.1.max(range.1)))
}

/// Most pairs of parts with gaps that are compared in one call.
const PAIRS_MAX: usize = 1024;

fn has_gaps(part: &Part) -> bool {
    part.bytes() > 0 && !part.datatype.is_contiguous()
}

/// Returns the bytes of a part, which no operation owns yet.
fn bytes_of(part: &Part) -> Claim {
    Claim::new(range(part), part, CallPlace { call: "", site: Site::NOWHERE })
}

/// Returns the bytes of each of the parts that have any.
fn all_bytes(parts: &[Part]) -> Vec<Claim> {
    parts.iter().filter(|part| part.bytes() > 0).map(bytes_of).collect()
}

/// Reports whether two buffers of one call overlap.
pub(crate) fn overlap(from: &[Part], into: &[Part]) -> bool {
    if solid_overlap(from, into) {
        return true;
    }
    if from.len() * into.len() > PAIRS_MAX || !from.iter().chain(into).any(has_gaps) {
        return false;
    }
    let (from, into) = (all_bytes(from), all_bytes(into));
    from.iter().any(|sent| into.iter().any(|received| sent.meets(received)))
}

/// Reports whether parts without gaps overlap.
fn solid_overlap(from: &[Part], into: &[Part]) -> bool {
    let (Some(sent), Some(received)) = (hull(from), hull(into)) else { return false };
    if sent.0 >= received.1 || received.0 >= sent.1 {
        return false;
    }
    let (from, into) = (joined(covered(from).collect()), joined(covered(into).collect()));
    Runs::of(&from).meet(Runs::of(&into))
}

/// Returns the error that buffers of one call overlap. Perhaps they do since one of them is longer than its memory: that is
/// told first.
#[cold]
pub(crate) fn overlapping(from: &[Part], into: &[Part], text: &str) -> Fault {
    if let Some(state) = State::current() {
        let site = here();
        let memory = Memory { writes: into, reads: from };
        if let Err(fault) = compare(state, CallPlace::at(site, "a call"), memory) {
            return fault;
        }
    }
    Fault::new(class::BUFFER, text)
}

/// Reports whether the policy lets the parts of a receive overlap, as MPI libraries do.
#[cold]
pub(crate) fn may_overlap() -> bool {
    State::current().is_some_and(|state| state.policies().differs(Policy::OverlappingReceives))
}

/// Reports whether two of the parts overlap, or entries of one of them.
pub(crate) fn overlaps_itself(parts: &[Part]) -> bool {
    if parts.iter().any(|part| part.datatype.overlaps(part.count as u64)) {
        return true;
    }
    if parts.len() < 2 {
        return false;
    }
    if parts.len() * parts.len() <= PAIRS_MAX && parts.iter().any(has_gaps) {
        let all = all_bytes(parts);
        return (1..all.len()).any(|at| all[..at].iter().any(|other| all[at].meets(other)));
    }
    let mut ranges: Vec<(i64, i64)> = covered(parts).collect();
    ranges.sort_unstable();
    ranges.windows(2).any(|pair| pair[1].0 < pair[0].1)
}

#[cfg(test)]
mod tests {
    use buffer_conflict::Owner;

    use super::*;

    #[test]
    fn the_function_tells_the_kind_of_the_operation() {
        for (function, kind) in [
            ("MPI_Isend", Owner::Communication),
            ("MPI_Iallreduce", Owner::Communication),
            ("MPI_Get_c", Owner::Access),
            ("MPI_Rput", Owner::Access),
            ("MPI_Compare_and_swap", Owner::Access),
            ("MPI_File_iwrite_at", Owner::FileAccess),
            ("MPI_File_read_all_begin", Owner::SplitAccess),
            ("MPI_Precv_init", Owner::Partitions),
            ("mpi_buffer_attach_c", Owner::Attached),
            ("MPI_Session_attach_buffer", Owner::Attached),
        ] {
            assert_eq!(
                pending(CallPlace { call: function, site: Site::NOWHERE }).kind,
                kind,
                "{function}"
            );
        }
    }
}
