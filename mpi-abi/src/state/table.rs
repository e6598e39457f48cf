//! Tables of objects by handle.

use std::ops::{Deref, DerefMut};

use crate::constant::Handle;

/// Difference between consecutive handles: handles also fit a Fortran integer, and do not look like
/// other values.
const STEP: Handle = 16;
/// Number of empty entries that are kept whatever the number of objects.
const SPARE: usize = 32;

/// Objects of one kind. A handle is not reused before many others have been given out.
///
/// Handles only grow, so that the entries are sorted by handle. Entries of freed objects are
/// removed as soon as they outnumber the others.
pub(crate) struct Table<T> {
    entries: Vec<(Handle, Option<T>)>,
    /// Index of the first entry that is not empty: those before it will be removed together.
    first: usize,
    live: usize,
    next: Handle,
}

impl<T> Table<T> {
    pub(crate) fn new(first: Handle) -> Self {
        Self { entries: Vec::new(), first: 0, live: 0, next: first }
    }

    /// Adds an object whose handle is a constant, larger than those before it.
    pub(crate) fn insert_at(&mut self, handle: Handle, value: T) {
        if self.entries.len() == self.entries.capacity() && self.first > self.entries.len() / 2 {
            self.entries.drain(..self.first);
            self.first = 0;
        }
        self.entries.push((handle, Some(value)));
        self.live += 1;
    }

    pub(crate) fn insert(&mut self, value: T) -> Handle {
        let handle = self.next;
        self.next += STEP;
        self.insert_at(handle, value);
        handle
    }

    fn is_first(&self, handle: Handle) -> bool {
        self.entries.get(self.first).is_some_and(|(there, _)| *there == handle)
    }

    /// Returns the position of a handle: computed from its distance to the last one, unless entries
    /// were removed.
    #[inline]
    fn place(&self, handle: Handle) -> Option<usize> {
        let from_end = self.next.wrapping_sub(handle) / STEP;
        let guess = self.entries.len().wrapping_sub(from_end);
        match self.entries.get(guess) {
            Some((there, _)) if *there == handle => Some(guess),
            // Constants come first: of communicators, the world.
            _ if self.is_first(handle) => Some(self.first),
            _ => self.entries.binary_search_by_key(&handle, |(there, _)| *there).ok(),
        }
    }

    #[inline]
    pub(crate) fn get(&self, handle: Handle) -> Option<&T> {
        self.entries[self.place(handle)?].1.as_ref()
    }

    pub(crate) fn get_mut(&mut self, handle: Handle) -> Option<&mut T> {
        let place = self.place(handle)?;
        self.entries[place].1.as_mut()
    }

    /// Returns all objects with their handles, in order of the handles.
    pub(crate) fn entries(&self) -> impl Iterator<Item = (Handle, &T)> {
        let entries = self.entries[self.first..].iter();
        entries.filter_map(|(handle, value)| Some((*handle, value.as_ref()?)))
    }

    /// Returns all objects in order of their handles.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &T> {
        self.entries[self.first..].iter().filter_map(|(_, value)| value.as_ref())
    }

    /// Returns the handle of the first object for which `is` returns true.
    pub(crate) fn find(&self, is: impl Fn(&T) -> bool) -> Option<Handle> {
        self.entries().find(|(_, value)| is(value)).map(|(handle, _)| handle)
    }

    pub(crate) fn remove(&mut self, handle: Handle) -> Option<T> {
        self.remove_if(handle, |_| Some(())).map(|(value, ())| value)
    }

    /// Removes an object, unless `is` returns `None` for it. Finds it once for both.
    #[inline]
    pub(crate) fn remove_if<R>(
        &mut self,
        handle: Handle,
        is: impl FnOnce(&T) -> Option<R>,
    ) -> Option<(T, R)> {
        let place = self.place(handle)?;
        let (_, slot) = &mut self.entries[place];
        let found = is(slot.as_ref()?)?;
        let value = slot.take()?;
        self.live -= 1;
        if self.live == 0 {
            self.entries.clear();
            self.first = 0;
        } else if place == self.first {
            self.advance();
        }
        if self.entries.len() - self.first > 2 * self.live + SPARE {
            self.entries.retain(|(_, value)| value.is_some());
            self.first = 0;
        }
        Some((value, found))
    }

    /// Moves `first` to the first entry that is not empty.
    fn advance(&mut self) {
        let empty = self.entries[self.first..].iter().take_while(|(_, value)| value.is_none());
        self.first += empty.count();
    }
}

/// A table of objects in boxes that keeps the memory of some of those that were removed.
pub(crate) struct BoxTable<T> {
    live: Table<Box<T>>,
    #[allow(clippy::vec_box, reason = "the boxes are put into the table as they are")]
    spare: Vec<Box<T>>,
}

impl<T> BoxTable<T> {
    pub(crate) fn new(first: Handle) -> Self {
        Self { live: Table::new(first), spare: Vec::new() }
    }

    /// Returns an object that was given back, whose memory is used again.
    #[inline]
    pub(crate) fn reuse(&mut self) -> Option<Box<T>> {
        self.spare.pop()
    }

    /// Keeps the memory of an object that was removed.
    #[inline]
    pub(crate) fn give_back(&mut self, removed: Box<T>) {
        self.spare.push(removed);
    }
}

impl<T> Deref for BoxTable<T> {
    type Target = Table<Box<T>>;

    #[inline]
    fn deref(&self) -> &Self::Target {
        &self.live
    }
}

impl<T> DerefMut for BoxTable<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.live
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn it_is_a_map(steps in prop::collection::vec((0..3_u8, 0..200_usize), 0..400)) {
            let (mut ours, mut theirs) = (Table::new(0x1000), BTreeMap::new());
            ours.insert_at(0x101, 0);
            theirs.insert(0x101, 0);
            let mut given = vec![0x101, 0x1008];
            for (step, (what, which)) in steps.into_iter().enumerate() {
                let handle = given[which % given.len()];
                if what > 0 {
                    let made = ours.insert(step);
                    prop_assert!(theirs.insert(made, step).is_none(), "a new handle");
                    given.push(made);
                } else {
                    prop_assert_eq!(ours.remove(handle), theirs.remove(&handle));
                }
                prop_assert_eq!(ours.get(handle), theirs.get(&handle));
                prop_assert_eq!(ours.get_mut(handle), theirs.get_mut(&handle));
                prop_assert!(ours.iter().eq(theirs.values()));
            }
            let odd = |value: &usize| value % 2 == 1;
            let first = theirs.iter().find(|(_, value)| odd(value)).map(|(handle, _)| *handle);
            prop_assert_eq!(ours.find(odd), first);
        }
    }
}
