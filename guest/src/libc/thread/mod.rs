//! Threads of a program: each is a coroutine of its rank, which runs until it waits.
//!
//! Threads switch only at waiting points, in an order that depends on nothing but the program: MPI
//! calls, the functions of this module, sleeps. Taking a free lock does not switch. The state of a
//! lock, a condition or similar object is in the program's own variable, as glibc would initialise
//! it; the threads that wait for it are queued by its address in the rank (`parking`).

mod attribute;
mod barrier;
mod c11;
mod condition;
mod cxx;
mod futex;
mod guard;
mod key;
mod leave;
mod life;
mod lot;
mod mutex;
mod once;
mod parking;
mod rwlock;
mod semaphore;
mod spin;
mod stack;
mod table;

use std::{
    ffi::{c_int, c_void},
    time::Duration,
};

pub(crate) use life::{begin_worker, end_rank};
pub(crate) use parking::{
    Why, before_free_lock, give_way, hand_over, leave_queue, let_go, take, wait, wake,
};
pub(super) use table::{Thread, Threads};

use super::{Replacement, rank::Rank};

/// Initialises or destroys an object without state.
extern "C" fn nothing(_place: *mut c_void) -> c_int {
    0
}

/// Returns the number of the calling thread; the main thread is 0.
pub fn present() -> u32 {
    Rank::current().map_or(0, |rank| rank.threads.present().number)
}

/// Reports whether there is a thread with this handle.
pub(super) fn exists(handle: usize) -> bool {
    life::find(handle).is_some()
}

/// Starts a detached thread.
pub(super) fn begin_detached(function: usize, value: usize) {
    let mut handle = 0;
    if life::begin(&raw mut handle, None, (function, value)) == 0 {
        life::detach_handle(handle);
    }
}

/// Waits at an address for a signal, at most `within`, on behalf of the function `call`.
pub(super) fn wait_for_signal(key: usize, call: &'static str, within: Option<Duration>) {
    parking::wait(key, &parking::Why::here(call).within(within));
}

/// Wakes the threads that wait for signals at an address.
pub(super) fn wake_for_signal(key: usize) {
    parking::wake(key, usize::MAX);
}

/// Returns the calling rank and thread.
pub(crate) fn caller<'a>() -> (&'a Rank, &'a Thread) {
    let rank = Rank::current().unwrap_or_else(|| std::process::abort());
    (rank, rank.threads.present())
}

/// Returns the functions that do not wait.
pub(super) fn replacements() -> Vec<Replacement> {
    let tables = [
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
