//! [`Ordered`]: claims of one kind, for lookup by bytes and by number.

use std::collections::BTreeMap;

use crate::function::claim::Claim;

/// Up to this many claims are looked at one by one, which suffices for most ranks; a tree pays off
/// only above that.
pub(super) const NEAR_MAX: usize = 16;

/// One of the first claims.
pub(super) struct Near {
    pub(super) claim: Claim,
    /// The places whose claims are known to share no byte with this one, bit by bit as [`Claims`](super::Claims)
    /// numbers them, until other bytes take this place or that one. A program claims the same memory in the same
    /// order again and again: nothing is compared then.
    pub(super) apart: u32,
}

/// The claims of one kind, ordered for lookup.
#[derive(Default)]
pub(super) struct Ordered {
    /// The first claims, in places that are reused.
    pub(super) near: Vec<Near>,
    /// Bit n is set if place n of `near` is in use.
    pub(super) taken: u16,
    /// Claims beyond the first [`NEAR_MAX`], by first address and number.
    pub(super) far: BTreeMap<(i64, u64), Box<Claim>>,
    /// The ranges of those, with the number of claims of each: a program may use the same memory very often.
    ranges: BTreeMap<(i64, i64), u32>,
    /// Length of the longest range in `far`, and of the longest recent one.
    longest: i64,
}

/// The places of the bits that are set.
pub(super) struct Places(pub(super) u16);

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
    pub(super) fn meeting(
        &self,
        range: (i64, i64),
        meets: impl Fn(&Claim) -> bool,
    ) -> Option<&Claim> {
        let near = Places(self.taken).map(|place| &self.near[place].claim);
        let near = near.filter(|claim| meets(claim)).min_by_key(|claim| claim.number);
        near.or_else(|| self.meeting_far(range, meets))
    }

    /// Like [`Ordered::meeting`], of the claims that are not near.
    pub(super) fn meeting_far(
        &self,
        (start, end): (i64, i64),
        meets: impl Fn(&Claim) -> bool,
    ) -> Option<&Claim> {
        if self.far.is_empty() {
            return None;
        }
        let mut from = (start.saturating_sub(self.longest), i64::MIN);
        while let Some((&(first, last), _)) = self.ranges.range(from..(end, i64::MIN)).next() {
            if last <= start {
                from = (first, last + 1);
                continue;
            }
            let mut here =
                self.far.range((first, 0)..=(first, u64::MAX)).map(|(_, claim)| &**claim);
            if let Some(found) = here.find(|claim| meets(claim)) {
                return Some(found);
            }
            from = (first + 1, i64::MIN);
        }
        None
    }

    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.taken == 0 && self.far.is_empty()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Claim> {
        let near = Places(self.taken).map(|place| &self.near[place].claim);
        near.chain(self.far.values().map(Box::as_ref))
    }

    /// Returns the place for the next claim, if one is free.
    #[inline]
    pub(super) fn free_place(&self) -> Option<usize> {
        let place = self.taken.trailing_ones() as usize;
        (place < NEAR_MAX).then_some(place)
    }

    pub(super) fn add_far(&mut self, claim: Claim) {
        let (start, end) = claim.range();
        self.longest = self.longest.max(end.saturating_sub(start));
        *self.ranges.entry((start, end)).or_default() += 1;
        self.far.insert((start, claim.number), Box::new(claim));
    }

    #[inline]
    pub(super) fn remove(&mut self, number: u64, start: impl Fn() -> i64) {
        let is = |place: &usize| self.near[*place].claim.number == number;
        if let Some(place) = Places(self.taken).find(is) {
            self.taken &= !(1 << place);
            return;
        }
        if let Some(removed) = self.far.remove(&(start(), number)) {
            let range = removed.range();
            if let Some(count) = self.ranges.get_mut(&range) {
                *count -= 1;
                if *count == 0 {
                    self.ranges.remove(&range);
                }
            }
        }
        if self.far.is_empty() {
            self.longest = 0;
        }
    }
}
