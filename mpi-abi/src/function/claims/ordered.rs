//! [`Ordered`]: claims of one kind, for lookup by bytes and by number.

use std::collections::{BTreeMap, VecDeque, btree_map::Entry};

use crate::function::claim::{Claim, overlap};

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
    /// First byte and end of the claims in all places, used or not, if they have been computed since the last change.
    around_near: Option<(i64, i64)>,
    /// Claims beyond the first [`NEAR_MAX`], by first byte.
    far: BTreeMap<i64, Group>,
    /// Length of the longest range in `far`, and of the longest recent one.
    longest: i64,
    /// First byte and end of the claims in `far` and of recent ones.
    around_far: (i64, i64),
}

/// Claims with the same first byte: a program may use the same memory very often.
struct Group {
    /// The largest end of those that are in it, and of recent ones.
    end: i64,
    /// By number; the usual order in which they are removed.
    claims: VecDeque<Claim>,
}

/// Returns the least range that has the bytes of two.
fn joined(one: (i64, i64), other: (i64, i64)) -> (i64, i64) {
    (one.0.min(other.0), one.1.max(other.1))
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
        if self.is_apart_from_far((start, end)) {
            return None;
        }
        let from = start.saturating_sub(self.longest);
        let groups = self.far.range(from..end).map(|(_, group)| group);
        let mut beside = groups.filter(|group| group.end > start).flat_map(|group| &group.claims);
        beside.find(|claim| meets(claim))
    }

    /// Reports whether bytes in this range are known to be of no claim that is not near.
    #[inline]
    pub(super) fn is_apart_from_far(&self, range: (i64, i64)) -> bool {
        self.far.is_empty() || !overlap(self.around_far, range)
    }

    /// Reports whether bytes in this range are known to be of no claim that is near.
    pub(super) fn is_apart_from_near(&mut self, range: (i64, i64)) -> bool {
        let ranges = || self.near.iter().map(|near| near.claim.range());
        let around = self.around_near.or_else(|| ranges().reduce(joined));
        self.around_near = around;
        around.is_none_or(|around| !overlap(around, range))
    }

    /// Puts a claim into a place. Nothing is known of its bytes. Returns whether others were there before.
    pub(super) fn put(&mut self, place: usize, claim: Claim) -> bool {
        self.taken |= 1 << place;
        self.around_near = None;
        let near = Near { claim, apart: 0 };
        let found = self.near.get_mut(place);
        let is_old = found.is_some();
        match found {
            Some(free) => *free = near,
            None => self.near.push(near),
        }
        is_old
    }

    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.taken == 0 && self.far.is_empty()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Claim> {
        let near = Places(self.taken).map(|place| &self.near[place].claim);
        near.chain(self.far.values().flat_map(|group| &group.claims))
    }

    /// Returns the place for the next claim, if one is free.
    #[inline]
    pub(super) fn free_place(&self) -> Option<usize> {
        let place = self.taken.trailing_ones() as usize;
        (place < NEAR_MAX).then_some(place)
    }

    /// Adds a claim for which there is no place.
    pub(super) fn add_far(&mut self, claim: Claim) {
        let (start, end) = claim.range();
        self.longest = self.longest.max(end.saturating_sub(start));
        self.around_far = match self.far.is_empty() {
            true => (start, end),
            false => joined(self.around_far, (start, end)),
        };
        let alone = || Group { end, claims: VecDeque::with_capacity(1) };
        let group = self.far.entry(start).or_insert_with(alone);
        group.end = group.end.max(end);
        group.claims.push_back(claim);
    }

    #[inline]
    pub(super) fn remove(&mut self, number: u64, start: impl Fn() -> i64) {
        let is = |place: &usize| self.near[*place].claim.number == number;
        if let Some(place) = Places(self.taken).find(is) {
            self.taken &= !(1 << place);
            return;
        }
        if !self.far.is_empty() {
            self.remove_far(number, start());
        }
    }

    fn remove_far(&mut self, number: u64, start: i64) {
        let Entry::Occupied(mut group) = self.far.entry(start) else { return };
        let claims = &mut group.get_mut().claims;
        let Ok(at) = claims.binary_search_by_key(&number, |claim| claim.number) else { return };
        match claims.len() {
            1 => drop(group.remove()),
            _ => drop(claims.remove(at)),
        }
        if self.far.is_empty() {
            self.longest = 0;
        }
    }
}
