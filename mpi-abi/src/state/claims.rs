//! [`ClaimTable`]: the claims of a rank, with a note whether there are any.

use std::cell::{Cell, Ref, RefCell};

use crate::function::claims::Claims;

/// The memory owned by operations of a rank that are under way.
pub(crate) struct ClaimTable {
    claims: RefCell<Claims>,
    /// Whether no operation is pending. A blocking call asks nothing else, and this is one test instead
    /// of five and the count of the borrows.
    empty: Cell<bool>,
}

impl Default for ClaimTable {
    fn default() -> Self {
        Self { claims: RefCell::default(), empty: Cell::new(true) }
    }
}

impl ClaimTable {
    /// Reports whether no operation is pending.
    #[inline(always)]
    pub(crate) fn is_empty(&self) -> bool {
        self.empty.get()
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
        self.empty.set(claims.is_empty());
        value
    }
}
