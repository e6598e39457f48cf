//! Whether a rank is quiet: nothing is under way that the short path leaves to the general one.

use mpi_api::call::RequestId;

use super::rank::{Listener, Stage, State};
use crate::function::transfer::Parts;
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
        let listens = self.listener.get().is_some();
        self.ends_busily.set(self.attends.get() || listens || self.has_findings());
        self.quiet.set(self.looks_quiet());
    }

    fn looks_quiet(&self) -> bool {
        self.stage.get() == Stage::Running
            && !self.watched
            && self.compared.is_none()
            && !self.combining.get()
            && !self.owes.get()
            && !self.ends_busily.get()
            && !self.has_left_error()
            && self.has_one_thread()
            && self.forgotten.borrow().is_empty()
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
