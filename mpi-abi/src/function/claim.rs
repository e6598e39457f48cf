//! Memory claimed by operations under way, in order of address, so that a new operation is compared
//! with its neighbours only.

use std::collections::BTreeMap;

use mpi_api::call::Site;

use super::transfer::Part;

/// One range of memory and the operation that owns it.
pub(crate) struct Claim {
    pub(crate) start: i64,
    pub(crate) end: i64,
    pub(crate) part: Part,
    pub(crate) call: &'static str,
    pub(crate) site: Site,
}

/// Claims of one kind by first address and number.
#[derive(Default)]
struct Ordered {
    claims: BTreeMap<(i64, u64), Claim>,
    /// Longest range among them, and among those of late.
    longest: i64,
}

impl Ordered {
    fn meeting(
        &self,
        (start, end): (i64, i64),
        really: &impl Fn(&Claim) -> bool,
    ) -> Option<&Claim> {
        let first = (start.saturating_sub(self.longest), 0);
        let near = self.claims.range(first..(end, 0));
        near.map(|(_, claim)| claim).find(|claim| start < claim.end && really(claim))
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
    /// A claim that shares bytes with this range, if one of the two writes.
    pub(crate) fn meeting(
        &self,
        range: (i64, i64),
        writes: bool,
        really: impl Fn(&Claim) -> bool,
    ) -> Option<&Claim> {
        if range.0 >= range.1 {
            return None;
        }
        let written = self.writing.meeting(range, &really);
        written.or_else(|| writes.then(|| self.reading.meeting(range, &really)).flatten())
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
        Claim { start, end, part, call: "MPI_Isend", site: Site::here() }
    }

    #[test]
    fn claims_meet_where_they_share_bytes_and_one_writes() {
        let mut claims = Claims::default();
        claims.add([claim(0, 1000), claim(2000, 2010)].into_iter(), false);
        let written = claims.add([claim(3000, 3010)].into_iter(), true);
        let meets =
            |claims: &Claims, range, writes| claims.meeting(range, writes, |_| true).is_some();
        assert!(meets(&claims, (900, 901), true), "inside a long range that begins far before");
        assert!(!meets(&claims, (900, 901), false), "two readers");
        assert!(!meets(&claims, (1000, 2000), true), "between the two");
        assert!(meets(&claims, (2990, 3001), false), "a reader and a writer");
        assert!(!meets(&claims, (3005, 3005), true), "no bytes");
        claims.remove((3000, written), true);
        assert!(!meets(&claims, (2990, 3011), false), "it is over");
    }
}
