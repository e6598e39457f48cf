//! Threads of a program: each is a coroutine of its rank, which runs until it waits.
//!
//! Threads switch only at waiting points, in an order that depends on nothing but the program: MPI
//! calls, the functions of this module, sleeps. Taking a free lock does not switch. The state of a
//! lock, a condition or similar object is in the program's own variable, as glibc would initialise
//! it; the threads that wait for it are queued by its address in the rank (`parking`).

mod affinity;
mod attribute;
mod barrier;
mod c11;
pub(crate) mod caller;
mod condition;
mod cxx;
mod futex;
mod guard;
mod key;
mod leave;
pub(crate) mod life;
mod lot;
mod mutex;
mod once;
pub(crate) mod parking;
mod rwlock;
mod semaphore;
mod spin;
mod stack;
pub(super) mod table;

pub(crate) use caller::caller;
pub use caller::present;
pub(crate) use life::{begin_detached, begin_worker, end_rank};
pub(crate) use parking::{
    Why, before_free_lock, give_way, hand_over, leave_queue, let_go, take, wait, wake,
};

use crate::replacement::Replacement;

/// Returns the functions that do not wait.
pub(super) fn replacements() -> Vec<Replacement> {
    let tables = [
        affinity::replacements,
        attribute::replacements,
        barrier::replacements,
        c11::replacements,
        condition::replacements,
        cxx::replacements,
        guard::replacements,
        key::replacements,
        leave::replacements,
        life::replacements,
        mutex::replacements,
        rwlock::replacements,
        semaphore::replacements,
        spin::replacements,
    ];
    tables.iter().flat_map(|table| table()).collect()
}

/// Returns the functions that may wait and therefore need the place of their caller.
pub(crate) fn waiting() -> Vec<Replacement> {
    let tables = [
        barrier::waiting,
        c11::waiting,
        condition::waiting,
        cxx::waiting,
        futex::waiting,
        guard::waiting,
        life::waiting,
        mutex::waiting,
        once::waiting,
        rwlock::waiting,
        semaphore::waiting,
        spin::waiting,
    ];
    tables.iter().flat_map(|table| table()).collect()
}
