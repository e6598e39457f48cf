//! Memory claimed by operations under way. A new operation is compared with the few that came
//! first one by one, and of all others with its neighbours only.

use std::{cell::OnceCell, collections::BTreeMap};

use mpi_api::{
    call::Site,
    object::datatype::{Comb, SPANS_MAX, joined},
};

use super::transfer::Part;
use crate::watch::Piece;

/// The bytes an operation owns.
enum Bytes {
    /// Known well enough to be compared by arithmetic.
    Comb(Comb),
    /// Between the first byte and the end: its part tells which.
    Within(i64, i64),
}

/// One part of memory and the operation that owns it.
pub(crate) struct Claim {
    bytes: Bytes,
    /// Where its data lie, if they have gaps.
    part: Option<Part>,
    /// In order of claiming.
    number: u64,
    pub(crate) call: &'static str,
    pub(crate) site: Site,
    /// What of the range several elements with gaps own, once that was asked for.
    several: OnceCell<Box<[(i64, i64)]>>,
}

/// Runs of bytes in order of address, and where their addresses begin.
#[derive(Clone, Copy)]
pub(super) struct Runs<'a> {
    base: i64,
    list: &'a [(i64, i64)],
}

impl<'a> Runs<'a> {
    /// With addresses as they are.
    pub(super) fn of(list: &'a [(i64, i64)]) -> Self {
        Self { base: 0, list }
    }

    fn first(self) -> Option<(i64, i64)> {
        self.list.first().map(|(start, end)| (self.base + start, self.base + end))
    }

    /// Without the first one, and the others that end at this place or before it.
    fn beyond(self, place: i64) -> Self {
        let place = place - self.base;
        let list = &self.list[1..];
        let next_reaches = list.first().is_none_or(|run| run.1 > place);
        let passed = if next_reaches { 0 } else { list.partition_point(|run| run.1 <= place) };
        Self { list: &list[passed..], ..self }
    }

    /// Whether a byte is in both.
    pub(super) fn meet(mut self, mut other: Self) -> bool {
        while let (Some(a), Some(b)) = (self.first(), other.first()) {
            if a.1 <= b.0 {
                self = self.beyond(b.0);
            } else if b.1 <= a.0 {
                other = other.beyond(a.0);
            } else {
                return true;
            }
        }
        false
    }
}

impl Claim {
    /// Of the operation `call`: a part of memory, and the range it lies in.
    #[inline]
    pub(crate) fn new(range: (i64, i64), part: &Part, call: &'static str, site: Site) -> Self {
        let dense = part.datatype.is_contiguous();
        let comb = if dense {
            Comb::block(range.0, range.1)
        } else {
            part.datatype.comb(part.address as i64, part.count)
        };
        let bytes = comb.map_or(Bytes::Within(range.0, range.1), Bytes::Comb);
        let part = (!dense).then(|| part.clone());
        Self { bytes, part, number: 0, call, site, several: OnceCell::new() }
    }

    /// First byte and end.
    #[inline]
    fn range(&self) -> (i64, i64) {
        match &self.bytes {
            Bytes::Comb(comb) => comb.range(),
            Bytes::Within(start, end) => (*start, *end),
        }
    }

    fn is_empty(&self) -> bool {
        let (start, end) = self.range();
        start >= end
    }

    /// Whether a byte is in both, whose ranges overlap.
    fn meets(&self, other: &Self) -> bool {
        let by_arithmetic = match (&self.bytes, &other.bytes) {
            (Bytes::Comb(own), Bytes::Comb(others)) => own.meets(others),
            _ => None,
        };
        by_arithmetic.unwrap_or_else(|| self.runs().meet(other.runs()))
    }

    /// What of the range it really owns; nothing if that is too much to tell.
    fn runs(&self) -> Runs<'_> {
        if let Some(part) = &self.part
            && part.count == 1
        {
            return Runs { base: part.address as i64, list: part.datatype.spans() };
        }
        Runs::of(self.several.get_or_init(|| self.of_all()))
    }

    fn of_all(&self) -> Box<[(i64, i64)]> {
        let Some(part) = &self.part else { return Box::new([self.range()]) };
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

/// So many claims are looked at one by one: most ranks have no more, and trees cost.
const NEAR_MAX: usize = 16;

/// Claims of one kind.
#[derive(Default)]
struct Ordered {
    near: Vec<Claim>,
    /// Those that found no room there, by first address and number.
    far: BTreeMap<(i64, u64), Box<Claim>>,
    /// Longest range among these, and among those of late.
    longest: i64,
}

impl Ordered {
    /// The claim with a number below this that shares bytes with the new one.
    fn meeting(&self, new: &Claim, below: u64) -> Option<&Claim> {
        let range = new.range();
        let meets = |claim: &&Claim| {
            let other = claim.range();
            range.0 < other.1 && other.0 < range.1 && claim.number < below && new.meets(claim)
        };
        let near = self.near.iter().find(meets);
        if near.is_some() || self.far.is_empty() {
            return near;
        }
        let (start, end) = range;
        let first = (start.saturating_sub(self.longest), 0);
        let mut beside = self.far.range(first..(end, 0)).map(|(_, claim)| &**claim);
        beside.find(meets)
    }

    fn is_empty(&self) -> bool {
        self.near.is_empty() && self.far.is_empty()
    }

    fn iter(&self) -> impl Iterator<Item = &Claim> {
        self.near.iter().chain(self.far.values().map(Box::as_ref))
    }

    fn add(&mut self, claim: Claim) {
        if self.near.len() < NEAR_MAX {
            self.near.push(claim);
            return;
        }
        let (start, end) = claim.range();
        self.longest = self.longest.max(end.saturating_sub(start));
        self.far.insert((start, claim.number), Box::new(claim));
    }

    fn remove(&mut self, number: u64, start: impl Fn() -> i64) {
        if let Some(place) = self.near.iter().position(|claim| claim.number == number) {
            self.near.swap_remove(place);
            return;
        }
        self.far.remove(&(start(), number));
        if self.far.is_empty() {
            self.longest = 0;
        }
    }
}

/// All claims of a rank. Memory that is only read may be claimed many times over, and is looked
/// at by operations that write alone.
#[derive(Default)]
pub(crate) struct Claims {
    reading: Ordered,
    writing: Ordered,
    next: u64,
}

impl Claims {
    /// Whether no operation is under way.
    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.reading.is_empty() && self.writing.is_empty()
    }

    /// Whether there ever was an operation.
    pub(crate) fn were_made(&self) -> bool {
        self.next > 0
    }

    /// The memory that is claimed.
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
                };
                runs.list.iter().filter(|run| run.0 < run.1).map(piece)
            });
            pieces.collect::<Vec<Piece>>()
        };
        of(&self.writing, true).into_iter().chain(of(&self.reading, false))
    }

    /// Number of the next claim.
    pub(crate) fn next(&self) -> u64 {
        self.next
    }

    /// What the operation is called, and where, that has a claim, of those below a number, which
    /// this one must not meet.
    pub(crate) fn met_by(
        &self,
        new: &Claim,
        writes: bool,
        below: u64,
    ) -> Option<(&'static str, Site)> {
        let met = self.meeting(new, writes, below)?;
        Some((met.call, met.site))
    }

    /// A claim that shares bytes with this new one, if one of the two writes.
    fn meeting(&self, new: &Claim, writes: bool, below: u64) -> Option<&Claim> {
        if new.is_empty() {
            return None;
        }
        let written = self.writing.meeting(new, below);
        written.or_else(|| writes.then(|| self.reading.meeting(new, below)).flatten())
    }

    fn kind(&mut self, writes: bool) -> &mut Ordered {
        if writes { &mut self.writing } else { &mut self.reading }
    }

    /// Adds a claim; those of one operation get numbers in order.
    #[inline]
    pub(crate) fn add(&mut self, claim: Claim, writes: bool) {
        let number = self.next;
        self.next += 1;
        if !claim.is_empty() {
            self.kind(writes).add(Claim { number, ..claim });
        }
    }

    /// The claim with this number is over; `start` tells its first byte.
    pub(crate) fn remove(&mut self, number: u64, start: impl Fn() -> i64, writes: bool) {
        self.kind(writes).remove(number, start);
    }
}

#[cfg(test)]
mod tests {
    use mpi_api::object::{datatype::Datatype, signature::Primitive};

    use super::*;

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
        // Three columns of two rows, side by side.
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
