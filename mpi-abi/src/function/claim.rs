//! Memory claimed by operations under way, in order of address, so that a new operation is compared
//! with its neighbours only.

use std::{cell::OnceCell, collections::BTreeMap};

use mpi_api::call::Site;

use super::transfer::Part;
use crate::watch::Piece;

/// One range of memory and the operation that owns it.
pub(crate) struct Claim {
    start: i64,
    end: i64,
    part: Part,
    pub(crate) call: &'static str,
    pub(crate) site: Site,
    /// What of the range it really owns, in order of address; nothing if that is too much to tell.
    blocks: OnceCell<Box<[(i64, i64)]>>,
}

/// Most blocks of a type that are compared; longer ones count as disjoint.
const BLOCKS_MAX: u64 = 1 << 12;

impl Claim {
    /// Of the operation `call`: a part of memory, and the range it lies in.
    pub(crate) fn new(
        (start, end): (i64, i64),
        part: &Part,
        call: &'static str,
        site: Site,
    ) -> Self {
        Self { start, end, part: part.clone(), call, site, blocks: OnceCell::new() }
    }

    fn blocks(&self) -> &[(i64, i64)] {
        self.blocks.get_or_init(|| {
            if self.part.datatype.is_contiguous() {
                return Box::new([(self.start, self.end)]);
            }
            let each = self.part.datatype.blocks();
            if each.len() as u64 * self.part.count as u64 > BLOCKS_MAX {
                return Box::default();
            }
            let base = self.part.address as i64;
            let extent = self.part.datatype.extent();
            let of_element = |at: i64| {
                each.iter().map(move |(offset, length)| {
                    let start = base + at * extent + offset;
                    (start, start + *length as i64)
                })
            };
            let mut blocks: Vec<_> = (0..self.part.count).flat_map(of_element).collect();
            blocks.sort_unstable();
            blocks.into()
        })
    }

    /// Whether both own a byte, whatever gaps their types have.
    fn shares_bytes_with(&self, other: &Self) -> bool {
        let (mut mine, mut theirs) = (self.blocks(), other.blocks());
        while let ([a, ..], [b, ..]) = (mine, theirs) {
            if a.1 <= b.0 {
                mine = &mine[1..];
            } else if b.1 <= a.0 {
                theirs = &theirs[1..];
            } else {
                return true;
            }
        }
        false
    }
}

/// Claims of one kind by first address and number.
#[derive(Default)]
struct Ordered {
    claims: BTreeMap<(i64, u64), Claim>,
    /// Longest range among them, and among those of late.
    longest: i64,
}

impl Ordered {
    fn meeting(&self, new: &Claim) -> Option<&Claim> {
        let first = (new.start.saturating_sub(self.longest), 0);
        let mut near = self.claims.range(first..(new.end, 0)).map(|(_, claim)| claim);
        near.find(|claim| new.start < claim.end && new.shares_bytes_with(claim))
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
            let claims: Vec<&Claim> = kind.claims.values().collect();
            let pieces = claims.into_iter().flat_map(move |claim| {
                let piece = move |(start, end): &(i64, i64)| Piece {
                    start: *start as usize,
                    end: *end as usize,
                    writes,
                    call: claim.call,
                    site: claim.site,
                };
                claim.blocks().iter().filter(|block| block.0 < block.1).map(piece)
            });
            pieces.collect::<Vec<Piece>>()
        };
        of(&self.writing, true).into_iter().chain(of(&self.reading, false))
    }

    /// A claim that shares bytes with this new one, if one of the two writes.
    pub(crate) fn meeting(&self, new: &Claim, writes: bool) -> Option<&Claim> {
        if new.start >= new.end {
            return None;
        }
        let written = self.writing.meeting(new);
        written.or_else(|| writes.then(|| self.reading.meeting(new)).flatten())
    }

    fn kind(&mut self, writes: bool) -> &mut Ordered {
        if writes { &mut self.writing } else { &mut self.reading }
    }

    /// Adds claims and gives the number of the first.
    pub(crate) fn add(&mut self, claims: impl Iterator<Item = Claim>, writes: bool) -> u64 {
        let first = self.next;
        for claim in claims {
            let number = self.next;
            self.next += 1;
            let kind = self.kind(writes);
            kind.longest = kind.longest.max(claim.end.saturating_sub(claim.start));
            kind.claims.insert((claim.start, number), claim);
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
        claims.add([claim(0, 1000), claim(2000, 2010)].into_iter(), false);
        let written = claims.add([claim(3000, 3010)].into_iter(), true);
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
        claims.add([column(0)].into_iter(), true);
        assert!(claims.meeting(&column(1), true).is_none());
        assert!(claims.meeting(&column(10), true).is_some(), "rows 2 to 4 of the same column");
        assert!(claims.meeting(&claim(1, 10), true).is_none(), "the rest of a row");
        assert!(claims.meeting(&claim(11, 21), true).is_some());
    }
}
