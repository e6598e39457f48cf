//! Memory claimed by a pending operation.

use std::cell::OnceCell;

use mpi_api::{
    call::Site,
    finding::CallPlace,
    object::datatype::{Comb, SPANS_MAX, joined},
};

use super::{runs::Runs, transfer::Part};

/// One part of memory and the operation that owns it.
pub(crate) struct Claim {
    /// The bytes it owns, or at least the range that they are in; `None` if there are none.
    pub(super) comb: Option<Comb>,
    /// The part whose datatype defines the bytes, if they form no comb.
    part: Option<Box<Part>>,
    /// Position in the order of claims.
    pub(super) number: u64,
    pub(crate) by: CallPlace,
    /// The runs of bytes owned; computed when first needed.
    runs: OnceCell<Box<[(i64, i64)]>>,
}

/// Reports whether two ranges have a byte in common.
#[inline]
pub(super) fn overlap(one: (i64, i64), other: (i64, i64)) -> bool {
    one.0 < other.1 && other.0 < one.1
}

impl Claim {
    /// Creates the claim of the operation `by` on a part of memory that lies in `range`.
    pub(crate) fn new(range: (i64, i64), part: &Part, by: CallPlace) -> Self {
        let dense = part.datatype.is_contiguous();
        let comb = if dense {
            Comb::block(range.0, range.1)
        } else {
            part.datatype.comb(part.address as i64, part.count)
        };
        let comb_or_range = comb.or_else(|| Comb::block(range.0, range.1));
        let part = (!dense && comb.is_none()).then(|| Box::new(part.clone()));
        Self { part, ..Self::of(comb_or_range, by) }
    }

    /// Creates the claim of an operation on the bytes of a comb.
    #[inline]
    pub(crate) fn of(comb: Option<Comb>, by: CallPlace) -> Self {
        Self { comb, part: None, number: 0, by, runs: OnceCell::new() }
    }

    /// Reports whether it owns exactly the bytes of a comb.
    #[inline]
    pub(super) fn is_of(&self, comb: Comb) -> bool {
        self.part.is_none() && self.comb == Some(comb)
    }

    /// Returns the first byte and the end.
    #[inline]
    pub(super) fn range(&self) -> (i64, i64) {
        self.comb.map_or((0, 0), |comb| comb.range())
    }

    /// Returns the first byte and the end if it owns all bytes between them.
    pub(super) fn whole(&self) -> Option<(i64, i64)> {
        let runs = self.runs();
        let [(start, end)] = runs.list else { return None };
        Some((runs.base + start, runs.base + end))
    }

    /// Reports whether two claims share a byte.
    #[inline]
    pub(super) fn meets(&self, other: &Self) -> bool {
        let (Some(own), Some(others)) = (&self.comb, &other.comb) else { return false };
        overlap(own.range(), others.range()) && self.shares_bytes(other)
    }

    /// Like [`Claim::meets`], for an operation that owns exactly the bytes of a comb.
    #[inline]
    pub(super) fn meets_comb(&self, comb: &Comb) -> bool {
        overlap(self.range(), comb.range()) && self.shares_bytes_of(comb)
    }

    fn shares_bytes_of(&self, comb: &Comb) -> bool {
        let by_arithmetic = match (&self.comb, &self.part) {
            (Some(own), None) => own.meets(comb),
            _ => None,
        };
        by_arithmetic.unwrap_or_else(|| {
            self.shares_bytes(&Self::of(Some(*comb), CallPlace { call: "", site: Site::NOWHERE }))
        })
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
    pub(super) fn runs(&self) -> Runs<'_> {
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
