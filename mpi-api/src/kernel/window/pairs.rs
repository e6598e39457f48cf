//! [`Pairs`]: the accesses of one rank of a window that are under way, by target.

use std::collections::BTreeMap;

use sim_core::SimTime;

use super::conflict::RecordId;
use crate::{
    call::AccessCompletion,
    kernel::{causality::Clock, first_map::FirstMap},
};

/// The accesses of one rank to another that are under way.
#[derive(Default)]
pub(super) struct Pair {
    /// The target's rank in the window.
    target: u32,
    /// Accesses that are not known to be complete at the target.
    open: u32,
    /// Accesses whose results have not arrived at the origin.
    fetching: u32,
    /// Accesses that have not taken effect.
    pub(super) ahead: u32,
    /// Time at which the network has taken all data.
    taken: SimTime,
    /// Accesses that wait for a synchronisation.
    pub(super) held: Vec<u32>,
    /// Recorded accesses that a synchronisation of their origin will complete.
    pub(super) recorded: Vec<RecordId>,
    /// Recorded accesses whose results have arrived.
    pub(super) answered: Vec<RecordId>,
    /// What the results that have arrived tell the origin.
    pub(super) told: Option<Clock>,
    /// Number of atomic accesses issued, and of those that have taken effect.
    pub(super) atomic: (u64, u64),
    /// Atomic accesses that have overtaken an earlier one in the network.
    pub(super) early: BTreeMap<u64, u32>,
}

/// The accesses of one rank to all others. Each pair has a place, which it keeps: accesses remember it, so that
/// their target is looked up once. Sums over all targets are kept, since a rank may have many.
#[derive(Default)]
pub(super) struct Pairs {
    /// The pairs, in the order of their first accesses.
    list: Vec<Pair>,
    /// One more than the place of each target; 0 if it has none.
    places: FirstMap<u32, u32>,
    open: u32,
    fetching: u32,
    taken: SimTime,
}

impl Pairs {
    /// Returns the place of a target.
    pub(super) fn place(&mut self, target: u32) -> usize {
        let place = self.places.or_default(target);
        if *place == 0 {
            self.list.push(Pair { target, ..Pair::default() });
            *place = self.list.len() as u32;
        }
        *place as usize - 1
    }

    /// Returns the pair at a place.
    pub(super) fn at(&mut self, place: usize) -> &mut Pair {
        &mut self.list[place]
    }

    /// Reports whether an access of the pair at a place waits for a synchronisation.
    pub(super) fn holds(&self, place: usize, flight: u32) -> bool {
        self.list[place].held.contains(&flight)
    }

    /// Returns the pair of a target, if the rank has accessed it.
    pub(super) fn get(&self, target: u32) -> Option<&Pair> {
        let place = self.places.get(&target)?.checked_sub(1)?;
        self.list.get(place as usize)
    }

    /// Returns the pair of a target, or all, in the order of their first accesses.
    pub(super) fn of(&mut self, target: Option<u32>) -> &mut [Pair] {
        let Some(target) = target else { return &mut self.list };
        match self.places.get(&target) {
            Some(place) if *place > 0 => std::slice::from_mut(&mut self.list[*place as usize - 1]),
            _ => &mut [],
        }
    }

    /// Counts an access that starts, and whether it fetches.
    pub(super) fn start(&mut self, place: usize, fetches: bool) -> &mut Pair {
        let pair = &mut self.list[place];
        pair.open += 1;
        pair.ahead += 1;
        self.open += 1;
        pair.fetching += u32::from(fetches);
        self.fetching += u32::from(fetches);
        pair
    }

    /// Counts an access that is complete, and whether it has fetched.
    pub(super) fn end(&mut self, place: usize, fetched: bool) -> &mut Pair {
        let pair = &mut self.list[place];
        pair.open -= 1;
        self.open -= 1;
        pair.fetching -= u32::from(fetched);
        self.fetching -= u32::from(fetched);
        pair
    }

    /// Records when the network takes the data of an access.
    pub(super) fn take(&mut self, place: usize, at: SimTime) {
        let pair = &mut self.list[place];
        pair.taken = pair.taken.max(at);
        self.taken = self.taken.max(at);
    }

    /// Reports whether accesses to a target or to all are complete.
    pub(super) fn are_done(&self, target: Option<u32>, completion: AccessCompletion) -> bool {
        let (open, fetching) = match target {
            None => (self.open, self.fetching),
            Some(target) => self.get(target).map_or((0, 0), |pair| (pair.open, pair.fetching)),
        };
        match completion {
            AccessCompletion::Local => fetching == 0,
            AccessCompletion::Remote => open == 0,
        }
    }

    /// Returns the time at which the network has taken all data for a target or for all.
    pub(super) fn taken(&self, target: Option<u32>) -> SimTime {
        match target {
            None => self.taken,
            Some(target) => self.get(target).map_or(SimTime::ZERO, |pair| pair.taken),
        }
    }

    /// Returns the targets, or one, to which accesses are open, in ascending order.
    pub(super) fn open(&self, target: Option<u32>) -> Vec<u32> {
        let wanted = |pair: &&Pair| target.is_none_or(|target| target == pair.target);
        let open = self.list.iter().filter(wanted).filter(|pair| pair.open > 0);
        let mut open: Vec<u32> = open.map(|pair| pair.target).collect();
        open.sort_unstable();
        open
    }

    /// Takes the accesses that are held to a target or to all, in ascending order of targets.
    pub(super) fn take_held(&mut self, target: Option<u32>) -> Vec<u32> {
        let mut held: Vec<(u32, Vec<u32>)> = Vec::new();
        for pair in self.of(target).iter_mut().filter(|pair| !pair.held.is_empty()) {
            held.push((pair.target, std::mem::take(&mut pair.held)));
        }
        held.sort_unstable_by_key(|(target, _)| *target);
        held.into_iter().flat_map(|(_, held)| held).collect()
    }
}

impl Pair {
    /// Returns the target's rank in the window.
    pub(super) fn target(&self) -> u32 {
        self.target
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(ps: u64) -> SimTime {
        SimTime::from_ps(ps)
    }

    #[test]
    fn sums_are_those_of_the_pairs() {
        let mut pairs = Pairs::default();
        assert!(
            pairs.are_done(None, AccessCompletion::Remote)
                && pairs.are_done(Some(7), AccessCompletion::Remote)
        );
        let places = [7, 2, 7, 40].map(|target| pairs.place(target));
        assert_eq!(places, [0, 1, 0, 2]);
        pairs.start(0, true);
        pairs.start(1, false);
        pairs.take(0, at(5));
        pairs.take(1, at(3));
        assert_eq!(pairs.open(None), [2, 7], "in the order of the targets");
        assert_eq!(pairs.open(Some(7)), [7]);
        assert!(
            pairs.are_done(Some(2), AccessCompletion::Local)
                && !pairs.are_done(Some(2), AccessCompletion::Remote)
        );
        assert!(pairs.are_done(Some(40), AccessCompletion::Remote) && pairs.get(3).is_none());
        assert_eq!([Some(2), Some(9), None].map(|to| pairs.taken(to)), [at(3), at(0), at(5)]);
        pairs.end(0, true);
        assert!(
            pairs.are_done(None, AccessCompletion::Local)
                && !pairs.are_done(None, AccessCompletion::Remote)
        );
        pairs.end(1, false);
        assert!(pairs.are_done(None, AccessCompletion::Remote));
    }

    #[test]
    fn what_is_held_departs_in_the_order_of_targets() {
        let mut pairs = Pairs::default();
        for (target, flight) in [(9, 0), (4, 1), (9, 2), (11, 3)] {
            let place = pairs.place(target);
            pairs.at(place).held.push(flight);
        }
        assert_eq!(pairs.take_held(Some(11)), [3]);
        assert_eq!(pairs.take_held(None), [1, 0, 2]);
        assert!(pairs.take_held(None).is_empty() && pairs.of(Some(5)).is_empty());
        assert_eq!(pairs.of(Some(4))[0].target(), 4);
    }
}
