//! Memory claimed by operations under way, in order of address, so that a new operation is compared
//! with its neighbours only.

use std::{cell::OnceCell, collections::BTreeMap, slice};

use mpi_api::{
    call::Site,
    object::datatype::{SPANS_MAX, joined},
};

use super::transfer::Part;
use crate::watch::Piece;

/// One range of memory and the operation that owns it.
pub(crate) struct Claim {
    /// First byte and end.
    range: (i64, i64),
    part: Part,
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
    pub(crate) fn new(range: (i64, i64), part: &Part, call: &'static str, site: Site) -> Self {
        Self { range, part: part.clone(), call, site, several: OnceCell::new() }
    }

    /// What of the range it really owns; nothing if that is too much to tell.
    fn runs(&self) -> Runs<'_> {
        if self.part.datatype.is_contiguous() {
            return Runs::of(slice::from_ref(&self.range));
        }
        if self.part.count == 1 {
            return Runs { base: self.part.address as i64, list: self.part.datatype.spans() };
        }
        Runs::of(self.several.get_or_init(|| self.of_several()))
    }

    fn of_several(&self) -> Box<[(i64, i64)]> {
        let each = self.part.datatype.spans();
        if each.len() as u64 * self.part.count as u64 > SPANS_MAX {
            return Box::default();
        }
        let extent = self.part.datatype.extent();
        let of_element = |at: i64| {
            let base = self.part.address as i64 + at * extent;
            each.iter().map(move |(start, end)| (base + start, base + end))
        };
        joined((0..self.part.count).flat_map(of_element).collect())
    }
}

/// Claims of one kind by first address and number.
#[derive(Default)]
struct Ordered {
    claims: BTreeMap<(i64, u64), Box<Claim>>,
    /// Longest range among them, and among those of late.
    longest: i64,
}

impl Ordered {
    fn meeting(&self, new: &Claim) -> Option<&Claim> {
        let (start, end) = new.range;
        let first = (start.saturating_sub(self.longest), 0);
        let mut near = self.claims.range(first..(end, 0)).map(|(_, claim)| &**claim);
        near.find(|claim| start < claim.range.1 && new.runs().meet(claim.runs()))
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
        self.reading.claims.is_empty() && self.writing.claims.is_empty()
    }

    /// Whether there ever was an operation.
    pub(crate) fn were_made(&self) -> bool {
        self.next > 0
    }

    /// The memory that is claimed.
    pub(crate) fn pieces(&self) -> impl Iterator<Item = Piece> {
        let of = |kind: &'_ Ordered, writes: bool| {
            let claims: Vec<&Claim> = kind.claims.values().map(Box::as_ref).collect();
            let pieces = claims.into_iter().flat_map(move |claim| {
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

    /// What the first operation is called, and where, that has a claim which one of these must not
    /// meet.
    pub(crate) fn met_by(&self, made: &[Claim], writes: bool) -> Option<(&'static str, Site)> {
        let met = made.iter().find_map(|claim| self.meeting(claim, writes))?;
        Some((met.call, met.site))
    }

    /// A claim that shares bytes with this new one, if one of the two writes.
    pub(crate) fn meeting(&self, new: &Claim, writes: bool) -> Option<&Claim> {
        if new.range.0 >= new.range.1 {
            return None;
        }
        let written = self.writing.meeting(new);
        written.or_else(|| writes.then(|| self.reading.meeting(new)).flatten())
    }

    fn kind(&mut self, writes: bool) -> &mut Ordered {
        if writes { &mut self.writing } else { &mut self.reading }
    }

    /// Adds claims and gives the number of the first.
    pub(crate) fn add(&mut self, claims: impl IntoIterator<Item = Claim>, writes: bool) -> u64 {
        let first = self.next;
        for claim in claims {
            let number = self.next;
            self.next += 1;
            let kind = self.kind(writes);
            let (start, end) = claim.range;
            kind.longest = kind.longest.max(end.saturating_sub(start));
            kind.claims.insert((start, number), Box::new(claim));
        }
        first
    }

    pub(crate) fn remove(&mut self, key: (i64, u64), writes: bool) {
        let kind = self.kind(writes);
        kind.claims.remove(&key);
        if kind.claims.is_empty() {
            kind.longest = 0;
        }
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
        claims.add([claim(0, 1000), claim(2000, 2010)], false);
        let written = claims.add([claim(3000, 3010)], true);
        let meets = |claims: &Claims, (start, end), writes| {
            claims.meeting(&claim(start, end), writes).is_some()
        };
        assert!(meets(&claims, (900, 901), true), "inside a long range that begins far before");
        assert!(!meets(&claims, (900, 901), false), "two readers");
        assert!(!meets(&claims, (1000, 2000), true), "between the two");
        assert!(meets(&claims, (2990, 3001), false), "a reader and a writer");
        assert!(!meets(&claims, (3005, 3005), true), "no bytes");
        claims.remove((3000, written), true);
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
        claims.add([column(0)], true);
        assert!(claims.meeting(&column(1), true).is_none());
        assert!(claims.meeting(&column(10), true).is_some(), "rows 2 to 4 of the same column");
        assert!(claims.meeting(&claim(1, 10), true).is_none(), "the rest of a row");
        assert!(claims.meeting(&claim(11, 21), true).is_some());
        // Three columns of two rows, side by side.
        let byte = Datatype::predefined(Primitive::Byte);
        let two = Datatype::vector(2, 1, 10, &byte).expect("a datatype");
        let datatype = two.resized(0, 1).expect("a datatype");
        let part = Part { address: 5, count: 3, datatype };
        let several = Claim::new((5, 18), &part, "MPI_Irecv", Site::here());
        assert!(claims.meeting(&several, true).is_none());
        claims.add([several], true);
        assert!(claims.meeting(&claim(8, 15), true).is_some_and(|met| met.range == (0, 31)));
        assert!(claims.meeting(&claim(1, 5), true).is_none());
        assert!(claims.meeting(&column(7), true).is_some());
    }
}
