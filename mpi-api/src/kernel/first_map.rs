//! A map with room for one entry in place. Most ranks send to one partner at a time and have
//! one receive posted: their entry costs no cache line of its own.

use std::hash::Hash;

use rustc_hash::FxHashMap;

/// At most one entry in place, all others behind.
pub(crate) struct FirstMap<K, V> {
    first: Option<(K, V)>,
    others: Option<Box<FxHashMap<K, V>>>,
}

impl<K, V> Default for FirstMap<K, V> {
    fn default() -> Self {
        Self { first: None, others: None }
    }
}

impl<K: Eq + Hash, V> FirstMap<K, V> {
    #[inline]
    pub(crate) fn get(&self, key: &K) -> Option<&V> {
        match &self.first {
            Some((first, value)) if first == key => Some(value),
            _ => self.others.as_ref()?.get(key),
        }
    }

    #[inline]
    pub(crate) fn get_mut(&mut self, key: &K) -> Option<&mut V> {
        match &mut self.first {
            Some((first, value)) if first == key => Some(value),
            _ => self.others.as_mut()?.get_mut(key),
        }
    }

    /// Adds an entry; there must be none of this key.
    #[inline]
    pub(crate) fn insert_new(&mut self, key: K, value: V) {
        if self.first.is_none() {
            self.first = Some((key, value));
        } else {
            self.others.get_or_insert_default().insert(key, value);
        }
    }

    /// The value of a key, or the default.
    #[inline]
    pub(crate) fn or_default(&mut self, key: K) -> &mut V
    where
        V: Default,
        K: Copy,
    {
        let in_place = match &self.first {
            Some((first, _)) => *first == key,
            None => self.others.as_ref().is_none_or(|others| !others.contains_key(&key)),
        };
        if !in_place {
            return self.others.get_or_insert_default().entry(key).or_default();
        }
        &mut self.first.get_or_insert_with(|| (key, V::default())).1
    }

    #[inline]
    pub(crate) fn remove(&mut self, key: &K) {
        if self.first.take_if(|(first, _)| first == key).is_none()
            && let Some(others) = &mut self.others
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
        fn it_is_a_map(steps in prop::collection::vec((0..5_u32, 0..3_u8), 0..60)) {
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
                for key in 0..5 {
                    prop_assert_eq!(ours.get(&key), theirs.get(&key));
                    prop_assert_eq!(ours.get_mut(&key), theirs.get_mut(&key));
                }
            }
        }
    }
}
