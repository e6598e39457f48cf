//! Memory claimed by pending operations. A new operation is compared one by one with the first few,
//! and among all others with its neighbours in memory only.

mod ordered;

use mpi_api::{check::buffer_conflict::Overlap, finding::CallPlace, object::datatype::Comb};

use self::ordered::{NEAR_MAX, Near, Ordered, Places};
use super::claim::Claim;
use guest::watch::Piece;

/// The bit of a place among the places of both kinds of claims.
#[inline]
fn bit(writes: bool, place: usize) -> u32 {
    1 << (place + if writes { NEAR_MAX } else { 0 })
}

/// Returns the bits of one kind of claims.
#[inline]
fn half(bits: u32, writes: bool) -> u16 {
    (if writes { bits >> NEAR_MAX } else { bits }) as u16
}

/// All claims of a rank. Memory that is only read may be claimed by several operations; only
/// writing operations are checked against such claims.
#[derive(Default)]
pub(crate) struct Claims {
    reading: Ordered,
    writing: Ordered,
    next: u64,
    /// Whether operations own memory alone that they only read, as before MPI 2.2.
    exclusive: bool,
}

impl Claims {
    /// Makes all operations own their memory alone, also that which they only read.
    pub(crate) fn make_exclusive(&mut self) {
        self.exclusive = true;
    }

    /// Reports whether no operation is pending.
    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.reading.is_empty() && self.writing.is_empty()
    }

    /// Reports whether any claim was ever made.
    pub(crate) fn were_made(&self) -> bool {
        self.next > 0
    }

    /// Returns the claimed memory.
    pub(crate) fn pieces(&self) -> impl Iterator<Item = Piece> {
        let of = |kind: &'_ Ordered, writes: bool| {
            let pieces = kind.iter().flat_map(move |claim| {
                let runs = claim.runs();
                let piece = move |(start, end): &(i64, i64)| Piece {
                    start: (runs.base + start) as usize,
                    end: (runs.base + end) as usize,
                    writes,
                    call: claim.by.call,
                    site: claim.by.site,
                    listed: false,
                };
                runs.list.iter().filter(|run| run.0 < run.1).map(piece)
            });
            pieces.collect::<Vec<Piece>>()
        };
        of(&self.writing, true).into_iter().chain(of(&self.reading, false))
    }

    /// Returns the number of the next claim.
    pub(crate) fn next(&self) -> u64 {
        self.next
    }

    /// Reports whether no operation owns these bytes, as far as a use of them would conflict.
    pub(crate) fn leave_free(&self, comb: Option<Comb>, writes: bool) -> bool {
        let Some(comb) = comb else { return true };
        let meets = |claim: &Claim| claim.meets_comb(&comb);
        let met = |kind: &Ordered| kind.meeting(comb.range(), meets).is_some();
        let writes = writes || self.exclusive;
        !(met(&self.writing) || writes && met(&self.reading))
    }

    /// Returns the name and call site of an operation whose claim conflicts with the new one, among
    /// claims with numbers below `below`.
    pub(crate) fn met_by(&self, new: &Claim, writes: bool, below: u64) -> Option<CallPlace> {
        self.meeting(new, writes, below).map(|met| met.by)
    }

    /// Returns what the memory that an operation has claimed last shares with that of an earlier one, if both are ranges.
    /// For findings: it looks at all claims.
    pub(crate) fn overlap(&self, user: CallPlace, owner: CallPlace) -> Option<Overlap> {
        let of_user = self.all().filter(|claim| claim.by == user);
        let used = of_user.max_by_key(|claim| claim.number)?;
        self.overlap_with(used, used.number, owner)
    }

    /// Like [`overlap`](Self::overlap), for memory that is not claimed.
    pub(crate) fn overlap_of(&self, used: &Claim, owner: CallPlace) -> Option<Overlap> {
        self.overlap_with(used, self.next, owner)
    }

    fn all(&self) -> impl Iterator<Item = &Claim> {
        self.reading.iter().chain(self.writing.iter())
    }

    fn overlap_with(&self, used: &Claim, below: u64, owner: CallPlace) -> Option<Overlap> {
        let owned = self
            .all()
            .find(|claim| claim.by == owner && claim.number < below && used.meets(claim))?;
        Overlap::of(owned.whole()?, used.whole()?)
    }

    /// Returns a claim that shares bytes with the new one, if one of the two writes.
    fn meeting(&self, new: &Claim, writes: bool, below: u64) -> Option<&Claim> {
        new.comb?;
        let writes = writes || self.exclusive;
        let meets = |claim: &Claim| new.meets(claim) && claim.number < below;
        let written = self.writing.meeting(new.range(), meets);
        written.or_else(|| writes.then(|| self.reading.meeting(new.range(), meets)).flatten())
    }

    #[inline]
    fn kind(&mut self, writes: bool) -> &mut Ordered {
        if writes || self.exclusive { &mut self.writing } else { &mut self.reading }
    }

    /// Adds the claim of an operation with one part and returns its number, and the origin of another
    /// pending operation whose claim conflicts.
    // Most claims are equal to the last one in their place: they are neither built nor compared, which
    // takes 150 instructions.
    #[inline]
    pub(crate) fn claim(
        &mut self,
        comb: Option<Comb>,
        writes: bool,
        origin: CallPlace,
    ) -> (u64, Option<CallPlace>) {
        let number = self.next;
        self.next += 1;
        let writes = writes || self.exclusive;
        let Some(comb) = comb else { return (number, None) };
        let against = (u32::from(self.writing.taken) << NEAR_MAX)
            | if writes { u32::from(self.reading.taken) } else { 0 };
        let near_only = self.writing.far.is_empty() && self.reading.far.is_empty();
        let kind = self.kind(writes);
        if let Some(place) = kind.free_place()
            && let Some(Near { claim, apart }) = kind.near.get_mut(place)
            && claim.is_of(comb)
            && against & !*apart == 0
            && near_only
        {
            (claim.number, claim.by) = (number, origin);
            kind.taken |= 1 << place;
            return (number, None);
        }
        (number, self.claim_other_bytes(number, comb, writes, origin))
    }

    /// Adds a claim on the bytes of `comb`, and returns the origin of another pending operation whose
    /// claim conflicts: the oldest of those near, or the first of the others in memory, first of those
    /// that write.
    #[inline(never)]
    fn claim_other_bytes(
        &mut self,
        number: u64,
        comb: Comb,
        writes: bool,
        origin: CallPlace,
    ) -> Option<CallPlace> {
        let place = self.kind(writes).free_place();
        let held = place.and_then(|place| self.kind(writes).near.get(place));
        let mut apart = held.filter(|near| near.claim.is_of(comb)).map_or(0, |near| near.apart);
        let mut met = None;
        for side in [true, false] {
            if met.is_none() && (side || writes) {
                met = self.first_meeting(&comb, side, &mut apart);
            }
        }
        let mut claim = Claim::of(Some(comb), origin);
        claim.number = number;
        self.add_at(place, claim, writes);
        if let Some(place) = place {
            self.know_apart(writes, place, apart);
        }
        met
    }

    /// Returns the origin of a claim of one kind that shares a byte with a comb, and adds the places
    /// whose claims do not to `apart`; those in it already are left out.
    fn first_meeting(&self, comb: &Comb, writing: bool, apart: &mut u32) -> Option<CallPlace> {
        let kind = if writing { &self.writing } else { &self.reading };
        let mut oldest: Option<&Claim> = None;
        for place in Places(kind.taken & !half(*apart, writing)) {
            let claim = &kind.near[place].claim;
            if !claim.meets_comb(comb) {
                *apart |= bit(writing, place);
            } else if oldest.is_none_or(|oldest| claim.number < oldest.number) {
                oldest = Some(claim);
            }
        }
        let met = oldest.or_else(|| kind.meeting_far(comb.range(), |claim| claim.meets_comb(comb)));
        met.map(|met| met.by)
    }

    /// Notes that a claim shares no byte with those in the places of `apart`.
    fn know_apart(&mut self, writes: bool, place: usize, apart: u32) {
        self.kind(writes).near[place].apart = apart;
        for side in [true, false] {
            for other in Places(half(apart, side)) {
                self.kind(side).near[other].apart |= bit(writes, place);
            }
        }
    }

    /// Puts a claim into a place, or beyond all places if there is none. Nothing is known of its bytes.
    fn add_at(&mut self, place: Option<usize>, claim: Claim, writes: bool) {
        let kind = self.kind(writes);
        let Some(place) = place else { return kind.add_far(claim) };
        kind.taken |= 1 << place;
        let near = Near { claim, apart: 0 };
        match kind.near.get_mut(place) {
            Some(free) => *free = near,
            None => return kind.near.push(near),
        }
        for near in self.writing.near.iter_mut().chain(&mut self.reading.near) {
            near.apart &= !bit(writes, place);
        }
    }

    /// Adds a claim. The claims of one operation get consecutive numbers.
    #[inline]
    pub(crate) fn add(&mut self, mut claim: Claim, writes: bool) {
        claim.number = self.next;
        self.next += 1;
        if claim.comb.is_some() {
            let place = self.kind(writes).free_place();
            self.add_at(place, claim, writes);
        }
    }

    /// Removes the claim with this number; `start` computes its first byte.
    #[inline]
    pub(crate) fn remove(&mut self, number: u64, start: impl Fn() -> i64, writes: bool) {
        self.kind(writes).remove(number, start);
    }
}

#[cfg(test)]
mod tests {
    use mpi_api::{
        call::Site,
        object::{datatype::Datatype, signature::Primitive},
    };
    use proptest::prelude::*;

    use super::*;
    use crate::function::transfer::Part;

    /// A column of a matrix with four rows of ten bytes, or a block.
    fn bytes(at: i64, strided: bool) -> Option<Comb> {
        if !strided {
            return Comb::block(at, at + 4);
        }
        let byte = Datatype::predefined(Primitive::Byte);
        Datatype::vector(4, 1, 10, &byte).expect("a datatype").comb(at, 1)
    }

    proptest! {
        /// Claims on the same bytes again and again, which are not compared with each other again.
        #[test]
        fn what_is_known_of_places_changes_nothing(
            steps in prop::collection::vec((0..12_i64, any::<[bool; 3]>(), 0..64_usize), 1..200),
        ) {
            let (mut claims, mut open) = (Claims::default(), Vec::new());
            for (step, (at, [strided, writes, ends], which)) in (1..).zip(steps) {
                if ends && !open.is_empty() {
                    let (number, at, writes) = open.swap_remove(which % open.len());
                    claims.remove(number, || at, writes);
                    continue;
                }
                let (comb, origin) = (bytes(at, strided), CallPlace { call: "MPI_Isend", site: Site::at("x.c", step, 1) });
                let new = Claim::of(comb, origin);
                let met = claims.met_by(&new, writes, claims.next());
                if which == 0 {
                    open.push((claims.next(), at, writes));
                    claims.add(new, writes);
                    continue;
                }
                let (number, found) = claims.claim(comb, writes, origin);
                prop_assert_eq!(found, met);
                open.push((number, at, writes));
            }
        }

        #[test]
        fn claims_of_combs_meet_as_claims_of_parts_do(
            blocks in prop::collection::vec((0..200_i64, 1..30_i64, any::<[bool; 2]>()), 1..60),
        ) {
            let mut claims = Claims::default();
            for (at, length, [writes, ends]) in blocks {
                let comb = Comb::block(at, at + length);
                let meets = claims.met_by(&claim(at, at + length), writes, claims.next()).is_some();
                prop_assert_eq!(claims.leave_free(comb, writes), !meets);
                let (number, met) = claims.claim(comb, writes, CallPlace { call: "MPI_Isend", site: Site::here() });
                prop_assert_eq!(met.is_some(), meets);
                if ends {
                    claims.remove(number, || at, writes);
                }
            }
        }
    }

    fn claim(start: i64, end: i64) -> Claim {
        let datatype = Datatype::predefined(Primitive::Byte);
        let part = Part { address: start as usize, count: end - start, datatype };
        Claim::new((start, end), &part, CallPlace { call: "MPI_Isend", site: Site::here() })
    }

    #[test]
    fn claims_meet_where_they_share_bytes_and_one_writes() {
        let mut claims = Claims::default();
        claims.add(claim(0, 1000), false);
        claims.add(claim(2000, 2010), false);
        let written = claims.next();
        claims.add(claim(3000, 3010), true);
        let meets = |claims: &Claims, (start, end), writes| {
            claims.met_by(&claim(start, end), writes, claims.next()).is_some()
        };
        assert!(meets(&claims, (900, 901), true), "inside a long range that begins far before");
        assert!(!meets(&claims, (900, 901), false), "two readers");
        assert!(!meets(&claims, (1000, 2000), true), "between the two");
        assert!(meets(&claims, (2990, 3001), false), "a reader and a writer");
        assert!(!meets(&claims, (3005, 3005), true), "no bytes");
        claims.add(claim(2995, 2995), true);
        assert!(!meets(&claims, (2990, 2999), true), "no bytes of the other");
        assert!(
            claims.met_by(&claim(3000, 3001), true, written).is_none(),
            "of the same operation"
        );
        claims.remove(written, || 3000, true);
        assert!(!meets(&claims, (2990, 3011), false), "it is over");
    }

    #[test]
    fn columns_of_a_matrix_do_not_meet() {
        let column = |first: i64| {
            let byte = Datatype::predefined(Primitive::Byte);
            let datatype = Datatype::vector(4, 1, 10, &byte).expect("a datatype");
            let part = Part { address: first as usize, count: 1, datatype };
            Claim::new(
                (first, first + 31),
                &part,
                CallPlace { call: "MPI_Irecv", site: Site::here() },
            )
        };
        let mut claims = Claims::default();
        claims.add(column(0), true);
        let meeting = |claims: &Claims, new: &Claim| {
            claims.meeting(new, true, claims.next()).map(Claim::range)
        };
        assert!(meeting(&claims, &column(1)).is_none());
        assert!(meeting(&claims, &column(10)).is_some(), "rows 2 to 4 of the same column");
        assert!(meeting(&claims, &claim(1, 10)).is_none(), "the rest of a row");
        assert!(meeting(&claims, &claim(11, 21)).is_some());
        // Three columns of two rows, interleaved in memory.
        let byte = Datatype::predefined(Primitive::Byte);
        let two = Datatype::vector(2, 1, 10, &byte).expect("a datatype");
        let datatype = two.resized(0, 1).expect("a datatype");
        let part = Part { address: 5, count: 3, datatype };
        let several =
            Claim::new((5, 18), &part, CallPlace { call: "MPI_Irecv", site: Site::here() });
        assert!(meeting(&claims, &several).is_none());
        claims.add(several, true);
        assert!(meeting(&claims, &claim(8, 15)) == Some((0, 31)));
        assert!(meeting(&claims, &claim(1, 5)).is_none());
        assert!(meeting(&claims, &column(7)).is_some());
    }
}
