//! Memory claimed by pending operations. A new operation is compared one by one with the first few,
//! and among all others with its neighbours in memory only.

use std::{cell::OnceCell, collections::BTreeMap};

use mpi_api::{
    call::Site,
    object::datatype::{Comb, SPANS_MAX, joined},
};

use super::{runs::Runs, transfer::Part};
use guest::watch::Piece;

/// One part of memory and the operation that owns it.
pub(crate) struct Claim {
    /// The bytes it owns, or at least the range that they are in; `None` if there are none.
    comb: Option<Comb>,
    /// The part whose datatype defines the bytes, if they form no comb.
    part: Option<Box<Part>>,
    /// Position in the order of claims.
    number: u64,
    pub(crate) call: &'static str,
    pub(crate) site: Site,
    /// The runs of bytes owned; computed when first needed.
    runs: OnceCell<Box<[(i64, i64)]>>,
}

impl Claim {
    /// Creates the claim of the operation `call` on a part of memory that lies in `range`.
    pub(crate) fn new(range: (i64, i64), part: &Part, call: &'static str, site: Site) -> Self {
        let dense = part.datatype.is_contiguous();
        let comb = if dense {
            Comb::block(range.0, range.1)
        } else {
            part.datatype.comb(part.address as i64, part.count)
        };
        let comb_or_range = comb.or_else(|| Comb::block(range.0, range.1));
        let part = (!dense && comb.is_none()).then(|| Box::new(part.clone()));
        Self { part, ..Self::of(comb_or_range, (call, site)) }
    }

    /// Creates the claim of an operation on the bytes of a comb.
    #[inline]
    pub(crate) fn of(comb: Option<Comb>, (call, site): (&'static str, Site)) -> Self {
        Self { comb, part: None, number: 0, call, site, runs: OnceCell::new() }
    }

    /// Returns the first byte and the end.
    #[inline]
    fn range(&self) -> (i64, i64) {
        self.comb.map_or((0, 0), |comb| comb.range())
    }

    /// Reports whether two claims share a byte.
    #[inline]
    fn meets(&self, other: &Self) -> bool {
        let (Some(own), Some(others)) = (&self.comb, &other.comb) else { return false };
        let (range, beside) = (own.range(), others.range());
        range.0 < beside.1 && beside.0 < range.1 && self.shares_bytes(other)
    }

    /// Like [`Claim::meets`], for an operation that owns exactly the bytes of a comb.
    #[inline]
    fn meets_comb(&self, comb: &Comb) -> bool {
        let (start, end) = comb.range();
        let own = self.range();
        own.0 < end && start < own.1 && self.shares_bytes_of(comb)
    }

    fn shares_bytes_of(&self, comb: &Comb) -> bool {
        let by_arithmetic = match (&self.comb, &self.part) {
            (Some(own), None) => own.meets(comb),
            _ => None,
        };
        by_arithmetic
            .unwrap_or_else(|| self.shares_bytes(&Self::of(Some(*comb), ("", Site::NOWHERE))))
    }

    /// Reports whether two claims with overlapping ranges share a byte.
    fn shares_bytes(&self, other: &Self) -> bool {
        let by_arithmetic = match (&self.comb, &other.comb, &self.part, &other.part) {
            (Some(own), Some(others), None, None) => own.meets(others),
            _ => None,
        };
        by_arithmetic.unwrap_or_else(|| self.runs().meet(other.runs()))
    }

    /// Returns the runs of bytes that are really owned; empty if there are too many to list.
    fn runs(&self) -> Runs<'_> {
        if let Some(part) = &self.part
            && part.count == 1
        {
            return Runs { base: part.address as i64, list: part.datatype.spans() };
        }
        Runs::of(self.runs.get_or_init(|| self.of_all()))
    }

    fn of_all(&self) -> Box<[(i64, i64)]> {
        let Some(part) = &self.part else {
            return self.comb.map_or_else(Box::default, |comb| comb.runs());
        };
        let each = part.datatype.spans();
        if each.len() as u64 * part.count as u64 > SPANS_MAX {
            return Box::default();
        }
        let extent = part.datatype.extent();
        let of_element = |at: i64| {
            let base = part.address as i64 + at * extent;
            each.iter().map(move |(start, end)| (base + start, base + end))
        };
        joined((0..part.count).flat_map(of_element).collect())
    }
}

/// Up to this many claims are looked at one by one, which suffices for most ranks; a tree pays off
/// only above that.
const NEAR_MAX: usize = 16;

/// Claims of one kind, ordered for lookup.
#[derive(Default)]
struct Ordered {
    /// The first claims, in places that are reused.
    near: Vec<Claim>,
    /// Bit n is set if place n of `near` is in use.
    taken: u16,
    /// Claims beyond the first [`NEAR_MAX`], by first address and number.
    far: BTreeMap<(i64, u64), Box<Claim>>,
    /// Length of the longest range in `far`, and of the longest recent one.
    longest: i64,
}

/// The places of the bits that are set.
struct Places(u16);

impl Iterator for Places {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        let place = self.0.trailing_zeros() as usize;
        (self.0 != 0).then(|| {
            self.0 &= self.0 - 1;
            place
        })
    }
}

impl Ordered {
    /// Returns the oldest of the near claims, or the first of the others in memory, that meets new
    /// bytes in this range.
    #[inline]
    fn meeting(&self, (start, end): (i64, i64), meets: impl Fn(&Claim) -> bool) -> Option<&Claim> {
        let meets = |claim: &&Claim| meets(claim);
        let near = Places(self.taken).map(|place| &self.near[place]).filter(meets);
        let near = near.min_by_key(|claim| claim.number);
        if near.is_some() || self.far.is_empty() {
            return near;
        }
        let first = (start.saturating_sub(self.longest), 0);
        let mut beside = self.far.range(first..(end, 0)).map(|(_, claim)| &**claim);
        beside.find(meets)
    }

    #[inline]
    fn is_empty(&self) -> bool {
        self.taken == 0 && self.far.is_empty()
    }

    fn iter(&self) -> impl Iterator<Item = &Claim> {
        let near = Places(self.taken).map(|place| &self.near[place]);
        near.chain(self.far.values().map(Box::as_ref))
    }

    #[inline]
    fn add(&mut self, claim: Claim) {
        let place = self.taken.trailing_ones() as usize;
        if place == NEAR_MAX {
            let (start, end) = claim.range();
            self.longest = self.longest.max(end.saturating_sub(start));
            self.far.insert((start, claim.number), Box::new(claim));
            return;
        }
        self.taken |= 1 << place;
        match self.near.get_mut(place) {
            Some(free) => *free = claim,
            None => self.near.push(claim),
        }
    }

    /// Adds the claim of an operation that owns the bytes of a comb. It is written where it stays:
    /// a claim is large, and building and moving it takes 80 instructions.
    #[inline]
    fn add_comb(&mut self, comb: Comb, number: u64, origin: (&'static str, Site)) {
        let place = self.taken.trailing_ones() as usize;
        if let Some(free) = self.near.get_mut(place)
            && free.part.is_none()
            && free.runs.get().is_none()
        {
            (free.comb, free.number) = (Some(comb), number);
            (free.call, free.site) = origin;
            self.taken |= 1 << place;
            return;
        }
        self.add(Claim { number, ..Claim::of(Some(comb), origin) });
    }

    #[inline]
    fn remove(&mut self, number: u64, start: impl Fn() -> i64) {
        if let Some(place) = Places(self.taken).find(|place| self.near[*place].number == number) {
            self.taken &= !(1 << place);
            return;
        }
        self.far.remove(&(start(), number));
        if self.far.is_empty() {
            self.longest = 0;
        }
    }
}

/// All claims of a rank. Memory that is only read may be claimed by several operations; only
/// writing operations are checked against such claims.
#[derive(Default)]
pub(crate) struct Claims {
    reading: Ordered,
    writing: Ordered,
    next: u64,
}

impl Claims {
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
                    call: claim.call,
                    site: claim.site,
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
        comb.is_none_or(|comb| self.meeting_comb(&comb, writes).is_none())
    }

    /// Returns the name and call site of an operation whose claim conflicts with the new one, among
    /// claims with numbers below `below`.
    pub(crate) fn met_by(
        &self,
        new: &Claim,
        writes: bool,
        below: u64,
    ) -> Option<(&'static str, Site)> {
        let met = self.meeting(new, writes, below)?;
        Some((met.call, met.site))
    }

    /// Returns a claim that shares bytes with the new one, if one of the two writes.
    fn meeting(&self, new: &Claim, writes: bool, below: u64) -> Option<&Claim> {
        new.comb?;
        let meets = |claim: &Claim| new.meets(claim) && claim.number < below;
        let written = self.writing.meeting(new.range(), meets);
        written.or_else(|| writes.then(|| self.reading.meeting(new.range(), meets)).flatten())
    }

    /// Like [`Claims::meeting`], with all claims, for bytes that form a comb.
    #[inline]
    fn meeting_comb(&self, comb: &Comb, writes: bool) -> Option<&Claim> {
        let meets = |claim: &Claim| claim.meets_comb(comb);
        let written = self.writing.meeting(comb.range(), meets);
        written.or_else(|| writes.then(|| self.reading.meeting(comb.range(), meets)).flatten())
    }

    fn kind(&mut self, writes: bool) -> &mut Ordered {
        if writes { &mut self.writing } else { &mut self.reading }
    }

    /// Adds the claim of an operation with one part and returns its number, and the origin of another
    /// pending operation whose claim conflicts.
    #[inline]
    pub(crate) fn claim(
        &mut self,
        comb: Option<Comb>,
        writes: bool,
        origin: (&'static str, Site),
    ) -> (u64, Option<(&'static str, Site)>) {
        let number = self.next;
        self.next += 1;
        let Some(comb) = comb else { return (number, None) };
        let met = self.meeting_comb(&comb, writes).map(|met| (met.call, met.site));
        self.kind(writes).add_comb(comb, number, origin);
        (number, met)
    }

    /// Adds a claim. The claims of one operation get consecutive numbers.
    #[inline]
    pub(crate) fn add(&mut self, claim: Claim, writes: bool) {
        let number = self.next;
        self.next += 1;
        if claim.comb.is_some() {
            self.kind(writes).add(Claim { number, ..claim });
        }
    }

    /// Removes the claim with this number; `start` computes its first byte.
    pub(crate) fn remove(&mut self, number: u64, start: impl Fn() -> i64, writes: bool) {
        self.kind(writes).remove(number, start);
    }
}

#[cfg(test)]
mod tests {
    use mpi_api::object::{datatype::Datatype, signature::Primitive};
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn claims_of_combs_meet_as_claims_of_parts_do(
            blocks in prop::collection::vec((0..200_i64, 1..30_i64, any::<[bool; 2]>()), 1..60),
        ) {
            let mut claims = Claims::default();
            for (at, length, [writes, ends]) in blocks {
                let comb = Comb::block(at, at + length);
                let meets = claims.met_by(&claim(at, at + length), writes, claims.next()).is_some();
                prop_assert_eq!(claims.leave_free(comb, writes), !meets);
                let (number, met) = claims.claim(comb, writes, ("MPI_Isend", Site::here()));
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
        Claim::new((start, end), &part, "MPI_Isend", Site::here())
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
            Claim::new((first, first + 31), &part, "MPI_Irecv", Site::here())
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
        let several = Claim::new((5, 18), &part, "MPI_Irecv", Site::here());
        assert!(meeting(&claims, &several).is_none());
        claims.add(several, true);
        assert!(meeting(&claims, &claim(8, 15)) == Some((0, 31)));
        assert!(meeting(&claims, &claim(1, 5)).is_none());
        assert!(meeting(&claims, &column(7)).is_some());
    }
}
