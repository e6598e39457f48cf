//! Several ranks in one address space: what one of them writes to a global variable the others
//! read (a draft of MPI 4, sections 6.4.2 and 12.5).
//!
//! How many ranks share one is an option of the run; without it each has its own. All ranks of a
//! simulation are in one process of the host, so the globals of a program written in Rust are one
//! for all: what is to be one for each address space is kept with [`global`].

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

/// Forgets the globals of an earlier run.
pub(crate) fn forget() {
    GLOBALS.take();
}

/// The number of the calling rank's address space, and how many ranks are in it; each rank is
/// alone before it has initialized.
pub fn number_and_size() -> (u32, u32) {
    Context::current().map_or((0, 1), |context| {
        let space = context.address_space();
        (space.number, space.ranks)
    })
}

/// The global variable of type `T` of the calling rank's address space; it begins as its default.
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

/// `MPI_Comm_split_type` with `MPI_COMM_TYPE_ADDRESS_SPACE`: the ranks that share the caller's.
#[track_caller]
pub fn split<C: Communicator>(comm: &C, key: Rank) -> Option<SimpleCommunicator> {
    let color = Color::with_value(number_and_size().0 as i32);
    comm.split_by_color_with_key(color, key)
}
