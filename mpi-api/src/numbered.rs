//! Functions of the program that calls name by number.
//!
//! A call is a value that could cross to another process; a function is not. What a rank has to run
//! itself therefore stays on the side of the ranks, in one table for each kind of function, and the
//! call carries the number of its entry. Each entry is taken once.

use std::{
    cell::{Cell, RefCell},
    collections::BTreeMap,
};

/// Functions of one kind by number.
pub(crate) struct Table<T> {
    next: Cell<u32>,
    kept: RefCell<BTreeMap<u32, T>>,
}

impl<T> Table<T> {
    /// Creates an empty table.
    pub(crate) const fn new() -> Self {
        Self { next: Cell::new(0), kept: RefCell::new(BTreeMap::new()) }
    }

    /// Stores a function and returns its number.
    pub(crate) fn keep(&self, function: T) -> u32 {
        let number = self.next.get();
        self.next.set(number.wrapping_add(1));
        self.kept.borrow_mut().insert(number, function);
        number
    }

    /// Removes the function with this number; `None` if it was taken already.
    pub(crate) fn take(&self, number: u32) -> Option<T> {
        self.kept.borrow_mut().remove(&number)
    }

    /// Drops the functions of calls that were never executed, and starts again at 0.
    pub(crate) fn clear(&self) {
        self.next.set(0);
        // Dropping a function may run code of the program: the table is not borrowed meanwhile.
        drop(self.kept.take());
    }
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use super::*;

    #[test]
    fn an_entry_is_taken_once() {
        let table = Table::new();
        let (one, two) = (table.keep('a'), table.keep('b'));
        assert_ne!(one, two);
        assert_eq!((table.take(one), table.take(one)), (Some('a'), None));
        assert_eq!(table.take(two), Some('b'));
    }

    #[test]
    fn a_function_may_use_the_table_while_it_is_dropped() {
        struct Keeps(Rc<Table<Option<Keeps>>>);
        impl Drop for Keeps {
            fn drop(&mut self) {
                self.0.keep(None);
            }
        }
        let table = Rc::new(Table::new());
        table.keep(Some(Keeps(Rc::clone(&table))));
        table.clear();
        assert!(table.take(0).is_some_and(|late| late.is_none()));
    }
}
