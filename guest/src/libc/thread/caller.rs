//! The thread that calls a function, and others by their handles.

use std::{
    ffi::{c_int, c_void},
    rc::Rc,
};

use super::table::Thread;
use crate::libc::rank::Rank;

/// Returns the calling rank and thread.
pub(crate) fn caller<'a>() -> (&'a Rank, &'a Thread) {
    let rank = Rank::running();
    (rank, rank.threads.present())
}

/// Returns the number of the calling thread; the main thread is 0.
pub fn present() -> u32 {
    Rank::current().map_or(0, |rank| rank.threads.present().number)
}

/// Returns the thread with this handle, if it has not been joined.
pub(in crate::libc) fn find(handle: usize) -> Option<Rc<Thread>> {
    let (rank, _) = caller();
    rank.threads.all.borrow().get(&handle).cloned()
}

/// Initialises or destroys an object without state.
pub(super) extern "C" fn nothing(_place: *mut c_void) -> c_int {
    0
}
