//! [`ClaimTable`]: the claims of a rank, with a note whether there are any, or windows.

use std::cell::{Cell, Ref, RefCell};

use mpi_api::finding::CallPlace;

use crate::function::claims::Claims;

/// The memory owned by operations of a rank that are under way.
pub(crate) struct ClaimTable {
    claims: RefCell<Claims>,
    /// Whether no operation is pending and no window has memory. A blocking call asks nothing else, and this is one
    /// test instead of seven and the count of the borrows.
    free: Cell<bool>,
    /// Whether any window has memory of the rank.
    windows: Cell<bool>,
    /// The last two operations that have been found to use the same memory.
    conflict: Cell<Option<[CallPlace; 2]>>,
}

impl Default for ClaimTable {
    fn default() -> Self {
        Self {
            claims: RefCell::default(),
            free: Cell::new(true),
            windows: Cell::new(false),
            conflict: Cell::default(),
        }
    }
}

impl ClaimTable {
    /// Reports whether no operation is pending and no window has memory.
    #[inline(always)]
    pub(crate) fn leave_all_free(&self) -> bool {
        self.free.get()
    }

    /// Sets whether any window has memory of the rank.
    pub(crate) fn note_windows(&self, windows: bool) {
        self.windows.set(windows);
        self.free.set(!windows && self.claims.borrow().is_empty());
    }

    /// Notes that two operations use the same memory, and reports whether the last two were others: a program may repeat
    /// them very often, and one finding tells of all.
    pub(crate) fn is_new_conflict(&self, user: CallPlace, owner: CallPlace) -> bool {
        self.conflict.replace(Some([user, owner])) != Some([user, owner])
    }

    /// Reports whether the last two operations that used the same memory were this one and a later one, which has been told.
    pub(crate) fn has_conflict_with(&self, owner: CallPlace) -> bool {
        self.conflict.get().is_some_and(|[_, known]| known == owner)
    }

    /// Borrows the claims.
    pub(crate) fn read(&self) -> Ref<'_, Claims> {
        self.claims.borrow()
    }

    /// Changes the claims by `change`, and returns what it returns.
    #[inline]
    pub(crate) fn change<T>(&self, change: impl FnOnce(&mut Claims) -> T) -> T {
        let mut claims = self.claims.borrow_mut();
        let value = change(&mut claims);
        self.free.set(claims.is_empty() && !self.windows.get());
        value
    }
}
