//! A map with room for one entry in place and a list of a few. Most ranks send to one partner at a
//! time and have one receive posted: their entry costs no cache line of its own. Most other ranks
//! have a handful of entries, among which a linear search is cheaper than hashing.

use std::hash::Hash;

use rustc_hash::FxHashMap;

/// Maximum length of the list: that many entries fit a few cache lines. A rank has as many partners in
/// collectives among a million ranks.
const FEW_MAX: usize = 20;

/// Length of a list for which there is memory at first.
const FEW_MIN: usize = 4;

/// A map that keeps its first entry in place, a few in a list, and all others in a hash map.
pub(crate) struct FirstMap<K, V> {
    first: Option<(K, V)>,
    /// Position in the list after that of the entry that [`FirstMap::or_default`] found there last:
    /// programs go through their partners in the same order again and again.
    upcoming: u32,
    few: Vec<(K, V)>,
    others: Option<Box<FxHashMap<K, V>>>,
}

impl<K, V> Default for FirstMap<K, V> {
    fn default() -> Self {
        Self { first: None, upcoming: 0, few: Vec::new(), others: None }
    }
}

impl<K: Eq + Hash, V> FirstMap<K, V> {
    #[inline]
    pub(crate) fn get(&self, key: &K) -> Option<&V> {
        if let Some((first, value)) = &self.first
            && first == key
        {
            return Some(value);
        }
        match self.few.iter().find(|(known, _)| known == key) {
            Some((_, value)) => Some(value),
            None => self.others.as_ref()?.get(key),
        }
    }

    /// Returns all values, in no order that means anything.
    pub(crate) fn values(&self) -> impl Iterator<Item = &V> {
        let near = self.first.iter().chain(&self.few).map(|(_, value)| value);
        near.chain(self.others.iter().flat_map(|others| others.values()))
    }

    /// Prefetches the list.
    pub(crate) fn prefetch(&self) {
        self.few
            .chunks(64 / size_of::<(K, V)>().max(1))
            .for_each(|line| sim_core::prefetch(&line[0]));
    }

    #[inline]
    pub(crate) fn get_mut(&mut self, key: &K) -> Option<&mut V> {
        if let Some((first, value)) = &mut self.first
            && first == key
        {
            return Some(value);
        }
        match self.few.iter_mut().find(|(known, _)| known == key) {
            Some((_, value)) => Some(value),
            None => self.others.as_mut()?.get_mut(key),
        }
    }

    /// Adds an entry; its key must not be present.
    #[inline]
    pub(crate) fn insert_new(&mut self, key: K, value: V) {
        if self.first.is_none() {
            self.first = Some((key, value));
        } else if self.few.len() < FEW_MAX {
            self.few.push((key, value));
        } else {
            self.others.get_or_insert_default().insert(key, value);
        }
    }

    /// Returns the value of a key, inserting the default if it is absent.
    // The partner of last time, or the one after it, is found without a call: 16 instructions, twice a
    // message.
    #[inline(always)]
    pub(crate) fn or_default(&mut self, key: K) -> &mut V
    where
        V: Default,
        K: Copy,
    {
        if matches!(&self.first, Some((first, _)) if *first == key) {
            return &mut self.first.get_or_insert_with(|| (key, V::default())).1;
        }
        let upcoming = self.upcoming as usize;
        if self.few.get(upcoming).is_some_and(|(known, _)| *known == key) {
            self.upcoming += 1;
            return &mut self.few[upcoming].1;
        }
        self.or_default_of_others(key)
    }

    #[inline(never)]
    fn or_default_of_others(&mut self, key: K) -> &mut V
    where
        V: Default,
        K: Copy,
    {
        if let Some(place) = self.few.iter().position(|(known, _)| *known == key) {
            // Entries that are needed one after the other are brought together.
            let place = match self.upcoming as usize {
                upcoming if upcoming < place => {
                    self.few.swap(place, upcoming);
                    upcoming
                }
                _ => place,
            };
            self.upcoming = place as u32 + 1;
            return &mut self.few[place].1;
        }
        if self.first.is_none() && self.few.is_empty() && self.others.is_none() {
            return &mut self.first.insert((key, V::default())).1;
        }
        if self.few.len() < FEW_MAX && self.others.is_none() {
            // A list that grows at all mostly grows to its full length: it moves once.
            if self.few.len() == self.few.capacity() {
                let more = if self.few.is_empty() { FEW_MIN } else { FEW_MAX - self.few.len() };
                self.few.reserve_exact(more);
            }
            self.few.push((key, V::default()));
            self.upcoming = self.few.len() as u32;
            return &mut self.few.last_mut().expect("it was just added").1;
        }
        self.others.get_or_insert_default().entry(key).or_default()
    }

    pub(crate) fn remove(&mut self, key: &K) {
        self.remove_if(key, |_| true);
    }

    /// Removes an entry if `is` returns true for its value, which `is` may also change. Finds it once for
    /// both.
    #[inline]
    pub(crate) fn remove_if(&mut self, key: &K, is: impl FnOnce(&mut V) -> bool) {
        if let Some((first, value)) = &mut self.first
            && first == key
        {
            if is(value) {
                self.first = None;
            }
        } else if let Some(place) = self.few.iter().position(|(known, _)| known == key) {
            if is(&mut self.few[place].1) {
                self.few.swap_remove(place);
            }
        } else if let Some(others) = &mut self.others
            && others.get_mut(key).is_some_and(is)
        {
            others.remove(key);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn it_is_a_map(steps in prop::collection::vec((0..40_u32, 0..3_u8), 0..200)) {
            let (mut ours, mut theirs) = (FirstMap::default(), BTreeMap::new());
            for (step, (key, what)) in steps.into_iter().enumerate() {
                match what {
                    0 => {
                        *ours.or_default(key) += step;
                        *theirs.entry(key).or_default() += step;
                    }
                    1 if !theirs.contains_key(&key) => {
                        ours.insert_new(key, step);
                        theirs.insert(key, step);
                    }
                    _ => {
                        ours.remove(&key);
                        theirs.remove(&key);
                    }
                }
                let sorted = |mut values: Vec<usize>| {
                    values.sort_unstable();
                    values
                };
                let all = sorted(ours.values().copied().collect());
                prop_assert_eq!(all, sorted(theirs.values().copied().collect()));
                for key in 0..40 {
                    prop_assert_eq!(ours.get(&key), theirs.get(&key));
                    prop_assert_eq!(ours.get_mut(&key), theirs.get_mut(&key));
                }
            }
        }
    }
}
