//! Objects by handle.

use rustc_hash::FxHashMap;

use crate::constant::Handle;

/// Objects of one kind. A handle is not given out again before many others have been. Programs look
/// up thousands of requests at once; nothing is done in the order of the hashes.
pub(crate) struct Table<T> {
    entries: FxHashMap<Handle, T>,
    next: Handle,
}

impl<T> Table<T> {
    pub(crate) fn new(first: Handle) -> Self {
        Self { entries: FxHashMap::default(), next: first }
    }

    pub(crate) fn insert_at(&mut self, handle: Handle, value: T) {
        self.entries.insert(handle, value);
    }

    pub(crate) fn insert(&mut self, value: T) -> Handle {
        let handle = self.next;
        // Handles also fit a Fortran integer.
        self.next += 16;
        self.entries.insert(handle, value);
        handle
    }

    pub(crate) fn get(&self, handle: Handle) -> Option<&T> {
        self.entries.get(&handle)
    }

    pub(crate) fn get_mut(&mut self, handle: Handle) -> Option<&mut T> {
        self.entries.get_mut(&handle)
    }

    /// All objects in order of their handles.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &T> {
        let mut all: Vec<(&Handle, &T)> = self.entries.iter().collect();
        all.sort_unstable_by_key(|(handle, _)| **handle);
        all.into_iter().map(|(_, value)| value)
    }

    /// The handle of the first object that `is` it.
    pub(crate) fn find(&self, is: impl Fn(&T) -> bool) -> Option<Handle> {
        let found = self.entries.iter().filter(|(_, value)| is(value));
        found.map(|(handle, _)| *handle).min()
    }

    pub(crate) fn remove(&mut self, handle: Handle) -> Option<T> {
        self.entries.remove(&handle)
    }
}
