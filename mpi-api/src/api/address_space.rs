//! Ranks that share an address space: a global variable written by one of them is read by the
//! others (a draft of MPI 4, sections 6.4.2 and 12.5).
//!
//! How many ranks share one is an option of the run; by default each has its own. All ranks of a
//! simulation run in one host process, so that the globals of a Rust program are common to all of
//! them; a variable that exists once per simulated address space is obtained from [`global`].

use std::{
    any::{Any, TypeId},
    cell::RefCell,
    collections::BTreeMap,
    rc::Rc,
};

use super::{
    Context, Rank,
    topology::{Color, Communicator, SimpleCommunicator},
};

thread_local! {
    static GLOBALS: RefCell<BTreeMap<(u32, TypeId), Rc<dyn Any>>> = const {
        RefCell::new(BTreeMap::new())
    };
}

/// Drops the globals of an earlier run.
pub(crate) fn forget() {
    GLOBALS.take();
}

/// Returns the number of the calling rank's address space, and how many ranks share it. Before a
/// rank has initialized MPI it has an address space of its own.
pub fn number_and_size() -> (u32, u32) {
    Context::current().map_or((0, 1), |context| {
        let space = context.address_space();
        (space.number, space.ranks)
    })
}

/// Returns the global variable of type `T` of the calling rank's address space, with its default
/// value at first.
pub fn global<T: Default + 'static>() -> Rc<T> {
    let key = (number_and_size().0, TypeId::of::<T>());
    let known = GLOBALS.with_borrow(|globals| globals.get(&key).cloned());
    if let Some(Ok(found)) = known.map(Rc::downcast::<T>) {
        return found;
    }
    let made = Rc::new(T::default());
    let erased: Rc<dyn Any> = Rc::clone(&made) as _;
    GLOBALS.with_borrow_mut(|globals| globals.insert(key, erased));
    made
}

/// Splits off the ranks that share the caller's address space (`MPI_Comm_split_type` with
/// `MPI_COMM_TYPE_ADDRESS_SPACE`).
#[track_caller]
pub fn split<C: Communicator>(comm: &C, key: Rank) -> Option<SimpleCommunicator> {
    let color = Color::with_value(number_and_size().0 as i32);
    comm.split_by_color_with_key(color, key)
}
