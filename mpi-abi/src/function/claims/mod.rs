//! Memory claimed by pending operations. A new operation is compared one by one with the first few,
//! and among all others with its neighbours in memory only.

mod ordered;

use std::ops::Range;

use mpi_api::{check::buffer_conflict::Overlap, finding::CallPlace, object::datatype::Comb};

use self::ordered::{NEAR_MAX, Near, Ordered, Places};
use super::claim::Claim;
use crate::purpose::Purpose;
use guest::watch::{Claimed, Piece};

/// Both kinds of claims, in the order in which a new operation is compared with them.
const KINDS: [Claimed; 2] = [Claimed::Exclusive, Claimed::Shared];

/// The bit of a place among the places of both kinds of claims.
#[inline]
fn bit(claimed: Claimed, place: usize) -> u32 {
    match claimed {
        Claimed::Shared => 1 << place,
        Claimed::Exclusive => 1 << (place + NEAR_MAX),
    }
}

/// Returns the bits of one kind of claims.
#[inline]
fn half(bits: u32, claimed: Claimed) -> u16 {
    match claimed {
        Claimed::Shared => bits as u16,
        Claimed::Exclusive => (bits >> NEAR_MAX) as u16,
    }
}

/// Reports whether claims of two kinds on the same memory conflict.
#[inline]
fn conflict(one: Claimed, other: Claimed) -> bool {
    one == Claimed::Exclusive || other == Claimed::Exclusive
}

/// All claims of a rank. Several operations may share memory that they only read; only operations that
/// own memory alone are checked against such claims.
#[derive(Default)]
pub(crate) struct Claims {
    shared: Ordered,
    exclusive: Ordered,
    next: u64,
    /// Whether operations own memory alone that they only read, as before MPI 2.2.
    never_shared: bool,
}

impl Claims {
    /// Makes all operations own their memory alone, also that which they only read.
    pub(crate) fn make_exclusive(&mut self) {
        self.never_shared = true;
    }

    /// Reports whether no operation is pending.
    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.shared.is_empty() && self.exclusive.is_empty()
    }

    /// Reports whether any claim was ever made.
    pub(crate) fn were_made(&self) -> bool {
        self.next > 0
    }

    /// Returns the claimed memory.
    pub(crate) fn pieces(&self) -> impl Iterator<Item = Piece> {
        let of = |claimed: Claimed| {
            let pieces = self.kind(claimed).iter().flat_map(move |claim| {
                let runs = claim.runs();
                let piece = move |(start, end): &(i64, i64)| Piece {
                    start: (runs.base + start) as usize,
                    end: (runs.base + end) as usize,
                    claimed,
                    call: claim.by.call,
                    site: claim.by.site,
                    listed: false,
                };
                runs.list.iter().filter(|run| run.0 < run.1).map(piece)
            });
            pieces.collect::<Vec<Piece>>()
        };
        KINDS.into_iter().flat_map(of)
    }

    /// Returns the number of the next claim.
    pub(crate) fn next(&self) -> u64 {
        self.next
    }

    /// Reports whether no operation owns these bytes, as far as a use of them would conflict.
    pub(crate) fn leave_free(&self, comb: Option<Comb>, purpose: Purpose) -> bool {
        let Some(comb) = comb else { return true };
        let meets = |claim: &Claim| claim.meets_comb(&comb);
        let met = |kind: &Ordered| kind.meeting(comb.range(), meets).is_some();
        !match self.claimed(purpose) {
            Claimed::Shared => met(&self.exclusive),
            Claimed::Exclusive => met(&self.exclusive) || met(&self.shared),
        }
    }

    /// Returns the name and call site of an operation whose claim conflicts with the new one, among
    /// claims with numbers below `below`.
    pub(crate) fn met_by(&self, new: &Claim, purpose: Purpose, below: u64) -> Option<CallPlace> {
        self.meeting(new, purpose, below).map(|met| met.by)
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
        self.shared.iter().chain(self.exclusive.iter())
    }

    fn overlap_with(&self, used: &Claim, below: u64, owner: CallPlace) -> Option<Overlap> {
        let owned = self
            .all()
            .find(|claim| claim.by == owner && claim.number < below && used.meets(claim))?;
        Overlap::of(owned.whole()?, used.whole()?)
    }

    /// Returns a claim that shares bytes with the new one, if one of the two is exclusive.
    fn meeting(&self, new: &Claim, purpose: Purpose, below: u64) -> Option<&Claim> {
        new.comb?;
        let meets = |claim: &Claim| new.meets(claim) && claim.number < below;
        let exclusive = self.exclusive.meeting(new.range(), meets);
        match self.claimed(purpose) {
            Claimed::Shared => exclusive,
            Claimed::Exclusive => exclusive.or_else(|| self.shared.meeting(new.range(), meets)),
        }
    }

    /// Returns how an operation claims memory that it uses for this.
    #[inline]
    fn claimed(&self, purpose: Purpose) -> Claimed {
        match purpose {
            Purpose::Read if !self.never_shared => Claimed::Shared,
            Purpose::Read | Purpose::Write => Claimed::Exclusive,
        }
    }

    #[inline]
    fn kind(&self, claimed: Claimed) -> &Ordered {
        match claimed {
            Claimed::Shared => &self.shared,
            Claimed::Exclusive => &self.exclusive,
        }
    }

    #[inline]
    fn kind_mut(&mut self, claimed: Claimed) -> &mut Ordered {
        match claimed {
            Claimed::Shared => &mut self.shared,
            Claimed::Exclusive => &mut self.exclusive,
        }
    }

    /// Adds the claim of an operation with one part and returns its number, and the origin of another
    /// pending operation whose claim conflicts.
    // Most claims are equal to the last one in their place: they are neither built nor compared, which
    // takes 150 instructions.
    #[inline]
    pub(crate) fn claim(
        &mut self,
        comb: Option<Comb>,
        purpose: Purpose,
        origin: CallPlace,
    ) -> (u64, Option<CallPlace>) {
        let number = self.next;
        self.next += 1;
        let claimed = self.claimed(purpose);
        let Some(comb) = comb else { return (number, None) };
        let against = (u32::from(self.exclusive.taken) << NEAR_MAX)
            | match claimed {
                Claimed::Shared => 0,
                Claimed::Exclusive => u32::from(self.shared.taken),
            };
        let near_only = self.exclusive.is_apart_from_far(comb.range())
            && (claimed == Claimed::Shared || self.shared.is_apart_from_far(comb.range()));
        let kind = self.kind_mut(claimed);
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
        (number, self.claim_other_bytes(number, comb, claimed, origin))
    }

    /// Adds a claim on the bytes of `comb`, and returns the origin of another pending operation whose
    /// claim conflicts: the oldest of those near, or the first of the others in memory, first of those
    /// that are exclusive.
    #[inline(never)]
    fn claim_other_bytes(
        &mut self,
        number: u64,
        comb: Comb,
        claimed: Claimed,
        origin: CallPlace,
    ) -> Option<CallPlace> {
        let place = self.kind(claimed).free_place();
        let held = place.and_then(|place| self.kind(claimed).near.get(place));
        let mut apart = held.filter(|near| near.claim.is_of(comb)).map_or(0, |near| near.apart);
        let mut met = None;
        for other in KINDS {
            if met.is_some() || !conflict(claimed, other) {
                continue;
            }
            // Without a place nothing is learnt of those that are near.
            let far_only = place.is_none() && self.kind_mut(other).is_apart_from_near(comb.range());
            met = match far_only {
                true => self.first_meeting_far(&comb, other),
                false => self.first_meeting(&comb, other, &mut apart),
            };
        }
        let mut claim = Claim::of(Some(comb), origin);
        claim.number = number;
        self.add_at(place, claim, claimed);
        if let Some(place) = place {
            self.know_apart(claimed, place, apart);
        }
        met
    }

    /// Returns the origin of a claim of one kind that shares a byte with a comb, and adds the places
    /// whose claims do not to `apart`; those in it already are left out.
    fn first_meeting(&self, comb: &Comb, claimed: Claimed, apart: &mut u32) -> Option<CallPlace> {
        let kind = self.kind(claimed);
        let mut oldest: Option<&Claim> = None;
        for place in Places(kind.taken & !half(*apart, claimed)) {
            let claim = &kind.near[place].claim;
            if !claim.meets_comb(comb) {
                *apart |= bit(claimed, place);
            } else if oldest.is_none_or(|oldest| claim.number < oldest.number) {
                oldest = Some(claim);
            }
        }
        oldest.map(|met| met.by).or_else(|| self.first_meeting_far(comb, claimed))
    }

    /// Like [`Self::first_meeting`], of the claims that are not near.
    fn first_meeting_far(&self, comb: &Comb, claimed: Claimed) -> Option<CallPlace> {
        let far = self.kind(claimed).meeting_far(comb.range(), |claim| claim.meets_comb(comb));
        far.map(|met| met.by)
    }

    /// Notes that a claim shares no byte with those in the places of `apart`.
    fn know_apart(&mut self, claimed: Claimed, place: usize, apart: u32) {
        self.kind_mut(claimed).near[place].apart = apart;
        for kind in KINDS {
            for other in Places(half(apart, kind)) {
                self.kind_mut(kind).near[other].apart |= bit(claimed, place);
            }
        }
    }

    /// Puts a claim into a place, or beyond all places if there is none. Nothing is known of its bytes.
    fn add_at(&mut self, place: Option<usize>, claim: Claim, claimed: Claimed) {
        let kind = self.kind_mut(claimed);
        let Some(place) = place else { return kind.add_far(claim) };
        if !kind.put(place, claim) {
            return;
        }
        for near in self.exclusive.near.iter_mut().chain(&mut self.shared.near) {
            near.apart &= !bit(claimed, place);
        }
    }

    /// Adds a claim. The claims of one operation get consecutive numbers.
    #[inline]
    pub(crate) fn add(&mut self, mut claim: Claim, purpose: Purpose) {
        claim.number = self.next;
        self.next += 1;
        if claim.comb.is_some() {
            let claimed = self.claimed(purpose);
            let place = self.kind(claimed).free_place();
            self.add_at(place, claim, claimed);
        }
    }

    /// Gives the numbers of an operation whose claims are removed to the next one if they are the last ones: a loop that
    /// starts an operation and completes it is then in the same state again and again.
    #[inline]
    pub(crate) fn give_back(&mut self, numbers: Range<u64>) {
        if numbers.end == self.next {
            // Number 0 is not given again, which says that claims were made.
            self.next = numbers.start.max(1);
        }
    }

    /// Removes the claim with this number; `start` computes its first byte.
    #[inline]
    pub(crate) fn remove(&mut self, number: u64, start: impl Fn() -> i64, purpose: Purpose) {
        self.kind_mut(self.claimed(purpose)).remove(number, start);
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
                    let (number, at, purpose) = open.swap_remove(which % open.len());
                    claims.remove(number, || at, purpose);
                    continue;
                }
                let purpose = Purpose::written_if(writes);
                let origin = CallPlace { call: "MPI_Isend", site: Site::at("x.c", step, 1) };
                let comb = bytes(at, strided);
                let new = Claim::of(comb, origin);
                let met = claims.met_by(&new, purpose, claims.next());
                if which == 0 {
                    open.push((claims.next(), at, purpose));
                    claims.add(new, purpose);
                    continue;
                }
                let (number, found) = claims.claim(comb, purpose, origin);
                prop_assert_eq!(found, met);
                open.push((number, at, purpose));
            }
        }

        #[test]
        fn claims_of_combs_meet_as_claims_of_parts_do(
            blocks in prop::collection::vec((0..200_i64, 1..30_i64, any::<[bool; 2]>()), 1..60),
        ) {
            let mut claims = Claims::default();
            for (at, length, [writes, ends]) in blocks {
                let purpose = Purpose::written_if(writes);
                let comb = Comb::block(at, at + length);
                let meets = claims.met_by(&claim(at, at + length), purpose, claims.next()).is_some();
                prop_assert_eq!(claims.leave_free(comb, purpose), !meets);
                let by = CallPlace { call: "MPI_Isend", site: Site::here() };
                let (number, met) = claims.claim(comb, purpose, by);
                prop_assert_eq!(met.is_some(), meets);
                if ends {
                    claims.remove(number, || at, purpose);
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
        claims.add(claim(0, 1000), Purpose::Read);
        claims.add(claim(2000, 2010), Purpose::Read);
        let written = claims.next();
        claims.add(claim(3000, 3010), Purpose::Write);
        let meets = |claims: &Claims, (start, end), purpose| {
            claims.met_by(&claim(start, end), purpose, claims.next()).is_some()
        };
        assert!(
            meets(&claims, (900, 901), Purpose::Write),
            "inside a long range that begins far before"
        );
        assert!(!meets(&claims, (900, 901), Purpose::Read), "two readers");
        assert!(!meets(&claims, (1000, 2000), Purpose::Write), "between the two");
        assert!(meets(&claims, (2990, 3001), Purpose::Read), "a reader and a writer");
        assert!(!meets(&claims, (3005, 3005), Purpose::Write), "no bytes");
        claims.add(claim(2995, 2995), Purpose::Write);
        assert!(!meets(&claims, (2990, 2999), Purpose::Write), "no bytes of the other");
        assert!(
            claims.met_by(&claim(3000, 3001), Purpose::Write, written).is_none(),
            "of the same operation"
        );
        claims.remove(written, || 3000, Purpose::Write);
        assert!(!meets(&claims, (2990, 3011), Purpose::Read), "it is over");
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
        claims.add(column(0), Purpose::Write);
        let meeting = |claims: &Claims, new: &Claim| {
            claims.meeting(new, Purpose::Write, claims.next()).map(Claim::range)
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
        claims.add(several, Purpose::Write);
        assert!(meeting(&claims, &claim(8, 15)) == Some((0, 31)));
        assert!(meeting(&claims, &claim(1, 5)).is_none());
        assert!(meeting(&claims, &column(7)).is_some());
    }
}
