//! When the memory that operations own is closed and opened, in runs that are watched.

use mpi_api::call::Site;

use super::{NOWHERE, State};
use crate::{function::guard, libc::Rank, site, watch};

impl State {
    /// Memory of the program that operations own. What nobody can write to needs no watching.
    pub(super) fn pieces(&self) -> Vec<watch::Piece> {
        let claims = self.claims.borrow();
        if claims.is_empty() {
            return Vec::new();
        }
        let is_constant = |address| Rank::current().is_some_and(|rank| rank.is_constant(address));
        claims.pieces().filter(|piece| !is_constant(piece.start)).collect()
    }

    /// Reports what the program touched that operations own.
    pub(super) fn tell_touched(&self, site: Site) {
        if let Some(access) = watch::seen() {
            // There is nothing to answer.
            let _ = guard::touched(self, site, &access);
        }
    }

    /// The program of this rank has ended: nothing is closed any more.
    pub(crate) fn stop_watching(&self) {
        if self.watched {
            watch::open();
            self.tell_touched(NOWHERE);
        }
    }

    /// MPI runs until the value is dropped: what the program touched meanwhile is told.
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

/// A call of MPI that the program is in. An exception of a callback ends it, too.
pub(super) struct Inside<'a> {
    state: &'a State,
    returns: bool,
}

impl Inside<'_> {
    /// The call returns to the program.
    #[inline]
    pub(super) fn end(mut self) {
        self.returns = true;
    }
}

impl Drop for Inside<'_> {
    /// From here on the program runs, unless the call was one of a callback in the middle of MPI.
    /// After an exception all memory stays open until the next call ends: the unwinder must find
    /// where this one returns to.
    #[inline]
    fn drop(&mut self) {
        let state = self.state;
        if !state.watched {
            return;
        }
        state.depth.set(state.depth.get() - 1);
        if state.depth.get() == 0 && self.returns {
            let (slot, address) = state.returns.get();
            watch::close_on_return(state.pieces().into_iter(), slot, address);
        }
    }
}
