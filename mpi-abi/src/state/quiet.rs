//! Whether a rank is quiet: nothing is under way that the short path leaves to the general one.

use std::rc::Rc;

use mpi_api::call::RequestId;

use super::{
    rank::{Listener, Stage, State},
    window::Window,
};
use crate::{constant::Handle, function::transfer::Parts};
use guest::watch;

impl State {
    /// Reports whether a call needs none of the checks that [`call`] makes: the rank is between init
    /// and finalize, has one thread, waits for no signals, listens to no events, is not watched, no buffer is compared with the program's objects, and no
    /// callback runs. It may have windows: whether a buffer is memory of one is asked for each buffer.
    #[inline(always)]
    pub(crate) fn is_quiet(&self) -> bool {
        debug_assert_eq!(self.quiet.get(), self.looks_quiet(), "the note is kept up to date");
        self.quiet.get()
    }

    /// Notes whether the rank is quiet; called after each change of what that depends on, so that a
    /// call makes one test instead of seven.
    pub(super) fn note_quiet(&self) {
        self.ends_busily.set(self.attends.get() || self.listener.get().is_some());
        self.quiet.set(self.looks_quiet());
    }

    fn looks_quiet(&self) -> bool {
        self.stage.get() == Stage::Running
            && !self.watched
            && self.compared.is_none()
            && !self.combining.get()
            && !self.owes.get()
            && !self.ends_busily.get()
            && self.doors.borrow().is_empty()
            && self.forgotten.borrow().is_empty()
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
        self.claims.note_windows(windows.iter().next().is_some());
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

    /// Keeps the buffer of a receive whose request was freed.
    pub(crate) fn forget_receive(&self, id: RequestId, into: Parts) {
        self.forgotten.borrow_mut().push((id, into));
        self.note_quiet();
    }

    /// Sets whether signals of timers are delivered when a call ends.
    pub(crate) fn attend(&self, attends: bool) {
        self.attends.set(attends);
        self.note_quiet();
    }

    /// Sets what tells the program of events of the tools interface, if it listens to some.
    pub(crate) fn set_listener(&self, listener: Option<Listener>) {
        self.listener.set(listener);
        self.note_quiet();
    }

    /// Reports whether the rank listens to events of the tools interface.
    pub(crate) fn listens(&self) -> bool {
        self.listener.get().is_some()
    }

    /// Sets the initialization state.
    pub(crate) fn set_stage(&self, stage: Stage) {
        self.stage.set(stage);
        self.note_quiet();
    }

    /// Sets whether a function of a reduction operation runs while the rank is suspended.
    pub(crate) fn set_combining(&self, combining: bool) {
        self.combining.set(combining);
        self.note_quiet();
    }

    /// Sets whether the rank has deferred work to do when it is resumed.
    pub(super) fn set_owes(&self, owes: bool) {
        self.owes.set(owes);
        self.note_quiet();
    }
}

/// Returns the state of the running rank, if nothing unusual is under way in it.
#[inline(always)]
pub(crate) fn quiet<'a>() -> Option<&'a State> {
    if watch::is_watching() {
        return None;
    }
    State::current().filter(|state| state.is_quiet())
}
