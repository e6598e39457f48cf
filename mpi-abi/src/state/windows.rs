//! The windows of a rank, and which of its memory they have.

use std::rc::Rc;

use super::{
    fault::{Fault, Mpi},
    rank::State,
    window::{RequestedAccess, Window},
};
use crate::constant::{Handle, class};

impl State {
    /// Returns the window of a handle.
    pub(crate) fn window(&self, window: Handle) -> Mpi<Rc<Window>> {
        let found = self.windows.borrow().get(window).cloned();
        found.ok_or_else(|| Fault::new(class::WIN, "the window is null or was freed"))
    }

    /// Adds a window and returns its handle. While there are windows, the buffers of all calls are
    /// compared with them.
    pub(crate) fn add_window(&self, window: Window) -> Handle {
        let made = self.windows.borrow_mut().insert(Rc::new(window));
        self.note_window_memory();
        made
    }

    /// Removes a window.
    pub(crate) fn remove_window(&self, window: Handle) {
        self.windows.borrow_mut().remove(window);
        self.note_window_memory();
    }

    /// Reports whether the rank has any window.
    pub(crate) fn has_windows(&self) -> bool {
        self.windows.borrow().iter().next().is_some()
    }

    /// Notes the lowest and the highest address of memory of windows; called after each change of it, so that a call
    /// compares two numbers for most buffers.
    pub(crate) fn note_window_memory(&self) {
        let windows = self.windows.borrow();
        let pieces = windows.iter().flat_map(|window| window.memory());
        let around = |(low, high): (i64, i64), (first, end): (usize, usize)| {
            (low.min(first as i64), high.max(end as i64))
        };
        self.window_memory.set(pieces.fold((i64::MAX, i64::MIN), around));
        self.claims.note_windows(self.has_windows());
    }

    /// Reports whether any byte from `first` to `end` is memory that the rank provides to a window.
    #[inline(always)]
    pub(crate) fn provides(&self, first: i64, end: i64) -> bool {
        let (low, high) = self.window_memory.get();
        first < high && low < end && self.provides_in_any(first, end)
    }

    #[inline(never)]
    fn provides_in_any(&self, first: i64, end: i64) -> bool {
        self.windows.borrow().iter().any(|window| window.provides(first, end))
    }
}

/// Number of accesses with requests above which those are forgotten that the program has waited for.
const REQUESTED_MAX: usize = 64;

impl Window {
    /// Remembers an access with a request for the next synchronisation. A program that waits for all of them
    /// needs none, so the list is cleared whenever it has doubled.
    pub(crate) fn remember(&self, state: &State, access: RequestedAccess) {
        let mut all = self.requested.borrow_mut();
        if all.len() >= REQUESTED_MAX && all.len().is_power_of_two() {
            let requests = state.requests.borrow();
            all.retain(|one| requests.get(one.request).is_some_and(|made| made.id == one.id));
        }
        all.push(access);
    }
}
