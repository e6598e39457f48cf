//! Closes and opens the memory that operations own, in runs that are watched.
#![allow(unsafe_code, reason = "has pages closed when a call returns")]

use mpi_api::call::{ClockCall, Reply, Site};
use sim_core::with_caller_state;

use super::{Mpi, NOWHERE, State};
use crate::function::guard;
use guest::{running, site, watch};

impl State {
    /// Returns the memory of the program that operations own, without memory that is read-only
    /// anyway.
    pub(super) fn pieces(&self) -> Vec<watch::Piece> {
        let claims = self.claims.read();
        if claims.is_empty() {
            return Vec::new();
        }
        let is_constant = |address| running::is_constant(address);
        claims.pieces().filter(|piece| !is_constant(piece.start)).collect()
    }

    /// Reports an access of the program to memory that an operation owns.
    // Apart, because an access is large: a rank would wait with half a kilobyte more of its stack.
    #[cold]
    #[inline(never)]
    pub(super) fn tell_touched(&self, site: Site) {
        if let Some(access) = watch::seen() {
            // The finding has been reported; the code returned is of no use here.
            let _ = guard::touched(self, site, &access);
        }
    }

    /// Executes `body` with the memory open that operations own, and reports an access that the
    /// program made before.
    #[inline]
    pub(super) fn with_memory_open<T>(&self, site: Site, body: impl FnOnce() -> T) -> T {
        let closed = self.watched && watch::open();
        if closed {
            self.tell_touched(site);
        }
        let value = body();
        if closed {
            watch::close(self.pieces().into_iter());
        }
        value
    }

    /// Reads the clock for a program that has called from `site`, with the frame pointer `frame`.
    ///
    /// The state of the program is looked at while its memory is open: variables that operations
    /// own may lie on its stack.
    pub(crate) fn read_clock(&self, site: Site, frame: usize) -> Mpi<Reply> {
        let read = |program| self.kernel(site, ClockCall::Now(program));
        self.with_memory_open(site, || with_caller_state(frame, read))
    }

    /// Stops watching when the program of this rank has ended.
    pub(crate) fn stop_watching(&self) {
        if self.watched {
            watch::open();
            self.tell_touched(NOWHERE);
        }
    }

    /// Begins an MPI call, which lasts until the value is dropped; reports an access that the
    /// program made before it.
    pub(super) fn begin_call(&self, site: Site) -> Inside<'_> {
        if self.watched {
            self.depth.set(self.depth.get() + 1);
            if self.depth.get() == 1 {
                self.returns.set(site::return_place());
            }
            self.tell_touched(site);
        }
        Inside { state: self, returns: false }
    }
}

/// An MPI call of the program, also when an exception of a callback ends it.
pub(super) struct Inside<'a> {
    state: &'a State,
    returns: bool,
}

impl Inside<'_> {
    /// Records that the call returns to the program.
    #[inline]
    pub(super) fn end(mut self) {
        self.returns = true;
    }
}

impl Drop for Inside<'_> {
    /// Closes the memory again as the program continues, unless the call was made by a callback
    /// inside MPI. After an exception all memory stays open until the next call ends: the unwinder
    /// must be able to read the return address.
    #[inline]
    fn drop(&mut self) {
        let state = self.state;
        if !state.watched {
            return;
        }
        state.depth.set(state.depth.get() - 1);
        if state.depth.get() == 0 && self.returns {
            // SAFETY: the place is that of the call which ends here, of a function of ours.
            unsafe { watch::close_on_return(state.pieces().into_iter(), state.returns.get()) };
        }
    }
}
